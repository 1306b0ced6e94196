#include "core/import/csv/csv_records.h"
#include "core/import/files/text_zeros.h"
#include "core/import/mindspore/json_table.h"
#include "core/import/mindspore/special_tables.h"

#include "core/base/files/file.h"
#include "core/base/text/json_text.h"
#include "core/base/text/text.h"
#include "core/base/values/decimal.h"
#include "core/base/values/parse.h"

#include <nlohmann/json.hpp>

#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

using PipelineJson = nlohmann::json;

constexpr auto kQueue = RowKind::PipelineQueue;
constexpr std::uint64_t kMaxPipelineFile = kMaxJsonTable;

/// Reports what hides lines of a small text file.
void reportTextDamage(const std::string& text, const SourceFile& file, TableContext& context) {
    if (text.empty()) context.diagnostics.add("csv.empty", Severity::Lost, file.name, {});
    std::vector<std::uint64_t> zeros;
    findZeros(text, 0, false, zeros);
    reportZeros(zeros, file.name, context.diagnostics);
    if (!text.empty() && !text.ends_with('\n'))
        context.diagnostics.add("csv.no_line_end", Severity::Info, file.name, {PlaceUnit::Byte, text.size()});
}

/// Values of the summary by key: a list per operator, as texts.
using SummaryValues = std::map<std::string, std::vector<std::string>, std::less<>>;

std::string plainText(const PipelineJson& value) { return value.is_null() ? std::string() : plainJson(value); }

Result<SummaryValues> summaryValues(const SourceFile& file, TableContext& context) {
    SummaryValues values;
    if (file.path.extension() == ".json") {
        const auto json = jsonTable(file, context);
        if (!json.ok()) return json.as<SummaryValues>();
        for (const auto& [key, list] : json.value().items()) {
            if (list.is_array()) std::transform(list.begin(), list.end(), std::back_inserter(values[key]), plainText);
            else values[key].push_back(plainText(list));
        }
        return values;
    }
    const auto read =
        eachCsvRecord(file, &context.diagnostics, context.progress, context.cancel, [&values](CsvRecord& record) {
            std::string key = std::move(record.cells.front());
            record.cells.erase(record.cells.begin());
            values[key] = std::move(record.cells);
        });
    return read.ok() ? Result<SummaryValues>(std::move(values)) : read.as<SummaryValues>();
}

/// The row of one operator, filled from both kinds of files.
class QueueRow {
public:
    explicit QueueRow(RowBatch& batch) : m_batch(batch) { m_batch.addRow(); }

    void integer(std::string_view column, const std::optional<std::int64_t>& value) {
        if (value && *value >= 0) m_batch.setInteger(rowColumn(kQueue, column), *value);
    }
    void real(std::string_view column, const std::optional<double>& value) {
        if (value && *value >= 0) m_batch.setReal(rowColumn(kQueue, column), *value);
    }
    void text(std::string_view column, std::string_view value) {
        if (!value.empty()) m_batch.setText(rowColumn(kQueue, column), repairedUtf8(value));
    }

private:
    RowBatch& m_batch;
};

std::string_view withoutOp(std::string_view type) {
    return type.ends_with("Op") ? type.substr(0, type.size() - 2) : type;
}

std::string listText(const std::vector<std::int64_t>& numbers) {
    std::string text;
    for (const std::int64_t number : numbers) text += (text.empty() ? "[" : ", ") + std::to_string(number);
    return text.empty() ? text : text + ']';
}

struct PipelineOp {
    std::string type;
    std::optional<std::int64_t> workers, parent, length;
    std::vector<std::int64_t> children, sizes;
    bool hasQueue = false;
};

std::vector<std::int64_t> integersOf(const PipelineJson& object, const char* key) {
    std::vector<std::int64_t> numbers;
    const auto list = object.find(key);
    if (list == object.end() || !list->is_array()) return numbers;
    for (const PipelineJson& value : *list) {
        if (value.is_number_integer()) numbers.push_back(value.get<std::int64_t>());
    }
    return numbers;
}

std::optional<std::int64_t> integerOf(const PipelineJson& object, const char* key) {
    const auto value = object.find(key);
    return value != object.end() && value->is_number_integer() ? std::optional(value->get<std::int64_t>())
                                                               : std::nullopt;
}

