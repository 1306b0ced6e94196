#include "core/import/database/db_memory_rows.h"
#include "core/store/rows/row_kinds.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace altiscope::reader {

std::string_view memoryWord(const DbContext& context, std::int64_t id) {
    const auto known = context.memoryWords.find(id);
    return known != context.memoryWords.end() ? std::string_view(known->second) : context.texts.text(id);
}

namespace {

constexpr auto kSampleRows = RowKind::MemorySample;
constexpr auto kAllocationRows = RowKind::Allocation;
constexpr auto kModuleRows = RowKind::ModuleMemory;

void setCell(RowBatch& batch, std::size_t column, std::optional<std::int64_t> value) {
    if (value && *value != kNoCell) batch.setInteger(column, *value);
}

/// -1 stands for a device that is not known.
template <RowKind Kind>
void setDevice(RowBatch& batch, std::int64_t device) {
    static constexpr std::size_t kColumn = rowColumn(Kind, "device_id");
    if (0 <= device && device <= kMaxDevice) batch.setInteger(kColumn, device);
}
template <RowKind Kind>
void setDevice(RowBatch& batch, const DbRow& row, int column) {
    const std::int64_t device = row.integerOr(column, -1);
    setDevice<Kind>(batch, device);
    if (device > kMaxDevice) row.problem(DbProblem::OddType, column);
}

DbScan sampleScan() {
    const auto take = [](const DbRow& row, SourcePos, DbWorker& worker, DbPart& part) {
        const auto time = row.neededTime(0);
        if (!time) return;
        RowBatch& batch = worker.batch(kSampleRows);
        batch.addRow();
        ++part.rows;
        batch.setInteger(fixedColumn(kSampleRows, "ts"), *time);
        const std::int64_t component = worker.rowTexts.name(batch, row.nameId(1));
        batch.setTextId(fixedColumn(kSampleRows, "component"), component);
        const auto allocated = row.total(2), reserved = row.total(3), active = row.total(4), stream = row.cell(5);
        setCell(batch, fixedColumn(kSampleRows, "allocated"), allocated);
        setCell(batch, fixedColumn(kSampleRows, "reserved"), reserved);
        setCell(batch, fixedColumn(kSampleRows, "stream"), stream);
        setDevice<kSampleRows>(batch, row, 6);
        // The graph engine knows no streams and not what is active; the column is filled up with zeros there.
        const bool isFiller = !stream && active == 0 && component == batch.textId("GE");
        if (!isFiller) setCell(batch, fixedColumn(kSampleRows, "active"), active);
    };
    return {"MEMORY_RECORD",
            0,
            {"timestamp", "component", "totalAllocated", "totalReserved", "totalActive", "streamPtr", "deviceId"},
            2,
            take};
}

DbScan allocationScan() {
    static constexpr std::size_t kNumbers[] = {fixedColumn(kAllocationRows, "size"),
                                               fixedColumn(kAllocationRows, "alloc_ts"),
                                               fixedColumn(kAllocationRows, "release_ts"),
                                               fixedColumn(kAllocationRows, "active_release_ts"),
                                               fixedColumn(kAllocationRows, "alloc_allocated"),
                                               fixedColumn(kAllocationRows, "alloc_reserved"),
                                               fixedColumn(kAllocationRows, "alloc_active"),
                                               fixedColumn(kAllocationRows, "release_allocated"),
                                               fixedColumn(kAllocationRows, "release_reserved"),
                                               fixedColumn(kAllocationRows, "release_active"),
                                               fixedColumn(kAllocationRows, "stream")};
    // With which column each number comes: a size with a name, totals with the time of the allocation, the release, or
    // Columns of the table. A size is below 0 where a release has no allocation; totals are not.
    static constexpr int kAllocated = 2, kReleased = 3, kActiveReleased = 4, kFirstTotal = 5, kLastTotal = 10;
    const auto take = [](const DbRow& row, SourcePos, DbWorker& worker, DbPart& part) {
        RowBatch& batch = worker.batch(kAllocationRows);
        batch.addRow();
        ++part.rows;
        setKnownText(batch, fixedColumn(kAllocationRows, "name"), worker.rowTexts.name(batch, row.nameId(0)));
        const auto begin = row.cell(kAllocated);
        for (std::size_t i = 0; i < std::size(kNumbers); ++i) {
            const int column = static_cast<int>(i) + 1;
            const bool isTotal = kFirstTotal <= column && column <= kLastTotal;
            const auto value = isTotal ? row.total(column) : row.cell(column);
            const bool isEnd = column == kReleased || column == kActiveReleased;
            const bool isNoSize = column == 1 && value && *value < 0 && begin;
            if (isNoSize || (isEnd && value && begin && *value < *begin)) row.problem(DbProblem::OddNumber, column);
            else setCell(batch, kNumbers[i], value);
        }
        setDevice<kAllocationRows>(batch, row, static_cast<int>(std::size(kNumbers)) + 1);
    };
    return {"OP_MEMORY",
            0,
            {"name", "size", "allocationTime", "releaseTime", "activeReleaseTime", "allocationTotalAllocated",
             "allocationTotalReserved", "allocationTotalActive", "releaseTotalAllocated", "releaseTotalReserved",
             "releaseTotalActive", "streamPtr", "deviceId"},
            2,
            take};
}

DbScan moduleScan(const DbContext& context) {
    const auto take = [&context](const DbRow& row, SourcePos, DbWorker& worker, DbPart& part) {
        const auto time = row.neededTime(0);
        if (!time) return;
        RowBatch& batch = worker.batch(kModuleRows);
        batch.addRow();
        ++part.rows;
        batch.setInteger(fixedColumn(kModuleRows, "ts"), *time);
        if (const auto module = row.integer(1)) {
            const auto known = context.modules.find(*module);
            setAnyText(batch, fixedColumn(kModuleRows, "component"),
                       known != context.modules.end() ? known->second : std::to_string(*module));
        }
        setCell(batch, fixedColumn(kModuleRows, "reserved"), row.cell(2));
        setDevice<kModuleRows>(batch, row, 3);
    };
    return {"NPU_MODULE_MEM", 0, {"timestampNs", "moduleId", "totalReserved", "deviceId"}, 2, take};
}

DbScan eventScan(const DbContext& context) {
    const auto take = [&context](const DbRow& row, SourcePos, DbWorker& worker, DbPart& part) {
        const auto time = row.neededTime(0);
        if (!time) return;
        const auto allocated = row.total(5), reserved = row.total(6);
        RowBatch& batch = worker.batch(kSampleRows);
        batch.addRow();
        ++part.rows;
        batch.setInteger(fixedColumn(kSampleRows, "ts"), *time);
        batch.setTextId(fixedColumn(kSampleRows, "component"), worker.rowTexts.name(batch, row.integerOr(7, -1)));
        setCell(batch, fixedColumn(kSampleRows, "allocated"), allocated);
        setCell(batch, fixedColumn(kSampleRows, "reserved"), reserved);
        setDevice<kSampleRows>(batch, row, 8);
        const std::string_view type = memoryWord(context, row.integerOr(3, -1));
        part.memoryEvents.push_back({*time, row.integerOr(1, -1), row.integerOr(2, 0), row.integerOr(4, kNoCell),
                                     allocated.value_or(kNoCell), reserved.value_or(kNoCell), row.integerOr(8, -1),
                                     type == "release"});
    };
    return {"NPU_OP_MEM",
            0,
            {"timestampNs", "operatorName", "addr", "type", "size", "totalAllocate", "totalReserve", "component",
             "deviceId"},
            4,
            take};
}

}  // namespace

