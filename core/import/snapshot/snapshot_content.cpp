#include "core/import/snapshot/snapshot_content.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace altiscope::reader {

namespace {

/// More than any device has; sums of so many stay within 64 bits.
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 50;

bool isByteCount(std::int64_t value) { return value >= 0 && value <= kMaxBytes; }

Error contentError(std::string_view code, MessageParameters parameters = {}) {
    return {std::string(code), {}, {}, std::move(parameters)};
}

/// Makes devices of a pickle's objects.
class ContentSorter {
public:
    ContentSorter(const PickleObjects& objects, std::uint64_t mostItems, const CancelToken& cancel)
        : m_objects(objects), m_mostItems(mostItems), m_cancel(cancel) {}

    Result<SnapshotContent> sort(const PickleValue& root);

private:
    struct RawSegment {
        SnapshotSegment segment;
        std::int64_t device = 0;
        PickleValue blocks;
        bool isWhole = false;
    };
    RawSegment segmentOf(std::uint32_t dict) const;
    bool addSegments(std::uint32_t list);
    bool addBlocks(const RawSegment& raw, SnapshotDevice& device);
    void takeHistory(std::uint32_t list, SnapshotBlock& block) const;
    bool addTraces(std::uint32_t list);
    bool addEntries(std::int64_t number, std::uint32_t list);
    bool addRanges(std::uint32_t list);
    /// One border of a range. False if it is none.
    bool addBorder(std::uint32_t dict);
    bool countItem() {
        if (++m_items > m_mostItems) m_error = contentError("snapshot.too_large");
        return !m_error && !m_cancel.cancelled();
    }
    bool isDevice(std::int64_t number) {
        if (number < 0 || number > kMaxDevice)
            m_error = contentError("snapshot.device", {{"device", std::to_string(number)}});
        return !m_error;
    }
    SnapshotDevice& device(std::int64_t number) {
        SnapshotDevice& found = m_devices[number];
        found.id = number;
        return found;
    }

