#include "core/analysis/snapshot/memory_shortage.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

namespace altiscope {

namespace {

/// Stacks that are looked at: the largest.
constexpr std::size_t kMaxTriedStacks = 50;
/// Remedies of this kind that are listed.
constexpr std::size_t kMaxFreedStacks = 5;
/// PyTorch takes no lower limit for splitting.
constexpr std::int64_t kMinSplitLimit = std::int64_t{20} << 20;
/// Requests up to this size come from segments of their own, of 2 MiB.
constexpr std::int64_t kSmallRequest = std::int64_t{1} << 20;
constexpr std::int64_t kSmallSegment = std::int64_t{2} << 20;
/// Requests below the first get segments of the second, larger ones of a multiple of kSmallSegment.
constexpr std::int64_t kLargeRequest = std::int64_t{10} << 20, kMiddleSegment = std::int64_t{20} << 20;
constexpr std::string_view kCommonPool = "(0, 0)";

/// Bytes that the driver has to give for a request of so many.
std::int64_t segmentFor(std::int64_t bytes) {
    if (bytes <= kSmallRequest) return kSmallSegment;
    if (bytes < kLargeRequest) return kMiddleSegment;
    return saturatedSum(bytes, kSmallSegment - 1) / kSmallSegment * kSmallSegment;
}

class ShortageProof {
public:
    ShortageProof(const DeviceSnapshot& snapshot, MemoryShortage& shortage, const CancelToken& cancel)
        : m_snapshot(snapshot), m_shortage(shortage), m_cancel(cancel),
          m_needed(snapshot.roundedSize(shortage.requested)),
          m_driver(shortage.deviceFree == kNoCell ? 0 : shortage.deviceFree) {
        const std::uint32_t pool = snapshot.entry(shortage.at).pool;
        m_pool = pool == 0 ? kCommonPool : snapshot.rows->text(StringId{pool});
    }

    void run() {
        for (const PoolPart& part : m_shortage.pool.parts) {
            if (part.state == PoolPart::State::Hole && part.size >= m_needed) ++m_shortage.fittingHoles;
        }
        // A request that has room failed for another reason, of which the pool says nothing.
        if (hasRoom(0, false)) return;
        tryExpandable();
        trySplitLimit();
        tryStacks();
    }

private:
    std::vector<PoolPart>::const_iterator partsOf(const PoolSegment& segment) const {
        return m_shortage.pool.parts.begin() + static_cast<std::ptrdiff_t>(segment.firstPart);
    }
    /// What a private pool has, of a graph, stays its own.
    bool isOfPool(const PoolSegment& segment) const {
        return segment.pool == 0 || m_snapshot.rows->text(StringId{segment.pool}) == m_pool;
    }
    /// Whether blocks for the request may lie in a segment: its stream, its pool, and that for small ones or the other.
    bool isCandidate(const PoolSegment& segment) const {
        const bool isStream =
            m_shortage.stream == kNoCell || segment.stream == kNoCell || segment.stream == m_shortage.stream;
        const bool isSmall = segment.size <= kSmallSegment && !segment.isExpandable;
        return isStream && isOfPool(segment) && isSmall == (m_shortage.requested <= kSmallRequest);
    }
    bool hasRoom(std::uint32_t without, bool isWithout) const;
    void tryExpandable();
    void trySplitLimit();
    bool fitsElsewhere(const PoolSegment& segment) const;
    void tryStacks();