std::vector<DbScan> memoryScans(const DbContext& context) {
    std::vector<DbScan> scans{sampleScan(), allocationScan(), moduleScan(context)};
    // The framework's tables hold what the graph engine did, too.
    if (!context.schema.filled("MEMORY_RECORD") && !context.schema.filled("OP_MEMORY"))
        scans.push_back(eventScan(context));
    return scans;
}

DbScan withProcessMemory(DbScan counter, const DbContext& context) {
    const auto columnOf = [&counter](std::string_view name) {
        return static_cast<int>(std::find(counter.columns.begin(), counter.columns.end(), name) -
                                counter.columns.begin());
    };
    const int time = columnOf("timestampNs"), type = columnOf("type"), reserved = columnOf("hbm"),
              device = columnOf("deviceId");
    const DbTable* table = context.schema.table(counter.table);
    const bool hasTypes = table != nullptr && table->has("type");
    counter.take = [&context, take = std::move(counter.take), time, type, reserved, hasTypes,
                    device](const DbRow& row, SourcePos pos, DbWorker& worker, DbPart& part) {
        take(row, pos, worker, part);
        // Faults of the row were reported with its counters.
        DbProblemLog ignored;
        const DbRow silent = row.loggedTo(ignored);
        const auto at = silent.neededTime(time);
        const auto bytes = silent.cell(reserved);
        if (!at || !bytes || memoryWord(context, hasTypes ? row.nameId(type) : -1) != "app") return;
        RowBatch& batch = worker.batch(kSampleRows);
        batch.addRow();
        ++part.rows;
        batch.setInteger(fixedColumn(kSampleRows, "ts"), *at);
        batch.setText(fixedColumn(kSampleRows, "component"), "APP");
        batch.setInteger(fixedColumn(kSampleRows, "reserved"), *bytes);
        setDevice<kSampleRows>(batch, silent, device);
    };
    return counter;
}

