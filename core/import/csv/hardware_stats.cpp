#include "core/import/csv/hardware_stats.h"

#include "core/base/text/text.h"
#include "core/base/values/decimal.h"
#include "core/base/values/parse.h"
#include "core/import/csv/csv_problems.h"
#include "core/import/csv/csv_records.h"
#include "core/store/rows/row_builder.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

constexpr std::string_view kFiles[] = {
    "hbm",
    "ddr",
    "hccs",
    "pcie",
    "nic",
    "roce",
    "llc_read_write",
    "llc_bandwidth",
    "llc_aicpu",
    "llc_ctrlcpu",
    "dvpp",
    "ai_core_utilization",
    "ai_vector_core_utilization",
    "cpu_usage",
    "process_cpu_usage",
    "sys_mem",
    "process_mem",
    "host_cpu_usage",
    "host_mem_usage",
    "host_disk_usage",
    "host_network_usage",
    "os_runtime_statistic",
    "ai_cpu_top_function",
    "ctrl_cpu_top_function",
    "ts_cpu_top_function",
    "ai_cpu_pmu_events",
    "ctrl_cpu_pmu_events",
    "ts_cpu_pmu_events",
    "task_time",  // of the first generation of chips
};

/// Columns that say whose numbers the others are.
constexpr std::string_view kItems[] = {"Metric",    "Mode",    "Task",     "Core ID", "Dvpp Id", "Engine Type",
                                       "Engine ID", "funcId",  "Cpu Type", "PID",     "Name",    "Process ID",
                                       "Thread ID", "Event",   "Function", "Module",  "Type",    "API",
                                       "Task ID",   "Op Name", "Stream ID"};
/// No time of the recording, see FORMAT.md.
constexpr std::string_view kNoTime = "Timestamp";
constexpr std::string_view kDevice = "Device_id";

constexpr auto kStat = RowKind::HardwareStat;

struct NamedUnit {
    std::string_view name, unit;
};

/// "Read(MB/s)": Read, MB/s.
NamedUnit namedUnit(std::string_view header) {
    const auto open = header.rfind('(');
    if (open == std::string_view::npos || open == 0 || !header.ends_with(')')) return {header, {}};
    std::string_view name = header.substr(0, open);
    while (name.ends_with(' ')) name.remove_suffix(1);
    return {name, header.substr(open + 1, header.size() - open - 2)};
}

std::string utf8Cell(std::string_view text) { return isValidUtf8(text) ? std::string(text) : repairedUtf8(text); }

std::optional<double> numberIn(std::string_view cell) { return parseReal(cell); }

/// The longest name of a file that this one begins with.
std::string_view hardwareFileOf(std::string_view path) {
    const std::string name = std::filesystem::path(path).filename().string();
    std::string_view longest;
    for (const std::string_view one : kFiles) {
        if (name.starts_with(one) && one.size() > longest.size()) longest = one;
    }
    return longest;
}

class HardwareRows {
public:
    HardwareRows(std::string_view file, RowTablesBuilder& builder)
        : m_file(file), m_builder(builder), m_batch(builder.batch(kStat)) {}

    void take(const CsvRecord& record) {
        if (m_header.empty()) m_header = record.cells;
        else addRecord(record);
    }
    const CsvProblems& problems() const { return m_problems; }
    void commit() {
        if (m_batch.size() > 0) m_builder.commit(m_batch);
    }

private:
    void addRecord(const CsvRecord& record);

    std::string_view m_file;
    RowTablesBuilder& m_builder;
    RowBatch m_batch;
    std::vector<std::string> m_header;
    CsvProblems m_problems;
};

void HardwareRows::addRecord(const CsvRecord& record) {
    const std::vector<std::string>& cells = record.cells;
    if (cells.size() < m_header.size()) m_problems.add(CsvProblem::ShortRecord, record.row);
    // Some writers end each record with a comma.
    if (cells.size() > m_header.size() && !cells.back().empty()) m_problems.add(CsvProblem::LongRecord, record.row);
    std::string item;
    std::string_view itemUnit;
    std::optional<std::int64_t> device;
    std::vector<std::pair<NamedUnit, double>> values;
    for (std::size_t i = 0; i < m_header.size() && i < cells.size(); ++i) {
        const std::string_view cell = cells[i];
        const NamedUnit heading = namedUnit(m_header[i]);
        const auto number = numberIn(cell);
        if (cell.empty() || cell == "-" || cell == "N/A" || cell == "None" || heading.name == kNoTime) continue;
        if (heading.name == kDevice) {
            const auto whole = wholeNumber(cell);
            if (whole && *whole >= 0 && *whole <= kMaxDevice) device = *whole;
            continue;
        }
        if (std::find(std::begin(kItems), std::end(kItems), heading.name) == std::end(kItems)) {
            if (number) values.emplace_back(heading, *number);
            else m_problems.add(CsvProblem::BadNumber, record.row, heading.name, cell);
            continue;
        }
        const NamedUnit said = namedUnit(cell);
        if (!said.unit.empty()) itemUnit = said.unit;
        if (!item.empty()) item += ' ';
        if (number) item.append(heading.name).append(" ").append(cell);
        else item += m_file == "hccs" || m_file == "pcie" ? said.name : cell;
    }
    for (const auto& [heading, value] : values) {
        m_batch.addRow();
        m_batch.setText(fixedColumn(kStat, "source"), m_file);
        if (device) m_batch.setInteger(fixedColumn(kStat, "device_id"), *device);
        if (!item.empty()) m_batch.setText(fixedColumn(kStat, "item"), utf8Cell(item));
        m_batch.setText(fixedColumn(kStat, "name"), utf8Cell(heading.name));
        const std::string_view unit = heading.unit.empty() ? itemUnit : heading.unit;
        if (!unit.empty()) m_batch.setText(fixedColumn(kStat, "unit"), utf8Cell(unit));
        m_batch.setReal(fixedColumn(kStat, "value"), value);
    }
    static constexpr std::size_t kRows = 8192;
    if (m_batch.size() >= kRows) commit();
}

}  // namespace

std::span<const std::string_view> hardwareFiles() { return kFiles; }

Result<Done> readHardwareStats(const SourceFile& file, TableContext& context) {
    HardwareRows rows(hardwareFileOf(file.name), context.builder);
    const auto read = eachCsvRecord(file, &context.diagnostics, context.progress, context.cancel,
                                    [&rows](const CsvRecord& record) { rows.take(record); });
    rows.commit();
    rows.problems().addTo(context.diagnostics, file.name, 0);
    return read;
}

}  // namespace altiscope::reader
