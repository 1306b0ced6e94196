#include "core/store/seal/seal_stacks.h"

#include "core/base/threads/parallel.h"
#include "core/base/threads/parallel_sort.h"
#include "core/store/columns/computed_position.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

using Node = CallStackPool::Node;

constexpr std::size_t kOperatorsBetweenLooks = 4096;  // of up to a thousand frames each

struct StackThread {
    ProvisionalTrack track = 0;
    std::vector<Segment::StackedOperator> operators;
};

/// A frame while it is open, and once it is closed.
struct StackFrame {
    std::int64_t begin, end;
    ProvisionalStack node;
};

/// By process and thread, which do not depend on who met them first.
std::vector<StackThread> threadsOf(SealInput& input, const CancelToken& cancel) {
    std::vector<StackThread> threads;
    std::unordered_map<ProvisionalTrack, std::size_t> places;
    const std::size_t nodes = input.stackNodes.size();  // none if there were too many
    for (auto& list : input.stackedOperators) {
        if (cancel.cancelled()) return {};
        for (const Segment::StackedOperator& one : list) {
            if (one.duration <= 0 || one.stack == CallStackPool::kNoStack || one.stack >= nodes) continue;
            const auto [place, isNew] = places.try_emplace(one.track, threads.size());
            if (isNew) threads.push_back({one.track, {}});
            threads[place->second].operators.push_back(one);
        }
        list = {};
    }
    std::sort(threads.begin(), threads.end(), [&input](const StackThread& a, const StackThread& b) {
        const ProvisionalTrackKey &x = input.tracks[a.track], &y = input.tracks[b.track];
        return std::tie(x.pid, x.second) < std::tie(y.pid, y.second);
    });
    return threads;
}

/// Number of frames that two stacks agree in, from the outermost on.
std::uint32_t commonFrames(const std::vector<Node>& nodes, ProvisionalStack a, ProvisionalStack b) {
    while (a != b) {
        if (nodes[a].depth >= nodes[b].depth) a = nodes[a].parent;
        else b = nodes[b].parent;
    }
    return nodes[a].depth;
}

/// Frames of each depth that the operators of a thread open, as differences from one depth to the next.
std::vector<std::int64_t> openedByDepth(const std::vector<Node>& nodes, const StackThread& thread,
                                        const CancelToken& cancel) {
    std::vector<std::int64_t> opened(CallStackPool::kMaxFrames + 2, 0);
    ProvisionalStack before = CallStackPool::kNoStack;
    for (std::size_t i = 0; i < thread.operators.size(); ++i) {
        if (i % kOperatorsBetweenLooks == 0 && cancel.cancelled()) break;
        const ProvisionalStack stack = thread.operators[i].stack;
        ++opened[commonFrames(nodes, before, stack) + 1];
        --opened[nodes[stack].depth + 1];
        before = stack;
    }
    return opened;
}

/// The largest depth down to which all frames are no more than `most`.
std::uint32_t depthWithin(const std::vector<std::vector<std::int64_t>>& opened, std::size_t most) {
    std::size_t all = 0;
    std::int64_t ofDepth = 0;
    for (std::uint32_t depth = 1; depth <= CallStackPool::kMaxFrames; ++depth) {
        for (const auto& one : opened) ofDepth += one[depth];
        all += static_cast<std::size_t>(ofDepth);
        if (all > most) return depth - 1;
    }
    return CallStackPool::kMaxFrames;
}