void addMemoryEvents(std::vector<DbMemoryEvent> events, const DbContext& context, RowTablesBuilder& rows) {
    std::stable_sort(events.begin(), events.end(),
                     [](const DbMemoryEvent& a, const DbMemoryEvent& b) { return a.time < b.time; });
    struct Allocation {
        const DbMemoryEvent *begin, *end;
    };
    std::vector<Allocation> found;
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::size_t> open;  // by device, address and name
    for (const DbMemoryEvent& event : events) {
        const std::tuple key{event.device, event.address, event.name};
        const auto known = open.find(key);
        if (!event.isRelease) {
            open[key] = found.size();
            found.push_back({&event, nullptr});
        } else if (known == open.end()) {
            found.push_back({nullptr, &event});
        } else {
            found[known->second].end = &event;
            open.erase(known);
        }
    }
    RowBatch batch = rows.batch(kAllocationRows);
    DbRowTexts texts(context.texts);
    for (const Allocation& one : found) {
        const DbMemoryEvent& first = one.begin != nullptr ? *one.begin : *one.end;
        batch.addRow();
        batch.setTextId(fixedColumn(kAllocationRows, "name"), texts.name(batch, first.name));
        setDevice<kAllocationRows>(batch, first.device);
        if (first.size != kNoCell)
            batch.setInteger(fixedColumn(kAllocationRows, "size"), one.begin != nullptr ? first.size : -first.size);
        if (one.begin != nullptr) {
            batch.setInteger(fixedColumn(kAllocationRows, "alloc_ts"), one.begin->time);
            setCell(batch, fixedColumn(kAllocationRows, "alloc_allocated"), one.begin->allocated);
            setCell(batch, fixedColumn(kAllocationRows, "alloc_reserved"), one.begin->reserved);
        }
        if (one.end == nullptr) continue;
        batch.setInteger(fixedColumn(kAllocationRows, "release_ts"), one.end->time);
        setCell(batch, fixedColumn(kAllocationRows, "release_allocated"), one.end->allocated);
        setCell(batch, fixedColumn(kAllocationRows, "release_reserved"), one.end->reserved);
    }
    rows.commit(batch);
}

}  // namespace altiscope::reader
