#include "core/import/csv/task_times.h"

#include "core/base/text/text.h"
#include "core/base/values/parse.h"
#include "core/base/values/time.h"
#include "core/import/csv/csv_line.h"
#include "core/import/csv/csv_records.h"
#include "core/import/csv/csv_rows.h"
#include "core/store/rows/row_pack.h"
#include "core/store/rows/row_table.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

constexpr std::string_view kHardware = "Ascend Hardware";
constexpr std::string_view kNoName = "N/A";
/// Place of the layer among those of a device, as timelines of CANN have it.
constexpr std::int64_t kHardwareSort = 14;
constexpr std::size_t kMaxTaskLine = std::size_t{64} << 10;

/// A heading without its unit; older files have none.
std::string_view withoutUnit(std::string_view header) {
    const auto open = header.rfind('(');
    return open == std::string_view::npos ? header : header.substr(0, open);
}

/// Columns of a file.
struct TaskColumns {
    std::optional<std::size_t> device, name, kind, stream, task, duration, begin, end;
    std::size_t count = 0;

    explicit TaskColumns(const std::vector<std::string>& header) : count(header.size()) {
        const std::pair<std::string_view, std::optional<std::size_t>*> all[] = {
            {"Device_id", &device}, {"kernel_name", &name},   {"kernel_type", &kind}, {"stream_id", &stream},
            {"task_id", &task},     {"task_time", &duration}, {"task_start", &begin}, {"task_stop", &end}};
        for (std::size_t i = 0; i < header.size(); ++i) {
            for (const auto& [heading, place] : all)
                if (!*place && withoutUnit(header[i]) == heading) *place = i;
        }
    }
    bool hasTimes() const { return begin && (duration || end); }
    /// Names are written without quotes, and those of templates have commas: what is too much belongs to the name.
    void joinName(std::vector<std::string>& cells) const {
        if (!name) return;
        while (cells.size() > count && *name + 1 < cells.size()) {
            cells[*name] += ',' + cells[*name + 1];
            cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(*name) + 1);
        }
    }
};

std::string_view cellAt(const std::vector<std::string>& cells, const std::optional<std::size_t>& place) {
    return place && *place < cells.size() ? std::string_view(cells[*place]) : std::string_view();
}

class TaskTimeReader final : public TraceReader {
public:
    Result<ReadSummary> read(const SourceFile& file, ImportContext& context) override;

private:
    void take(CsvRecord& record, const TaskColumns& columns);
    void leaveOut(const CsvRecord& record, std::string_view column, std::string_view value);
    ProvisionalTrack streamTrack(std::string_view device, std::string_view stream, SourcePos pos);
    void flush();

    const SourceFile* m_file = nullptr;
    ImportContext* m_context = nullptr;
    std::optional<TraceBuilder::Names> m_names;
    std::map<std::pair<std::string, std::string>, ProvisionalTrack, std::less<>> m_streams;  // device, stream
    Segment m_segment;
    SourcePos m_first;
    std::size_t m_pending = 0;  // slices of the segment that are not committed
    std::uint64_t m_rows = 0;
};

ProvisionalTrack TaskTimeReader::streamTrack(std::string_view device, std::string_view stream, SourcePos pos) {
    std::pair key{std::string(device), std::string(stream)};
    if (const auto known = m_streams.find(key); known != m_streams.end()) return known->second;
    TraceBuilder& builder = m_context->builder;
    const std::string pid = "device " + key.first;
    const auto number = wholeNumber(device);
    builder.setProcessName(pid, kHardware, pos);
    builder.setProcessLabels(pid, number && *number >= 0 ? "NPU " + std::to_string(*number) : "NPU", pos);
    builder.setProcessSort(pid, kHardwareSort, pos);
    builder.setThreadName(pid, stream, key.second.empty() ? "Stream" : "Stream " + key.second, pos);
    builder.setThreadSort(pid, stream, wholeNumber(stream).value_or(0), pos);
    const ProvisionalTrack track = m_names->thread(pid, stream);
    m_streams.emplace(std::move(key), track);
    return track;
}

