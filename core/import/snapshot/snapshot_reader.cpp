#include "core/import/snapshot/snapshot_reader.h"

#include "core/base/files/file.h"
#include "core/base/threads/parallel.h"
#include "core/import/snapshot/pickle_machine.h"
#include "core/import/snapshot/pickle_place.h"
#include "core/import/snapshot/snapshot_cells.h"

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

/// Lets workers wait for pieces of a history, which are ready from the last to the first.
class PieceGate {
public:
    explicit PieceGate(std::size_t pieces) : m_ready(pieces) {}

    void open(std::size_t piece) {
        {
            const std::lock_guard lock(m_mutex);
            m_ready = piece;
        }
        m_wake.notify_all();
    }
    /// False: it will not be ready any more.
    bool wait(std::size_t piece) {
        std::unique_lock lock(m_mutex);
        m_wake.wait(lock, [&] { return m_ready <= piece || m_isOver; });
        return m_ready <= piece;
    }

    /// Nothing is opened after its end, whatever the reason: no worker waits on.
    class End {
    public:
        explicit End(PieceGate& gate) : m_gate(gate) {}
        ~End() {
            {
                const std::lock_guard lock(m_gate.m_mutex);
                m_gate.m_isOver = true;
            }
            m_gate.m_wake.notify_all();
        }
        End(const End&) = delete;
        End& operator=(const End&) = delete;

    private:
        PieceGate& m_gate;
    };

private:
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::size_t m_ready;  // pieces from it on are
    bool m_isOver = false;
};

/// Reads one file; its objects live as long as it.
class SnapshotReading {
public:
    SnapshotReading(const SourceFile& source, TableContext& context) : m_source(source), m_context(context) {}

    Result<Done> run();

private:
    Result<PickleValue> readPickle(const ReadOnlyFile& file, PickleInput::Extent extent);
    Result<Done> addRows(SnapshotContent& content);
    // False if cancelled.
    bool addEvents(SnapshotDevice& device, SnapshotHistory& history, const StackTexts& texts);
    bool addBlocks(const SnapshotContent& content, const std::vector<SnapshotHistory>& histories,
                   const StackTexts& texts);
    bool addRanges(const SnapshotContent& content);
    void report(std::string_view code, Severity severity, std::uint64_t count, Place place = {},
                const MessageParameters& parameters = {}) {
        if (count > 0) m_context.diagnostics.add(code, severity, m_source.name, place, parameters, count);
    }
    /// Reports faults of entries: one sentence names those of all devices.
    void reportEntries(const SnapshotContent& content, const std::vector<SnapshotHistory>& histories);
    static Place rowPlace(std::int64_t row) {
        return row == kNoCell ? Place{} : Place{PlaceUnit::Row, static_cast<std::uint64_t>(row)};
    }
    void reportHistory(const SnapshotHistory& history);

    const SourceFile& m_source;
    TableContext& m_context;
    PickleObjects m_objects;
};

Result<PickleValue> SnapshotReading::readPickle(const ReadOnlyFile& file, PickleInput::Extent extent) {
    PickleInput input(file, extent, m_context.chunkBytes, m_context.progress, m_context.cancel);
    auto root = PickleMachine(input, m_objects).run();
    if (root.ok() && input.remaining() > 0)
        report("snapshot.trailing", Severity::Lost, 1, {PlaceUnit::Byte, input.position()});
    return root;
}

void SnapshotReading::reportHistory(const SnapshotHistory& history) {
    report("snapshot.workspace", Severity::Repaired, history.workspaces);
    report("snapshot.misfit", Severity::Info, history.misfits);
    if (history.entries > 0) report("snapshot.history_late", Severity::Info, history.older);
    if (history.allocated < 0 || history.reserved < 0) report("snapshot.negative", Severity::Repaired, 1);
}

void SnapshotReading::reportEntries(const SnapshotContent& content, const std::vector<SnapshotHistory>& histories) {
    struct Kind {
        std::string_view code;
        Severity severity;
        std::uint64_t SnapshotHistory::*count;
        std::int64_t SnapshotHistory::*first;
    };
    using H = SnapshotHistory;
    static constexpr Kind kKinds[] = {
        {"snapshot.disagrees", Severity::Info, &H::disagreeing, &H::firstDisagreeing},
        {"snapshot.bad_time", Severity::Lost, &H::badTimes, &H::firstBadTime},
        {"snapshot.bad_entry", Severity::Lost, &H::badEntries, &H::firstBadEntry},
        {"snapshot.bad_annotation", Severity::Lost, &H::badAnnotations, &H::firstBadAnnotation},
        {"snapshot.time_order", Severity::Info, &H::backwards, &H::firstBackwards},
    };
    for (const Kind& kind : kKinds) {
        std::string devices;
        for (std::size_t i = 0; i < histories.size(); ++i) {
            const H& history = histories[i];
            if (history.*kind.count == 0) continue;
            devices += (devices.empty() ? "" : ", ") + std::to_string(content.devices[i].id) + ": " +
                       std::to_string(history.*kind.first);
        }
        if (kind.code == "snapshot.bad_entry" && content.badTraces > 0) {
            // A list that is none has no first entry, and where there are no lists at all, no device.
            const bool isNamed = content.firstBadTrace != kNoCell;
            devices += (devices.empty() ? "" : ", ") + (isNamed ? std::to_string(content.firstBadTrace) + ": -" : "-");
            report(kind.code, kind.severity, content.badTraces, {}, {{"first", devices}});
        }
        for (const H& history : histories)
            report(kind.code, kind.severity, history.*kind.count, rowPlace(history.*kind.first), {{"first", devices}});
    }
}

