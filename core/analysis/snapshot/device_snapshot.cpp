#include "core/analysis/snapshot/device_snapshot.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

constexpr RowKind kEventKind = RowKind::SnapshotEvent, kBlockKind = RowKind::SnapshotBlock;
constexpr std::size_t kEventDevice = fixedColumn(kEventKind, "device_id"),
                      kEventAction = fixedColumn(kEventKind, "action"),
                      kEventAddress = fixedColumn(kEventKind, "address"), kEventSize = fixedColumn(kEventKind, "size"),
                      kEventStream = fixedColumn(kEventKind, "stream"),
                      kEventAllocated = fixedColumn(kEventKind, "allocated"),
                      kEventReserved = fixedColumn(kEventKind, "reserved"),
                      kEventStack = fixedColumn(kEventKind, "stack"), kEventTime = fixedColumn(kEventKind, "ts"),
                      kEventAnnotation = fixedColumn(kEventKind, "annotation"),
                      kEventFree = fixedColumn(kEventKind, "device_free"), kEventPool = fixedColumn(kEventKind, "pool");
constexpr std::size_t kBlockDevice = fixedColumn(kBlockKind, "device_id"),
                      kBlockAddress = fixedColumn(kBlockKind, "address"), kBlockSize = fixedColumn(kBlockKind, "size"),
                      kBlockRequested = fixedColumn(kBlockKind, "requested"),
                      kBlockState = fixedColumn(kBlockKind, "state"),
                      kBlockSegment = fixedColumn(kBlockKind, "segment_address"),
                      kBlockAlloc = fixedColumn(kBlockKind, "alloc_event"),
                      kBlockFree = fixedColumn(kBlockKind, "free_event"),
                      kBlockStack = fixedColumn(kBlockKind, "stack"), kBlockStream = fixedColumn(kBlockKind, "stream"),
                      kBlockPool = fixedColumn(kBlockKind, "pool"),
                      kBlockExpandable = fixedColumn(kBlockKind, "expandable");
constexpr std::size_t kSnapshotPoll = std::size_t{1} << 15;
constexpr std::int64_t kGranularity = 512;

/// Rows of each device, which are neighbours. Whole blocks of one device are passed over at once.
void addRowSpans(const RowTable* table, std::size_t column,
                 std::map<std::int64_t, std::pair<std::size_t, std::size_t>>& spans) {
    for (std::size_t row = 0; table != nullptr && row < table->size();) {
        const RowBlock& block = table->block(column, row);
        const std::size_t end = std::min(table->size(), row + RowBlock::kBlock);
        const auto add = [&](std::int64_t device, std::size_t first, std::size_t last) {
            const auto [span, isNew] = spans.try_emplace(device, first, last);
            if (!isNew) span->second.second = last;
        };
        if (block.nulls == RowBlock::Nulls::None && block.min == block.max) {
            add(block.min, row, end);
            row = end;
        } else {
            for (; row < end; ++row) add(table->integer(column, row).value_or(kSnapshotHost), row, row + 1);
        }
    }
}

class SnapshotBuilding {
public:
    SnapshotBuilding(DeviceSnapshot& snapshot, ProgressSlot* progress, const CancelToken& cancel)
        : m_snapshot(snapshot), m_events(snapshot.rows->find(kEventKind)), m_blocks(snapshot.rows->find(kBlockKind)),
          m_progress(progress), m_cancel(cancel) {}

    bool run() {
        nameActions();
        if (!addBlocks()) return false;
        sortBlocks();
        return addSegmentEvents() && addFreeRequests() && addAnnotations() && addRanges() && findFirstTime() && sumUp();
    }

private:
    bool goesOn(std::size_t row) {
        if (row % kSnapshotPoll != 0) return true;
        if (m_progress != nullptr) m_progress->addDone(kSnapshotPoll);
        return !m_cancel.cancelled();
    }
    void nameActions();
    bool addBlocks();
    void addBlock(std::size_t row, std::string_view state);
    void addToSegment(std::size_t row, std::int64_t address, std::int64_t size);
    void sortBlocks();
    bool addSegmentEvents();
    bool addFreeRequests();
    void annotate(BlockLife& block, EventNumber by);
    bool addAnnotations();
    bool addRanges();
    bool findFirstTime();
    /// Whether all cells of a column are absent in the block of a history's row. Then the row after it is `next`.
    bool isBlank(std::size_t column, EventNumber number, EventNumber& next) const;
    bool sumUp();
    std::uint32_t stackNumber(std::optional<StringId> text);

