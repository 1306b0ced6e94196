#include "core/tables/rows/snapshot_rows.h"

#include "core/analysis/support/saturating.h"

#include <utility>

namespace altiscope {

namespace {

constexpr RowKind kBlockRows = RowKind::SnapshotBlock, kEventRows = RowKind::SnapshotEvent;

std::int64_t storedCell(const RowTable& table, std::size_t column, std::size_t row) {
    return table.integer(column, row).value_or(kAbsentCell);
}

}  // namespace

SnapshotBlockRows::SnapshotBlockRows(std::shared_ptr<const DeviceSnapshot> snapshot)
    : m_snapshot(std::move(snapshot)), m_columns{integerColumn("address", CellUnit::Address),
                                                 integerColumn("requested", CellUnit::Bytes),
                                                 integerColumn("size", CellUnit::Bytes),
                                                 textColumn("state"),
                                                 integerColumn("alloc_event"),
                                                 integerColumn("free_event"),
                                                 integerColumn("lifetime", CellUnit::Count),
                                                 integerColumn("stream"),
                                                 integerColumn("segment_address", CellUnit::Address),
                                                 textColumn("stack")} {
    if (m_snapshot->hasAnnotations) m_columns.push_back(textColumn("annotation"));
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
    case State: return storedCell(*m_snapshot->rows->find(kBlockRows), fixedColumn(kBlockRows, "state"), block.row);
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
    : m_snapshot(std::move(snapshot)), m_columns{integerColumn("event_id"),
                                                 textColumn("action"),
                                                 integerColumn("address", CellUnit::Address),
                                                 integerColumn("size", CellUnit::Bytes),
                                                 integerColumn("stream"),
                                                 integerColumn("allocated", CellUnit::Bytes),
                                                 integerColumn("active", CellUnit::Bytes),
                                                 integerColumn("reserved", CellUnit::Bytes),
                                                 textColumn("stack")} {
    if (!m_snapshot->firstTime && !m_snapshot->hasAnnotations) return;
    const TimeNs origin = m_snapshot->firstTime.value_or(TimeNs{});
    m_columns.push_back({.name = "ts", .type = CellType::Integer, .unit = CellUnit::Time, .origin = origin.value});
    m_columns.push_back(textColumn("annotation"));
}

void SnapshotEventRows::read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const {
    constexpr std::size_t kStored[] = {fixedColumn(kEventRows, "event_id"),  fixedColumn(kEventRows, "action"),
                                       fixedColumn(kEventRows, "address"),   fixedColumn(kEventRows, "size"),
                                       fixedColumn(kEventRows, "stream"),    fixedColumn(kEventRows, "allocated"),
                                       fixedColumn(kEventRows, "allocated"), fixedColumn(kEventRows, "reserved"),
                                       fixedColumn(kEventRows, "stack"),     fixedColumn(kEventRows, "ts"),
                                       fixedColumn(kEventRows, "annotation")};
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
    ColumnTableBuilder builder({integerColumn("address", CellUnit::Address),
                                integerColumn("size", CellUnit::Bytes),
                                integerColumn("stream"),
                                textColumn("pool"),
                                textColumn("kind"),
                                integerColumn("requested", CellUnit::Bytes),
                                integerColumn("used", CellUnit::Bytes),
                                integerColumn("blocks", CellUnit::Count),
                                integerColumn("holes", CellUnit::Count),
                                integerColumn("hole_bytes", CellUnit::Bytes),
                                integerColumn("largest_hole", CellUnit::Bytes),
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
    ColumnTableBuilder builder({textColumn("stack"),
                                integerColumn("growth", CellUnit::Bytes),
                                integerColumn("margin", CellUnit::Bytes),
                                {.name = "fit", .type = CellType::Real, .unit = CellUnit::Share},
                                integerColumn("bytes", CellUnit::Bytes),
                                integerColumn("blocks", CellUnit::Count),
                                integerColumn("block", CellUnit::Bytes),
                                integerColumn("released", CellUnit::Count),
                                textColumn("steady")});
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
    ColumnTableBuilder builder({textColumn("stack"), integerColumn("before", CellUnit::Bytes),
                                integerColumn("after", CellUnit::Bytes), integerColumn("change", CellUnit::Bytes),
                                integerColumn("blocks_before", CellUnit::Count),
                                integerColumn("blocks_after", CellUnit::Count)});
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

std::shared_ptr<const ColumnTable> loneBlockTable(const DeviceSnapshot& before, const DeviceSnapshot& after,
                                                  const std::vector<LoneBlock>& blocks) {
    ColumnTableBuilder builder({textColumn("where"), integerColumn("bytes", CellUnit::Bytes),
                                integerColumn("address", CellUnit::Address), integerColumn("alloc_event"),
                                textColumn("stack")});
    const auto at = [](LoneBlockColumn column) { return static_cast<std::size_t>(column); };
    for (const LoneBlock& one : blocks) {
        const DeviceSnapshot& snapshot = one.isAfter ? after : before;
        const BlockLife& block = snapshot.blocks[one.block];
        builder.addRow();
        builder.setText(at(LoneBlockColumn::Where), one.isAfter ? "after" : "before");
        builder.setInteger(at(LoneBlockColumn::Bytes), one.bytes);
        if (block.address != kNoCell) builder.setInteger(at(LoneBlockColumn::Address), block.address);
        if (block.begin >= 0) builder.setInteger(at(LoneBlockColumn::Allocated), block.begin);
        if (block.stack != 0) builder.setText(at(LoneBlockColumn::Stack), snapshot.stackText(block.stack));
    }
    return builder.finish();
}

std::shared_ptr<const ColumnTable> poolShareTable(const PoolShares& before, const PoolShares& after) {
    ColumnTableBuilder builder({textColumn("share"), integerColumn("before", CellUnit::Bytes),
                                integerColumn("after", CellUnit::Bytes), integerColumn("change", CellUnit::Bytes)});
    const auto at = [](PoolShareColumn column) { return static_cast<std::size_t>(column); };
    for (std::size_t i = 0; i < kPoolShares; ++i) {
        builder.addRow();
        builder.setText(at(PoolShareColumn::Share), poolShareName(static_cast<PoolShare>(i)));
        builder.setInteger(at(PoolShareColumn::Before), before[i]);
        builder.setInteger(at(PoolShareColumn::After), after[i]);
        builder.setInteger(at(PoolShareColumn::Change), saturatedDifference(after[i], before[i]));
    }
    return builder.finish();
}

}  // namespace altiscope
