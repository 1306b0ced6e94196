#include "core/import/database/db_kernel_rows.h"

#include "core/base/threads/parallel.h"
#include "core/base/threads/parallel_sort.h"
#include "core/import/database_lookup/db_row_texts.h"
#include "core/import/sqlite/db_checked.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr auto kKind = RowKind::Kernel;
constexpr std::size_t column(std::string_view name) { return rowColumn(kKind, name); }

/// Rows that one worker makes at a time.
constexpr std::size_t kRowsAtOnce = 8192;
/// More names than any chip has metrics: columns cost memory in all kernels.
constexpr std::size_t kMaxMetrics = 512;

/// Ids of the texts of a DbKernelInfo in the tables, by place.
struct KernelTexts {
    std::int64_t kind = kNoCell, name = kNoCell, core = kNoCell, type = kNoCell;
    std::array<std::int64_t, 6> lists{};
};

constexpr std::array<std::size_t, 6> kListColumns{column("input_shapes"),  column("input_types"),
                                                  column("input_formats"), column("output_shapes"),
                                                  column("output_types"),  column("output_formats")};

std::vector<KernelTexts> textsOf(const std::vector<DbKernelInfo>& infos, const DbContext& context,
                                 RowTablesBuilder& rows) {
    static constexpr std::uint64_t kAfterEvents = UINT64_MAX - 1;  // DbRowAt::order
    std::vector<KernelTexts> found(infos.size());
    parallelFor((infos.size() + kRowsAtOnce - 1) / kRowsAtOnce, [&](std::size_t part) {
        RowBatch batch = rows.batch(kKind);
        DbRowTexts texts(context.texts);
        for (std::size_t i = part * kRowsAtOnce; i < std::min(infos.size(), (part + 1) * kRowsAtOnce); ++i) {
            const DbKernelInfo& info = infos[i];
            rowOfThisWorker = {};
            if (i < context.kernelInfoRows.size())
                rowOfThisWorker = {kAfterEvents, "COMPUTE_TASK_INFO", context.kernelInfoRows[i]};
            KernelTexts& ids = found[i];
            ids.kind = batch.textId(info.isCommunication ? "communication" : "compute");
            ids.name = texts.name(batch, info.name);
            ids.type = texts.cell(batch, info.type);
            // No column states it for collectives; the text exports have one word for all of them, and it was renamed.
            ids.core = info.isCommunication ? batch.textId(context.naming.saysHccl ? "HCCL" : "COMMUNICATION")
                                            : texts.cell(batch, info.core);
            const std::int64_t lists[] = {info.inputShapes,  info.inputTypes,  info.inputFormats,
                                          info.outputShapes, info.outputTypes, info.outputFormats};
            for (std::size_t k = 0; k < ids.lists.size(); ++k) ids.lists[k] = texts.list(batch, lists[k]);
        }
        rowOfThisWorker = {};
    });
    return found;
}

/// Cells of kernel_metric, by kernel.
struct MetricCells {
    std::vector<std::size_t> columns;                         // by number of the metric
    std::map<std::string, std::size_t, std::less<>> numbers;  // by name
    std::vector<std::size_t> first;                           // by kernel, one more at the end
    std::vector<DbMetric> cells;                              // by kernel, then row
};

DbScan metricScan(const IdGroups<std::uint32_t>& kernelsOfTasks) {
    const auto take = [&kernelsOfTasks](const DbRow& row, SourcePos, DbWorker&, DbPart& part) {
        const auto task = row.neededId(0), name = row.neededId(1);
        const auto value = row.real(2, DbProblem::WrongType);
        if (!task || !name) return;
        const std::uint32_t* kernel = kernelsOfTasks.first(*task);
        if (kernel == nullptr) return row.problem(DbProblem::NoKernel, 0);
        if (row.isNull(2)) return row.problem(DbProblem::WrongType, 2);
        if (!value) return;
        // Neighbouring rows have the same name, or repeat a short list of them.
        if (part.lastMetric >= part.metricNames.size() || part.metricNames[part.lastMetric] != *name) {
            const auto known = std::find(part.metricNames.begin(), part.metricNames.end(), *name);
            part.lastMetric = static_cast<std::size_t>(known - part.metricNames.begin());
            if (known == part.metricNames.end()) {
                if (part.metricNames.size() == kMaxMetrics) return row.problem(DbProblem::TooManyNames, 1);
                part.metricNames.push_back(*name);
            }
        }
        part.metrics.push_back({*kernel, static_cast<std::uint32_t>(part.lastMetric), *value});
    };
    return {"TASK_PMU_INFO", 0, {"globalTaskId", "name", "value"}, 3, take};
}

constexpr std::size_t kNoMetric = static_cast<std::size_t>(-1);

