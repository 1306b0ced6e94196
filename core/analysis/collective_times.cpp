#include "core/analysis/collective_times.h"

#include "core/analysis/collective_groups.h"
#include "core/analysis/saturating.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace altiscope {

namespace {

/// A group's track and its planes, lowest first.
struct GroupTracks {
    std::uint32_t group = 0;
    std::vector<std::uint32_t> planes;
};

std::vector<GroupTracks> groupTracks(const TraceStore& trace) {
    std::vector<GroupTracks> groups;
    const std::string* process = nullptr;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        const Track& track = trace.tracks()[t];
        if (isGroupTrack(track)) {
            groups.push_back({t, {}});
            process = &track.pid;
        } else if (track.kind == TrackKind::Communication && !groups.empty() && *process == track.pid) {
            groups.back().planes.push_back(t);
        }
    }
    return groups;
}

enum class TaskWord : std::uint8_t { Other, Wait, Transit, Remote };

/// What tasks of collectives are, by the ids of their names.
class TaskWords {
public:
    explicit TaskWords(const TraceStore& trace) {
        const auto know = [&](std::string_view name, TaskWord word) {
            if (const auto id = trace.texts().find(name)) m_words.push_back({*id, word});
        };
        know("Notify_Wait", TaskWord::Wait);
        know("Memcpy", TaskWord::Transit);
        know("Reduce_Inline", TaskWord::Transit);
        know("RDMASend", TaskWord::Remote);
    }
    TaskWord of(StringId name) const {
        for (const auto& [id, word] : m_words) {
            if (id == name) return word;
        }
        return TaskWord::Other;
    }

private:
    std::vector<std::pair<StringId, TaskWord>> m_words;
};

struct Task {
    TimeNs begin;
    std::int64_t duration = 0;
    TaskWord word = TaskWord::Other;
};

/// The tasks of a plane, by begin.
std::vector<Task> tasksOf(const TraceStore& trace, std::uint32_t plane, const TaskWords& words, const CancelToken& cancel) {
    std::vector<Task> tasks;
    const TrackExtent& extent = trace.extent({plane});
    tasks.reserve(extent.sliceCount);
    for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
        if ((i & 0xffffU) == 0 && cancel.cancelled()) return {};
        tasks.push_back({trace.begin({i}), trace.duration({i}).value, words.of(trace.nameId({i}))});
    }
    const auto before = [](const Task& a, const Task& b) { return a.begin < b.begin; };
    if (!std::is_sorted(tasks.begin(), tasks.end(), before)) std::stable_sort(tasks.begin(), tasks.end(), before);
    return tasks;
}

/// Sums over the tasks of one collective on one plane, added by begin.
struct PlaneSums {
    std::int64_t wait = 0, synchronization = 0, transit = 0;  ///< ns
    bool any = false, waits = false, moved = false, remote = false;

    void add(const Task& task) {
        any = true;
        switch (task.word) {
        case TaskWord::Wait:
            waits = true;
            addSaturated(wait, task.duration);
            if (!moved) addSaturated(synchronization, task.duration);
            break;
        case TaskWord::Transit:
            addSaturated(transit, task.duration);
            moved = true;
            break;
        case TaskWord::Remote: remote = moved = true; break;
        case TaskWord::Other: break;
        }
    }
};

/// The collectives of one group.
struct Collectives {
    std::vector<SliceIndex> slices;  ///< By begin, of those that begin at once the longest first.
    std::vector<TimeRange> ranges;

    Collectives(const TraceStore& trace, std::uint32_t track) {
        const TrackExtent& extent = trace.extent({track});
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) slices.push_back({i});
        std::stable_sort(slices.begin(), slices.end(), [&](SliceIndex a, SliceIndex b) {
            return trace.begin(a) != trace.begin(b) ? trace.begin(a) < trace.begin(b) : trace.end(b) < trace.end(a);
        });
        for (const SliceIndex slice : slices) ranges.push_back({trace.begin(slice), trace.end(slice)});
    }
};

