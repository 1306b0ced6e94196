#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/snapshot/memory_shortage.h"
#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

constexpr std::size_t kFewestKeptBlocks = 3;
constexpr double kLeastCovered = 0.5;
constexpr std::size_t kMostKeptStacks = 20;

/// A block that is still there: what a line through the sums needs.
struct KeptBlock {
    std::int64_t event = 0, bytes = 0;
};
struct StackBlocks {
    std::vector<KeptBlock> kept;
    bool isReleased = false;
};

/// Host memory names no device.
constexpr std::int64_t kHostDevice = -1;

/// What a block that is there holds; old forms of the file have no requested size.
std::int64_t heldBytes(const RowTable& table, std::size_t row) {
    constexpr RowKind K = RowKind::SnapshotBlock;
    constexpr auto kRequested = rowColumn(K, "requested"), kSize = rowColumn(K, "size");
    return table.integer(kRequested, row).value_or(table.integer(kSize, row).value_or(0));
}

/// By device and number of the stack's text.
std::unordered_map<std::uint64_t, StackBlocks> blocksByStack(const RowTables& rows, const RowTable& table,
                                                             const CancelToken& cancel) {
    constexpr RowKind K = RowKind::SnapshotBlock;
    constexpr auto kDevice = rowColumn(K, "device_id"), kState = rowColumn(K, "state"),
                   kAlloc = rowColumn(K, "alloc_event"), kStack = rowColumn(K, "stack");
    const auto allocated = rows.texts().find("active_allocated"), freed = rows.texts().find("freed");
    std::unordered_map<std::uint64_t, StackBlocks> blocks;
    for (std::size_t row = 0; row < table.size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) break;
        const auto stack = table.text(kStack, row), state = table.text(kState, row);
        const auto event = table.integer(kAlloc, row);
        if (!stack || !state || !event) continue;
        const auto device = static_cast<std::uint64_t>(table.integer(kDevice, row).value_or(kHostDevice));
        StackBlocks& of = blocks[device << 32 | stack->value];
        if (state == freed) of.isReleased = true;
        else if (state == allocated) of.kept.push_back({*event, heldBytes(table, row)});
    }
    return blocks;
}

/// How many blocks of each device were allocated and released within the history.
std::map<std::int64_t, std::size_t> releasesByDevice(const RowTables& rows, const RowTable& table,
                                                     const CancelToken& cancel) {
    constexpr RowKind K = RowKind::SnapshotBlock;
    constexpr auto kDevice = rowColumn(K, "device_id"), kState = rowColumn(K, "state");
    const auto freed = rows.texts().find("freed");
    std::map<std::int64_t, std::size_t> releases;
    for (std::size_t row = 0; row < table.size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) break;
        const auto state = table.text(kState, row);
        if (state && state == freed) ++releases[table.integer(kDevice, row).value_or(kHostDevice)];
    }
    return releases;
}

/// Entries of each device's history.
std::map<std::int64_t, std::int64_t> historyLengths(const RowTables& rows, const CancelToken& cancel) {
    constexpr RowKind K = RowKind::SnapshotEvent;
    constexpr auto kDevice = rowColumn(K, "device_id"), kEvent = rowColumn(K, "event_id");
    std::map<std::int64_t, std::int64_t> lengths;
    const RowTable* table = rows.find(K);
    for (std::size_t row = 0; table != nullptr && row < table->size();) {
        if (cancel.cancelled()) break;
        const RowBlock& devices = table->block(kDevice, row);
        const bool isOfOne = devices.nulls == RowBlock::Nulls::None && devices.least == devices.greatest;
        const std::size_t end = std::min(table->size(), row + RowBlock::kBlock);
        const auto take = [&](std::int64_t device, std::int64_t event) {
            lengths[device] = std::max(lengths[device], event + 1);
        };
        if (isOfOne) take(devices.least, table->block(kEvent, row).greatest);
        for (; row < end; ++row) {
            if (!isOfOne)
                take(table->integer(kDevice, row).value_or(kHostDevice), table->integer(kEvent, row).value_or(0));
        }
    }
    return lengths;
}

