#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/snapshot/memory_shortage.h"
#include "core/analysis/snapshot/stack_growth.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

constexpr std::size_t kFewestKeptBlocks = 3;
constexpr std::size_t kMaxKeptStacks = 20;

/// Host memory names no device.
constexpr std::int64_t kHostDevice = -1;

/// Devices of which a call stack holds some blocks of the history: to look for more costs a pass over all of it.
std::set<std::int64_t> devicesThatKeep(const RowTables& rows, const RowTable& table, const CancelToken& cancel) {
    constexpr RowKind K = RowKind::SnapshotBlock;
    constexpr auto kDevice = fixedColumn(K, "device_id"), kState = fixedColumn(K, "state"),
                   kAlloc = fixedColumn(K, "alloc_event"), kStack = fixedColumn(K, "stack");
    const auto allocated = rows.texts().find("active_allocated");
    std::map<std::pair<std::int64_t, std::uint32_t>, std::size_t> counts;
    std::set<std::int64_t> devices;
    if (!allocated) return devices;
    for (std::size_t row = 0; row < table.size(); ++row) {
        if (row % RowBlock::kBlock == 0) {
            row = nextRowWith(table, kState, row, allocated->value);
            if (row == table.size() || cancel.cancelled()) break;
        }
        const auto stack = table.text(kStack, row), state = table.text(kState, row);
        if (!stack || !state || state != allocated || !table.integer(kAlloc, row)) continue;
        const std::int64_t device = table.integer(kDevice, row).value_or(kHostDevice);
        if (++counts[{device, stack->value}] == kFewestKeptBlocks) devices.insert(device);
    }
    return devices;
}

/// The last failed request of each device.
std::map<std::int64_t, OutOfMemory> failedRequests(const RowTables& rows, const CancelToken& cancel) {
    constexpr RowKind K = RowKind::SnapshotEvent;
    constexpr auto kDevice = fixedColumn(K, "device_id"), kEvent = fixedColumn(K, "event_id"),
                   kAction = fixedColumn(K, "action"), kSize = fixedColumn(K, "size"),
                   kAllocated = fixedColumn(K, "allocated"), kReserved = fixedColumn(K, "reserved"),
                   kDeviceFree = fixedColumn(K, "device_free");
    std::map<std::int64_t, OutOfMemory> failed;
    const RowTable* table = rows.find(K);
    const auto oom = rows.texts().find("oom");
    if (table == nullptr || !oom) return failed;
    for (std::size_t row = 0; row < table->size(); ++row) {
        if (row % RowBlock::kBlock == 0) {
            row = nextRowWith(*table, kAction, row, oom->value);
            if (row == table->size() || cancel.cancelled()) break;
        }
        if (table->text(kAction, row) != oom) continue;
        const std::int64_t device = table->integer(kDevice, row).value_or(kHostDevice);
        const auto value = [&](std::size_t column) { return table->integer(column, row).value_or(0); };
        OutOfMemory& last = failed[device];
        last.device = device;
        last.event = value(kEvent);
        last.requested = value(kSize);
        last.allocated = value(kAllocated);
        last.reserved = value(kReserved);
        last.deviceFree = table->integer(kDeviceFree, row);
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
    failed.isFragmented = shortage->hasRemedy(ShortageRemedy::Kind::ExpandableSegments);
    for (const StackSum& holder : shortage->holders) {
        if (snapshot->stackText(holder.stack).empty()) continue;
        failed.stack = std::string(snapshot->stackText(holder.stack));
        failed.stackBytes = holder.bytes;
        break;
    }
}

/// Stacks of a device that keep more and more.
void addKept(const std::shared_ptr<const RowTables>& rows, std::int64_t device, std::span<const Step> steps,
             RankFacts& facts, const CancelToken& cancel) {
    const auto snapshot = deviceSnapshot(rows, device, nullptr, cancel);
    if (snapshot == nullptr || snapshot->events == 0) return;
    SnapshotClock clock;
    if (!steps.empty() && rows->find(RowKind::Allocation) != nullptr)
        clock = joinByAllocations(*snapshot, rows.get(), std::nullopt, cancel).clock;
    const HistorySteps ofHistory = historySteps(*snapshot, clock, steps, cancel);
    for (const StackGrowth& growth : stackGrowth(*snapshot, ofHistory, cancel)) {
        if (!growth.isSteady) continue;
        KeptStack stack;
        stack.device = device;
        stack.stack = std::string(snapshot->stackText(growth.stack));
        stack.blocks = growth.blocks;
        stack.bytes = growth.bytes;
        stack.blockBytes = growth.blockBytes;
        stack.fit = growth.fit;
        stack.growth = growth.growth;
        stack.margin = growth.margin;
        stack.steps = ofHistory.count();
        stack.source = ofHistory.source;
        stack.released = growth.released;
        facts.keptStacks.push_back(std::move(stack));
    }
}

}  // namespace

std::size_t nextRowWith(const RowTable& table, std::size_t column, std::size_t row, std::int64_t value) {
    while (row < table.size()) {
        const RowBlock& block = table.block(column, row);
        if (block.min <= value && value <= block.max) return row;
        row = (row / RowBlock::kBlock + 1) * RowBlock::kBlock;
    }
    return table.size();
}

void readSnapshotFacts(const std::shared_ptr<const RowTables>& ofRank, std::span<const Step> steps, RankFacts& facts,
                       const CancelToken& cancel) {
    const RowTables& rows = *ofRank;
    const RowTable* table = rows.find(RowKind::SnapshotBlock);
    for (auto& [device, failed] : failedRequests(rows, cancel)) {
        // The very first request may have failed.
        if (table != nullptr) addPool(ofRank, failed, cancel);
        facts.outOfMemory = std::move(failed);
        break;
    }
    if (table == nullptr) return;
    for (const std::int64_t device : devicesThatKeep(rows, *table, cancel))
        addKept(ofRank, device, steps, facts, cancel);
    std::sort(facts.keptStacks.begin(), facts.keptStacks.end(), [](const KeptStack& a, const KeptStack& b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : a.stack < b.stack;
    });
    if (facts.keptStacks.size() > kMaxKeptStacks) facts.keptStacks.resize(kMaxKeptStacks);
}

}  // namespace altiscope
