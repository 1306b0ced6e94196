#include "core/analysis/communication/pipeline_blocks.h"

#include "core/analysis/slices/task_owners.h"
#include "core/analysis/steps/device_activity.h"
#include "core/trace/collective_names.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace altiscope {

namespace {

/// What a launch is for the pipeline.
enum class LaunchKind : std::uint8_t { Forward, Backward, Transfer };
struct PipelineLaunch {
    TimeNs call;  ///< When the host began it.
    LaunchKind kind = LaunchKind::Forward;
    SliceIndex task;
};

/// Which calls of the host belong to which pass.
class Passes {
public:
    explicit Passes(const TraceStore& trace) : m_trace(trace), m_isBackward(trace.tracks().size(), false) {
        const auto category = trace.texts().find("fwdbwd");
        const TraceColumns& columns = trace.columns();
        for (std::size_t flow = 0; category && flow < columns.flowCategory.size(); ++flow) {
            if (columns.flowCategory[flow] != *category) continue;
            const SliceIndex from{columns.flowFrom[flow]}, to{columns.flowTo[flow]};
            if (from == kNoSlice || to == kNoSlice) continue;
            m_forward.insert(from.value);
            m_backward.insert(to.value);
            m_isBackward[trace.runOf(to).track] = true;
        }
        // Where both run on one thread, the operators alone tell them apart.
        std::vector<bool> isForward(m_isBackward.size(), false);
        for (const std::uint32_t from : m_forward) isForward[trace.runOf({from}).track] = true;
        m_areApart = false;
        for (std::size_t t = 0; t < isForward.size(); ++t)
            m_areApart = m_areApart || (isForward[t] && !m_isBackward[t]);
    }

    bool empty() const { return m_forward.empty(); }

    std::optional<LaunchKind> of(SliceIndex call) const {
        if (m_areApart && m_isBackward[m_trace.runOf(call).track]) return LaunchKind::Backward;
        for (SliceIndex at = call; at != kNoSlice; at = m_trace.parent(at)) {
            if (m_backward.contains(at.value)) return LaunchKind::Backward;
            if (m_forward.contains(at.value)) return LaunchKind::Forward;
        }
        return std::nullopt;
    }

private:
    const TraceStore& m_trace;
    std::unordered_set<std::uint32_t> m_forward, m_backward;  // slices
    std::vector<bool> m_isBackward;                           // by track
    bool m_areApart = false;
};

/// In the order in which the host began them.
std::vector<PipelineLaunch> pipelineLaunches(const TraceStore& trace, const Passes& passes, const CancelToken& cancel) {
    std::vector<bool> isMeant;
    for (const Track& track : trace.tracks()) isMeant.push_back(track.kind == TrackKind::Python);
    std::vector<PipelineLaunch> launches;
    for (const OwnedTask& owned : ownedTasks(trace, isMeant, cancel)) {
        const Track& track = trace.track({trace.runOf(owned.task).track});
        const std::string_view name = trace.name(owned.task);
        std::optional<LaunchKind> kind;
        if (isGroupTrack(track) && isPeerToPeerName(name)) kind = LaunchKind::Transfer;
        else if (isStreamTrack(track) && isKernelName(name)) kind = passes.of(owned.call);
        if (kind) launches.push_back({trace.begin(owned.call), *kind, owned.task});
    }
    std::sort(launches.begin(), launches.end(), [](const PipelineLaunch& a, const PipelineLaunch& b) {
        return std::tuple(a.call, a.task.value) < std::tuple(b.call, b.task.value);
    });
    return launches;
}

/// Steps by time of the host.
class HostSteps {
public:
    explicit HostSteps(const std::vector<Step>& steps) {
        for (const Step& step : steps) {
            if (step.range) m_steps.emplace_back(*step.range, step.number);
        }
        std::sort(m_steps.begin(), m_steps.end(),
                  [](const auto& a, const auto& b) { return a.first.begin < b.first.begin; });
    }
    bool empty() const { return m_steps.empty(); }
    /// nullopt outside of every step.
    std::optional<std::int64_t> at(TimeNs time) const {
        const auto after = std::partition_point(m_steps.begin(), m_steps.end(),
                                                [time](const auto& step) { return step.first.begin <= time; });
        if (after == m_steps.begin() || (after - 1)->first.end <= time) return std::nullopt;
        return (after - 1)->second;
    }

private:
    std::vector<std::pair<TimeRange, std::int64_t>> m_steps;
};

}  // namespace

std::string_view pipelineDirectionName(bool isBackward) { return isBackward ? "backward" : "forward"; }

std::vector<PipelineBlock> pipelineBlocks(const RankEntry& rank, std::int64_t stages, const CancelToken& cancel) {
    std::vector<PipelineBlock> blocks;
    if (stages < 2 || !hasEvents(rank)) return blocks;
    const TraceStore& trace = *rank.trace;
    const Passes passes(trace);
    if (passes.empty()) return blocks;
    const std::vector<PipelineLaunch> launches = pipelineLaunches(trace, passes, cancel);
    const bool hasTransfers = std::any_of(launches.begin(), launches.end(), [](const PipelineLaunch& launch) {
        return launch.kind == LaunchKind::Transfer;
    });
    if (!hasTransfers) return blocks;
    const HostSteps steps(rank.steps);
    std::map<std::pair<std::optional<std::int64_t>, bool>, std::uint32_t> counts;
    std::optional<LaunchKind> open;  // of the last block; nullopt: a transfer ended it
    for (const PipelineLaunch& launch : launches) {
        if (launch.kind == LaunchKind::Transfer) {
            open.reset();
            continue;
        }
        const auto step = steps.at(launch.call);
        if (!steps.empty() && !step) continue;
        const TimeRange range{trace.begin(launch.task), trace.end(launch.task)};
        if (open != launch.kind || blocks.back().step != step) {
            const bool isBackward = launch.kind == LaunchKind::Backward;
            blocks.push_back({step, counts[{step, isBackward}]++, isBackward, range});
            open = launch.kind;
        }
        TimeRange& whole = blocks.back().range;
        whole = {std::min(whole.begin, range.begin), std::max(whole.end, range.end)};
    }
    std::stable_sort(blocks.begin(), blocks.end(),
                     [](const PipelineBlock& a, const PipelineBlock& b) { return a.range.begin < b.range.begin; });
    return blocks;
}

}  // namespace altiscope
