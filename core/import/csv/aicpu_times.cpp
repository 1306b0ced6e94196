#include "core/import/csv/aicpu_times.h"

#include "core/base/values/decimal.h"
#include "core/base/values/parse.h"
#include "core/import/contracts/csv_format.h"
#include "core/import/csv/csv_records.h"
#include "core/import/csv/further_columns.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

constexpr auto KE = RowKind::Kernel;
constexpr std::array<std::string_view, 5> kAicpuTimes{"Compute_time", "Memcpy_time", "Task_time", "Dispatch_time",
                                                      "Total_time"};
constexpr std::int64_t kNsOfUs = 1000, kNsOfMs = 1'000'000;

struct AicpuRecord {
    std::string node;
    std::int64_t stream = 0, ts = 0;
    std::array<std::optional<std::int64_t>, kAicpuTimes.size()> times{};  ///< ns
};

/// Old files have all times but those of copying in ms; the header says so.
class AicpuColumns {
public:
    explicit AicpuColumns(const std::vector<std::string>& header) {
        for (std::size_t i = 0; i < header.size(); ++i) {
            const std::string_view unit = csvUnit(header[i]);
            const std::string_view name = trimmed(std::string_view(header[i]).substr(0, header[i].find('(')));
            if (name == "Timestamp") m_ts = i;
            if (name == "Node") m_node = i;
            if (name == "Stream ID") m_stream = i;
            const auto time = std::find(kAicpuTimes.begin(), kAicpuTimes.end(), name);
            if (time == kAicpuTimes.end()) continue;
            const auto place = static_cast<std::size_t>(time - kAicpuTimes.begin());
            m_times[place] = i;
            m_units[place] = unit == "ms" ? kNsOfMs : kNsOfUs;
        }
    }
    std::optional<std::string_view> missing() const {
        return !m_ts       ? std::optional<std::string_view>("Timestamp")
               : !m_node   ? std::optional<std::string_view>("Node")
               : !m_stream ? std::optional<std::string_view>("Stream ID")
                           : std::nullopt;
    }
    std::optional<AicpuRecord> record(const std::vector<std::string>& cells) const {
        if (cells.size() <= std::max({*m_ts, *m_node, *m_stream})) return std::nullopt;
        const auto ts = parseScaled(trimmed(cells[*m_ts]), kNsOfUs), stream = wholeNumber(trimmed(cells[*m_stream]));
        if (!ts || !stream) return std::nullopt;
        AicpuRecord found{std::string(trimmed(cells[*m_node])), *stream, *ts, {}};
        for (std::size_t i = 0; i < kAicpuTimes.size(); ++i) {
            if (!m_times[i]) continue;
            if (*m_times[i] >= cells.size()) return std::nullopt;
            const std::string_view text = trimmed(cells[*m_times[i]]);
            found.times[i] = parseScaled(text, m_units[i]);
            if (!found.times[i] && text != "N/A" && !text.empty()) return std::nullopt;
        }
        return found;
    }

private:
    std::optional<std::size_t> m_ts, m_node, m_stream;
    std::array<std::optional<std::size_t>, kAicpuTimes.size()> m_times{};
    std::array<std::int64_t, kAicpuTimes.size()> m_units{};
};

/// Kernels by stream and name, by their begin.
class KernelFinder {
public:
    explicit KernelFinder(const RowTables& tables) : m_kernels(*tables.find(KE)) {
        for (std::size_t row = 0; row < m_kernels.size(); ++row) {
            const auto ts = m_kernels.integer(fixedColumn(KE, "ts"), row);
            const auto stream = m_kernels.integer(fixedColumn(KE, "stream"), row);
            const auto name = m_kernels.text(fixedColumn(KE, "name"), row);
            if (ts && stream && name) m_rows[{*stream, tables.text(*name)}].emplace_back(*ts, row);
        }
        for (auto& [key, rows] : m_rows) std::sort(rows.begin(), rows.end());
        m_isTaken.resize(m_kernels.size());
    }
    std::optional<std::size_t> take(const AicpuRecord& record) {
        const auto rows = m_rows.find({record.stream, record.node});
        if (rows == m_rows.end()) return std::nullopt;
        auto after =
            std::upper_bound(rows->second.begin(), rows->second.end(), std::pair(record.ts + kNsOfUs, ~std::size_t{0}));
        if (after == rows->second.begin()) return std::nullopt;
        const auto [ts, row] = *--after;
        const std::int64_t dur = m_kernels.integer(fixedColumn(KE, "dur"), row).value_or(0);
        if (record.ts > ts + dur || m_isTaken[row]) return std::nullopt;
        m_isTaken[row] = true;
        return row;
    }

private:
    const RowTable& m_kernels;
    std::map<std::pair<std::int64_t, std::string_view>, std::vector<std::pair<std::int64_t, std::size_t>>> m_rows;
    std::vector<bool> m_isTaken;
};

}  // namespace

RowTables withAicpuTimes(const RowTables& tables, const SourceFile& file, TableContext& context) {
    std::optional<AicpuColumns> columns;
    std::vector<std::pair<AicpuRecord, std::uint64_t>> records;
    const auto bad = [&](const CsvRecord& record) {
        context.diagnostics.add("table.broken", Severity::Lost, file.name, {PlaceUnit::Row, record.row},
                                {{"what", std::string(kAicpuFormat)}});
    };
    const auto read =
        eachCsvRecord(file, &context.diagnostics, context.progress, context.cancel, [&](CsvRecord& record) {
            if (!columns) {
                if (holdsValues(record)) bad(record);
                columns.emplace(record.cells);
            } else if (!columns->missing()) {
                auto one = columns->record(record.cells);
                if (one) records.emplace_back(*std::move(one), record.row);
                else bad(record);
            }
        });
    if (!read.ok() && !read.cancelled())
        context.diagnostics.add(read.error().code, Severity::Lost, file.name, {}, read.error().parameters);
    if (columns && columns->missing())
        context.diagnostics.add("csv.no_column", Severity::Lost, file.name, {PlaceUnit::Row, 1},
                                {{"column", std::string(*columns->missing())}});
    const RowTable* kernels = tables.find(KE);
    if (kernels == nullptr || records.empty()) return tables;
    std::array<std::vector<std::int64_t>, kAicpuTimes.size()> values;
    for (auto& column : values) column.assign(kernels->size(), kNoCell);
    KernelFinder finder(tables);
    for (const auto& [record, row] : records) {
        const auto kernel = finder.take(record);
        if (!kernel) {
            context.diagnostics.add("table.no_kernel", Severity::Info, file.name, {PlaceUnit::Row, row});
            continue;
        }
        for (std::size_t i = 0; i < kAicpuTimes.size(); ++i) {
            if (record.times[i])
                values[i][*kernel] = std::bit_cast<std::int64_t>(static_cast<double>(*record.times[i]));
        }
    }
    RowTables with = tables;
    for (std::size_t i = 0; i < kAicpuTimes.size(); ++i)
        with = withRealColumn(with, KE, std::string(kAicpuTimes[i]), values[i]);
    return with;
}

}  // namespace altiscope::reader
