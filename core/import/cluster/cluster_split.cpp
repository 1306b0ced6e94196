#include "core/import/cluster/cluster_split.h"

#include "core/base/threads/parallel.h"
#include "core/import/communication/communication_rows.h"
#include "core/store/rows/row_subset.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::size_t kSourceRank = fixedColumn(RowKind::Link, "src_rank");
constexpr std::size_t kTargetRank = fixedColumn(RowKind::Link, "dst_rank");
constexpr std::size_t kSourceLocal = fixedColumn(RowKind::Link, "src_local");
constexpr std::size_t kTargetLocal = fixedColumn(RowKind::Link, "dst_local");

/// One table, and the rows of it that each rank has.
struct Shares {
    const RowTable* table;
    std::map<std::int64_t, std::vector<std::uint32_t>> rows;
};

const ClusterSet* setOfLink(const RowTable& links, std::size_t row, const std::vector<ClusterSet>& sets) {
    const auto set = links.real(kClusterSetColumn, row);
    return set && *set < static_cast<double>(sets.size()) ? &sets[static_cast<std::size_t>(*set)] : nullptr;
}

/// An end of a link by both ways of counting.
struct LinkEnd {
    std::optional<std::int64_t> rank, local;
};

LinkEnd linkEnd(std::optional<std::int64_t> stated, const ClusterSet* set) {
    if (!stated || set == nullptr || !set->isKnown) return {stated, std::nullopt};
    if (set->usesLocalRanks()) return {set->ranks[static_cast<std::size_t>(*stated)], stated};
    const auto place = std::lower_bound(set->ranks.begin(), set->ranks.end(), *stated);
    if (place == set->ranks.end() || *place != *stated) return {stated, std::nullopt};
    return {stated, place - set->ranks.begin()};
}

/// Whose a row is.
std::optional<std::int64_t> ownerOf(const RowTable& table, std::size_t row, const std::vector<ClusterSet>& sets) {
    if (table.kind() == RowKind::Link)
        return linkEnd(table.integer(kSourceRank, row), setOfLink(table, row, sets)).rank;
    const auto rank = table.real(clusterRankColumn(table.kind()), row);
    return rank ? std::optional(static_cast<std::int64_t>(*rank)) : std::nullopt;
}

RowTable linksOfRank(const RowTable& links, const std::vector<std::uint32_t>& rows,
                     const std::vector<ClusterSet>& sets) {
    std::map<std::size_t, std::vector<std::int64_t>> ends;
    for (const std::size_t row : rows) {
        const ClusterSet* set = setOfLink(links, row, sets);
        const LinkEnd source = linkEnd(links.integer(kSourceRank, row), set),
                      target = linkEnd(links.integer(kTargetRank, row), set);
        ends[kSourceRank].push_back(source.rank.value_or(kNoCell));
        ends[kTargetRank].push_back(target.rank.value_or(kNoCell));
        ends[kSourceLocal].push_back(source.local.value_or(kNoCell));
        ends[kTargetLocal].push_back(target.local.value_or(kNoCell));
    }
    return rowSubset(links, rows, ends);
}

}  // namespace

Result<ClusterRows> splitByRank(const RowTables& all, const std::vector<ClusterSet>& sets,
                                const std::function<bool(std::int64_t)>& isTaken, const CancelToken& cancel) {
    std::vector<Shares> shares;
    std::set<std::int64_t> ranks;
    for (const RowTable& table : all.tables()) {
        Shares& share = shares.emplace_back(Shares{&table, {}});
        for (std::size_t row = 0; row < table.size(); ++row) {
            const auto rank = ownerOf(table, row, sets);
            if (rank && isTaken(*rank)) share.rows[*rank].push_back(static_cast<std::uint32_t>(row));
        }
        for (const auto& [rank, rows] : share.rows) ranks.insert(rank);
    }
    std::vector<std::pair<std::int64_t, std::shared_ptr<const RowTables>>> made;
    for (const std::int64_t rank : ranks) made.emplace_back(rank, nullptr);
    parallelFor(made.size(), [&](std::size_t i) {
        if (cancel.cancelled()) return;
        std::vector<RowTable> tables;
        for (const Shares& from : shares) {
            const auto mine = from.rows.find(made[i].first);
            if (mine == from.rows.end()) continue;
            const bool isLink = from.table->kind() == RowKind::Link;
            tables.push_back(isLink ? linksOfRank(*from.table, mine->second, sets)
                                    : rowSubset(*from.table, mine->second));
        }
        made[i].second = std::make_shared<const RowTables>(std::move(tables), all.texts());
    });
    if (cancel.cancelled()) return Cancelled{};
    return ClusterRows(std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
}

}  // namespace altiscope::reader