    DeviceSnapshot& m_snapshot;
    const RowTable *m_events, *m_blocks;
    ProgressSlot* m_progress;
    const CancelToken& m_cancel;
    std::unordered_map<std::uint32_t, std::uint32_t> m_stackNumbers, m_annotationNumbers;
    std::map<std::int64_t, SnapshotSegmentEnd> m_segments;  // by address
    std::size_t m_padded = 0, m_unpadded = 0;
};

void SnapshotBuilding::nameActions() {
    for (std::size_t action = 0; action < kSnapshotActions.size(); ++action) {
        const auto id = m_snapshot.rows->texts().find(kSnapshotActions[action]);
        if (!id) continue;
        if (m_snapshot.actionOfText.size() <= id->value)
            m_snapshot.actionOfText.resize(id->value + 1, static_cast<std::uint8_t>(SnapshotAction::Other));
        m_snapshot.actionOfText[id->value] = static_cast<std::uint8_t>(action);
    }
}

std::uint32_t SnapshotBuilding::stackNumber(std::optional<StringId> text) {
    if (!text) return 0;
    const auto [number, isNew] =
        m_stackNumbers.try_emplace(text->value, static_cast<std::uint32_t>(m_snapshot.stacks.size()));
    if (isNew) m_snapshot.stacks.push_back(text->value);
    return number->second;
}

void SnapshotBuilding::addToSegment(std::size_t row, std::int64_t address, std::int64_t size) {
    SnapshotSegmentEnd& segment = m_segments[address];
    segment.address = address;
    addSaturated(segment.size, size);
    segment.stream = m_blocks->integer(kBlockStream, row).value_or(kNoCell);
    segment.pool = m_blocks->text(kBlockPool, row).value_or(StringId{}).value;
    segment.isExpandable = m_blocks->integer(kBlockExpandable, row).value_or(0) != 0;
}

void SnapshotBuilding::addBlock(std::size_t row, std::string_view state) {
    const auto cell = [&](std::size_t column) { return m_blocks->integer(column, row).value_or(kNoCell); };
    const std::int64_t requested = cell(kBlockRequested), size = cell(kBlockSize), made = cell(kBlockAlloc),
                       freed = cell(kBlockFree);
    const bool isPast = state == "freed";
    // An inactive block with an allocation is a workspace, which is in use as a whole.
    const bool isWorkspace = state == "inactive" && made != kNoCell;
    const std::int64_t segment = cell(kBlockSegment);
    if (!isPast && size != kNoCell && segment != kNoCell) addToSegment(row, segment, size);
    if (state == "inactive" && !isWorkspace) return;
    BlockLife block;
    block.address = cell(kBlockAddress);
    block.bytes =
        std::max<std::int64_t>(0, requested == kNoCell || isWorkspace ? (size == kNoCell ? 0 : size) : requested);
    block.size = size;
    block.segment = segment;
    block.stream = cell(kBlockStream);
    block.row = static_cast<std::uint32_t>(row);
    block.stack = stackNumber(m_blocks->text(kBlockStack, row));
    const auto known = [&](std::int64_t event) { return event >= 0 && event < m_snapshot.events; };
    if (known(made)) block.begin = static_cast<EventNumber>(made);
    else ++m_snapshot.older;
    block.end = m_snapshot.events;
    if (isPast) {
        // Nothing says how long it was there: not at all, then.
        if (!known(freed)) ++m_snapshot.lostEnds;
        block.end = known(freed) ? static_cast<EventNumber>(freed) : block.begin;
    }
    block.freeRequested = block.end;
    if (state == "active_pending_free" || state == "active_awaiting_free") block.freeRequested = kBeforeHistory;
    if (!isPast && !isWorkspace && requested > 0 && size != kNoCell) {
        const auto rounded = [&](std::int64_t padding) {
            return (requested + padding + kGranularity - 1) / kGranularity * kGranularity;
        };
        constexpr std::int64_t kPadding = 32;
        if (rounded(0) != rounded(kPadding)) ++(size >= rounded(kPadding) ? m_padded : m_unpadded);
    }
    m_snapshot.blocks.push_back(block);
}

