#include "core/analysis/communication/absent_ranks.h"

#include "core/analysis/communication/communication_choices.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace altiscope {

namespace {

/// Greater numbers are none of ranks in a row.
constexpr std::int64_t kMaxRanks = 1 << 20;

/// How many ranks a group has at least: places that the links of a rank's files name. Where no file states the members,
/// these are all that is known of a group.
std::map<std::string, std::size_t> sizesByLinks(const RankEntry& rank) {
    static constexpr std::size_t kGroup = fixedColumn(RowKind::Link, "group_name"),
                                 kSource = fixedColumn(RowKind::Link, "src_local"),
                                 kTarget = fixedColumn(RowKind::Link, "dst_local");
    const RowTable* table = rank.rows == nullptr ? nullptr : rank.rows->find(RowKind::Link);
    std::map<std::string, std::set<std::int64_t>> places;
    for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
        const auto group = table->text(kGroup, row);
        if (!group) continue;
        std::set<std::int64_t>& ofGroup = places[std::string(rank.rows->texts().text(*group))];
        for (const std::size_t column : {kSource, kTarget})
            if (const auto place = table->integer(column, row)) ofGroup.insert(*place);
    }
    std::map<std::string, std::size_t> sizes;
    for (const auto& [group, all] : places) sizes.emplace(group, all.size());
    return sizes;
}

}  // namespace

AbsentRanks absentRanks(const CaptureStore& capture) {
    std::set<std::int64_t> present, members;
    for (const RankEntry& rank : capture.ranks) {
        if (!rank.info.rankId) return {};
        present.insert(*rank.info.rankId);
    }
    for (const CommunicationGroup& group : knownGroups(capture)) members.insert(group.ranks.begin(), group.ranks.end());
    if (present.size() > 1 && *present.rbegin() < kMaxRanks) {
        for (std::int64_t rank = 0; rank < *present.rbegin(); ++rank) members.insert(members.end(), rank);
    }
    AbsentRanks absent;
    std::set_difference(members.begin(), members.end(), present.begin(), present.end(),
                        std::back_inserter(absent.ranks));
    members.insert(present.begin(), present.end());
    absent.all = members.size();
    return absent;
}

void nameAbsentMembers(const CaptureStore& capture, CaptureFacts& facts) {
    std::set<std::int64_t> present;
    for (const RankEntry& rank : capture.ranks) {
        if (!rank.info.rankId) return;
        present.insert(*rank.info.rankId);
    }
    // Several groups may have one name, each with ranks of its own.
    std::multimap<std::string, std::vector<std::int64_t>> groups;
    for (CommunicationGroup& group : knownGroups(capture)) groups.emplace(group.name, std::move(group.ranks));
    for (std::size_t r = 0; r < facts.ranks.size(); ++r) {
        RankFacts& rank = facts.ranks[r];
        const std::map<std::string, std::size_t> sizes = sizesByLinks(capture.ranks[r]);
        for (WaitFacts& waits : rank.waits) {
            if (const auto size = sizes.find(waits.group); size != sizes.end()) waits.members = size->second;
            const auto [first, last] = groups.equal_range(waits.group);
            for (auto group = first; group != last && rank.rankId; ++group) {
                const std::vector<std::int64_t>& members = group->second;
                if (!std::binary_search(members.begin(), members.end(), *rank.rankId)) continue;
                waits.members = members.size();
                waits.absent.clear();
                std::set_difference(members.begin(), members.end(), present.begin(), present.end(),
                                    std::back_inserter(waits.absent));
                break;
            }
        }
    }
}

}  // namespace altiscope
