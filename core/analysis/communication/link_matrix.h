#pragma once

#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// An end of links: a rank, or where the capture does not state which rank it is, a place in a group.
struct LinkNode {
    std::optional<std::int64_t> rank;
    std::string group;       ///< Empty for a rank.
    std::int64_t local = 0;  ///< Place in that group; 0 for a rank.

    bool operator==(const LinkNode&) const = default;
    /// Ranks first, by number.
    bool operator<(const LinkNode& other) const;
};

/// Which calls of a link count.
struct LinkCalls {
    enum class Kind : std::uint8_t {
        All,        ///< The files' totals of all types; of old files, which have none, the sum of all operators.
        Type,       ///< The total of one type of operators.
        Selection,  ///< One call of each link: the best by bandwidth, the middle one, the worst ... of one type.
        Operator,   ///< One operator by name.
    };
    Kind kind = Kind::All;
    std::string type;       ///< "allreduce": of Type and Selection, see collectiveType().
    std::string selection;  ///< "top1", "middle", "bottom1" ...
    std::string name;       ///< Of Operator.
    bool operator==(const LinkCalls&) const = default;
};

/// Which rows of the table `link` are looked at.
struct LinkQuery {
    std::vector<RankIndex> ranks = {};     ///< Whose files are looked at.
    std::vector<std::int64_t> steps = {};  ///< Empty: all, and what belongs to no step.
    std::vector<std::string> groups = {};  ///< Names; empty: all.
    LinkCalls calls = {};
    /// Rows that count instead of those of a rank's files, as `ranks`; empty, or null: there are none.
    std::vector<std::shared_ptr<const RowTables>> computed = {};
    /// What is computed of the whole run, as `computed`: beside the files it states which place in a group is whose,
    /// see LinkEnds.
    std::vector<std::shared_ptr<const RowTables>> wholeRun = {};
    bool operator==(const LinkQuery&) const = default;
};

/// What a link transferred.
struct LinkSum {
    std::uint32_t source = 0, target = 0;  ///< Indexes in LinkMatrix::nodes().
    /// How long some of it took is not known.
    static constexpr auto kTimeUnknown = std::numeric_limits<std::int64_t>::min();

    std::int64_t size = 0, time = 0;  ///< Bytes, ns; sums.
    std::uint32_t calls = 0;          ///< 0: not known.
    std::uint16_t transports = 0;     ///< Bits: indexes in LinkMatrix::transports().

    bool hasTime() const { return time != kTimeUnknown; }
    /// Whether its transfers are so small that their time is made up of what each costs by itself, and a bandwidth says
    /// nothing: by the mean size of a call, or all of it where calls are not known. Inner links never are.
    /// @param isRemote  It went by RDMA.
    bool isTooSmall(bool isRemote) const {
        if (source == target) return false;
        // Without a division: there are millions of links.
        return size < (isRemote ? kSmallRemoteTransfer : kSmallTransfer) * std::max<std::int64_t>(1, calls);
    }
    /// Bytes. The project's choice, no vendor's: where the rule small_packets begins to call packets small by default.
    /// 18 GB/s move the greater in 58 us, so that what each transfer costs by itself still shows.
    static constexpr std::int64_t kSmallTransfer = 1'048'576, kSmallRemoteTransfer = 524'288;
    /// Bytes per ns, that is 10^9 bytes per second: size / time. nullopt without time.
    std::optional<double> bandwidth() const;
};

/// The links between the ranks of a capture, source by destination: what their profiler files state, summed up.
/// Constant. A link stands in the file of its source; ranks without files have no rows of their own, but are
/// destinations.
class LinkMatrix {
public:
    const std::vector<LinkNode>& nodes() const { return m_nodes; }
    /// "RDMA", "HCCS", the slower ones first. Where a file names none: an empty text.
    const std::vector<std::string>& transports() const { return m_transports; }
    std::size_t size() const { return m_targets.size(); }
    bool empty() const { return m_targets.empty(); }