    const DeviceSnapshot& m_snapshot;
    MemoryShortage& m_shortage;
    const CancelToken& m_cancel;
    std::int64_t m_needed;
    std::int64_t m_driver;    // what it has left
    std::string_view m_pool;  // of the request
};

/// Whether there is a hole that is large enough, or whether segments that are empty and what the driver has left are
/// enough in all: these go back to the device.
/// @param isWithout  As if the blocks of the stack `without` were not there.
bool ShortageProof::hasRoom(std::uint32_t without, bool isWithout) const {
    std::int64_t empty = 0;
    for (const PoolSegment& segment : m_shortage.pool.segments) {
        std::int64_t run = 0, largest = 0;
        const auto first = partsOf(segment);
        for (auto part = first; part != first + static_cast<std::ptrdiff_t>(segment.parts); ++part) {
            const bool isFree =
                part->state == PoolPart::State::Hole || (isWithout && m_snapshot.blocks[part->block].stack == without);
            run = isFree ? saturatedSum(run, part->size) : 0;
            largest = std::max(largest, run);
        }
        if (largest == segment.size && isOfPool(segment)) addSaturated(empty, segment.size);
        if (isCandidate(segment) && largest >= m_needed) return true;
    }
    return saturatedSum(empty, m_driver) >= segmentFor(m_needed);
}

void ShortageProof::tryExpandable() {
    ShortageRemedy remedy{.kind = ShortageRemedy::Kind::ExpandableSegments};
    for (const PoolSegment& segment : m_shortage.pool.segments) {
        if (segment.isExpandable || !isCandidate(segment)) continue;
        addSaturated(remedy.bytes, segment.holeBytes);
        remedy.count += segment.holes;
    }
    const bool isInPieces = remedy.count > 1 || (remedy.count == 1 && m_driver > 0);
    if (saturatedSum(remedy.bytes, m_driver) >= m_needed && isInPieces) m_shortage.remedies.push_back(remedy);
}

/// First fit, the largest block first: what has room this way has room.
bool ShortageProof::fitsElsewhere(const PoolSegment& segment) const {
    std::multiset<std::int64_t> holes;
    std::vector<std::int64_t> blocks;
    for (const PoolSegment& each : m_shortage.pool.segments) {
        if (!isCandidate(each) || each.isExpandable) continue;
        const auto first = partsOf(each);
        for (auto part = first; part != first + static_cast<std::ptrdiff_t>(each.parts); ++part) {
            const bool isHole = part->state == PoolPart::State::Hole;
            if (each.address == segment.address) {
                if (!isHole) blocks.push_back(part->size);
            } else if (isHole) {
                holes.insert(part->size);
            }
        }
    }
    std::sort(blocks.rbegin(), blocks.rend());
    for (const std::int64_t size : blocks) {
        const auto hole = holes.lower_bound(size);
        if (hole == holes.end()) return false;
        const std::int64_t rest = *hole - size;
        holes.erase(hole);
        if (rest > 0) holes.insert(rest);
    }
    return true;
}

void ShortageProof::trySplitLimit() {
    for (const PoolSegment& segment : m_shortage.pool.segments) {
        if (m_cancel.cancelled()) return;
        if (segment.isExpandable || !isCandidate(segment) || segment.size < m_needed) continue;
        // Below the limit: what is in it now would not have been put there, the request would.
        const auto first = partsOf(segment);
        const bool isSmall =
            std::all_of(first, first + static_cast<std::ptrdiff_t>(segment.parts), [](const PoolPart& part) {
                return part.state == PoolPart::State::Hole || part.size < kMinSplitLimit;
            });
        if (m_needed <= kMinSplitLimit || !isSmall || !fitsElsewhere(segment)) continue;
        m_shortage.remedies.push_back({.kind = ShortageRemedy::Kind::SplitLimit,
                                       .bytes = segment.size,
                                       .count = segment.blocks,
                                       .address = segment.address});
        return;
    }
}

/// The stacks with the fewest bytes that are enough.
void ShortageProof::tryStacks() {
    std::vector<StackSum> tried(m_shortage.holders.begin(),
                                m_shortage.holders.begin() +
                                    static_cast<std::ptrdiff_t>(std::min(kMaxTriedStacks, m_shortage.holders.size())));
    std::reverse(tried.begin(), tried.end());
    std::size_t found = 0;
    for (const StackSum& sum : tried) {
        if (m_cancel.cancelled() || found == kMaxFreedStacks) return;
        if (m_snapshot.stackText(sum.stack).empty() || !hasRoom(sum.stack, true)) continue;
        m_shortage.remedies.push_back(
            {.kind = ShortageRemedy::Kind::FreeStack, .bytes = sum.bytes, .count = sum.blocks, .stack = sum.stack});
        ++found;
    }
}

}  // namespace

bool MemoryShortage::hasRemedy(ShortageRemedy::Kind kind) const {
    return std::any_of(remedies.begin(), remedies.end(),
                       [kind](const ShortageRemedy& one) { return one.kind == kind; });
}

std::vector<EventNumber> failedRequests(const DeviceSnapshot& snapshot, const CancelToken& cancel) {
    std::vector<EventNumber> failed;
    if (!snapshot.rows->texts().find("oom")) return failed;
    constexpr EventNumber kBetweenPolls = 1 << 14;
    for (EventNumber number = 0; number < snapshot.events; ++number) {
        if (number % kBetweenPolls == 0 && cancel.cancelled()) break;
        if (snapshot.entry(number).action == SnapshotAction::OutOfMemory) failed.push_back(number);
    }
    return failed;
}

std::optional<MemoryShortage> memoryShortage(const PoolHistory& history, EventNumber at, const CancelToken& cancel) {
    const DeviceSnapshot& snapshot = history.snapshot();
    MemoryShortage shortage;
    shortage.at = std::clamp(at, kBeforeHistory, snapshot.last());
    shortage.pool = history.stateAt(shortage.at);
    shortage.rounding =
        saturatedDifference(saturatedDifference(shortage.pool.used, shortage.pool.allocated), shortage.pool.waiting);
    shortage.holders = stackSums(snapshot, {StackQuery::What::Alive, {shortage.at, shortage.at + 1}});
    if (shortage.at >= 0) {
        const SnapshotEntryView entry = snapshot.entry(shortage.at);
        shortage.isFailure = entry.action == SnapshotAction::OutOfMemory;
        shortage.requested = shortage.isFailure && entry.size != kNoCell ? std::max<std::int64_t>(0, entry.size) : 0;
        shortage.stream = entry.stream;
        shortage.deviceFree = entry.deviceFree;
    }
    if (shortage.isFailure && shortage.requested > 0) ShortageProof(snapshot, shortage, cancel).run();
    return cancel.cancelled() ? std::nullopt : std::optional(std::move(shortage));
}

}  // namespace altiscope