bool SnapshotBuilding::addBlocks() {
    m_snapshot.stacks.push_back(0);
    m_snapshot.blocks.reserve(m_snapshot.where.blocks);
    for (std::size_t i = 0; i < m_snapshot.where.blocks; ++i) {
        if (!goesOn(i)) return false;
        const std::size_t row = m_snapshot.where.firstBlock + i;
        const auto state = m_blocks->text(kBlockState, row);
        if (state) addBlock(row, m_snapshot.rows->text(*state));
    }
    if (m_padded > m_unpadded) m_snapshot.padding = 32;
    for (const auto& [address, segment] : m_segments) m_snapshot.segments.push_back(segment);
    return true;
}

void SnapshotBuilding::sortBlocks() {
    std::vector<BlockLife>& blocks = m_snapshot.blocks;
    std::sort(blocks.begin(), blocks.end(), [](const BlockLife& a, const BlockLife& b) {
        if (a.begin != b.begin) return a.begin < b.begin;
        return a.address != b.address ? a.address < b.address : a.row < b.row;
    });
    m_snapshot.byAddress.resize(blocks.size());
    for (std::size_t i = 0; i < blocks.size(); ++i) m_snapshot.byAddress[i] = static_cast<BlockNumber>(i);
    std::sort(m_snapshot.byAddress.begin(), m_snapshot.byAddress.end(), [&](BlockNumber a, BlockNumber b) {
        return blocks[a].address != blocks[b].address ? blocks[a].address < blocks[b].address : a < b;
    });
}

bool SnapshotBuilding::addSegmentEvents() {
    for (EventNumber number = 0; number < m_snapshot.events; ++number) {
        const std::size_t row = m_snapshot.where.firstEvent + static_cast<std::size_t>(number);
        if (!goesOn(static_cast<std::size_t>(number))) return false;
        const auto text = m_events->text(kEventAction, row);
        if (!text || text->value >= m_snapshot.actionOfText.size()) continue;
        const auto action = static_cast<SnapshotAction>(m_snapshot.actionOfText[text->value]);
        if (action < SnapshotAction::SegmentAlloc || action > SnapshotAction::SegmentUnmap) continue;
        m_snapshot.segmentEvents.push_back(number);
        if (const auto address = m_events->integer(kEventAddress, row)) {
            const auto pool = m_events->text(kEventPool, row);
            m_snapshot.marks.push_back({*address, m_events->integer(kEventStream, row).value_or(kNoCell),
                                        pool ? pool->value : 0, action >= SnapshotAction::SegmentMap});
        }
    }
    // The last one of an address stays.
    std::vector<SnapshotSegmentMark>& marks = m_snapshot.marks;
    std::reverse(marks.begin(), marks.end());
    std::stable_sort(marks.begin(), marks.end(),
                     [](const SnapshotSegmentMark& a, const SnapshotSegmentMark& b) { return a.address < b.address; });
    marks.erase(
        std::unique(marks.begin(), marks.end(),
                    [](const SnapshotSegmentMark& a, const SnapshotSegmentMark& b) { return a.address == b.address; }),
        marks.end());
    return true;
}

/// Streams of blocks, and when their release was requested: nearly always by the entry before its completion.
bool SnapshotBuilding::addFreeRequests() {
    std::unordered_map<std::int64_t, std::vector<BlockNumber>> delayed;  // by address
    for (std::size_t i = 0; i < m_snapshot.blocks.size(); ++i) {
        if (i % kSnapshotPoll == 0 && m_cancel.cancelled()) return false;
        BlockLife& block = m_snapshot.blocks[i];
        if (block.begin >= 0) {
            const std::int64_t stream = m_snapshot.entry(block.begin).stream;
            if (stream != kNoCell) block.stream = stream;
        }
        const bool isPast = block.end < m_snapshot.events;
        if (isPast && block.stream == kNoCell && block.end >= 0) block.stream = m_snapshot.entry(block.end).stream;
        if (!isPast && block.freeRequested == block.end) continue;
        if (isPast && block.end > 0 && block.end > block.begin) {
            const SnapshotEntryView entry = m_snapshot.entry(block.end - 1);
            if (entry.action == SnapshotAction::FreeRequested && entry.address == block.address) {
                block.freeRequested = block.end - 1;
                continue;
            }
        }
        // Without a request in the history it was made before: the block waits from the start.
        if (isPast && block.begin < 0 && block.end >= 0 &&
            m_snapshot.entry(block.end).action == SnapshotAction::FreeCompleted)
            block.freeRequested = kBeforeHistory;
        delayed[block.address].push_back(static_cast<BlockNumber>(i));
    }
    for (EventNumber number = 0; !delayed.empty() && number < m_snapshot.events; ++number) {
        if (!goesOn(static_cast<std::size_t>(number))) return false;
        const SnapshotEntryView entry = m_snapshot.entry(number);
        if (entry.action != SnapshotAction::FreeRequested) continue;
        const auto at = delayed.find(entry.address);
        if (at == delayed.end()) continue;
        // Uses of an address follow each other.
        const auto after = std::partition_point(at->second.begin(), at->second.end(), [&](BlockNumber each) {
            return m_snapshot.blocks[each].begin < number;
        });
        if (after == at->second.begin()) continue;
        BlockLife& block = m_snapshot.blocks[*(after - 1)];
        if (number < block.end) block.freeRequested = number;
    }
    return true;
}

