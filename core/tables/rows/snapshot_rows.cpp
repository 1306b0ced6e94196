#include "core/tables/rows/snapshot_rows.h"

#include "core/analysis/support/saturating.h"

#include <utility>

namespace altiscope {

namespace {

constexpr RowKind kBlockRows = RowKind::SnapshotBlock, kEventRows = RowKind::SnapshotEvent;

TableColumn snapshotText(const char* name) { return {.name = name, .type = CellType::Text}; }
TableColumn snapshotInteger(const char* name, CellUnit unit = CellUnit::None) {
    return {.name = name, .type = CellType::Integer, .unit = unit};
}

std::int64_t storedCell(const RowTable& table, std::size_t column, std::size_t row) {
    return table.integer(column, row).value_or(kAbsentCell);
}

}  // namespace

SnapshotBlockRows::SnapshotBlockRows(std::shared_ptr<const DeviceSnapshot> snapshot)
    : m_snapshot(std::move(snapshot)), m_columns{snapshotInteger("address"),
                                                 snapshotInteger("requested", CellUnit::Bytes),
                                                 snapshotInteger("size", CellUnit::Bytes),
                                                 snapshotText("state"),
                                                 snapshotInteger("alloc_event"),
                                                 snapshotInteger("free_event"),
                                                 snapshotInteger("lifetime", CellUnit::Count),
                                                 snapshotInteger("stream"),
                                                 snapshotInteger("segment_address"),
                                                 snapshotText("stack")} {
    if (m_snapshot->hasAnnotations) m_columns.push_back(snapshotText("annotation"));
}

std::int64_t SnapshotBlockRows::valueOf(std::size_t column, const BlockLife& block) const {
    const bool isOlder = block.begin < 0, isFreed = block.end < m_snapshot->events && block.end > block.begin;
    const auto known = [](std::int64_t value) { return value == kNoCell ? kAbsentCell : value; };
    switch (static_cast<Column>(column)) {
    case Address: return known(block.address);
    case Requested: return block.bytes;
    case Size: return known(block.size);
    case Allocated: return isOlder ? kAbsentCell : block.begin;
    case Freed: return isFreed ? block.end : kAbsentCell;
    case Lifetime: return isFreed && !isOlder ? std::int64_t{block.end} - block.begin : kAbsentCell;
    case Stream: return known(block.stream);
    case Segment: return known(block.segment);
    case Stack: return block.stack == 0 ? kAbsentCell : std::int64_t{m_snapshot->stacks[block.stack]};
    case Annotation:
        return block.annotation == 0 ? kAbsentCell : std::int64_t{m_snapshot->annotations[block.annotation]};
    case State: return storedCell(*m_snapshot->rows->find(kBlockRows), rowColumn(kBlockRows, "state"), block.row);
    case kColumns: break;
    }
    return kAbsentCell;
}

void SnapshotBlockRows::read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = valueOf(column, m_snapshot->blocks[first + i]);
}

std::string_view SnapshotBlockRows::text(std::size_t, std::int64_t number) const {
    return m_snapshot->rows->text(StringId{static_cast<std::uint32_t>(number)});
}

std::size_t SnapshotBlockRows::textCount(std::size_t) const { return m_snapshot->rows->texts().size(); }

SnapshotEventRows::SnapshotEventRows(std::shared_ptr<const DeviceSnapshot> snapshot)
    : m_snapshot(std::move(snapshot)), m_columns{snapshotInteger("event_id"),
                                                 snapshotText("action"),
                                                 snapshotInteger("address"),
                                                 snapshotInteger("size", CellUnit::Bytes),
                                                 snapshotInteger("stream"),
                                                 snapshotInteger("allocated", CellUnit::Bytes),
                                                 snapshotInteger("active", CellUnit::Bytes),
                                                 snapshotInteger("reserved", CellUnit::Bytes),
                                                 snapshotText("stack")} {
    if (!m_snapshot->firstTime && !m_snapshot->hasAnnotations) return;
    const TimeNs origin = m_snapshot->firstTime.value_or(TimeNs{});
    m_columns.push_back({.name = "ts", .type = CellType::Integer, .unit = CellUnit::Time, .origin = origin.value});
    m_columns.push_back(snapshotText("annotation"));
}

void SnapshotEventRows::read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const {
    constexpr std::size_t kStored[] = {
        rowColumn(kEventRows, "event_id"),  rowColumn(kEventRows, "action"),    rowColumn(kEventRows, "address"),
        rowColumn(kEventRows, "size"),      rowColumn(kEventRows, "stream"),    rowColumn(kEventRows, "allocated"),
        rowColumn(kEventRows, "allocated"), rowColumn(kEventRows, "reserved"),  rowColumn(kEventRows, "stack"),
        rowColumn(kEventRows, "ts"),        rowColumn(kEventRows, "annotation")};
    const RowTable& table = *m_snapshot->rows->find(kEventRows);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t row = first + i;
        out[i] = column == Active ? m_snapshot->activeAt(static_cast<EventNumber>(row))
                                  : storedCell(table, kStored[column], m_snapshot->where.firstEvent + row);
    }
}

std::string_view SnapshotEventRows::text(std::size_t, std::int64_t number) const {
    return m_snapshot->rows->text(StringId{static_cast<std::uint32_t>(number)});
}

std::size_t SnapshotEventRows::textCount(std::size_t) const { return m_snapshot->rows->texts().size(); }