/// Numbers the metrics of a part as those of all parts; several ids may have one name.
std::vector<std::size_t> metricNumbers(const DbPart& part, const DbContext& context, RowTablesBuilder& rows,
                                       MetricCells& metrics) {
    std::vector<std::size_t> numbers;
    for (const std::int64_t name : part.metricNames) {
        const std::string_view text = metricName(context.texts.text(name));
        const auto known = metrics.numbers.find(text);
        if (known == metrics.numbers.end() && metrics.columns.size() == kMaxMetrics) {
            numbers.push_back(kNoMetric);
            continue;
        }
        numbers.push_back(known == metrics.numbers.end() ? metrics.columns.size() : known->second);
        if (known != metrics.numbers.end()) continue;
        metrics.numbers.emplace(text, metrics.columns.size());
        metrics.columns.push_back(rows.extraColumn(kKind, text));
    }
    return numbers;
}

/// Reads TASK_PMU_INFO and puts what it holds in the order of the kernels.
Result<MetricCells> readMetrics(const std::vector<DbKernel>& kernels, const DbContext& context, DbPass& pass,
                                RowTablesBuilder& rows) {
    MetricCells metrics;
    metrics.first.assign(kernels.size() + 1, 0);
    if (!context.schema.filled("TASK_PMU_INFO")) return metrics;
    std::vector<IdGroups<std::uint32_t>::Row> tasks;
    for (std::uint32_t i = 0; i < kernels.size(); ++i) {
        if (kernels[i].task != kNoCell) tasks.push_back({kernels[i].task, i});
    }
    const IdGroups<std::uint32_t> kernelsOfTasks(std::move(tasks));
    auto read = pass.read({metricScan(kernelsOfTasks)});
    if (!read.ok()) return read.as<MetricCells>();
    std::uint64_t excluded = 0;
    for (DbPart& part : read.value()) {
        const std::vector<std::size_t> numbers = metricNumbers(part, context, rows, metrics);
        excluded += std::erase_if(part.metrics, [&](const DbMetric& one) { return numbers[one.metric] == kNoMetric; });
        for (DbMetric& one : part.metrics) {
            one.metric = static_cast<std::uint32_t>(numbers[one.metric]);
            ++metrics.first[one.kernel + 1];
        }
    }
    if (excluded > 0) pass.problems().addCount(DbProblem::TooManyNames, "TASK_PMU_INFO", excluded);
    for (std::size_t i = 1; i < metrics.first.size(); ++i) metrics.first[i] += metrics.first[i - 1];
    metrics.cells.resize(metrics.first.back());
    std::vector<std::size_t> next(metrics.first.begin(), metrics.first.end() - 1);
    for (DbPart& part : read.value()) {
        for (const DbMetric& one : part.metrics) metrics.cells[next[one.kernel]++] = one;
        std::vector<DbMetric>().swap(part.metrics);
    }
    return metrics;
}

/// The devices of kernels as far as a table states them: old files name those of tasks, not those of collectives, which
/// are of the one device that has tasks if there is one only.
class StatedDevices {
public:
    StatedDevices(const std::vector<DbKernel>& kernels, const DbContext& context)
        : m_ofTasks(isNamedIn("TASK", context)),
          m_ofCollectives(isNamedIn("COMMUNICATION_OP", context) ||
                          (m_ofTasks && std::all_of(kernels.begin(), kernels.end(), [&](const DbKernel& kernel) {
                               return kernel.device == kernels.front().device;
                           }))) {}
    std::int64_t of(const DbKernel& kernel, bool isCommunication) const {
        const bool isKnown = isCommunication ? m_ofCollectives : m_ofTasks;
        return isKnown && 0 <= kernel.device && kernel.device <= kMaxDevice ? kernel.device : kNoCell;
    }

private:
    static bool isNamedIn(const char* table, const DbContext& context) {
        const DbTable* found = context.schema.table(table);
        return found != nullptr && found->has("deviceId");
    }

    bool m_ofTasks, m_ofCollectives;
};

/// Tables that all chunks of rows are made from.
struct KernelTable {
    const std::vector<DbKernel>& kernels;
    const std::vector<DbKernelInfo>& infos;
    const std::vector<KernelTexts>& texts;
    const std::vector<std::int64_t>&steps, &waits;
    const MetricCells& metrics;
    const StatedDevices& devices;
};

void setKernel(RowBatch& batch, const KernelTable& table, std::size_t row) {
    const DbKernel& kernel = table.kernels[row];
    const KernelTexts& texts = table.texts[kernel.info];
    const auto setNumber = [&batch](std::size_t place, std::int64_t value) {
        if (value != kNoCell) batch.setInteger(place, value);
    };
    batch.addRow();
    setNumber(column("step"), table.steps[row]);
    setKnownText(batch, column("kind"), texts.kind);
    setKnownText(batch, column("name"), texts.name);
    setKnownText(batch, column("type"), texts.type);
    setKnownText(batch, column("accelerator_core"), texts.core);
    setNumber(column("stream"), kernel.stream);
    setNumber(column("device_id"), table.devices.of(kernel, table.infos[kernel.info].isCommunication));
    batch.setInteger(column("ts"), kernel.begin);
    batch.setInteger(column("dur"), kernel.duration);
    batch.setInteger(column("wait"), table.waits[row]);
    setNumber(column("block_num"), table.infos[kernel.info].blocks);
    for (std::size_t k = 0; k < kListColumns.size(); ++k) setKnownText(batch, kListColumns[k], texts.lists[k]);
    for (std::size_t i = table.metrics.first[row]; i < table.metrics.first[row + 1]; ++i) {
        const DbMetric& metric = table.metrics.cells[i];
        // The first of several values holds.
        if (!batch.isSet(table.metrics.columns[metric.metric]))
            batch.setReal(table.metrics.columns[metric.metric], metric.value);
    }
}