bool SnapshotBuilding::isBlank(std::size_t column, EventNumber number, EventNumber& next) const {
    const std::size_t row = m_snapshot.where.firstEvent + static_cast<std::size_t>(number);
    if (m_events->block(column, row).nulls != RowBlock::Nulls::All) return false;
    const std::size_t nextBlock = (row / RowBlock::kBlock + 1) * RowBlock::kBlock - m_snapshot.where.firstEvent;
    next = static_cast<EventNumber>(std::min(nextBlock, m_snapshot.where.events));
    return true;
}

void SnapshotBuilding::annotate(BlockLife& block, EventNumber by) {
    if (block.annotation != 0) return;
    const auto text = m_events->text(kEventAnnotation, m_snapshot.where.firstEvent + static_cast<std::size_t>(by));
    if (!text) return;
    const auto next = static_cast<std::uint32_t>(m_snapshot.annotations.size());
    const auto [number, isNew] = m_annotationNumbers.try_emplace(text->value, next);
    if (isNew) m_snapshot.annotations.push_back(text->value);
    block.annotation = number->second;
}

bool SnapshotBuilding::addAnnotations() {
    m_snapshot.annotations.push_back(0);
    for (std::size_t i = 0; i < m_snapshot.blocks.size() && m_snapshot.events > 0; ++i) {
        if (i % kSnapshotPoll == 0 && m_cancel.cancelled()) return false;
        BlockLife& block = m_snapshot.blocks[i];
        if (block.begin >= 0) annotate(block, block.begin);
    }
    std::size_t step = 0;
    for (EventNumber number = 0; number < m_snapshot.events;) {
        if (++step % kSnapshotPoll == 0 && m_cancel.cancelled()) return false;
        const EventNumber at = number++;
        if (isBlank(kEventAnnotation, at, number)) continue;
        const std::size_t row = m_snapshot.where.firstEvent + static_cast<std::size_t>(at);
        if (!m_events->text(kEventAnnotation, row)) continue;
        m_snapshot.hasAnnotations = true;
        // An entry that gives and takes nothing names the block at its address.
        const SnapshotEntryView entry = m_snapshot.entry(at);
        if (entry.action != SnapshotAction::Other || entry.address == kNoCell) continue;
        const BlockNumber block = m_snapshot.blockAt(entry.address, at);
        if (block != kNoBlock) annotate(m_snapshot.blocks[block], at);
    }
    return true;
}

bool SnapshotBuilding::addRanges() {
    constexpr RowKind A = RowKind::SnapshotAnnotation;
    const RowTable* table = m_snapshot.rows->find(A);
    for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
        if (row % kSnapshotPoll == 0 && m_cancel.cancelled()) return false;
        const auto name = table->text(fixedColumn(A, "name"), row);
        const auto begin = table->integer(fixedColumn(A, "start_ts"), row),
                   end = table->integer(fixedColumn(A, "end_ts"), row);
        if (!name) continue;
        m_snapshot.ranges.push_back({{{begin.value_or(std::numeric_limits<std::int64_t>::min())},
                                      {end.value_or(std::numeric_limits<std::int64_t>::max())}},
                                     begin.has_value(),
                                     name->value});
    }
    std::stable_sort(m_snapshot.ranges.begin(), m_snapshot.ranges.end(),
                     [](const SnapshotRange& a, const SnapshotRange& b) {
                         return a.time.begin != b.time.begin ? a.time.begin < b.time.begin : a.time.end > b.time.end;
                     });
    return true;
}

