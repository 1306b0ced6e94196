#pragma once

#include "core/base/threads/parallel.h"
#include "core/store/rows/row_builder.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope::test {

using Cell = std::optional<std::int64_t>;

struct SampleRow {
    std::string component;
    Cell time{}, allocated{}, reserved{}, active{}, stream{};
};

struct AllocationRow {
    std::string name;
    Cell size{}, allocated{}, released{};
};

/// Seals what `fill` puts into a batch of a kind.
template <class Fill>
std::shared_ptr<const RowTables> sealedRows(RowKind kind, Fill fill) {
    WorkerArena arena(2);
    std::shared_ptr<const RowTables> tables;
    arena.run([&] {
        RowTablesBuilder builder;
        RowBatch batch = builder.batch(kind);
        fill(batch);
        builder.commit(batch);
        tables = builder.seal({}).value();
    });
    return tables;
}

inline void setCell(RowBatch& batch, const char* column, Cell value) {
    if (value) batch.setInteger(rowColumn(batch.kind(), column), *value);
}

inline std::shared_ptr<const RowTables> sampleRows(const std::vector<SampleRow>& rows) {
    return sealedRows(RowKind::MemorySample, [&](RowBatch& batch) {
        for (const SampleRow& row : rows) {
            batch.addRow();
            batch.setText(fixedColumn(RowKind::MemorySample, "component"), row.component);
            setCell(batch, "ts", row.time);
            setCell(batch, "allocated", row.allocated);
            setCell(batch, "reserved", row.reserved);
            setCell(batch, "active", row.active);
            setCell(batch, "stream", row.stream);
        }
    });
}

inline std::shared_ptr<const RowTables> allocationTable(const std::vector<AllocationRow>& rows) {
    return sealedRows(RowKind::Allocation, [&](RowBatch& batch) {
        for (const AllocationRow& row : rows) {
            batch.addRow();
            batch.setText(fixedColumn(RowKind::Allocation, "name"), row.name);
            setCell(batch, "size", row.size);
            setCell(batch, "alloc_ts", row.allocated);
            setCell(batch, "release_ts", row.released);
        }
    });
}

}  // namespace altiscope::test
