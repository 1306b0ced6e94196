#include "core/report/deliverables/framework_work.h"

#include "core/base/columns/run_merge.h"
#include "core/base/threads/parallel_sort.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <tuple>

namespace altiscope {

namespace {

using SliceList = std::vector<SliceIndex>;

void addSlicesOf(const TraceStore& trace, std::string_view category, SliceList& slices) {
    const auto wanted = trace.texts().find(category);
    if (!wanted) return;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        const Track& track = trace.track({t});
        if (track.kind != TrackKind::Python || track.origin == Origin::Computed) continue;
        const TrackExtent& extent = trace.extent({t});
        for (std::uint32_t i = 0; i < extent.sliceCount; ++i) {
            const SliceIndex slice{extent.firstSlice + i};
            if (trace.columns().category[slice.value] == *wanted) slices.push_back(slice);
        }
    }
    const auto earlier = [&trace](SliceIndex a, SliceIndex b) {
        return std::tuple(trace.begin(a).value, trace.pos(a)) < std::tuple(trace.begin(b).value, trace.pos(b));
    };
    if (!mergeRuns(std::span(slices), earlier, {})) parallelSort(std::span(slices), earlier, {});
}

void addOperators(const TraceStore& trace, FrameworkWork& work) {
    SliceList slices, enqueues;
    addSlicesOf(trace, "cpu_op", slices);
    addSlicesOf(trace, "enqueue", enqueues);
    std::vector<std::uint32_t> open;
    const auto closeBefore = [&](SliceIndex slice) {
        while (!open.empty() && trace.begin(slice) > trace.end(work.operators[open.back()].slice)) open.pop_back();
    };
    // Work that another thread than the innermost operator's puts into the queue belongs to none.
    const auto addEnqueue = [&](SliceIndex slice) {
        closeBefore(slice);
        if (open.empty() || trace.runOf(work.operators[open.back()].slice).track != trace.runOf(slice).track) return;
        for (std::uint32_t at = open.back(); at != FrameworkWork::kNone; at = work.operators[at].parent) {
            if (std::exchange(work.operators[at].hasQueued, true)) break;
        }
    };
    std::size_t next = 0;
    for (const SliceIndex slice : slices) {
        for (; next < enqueues.size() && trace.begin(enqueues[next]) < trace.begin(slice); ++next)
            addEnqueue(enqueues[next]);
        closeBefore(slice);
        const std::uint32_t parent = open.empty() ? FrameworkWork::kNone : open.back();
        open.push_back(static_cast<std::uint32_t>(work.operators.size()));
        work.operators.push_back({slice, parent});
    }
    for (; next < enqueues.size(); ++next) addEnqueue(enqueues[next]);
}

}  // namespace

std::optional<FrameworkWork> frameworkWork(const DeliverableInput& input) {
    FrameworkWork work;
    if (input.rank.trace == nullptr) return work;
    const TraceStore& trace = *input.rank.trace;
    addOperators(trace, work);
    if (input.cancel.cancelled()) return std::nullopt;
    std::vector<std::uint32_t> numbers(trace.sliceCount(), FrameworkWork::kNone);  // of operators, by slice
    for (std::uint32_t i = 0; i < work.operators.size(); ++i) numbers[work.operators[i].slice.value] = i;
    SliceList dequeues;
    addSlicesOf(trace, "dequeue", dequeues);
    static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();
    std::vector<std::int64_t> launches(trace.sliceCount(), kNone);  // begins, by slice on the device
    const auto toDevice = trace.texts().find("HostToDevice"), async = trace.texts().find("async_npu");
    const auto isOf = [&trace](std::size_t flow, const std::optional<StringId>& category) {
        return category && trace.columns().flowCategory[flow] == *category;
    };
    for (std::size_t i = 0; i < trace.flowCount(); ++i) {
        const SliceIndex from{trace.columns().flowFrom[i]}, to{trace.columns().flowTo[i]};
        if (from != kNoSlice && to != kNoSlice && isOf(i, toDevice) && launches[to.value] == kNone)
            launches[to.value] = trace.begin(from).value;
    }
    for (std::size_t i = 0; i < trace.flowCount(); ++i) {
        const SliceIndex from{trace.columns().flowFrom[i]}, to{trace.columns().flowTo[i]};
        if (from == kNoSlice || to == kNoSlice || !isOf(i, async)) continue;
        const std::uint32_t op = numbers[from.value];
        if (op == FrameworkWork::kNone) continue;
        FrameworkWork::Kernel& kernel = work.kernels.emplace_back();
        kernel.slice = to;
        kernel.op = op;
        kernel.launch = launches[to.value] == kNone ? trace.begin(to).value : launches[to.value];
    }
    std::stable_sort(work.kernels.begin(), work.kernels.end(), [&trace](const auto& a, const auto& b) {
        return std::tuple(a.launch, trace.begin(a.slice).value) < std::tuple(b.launch, trace.begin(b.slice).value);
    });
    std::uint32_t alone = static_cast<std::uint32_t>(dequeues.size());
    for (FrameworkWork::Kernel& kernel : work.kernels) {
        const auto after = std::upper_bound(
            dequeues.begin(), dequeues.end(), kernel.launch,
            [&trace](std::int64_t time, SliceIndex dequeue) { return time < trace.begin(dequeue).value; });
        const bool isWithin = after != dequeues.begin() && trace.end(*(after - 1)).value >= kernel.launch;
        kernel.work = isWithin ? static_cast<std::uint32_t>(after - dequeues.begin()) - 1 : alone++;
    }
    if (input.cancel.cancelled()) return std::nullopt;
    return work;
}

}  // namespace altiscope