void TaskTimeReader::leaveOut(const CsvRecord& record, std::string_view column, std::string_view value) {
    if (m_context->isTableToo) return;
    m_context->diagnostics.add("csv.missing_value", Severity::Lost, m_file->name, {PlaceUnit::Row, record.row},
                               {{"column", std::string(column)}, {"value", repairedUtf8(value)}});
}

void TaskTimeReader::take(CsvRecord& record, const TaskColumns& columns) {
    columns.joinName(record.cells);
    const auto cell = [&record](const std::optional<std::size_t>& place) { return cellAt(record.cells, place); };
    const auto begin = parseMicrosecondsAsNs(cell(columns.begin));
    if (!begin || *begin < 0) return leaveOut(record, "task_start", cell(columns.begin));
    auto duration = parseMicrosecondsAsNs(cell(columns.duration));
    if (const auto end = parseMicrosecondsAsNs(cell(columns.end)); !duration && end) duration = *end - *begin;
    if (!duration || *duration < 0 || *duration > kMaxTimeNs - *begin)
        return leaveOut(record, "task_time", cell(columns.duration));
    const SourcePos pos = SourcePos::make(m_file->number, record.byte);
    std::string name(taskName(cell(columns.name), cell(columns.kind)));
    if (!isValidUtf8(name)) name = repairedUtf8(name);
    if (m_pending == 0) m_first = pos;
    m_segment.slices.add(streamTrack(cell(columns.device), cell(columns.stream), pos), *begin, *duration,
                         m_names->text(name), m_names->text({}), pos);
    ++m_rows;
    static constexpr std::size_t kSegment = std::size_t{1} << 16;
    if (++m_pending >= kSegment) flush();
}

void TaskTimeReader::flush() {
    if (m_pending == 0) return;
    m_context->builder.commit(m_first, std::exchange(m_segment, Segment()));
    m_pending = 0;
}

Result<ReadSummary> TaskTimeReader::read(const SourceFile& file, ImportContext& context) {
    m_file = &file;
    m_context = &context;
    m_names.emplace(context.builder);
    std::optional<TaskColumns> columns;
    Diagnostics* const problems = context.isTableToo ? nullptr : &context.diagnostics;
    const auto read = eachCsvRecord(file, problems, context.progress, context.cancel, [&](CsvRecord& record) {
        if (!columns) columns.emplace(record.cells);
        else if (columns->hasTimes()) take(record, *columns);
    });
    if (!read.ok()) return read.as<ReadSummary>();
    if (columns && !columns->hasTimes())
        return Error{"csv.no_column", file.name, {}, {{"column", columns->begin ? "task_time" : "task_start"}}};
    flush();
    if (context.committed) context.committed(file.size);
    return ReadSummary{file.size, m_rows, false};
}

class TaskTimeArguments final : public ArgumentSource {
public:
    explicit TaskTimeArguments(const SourceFile& file)
        : m_path(file.path), m_name(file.name), m_stamp(stampOf(file.path)) {}

    Result<std::string> arguments(SourcePos pos) const override {
        const Error changed{"args.source_changed", m_name, Place{PlaceUnit::Byte, pos.offset()}.text(), {}};
        if (stampOf(m_path) != m_stamp) return changed;
        const auto file = ReadOnlyFile::openText(m_path);
        if (!file.ok()) return file.as<std::string>();
        const auto header = csvLineAt(file.value(), 0, kMaxTaskLine);
        const auto line = csvLineAt(file.value(), pos.offset(), kMaxTaskLine);
        if (!header.ok()) return header;
        if (!line.ok()) return line;
        const TaskColumns columns(csvCells(header.value()));
        std::vector<std::string> cells = csvCells(line.value());
        columns.joinName(cells);
        if (!columns.hasTimes()) return changed;
        std::string text;
        const auto add = [&](std::string_view key, const std::optional<std::size_t>& place) {
            const std::string_view value = cellAt(cells, place);
            if (value.empty()) return;
            text += (text.empty() ? "{" : ", ") + jsonQuoted(key) + ": ";
            text += wholeNumber(value) ? std::string(value) : jsonQuoted(value);
        };
        add("Task Type", columns.kind);
        add("Stream Id", columns.stream);
        add("Task Id", columns.task);
        return text.empty() ? text : text + '}';
    }

private:
    const std::filesystem::path m_path;
    const std::string m_name;
    const altiscope::FileStamp m_stamp;
};

}  // namespace

