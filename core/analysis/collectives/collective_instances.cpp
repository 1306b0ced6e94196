#include "core/analysis/collectives/collective_instances.h"

#include "core/analysis/collectives/collective_times.h"
#include "core/base/threads/parallel.h"
#include "core/store/recording_parts.h"
#include "core/trace/collective_names.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

constexpr RowKind K = RowKind::Collective;
/// Recorded times come from doubles and are good to 0.25 us.
constexpr std::int64_t kSameTime = 1'000;

/// A row of a group on one rank.
struct Entry {
    CollectiveEnd end;  // its slice is not used here
    bool isComputed = false;
    std::size_t row = 0;
};
/// By name of the group as in EndsByGroup.
using Entries = std::map<std::string, std::vector<Entry>>;

/// Rows of one rank's table, as entries.
class EntryReader {
public:
    EntryReader(const RankEntry& rank, const RowTables& tables)
        : m_tables(tables), m_table(tables.find(K)), m_sizes(rank) {}

    std::size_t size() const { return m_table == nullptr ? 0 : m_table->size(); }
    std::optional<std::int64_t> begin(std::size_t row) const { return m_table->integer(fixedColumn(K, "ts"), row); }
    std::string_view name(std::size_t row) const { return text("op_name", row); }

    /// @return whether the row says enough to be paired: its group, begin and length.
    bool add(Entries& entries, bool isComputed, std::size_t row) const {
        const auto ts = begin(row), elapsed = m_table->integer(fixedColumn(K, "elapsed"), row);
        std::string group(text("group_name", row));
        if (group.empty()) group = groupDigits(name(row));
        if (!ts || !elapsed || group.empty()) return false;
        const bool isTransfer = isPeerToPeerName(name(row));
        if (isTransfer) group = transferGroup(group);
        entries[group].push_back({{*ts + *elapsed, isTransfer ? 0 : m_sizes.what(name(row)), 0}, isComputed, row});
        return true;
    }

private:
    std::string_view text(std::string_view column, std::size_t row) const {
        const auto id = m_table->text(rowColumn(K, column), row);
        return id ? m_tables.text(*id) : std::string_view();
    }

    const RowTables& m_tables;
    const RowTable* m_table;
    CollectiveSizes m_sizes;
};

void sortByEnd(Entries& entries) {
    for (auto& [group, list] : entries)
        std::stable_sort(list.begin(), list.end(),
                         [](const Entry& a, const Entry& b) { return a.end.end < b.end.end; });
}

/// A row of a rank: the rank, place of the entry in its list.
using Place = std::pair<RankIndex, std::size_t>;
/// The places of one collective; by when it ended on the clock of its group's longest list.
struct Instance {
    std::int64_t time = 0;
    std::vector<Place> places;
};

/// An entry that the longest list has not.
struct Leftover {
    std::size_t what;
    std::int64_t time;
    Place place;
    std::int64_t reach;
};

/// What some ranks have in common and the longest list has not, by time.
void addLeftovers(std::vector<Leftover>& leftovers, std::vector<Instance>& instances) {
    std::sort(leftovers.begin(), leftovers.end(), [](const Leftover& a, const Leftover& b) {
        return std::tie(a.what, a.time, a.place) < std::tie(b.what, b.time, b.place);
    });
    std::set<RankIndex> ranks;
    for (std::size_t i = 0; i < leftovers.size(); ++i) {
        const Leftover& one = leftovers[i];
        const bool follows = i > 0 && leftovers[i - 1].what == one.what &&
                             one.time - instances.back().time <= one.reach && !ranks.contains(one.place.first);
        if (!follows) {
            instances.push_back({one.time, {}});
            ranks.clear();
        }
        instances.back().places.push_back(one.place);
        ranks.insert(one.place.first);
    }
}

struct Member {
    RankIndex rank{};
    const std::vector<Entry>* entries = nullptr;
    std::vector<CollectiveEnd> ends;
};

std::vector<Instance> instancesOf(const std::vector<Member>& members, bool isTransfer, const CancelToken& cancel) {
    std::vector<Instance> instances;
    if (isTransfer && members.size() != 2) return instances;
    const Member& centre = *std::max_element(
        members.begin(), members.end(), [](const Member& a, const Member& b) { return a.ends.size() < b.ends.size(); });
    for (std::size_t i = 0; i < centre.ends.size(); ++i) instances.push_back({centre.ends[i].end, {{centre.rank, i}}});
    std::vector<Leftover> leftovers;
    for (const Member& member : members) {
        if (cancel.cancelled()) return {};
        if (member.rank == centre.rank) continue;
        const auto paired = pairEnds(member.ends, centre.ends);
        if (!paired) continue;
        for (std::size_t i = 0; i < member.ends.size(); ++i) {
            if (const auto other = paired->partners[i]) instances[*other].places.emplace_back(member.rank, i);
            else
                leftovers.push_back(
                    {member.ends[i].what, paired->line.at(member.ends[i].end), {member.rank, i}, paired->reach});
        }
    }
    addLeftovers(leftovers, instances);
    std::stable_sort(instances.begin(), instances.end(),
                     [](const Instance& a, const Instance& b) { return a.time < b.time; });
    return instances;
}

