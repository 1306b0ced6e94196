#include "core/analysis/snapshot/pool_state.h"

#include "core/analysis/snapshot/segment_ranges.h"
#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace altiscope {

namespace {

bool isLooseBlock(const BlockLife& block) {
    return block.segment == kNoCell && block.size != kNoCell && block.size > 0;
}

/// What the file and the history say of a segment beside its blocks.
void describe(const DeviceSnapshot& snapshot, PoolSegment& segment) {
    const std::int64_t end = segment.address + segment.size;
    const auto isBefore = [](const auto& one, std::int64_t address) { return one.address < address; };
    const auto mark = std::lower_bound(snapshot.marks.begin(), snapshot.marks.end(), segment.address, isBefore);
    for (auto one = mark; one != snapshot.marks.end() && one->address < end && !segment.isExpandable; ++one)
        segment.isExpandable = one->isMapped;
    if (mark != snapshot.marks.end() && mark->address < end) {
        segment.stream = mark->stream;
        segment.pool = mark->pool;
    }
    // What became of it: the last one that begins in it or before it, if that reaches into it.
    auto last = std::lower_bound(snapshot.segments.begin(), snapshot.segments.end(), end, isBefore);
    if (last == snapshot.segments.begin()) return;
    --last;
    if (last->address + last->size <= segment.address) return;
    segment.isExpandable = segment.isExpandable || last->isExpandable;
    if (segment.stream == kNoCell) segment.stream = last->stream;
    if (segment.pool == 0) segment.pool = last->pool;
}

constexpr std::size_t kEntriesBetweenCheckpoints = 256;
/// Checkpoints together keep at most so many ranges; further apart otherwise.
constexpr std::size_t kMaxKeptRanges = std::size_t{1} << 20;

}  // namespace

std::shared_ptr<const PoolHistory> PoolHistory::make(std::shared_ptr<const DeviceSnapshot> snapshot,
                                                     const CancelToken& cancel) {
    auto history = std::make_shared<PoolHistory>();
    history->m_snapshot = std::move(snapshot);
    const DeviceSnapshot& device = *history->m_snapshot;
    SegmentRanges ranges;
    for (const SnapshotSegmentEnd& segment : device.segments) ranges.add(segment.address, segment.size);
    std::size_t kept = 0;
    const auto keep = [&](std::size_t entriesBefore) {
        Checkpoint checkpoint;
        checkpoint.entriesBefore = entriesBefore;
        for (const auto& [begin, end] : ranges.all()) checkpoint.ranges.push_back({begin, end});
        kept += checkpoint.ranges.size();
        history->m_checkpoints.push_back(std::move(checkpoint));
    };
    keep(device.segmentEvents.size());
    std::size_t sinceLast = 0;
    for (std::size_t i = device.segmentEvents.size(); i-- > 0;) {
        if (i % kEntriesBetweenCheckpoints == 0 && cancel.cancelled()) return nullptr;
        undoSegmentEntry(device.entry(device.segmentEvents[i]), ranges);
        // The more there are the further apart: then both checkpoints and the way to them stay small.
        const std::size_t distance = std::max(kEntriesBetweenCheckpoints, ranges.all().size() / 4);
        if (++sinceLast < distance || kept + ranges.all().size() > kMaxKeptRanges) continue;
        keep(i);
        sinceLast = 0;
    }
    std::reverse(history->m_checkpoints.begin(), history->m_checkpoints.end());
    history->m_blocks.reserve(device.blocks.size());
    for (const BlockNumber block : device.byAddress) {
        history->m_blocks.push_back({device.blocks[block].begin, device.blocks[block].end, block});
        history->m_hasLooseBlocks = history->m_hasLooseBlocks || isLooseBlock(device.blocks[block]);
    }
    return history;
}

std::vector<PoolHistory::Range> PoolHistory::rangesAt(EventNumber at) const {
    const auto& entries = m_snapshot->segmentEvents;
    const auto until = static_cast<std::size_t>(std::upper_bound(entries.begin(), entries.end(), at) - entries.begin());
    const auto from = std::partition_point(m_checkpoints.begin(), m_checkpoints.end(),
                                           [&](const Checkpoint& each) { return each.entriesBefore < until; });
    if (from->entriesBefore == until) return from->ranges;
    SegmentRanges ranges;
    for (const Range& range : from->ranges) ranges.add(range.begin, range.end - range.begin);
    for (std::size_t i = from->entriesBefore; i-- > until;) undoSegmentEntry(m_snapshot->entry(entries[i]), ranges);
    std::vector<Range> found;
    for (const auto& [begin, end] : ranges.all()) found.push_back({begin, end});
    return found;
}

