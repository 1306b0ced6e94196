#include "core/import/communication/link_ranks.h"

#include "core/base/threads/parallel.h"
#include "core/base/values/parse.h"
#include "core/import/communication/communication_names.h"
#include "core/import/contracts/group_places.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

constexpr RowKind kLinks = RowKind::Link;
constexpr std::string_view kConflict = "group.ranks_conflict";

/// Facts that the links of one rank's files tell, by the name of the group.
using WitnessesByGroup = std::map<std::string, GroupWitness, std::less<>>;

/// The number of ranks of the job, as the ranks' settings state it; nullopt if they do not, or differ.
std::optional<std::int64_t> statedRankCount(const CaptureStore& capture) {
    std::optional<std::int64_t> count;
    for (const RankEntry& rank : capture.ranks) {
        for (const auto& [key, value] : rank.info.metadata) {
            if (key != "distributed_args.world_size" && key != "rank_size") continue;
            const auto stated = wholeNumber(value);
            if (!stated || *stated <= 0) continue;
            if (count && *count != *stated) return std::nullopt;
            count = stated;
        }
    }
    // A job has the ranks that are there, whatever it says.
    for (const RankEntry& rank : capture.ranks) {
        if (count && rank.info.rankId && *rank.info.rankId >= *count) return std::nullopt;
    }
    return count;
}

/// Reads the links of a rank by name of group.
class GroupLinks {
public:
    GroupLinks(const RowTables& tables, const RowTable& links) : m_tables(tables), m_links(links) {}

    std::optional<std::string_view> group(std::size_t row) const { return text(kGroup, row); }
    std::optional<std::pair<std::int64_t, std::int64_t>> places(std::size_t row) const {
        const auto source = m_links.integer(kSource, row), target = m_links.integer(kTarget, row);
        return source && target ? std::optional(std::pair(*source, *target)) : std::nullopt;
    }
    bool isCollective(std::size_t row) const {
        const auto op = text(kOp, row);
        return op && operatorKind(*op) == "collective" && !isExchange(*op);
    }
    std::size_t size() const { return m_links.size(); }

private:
    static constexpr std::size_t kGroup = fixedColumn(kLinks, "group_name"), kOp = fixedColumn(kLinks, "op_name"),
                                 kSource = fixedColumn(kLinks, "src_local"), kTarget = fixedColumn(kLinks, "dst_local");

    std::optional<std::string_view> text(std::size_t column, std::size_t row) const {
        const auto id = m_links.text(column, row);
        return id ? std::optional(m_tables.text(*id)) : std::nullopt;
    }
    /// Totals have no operator but its type.
    static bool isExchange(std::string_view type) {
        return type == "send" || type == "receive" || type == "batchsendrecv";
    }

    const RowTables& m_tables;
    const RowTable& m_links;
};

WitnessesByGroup witnessesOf(const RankEntry& rank, const std::set<std::string, std::less<>>& stated) {
    WitnessesByGroup witnesses;
    const RowTable* table = rank.rows == nullptr ? nullptr : rank.rows->find(kLinks);
    if (table == nullptr) return witnesses;
    const GroupLinks links(*rank.rows, *table);
    for (std::size_t row = 0; row < links.size(); ++row) {
        const auto group = links.group(row);
        const auto places = links.places(row);
        if (!group || !places || stated.contains(*group)) continue;
        // A rank without a number witnesses that the group is there, and nothing else.
        auto known = witnesses.find(*group);
        if (known == witnesses.end())
            known = witnesses.emplace(std::string(*group), GroupWitness(rank.info.rankId.value_or(-1))).first;
        known->second.addLink(places->first, places->second);
        if (links.isCollective(row)) known->second.addCollective();
    }
    return witnesses;
}

using PlacesByGroup = std::map<std::string, GroupPlaces, std::less<>>;

