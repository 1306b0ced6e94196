#include "core/import/snapshot/snapshot_reader.h"

#include "core/base/file.h"
#include "core/base/parallel.h"
#include "core/import/snapshot/pickle_machine.h"
#include "core/import/snapshot/pickle_place.h"
#include "core/import/snapshot/snapshot_rows.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

/// Reads one file; its objects live as long as it.
class SnapshotReading {
public:
    SnapshotReading(const SourceFile& source, TableContext& context) : m_source(source), m_context(context) {}

    Result<Done> run();

private:
    Result<PickleValue> readPickle(const ReadOnlyFile& file, PickleInput::Extent extent);
    Result<Done> addRows(SnapshotContent& content);
    Result<Done> addParts(const SnapshotContent& content, const std::vector<SnapshotHistory>& histories,
                          const StackTexts& texts);
    void tell(std::string_view code, Severity severity, std::uint64_t count, Place place = {}) {
        if (count > 0) m_context.diagnostics.add(code, severity, m_source.name, place, {}, count);
    }
    static Place rowPlace(std::int64_t row) {
        return row == kNoCell ? Place{} : Place{PlaceUnit::Row, static_cast<std::uint64_t>(row)};
    }
    void tellHistory(const SnapshotHistory& history);

    const SourceFile& m_source;
    TableContext& m_context;
    PickleObjects m_objects;
};

Result<PickleValue> SnapshotReading::readPickle(const ReadOnlyFile& file, PickleInput::Extent extent) {
    PickleInput input(file, extent, m_context.chunkBytes, m_context.progress, m_context.cancel);
    auto root = PickleMachine(input, m_objects).run();
    if (root.ok() && input.remaining() > 0)
        tell("snapshot.trailing", Severity::Lost, 1, {PlaceUnit::Byte, input.position()});
    return root;
}

void SnapshotReading::tellHistory(const SnapshotHistory& history) {
    tell("snapshot.workspace", Severity::Repaired, history.workspaces);
    tell("snapshot.misfit", Severity::Info, history.misfits);
    if (history.entries > 0) tell("snapshot.history_late", Severity::Info, history.older);
    tell("snapshot.disagrees", Severity::Info, history.disagreeing, rowPlace(history.firstDisagreeing));
    tell("snapshot.bad_time", Severity::Lost, history.badTimes);
    tell("snapshot.bad_annotation", Severity::Lost, history.badAnnotations);
    tell("snapshot.time_order", Severity::Info, history.backwards, rowPlace(history.firstBackwards));
    if (history.allocated < 0 || history.reserved < 0) tell("snapshot.negative", Severity::Repaired, 1);
}

Result<Done> SnapshotReading::addRows(SnapshotContent& content) {
    std::vector<SnapshotHistory> histories(content.devices.size());
    for (std::size_t i = 0; i < content.devices.size(); ++i) {
        if (!replayHistory(m_objects, content.devices[i], histories[i], m_context.cancel)) return Cancelled{};
        tellHistory(histories[i]);
        content.badTraces += histories[i].badEntries;
    }
    tell("snapshot.bad_entry", Severity::Lost, content.badTraces);
    StackTexts texts;
    if (!stackTexts(m_objects, StackTexts::mostBytes(m_source.size), m_context.builder, texts, m_context.cancel))
        return Cancelled{};
    tell("snapshot.stack_cut", Severity::Lost, texts.cut);

    return addParts(content, histories, texts);
}

/// Pieces of histories and blocks of devices in parallel, in their order.
Result<Done> SnapshotReading::addParts(const SnapshotContent& content, const std::vector<SnapshotHistory>& histories,
                                       const StackTexts& texts) {
    struct Part {
        std::size_t device = 0;
        std::optional<std::size_t> piece;  ///< None: its blocks.
        RowTablesBuilder::Packed rows;
    };
    std::vector<Part> parts;
    for (std::size_t i = 0; i < content.devices.size(); ++i) {
        parts.push_back({i, std::nullopt, {}});
        for (std::size_t piece = 0; piece < histories[i].pieces.size(); ++piece) parts.push_back({i, piece, {}});
    }
    parallelFor(parts.size(), [&](std::size_t number) {
        Part& part = parts[number];
        const SnapshotDevice& device = content.devices[part.device];
        const SnapshotHistory& history = histories[part.device];
        RowBatch batch = m_context.builder.batch(part.piece ? RowKind::SnapshotEvent : RowKind::SnapshotBlock);
        const bool isWhole = part.piece
                                 ? addEventRows(m_objects, device, history, *part.piece, texts, batch, m_context.cancel)
                                 : addBlockRows(m_objects, device, history, texts, batch, m_context.cancel);
        if (isWhole) part.rows = RowTablesBuilder::pack(batch);
    });
    if (m_context.cancel.cancelled()) return Cancelled{};
    for (Part& part : parts) m_context.builder.append(std::move(part.rows));
    return Done{};
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
    tell("snapshot.bad_block", Severity::Lost, content.value().badBlocks);
    return addRows(content.value());
}

}  // namespace

Result<Done> readSnapshot(const SourceFile& file, TableContext& context) {
    const auto reading = std::make_unique<SnapshotReading>(file, context);
    return reading->run();
}

}  // namespace altiscope::reader
