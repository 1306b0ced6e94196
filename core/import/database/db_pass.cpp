#include "core/import/database/db_pass.h"

#include "core/base/threads/parallel.h"
#include "core/import/database_lookup/db_position.h"
#include "core/import/sqlite/db_checked.h"

#include <algorithm>
#include <utility>

namespace altiscope::reader {

namespace {

/// Bytes of a row in the file, roughly: turns the bytes that a worker may take at a time into rows.
constexpr std::size_t kRowBytes = 64;
/// Row ids may be as far apart as they like; a table is never cut into more parts.
constexpr std::uint64_t kMaxParts = 4096;

std::uint64_t widthOf(const DbRowRange& rows) {
    return static_cast<std::uint64_t>(rows.last) - static_cast<std::uint64_t>(rows.first) + 1;
}

/// Progress counts the rows that a range of row ids may hold at most; absurd ones must not hide the others.
std::uint64_t expectedRows(const DbRowRange& rows) {
    static constexpr std::uint64_t kMax = std::uint64_t{1} << 40;
    return std::min(widthOf(rows), kMax);
}

std::vector<std::string> columnsOf(const DbScan& scan, const DbTable& table) {
    std::vector<std::string> columns;
    for (const char* column : scan.columns) columns.emplace_back(table.has(column) ? column : "");
    return columns;
}

}  // namespace

std::vector<DbPass::Unit> DbPass::cut(const std::vector<DbScan>& scans) {
    std::vector<Unit> units;
    for (const DbScan& scan : scans) {
        const DbTable* table = m_context.schema.table(scan.table);
        if (table == nullptr || table->empty()) continue;
        const auto missing =
            std::find_if(scan.columns.begin(), scan.columns.begin() + static_cast<std::ptrdiff_t>(scan.needed),
                         [&](const char* column) { return !table->has(column); });
        if (missing != scan.columns.begin() + static_cast<std::ptrdiff_t>(scan.needed)) {
            m_problems.add(DbProblem::MissingColumn, scan.table, -1, *missing);
            continue;
        }
        cutTable(scan, *table, units);
    }
    return units;
}

void DbPass::cutTable(const DbScan& scan, const DbTable& table, std::vector<Unit>& units) {
    const std::uint64_t rowsAtATime = std::max<std::uint64_t>(m_import.chunkBytes / kRowBytes, 1);
    for (const DbRowRange& range : table.ranges()) {
        const bool isDamaged = std::find(table.damaged.begin(), table.damaged.end(), range) != table.damaged.end();
        if (!isDamaged && (range.first < 0 || range.last > kMaxDbRow))
            m_problems.add(DbProblem::RowNumber, scan.table, range.last > kMaxDbRow ? range.last : -1);
        const DbRowRange rows{std::max<std::int64_t>(range.first, 0), std::min(range.last, kMaxDbRow)};
        if (rows.first > rows.last) continue;
        const std::uint64_t width = widthOf(rows);
        // Damaged pages do not tell how many rows they hold; without row ids each part would walk over all before it.
        const bool isWhole = isDamaged || !table.hasRowIds;
        const std::uint64_t parts =
            isWhole ? 1 : std::clamp<std::uint64_t>((width + rowsAtATime - 1) / rowsAtATime, 1, kMaxParts);
        const std::uint64_t step = (width + parts - 1) / parts;
        for (std::uint64_t from = 0; from < width; from += step) {
            const auto begin = rows.first + static_cast<std::int64_t>(from);
            units.push_back({&scan,
                             &table,
                             {begin, begin + static_cast<std::int64_t>(std::min(step, width - from)) - 1},
                             isDamaged});
        }
    }
    if (!table.hasRowIds && scan.code != 0) m_problems.add(DbProblem::NoRowIds, scan.table, -1);
}

Result<std::unique_ptr<DbWorker>> DbPass::borrowWorker() {
    {
        const std::lock_guard lock(m_mutex);
        if (!m_idle.empty()) {
            std::unique_ptr<DbWorker> worker = std::move(m_idle.back());
            m_idle.pop_back();
            return worker;
        }
    }
    auto connection = openDatabase(m_context.file.path, m_context.file.name, &m_import.cancel);
    if (!connection.ok()) return connection.as<std::unique_ptr<DbWorker>>();
    return std::make_unique<DbWorker>(std::move(connection).value(), m_import, m_context);
}

void DbPass::readUnit(const Unit& unit, std::uint64_t order, DbWorker& worker, DbPart& part) {
    const DbScan& scan = *unit.scan;
    rowOfThisWorker = {order, scan.table, -1};
    const auto take = [&](const DbRow& row, std::int64_t number) {
        rowOfThisWorker.row = number;
        scan.take(row, dbPosition(m_context.file.number, scan.code, number), worker, part);
    };
    part.rowsRead = readDbRange(worker.connection.get(), *unit.table, columnsOf(scan, *unit.table), scan.columns,
                                unit.rows, part.problems, m_import.cancel, take)
                        .rows;
    rowOfThisWorker = {};
    for (auto& batch : worker.batches) {
        if (batch && batch->size() > 0) part.tableRows.push_back(RowTablesBuilder::pack(*batch));
    }
}

void DbPass::reportMissing(const std::vector<Unit>& units, const std::vector<DbPart>& parts) {
    for (std::size_t i = 0; i < units.size();) {
        const Unit& first = units[i];
        std::uint64_t rows = 0;
        for (; i < units.size() && units[i].scan == first.scan; ++i) rows += parts[i].rowsRead;
        const bool isCutOff = first.table->firstRow < 0 || first.table->lastRow > kMaxDbRow;
        if (!isCutOff) reportMissingRows(m_context.pages, *first.table, rows, m_problems);
    }
}

void DbPass::reportProgress(const Unit& unit) {
    std::uint64_t covered = 0;
    {
        const std::lock_guard lock(m_mutex);
        if (!unit.isDamaged) m_rowsDone += expectedRows(unit.rows);
        const double share = m_rowsToRead == 0
                                 ? 1.0
                                 : std::min(1.0, static_cast<double>(m_rowsDone) / static_cast<double>(m_rowsToRead));
        covered =
            std::max(m_bytesReported, static_cast<std::uint64_t>(share * static_cast<double>(m_context.file.size)));
        m_import.progress.addDone(covered - std::exchange(m_bytesReported, covered));
    }
    // A picture takes time: workers that come meanwhile read on.
    const std::unique_lock looking(m_pictureMutex, std::try_to_lock);
    if (m_import.committed && looking) m_import.committed(covered);
}

Result<std::vector<DbPart>> DbPass::read(const std::vector<DbScan>& scans) {
    const std::vector<Unit> units = cut(scans);
    std::vector<DbPart> parts(units.size());
    parallelFor(units.size(), [&](std::size_t i) {
        if (m_import.cancel.cancelled()) return;
        auto worker = borrowWorker();
        if (!worker.ok()) {
            const std::lock_guard lock(m_mutex);
            if (worker.failed() && !m_error) m_error = worker.error();
            return;
        }
        readUnit(units[i], m_unitsBefore + i, *worker.value(), parts[i]);
        m_import.builder.commit(dbPosition(m_context.file.number, units[i].scan->code, units[i].rows.first),
                                std::exchange(parts[i].segment, {}));
        {
            const std::lock_guard lock(m_mutex);
            m_idle.push_back(std::move(worker).value());
        }
        reportProgress(units[i]);
    });
    m_unitsBefore += units.size();
    if (m_import.cancel.cancelled()) return Cancelled{};
    if (m_error) return *m_error;
    for (DbPart& part : parts) {
        m_rows += part.rows;
        m_problems.append(part.problems);
        for (auto& rows : part.tableRows) m_import.rows->append(std::move(rows));
        part.tableRows.clear();
    }
    reportMissing(units, parts);
    return parts;
}

}  // namespace altiscope::reader