    /// Links of a source: places [begin, end), by target.
    std::size_t rowBegin(std::size_t source) const { return m_rows[source]; }
    std::size_t rowEnd(std::size_t source) const { return m_rows[source + 1]; }
    std::uint32_t target(std::size_t link) const { return m_targets[link]; }
    LinkSum link(std::size_t source, std::size_t place) const {
        return {static_cast<std::uint32_t>(source),
                m_targets[place],
                m_sizes[place],
                m_times[place],
                m_calls[place],
                m_bits[place]};
    }
    /// Whether the numbers of the links of a sender are computed from events, of some of them at least.
    bool isComputed(std::size_t source) const { return source < m_isComputed.size() && m_isComputed[source] != 0; }
    bool anyComputed() const { return !m_isComputed.empty(); }
    /// Sums of what begins or ends at a node.
    struct End {
        std::int64_t size = 0, time = 0;  ///< The time of those links that state it.
        std::uint64_t calls = 0;
        std::uint32_t links = 0, uncounted = 0, untimed = 0;  ///< Of these, whose calls and whose times are not known.
        std::uint16_t transports = 0;

        void add(const End& other);
    };
    const End& toOthers(std::size_t node) const { return m_toOthers[node]; }
    const End& fromOthers(std::size_t node) const { return m_fromOthers[node]; }
    const End& toItself(std::size_t node) const { return m_toItself[node]; }

    /// O(log links of the source).
    std::optional<LinkSum> find(std::size_t source, std::size_t target) const;
    /// Its place, as link() wants it. O(log links of the source).
    std::optional<std::size_t> placeOf(std::size_t source, std::size_t target) const;
    /// LinkSum::isTooSmall of a link of this matrix; but where all are, they are compared with each other, and none is.
    bool isTooSmall(const LinkSum& link) const {
        return m_hasLarge && link.isTooSmall((link.transports & m_remote) != 0);
    }
    /// "HCCS", or "HCCS, RDMA".
    std::string transportText(std::uint16_t bits) const;

    /// From sums in any order; those of equal ends are added up. O(sums * log of a source's). Parallel on the arena.
    /// @param transports  At most 16.
    /// @param isComputed  By node; empty: of none.
    static LinkMatrix make(std::vector<LinkNode> nodes, std::vector<std::string> transports, std::vector<LinkSum> sums,
                           std::vector<std::uint8_t> isComputed = {});

private:
    std::vector<LinkNode> m_nodes;
    std::vector<std::string> m_transports;
    std::vector<std::size_t> m_rows{0};
    std::vector<std::uint32_t> m_targets, m_calls;
    std::vector<std::int64_t> m_sizes, m_times;
    std::vector<std::uint16_t> m_bits;
    std::vector<std::uint8_t> m_isComputed;
    std::uint16_t m_remote = 0;  // the bit of RDMA
    bool m_hasLarge = false;     // links between ranks that are not too small
    std::vector<End> m_toOthers, m_fromOthers, m_toItself;

    void sumUp();
};

/// Local ranks are shown as ranks where the group's ranks are known, or where the file of a rank shows which place is
/// its own: by its link to itself (core/import/communication/FORMAT.md section 3).
class LinkEnds {
public:
    /// Parallel over ranks. O(links without global ranks).
    /// @param query  The query; for LinkQuery::wholeRun of its ranks.
    LinkEnds(const CaptureStore& capture, const LinkQuery& query, const CancelToken& cancel);
    LinkNode node(std::optional<std::int64_t> rank, std::string_view group, std::optional<std::int64_t> local) const;

private:
    std::vector<std::pair<LinkNode, std::int64_t>> m_ranks;  // places in groups with their ranks, sorted
};

/// @return Null if cancelled. Any thread; parallel on the arena. O(rows of links + links * log).
/// @note   Calls of a total are the operators of its type that the rank's files list; of single calls the rows.
/// @note   Old files and computed rows list all calls and no selections: then these are chosen here, by the rules of
/// the files.
std::shared_ptr<const LinkMatrix> linkMatrix(const CaptureStore& capture, const LinkQuery& query,
                                             const CancelToken& cancel);

/// A row of `link`.
struct LinkRow {
    RankIndex rank{};
    std::uint32_t row = 0;  ///< In the table of `rows`.
    std::shared_ptr<const RowTables> rows;
    bool isComputed = false;
};
/// The single calls of one link, each once though files repeat them, in the order of the ranks and rows; of files that
/// hold totals alone, these. Of the query, steps and groups count, and of the calls type and name.
/// @return Empty if cancelled. O(rows of links).
std::vector<LinkRow> linkCalls(const CaptureStore& capture, const LinkQuery& query, const LinkNode& source,
                               const LinkNode& target, const CancelToken& cancel);

}  // namespace altiscope
