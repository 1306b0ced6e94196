#include "core/import/memscope/memscope_rows.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

constexpr RowKind kMemscopeSamples = RowKind::MemorySample;
constexpr RowKind kMemscopeAllocations = RowKind::Allocation;
constexpr RowKind kMemscopeEvents = RowKind::SnapshotEvent;
constexpr RowKind kMemscopeBlocks = RowKind::SnapshotBlock;
constexpr std::size_t kRowsTogether = std::size_t{1} << 13;

/// Sums of forged sizes may leave 64 bits.
void addBytes(std::int64_t& sum, std::int64_t bytes) {
    sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(bytes));
}

std::int64_t notNegative(std::int64_t bytes) { return std::max<std::int64_t>(0, bytes); }

/// Bytes that a pool of a device holds.
struct PoolLevel {
    std::int64_t bytes = 0;        ///< Sum of the blocks that are there.
    std::int64_t total = kNoCell;  ///< As the framework counted last.
};

/// Bytes that all pools of a device hold.
struct DeviceLevel {
    std::int64_t allocated = 0, reserved = 0, nextEvent = 0;
    bool hasDriver = false;
};

class MemscopeWriter {
public:
    MemscopeWriter(const MemscopeDump& dump, const MemscopeBlocks& replayed, RowTablesBuilder& builder)
        : m_dump(dump), m_blocks(replayed.blocks), m_builder(builder),
          m_firstUse(builder.extraColumn(kMemscopeAllocations, kFirstUseColumn)),
          m_longestIdle(builder.extraColumn(kMemscopeAllocations, kMaxIdleColumnLength)),
          m_unusedEnd(builder.extraColumn(kMemscopeAllocations, kUnusedEndColumn)),
          m_samples(builder.batch(kMemscopeSamples)), m_allocations(builder.batch(kMemscopeAllocations)),
          m_events(builder.batch(kMemscopeEvents)), m_blockRows(builder.batch(kMemscopeBlocks)),
          m_at(replayed.blocks.size()) {
        for (const std::string& pool : dump.pools) m_pools.push_back(m_samples.textId(pool));
    }

    bool run(const CancelToken& cancel);

private:
    /// Totals around the allocation and the release of a block, and its places in the history.
    struct Ends {
        std::int64_t allocEvent = kNoCell, freeEvent = kNoCell;
        std::int64_t allocated[2] = {kNoCell, kNoCell}, reserved[2] = {kNoCell, kNoCell};
    };

    void takeBaseline();
    void addEvent(const MemscopeEvent& event);
    void addSample(const MemscopeEvent& event, const PoolLevel& level);
    std::int64_t addHistory(const char* action, const MemscopeEvent& event, std::int64_t size);
    void change(const MemscopeEvent& event);
    void addAllocation(const MemscopeBlock& block, const Ends& ends);
    void addBlock(const MemscopeBlock& block, const Ends& ends);
    bool addHoles(std::span<const std::uint32_t> ofDevice, const CancelToken& cancel);
    bool addEvents(const CancelToken& cancel);
    void addHole(const MemscopeBlock& segment, std::int64_t address, std::int64_t size);
    bool isLive(const MemscopeBlock& block) const { return block.free == kNoMemscopeBlock; }
    /// Whether a block stands in the history as one: what a pool has cut up is a segment.
    static bool isBlock(const MemscopeBlock& block) { return !block.holdsBlocks; }
    void commit(bool isLast) {
        for (RowBatch* batch : {&m_samples, &m_allocations, &m_events, &m_blockRows}) {
            if (batch->size() > 0 && (isLast || batch->size() >= kRowsTogether)) m_builder.commit(*batch);
        }
    }
    static void set(RowBatch& batch, std::size_t column, std::int64_t value) {
        if (value != kNoCell) batch.setInteger(column, value);
    }
    static void setDevice(RowBatch& batch, std::size_t column, std::int32_t device) {
        if (device != kMemscopeHost) batch.setInteger(column, device);
    }