    const PickleObjects& m_objects;
    std::uint64_t m_mostItems, m_items = 0;
    const CancelToken& m_cancel;
    std::map<std::int64_t, SnapshotDevice> m_devices;
    std::unordered_map<std::uint32_t, std::vector<std::size_t>> m_open;  // ranges without an end, by name
    SnapshotContent m_content;
    std::optional<Error> m_error;
};

/// Whether a value that should be a list is something else; None stands for none.
bool isSomethingElse(const PickleValue& value) {
    return value.kind != PickleKind::Nothing && value.kind != PickleKind::Opaque;
}

ContentSorter::RawSegment ContentSorter::segmentOf(std::uint32_t dict) const {
    RawSegment raw;
    bool hasAddress = false, hasSize = false, isOdd = false;
    m_objects.eachValue(dict, [&](SnapshotWord key, const PickleValue& value) {
        const bool isInteger = value.kind == PickleKind::Integer;
        if (key == SnapshotWord::Address && isInteger) {
            raw.segment.address = value.number;
            hasAddress = true;
        } else if (key == SnapshotWord::TotalSize && isInteger) {
            raw.segment.size = value.number;
            hasSize = isByteCount(value.number);
        } else if (key == SnapshotWord::Stream && isInteger) {
            raw.segment.stream = value.number;
        } else if (key == SnapshotWord::Device) {
            isOdd = isOdd || !isInteger;
            raw.device = value.number;
        } else if (key == SnapshotWord::Blocks) {
            raw.blocks = value;
        } else if (key == SnapshotWord::SegmentPoolId && value.kind == PickleKind::Pair) {
            raw.segment.pool = value.index;
        } else if (key == SnapshotWord::IsExpandable && isInteger) {
            raw.segment.isExpandable = value.number != 0 ? 1 : 0;
        }
    });
    raw.isWhole = hasAddress && hasSize && !isOdd;
    return raw;
}

bool ContentSorter::addSegments(std::uint32_t list) {
    for (const std::uint32_t run : m_objects.runsOf(list)) {
        for (const std::uint32_t item : m_objects.items(run)) {
            const PickleValue value = PickleObjects::unpacked(item);
            if (!countItem()) return false;
            const RawSegment raw = value.kind == PickleKind::Dict ? segmentOf(value.index) : RawSegment{};
            if (!raw.isWhole) {
                ++m_content.badBlocks;
                continue;
            }
            if (!isDevice(raw.device)) return false;
            SnapshotDevice& owner = device(raw.device);
            owner.segments.push_back(raw.segment);
            owner.segments.back().firstBlock = owner.blocks.size();
            if (!addBlocks(raw, owner)) return false;
            owner.segments.back().blocks = owner.blocks.size() - owner.segments.back().firstBlock;
        }
    }
    return true;
}

/// PyTorch 2.0 and before: allocations that the block is made of, the last one first.
void ContentSorter::takeHistory(std::uint32_t list, SnapshotBlock& block) const {
    const std::vector<std::uint32_t> runs = m_objects.runsOf(list);
    const PickleValue last = runs.empty() ? PickleValue{} : PickleObjects::unpacked(m_objects.items(runs.front())[0]);
    if (last.kind != PickleKind::Dict) return;
    const PickleValue frames = m_objects.value(last.index, SnapshotWord::Frames),
                      bytes = m_objects.value(last.index, SnapshotWord::RealSize);
    if (block.stack == 0 && frames.kind == PickleKind::Stack) block.stack = frames.index;
    if (block.requested == kNoCell && bytes.kind == PickleKind::Integer && isByteCount(bytes.number))
        block.requested = bytes.number;
}

bool ContentSorter::addBlocks(const RawSegment& raw, SnapshotDevice& owner) {
    if (raw.blocks.kind != PickleKind::List) {
        if (isSomethingElse(raw.blocks)) ++m_content.badBlocks;
        return true;
    }
    std::int64_t next = raw.segment.address;  // Old files do not state addresses of blocks.
    for (const std::uint32_t run : m_objects.runsOf(raw.blocks.index)) {
        for (const std::uint32_t item : m_objects.items(run)) {
            if (!countItem()) return false;
            const PickleValue value = PickleObjects::unpacked(item);
            SnapshotBlock block;
            block.address = next;
            block.segment = raw.segment.address;
            bool hasSize = false, hasState = false;
            PickleValue history;
            const auto take = [&](SnapshotWord key, const PickleValue& one) {
                const bool isInteger = one.kind == PickleKind::Integer;
                if (key == SnapshotWord::Address && isInteger) block.address = one.number;
                if (key == SnapshotWord::Size && isInteger) {
                    block.size = one.number;
                    hasSize = isByteCount(one.number);
                }
                if (key == SnapshotWord::RequestedSize && isInteger && isByteCount(one.number))
                    block.requested = one.number;
                if (key == SnapshotWord::State && one.kind == PickleKind::Text) {
                    block.state = one.index;
                    hasState = true;
                }
                if (key == SnapshotWord::Frames && one.kind == PickleKind::Stack) block.stack = one.index;
                if (key == SnapshotWord::History) history = one;
            };
            if (value.kind == PickleKind::Dict) m_objects.eachValue(value.index, take);
            if (history.kind == PickleKind::List) takeHistory(history.index, block);
            if (!hasSize || !hasState) {
                ++m_content.badBlocks;
                continue;
            }
            // Not past the end of what can be an address.
            next = block.address <= std::numeric_limits<std::int64_t>::max() - block.size ? block.address + block.size
                                                                                          : block.address;
            owner.blocks.push_back(block);
        }
    }
    return true;
}

bool ContentSorter::addEntries(std::int64_t number, std::uint32_t list) {
    std::vector<std::uint32_t> runs = m_objects.runsOf(list);
    if (runs.empty()) return true;
    if (!isDevice(number)) return false;
    for (const std::uint32_t run : runs) {
        m_items += m_objects.items(run).size();
        if (!countItem()) return false;
    }
    device(number).runs = std::move(runs);
    return true;
}

bool ContentSorter::addTraces(std::uint32_t list) {
    std::int64_t number = 0;
    for (const std::uint32_t run : m_objects.runsOf(list)) {
        for (const std::uint32_t item : m_objects.items(run)) {
            const PickleValue value = PickleObjects::unpacked(item);
            if (value.kind != PickleKind::List) {
                if (++m_content.badTraces == 1) m_content.firstBadTrace = number;
            } else if (!addEntries(number, value.index)) {
                return false;
            }
            ++number;
        }
    }
    return true;
}

/// PyTorch writes two entries for a range, one when it begins and one when it ends, and they name no thread: an end
/// belongs to the last one of its name that is open.
bool ContentSorter::addBorder(std::uint32_t dict) {
    NamedRange range;
    std::int64_t time = kNoCell;
    bool hasName = false;
    std::string_view stage;
    m_objects.eachValue(dict, [&](SnapshotWord key, const PickleValue& value) {
        const bool isInteger = value.kind == PickleKind::Integer, isText = value.kind == PickleKind::Text;
        if (key == SnapshotWord::Name && isText) {
            range.name = value.index;
            hasName = true;
        }
        if (key == SnapshotWord::Stage && isText) stage = m_objects.texts.text(value.index);
        if (key == SnapshotWord::TimeUs && isInteger) time = value.number;
        if (key == SnapshotWord::Device && isInteger && value.number >= 0 && value.number <= kMaxDevice)
            range.device = value.number;
    });
    if (!hasName || time == kNoCell) return false;
    std::vector<std::size_t>& open = m_open[range.name];
    if (stage == "END") {
        if (!open.empty()) {
            m_content.ranges[open.back()].end = time;
            open.pop_back();
            return true;
        }
        range.end = time;
    } else {
        range.begin = time;
        if (stage == "START") open.push_back(m_content.ranges.size());
    }
    m_content.ranges.push_back(range);
    return true;
}

bool ContentSorter::addRanges(std::uint32_t list) {
    for (const std::uint32_t run : m_objects.runsOf(list)) {
        for (const std::uint32_t item : m_objects.items(run)) {
            if (!countItem()) return false;
            const PickleValue value = PickleObjects::unpacked(item);
            if (value.kind != PickleKind::Dict || !addBorder(value.index)) ++m_content.badRanges;
        }
    }
    return true;
}

Result<SnapshotContent> ContentSorter::sort(const PickleValue& root) {
    PickleValue segments, traces, ranges;
    if (root.kind == PickleKind::Dict) {
        ranges = m_objects.value(root.index, SnapshotWord::ExternalAnnotations);
        segments = m_objects.value(root.index, SnapshotWord::Segments);
        traces = m_objects.value(root.index, SnapshotWord::DeviceTraces);
    } else if (root.kind == PickleKind::List) {
        segments = root;
    }
    const bool hasTraces = traces.kind == PickleKind::List;
    if (!hasTraces && isSomethingElse(traces)) ++m_content.badTraces;
    if (segments.kind != PickleKind::List) return contentError("snapshot.not_snapshot");
    const bool isWhole = addSegments(segments.index) && (!hasTraces || addTraces(traces.index)) &&
                         (ranges.kind != PickleKind::List || addRanges(ranges.index));
    if (m_error) return *m_error;
    if (!isWhole) return Cancelled{};
    // Other programs have lists too: without a history it is one of memory only if there is a segment in it.
    const bool hasSegments =
        std::any_of(m_devices.begin(), m_devices.end(), [](const auto& one) { return !one.second.segments.empty(); });
    if (!hasTraces && !hasSegments) return contentError("snapshot.not_snapshot");
    for (auto& [number, one] : m_devices) m_content.devices.push_back(std::move(one));
    return std::move(m_content);
}

}  // namespace