/// R^2 of the line through the sums of the blocks over the entries.
double fitOfSums(const std::vector<KeptBlock>& blocks) {
    const auto n = static_cast<double>(blocks.size());
    double meanX = 0, meanY = 0, sum = 0;
    for (const KeptBlock& block : blocks) {
        sum += static_cast<double>(block.bytes);
        meanX += static_cast<double>(block.event) / n;
        meanY += sum / n;
    }
    double xx = 0, xy = 0, yy = 0;
    sum = 0;
    for (const KeptBlock& block : blocks) {
        sum += static_cast<double>(block.bytes);
        const double x = static_cast<double>(block.event) - meanX, y = sum - meanY;
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    return xx > 0 && yy > 0 ? xy * xy / (xx * yy) : 0;
}

/// The last failed request of each device.
std::map<std::int64_t, OutOfMemory> failedRequests(const RowTables& rows, const CancelToken& cancel) {
    constexpr RowKind K = RowKind::SnapshotEvent;
    constexpr auto kDevice = rowColumn(K, "device_id"), kEvent = rowColumn(K, "event_id"),
                   kAction = rowColumn(K, "action"), kSize = rowColumn(K, "size"),
                   kAllocated = rowColumn(K, "allocated"), kReserved = rowColumn(K, "reserved");
    std::map<std::int64_t, OutOfMemory> failed;
    const RowTable* table = rows.find(K);
    const auto oom = rows.texts().find("oom");
    if (table == nullptr || !oom) return failed;
    for (std::size_t row = 0; row < table->size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) break;
        if (table->text(kAction, row) != oom) continue;
        const std::int64_t device = table->integer(kDevice, row).value_or(kHostDevice);
        const auto value = [&](std::size_t column) { return table->integer(column, row).value_or(0); };
        OutOfMemory& last = failed[device];
        last.device = device;
        last.event = value(kEvent);
        last.requested = value(kSize);
        last.allocated = value(kAllocated);
        last.reserved = value(kReserved);
    }
    return failed;
}

/// Fills in what the pool was like then: a program that goes on, or ends in order, has changed it since.
void addPool(const std::shared_ptr<const RowTables>& rows, OutOfMemory& failed, const CancelToken& cancel) {
    const auto snapshot = deviceSnapshot(rows, failed.device, nullptr, cancel);
    if (snapshot == nullptr) return;
    const auto history = PoolHistory::make(snapshot, cancel);
    if (history == nullptr) return;
    const auto shortage = memoryShortage(*history, static_cast<EventNumber>(failed.event), cancel);
    if (!shortage) return;
    failed.holes = shortage->pool.holes;
    failed.holeBytes = shortage->pool.holeBytes;
    failed.largestHole = shortage->pool.largestHole;
    // Parts of expandable segments that nothing uses go back to the device before a request fails.
    std::int64_t unjoined = 0;
    for (const PoolSegment& segment : shortage->pool.segments)
        addSaturated(unjoined, segment.isExpandable ? 0 : segment.holeBytes);
    failed.isFragmented = unjoined >= failed.requested && failed.largestHole < failed.requested;
    for (const StackSum& holder : shortage->holders) {
        if (snapshot->stackText(holder.stack).empty()) continue;
        failed.stack = std::string(snapshot->stackText(holder.stack));
        failed.stackBytes = holder.bytes;
        break;
    }
}

}  // namespace

void readSnapshotFacts(const std::shared_ptr<const RowTables>& ofRank, RankFacts& facts, const CancelToken& cancel) {
    const RowTables& rows = *ofRank;
    const RowTable* table = rows.find(RowKind::SnapshotBlock);
    for (auto& [device, failed] : failedRequests(rows, cancel)) {
        // The very first request may have failed.
        if (table != nullptr) addPool(ofRank, failed, cancel);
        facts.outOfMemory = std::move(failed);
        break;
    }
    if (table == nullptr) return;
    const auto lengths = historyLengths(rows, cancel);
    const auto releases = releasesByDevice(rows, *table, cancel);
    for (auto& [key, blocks] : blocksByStack(rows, *table, cancel)) {
        KeptStack stack;
        stack.device = static_cast<std::int32_t>(key >> 32);
        const auto length = lengths.find(stack.device);
        if (blocks.kept.size() < kFewestKeptBlocks || blocks.isReleased || length == lengths.end()) continue;
        // While a model is made nothing is released: that proves nothing of what comes.
        const auto released = releases.find(stack.device);
        if (released == releases.end() || released->second < blocks.kept.size()) continue;
        std::vector<KeptBlock>& kept = blocks.kept;
        std::sort(kept.begin(), kept.end(), [](const KeptBlock& a, const KeptBlock& b) { return a.event < b.event; });
        const auto covered = static_cast<double>(kept.back().event - kept.front().event);
        if (covered < kLeastCovered * static_cast<double>(length->second)) continue;
        stack.stack = std::string(rows.text(StringId{static_cast<std::uint32_t>(key)}));
        stack.blocks = kept.size();
        stack.fit = fitOfSums(kept);
        for (const KeptBlock& block : kept) addSaturated(stack.bytes, block.bytes);
        const auto middle = kept.begin() + static_cast<std::ptrdiff_t>(kept.size() / 2);
        std::nth_element(kept.begin(), middle, kept.end(),
                         [](const KeptBlock& a, const KeptBlock& b) { return a.bytes < b.bytes; });
        stack.blockBytes = middle->bytes;
        facts.keptStacks.push_back(std::move(stack));
    }
    std::sort(facts.keptStacks.begin(), facts.keptStacks.end(), [](const KeptStack& a, const KeptStack& b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : a.stack < b.stack;
    });
    if (facts.keptStacks.size() > kMostKeptStacks) facts.keptStacks.resize(kMostKeptStacks);
}

}  // namespace altiscope
