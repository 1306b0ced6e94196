#pragma once

#include "core/analysis/collectives/collective_peers.h"
#include "core/analysis/communication/collective_chart.h"
#include "core/analysis/communication/collective_set.h"
#include "core/analysis/communication/late_ranks.h"
#include "core/tables/sources/column_table.h"
#include "views/common/support/heading_model.h"
#include "views/communication/data/communication_source.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// Ranks as the user draws them, by a collective that they have in common.
struct CollectiveAlignment {
    std::string name;  ///< Name of the collective.
    CollectiveChart::Edge edge = CollectiveChart::Edge::End;
    std::vector<RankClock> clocks;  ///< By index in CaptureStore::ranks.
};

/// Times of collectives as the page shows them. Constant; made on a worker.
struct CommunicationTimes {
    std::shared_ptr<const CommunicationSource> source;
    std::shared_ptr<const CollectiveSet> set;
    std::shared_ptr<const CollectiveChart> chart;
    std::vector<RankClock> clocks;  ///< With which the chart was made, by index in CaptureStore::ranks.
    std::shared_ptr<const CollectiveAlignment> alignment;  ///< Null: ranks are where their clocks put them.
    std::vector<LateRank> late;                            ///< As set->ranks.
    std::vector<RankTransfers> transfers;
    /// Ranks of the set whose clock could not be aligned.
    std::vector<RankIndex> ownClock;

    const RankEntry& rank(std::size_t place) const { return source->capture->ranks[set->ranks[place].rank.value]; }
};

/// @param alignment  By which ranks are to be drawn, of the same capture; null: as their clocks put them.
/// @return Null if cancelled. O(rows * log), and the alignment of clocks; parallel on the arena.
std::shared_ptr<const CommunicationTimes> communicationTimes(std::shared_ptr<const CommunicationSource> source,
                                                             const CollectiveQuery& query, const CancelToken& cancel,
                                                             std::shared_ptr<const CollectiveAlignment> alignment = {});

// Tables; pure functions.

enum class RankColumn : std::size_t {
    Rank,
    Last,
    Waited,
    Elapsed,
    Transit,
    Synchronization,
    Wait,
    Idle,
    SynchronizationRatio,
    WaitRatio,
    Count,
    Origin,
    FirstTransport
};
/// A row for each of set->ranks; after the fixed columns the bandwidth of each transport.
std::shared_ptr<const ColumnTable> rankTimeTable(const CommunicationTimes& times);
std::vector<ColumnHeading> rankTimeHeadings(const CommunicationTimes& times);

enum class CollectiveColumn : std::size_t {
    Rank,
    Step,
    Type,
    Operator,
    Group,
    Begin,
    Elapsed,
    Transit,
    Synchronization,
    Wait,
    Idle,
    SynchronizationRatio,
    WaitRatio
};
/// A row for each collective: by rank, then item. @return Null if cancelled.
std::shared_ptr<const ColumnTable> collectiveTable(const CommunicationTimes& times, TimeNs origin,
                                                   const CancelToken& cancel);
std::vector<ColumnHeading> collectiveHeadings();

enum class PacketColumn : std::size_t { Transport, Size, Count, Time, Bandwidth, Share };
/// Packets of a rank, or of all together.
std::vector<PacketSum> packetsOf(const CommunicationTimes& times, std::optional<RankIndex> rank);
std::shared_ptr<const ColumnTable> packetTable(const std::vector<PacketSum>& packets);
std::vector<ColumnHeading> packetHeadings();

/// One collective on one of its ranks.
struct PeerTime {
    std::size_t row = 0;  ///< Index in set->ranks.
    std::uint32_t item = 0;
    /// ns after the first of them, on the common clock; nullopt: no begin is recorded.
    std::optional<std::int64_t> late;
    std::int64_t wait = 0;  ///< ns it was in it before the last one came: its length - that of the shortest.
};
struct PeerTimes {
    std::shared_ptr<const CollectiveDirectory> directory;  ///< To be handed to the next request; null without events.
    bool isByOrder = false;  ///< Paired by step, group, type and order, as there are no events.
    std::vector<PeerTime> peers;
    /// Ranks of the group on which it was not found, or whose row of it is not among
    /// the times.
    std::vector<RankIndex> missing;
};
/// @param directory  Of an earlier result for the same capture; null: it is made.
std::optional<PeerTimes> peerTimes(const CommunicationTimes& times, std::size_t row, std::uint32_t item,
                                   std::shared_ptr<const CollectiveDirectory> directory, const CancelToken& cancel);

/// The same times with all ranks of a collective drawn so that it begins (ends) where it does on the rank of `row`.
/// @return Null if cancelled, or if the times hold it with a begin on no other rank. O(items * log).
std::shared_ptr<const CommunicationTimes> alignedBy(const CommunicationTimes& times, std::size_t row,
                                                    std::uint32_t item, CollectiveChart::Edge edge,
                                                    std::shared_ptr<const CollectiveDirectory> directory,
                                                    const CancelToken& cancel);
/// The same times, of the same set, with ranks where their clocks put them. @return Null if cancelled.
std::shared_ptr<const CommunicationTimes> restoredTimes(const CommunicationTimes& times, const CancelToken& cancel);

enum class PeerColumn : std::size_t { Rank, Begin, Late, Elapsed, Wait, Transit, Synchronization, Operator };
std::shared_ptr<const ColumnTable> peerTable(const CommunicationTimes& times, const PeerTimes& peers, TimeNs origin);
std::vector<ColumnHeading> peerHeadings();

}  // namespace altiscope