/// Finds the collectives that times lie in, which ascend: of several the last to begin.
class RunningCollective {
public:
    explicit RunningCollective(const std::vector<TimeRange>& ranges) : m_ranges(ranges) {}

    std::optional<std::size_t> at(TimeNs time) {
        while (m_next < m_ranges.size() && m_ranges[m_next].begin <= time) m_begun.push_back(m_next++);
        while (!m_begun.empty() && m_ranges[m_begun.back()].end <= time) m_begun.pop_back();
        return m_begun.empty() ? std::nullopt : std::optional(m_begun.back());
    }

private:
    const std::vector<TimeRange>& m_ranges;
    std::vector<std::size_t> m_begun;  // those under one that runs may have ended
    std::size_t m_next = 0;
};

/// What each collective did on its main plane.
std::vector<PlaneSums> mainPlanes(const TraceStore& trace, const GroupTracks& tracks, const Collectives& collectives, const TaskWords& words,
                                  const CancelToken& cancel) {
    std::vector<PlaneSums> mains(collectives.ranges.size());
    for (const std::uint32_t plane : tracks.planes) {
        std::vector<PlaneSums> sums(mains.size());
        RunningCollective running(collectives.ranges);
        for (const Task& task : tasksOf(trace, plane, words, cancel)) {
            if (const auto place = running.at(task.begin)) sums[*place].add(task);
        }
        if (cancel.cancelled()) break;
        for (std::size_t i = 0; i < mains.size(); ++i) {
            if (!mains[i].waits && (sums[i].waits || !mains[i].any)) mains[i] = sums[i];
        }
    }
    return mains;
}

}  // namespace

bool isPeerToPeerName(std::string_view opName) {
    static constexpr std::array<std::string_view, 3> kWords = {"hcom_send", "hcom_receive", "hcom_batchsendrecv"};
    std::string lower(opName);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) { return lower.starts_with(word); });
}

std::vector<CollectiveTime> collectiveTimes(const RankEntry& rank, const GroupDirectory& groups, const DeviceActivity& activity,
                                            const CancelToken& cancel) {
    const TraceStore& trace = *rank.trace;
    const TaskWords words(trace);
    const CollectiveGroups names(groups, rank.info.rankId);
    const std::vector<GroupTracks> tracks = groupTracks(trace);
    std::vector<std::vector<CollectiveTime>> byGroup(tracks.size());
    parallelFor(tracks.size(), [&](std::size_t g) {
        const Collectives collectives(trace, tracks[g].group);
        const std::vector<PlaneSums> mains = mainPlanes(trace, tracks[g], collectives, words, cancel);
        for (std::size_t i = 0; i < mains.size() && !cancel.cancelled(); ++i) {
            const PlaneSums& main = mains[i];
            if (!main.any) continue;
            CollectiveTime row;
            row.slice = collectives.slices[i];
            row.opName = trace.name(row.slice);
            row.groupName = names.name(trace.tracks()[tracks[g].group].name, row.opName);
            row.isPeerToPeer = isPeerToPeerName(row.opName);
            row.begin = collectives.ranges[i].begin;
            row.elapsed = collectives.ranges[i].length().value;
            if (const auto step = activity.stepAt(row.begin)) row.step = activity.steps[*step].step;
            row.wait = main.wait;
            row.synchronization = main.synchronization;
            if (!main.remote) {
                row.transit = main.transit;
                row.idle = saturatedDifference(saturatedDifference(row.elapsed, main.transit), main.wait);
            }
            byGroup[g].push_back(std::move(row));
        }
    });
    std::vector<CollectiveTime> all;
    if (cancel.cancelled()) return all;
    for (std::vector<CollectiveTime>& rows : byGroup) std::move(rows.begin(), rows.end(), std::back_inserter(all));
    return all;
}

}  // namespace altiscope
