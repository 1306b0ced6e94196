#include "core/analysis/communication/group_arrivals.h"

#include "core/analysis/collectives/collective_groups.h"
#include "core/analysis/steps/device_activity.h"
#include "core/analysis/support/argument_value.h"
#include "core/base/threads/parallel.h"
#include "core/base/values/parse.h"
#include "core/trace/collective_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

constexpr RowKind kRows = RowKind::Collective;
/// Recorded times come from doubles and are good to 0.25 us.
constexpr std::int64_t kSameRowBegin = 1'000;
/// Neighbours in the source are read together.
constexpr std::size_t kVolumesAtOnce = 4096;

/// A row of a numbered collective.
struct NumberedRow {
    std::int64_t number;
    std::uint32_t rank, row;
    bool operator<(const NumberedRow& other) const {
        return std::tie(number, rank, row) < std::tie(other.number, other.rank, other.row);
    }
};

const RowTable* tableOf(const std::shared_ptr<const RowTables>& rows) {
    return rows == nullptr ? nullptr : rows->find(kRows);
}

std::vector<NumberedRow> numberedRows(const CaptureStore& capture,
                                      const std::vector<std::shared_ptr<const RowTables>>& rows,
                                      const CollectiveInstances& instances) {
    std::vector<NumberedRow> numbered;
    for (std::uint32_t r = 0; r < rows.size(); ++r) {
        const RowTable* table = tableOf(rows[r]);
        if (table == nullptr) continue;
        const bool isComputed = rows[r] != capture.ranks[r].rows;
        for (std::uint32_t row = 0; row < table->size(); ++row) {
            if (const auto number = instances.find({r}, isComputed, row)) numbered.push_back({*number, r, row});
        }
    }
    std::sort(numbered.begin(), numbered.end());
    return numbered;
}

std::string_view collectiveText(const RowTables& rows, const RowTable& table, std::size_t column, std::size_t row) {
    const auto id = table.text(column, row);
    return id ? rows.text(*id) : std::string_view();
}

/// The name that collectives of one kind have on all ranks.
std::string operationOf(std::string_view name) {
    const std::size_t end = name.find("__");
    return end == std::string_view::npos ? collectiveType(name) : std::string(name.substr(0, end));
}

class Joiner {
public:
    Joiner(const CaptureStore& capture, const std::vector<std::shared_ptr<const RowTables>>& rows)
        : m_capture(capture), m_rows(rows), m_directory(capture) {
        for (const RankEntry& rank : capture.ranks) {
            for (const CaptureGroups::Group* group : m_directory.groupsOf(rank.info.rankId))
                m_known.emplace(group->name, group);
        }
    }

    void add(const NumberedRow* first, const NumberedRow* last) {
        GroupArrivals::Collective made;
        made.firstMember = static_cast<std::uint32_t>(m_made.members.size());
        for (const NumberedRow* at = first; at != last; ++at) {
            // A rank is in a collective once; what claims otherwise was paired wrongly.
            if (at != first && at->rank == (at - 1)->rank) continue;
            const RowTable& table = *tableOf(m_rows[at->rank]);
            const auto begin = table.integer(fixedColumn(kRows, "ts"), at->row);
            const auto elapsed = table.integer(fixedColumn(kRows, "elapsed"), at->row);
            if (!begin || !elapsed || *elapsed < 0) continue;
            m_made.members.push_back({RankIndex{at->rank}, {*begin}, *elapsed});
            if (made.memberCount++ == 0) first = at;
        }
        if (made.memberCount < 2) return m_made.members.resize(made.firstMember);
        const RowTables& rows = *m_rows[first->rank];
        const RowTable& table = *rows.find(kRows);
        const std::string_view name = collectiveText(rows, table, fixedColumn(kRows, "op_name"), first->row);
        std::string_view group = collectiveText(rows, table, fixedColumn(kRows, "group_name"), first->row);
        if (group.empty()) group = groupDigits(name);
        made.group = groupAt(group);
        made.operation = placeOf(m_operations, operationOf(name));
        made.step = table.integer(fixedColumn(kRows, "step"), first->row);
        const std::size_t size = m_made.groups[made.group].size;
        made.isComplete = isPeerToPeerName(name) ? made.memberCount == 2 : size > 0 && made.memberCount >= size;
        for (std::uint32_t m = 0; m < made.memberCount; ++m)
            m_ranks[made.group].insert(m_made.members[made.firstMember + m].rank);
        m_made.collectives.push_back(made);
        m_first.push_back(*first);
    }

    GroupArrivals finish(const CancelToken& cancel) {
        readVolumes(cancel);
        for (std::size_t g = 0; g < m_made.groups.size(); ++g)
            m_made.groups[g].ranks.assign(m_ranks[g].begin(), m_ranks[g].end());
        sortGroups();
        return std::move(m_made);
    }

private:
    static std::uint32_t placeOf(std::map<std::string, std::uint32_t, std::less<>>& places, const std::string& name) {
        return places.try_emplace(name, static_cast<std::uint32_t>(places.size())).first->second;
    }

    std::uint32_t groupAt(std::string_view name) {
        const auto known = m_groups.find(name);
        if (known != m_groups.end()) return known->second;
        const std::uint32_t place = placeOf(m_groups, std::string(name));
        GroupArrivals::Group& made = m_made.groups.emplace_back();
        made.name = name;
        m_ranks.emplace_back();
        const auto found = m_known.find(name);
        if (found == m_known.end()) return place;
        made.kind = found->second->type;
        made.size = std::max(found->second->ranks.size(), found->second->places.size());
        return place;
    }