    const MemscopeDump& m_dump;
    const std::vector<MemscopeBlock>& m_blocks;
    RowTablesBuilder& m_builder;
    std::size_t m_firstUse, m_longestIdle, m_unusedEnd;
    RowBatch m_samples, m_allocations, m_events, m_blockRows;
    std::vector<Ends> m_at;
    std::vector<std::int64_t> m_pools;  // cells of their names
    std::map<std::pair<std::int32_t, std::uint16_t>, PoolLevel> m_levels;
    std::map<std::int32_t, DeviceLevel> m_devices;
};

/// Counts blocks that are released without an allocation as there before: else sums would fall below zero.
void MemscopeWriter::takeBaseline() {
    for (const MemscopeBlock& block : m_blocks) {
        DeviceLevel& device = m_devices[block.device];
        device.hasDriver = device.hasDriver || block.isDriver;
        if (block.alloc != kNoMemscopeBlock) continue;
        addBytes(m_levels[{block.device, block.pool}].bytes, block.size);
        if (isBlock(block)) addBytes(device.allocated, block.size);
        if (block.isDriver) addBytes(device.reserved, block.size);
    }
}

void MemscopeWriter::addSample(const MemscopeEvent& event, const PoolLevel& level) {
    constexpr RowKind S = kMemscopeSamples;
    m_samples.addRow();
    m_samples.setTextId(fixedColumn(S, "component"), m_pools[event.pool]);
    m_samples.setInteger(fixedColumn(S, "ts"), event.time);
    const bool isHal = m_dump.pools[event.pool] == "HAL";
    const bool isSample = event.action == MemscopeAction::Sample;
    if (isHal) m_samples.setInteger(fixedColumn(S, "reserved"), notNegative(level.bytes));
    else if (event.used != kNoCell || !isSample)
        m_samples.setInteger(fixedColumn(S, "allocated"),
                             event.used != kNoCell ? event.used : notNegative(level.bytes));
    if (!isHal) set(m_samples, fixedColumn(S, "reserved"), event.total);
    setDevice(m_samples, fixedColumn(S, "device_id"), event.device);
}

std::int64_t MemscopeWriter::addHistory(const char* action, const MemscopeEvent& event, std::int64_t size) {
    constexpr RowKind E = kMemscopeEvents;
    DeviceLevel& device = m_devices[event.device];
    std::int64_t reserved = device.reserved;
    if (!device.hasDriver) {
        reserved = 0;
        for (auto level = m_levels.lower_bound({event.device, 0});
             level != m_levels.end() && level->first.first == event.device; ++level)
            addBytes(reserved, level->second.total == kNoCell ? level->second.bytes : level->second.total);
    }
    m_events.addRow();
    setDevice(m_events, fixedColumn(E, "device_id"), event.device);
    m_events.setInteger(fixedColumn(E, "event_id"), device.nextEvent);
    m_events.setText(fixedColumn(E, "action"), action);
    m_events.setInteger(fixedColumn(E, "address"), event.address);
    set(m_events, fixedColumn(E, "size"), size);
    m_events.setInteger(fixedColumn(E, "allocated"), notNegative(device.allocated));
    m_events.setInteger(fixedColumn(E, "reserved"), notNegative(reserved));
    if (event.stack != kNoCell) m_events.setTextId(fixedColumn(E, "stack"), event.stack);
    m_events.setInteger(fixedColumn(E, "ts"), event.time);
    return device.nextEvent++;
}

/// Entries as the allocators of PyTorch write them; sums are those after each.
void MemscopeWriter::change(const MemscopeEvent& event) {
    const MemscopeBlock& block = m_blocks[event.block];
    Ends& ends = m_at[event.block];
    DeviceLevel& device = m_devices[event.device];
    PoolLevel& level = m_levels[{event.device, event.pool}];
    const bool isAllocation = event.action == MemscopeAction::Allocate;
    const std::int64_t size = block.size;
    addBytes(level.bytes, isAllocation ? size : -size);
    if (event.total != kNoCell) level.total = event.total;
    if (isAllocation) {
        if (block.isDriver) {
            addBytes(device.reserved, size);
            addHistory("segment_alloc", event, size);
        }
        if (isBlock(block)) {
            addBytes(device.allocated, size);
            ends.allocEvent = addHistory("alloc", event, size);
        }
    } else {
        if (isBlock(block)) {
            addBytes(device.allocated, -size);
            addHistory("free_requested", event, size);
            ends.freeEvent = addHistory("free_completed", event, size);
        }
        if (block.isDriver) {
            addBytes(device.reserved, -size);
            addHistory("segment_free", event, size);
        }
    }
    const std::size_t end = isAllocation ? 0 : 1;
    ends.allocated[end] = event.used != kNoCell ? event.used : notNegative(level.bytes);
    ends.reserved[end] = event.total;
}

