#include "core/report/deliverables/framework_work.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace altiscope {

namespace {

using SliceList = std::vector<SliceIndex>;

void addSlicesOf(const TraceStore& trace, std::string_view category, SliceList& slices) {
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        const Track& track = trace.track({t});
        if (track.kind != TrackKind::Python || track.origin == Origin::Computed) continue;
        const TrackExtent& extent = trace.extent({t});
        for (std::uint32_t i = 0; i < extent.sliceCount; ++i) {
            const SliceIndex slice{extent.firstSlice + i};
            if (trace.category(slice) == category) slices.push_back(slice);
        }
    }
    std::sort(slices.begin(), slices.end(), [&trace](SliceIndex a, SliceIndex b) {
        return std::tuple(trace.begin(a).value, trace.pos(a)) < std::tuple(trace.begin(b).value, trace.pos(b));
    });
}

void addOperators(const TraceStore& trace, FrameworkWork& work) {
    SliceList slices;
    addSlicesOf(trace, "cpu_op", slices);
    std::vector<std::uint32_t> open;
    for (const SliceIndex slice : slices) {
        while (!open.empty() && trace.begin(slice) > trace.end(work.operators[open.back()].slice)) open.pop_back();
        const std::uint32_t parent = open.empty() ? FrameworkWork::kNone : open.back();
        open.push_back(static_cast<std::uint32_t>(work.operators.size()));
        work.operators.push_back({slice, parent});
    }
}

}  // namespace

std::optional<FrameworkWork> frameworkWork(const DeliverableInput& input) {
    FrameworkWork work;
    if (input.rank.trace == nullptr) return work;
    const TraceStore& trace = *input.rank.trace;
    addOperators(trace, work);
    if (input.cancel.cancelled()) return std::nullopt;
    std::unordered_map<std::uint32_t, std::uint32_t> numbers;  // of operators, by slice
    for (std::uint32_t i = 0; i < work.operators.size(); ++i) numbers.emplace(work.operators[i].slice.value, i);
    SliceList dequeues;
    addSlicesOf(trace, "dequeue", dequeues);
    std::unordered_map<std::uint32_t, std::int64_t> launches;  // begins, by slice on the device
    for (std::size_t i = 0; i < trace.flowCount(); ++i) {
        const SliceIndex from{trace.columns().flowFrom[i]}, to{trace.columns().flowTo[i]};
        if (from != kNoSlice && to != kNoSlice && trace.flowCategory(i) == "HostToDevice")
            launches.try_emplace(to.value, trace.begin(from).value);
    }
    for (std::size_t i = 0; i < trace.flowCount(); ++i) {
        const SliceIndex from{trace.columns().flowFrom[i]}, to{trace.columns().flowTo[i]};
        if (from == kNoSlice || to == kNoSlice || trace.flowCategory(i) != "async_npu") continue;
        const auto op = numbers.find(from.value);
        if (op == numbers.end()) continue;
        FrameworkWork::Kernel& kernel = work.kernels.emplace_back();
        kernel.slice = to;
        kernel.op = op->second;
        const auto launch = launches.find(to.value);
        kernel.launch = launch == launches.end() ? trace.begin(to).value : launch->second;
    }
    std::stable_sort(work.kernels.begin(), work.kernels.end(), [&trace](const auto& a, const auto& b) {
        return std::tuple(a.launch, trace.begin(a.slice).value) < std::tuple(b.launch, trace.begin(b.slice).value);
    });
    std::uint32_t alone = static_cast<std::uint32_t>(dequeues.size());
    for (FrameworkWork::Kernel& kernel : work.kernels) {
        const auto behind = std::upper_bound(
            dequeues.begin(), dequeues.end(), kernel.launch,
            [&trace](std::int64_t time, SliceIndex dequeue) { return time < trace.begin(dequeue).value; });
        const bool isWithin = behind != dequeues.begin() && trace.end(*(behind - 1)).value >= kernel.launch;
        kernel.work = isWithin ? static_cast<std::uint32_t>(behind - dequeues.begin()) - 1 : alone++;
    }
    if (input.cancel.cancelled()) return std::nullopt;
    return work;
}

}  // namespace altiscope