/// Counts kernels for which a metric stands again with another value: the first one counts. A task with several runs,
/// as in a graph that is replayed, has values for each.
void reportRepeatedMetrics(const std::vector<DbKernel>& kernels, const MetricCells& metrics, const CancelToken& cancel,
                           DbProblemLog& problems) {
    std::unordered_set<std::int64_t> tasks;
    std::vector<std::size_t> seen(metrics.columns.size(), kNoMetric);  // cell of the kernel at hand
    for (std::size_t row = 0; row < kernels.size() && !cancel.cancelled(); ++row) {
        for (std::size_t i = metrics.first[row]; i < metrics.first[row + 1]; ++i) {
            const DbMetric& one = metrics.cells[i];
            std::size_t& before = seen[one.metric];
            const bool isSeen = before != kNoMetric && before >= metrics.first[row];
            if (!isSeen) before = i;
            else if (metrics.cells[before].value != one.value) tasks.insert(kernels[row].task);
        }
    }
    std::unordered_set<std::int64_t> ranOnce, ranAgain;
    for (const DbKernel& kernel : kernels) {
        if (tasks.contains(kernel.task) && !ranOnce.insert(kernel.task).second) ranAgain.insert(kernel.task);
    }
    for (const std::int64_t task : ranAgain) tasks.erase(task);
    if (!tasks.empty()) problems.addCount(DbProblem::RepeatedRow, "TASK_PMU_INFO", tasks.size());
}

}  // namespace

std::string_view metricName(std::string_view name) {
    if (name == "aic_total_time" || name == "total_time") return "aicore_time";
    if (name == "aiv_total_time") return "aiv_time";
    return name;
}

DbScan kernelInfoScan(const DbSchema& schema) {
    // The name of the oldest files; then that of a count of cores, which in newer ones means something else.
    const DbTable* table = schema.table("COMPUTE_TASK_INFO");
    const char* blocks = "block_dim";
    for (const char* name : {"blockDim", "blockNum"}) {
        if (table != nullptr && table->has(name)) blocks = name;
    }
    const auto take = [](const DbRow& row, SourcePos, DbWorker&, DbPart& part) {
        const auto task = row.neededId(0);
        if (!task) return;
        const auto text = [&row](int number) { return row.integerOr(number, DbKernelInfo::kNoText); };
        DbKernelInfo info{row.nameId(1), text(2), text(3), text(4), text(5), text(6), text(7), text(8), text(9)};
        info.blocks = row.integerOr(10, kNoCell);
        part.kernelIds.push_back({*task, part.kernelInfos.add(info, row.number())});
    };
    return {"COMPUTE_TASK_INFO",
            0,
            {"globalTaskId", "name", "taskType", "opType", "inputShapes", "inputDataTypes", "inputFormats",
             "outputShapes", "outputDataTypes", "outputFormats", blocks},
            2,
            take};
}

Result<Done> addKernelRows(DbKernelFacts facts, const DbContext& context, DbPass& pass, ImportContext& importing,
                           RowTablesBuilder& rows) {
    std::vector<DbKernel>& kernels = facts.kernels;
    sortKernels(kernels, importing.cancel);
    if (importing.cancel.cancelled()) return Cancelled{};
    const auto metrics = readMetrics(kernels, context, pass, rows);
    if (!metrics.ok()) return metrics.as<Done>();
    reportRepeatedMetrics(kernels, metrics.value(), importing.cancel, pass.problems());
    const std::vector<std::int64_t> steps = stepsOfKernels(kernels, std::move(facts.launches), std::move(facts.steps));
    const std::vector<std::int64_t> waits = waitsOfKernels(kernels, !context.naming.saysHccl);
    const std::vector<KernelTexts> texts = textsOf(facts.infos, context, rows);
    const StatedDevices devices(kernels, context);
    const KernelTable table{kernels, facts.infos, texts, steps, waits, metrics.value(), devices};
    std::vector<RowTablesBuilder::Packed> packed((kernels.size() + kRowsAtOnce - 1) / kRowsAtOnce);
    parallelFor(packed.size(), [&](std::size_t part) {
        if (importing.cancel.cancelled()) return;
        RowBatch batch = rows.batch(kKind);
        for (std::size_t row = part * kRowsAtOnce; row < std::min(kernels.size(), (part + 1) * kRowsAtOnce); ++row)
            setKernel(batch, table, row);
        packed[part] = RowTablesBuilder::pack(batch);
    });
    if (importing.cancel.cancelled()) return Cancelled{};
    for (auto& part : packed) rows.append(std::move(part));
    return Done{};
}

}  // namespace altiscope::reader