bool SnapshotBuilding::findFirstTime() {
    std::size_t step = 0;
    for (EventNumber number = 0; number < m_snapshot.events && !m_snapshot.firstTime;) {
        if (++step % kSnapshotPoll == 0 && m_cancel.cancelled()) return false;
        const EventNumber at = number++;
        if (!isBlank(kEventTime, at, number)) m_snapshot.firstTime = m_snapshot.timeAt(at);
    }
    return true;
}

bool SnapshotBuilding::sumUp() {
    std::vector<std::int64_t>& active = m_snapshot.active;
    active.assign(static_cast<std::size_t>(m_snapshot.events) + 1, 0);
    for (const BlockLife& block : m_snapshot.blocks) {
        if (block.begin >= block.end) continue;
        addSaturated(active[static_cast<std::size_t>(block.begin + 1)], block.bytes);
        if (block.end < m_snapshot.events) addSaturated(active[static_cast<std::size_t>(block.end + 1)], -block.bytes);
    }
    for (std::size_t i = 1; i < active.size(); ++i) {
        if (i % kSnapshotPoll == 0 && m_cancel.cancelled()) return false;
        addSaturated(active[i], active[i - 1]);
    }
    if (m_snapshot.events == 0) {
        m_snapshot.allocatedBefore = active[0];
        for (const SnapshotSegmentEnd& segment : m_snapshot.segments)
            addSaturated(m_snapshot.reservedBefore, segment.size);
        return true;
    }
    const SnapshotEntryView first = m_snapshot.entry(0);
    m_snapshot.allocatedBefore = first.allocated;
    m_snapshot.reservedBefore = first.reserved;
    const std::int64_t size = first.size == kNoCell ? 0 : first.size;
    if (first.action == SnapshotAction::Alloc) m_snapshot.allocatedBefore -= size;
    if (first.action == SnapshotAction::FreeRequested) m_snapshot.allocatedBefore += size;
    if (first.action == SnapshotAction::SegmentAlloc || first.action == SnapshotAction::SegmentMap)
        m_snapshot.reservedBefore -= size;
    if (first.action == SnapshotAction::SegmentFree || first.action == SnapshotAction::SegmentUnmap)
        m_snapshot.reservedBefore += size;
    m_snapshot.allocatedBefore = std::max<std::int64_t>(0, m_snapshot.allocatedBefore);
    m_snapshot.reservedBefore = std::max<std::int64_t>(0, m_snapshot.reservedBefore);
    return true;
}

}  // namespace

std::vector<SnapshotRows> snapshotDevices(const RowTables& rows) {
    std::map<std::int64_t, std::pair<std::size_t, std::size_t>> events, blocks;
    addRowSpans(rows.find(kEventKind), kEventDevice, events);
    addRowSpans(rows.find(kBlockKind), kBlockDevice, blocks);
    std::map<std::int64_t, SnapshotRows> devices;
    for (const auto& [device, span] : events) {
        devices[device].firstEvent = span.first;
        devices[device].events = span.second - span.first;
    }
    for (const auto& [device, span] : blocks) {
        devices[device].firstBlock = span.first;
        devices[device].blocks = span.second - span.first;
    }
    std::vector<SnapshotRows> list;
    for (auto& [device, where] : devices) {
        where.device = device;
        list.push_back(where);
    }
    return list;
}

SnapshotEntryView DeviceSnapshot::entry(EventNumber number) const {
    const RowTable& table = *rows->find(kEventKind);
    const std::size_t row = where.firstEvent + static_cast<std::size_t>(number);
    const auto cell = [&](std::size_t column) { return table.integer(column, row).value_or(kNoCell); };
    const auto text = table.text(kEventAction, row);
    SnapshotEntryView entry;
    if (text && text->value < actionOfText.size())
        entry.action = static_cast<SnapshotAction>(actionOfText[text->value]);
    entry.address = cell(kEventAddress);
    entry.size = cell(kEventSize);
    entry.stream = cell(kEventStream);
    entry.allocated = table.integer(kEventAllocated, row).value_or(0);
    entry.reserved = table.integer(kEventReserved, row).value_or(0);
    if (entry.action == SnapshotAction::OutOfMemory) {
        entry.deviceFree = cell(kEventFree);
        const auto pool = table.text(kEventPool, row);
        entry.pool = pool ? pool->value : 0;
    }
    return entry;
}

std::int64_t DeviceSnapshot::allocatedAt(EventNumber at) const {
    if (at < 0) return allocatedBefore;
    return rows->find(kEventKind)
        ->integer(kEventAllocated, where.firstEvent + static_cast<std::size_t>(at))
        .value_or(0);
}

