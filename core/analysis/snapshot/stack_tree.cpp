#include "core/analysis/snapshot/stack_tree.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

namespace altiscope {

namespace {

bool isWanted(const DeviceSnapshot& snapshot, const BlockLife& block, const StackQuery& query) {
    switch (query.what) {
    case StackQuery::What::Alive: return block.isThereAt(query.range.begin);
    case StackQuery::What::Kept: return block.begin >= 0 && block.end == snapshot.events;
    case StackQuery::What::Allocated:
        return block.begin >= 0 && block.begin >= query.range.begin && block.begin < query.range.end;
    }
    return false;
}

struct FrameKey {
    std::uint32_t parent = 0;
    std::string_view text;
    bool operator==(const FrameKey&) const = default;
};
struct FrameHash {
    std::size_t operator()(const FrameKey& key) const {
        return std::hash<std::string_view>()(key.text) ^ (std::size_t{key.parent} * 0x9E3779B97F4A7C15u);
    }
};

std::uint64_t magnitude(std::int64_t value) {
    return value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

}  // namespace

std::vector<StackSum> stackSums(const DeviceSnapshot& snapshot, const StackQuery& query) {
    std::vector<StackSum> sums(snapshot.stacks.size());
    for (const BlockLife& block : snapshot.blocks) {
        if (!isWanted(snapshot, block, query)) continue;
        addSaturated(sums[block.stack].bytes, block.bytes);
        ++sums[block.stack].blocks;
    }
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i].stack = static_cast<std::uint32_t>(i);
    sums.erase(std::remove_if(sums.begin(), sums.end(), [](const StackSum& sum) { return sum.blocks == 0; }),
               sums.end());
    std::sort(sums.begin(), sums.end(), [&](const StackSum& a, const StackSum& b) {
        // Numbers of texts are in their order.
        return a.bytes != b.bytes ? a.bytes > b.bytes : snapshot.stacks[a.stack] < snapshot.stacks[b.stack];
    });
    return sums;
}

std::shared_ptr<const StackFrames> StackFrames::make(std::shared_ptr<const DeviceSnapshot> snapshot,
                                                     const CancelToken& cancel) {
    auto frames = std::make_shared<StackFrames>();
    frames->m_snapshot = std::move(snapshot);
    frames->m_frames.push_back({});
    std::unordered_map<FrameKey, std::uint32_t, FrameHash> numbers;
    for (std::uint32_t stack = 0; stack < frames->m_snapshot->stacks.size(); ++stack) {
        if (cancel.cancelled()) return nullptr;
        std::string_view rest = frames->m_snapshot->stackText(stack);
        std::uint32_t at = 0;
        // The outermost frame is the last line.
        while (!rest.empty()) {
            const std::size_t line = rest.rfind('\n');
            const std::string_view text = line == std::string_view::npos ? rest : rest.substr(line + 1);
            rest = line == std::string_view::npos ? std::string_view() : rest.substr(0, line);
            const auto [number, isNew] =
                numbers.try_emplace(FrameKey{at, text}, static_cast<std::uint32_t>(frames->m_frames.size()));
            if (isNew) frames->m_frames.push_back({at, frames->m_frames[at].depth + 1, text});
            at = number->second;
        }
        frames->m_innermost.push_back(at);
    }
    return frames;
}

std::shared_ptr<const StackTree> stackTree(const StackFrames& frames, const StackQuery& query) {
    const auto& all = frames.frames();
    FrameSums of;
    of.weights.resize(all.size());
    of.counts.resize(all.size());
    for (const StackFrames::Frame& frame : all) of.parents.push_back(frame.parent);
    for (const StackSum& sum : stackSums(frames.snapshot(), query)) {
        addSaturated(of.weights[frames.frameOf(sum.stack)], sum.bytes);
        of.counts[frames.frameOf(sum.stack)] += sum.blocks;
    }
    for (std::size_t i = all.size(); i-- > 1;) {
        addSaturated(of.weights[all[i].parent], of.weights[i]);
        of.counts[all[i].parent] += of.counts[i];
    }
    auto tree = std::make_shared<StackTree>();
    static_cast<FrameTree&>(*tree) =
        frameTree(of, [&](std::uint32_t a, std::uint32_t b) { return all[a].text < all[b].text; });
    tree->query = query;
    return tree;
}

std::int64_t StackChange::change() const { return saturatedDifference(after, before); }

std::vector<StackChange> stackChanges(const DeviceSnapshot& before, EventNumber beforeAt, const DeviceSnapshot& after,
                                      EventNumber afterAt) {
    std::unordered_map<std::string_view, StackChange> changes;
    for (const StackSum& sum : stackSums(before, {StackQuery::What::Alive, {beforeAt, beforeAt + 1}})) {
        StackChange& change = changes[before.stackText(sum.stack)];
        change.before = sum.bytes;
        change.blocksBefore = sum.blocks;
    }
    for (const StackSum& sum : stackSums(after, {StackQuery::What::Alive, {afterAt, afterAt + 1}})) {
        StackChange& change = changes[after.stackText(sum.stack)];
        change.after = sum.bytes;
        change.blocksAfter = sum.blocks;
    }
    std::vector<StackChange> list;
    for (auto& [stack, change] : changes) {
        change.stack = stack;
        list.push_back(change);
    }
    std::sort(list.begin(), list.end(), [](const StackChange& a, const StackChange& b) {
        const std::uint64_t ofA = magnitude(a.change()), ofB = magnitude(b.change());
        return ofA != ofB ? ofA > ofB : a.stack < b.stack;
    });
    return list;
}

}  // namespace altiscope