bool holdsTaskTimes(const std::filesystem::path& path) {
    const auto file = ReadOnlyFile::openText(path);
    if (!file.ok()) return false;
    const auto header = csvLineAt(file.value(), 0, kMaxTaskLine);
    return header.ok() && TaskColumns(csvCells(header.value())).hasTimes();
}

std::string_view taskName(std::string_view name, std::string_view kind) {
    return name.empty() || name == kNoName ? (kind == kNoName ? std::string_view() : kind) : name;
}

bool completeTaskKernel(RowBatch& kernels, std::span<const std::string_view> texts) {
    static constexpr std::string_view kComputing[] = {"KERNEL_", "AI_", "AIC", "AIV", "MIX_"};
    constexpr std::size_t kName = fixedColumn(RowKind::Kernel, "name");
    const std::string_view name = texts[kName], kind = texts[fixedColumn(RowKind::Kernel, "accelerator_core")];
    if (name != kNoName) return true;
    const bool computes = std::any_of(std::begin(kComputing), std::end(kComputing),
                                      [kind](std::string_view begin) { return kind.starts_with(begin); });
    if (computes) kernels.setText(kName, kind);
    return computes;
}

RowTables withoutFusedParents(const RowTables& tables) {
    constexpr auto K = RowKind::Kernel;
    const RowTable* kernels = tables.find(K);
    // Tasks have no metrics: with some these are kernels of something else.
    if (kernels == nullptr || !kernels->extras().empty()) return tables;
    const auto cell = [kernels](std::string_view column, std::size_t row) {
        return kernels->integer(rowColumn(K, column), row).value_or(kNoCell);
    };
    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> last;  // device, stream
    std::vector<bool> isParent(kernels->size(), false);
    for (std::size_t row = 0; row < kernels->size(); ++row) {
        const auto [before, isFirst] = last.try_emplace({cell("device_id", row), cell("stream", row)}, row);
        const std::size_t one = std::exchange(before->second, row);
        const bool isNameless = cell("name", one) == cell("accelerator_core", one);
        const std::int64_t begin = cell("ts", one), end = begin + cell("dur", one);
        if (!isFirst && isNameless && begin < cell("ts", row) && cell("ts", row) + cell("dur", row) <= end)
            isParent[one] = true;
    }
    const auto parents = static_cast<std::size_t>(std::count(isParent.begin(), isParent.end(), true));
    if (parents == 0) return tables;
    std::vector<RowTable> changed;
    for (const RowTable& table : tables.tables()) {
        if (table.kind() != K) {
            changed.push_back(table);
            continue;
        }
        std::vector<PackedColumn> columns;
        for (std::size_t column = 0; column < rowColumns(K).size(); ++column) {
            std::vector<std::int64_t> values;
            for (std::size_t row = 0; row < table.size(); ++row) {
                if (!isParent[row]) values.push_back(table.integer(column, row).value_or(kNoCell));
            }
            ColumnPacker packer(rowColumns(K)[column].cell);
            packer.append(values);
            columns.push_back(packer.finish());
        }
        changed.emplace_back(K, table.size() - parents, std::vector<std::string>(), std::move(columns));
    }
    return {std::move(changed), tables.texts()};
}

std::unique_ptr<TraceReader> makeTaskTimeReader() { return std::make_unique<TaskTimeReader>(); }

std::shared_ptr<const ArgumentSource> makeTaskTimeArguments(const SourceFile& file) {
    return std::make_shared<TaskTimeArguments>(file);
}

}  // namespace altiscope::reader