std::int64_t DeviceSnapshot::reservedAt(EventNumber at) const {
    if (at < 0) return reservedBefore;
    return rows->find(kEventKind)->integer(kEventReserved, where.firstEvent + static_cast<std::size_t>(at)).value_or(0);
}

std::string_view DeviceSnapshot::actionText(EventNumber number) const {
    const auto text = rows->find(kEventKind)->text(kEventAction, where.firstEvent + static_cast<std::size_t>(number));
    return text ? rows->text(*text) : std::string_view();
}

std::string_view DeviceSnapshot::entryStack(EventNumber number) const {
    const auto text = rows->find(kEventKind)->text(kEventStack, where.firstEvent + static_cast<std::size_t>(number));
    return text ? rows->text(*text) : std::string_view();
}

std::string_view DeviceSnapshot::entryAnnotation(EventNumber number) const {
    if (number < 0 || !hasAnnotations) return {};
    const auto text =
        rows->find(kEventKind)->text(kEventAnnotation, where.firstEvent + static_cast<std::size_t>(number));
    return text ? rows->text(*text) : std::string_view();
}

std::vector<std::string_view> DeviceSnapshot::rangesAt(EventNumber number, std::size_t most) const {
    std::vector<std::string_view> names;
    const auto time = ranges.empty() ? std::nullopt : timeAt(number);
    for (std::size_t i = 0; time && i < ranges.size() && ranges[i].time.begin <= *time && names.size() < most; ++i) {
        if (ranges[i].time.contains(*time)) names.push_back(rows->text(StringId{ranges[i].name}));
    }
    return names;
}

std::optional<TimeNs> DeviceSnapshot::timeAt(EventNumber number) const {
    if (number < 0) return std::nullopt;
    const auto time = rows->find(kEventKind)->integer(kEventTime, where.firstEvent + static_cast<std::size_t>(number));
    return time ? std::optional(TimeNs{*time}) : std::nullopt;
}

std::int64_t DeviceSnapshot::roundedSize(std::int64_t requested) const {
    return std::max(kGranularity, (requested + padding + kGranularity - 1) / kGranularity * kGranularity);
}

std::pair<std::size_t, std::size_t> DeviceSnapshot::usesOf(std::int64_t address) const {
    const auto first = std::partition_point(byAddress.begin(), byAddress.end(),
                                            [&](BlockNumber b) { return blocks[b].address < address; });
    const auto last =
        std::partition_point(first, byAddress.end(), [&](BlockNumber b) { return blocks[b].address == address; });
    return {static_cast<std::size_t>(first - byAddress.begin()), static_cast<std::size_t>(last - byAddress.begin())};
}

BlockNumber DeviceSnapshot::blockAt(std::int64_t address, EventNumber at) const {
    // Uses of an address follow each other; a file that contradicts itself may have some that took no time.
    constexpr std::size_t kMaxEmpty = 8;
    const auto [first, last] = usesOf(address);
    const auto begin = byAddress.begin();
    const auto after =
        std::partition_point(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last),
                             [&](BlockNumber block) { return blocks[block].begin <= at; });
    auto i = static_cast<std::size_t>(after - begin);
    for (std::size_t tried = 0; i > first && tried < kMaxEmpty; ++tried) {
        if (blocks[byAddress[--i]].isThereAt(at)) return byAddress[i];
    }
    return kNoBlock;
}

std::shared_ptr<const DeviceSnapshot> deviceSnapshot(std::shared_ptr<const RowTables> rows, std::int64_t device,
                                                     ProgressSlot* progress, const CancelToken& cancel) {
    auto snapshot = std::make_shared<DeviceSnapshot>();
    for (const SnapshotRows& where : snapshotDevices(*rows)) {
        if (where.device == device) snapshot->where = where;
    }
    constexpr std::size_t kMax = std::numeric_limits<EventNumber>::max() - 1;
    if (snapshot->where.events > kMax || snapshot->where.blocks > kMax) return nullptr;
    snapshot->where.device = device;
    snapshot->events = static_cast<EventNumber>(snapshot->where.events);
    if (progress != nullptr) progress->addTotal(snapshot->where.events + snapshot->where.blocks);
    snapshot->rows = std::move(rows);
    if (!SnapshotBuilding(*snapshot, progress, cancel).run()) return nullptr;
    return snapshot;
}

}  // namespace altiscope