PipelineOp pipelineOp(const PipelineJson& info) {
    PipelineOp op;
    const auto type = info.find("op_type");
    if (type != info.end() && type->is_string()) op.type = withoutOp(type->get_ref<const std::string&>());
    op.workers = integerOf(info, "num_workers");
    op.children = integersOf(info, "children");
    const auto metrics = info.find("metrics");
    if (metrics == info.end() || !metrics->is_object()) return op;
    const auto queue = metrics->find("output_queue");
    if (queue == metrics->end() || !queue->is_object()) return op;
    op.hasQueue = true;
    op.length = integerOf(*queue, "length");
    op.sizes = integersOf(*queue, "size");
    return op;
}

/// The nearest operators below that have a queue. A tree that bites its own tail ends where it does.
void collectQueues(const std::map<std::int64_t, PipelineOp>& ops, std::int64_t id, std::set<std::int64_t>& seen,
                   std::vector<std::int64_t>& found) {
    const auto op = ops.find(id);
    if (op == ops.end()) return;
    for (const std::int64_t child : op->second.children) {
        if (!seen.insert(child).second) continue;
        const auto below = ops.find(child);
        if (below != ops.end() && below->second.hasQueue) found.push_back(child);
        else if (seen.size() < 1000) collectQueues(ops, child, seen, found);
    }
}

void addQueueRow(const std::map<std::int64_t, PipelineOp>& ops, std::int64_t id, std::optional<std::int64_t> intervalMs,
                 RowBatch& batch) {
    static constexpr std::int64_t kNsPerMs = 1000000, kMaxMs = std::int64_t{1} << 40;
    const PipelineOp& op = ops.at(id);
    QueueRow row(batch);
    row.integer("op_id", id);
    row.text("op_type", op.type);
    row.integer("num_workers", op.workers);
    if (op.hasQueue && !op.sizes.empty()) {
        double sum = 0;
        for (const std::int64_t size : op.sizes) sum += static_cast<double>(size);
        const double average = sum / static_cast<double>(op.sizes.size());
        row.text("output_queue_size", listText(op.sizes));
        row.real("output_queue_average_size", average);
        if (op.length && *op.length > 0) row.real("output_queue_usage_rate", average / static_cast<double>(*op.length));
    }
    row.integer("output_queue_length", op.length);
    if (intervalMs && *intervalMs >= 0 && *intervalMs < kMaxMs) row.integer("sample_interval", *intervalMs * kNsPerMs);
    row.integer("parent_id", op.parent);
    std::set<std::int64_t> seen{id};
    std::vector<std::int64_t> children;
    collectQueues(ops, id, seen, children);
    row.text("children_id", listText(children));
}

/// Mean times of one kind in a file of the iterator.
struct IteratorMean {
    std::int64_t count = 0;
    double sumMs = 0;
};

}  // namespace

Result<Done> readPipelineSummary(const SourceFile& file, TableContext& context) {
    const auto read = summaryValues(file, context);
    if (!read.ok()) return read.as<Done>();
    const SummaryValues& values = read.value();
    const auto at = [&values](std::string_view key, std::size_t op) -> std::string_view {
        const auto list = values.find(key);
        return list != values.end() && op < list->second.size() ? std::string_view(list->second[op])
                                                                : std::string_view{};
    };
    const auto ids = values.find("op_ids");
    if (ids == values.end()) {
        if (!values.empty()) return Error{"csv.no_column", file.name, {}, {{"column", "op_ids"}}};
        return Done{};
    }
    RowBatch batch = context.builder.batch(kQueue);
    for (std::size_t op = 0; op < ids->second.size(); ++op) {
        const auto id = wholeNumber(ids->second[op]);
        if (!id || *id < 0) {
            reportBadEntry(file, op + 1, ids->second[op], context);
            continue;
        }
        QueueRow row(batch);
        row.integer("op_id", id);
        row.text("op_type", withoutOp(at("op_names", op)));
        row.integer("num_workers", wholeNumber(at("num_workers", op)));
        row.real("output_queue_average_size", parseReal(at("queue_average_size", op)));
        // From percent to the fraction that the raw file holds.
        row.real("output_queue_usage_rate", parseReal(at("queue_utilization_pct", op), -2));
        row.integer("parent_id", wholeNumber(at("parent_id", op)));
        if (at("children_ids", op) != "[]") row.text("children_id", at("children_ids", op));
    }
    context.builder.commit(batch);
    return Done{};
}