void MemscopeWriter::addEvent(const MemscopeEvent& event) {
    if (event.action == MemscopeAction::Access) {
        addHistory("access", event, event.size);
        return;
    }
    PoolLevel& level = m_levels[{event.device, event.pool}];
    if (event.action == MemscopeAction::Sample) return addSample(event, level);
    change(event);
    addSample(event, level);
}

void MemscopeWriter::addAllocation(const MemscopeBlock& block, const Ends& ends) {
    constexpr RowKind A = kMemscopeAllocations;
    RowBatch& batch = m_allocations;
    batch.addRow();
    batch.setTextId(fixedColumn(A, "name"), block.owner != kNoCell ? block.owner : m_pools[block.pool]);
    batch.setInteger(fixedColumn(A, "size"), block.size);
    const auto timeOf = [this](std::uint32_t event) {
        return event == kNoMemscopeBlock ? kNoCell : m_dump.events[event].time;
    };
    const std::int64_t begin = timeOf(block.alloc), end = timeOf(block.free);
    set(batch, fixedColumn(A, "alloc_ts"), begin);
    set(batch, fixedColumn(A, "release_ts"), end);
    set(batch, fixedColumn(A, "alloc_allocated"), ends.allocated[0]);
    set(batch, fixedColumn(A, "alloc_reserved"), ends.reserved[0]);
    set(batch, fixedColumn(A, "release_allocated"), ends.allocated[1]);
    set(batch, fixedColumn(A, "release_reserved"), ends.reserved[1]);
    setDevice(batch, fixedColumn(A, "device_id"), block.device);
    if (block.firstAccess == kNoCell) return;
    if (begin != kNoCell) batch.setReal(m_firstUse, static_cast<double>(block.firstAccess - begin));
    batch.setReal(m_longestIdle, static_cast<double>(block.longestIdle));
    if (end != kNoCell && !block.isReplaced) batch.setReal(m_unusedEnd, static_cast<double>(end - block.lastAccess));
}

void MemscopeWriter::addBlock(const MemscopeBlock& block, const Ends& ends) {
    constexpr RowKind B = kMemscopeBlocks;
    RowBatch& batch = m_blockRows;
    batch.addRow();
    setDevice(batch, fixedColumn(B, "device_id"), block.device);
    batch.setInteger(fixedColumn(B, "address"), block.address);
    batch.setInteger(fixedColumn(B, "size"), block.size);
    batch.setInteger(fixedColumn(B, "requested"), block.size);
    batch.setText(fixedColumn(B, "state"), isLive(block) ? "active_allocated" : "freed");
    set(batch, fixedColumn(B, "segment_address"), block.isDriver ? block.address : block.segment);
    set(batch, fixedColumn(B, "alloc_event"), ends.allocEvent);
    set(batch, fixedColumn(B, "free_event"), ends.freeEvent);
    if (block.stack != kNoCell) batch.setTextId(fixedColumn(B, "stack"), block.stack);
}

void MemscopeWriter::addHole(const MemscopeBlock& segment, std::int64_t address, std::int64_t size) {
    constexpr RowKind B = kMemscopeBlocks;
    if (size <= 0) return;
    m_blockRows.addRow();
    setDevice(m_blockRows, fixedColumn(B, "device_id"), segment.device);
    m_blockRows.setInteger(fixedColumn(B, "address"), address);
    m_blockRows.setInteger(fixedColumn(B, "size"), size);
    m_blockRows.setText(fixedColumn(B, "state"), "inactive");
    m_blockRows.setInteger(fixedColumn(B, "segment_address"), segment.address);
}