bool entryOf(const PickleObjects& objects, std::uint32_t item, SnapshotEntry& entry) {
    const PickleValue dict = PickleObjects::unpacked(item);
    if (dict.kind != PickleKind::Dict) return false;
    if (const PlainEntry* plain = objects.plainEntry(dict.index)) {
        entry.action = static_cast<std::uint32_t>(plain->action);
        entry.stack = plain->stack;
        entry.address = plain->address;
        entry.size = static_cast<std::int64_t>(plain->size);
        entry.stream = plain->stream;
        entry.time = plain->time;
        if (plain->hasAnnotation != 0) entry.annotation = plain->annotation;
        return true;
    }
    bool isOdd = false;
    objects.eachValue(dict.index, [&](SnapshotWord key, const PickleValue& value) {
        const bool isInteger = value.kind == PickleKind::Integer;
        switch (key) {
        case SnapshotWord::Action:
            if (value.kind == PickleKind::Text) entry.action = value.index;
            break;
        case SnapshotWord::Addr:
            if (isInteger) entry.address = value.number;
            break;
        case SnapshotWord::Size:
            isOdd = !isInteger || !isByteCount(value.number);
            entry.size = isOdd ? kNoCell : value.number;
            break;
        case SnapshotWord::Stream:
            if (isInteger) entry.stream = value.number;
            break;
        case SnapshotWord::Frames:
            if (value.kind == PickleKind::Stack) entry.stack = value.index;
            break;
        case SnapshotWord::TimeUs:
            if (isInteger) entry.time = value.number;
            entry.hasBadTime = value.kind == PickleKind::Opaque;
            break;
        case SnapshotWord::DeviceFree:
            if (isInteger && isByteCount(value.number)) entry.deviceFree = value.number;
            break;
        case SnapshotWord::PoolId:
            if (value.kind == PickleKind::Pair) entry.pool = value.index;
            break;
        case SnapshotWord::UserMetadata:
            if (value.kind == PickleKind::Text) entry.annotation = value.index;
            entry.hasBadAnnotation = value.kind == PickleKind::Opaque;
            break;
        default: break;
        }
    });
    return entry.action != SnapshotEntry::kNoText && !isOdd;
}

Result<SnapshotContent> snapshotContent(const PickleObjects& objects, const PickleValue& root, std::uint64_t mostItems,
                                        const CancelToken& cancel) {
    return ContentSorter(objects, mostItems, cancel).sort(root);
}

}  // namespace altiscope::reader
