#include "core/analysis/steps/lone_launches.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace altiscope {

namespace {

/// Launches in a step on the host.
struct Launches {
    std::int64_t step = 0;
    TimeRange range;
    std::uint64_t all = 0, linked = 0;
    TimeNs first{std::numeric_limits<std::int64_t>::max()};
    bool isFirstLinked = true;

    void add(TimeNs begin, bool isLinked) {
        ++all;
        linked += isLinked ? 1 : 0;
        if (begin < first) {
            first = begin;
            isFirstLinked = isLinked;
        }
    }
    double share() const { return static_cast<double>(linked) / static_cast<double>(all); }
};

/// A few launches may be of anything; from so many on a share to a tenth is known.
constexpr std::uint64_t kMinLaunches = 20;
constexpr double kMinLinkedShare = 0.9;  // of the best one's

/// Flows that lead to kernels: copies and waits of the device are there without them.
class KernelFlows {
public:
    explicit KernelFlows(const TraceStore& trace)
        : m_trace(trace), m_category(trace.columns().texts.find("HostToDevice")) {}

    bool isOne(std::size_t flow) {
        const TraceColumns& columns = m_trace.columns();
        const SliceIndex from{columns.flowFrom[flow]}, to{columns.flowTo[flow]};
        if (!m_category || columns.flowCategory[flow] != *m_category || from == kNoSlice || to == kNoSlice)
            return false;
        const StringId name = m_trace.nameId(to);
        const auto [known, isNew] = m_isKernel.try_emplace(name.value, false);
        if (isNew) known->second = isKernelName(m_trace.text(name));
        return known->second;
    }
    bool areFrom(SliceIndex slice) {
        const auto flows = m_trace.flowsFrom(slice);
        return std::any_of(flows.begin(), flows.end(), [this](std::uint32_t flow) { return isOne(flow); });
    }
    /// Slices from which they lead, by track and name.
    std::set<std::pair<std::uint32_t, std::uint32_t>> launchNames() {
        std::set<std::pair<std::uint32_t, std::uint32_t>> names;
        for (std::size_t flow = 0; m_category && flow < m_trace.flowCount(); ++flow) {
            if (!isOne(flow)) continue;
            const SliceIndex from{m_trace.columns().flowFrom[flow]};
            names.emplace(m_trace.runOf(from).track, m_trace.nameId(from).value);
        }
        return names;
    }

private:
    const TraceStore& m_trace;
    std::optional<StringId> m_category;
    std::unordered_map<std::uint32_t, bool> m_isKernel;  // by name
};

/// By begin.
std::vector<Launches> launchesOf(const TraceStore& trace, const std::vector<Step>& steps) {
    std::vector<Launches> launches;
    for (const Step& step : steps)
        if (step.range && !step.isOfDevice) launches.push_back({.step = step.number, .range = *step.range});
    std::sort(launches.begin(), launches.end(),
              [](const Launches& a, const Launches& b) { return a.range.begin < b.range.begin; });
    KernelFlows flows(trace);
    const auto names = flows.launchNames();
    if (names.empty() || launches.size() < 2) return {};
    for (const DepthRun& run : trace.runs()) {
        const auto first = names.lower_bound({run.track, 0});
        if (first == names.end() || first->first != run.track) continue;
        for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
            const SliceIndex slice{i};
            if (!names.contains({run.track, trace.nameId(slice).value})) continue;
            const TimeNs begin = trace.begin(slice);
            const auto after =
                std::upper_bound(launches.begin(), launches.end(), begin,
                                 [](TimeNs time, const Launches& one) { return time < one.range.begin; });
            if (after == launches.begin() || begin >= std::prev(after)->range.end) continue;
            std::prev(after)->add(begin, flows.areFrom(slice));
        }
    }
    return launches;
}

/// The place of a step's span, which is made where there is none.
std::size_t spanOf(const Launches& step, std::vector<StepSpan>& spans) {
    auto place = std::find_if(spans.begin(), spans.end(), [&](const StepSpan& span) { return span.step == step.step; });
    if (place == spans.end()) {
        place = std::upper_bound(spans.begin(), spans.end(), step.range.begin,
                                 [](TimeNs time, const StepSpan& span) { return time < span.device.begin; });
        place = spans.insert(place, {.step = step.step, .device = step.range, .host = step.range});
    }
    return static_cast<std::size_t>(place - spans.begin());
}

}  // namespace

void markLoneLaunches(const TraceStore& trace, const std::vector<Step>& steps, std::vector<StepSpan>& spans) {
    const std::vector<Launches> launches = launchesOf(trace, steps);
    double best = 0;
    for (const Launches& one : launches)
        if (one.all >= kMinLaunches) best = std::max(best, one.share());
    for (const Launches& one : launches) {
        if (one.all < kMinLaunches || one.share() >= kMinLinkedShare * best) continue;
        const std::size_t place = spanOf(one, spans);
        spans[place].lacksKernels = true;
        if (place > 0 && !one.isFirstLinked) spans[place - 1].lacksKernels = true;
    }
}

}  // namespace altiscope