std::shared_ptr<const ColumnTable> segmentTable(const DeviceSnapshot& snapshot, const PoolState& state) {
    ColumnTableBuilder builder({snapshotInteger("address"),
                                snapshotInteger("size", CellUnit::Bytes),
                                snapshotInteger("stream"),
                                snapshotText("pool"),
                                snapshotText("kind"),
                                snapshotInteger("requested", CellUnit::Bytes),
                                snapshotInteger("used", CellUnit::Bytes),
                                snapshotInteger("blocks", CellUnit::Count),
                                snapshotInteger("holes", CellUnit::Count),
                                snapshotInteger("hole_bytes", CellUnit::Bytes),
                                snapshotInteger("largest_hole", CellUnit::Bytes),
                                {.name = "scattered", .type = CellType::Real, .unit = CellUnit::Share}});
    const auto at = [](SegmentColumn column) { return static_cast<std::size_t>(column); };
    for (const PoolSegment& segment : state.segments) {
        builder.addRow();
        builder.setInteger(at(SegmentColumn::Address), segment.address);
        builder.setInteger(at(SegmentColumn::Size), segment.size);
        if (segment.stream != kNoCell) builder.setInteger(at(SegmentColumn::Stream), segment.stream);
        if (segment.pool != 0) builder.setText(at(SegmentColumn::Pool), snapshot.rows->text(StringId{segment.pool}));
        builder.setText(at(SegmentColumn::Kind), segment.isExpandable ? "expandable" : "fixed");
        builder.setInteger(at(SegmentColumn::Requested), segment.requested);
        builder.setInteger(at(SegmentColumn::Used), segment.used);
        builder.setInteger(at(SegmentColumn::Blocks), static_cast<std::int64_t>(segment.blocks));
        builder.setInteger(at(SegmentColumn::Holes), static_cast<std::int64_t>(segment.holes));
        builder.setInteger(at(SegmentColumn::HoleBytes), segment.holeBytes);
        builder.setInteger(at(SegmentColumn::LargestHole), segment.largestHole);
        if (segment.holeBytes > 0)
            builder.setReal(at(SegmentColumn::Scattered),
                            1 - static_cast<double>(segment.largestHole) / static_cast<double>(segment.holeBytes));
    }
    return builder.finish();
}

std::shared_ptr<const ColumnTable> stackGrowthTable(const DeviceSnapshot& snapshot,
                                                    const std::vector<StackGrowth>& growths) {
    ColumnTableBuilder builder({snapshotText("stack"),
                                snapshotInteger("growth", CellUnit::Bytes),
                                snapshotInteger("margin", CellUnit::Bytes),
                                {.name = "fit", .type = CellType::Real, .unit = CellUnit::Share},
                                snapshotInteger("bytes", CellUnit::Bytes),
                                snapshotInteger("blocks", CellUnit::Count),
                                snapshotInteger("block", CellUnit::Bytes),
                                snapshotInteger("released", CellUnit::Count),
                                snapshotText("steady")});
    const auto at = [](StackGrowthColumn column) { return static_cast<std::size_t>(column); };
    for (const StackGrowth& growth : growths) {
        builder.addRow();
        builder.setText(at(StackGrowthColumn::Stack), snapshot.stackText(growth.stack));
        builder.setInteger(at(StackGrowthColumn::Growth), saturatedRound(growth.growth));
        builder.setInteger(at(StackGrowthColumn::Margin), saturatedRound(growth.margin));
        builder.setReal(at(StackGrowthColumn::Fit), growth.fit);
        builder.setInteger(at(StackGrowthColumn::Bytes), growth.bytes);
        builder.setInteger(at(StackGrowthColumn::Blocks), static_cast<std::int64_t>(growth.blocks));
        builder.setInteger(at(StackGrowthColumn::BlockBytes), growth.blockBytes);
        builder.setInteger(at(StackGrowthColumn::Released), static_cast<std::int64_t>(growth.released));
        builder.setText(at(StackGrowthColumn::Steady), growth.isSteady ? "yes" : "no");
    }
    return builder.finish();
}

std::shared_ptr<const ColumnTable> stackChangeTable(const std::vector<StackChange>& changes) {
    ColumnTableBuilder builder({snapshotText("stack"), snapshotInteger("before", CellUnit::Bytes),
                                snapshotInteger("after", CellUnit::Bytes), snapshotInteger("change", CellUnit::Bytes),
                                snapshotInteger("blocks_before", CellUnit::Count),
                                snapshotInteger("blocks_after", CellUnit::Count)});
    const auto at = [](StackChangeColumn column) { return static_cast<std::size_t>(column); };
    for (const StackChange& change : changes) {
        builder.addRow();
        if (!change.stack.empty()) builder.setText(at(StackChangeColumn::Stack), change.stack);
        builder.setInteger(at(StackChangeColumn::Before), change.before);
        builder.setInteger(at(StackChangeColumn::After), change.after);
        builder.setInteger(at(StackChangeColumn::Change), change.change());
        builder.setInteger(at(StackChangeColumn::BlocksBefore), static_cast<std::int64_t>(change.blocksBefore));
        builder.setInteger(at(StackChangeColumn::BlocksAfter), static_cast<std::int64_t>(change.blocksAfter));
    }
    return builder.finish();
}

}  // namespace altiscope
