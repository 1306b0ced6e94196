#include "core/import/snapshot/snapshot_cells.h"

#include "core/base/text/text.h"

#include <algorithm>
#include <map>
#include <string>

namespace altiscope::reader {

namespace {

constexpr std::size_t kPollRows = std::size_t{1} << 14;

/// Cells of texts of a pickle.
class WordCells {
public:
    WordCells(const PickleTexts& texts, RowBatch& batch) : m_texts(texts), m_batch(batch) {
        for (const std::string_view word : kSnapshotWords) m_known.push_back(batch.textId(word));
    }
    std::int64_t id(std::uint32_t text) {
        if (text < m_known.size()) return m_known[text];
        const auto [cell, isNew] = m_others.try_emplace(text, 0);
        if (isNew) cell->second = m_batch.textId(repairedUtf8(m_texts.text(text)));
        return cell->second;
    }

private:
    const PickleTexts& m_texts;
    RowBatch& m_batch;
    std::vector<std::int64_t> m_known;
    std::map<std::uint32_t, std::int64_t> m_others;
};

void setIfPresent(RowBatch& batch, std::size_t column, std::int64_t value) {
    if (value != kNoCell) batch.setInteger(column, value);
}

/// Whether a frame has no place: of C++ the recorder often knows no file, and gives "??" and line 0.
bool hasNoPlace(std::string_view file, std::int64_t line) { return line == 0 && (file.empty() || file == "??"); }

}  // namespace

bool stackTexts(const PickleObjects& objects, std::uint64_t mostBytes, RowTablesBuilder& builder, StackTexts& texts,
                const CancelToken& cancel) {
    RowBatch batch = builder.batch(RowKind::SnapshotEvent);
    texts.ids.assign(objects.stacks.size(), kNoCell);
    texts.cut = objects.cutStacks;
    std::uint64_t bytes = 0;
    std::string text;
    for (std::uint32_t stack = 1; stack < objects.stacks.size(); ++stack) {
        if (cancel.cancelled()) return false;
        text.clear();
        bool isCut = false;
        for (const std::uint32_t id : objects.stacks.stack(stack)) {
            const SnapshotFrame& frame = objects.stacks.frame(id);
            const std::string_view file = objects.texts.text(frame.file), name = objects.texts.text(frame.name);
            const std::string line = std::to_string(frame.line);
            isCut = text.size() + file.size() + name.size() + line.size() > StackTexts::kMaxLength;
            if (isCut) break;
            if (!text.empty()) text += '\n';
            if (name.empty() || !hasNoPlace(file, frame.line))
                text.append(file).append(1, '(').append(line).append("): ");
            text.append(name);
        }
        const bool isLeftOut = bytes + text.size() > mostBytes;
        texts.cut += isCut || isLeftOut ? 1 : 0;
        if (text.empty() || isLeftOut) continue;
        bytes += text.size();
        texts.ids[stack] = batch.textId(isValidUtf8(text) ? text : repairedUtf8(text));
    }
    return true;
}

bool addEventRows(const PickleObjects& objects, const SnapshotDevice& device, const SnapshotHistory& history,
                  std::size_t piece, const StackTexts& texts, RowBatch& batch, const CancelToken& cancel) {
    constexpr RowKind K = RowKind::SnapshotEvent;
    constexpr std::size_t kDevice = fixedColumn(K, "device_id"), kEvent = fixedColumn(K, "event_id"),
                          kAction = fixedColumn(K, "action"), kAddress = fixedColumn(K, "address"),
                          kSize = fixedColumn(K, "size"), kStream = fixedColumn(K, "stream"),
                          kAllocated = fixedColumn(K, "allocated"), kReserved = fixedColumn(K, "reserved"),
                          kStack = fixedColumn(K, "stack"), kTime = fixedColumn(K, "ts"),
                          kAnnotation = fixedColumn(K, "annotation"), kDeviceFree = fixedColumn(K, "device_free"),
                          kPool = fixedColumn(K, "pool");
    WordCells words(objects.texts, batch);
    const HistoryPiece& part = history.pieces[piece];
    const bool isLast = piece + 1 == history.pieces.size();
    const std::size_t endRun = isLast ? device.runs.size() : history.pieces[piece + 1].firstRun;
    auto allocated = static_cast<std::uint64_t>(part.allocated), reserved = static_cast<std::uint64_t>(part.reserved);
    std::int64_t number = part.firstEntry;
    for (std::size_t run = part.firstRun; run < endRun; ++run) {
        if (cancel.cancelled()) return false;
        for (const std::uint32_t item : objects.items(device.runs[run])) {
            SnapshotEntry entry;
            const SnapshotChange change = entryOf(objects, item, entry) ? changeOf(entry) : SnapshotChange{};
            allocated += static_cast<std::uint64_t>(change.allocated);
            reserved += static_cast<std::uint64_t>(change.reserved);
            batch.addRow();
            batch.setInteger(kDevice, device.id);
            batch.setInteger(kEvent, number++);
            if (entry.action != SnapshotEntry::kNoText) batch.setTextId(kAction, words.id(entry.action));
            setIfPresent(batch, kAddress, entry.address);
            setIfPresent(batch, kSize, entry.size);
            setIfPresent(batch, kStream, entry.stream);
            batch.setInteger(kAllocated, std::max<std::int64_t>(0, static_cast<std::int64_t>(allocated)));
            batch.setInteger(kReserved, std::max<std::int64_t>(0, static_cast<std::int64_t>(reserved)));
            batch.setTextId(kStack, texts.ids[entry.stack]);
            setIfPresent(batch, kTime, entry.time);
            if (entry.annotation != SnapshotEntry::kNoText) batch.setTextId(kAnnotation, words.id(entry.annotation));
            setIfPresent(batch, kDeviceFree, entry.deviceFree);
            if (entry.pool != SnapshotEntry::kNoText) batch.setTextId(kPool, words.id(entry.pool));
        }
    }
    return true;
}

bool addBlockRows(const PickleObjects& objects, const SnapshotDevice& device, const SnapshotHistory& history,
                  std::size_t first, std::size_t end, const StackTexts& texts, RowBatch& batch,
                  const CancelToken& cancel) {
    constexpr RowKind K = RowKind::SnapshotBlock;
    constexpr std::size_t kDevice = fixedColumn(K, "device_id"), kAddress = fixedColumn(K, "address"),
                          kSize = fixedColumn(K, "size"), kRequested = fixedColumn(K, "requested"),
                          kState = fixedColumn(K, "state"), kSegment = fixedColumn(K, "segment_address"),
                          kAlloc = fixedColumn(K, "alloc_event"), kFree = fixedColumn(K, "free_event"),
                          kStack = fixedColumn(K, "stack"), kStream = fixedColumn(K, "stream"),
                          kPool = fixedColumn(K, "pool"), kExpandable = fixedColumn(K, "expandable");
    WordCells words(objects.texts, batch);
    auto segment = device.segments.begin();
    for (std::size_t i = first; i < std::min(end, device.blocks.size()); ++i) {
        if (batch.size() % kPollRows == 0 && cancel.cancelled()) return false;
        const SnapshotBlock& block = device.blocks[i];
        while (segment->firstBlock + segment->blocks <= i) ++segment;
        batch.addRow();
        setIfPresent(batch, kStream, segment->stream);
        setIfPresent(batch, kExpandable, segment->isExpandable);
        if (segment->pool != SnapshotEntry::kNoText) batch.setTextId(kPool, words.id(segment->pool));
        batch.setInteger(kDevice, device.id);
        batch.setInteger(kAddress, block.address);
        batch.setInteger(kSize, block.size);
        setIfPresent(batch, kRequested, block.requested);
        batch.setTextId(kState, words.id(block.state));
        batch.setInteger(kSegment, block.segment);
        setIfPresent(batch, kAlloc, block.allocEvent);
        batch.setTextId(kStack, texts.ids[block.stack]);
    }
    const std::int64_t freed = batch.textId("freed");
    for (std::size_t i = std::max(first, device.blocks.size()); i < end; ++i) {
        if (batch.size() % kPollRows == 0 && cancel.cancelled()) return false;
        const PastBlock& past = history.past[history.past.size() - 1 - (i - device.blocks.size())];
        batch.addRow();
        batch.setInteger(kDevice, device.id);
        batch.setInteger(kAddress, past.address);
        setIfPresent(batch, kRequested, past.requested);
        batch.setTextId(kState, freed);
        setIfPresent(batch, kSegment, past.segment);
        setIfPresent(batch, kAlloc, past.allocEvent);
        setIfPresent(batch, kFree, past.freeEvent);
        batch.setTextId(kStack, texts.ids[past.stack]);
    }
    return true;
}

bool addRangeRows(const PickleObjects& objects, const std::vector<NamedRange>& ranges, RowBatch& batch,
                  const CancelToken& cancel) {
    constexpr RowKind K = RowKind::SnapshotAnnotation;
    WordCells words(objects.texts, batch);
    for (const NamedRange& range : ranges) {
        if (batch.size() % kPollRows == 0 && cancel.cancelled()) return false;
        batch.addRow();
        setIfPresent(batch, fixedColumn(K, "device_id"), range.device);
        batch.setTextId(fixedColumn(K, "name"), words.id(range.name));
        setIfPresent(batch, fixedColumn(K, "start_ts"), range.begin);
        setIfPresent(batch, fixedColumn(K, "end_ts"), range.end);
    }
    return true;
}

}  // namespace altiscope::reader