/// Gives the rows of all ranks their numbers; those that `known` numbers keep theirs, and so does what pairs with them.
std::optional<CollectiveInstances> numbered(const std::vector<Entries>& ranks, CollectiveInstances known,
                                            const CancelToken& cancel) {
    std::map<std::string, std::vector<Member>> byGroup;
    for (RankIndex r; r.value < ranks.size(); ++r.value) {
        for (const auto& [group, entries] : ranks[r.value]) {
            Member member{r, &entries, {}};
            for (const Entry& entry : entries) member.ends.push_back(entry.end);
            byGroup[group].push_back(std::move(member));
        }
    }
    std::vector<std::pair<const std::string*, const std::vector<Member>*>> groups;
    for (const auto& [name, members] : byGroup) groups.emplace_back(&name, &members);
    std::vector<std::vector<Instance>> found(groups.size());
    parallelFor(groups.size(), [&](std::size_t g) {
        found[g] = instancesOf(*groups[g].second, isTransferGroup(*groups[g].first), cancel);
    });
    if (cancel.cancelled()) return std::nullopt;

    std::int64_t last = 0;
    for (const auto& rank : known.ranks)
        for (const std::int64_t number : rank.recorded) last = std::max(last, number == kNoCell ? 0 : number);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        std::map<RankIndex, const std::vector<Entry>*> entriesOf;
        for (const Member& member : *groups[g].second) entriesOf.emplace(member.rank, member.entries);
        for (const Instance& instance : found[g]) {
            const auto cell = [&](const Place& place) -> std::int64_t& {
                const Entry& entry = (*entriesOf.at(place.first))[place.second];
                auto& rank = known.ranks[place.first.value];
                return entry.isComputed ? rank.computed[entry.row] : rank.recorded[entry.row];
            };
            std::int64_t number = kNoCell;
            for (const Place& place : instance.places) {
                if (number == kNoCell) number = cell(place);
            }
            if (number == kNoCell) number = ++last;
            for (const Place& place : instance.places) {
                if (cell(place) == kNoCell) cell(place) = number;
            }
        }
    }
    return known;
}

}  // namespace

std::optional<std::int64_t> CollectiveInstances::find(RankIndex rank, bool isComputed, std::size_t row) const {
    const auto& numbers = isComputed ? ranks[rank.value].computed : ranks[rank.value].recorded;
    return row >= numbers.size() || numbers[row] == kNoCell ? std::nullopt : std::optional(numbers[row]);
}

std::optional<CollectiveInstances> recordedInstances(const CaptureStore& capture, const CancelToken& cancel) {
    CollectiveInstances none;
    none.ranks.resize(capture.ranks.size());
    std::vector<Entries> ranks(capture.ranks.size());
    parallelFor(ranks.size(), [&](std::size_t r) {
        if (capture.ranks[r].rows == nullptr || cancel.cancelled()) return;
        const EntryReader reader(capture.ranks[r], *capture.ranks[r].rows);
        none.ranks[r].recorded.assign(reader.size(), kNoCell);
        for (std::size_t row = 0; row < reader.size(); ++row) reader.add(ranks[r], false, row);
        sortByEnd(ranks[r]);
    });
    return numbered(ranks, std::move(none), cancel);
}

std::optional<CollectiveInstances> allInstances(const CaptureStore& capture, const CollectiveInstances& recorded,
                                                const std::vector<const RowTables*>& computed,
                                                const CancelToken& cancel) {
    CollectiveInstances known = recorded;
    std::vector<Entries> ranks(capture.ranks.size());
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> twins(ranks.size());  // rows: computed, recorded
    parallelFor(ranks.size(), [&](std::size_t r) {
        if (cancel.cancelled()) return;
        std::multimap<std::string_view, std::pair<std::int64_t, std::size_t>> recordedRows;
        std::optional<EntryReader> own;
        if (capture.ranks[r].rows != nullptr) own.emplace(capture.ranks[r], *capture.ranks[r].rows);
        // Recorded rows of another recording have their numbers from the recorded rows of other ranks alone.
        if (isOfAnotherRecording(capture.ranks[r], K)) own.reset();
        for (std::size_t row = 0; own && row < own->size(); ++row) {
            // A recorded row that says too little has nothing to give to its computed twin.
            if (own->add(ranks[r], false, row)) recordedRows.emplace(own->name(row), std::pair(*own->begin(row), row));
        }
        if (computed[r] != nullptr) {
            const EntryReader reader(capture.ranks[r], *computed[r]);
            known.ranks[r].computed.assign(reader.size(), kNoCell);
            for (std::size_t row = 0; row < reader.size(); ++row) {
                const auto [first, last] = recordedRows.equal_range(reader.name(row));
                const auto ts = reader.begin(row);
                const auto twin = std::find_if(
                    first, last, [&](const auto& one) { return ts && std::abs(one.second.first - *ts) <= kSameTime; });
                if (twin == last) reader.add(ranks[r], true, row);
                else twins[r].emplace_back(row, twin->second.second);
            }
        }
        sortByEnd(ranks[r]);
    });
    auto all = numbered(ranks, std::move(known), cancel);
    if (!all) return std::nullopt;
    for (std::size_t r = 0; r < twins.size(); ++r) {
        for (const auto& [row, recordedRow] : twins[r])
            all->ranks[r].computed[row] = all->ranks[r].recorded[recordedRow];
    }
    return all;
}

}  // namespace altiscope
