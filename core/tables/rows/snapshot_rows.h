#pragma once

#include "core/analysis/snapshot/device_snapshot.h"
#include "core/analysis/snapshot/pool_state.h"
#include "core/analysis/snapshot/stack_growth.h"
#include "core/analysis/snapshot/stack_tree.h"
#include "core/analysis/snapshot/state_difference.h"
#include "core/tables/sources/column_table.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace altiscope {

/// Blocks of a device as a table, in the order of their allocation; row = BlockNumber. Read in place.
class SnapshotBlockRows : public TableSource {
public:
    enum Column : std::size_t {
        Address,
        Requested,
        Size,
        State,
        Allocated,
        Freed,
        Lifetime,  ///< Entries from allocation to release, of those whose both are known.
        Stream,
        Segment,
        Stack,
        Annotation,  ///< There only if the history has annotations.
        kColumns
    };
    explicit SnapshotBlockRows(std::shared_ptr<const DeviceSnapshot> snapshot);

    const DeviceSnapshot& snapshot() const { return *m_snapshot; }
    std::size_t rowCount() const override { return m_snapshot->blocks.size(); }
    std::span<const TableColumn> columns() const override { return m_columns; }
    void read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const override;
    std::string_view text(std::size_t column, std::int64_t number) const override;
    std::size_t textCount(std::size_t column) const override;

private:
    std::int64_t valueOf(std::size_t column, const BlockLife& block) const;

    std::shared_ptr<const DeviceSnapshot> m_snapshot;
    std::vector<TableColumn> m_columns;
};

/// The history of a device as a table; row = EventNumber. Read in place.
class SnapshotEventRows : public TableSource {
public:
    enum Column : std::size_t {
        Event,
        Action,
        Address,
        Size,
        Stream,
        Allocated,
        Active,
        Reserved,
        Stack,
        // There only if the history has times or annotations.
        Time,
        Annotation,
        kColumns
    };
    explicit SnapshotEventRows(std::shared_ptr<const DeviceSnapshot> snapshot);

    std::size_t rowCount() const override { return static_cast<std::size_t>(m_snapshot->events); }
    std::span<const TableColumn> columns() const override { return m_columns; }
    void read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const override;
    std::string_view text(std::size_t column, std::int64_t number) const override;
    std::size_t textCount(std::size_t column) const override;

private:
    std::shared_ptr<const DeviceSnapshot> m_snapshot;
    std::vector<TableColumn> m_columns;
};

/// Columns of segmentTable().
enum class SegmentColumn : std::size_t {
    Address,
    Size,
    Stream,
    Pool,  ///< "(0, 0)": the common one.
    Kind,  ///< "expandable" or "fixed".
    Requested,
    Used,
    Blocks,
    Holes,
    HoleBytes,
    LargestHole,
    Scattered  ///< Share of the free bytes that is not in the largest hole.
};
/// Segments of a state; row = index in PoolState::segments.
std::shared_ptr<const ColumnTable> segmentTable(const DeviceSnapshot& snapshot, const PoolState& state);

/// Columns of stackGrowthTable().
enum class StackGrowthColumn : std::size_t {
    Stack,
    Growth,  ///< Bytes per step, or per StackGrowth::kEntries entries.
    Margin,
    Fit,
    Bytes,
    Blocks,
    BlockBytes,
    Released,
    Steady  ///< "yes" or "no": StackGrowth::isSteady.
};
/// Row = index in `growths`.
std::shared_ptr<const ColumnTable> stackGrowthTable(const DeviceSnapshot& snapshot,
                                                    const std::vector<StackGrowth>& growths);

/// Columns of stackChangeTable().
enum class StackChangeColumn : std::size_t { Stack, Before, After, Change, BlocksBefore, BlocksAfter };
std::shared_ptr<const ColumnTable> stackChangeTable(const std::vector<StackChange>& changes);

/// Columns of loneBlockTable().
enum class LoneBlockColumn : std::size_t {
    Where,  ///< "before" or "after".
    Bytes,
    Address,
    Allocated,  ///< Entry of its own snapshot; absent: before the history.
    Stack
};
/// Row = index in `blocks`.
std::shared_ptr<const ColumnTable> loneBlockTable(const DeviceSnapshot& before, const DeviceSnapshot& after,
                                                  const std::vector<LoneBlock>& blocks);

/// Columns of poolShareTable().
enum class PoolShareColumn : std::size_t { Share, Before, After, Change };
/// Row = PoolShare.
std::shared_ptr<const ColumnTable> poolShareTable(const PoolShares& before, const PoolShares& after);

}  // namespace altiscope