    /// The count and the type of each collective's data, from the slice of its first row.
    void readVolumes(const CancelToken& cancel) {
        std::map<std::uint32_t, std::vector<std::uint32_t>> byRank;
        for (std::uint32_t c = 0; c < m_first.size(); ++c) {
            const RankEntry& rank = m_capture.ranks[m_first[c].rank];
            if (rank.trace != nullptr && rank.arguments != nullptr && m_made.collectives[c].isComplete)
                byRank[m_first[c].rank].push_back(c);
        }
        for (const auto& [r, collectives] : byRank) {
            if (cancel.cancelled()) return;
            readVolumesOf(r, collectives, cancel);
        }
    }

    void readVolumesOf(std::uint32_t r, const std::vector<std::uint32_t>& collectives, const CancelToken& cancel) {
        const RankEntry& rank = m_capture.ranks[r];
        const TraceStore& trace = *rank.trace;
        std::vector<std::pair<std::int64_t, SliceIndex>> slices;
        for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
            if (!isGroupTrack(trace.tracks()[t])) continue;
            const TrackExtent& extent = trace.extent({t});
            for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i)
                slices.emplace_back(trace.begin({i}).value, SliceIndex{i});
        }
        std::sort(slices.begin(), slices.end(), [](const auto& a, const auto& b) {
            return std::pair(a.first, a.second.value) < std::pair(b.first, b.second.value);
        });
        const RowTable& table = *tableOf(m_rows[r]);
        std::vector<std::pair<SourcePos, std::uint32_t>> wanted;
        for (const std::uint32_t c : collectives) {
            std::string_view name = collectiveText(*m_rows[r], table, fixedColumn(kRows, "op_name"), m_first[c].row);
            name = name.substr(0, name.find('@'));
            const std::int64_t begin = m_made.members[m_made.collectives[c].firstMember].begin.value;
            auto at = std::lower_bound(slices.begin(), slices.end(), begin - kSameRowBegin,
                                       [](const auto& slice, std::int64_t time) { return slice.first < time; });
            for (; at != slices.end() && at->first <= begin + kSameRowBegin; ++at) {
                if (trace.name(at->second) != name) continue;
                wanted.emplace_back(trace.pos(at->second), c);
                break;
            }
        }
        std::sort(wanted.begin(), wanted.end());
        if (!wanted.empty()) rank.arguments->prepare(wanted.front().first, cancel);
        parallelFor((wanted.size() + kVolumesAtOnce - 1) / kVolumesAtOnce, [&](std::size_t part) {
            if (cancel.cancelled()) return;
            const std::size_t first = part * kVolumesAtOnce, last = std::min(wanted.size(), first + kVolumesAtOnce);
            std::vector<SourcePos> positions;
            for (std::size_t i = first; i < last; ++i) positions.push_back(wanted[i].first);
            rank.arguments->each(positions, [&](std::size_t i, const Result<std::string_view>& text) {
                if (!text.ok()) return;
                GroupArrivals::Collective& collective = m_made.collectives[wanted[first + i].second];
                const auto count = wholeNumber(valueAfter(text.value(), "\"count\""));
                if (!count) return;
                collective.volume = collectiveVolume(nameOf(wanted[first + i].second), *count,
                                                     valueAfter(text.value(), "\"data_type\""), collective.memberCount);
            });
        });
    }

    std::string_view nameOf(std::uint32_t collective) const {
        const NumberedRow& row = m_first[collective];
        return collectiveText(*m_rows[row.rank], *tableOf(m_rows[row.rank]), fixedColumn(kRows, "op_name"), row.row);
    }

    void sortGroups() {
        std::vector<std::uint32_t> places(m_made.groups.size());
        std::vector<GroupArrivals::Group> sorted;
        for (const auto& [name, place] : m_groups) {
            places[place] = static_cast<std::uint32_t>(sorted.size());
            sorted.push_back(std::move(m_made.groups[place]));
        }
        m_made.groups = std::move(sorted);
        std::vector<std::uint32_t> words(m_operations.size());
        for (const auto& [name, place] : m_operations) {
            words[place] = static_cast<std::uint32_t>(m_made.operations.size());
            m_made.operations.push_back(name);
        }
        for (GroupArrivals::Collective& collective : m_made.collectives) {
            collective.group = places[collective.group];
            collective.operation = words[collective.operation];
        }
    }

    const CaptureStore& m_capture;
    const std::vector<std::shared_ptr<const RowTables>>& m_rows;
    CaptureGroups m_directory;
    std::map<std::string_view, const CaptureGroups::Group*> m_known;
    std::map<std::string, std::uint32_t, std::less<>> m_groups, m_operations;
    std::vector<std::set<RankIndex>> m_ranks;  // by group
    std::vector<NumberedRow> m_first;          // by collective
    GroupArrivals m_made;
};

}  // namespace

std::shared_ptr<const GroupArrivals> groupArrivals(const CaptureStore& capture,
                                                   const std::vector<std::shared_ptr<const RowTables>>& rows,
                                                   const CollectiveInstances& instances, const CancelToken& cancel) {
    const std::vector<NumberedRow> numbered = numberedRows(capture, rows, instances);
    Joiner joiner(capture, rows);
    for (std::size_t i = 0; i < numbered.size() && !cancel.cancelled();) {
        std::size_t last = i + 1;
        while (last < numbered.size() && numbered[last].number == numbered[i].number) ++last;
        joiner.add(numbered.data() + i, numbered.data() + last);
        i = last;
    }
    auto made = std::make_shared<const GroupArrivals>(joiner.finish(cancel));
    return cancel.cancelled() ? nullptr : made;
}

}  // namespace altiscope