/// Outer frames before inner ones, by begin.
std::vector<StackFrame> framesOf(const std::vector<Node>& nodes, const StackThread& thread, std::uint32_t deepest,
                                 const CancelToken& cancel) {
    std::vector<StackFrame> frames;
    std::vector<std::size_t> open;  // by depth: its frame
    ProvisionalStack before = CallStackPool::kNoStack;
    for (std::size_t i = 0; i < thread.operators.size(); ++i) {
        if (i % kOperatorsBetweenLooks == 0 && cancel.cancelled()) return {};
        const Segment::StackedOperator& one = thread.operators[i];
        const std::int64_t end = one.begin + one.duration;
        const std::size_t common = std::min(commonFrames(nodes, before, one.stack), deepest);
        for (; open.size() > common; open.pop_back()) {
            StackFrame& closed = frames[open.back()];
            closed.end = std::min(closed.end, one.begin);
        }
        for (const std::size_t frame : open) frames[frame].end = std::max(frames[frame].end, end);
        ProvisionalStack node = one.stack;
        while (nodes[node].depth > deepest) node = nodes[node].parent;
        const std::size_t opened = nodes[node].depth - common;
        frames.resize(frames.size() + opened);
        for (std::size_t k = 0; k < opened; ++k, node = nodes[node].parent)
            frames[frames.size() - 1 - k] = {one.begin, end, node};
        for (std::size_t k = 0; k < opened; ++k) open.push_back(frames.size() - opened + k);
        before = one.stack;
    }
    std::erase_if(frames, [](const StackFrame& frame) { return frame.begin == frame.end; });
    return frames;
}

std::size_t sliceCountOf(const SealInput& input, const Segment::Slices& pairs) {
    std::size_t count = pairs.size();
    for (const auto& segment : input.segments) count += segment->slices.size();
    for (const auto& excluded : input.excluded) count += excluded->size();
    return count;
}

}  // namespace

void addStackSlices(SealInput& input, Segment::Slices& slices, const SourceNames& names, Diagnostics& diagnostics,
                    const CancelToken& cancel) {
    if (input.stacksAreFull) diagnostics.add("stack.too_many", Severity::Info, names.whole(), {}, {});
    if (input.stacksAreCut)
        diagnostics.add("stack.cut", Severity::Info, names.whole(), {},
                        {{"depth", std::to_string(CallStackPool::kMaxFrames)}});
    std::vector<StackThread> threads = threadsOf(input, cancel);
    input.stackedOperators.clear();
    if (threads.empty()) return;

    // Positions count from the first file with stacks: they belong to no record of it.
    std::uint32_t file = ~0U;
    for (const StackThread& thread : threads) {
        for (const Segment::StackedOperator& one : thread.operators) file = std::min(file, one.pos.file());
    }
    for (StackThread& thread : threads) {
        if (cancel.cancelled()) return;
        parallelSort(
            std::span(thread.operators),
            [](const Segment::StackedOperator& a, const Segment::StackedOperator& b) {
                return std::tie(a.begin, b.duration, a.pos) < std::tie(b.begin, a.duration, b.pos);
            },
            cancel);
    }
    const std::vector<Node>& nodes = input.stackNodes;
    std::vector<std::vector<std::int64_t>> opened(threads.size());
    parallelFor(threads.size(), [&](std::size_t t) { opened[t] = openedByDepth(nodes, threads[t], cancel); });
    if (cancel.cancelled()) return;
    const std::uint32_t deepest = depthWithin(opened, std::max(kMaxStackSlices, sliceCountOf(input, slices)));
    if (deepest < CallStackPool::kMaxFrames)
        diagnostics.add("stack.cut", Severity::Info, names.whole(), {}, {{"depth", std::to_string(deepest)}});

    std::vector<std::vector<StackFrame>> frames(threads.size());
    parallelFor(threads.size(), [&](std::size_t t) { frames[t] = framesOf(nodes, threads[t], deepest, cancel); });
    std::uint64_t number = 0;
    for (std::size_t t = 0; t < threads.size() && !cancel.cancelled(); ++t) {
        const auto track = static_cast<ProvisionalTrack>(input.tracks.size());
        ProvisionalTrackKey key = input.tracks[threads[t].track];
        key.isStack = true;
        input.tracks.push_back(key);
        for (const StackFrame& frame : frames[t])
            slices.add(track, frame.begin, frame.end - frame.begin, nodes[frame.node].frame, 0,
                       SourcePos::make(kComputedFile | file, number++));
        frames[t] = {};
    }
}

}  // namespace altiscope