/// Adds the free memory at the end: that of the driver's blocks that pools hold, between the blocks given out.
bool MemscopeWriter::addHoles(std::span<const std::uint32_t> ofDevice, const CancelToken& cancel) {
    std::vector<const MemscopeBlock*> segments, live;
    for (const std::uint32_t number : ofDevice) {
        const MemscopeBlock& block = m_blocks[number];
        if (!isLive(block)) continue;
        if (block.holdsBlocks) segments.push_back(&block);
        else if (!block.isDriver) live.push_back(&block);
    }
    const auto isBefore = [](const MemscopeBlock* a, const MemscopeBlock* b) {
        return std::pair(a->device, a->address) < std::pair(b->device, b->address);
    };
    std::sort(segments.begin(), segments.end(), isBefore);
    std::sort(live.begin(), live.end(), isBefore);
    auto next = live.begin();
    for (const MemscopeBlock* segment : segments) {
        if (cancel.cancelled()) return false;
        std::int64_t at = segment->address;
        const std::int64_t end = segment->address + segment->size;
        while (next != live.end() && isBefore(*next, segment)) ++next;
        for (; next != live.end() && (*next)->device == segment->device && (*next)->address < end; ++next) {
            addHole(*segment, at, (*next)->address - at);
            at = std::max(at, (*next)->address + (*next)->size);
        }
        addHole(*segment, at, end - at);
        commit(false);
    }
    return true;
}

/// Rows of each device are neighbours, those of the host come first.
template <class DeviceOf>
std::vector<std::uint32_t> byDevice(std::size_t count, const DeviceOf& deviceOf) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return deviceOf(a) < deviceOf(b); });
    return order;
}

bool MemscopeWriter::addEvents(const CancelToken& cancel) {
    std::size_t count = 0;
    for (const std::uint32_t number :
         byDevice(m_dump.events.size(), [this](std::uint32_t i) { return m_dump.events[i].device; })) {
        if (++count % kRowsTogether == 0 && cancel.cancelled()) return false;
        const MemscopeEvent& event = m_dump.events[number];
        // A block whose release is missing is gone when its place is given out again.
        const bool isBlocks = event.block != kNoMemscopeBlock && event.action == MemscopeAction::Allocate;
        if (const std::uint32_t gone = isBlocks ? m_blocks[event.block].replaces : kNoMemscopeBlock;
            gone != kNoMemscopeBlock) {
            MemscopeEvent release = event;
            release.action = MemscopeAction::Free;
            release.block = gone;
            release.total = release.used = release.stack = kNoCell;
            change(release);
        }
        addEvent(event);
        commit(false);
    }
    return true;
}

bool MemscopeWriter::run(const CancelToken& cancel) {
    takeBaseline();
    if (!addEvents(cancel)) return false;
    const auto order = byDevice(m_blocks.size(), [this](std::uint32_t i) { return m_blocks[i].device; });
    for (auto begin = order.begin(); begin != order.end();) {
        const std::int32_t device = m_blocks[*begin].device;
        const auto end =
            std::find_if(begin, order.end(), [&](std::uint32_t i) { return m_blocks[i].device != device; });
        for (const bool wanted : {true, false}) {
            for (auto i = begin; i != end; ++i) {
                if (isBlock(m_blocks[*i]) && isLive(m_blocks[*i]) == wanted) addBlock(m_blocks[*i], m_at[*i]);
                commit(false);
            }
            if (wanted && !addHoles({begin, end}, cancel)) return false;
        }
        if (cancel.cancelled()) return false;
        begin = end;
    }
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        if (i % kRowsTogether == 0 && cancel.cancelled()) return false;
        if (isBlock(m_blocks[i])) addAllocation(m_blocks[i], m_at[i]);
        commit(false);
    }
    commit(true);
    return true;
}

}  // namespace

bool addMemscopeRows(const MemscopeDump& dump, const MemscopeBlocks& blocks, RowTablesBuilder& builder,
                     const CancelToken& cancel) {
    return MemscopeWriter(dump, blocks, builder).run(cancel);
}

}  // namespace altiscope::reader