Result<Done> readPipelineProfiling(const SourceFile& file, TableContext& context) {
    const auto json = jsonTable(file, context);
    if (!json.ok()) return json.as<Done>();
    const auto list = json.value().find("op_info");
    if (list == json.value().end() || !list->is_array()) {
        if (!json.value().empty()) return Error{"csv.no_column", file.name, {}, {{"column", "op_info"}}};
        return Done{};
    }
    std::map<std::int64_t, PipelineOp> ops;
    for (std::size_t number = 1; const PipelineJson& info : *list) {
        const auto id = info.is_object() ? integerOf(info, "op_id") : std::nullopt;
        if (id && *id >= 0) ops.insert_or_assign(*id, pipelineOp(info));
        else reportBadEntry(file, number, dumpJson(info), context);
        ++number;
    }
    for (const auto& [id, op] : ops) {
        for (const std::int64_t child : op.children) {
            if (const auto below = ops.find(child); below != ops.end()) below->second.parent = id;
        }
    }
    RowBatch batch = context.builder.batch(kQueue);
    const auto interval = integerOf(json.value(), "sampling_interval");
    for (const auto& [id, op] : ops) addQueueRow(ops, id, interval, batch);
    context.builder.commit(batch);
    return Done{};
}

Result<Done> readIteratorTimes(const SourceFile& file, TableContext& context) {
    static constexpr std::array<std::string_view, 3> kStages{"pipeline", "push", "batch"};
    static constexpr double kNsPerMs = 1e6;
    constexpr auto DO = RowKind::DatasetOp;
    const auto text = readSmallText(file.path, kMaxPipelineFile);
    if (!text.ok()) return text.as<Done>();
    context.progress.addDone(file.size);
    reportTextDamage(text.value(), file, context);
    std::array<IteratorMean, kStages.size()> means;
    std::uint64_t row = 0;
    std::string_view rest = text.value();
    while (!rest.empty()) {
        const std::string_view whole = rest.substr(0, rest.find_first_of("\r\n"));
        rest.remove_prefix(whole.size());
        rest.remove_prefix(std::min<std::size_t>(rest.size(), rest.starts_with("\r\n") ? 2 : 1));
        ++row;
        // type, extra, batch, value, and the stamp of newer writers.
        std::array<std::optional<std::int64_t>, 4> numbers;
        std::size_t count = 0;
        bool isBad = false;
        for (std::string_view line = whole; !line.empty();) {
            const std::size_t begin = line.find_first_not_of(" \t\r");
            if (begin == std::string_view::npos) break;
            line.remove_prefix(begin);
            const std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
            line.remove_prefix(word.size());
            const auto number = wholeNumber(word);
            isBad = isBad || !number;
            if (count < numbers.size()) numbers[count] = number;
            ++count;
        }
        if (count == 0) continue;
        if (isBad || count < numbers.size()) {
            context.diagnostics.add("table.broken", Severity::Lost, file.name, {PlaceUnit::Row, row},
                                    {{"what", shownBeginning(whole)}});
            continue;
        }
        const bool isTime =
            *numbers[0] == 0 && *numbers[1] >= 0 && *numbers[1] < static_cast<std::int64_t>(kStages.size());
        if (!isTime || *numbers[2] < 2) continue;
        IteratorMean& mean = means[static_cast<std::size_t>(*numbers[1])];
        ++mean.count;
        mean.sumMs += static_cast<double>(*numbers[3]);
    }
    const std::string name = file.path.filename().string();
    RowBatch batch = context.builder.batch(DO);
    for (std::size_t stage = 0; stage < kStages.size(); ++stage) {
        if (means[stage].count == 0) continue;
        batch.addRow();
        batch.setText(fixedColumn(DO, "operation"), name.substr(0, name.find("_profiling")));
        batch.setText(fixedColumn(DO, "stage"), kStages[stage]);
        batch.setInteger(fixedColumn(DO, "occurrences"), means[stage].count);
        batch.setReal(fixedColumn(DO, "avg_time"),
                      means[stage].sumMs / static_cast<double>(means[stage].count) * kNsPerMs);
    }
    context.builder.commit(batch);
    return Done{};
}

}  // namespace altiscope::reader