Result<Done> SnapshotReading::addRows(SnapshotContent& content) {
    StackTexts texts;
    if (!stackTexts(m_objects, StackTexts::mostBytes(m_source.size), m_context.builder, texts, m_context.cancel))
        return Cancelled{};
    std::vector<SnapshotHistory> histories;
    for (SnapshotDevice& device : content.devices) {
        histories.push_back(historyOf(m_objects, device));
        if (!addEvents(device, histories.back(), texts)) return Cancelled{};
        reportHistory(histories.back());
    }
    reportEntries(content, histories);
    report("snapshot.stack_cut", Severity::Lost, texts.cut);
    if (!addBlocks(content, histories, texts) || !addRanges(content)) return Cancelled{};
    return Done{};
}

/// While one worker goes through the history backwards the others make rows of the pieces after it.
bool SnapshotReading::addEvents(SnapshotDevice& device, SnapshotHistory& history, const StackTexts& texts) {
    const std::size_t pieces = history.pieces.size();
    std::vector<RowTablesBuilder::Packed> parts(pieces);
    PieceGate gate(pieces);
    bool isWhole = false;
    // The first body is always begun first, and waits for none of the others.
    parallelFor(1 + pieces, [&](std::size_t number) {
        if (number == 0) {
            const PieceGate::End end(gate);
            isWhole = replayHistory(
                m_objects, device, history, [&gate](std::size_t piece) { gate.open(piece); }, m_context.cancel);
            return;
        }
        const std::size_t piece = pieces - number;
        if (!gate.wait(piece)) return;
        RowBatch batch = m_context.builder.batch(RowKind::SnapshotEvent);
        if (addEventRows(m_objects, device, history, piece, texts, batch, m_context.cancel))
            parts[piece] = RowTablesBuilder::pack(batch);
    });
    if (!isWhole || m_context.cancel.cancelled()) return false;
    for (RowTablesBuilder::Packed& part : parts) m_context.builder.append(std::move(part));
    return true;
}

/// Blocks of devices by parts in parallel, in their order.
bool SnapshotReading::addBlocks(const SnapshotContent& content, const std::vector<SnapshotHistory>& histories,
                                const StackTexts& texts) {
    constexpr std::size_t kPartRows = std::size_t{1} << 17;
    struct Part {
        std::size_t device = 0, first = 0, end = 0;
        RowTablesBuilder::Packed rows;
    };
    std::vector<Part> parts;
    for (std::size_t i = 0; i < content.devices.size(); ++i) {
        const std::size_t rows = content.devices[i].blocks.size() + histories[i].past.size();
        for (std::size_t first = 0; first < rows; first += kPartRows)
            parts.push_back({i, first, std::min(rows, first + kPartRows), {}});
    }
    parallelFor(parts.size(), [&](std::size_t number) {
        Part& part = parts[number];
        RowBatch batch = m_context.builder.batch(RowKind::SnapshotBlock);
        if (addBlockRows(m_objects, content.devices[part.device], histories[part.device], part.first, part.end, texts,
                         batch, m_context.cancel))
            part.rows = RowTablesBuilder::pack(batch);
    });
    if (m_context.cancel.cancelled()) return false;
    for (Part& part : parts) m_context.builder.append(std::move(part.rows));
    return true;
}

bool SnapshotReading::addRanges(const SnapshotContent& content) {
    if (content.ranges.empty()) return true;
    RowBatch batch = m_context.builder.batch(RowKind::SnapshotAnnotation);
    if (!addRangeRows(m_objects, content.ranges, batch, m_context.cancel)) return false;
    m_context.builder.commit(batch);
    return true;
}

Result<Done> SnapshotReading::run() {
    const auto file = ReadOnlyFile::open(m_source.path);
    if (!file.ok()) return file.as<Done>();
    const auto extent = pickleExtent(file.value());
    if (!extent.ok()) return extent.as<Done>();
    m_context.progress.addDone(file.value().size() - extent.value().size);
    const auto root = readPickle(file.value(), extent.value());
    if (!root.ok()) return root.as<Done>();
    constexpr std::uint64_t kFreeItems = std::uint64_t{1} << 20;
    const std::uint64_t mostItems = kFreeItems + extent.value().size / 8;
    auto content = snapshotContent(m_objects, root.value(), mostItems, m_context.cancel);
    if (!content.ok()) return content.as<Done>();
    report("snapshot.bad_block", Severity::Lost, content.value().badBlocks);
    report("snapshot.bad_range", Severity::Lost, content.value().badRanges);
    report("snapshot.bad_frame", Severity::Lost, m_objects.badFrames);
    return addRows(content.value());
}

}  // namespace

Result<Done> readSnapshot(const SourceFile& file, TableContext& context) {
    const auto reading = std::make_unique<SnapshotReading>(file, context);
    return reading->run();
}

}  // namespace altiscope::reader