/// The same tables if nothing changes: what was computed from them stays valid.
std::shared_ptr<const RowTables> withLinkRanks(const std::shared_ptr<const RowTables>& tables,
                                               const PlacesByGroup& groups) {
    const RowTable& table = *tables->find(kLinks);
    const GroupLinks links(*tables, table);
    bool isChanged = false;
    const std::size_t columns[] = {fixedColumn(kLinks, "src_rank"), fixedColumn(kLinks, "dst_rank")};
    std::vector<std::int64_t> cells[2];
    for (std::size_t row = 0; row < links.size(); ++row) {
        const auto group = links.group(row);
        const auto places = links.places(row);
        const auto known = group && places ? groups.find(*group) : groups.end();
        for (const std::size_t end : {0, 1}) {
            const std::int64_t before = table.integer(columns[end], row).value_or(kNoCell);
            std::int64_t cell = before;
            if (known != groups.end()) {
                const auto place = static_cast<std::size_t>(end == 0 ? places->first : places->second);
                const auto& ranks = known->second.ranks;
                cell = place < ranks.size() ? ranks[place].value_or(kNoCell) : kNoCell;
            }
            cells[end].push_back(cell);
            isChanged = isChanged || cell != before;
        }
    }
    if (!isChanged) return tables;
    return std::make_shared<const RowTables>(
        tables->with(kLinks, columns[0], cells[0]).with(kLinks, columns[1], cells[1]));
}

/// Records of raw data name places only, and are read without the directory: here the ranks of stated groups are
/// entered.
void addStatedRanks(CaptureStore& capture, const GroupDirectory& groups) {
    PlacesByGroup places;
    for (const auto& [hash, group] : groups.groups()) {
        if (group.ranks.empty()) continue;
        const GroupPlaces stated{{group.ranks.begin(), group.ranks.end()}, true, {}};
        places.emplace(hash, stated);
        places.emplace(group.name, stated);
    }
    if (places.empty()) return;
    parallelFor(capture.ranks.size(), [&](std::size_t i) {
        RankEntry& rank = capture.ranks[i];
        const bool hasLinks = rank.rows != nullptr && rank.rows->find(kLinks) != nullptr;
        if (rank.info.source == SourceKind::Raw && hasLinks) rank.rows = withLinkRanks(rank.rows, places);
    });
}

}  // namespace

bool addLinkRanks(CaptureStore& capture, GroupDirectory& groups) {
    addStatedRanks(capture, groups);
    std::set<std::string, std::less<>> stated;
    for (const auto& [hash, group] : groups.groups()) {
        if (!group.ranks.empty()) stated.insert(group.name);
    }
    std::vector<WitnessesByGroup> byRank(capture.ranks.size());
    parallelFor(capture.ranks.size(), [&](std::size_t i) { byRank[i] = witnessesOf(capture.ranks[i], stated); });
    std::map<std::string, std::vector<GroupWitness>, std::less<>> byGroup;
    for (const WitnessesByGroup& witnesses : byRank) {
        for (const auto& [group, witness] : witnesses) {
            auto& all = byGroup[group];
            if (witness.rank() >= 0) all.push_back(witness);
        }
    }
    if (byGroup.empty()) return false;
    const auto rankCount = statedRankCount(capture);
    PlacesByGroup places;
    // Conflicts that a former reading of some of the ranks has reported are not reported again.
    std::set<std::string> reportedBefore;
    for (const Diagnostic& one : capture.diagnostics.entries()) {
        if (one.code == kConflict) reportedBefore.insert(one.file);
    }
    for (const auto& [name, witnesses] : byGroup) {
        const GroupPlaces& found = places.emplace(name, groupPlaces(witnesses, rankCount)).first->second;
        for (const RankEntry& rank : capture.ranks) {
            if (!rank.info.rankId ||
                !std::binary_search(found.conflicting.begin(), found.conflicting.end(), *rank.info.rankId))
                continue;
            if (!reportedBefore.contains(rank.info.path))
                capture.diagnostics.add(kConflict, Severity::Lost, rank.info.path, {},
                                        {{"group", name}, {"rank", std::to_string(*rank.info.rankId)}});
        }
        groups.setPlaces(name, found);
    }
    parallelFor(capture.ranks.size(), [&](std::size_t i) {
        if (!byRank[i].empty()) capture.ranks[i].rows = withLinkRanks(capture.ranks[i].rows, places);
    });
    return true;
}

}  // namespace altiscope::reader
