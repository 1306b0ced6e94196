#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/time.h"
#include "core/store/capture_store.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

/// Which collectives are looked at.
struct CollectiveQuery {
    std::vector<std::int64_t> steps = {};  ///< Empty: all, and what belongs to no step.
    std::vector<std::string> groups = {};  ///< Names; empty: all.
    std::string type = {};                 ///< See collectiveType(); empty: all.
    std::string name = {};                 ///< Of one operator; empty: all.
    std::optional<TimeRange> range = {};   ///< As ranks are drawn: those that overlap it. Of collectives alone.
    bool operator==(const CollectiveQuery&) const = default;
};

/// Times of a collective on a rank, or sums of them; ns. Source: core/import/communication/FORMAT.md section 2.
struct CollectiveSpent {
    std::int64_t elapsed = 0, wait = 0, synchronization = 0;
    std::optional<std::int64_t> transit, idle;  ///< nullopt: not known. A sum is that of those that are known.
    bool lacksTransit = false;                  ///< Of a sum: the transit of some is not known, so it has no ratios.

    void add(const CollectiveSpent& other);
    std::optional<double> synchronizationRatio() const;  ///< synchronization / (synchronization + transit)
    std::optional<double> waitRatio() const;             ///< wait / (wait + transit)
};

/// A collective of one rank.
struct CollectiveItem {
    std::optional<TimeNs> begin;  ///< On the rank's clock.
    CollectiveSpent spent;
    std::optional<std::int64_t> step;
    StringId name, group;    ///< Texts of RankCollectives::rows.
    std::uint32_t type = 0;  ///< Index in CollectiveSet::types.
    bool isPeerToPeer = false;
};

/// The collectives of one rank, in the order of their rows.
struct RankCollectives {
    RankIndex rank{};
    bool isComputed = false;
    std::shared_ptr<const RowTables> rows;
    std::vector<CollectiveItem> items;
    CollectiveSpent sum;

    std::string_view name(const CollectiveItem& item) const { return rows->text(item.name); }
    std::string_view group(const CollectiveItem& item) const { return rows->text(item.group); }
};

/// Constant.
struct CollectiveSet {
    std::vector<RankCollectives> ranks;  ///< Those that have any, as in CaptureStore::ranks.
    std::vector<std::string> types;      ///< Sorted.
};

/// Rows of collectives of a rank, which its files hold or which are computed.
struct CollectiveRows {
    RankIndex rank{};
    std::shared_ptr<const RowTables> rows;
    bool isComputed = false;
    DurationNs drawnLater{};  ///< Than recorded; what the query's range counts with.
};

/// @return Null if cancelled. Any thread; parallel on the arena. O(rows).
std::shared_ptr<const CollectiveSet> collectiveSet(const std::vector<CollectiveRows>& ranks,
                                                   const CollectiveQuery& query, const CancelToken& cancel);

/// How much a rank sent by one transport. "SDMA" repeats the others but RDMA.
struct TransportSum {
    std::string transport;
    std::int64_t size = 0, time = 0;  ///< Bytes, ns; over all planes. A time of 0 is not known.
};
/// Packets of one size.
struct PacketSum {
    std::string transport;
    std::int64_t packetSize = 0, count = 0, time = 0;  ///< Bytes, packets, ns.
};
/// What a rank sent.
struct RankTransfers {
    RankIndex rank{};
    bool isComputed = false;
    std::vector<TransportSum> transports;  ///< By name.
    std::vector<PacketSum> packets;        ///< By transport and size.
};

/// Of the ranks' recorded rows, or of those that count instead (by rank; null: none); those without any are left out.
/// @return Empty if cancelled. O(rows); parallel on the arena.
std::vector<RankTransfers> rankTransfers(const CaptureStore& capture, const std::vector<RankIndex>& ranks,
                                         const std::vector<std::shared_ptr<const RowTables>>& computed,
                                         const CollectiveQuery& query, const CancelToken& cancel);

}  // namespace altiscope
