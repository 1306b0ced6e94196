#include "core/analysis/collective_times.h"

#include "core/analysis/collective_groups.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <array>
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

/// The tasks of a plane that begin within a range, by begin.
std::vector<Task> tasksWithin(const TraceStore& trace, std::uint32_t plane, TimeRange range, const TaskWords& words) {
    std::vector<Task> tasks;
    for (const DepthRun& run : trace.runs({plane})) {
        for (std::uint32_t i = trace.firstBeginningAt(run, range.begin); i < run.first + run.count; ++i) {
            if (!(trace.begin({i}) < range.end)) break;
            tasks.push_back({trace.begin({i}), trace.duration({i}).value, words.of(trace.nameId({i}))});
        }
    }
    std::stable_sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.begin < b.begin; });
    return tasks;
}

void addTimes(const std::vector<Task>& tasks, CollectiveTime& row) {
    bool moved = false, remote = false;
    std::int64_t transit = 0;
    for (const Task& task : tasks) {
        switch (task.word) {
        case TaskWord::Wait:
            row.wait += task.duration;
            if (!moved) row.synchronization += task.duration;
            break;
        case TaskWord::Transit:
            transit += task.duration;
            moved = true;
            break;
        case TaskWord::Remote:
            remote = moved = true;
            break;
        case TaskWord::Other: break;
        }
    }
    if (remote) return;
    row.transit = transit;
    row.idle = row.elapsed - transit - row.wait;
}

}  // namespace

bool isPeerToPeerName(std::string_view opName) {
    static constexpr std::array<std::string_view, 3> kWords = {"hcom_send", "hcom_receive", "hcom_batchsendrecv"};
    std::string lower(opName);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) { return lower.starts_with(word); });
}

std::vector<CollectiveTime> collectiveTimes(const RankEntry& rank, const RowTables* groups, const DeviceActivity& activity,
                                            const CancelToken& cancel) {
    const TraceStore& trace = *rank.trace;
    const TaskWords words(trace);
    const CollectiveGroups directory(groups, rank.info.rankId);
    const std::vector<GroupTracks> tracks = groupTracks(trace);
    std::vector<std::vector<CollectiveTime>> byGroup(tracks.size());
    parallelFor(tracks.size(), [&](std::size_t g) {
        const TrackExtent& extent = trace.extent({tracks[g].group});
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
            if (cancel.cancelled()) return;
            const TimeRange range{trace.begin({i}), trace.end({i})};
            std::vector<Task> main;
            for (const std::uint32_t plane : tracks[g].planes) {
                std::vector<Task> tasks = tasksWithin(trace, plane, range, words);
                const bool waits = std::any_of(tasks.begin(), tasks.end(), [](const Task& t) { return t.word == TaskWord::Wait; });
                if (main.empty() || waits) main = std::move(tasks);
                if (waits) break;
            }
            if (main.empty()) continue;
            CollectiveTime row;
            row.opName = trace.name({i});
            row.groupName = directory.name(trace.tracks()[tracks[g].group].name, row.opName);
            row.isPeerToPeer = isPeerToPeerName(row.opName);
            row.slice = {i};
            row.begin = range.begin;
            row.elapsed = range.length().value;
            if (const auto step = activity.stepAt(range.begin)) row.step = activity.steps[*step].step;
            addTimes(main, row);
            byGroup[g].push_back(std::move(row));
        }
    });
    std::vector<CollectiveTime> all;
    if (cancel.cancelled()) return all;
    for (std::vector<CollectiveTime>& rows : byGroup) std::move(rows.begin(), rows.end(), std::back_inserter(all));
    return all;
}

}  // namespace altiscope