void PoolHistory::addLooseBlocks(EventNumber at, std::vector<Range>& ranges) const {
    std::vector<Range> alone;
    std::size_t next = 0;
    for (const ByAddress& each : m_blocks) {
        const BlockLife& block = m_snapshot->blocks[each.block];
        if (at < each.begin || at >= each.end || !isLooseBlock(block)) continue;
        const std::int64_t end = saturatedSum(block.address, block.size);
        while (next < ranges.size() && ranges[next].end <= block.address) ++next;
        const bool isInSegment = next < ranges.size() && ranges[next].begin < end;
        if (!isInSegment && (alone.empty() || alone.back().end <= block.address)) alone.push_back({block.address, end});
    }
    const auto known = static_cast<std::ptrdiff_t>(ranges.size());
    ranges.insert(ranges.end(), alone.begin(), alone.end());
    std::inplace_merge(ranges.begin(), ranges.begin() + known, ranges.end(),
                       [](const Range& a, const Range& b) { return a.begin < b.begin; });
}

PoolState PoolHistory::stateAt(EventNumber at) const {
    PoolState state;
    state.at = std::clamp(at, kBeforeHistory, m_snapshot->last());
    std::vector<Range> ranges = rangesAt(state.at);
    if (m_hasLooseBlocks) addLooseBlocks(state.at, ranges);
    for (const Range& range : ranges) {
        PoolSegment segment;
        segment.address = range.begin;
        segment.size = range.end - range.begin;
        describe(*m_snapshot, segment);
        state.segments.push_back(segment);
        addSaturated(state.reserved, segment.size);
    }
    addBlocks(state);
    return state;
}

void PoolHistory::addBlocks(PoolState& state) const {
    std::vector<BlockNumber> there;
    for (const ByAddress& each : m_blocks) {
        if (each.begin <= state.at && state.at < each.end) there.push_back(each.block);
    }
    std::size_t next = 0;
    const auto& blocks = m_snapshot->blocks;
    for (PoolSegment& segment : state.segments) {
        const std::int64_t end = segment.address + segment.size;
        segment.firstPart = state.parts.size();
        std::int64_t filled = segment.address;
        const auto addHole = [&](std::int64_t until) {
            if (until <= filled) return;
            state.parts.push_back({.address = filled, .size = until - filled});
            ++segment.holes;
            addSaturated(segment.holeBytes, until - filled);
            segment.largestHole = std::max(segment.largestHole, until - filled);
        };
        for (; next < there.size() && blocks[there[next]].address < end; ++next) {
            const BlockLife& block = blocks[there[next]];
            if (block.address < filled) {
                ++state.contradictions;
                continue;
            }
            addHole(block.address);
            const bool hasNext = next + 1 < there.size() && blocks[there[next + 1]].address < end;
            const std::int64_t room = (hasNext ? blocks[there[next + 1]].address : end) - block.address;
            PoolPart part;
            part.address = block.address;
            // What is recorded is the size at the end; a block keeps it all its life.
            part.size = block.size != kNoCell ? block.size : m_snapshot->roundedSize(block.bytes);
            part.size = std::clamp<std::int64_t>(part.size, 0, std::max<std::int64_t>(room, 0));
            part.requested = block.bytes;
            part.block = there[next];
            const bool waits = block.freeRequested <= state.at;
            part.state = waits ? PoolPart::State::WaitsForStreams : PoolPart::State::Allocated;
            addSaturated(waits ? state.waiting : state.allocated, block.bytes);
            addSaturated(segment.requested, block.bytes);
            addSaturated(segment.used, part.size);
            if (block.stream != kNoCell && segment.blocks == 0) segment.stream = block.stream;
            ++segment.blocks;
            filled = part.address + part.size;
            state.parts.push_back(part);
        }
        addHole(end);
        segment.parts = state.parts.size() - segment.firstPart;
        state.blocks += segment.blocks;
        state.holes += segment.holes;
        addSaturated(state.used, segment.used);
        addSaturated(state.holeBytes, segment.holeBytes);
        state.largestHole = std::max(state.largestHole, segment.largestHole);
    }
    state.contradictions += there.size() - next;
}

}  // namespace altiscope
