#include "core/import/mindspore/step_phases.h"

#include "core/base/text/text.h"
#include "core/base/values/decimal.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::int64_t kNsPerTick = 10;
constexpr std::int64_t kMaxTicks = std::int64_t{1} << 58;
constexpr auto PH = RowKind::StepPhase;
constexpr std::string_view kInterval = "iteration_interval", kBothPasses = "forward_backward", kForward = "forward",
                           kTailPhase = "tail", kReduce = "reduce";

Error noColumn(const SourceFile& file, std::string_view column) {
    return {"csv.no_column", file.name, "row 1", {{"column", std::string(column)}}};
}

void reportBroken(const SourceFile& file, const CsvRecord& record, std::string_view what, TableContext& context) {
    context.diagnostics.add("table.broken", Severity::Lost, file.name, {PlaceUnit::Row, record.row},
                            {{"what", std::string(what)}});
}

/// Columns of step_trace_raw.
class StepTraceColumns {
public:
    StepTraceColumns(std::vector<std::string> header, std::vector<std::string>& names) {
        static constexpr std::string_view kBegin = "_start_point", kEnd = "_end_point";
        const CsvColumns columns(header);
        number = columns.find("step_num");
        begin = columns.find("start_point");
        end = columns.find("end_point");
        m_forward = columns.find("fp_point");
        m_backward = columns.find("bp_point");
        for (const std::string& column : header) {
            if (!column.ends_with(kBegin)) continue;
            std::string name = column.substr(0, column.size() - kBegin.size());
            const auto from = columns.find(column), to = columns.find(name + std::string(kEnd));
            if (!from || !to) continue;
            m_reduces.push_back({*from, *to, names.size()});
            names.push_back(repairedUtf8(name));
        }
    }

    std::optional<std::size_t> number, begin, end;

    std::optional<std::string_view> missing() const {
        return !number  ? std::optional<std::string_view>("step_num")
               : !begin ? std::optional<std::string_view>("start_point")
               : !end   ? std::optional<std::string_view>("end_point")
                        : std::nullopt;
    }

    /// @param isWhole  Becomes false where a phase is not what it should be.
    /// @return nullopt: the record has no such times.
    std::optional<RecordedStep> step(const CsvRecord& record, bool& isWhole) const {
        const auto from = ticks(record, begin), to = ticks(record, end);
        if (!from || !to || *to < *from) return std::nullopt;
        RecordedStep step{{{*from * kNsPerTick}, {*to * kNsPerTick}}, {}};
        const auto add = [&step](std::string_view phase, std::int64_t first, std::int64_t last,
                                 std::size_t name = RecordedStep::kNone) {
            step.phases.push_back({phase, name, {{first * kNsPerTick}, {last * kNsPerTick}}});
        };
        // A point that was never met is 0.
        const auto point = [&](std::optional<std::size_t> column, std::int64_t first) {
            if (!column) return std::optional<std::int64_t>();
            const auto value = ticks(record, column);
            const bool isMet = value && *value >= first && *value <= *to;
            isWhole = isWhole && (isMet || value == 0);
            return isMet ? value : std::nullopt;
        };
        const auto forward = point(m_forward, *from), backward = point(m_backward, forward.value_or(*from));
        if (forward) {
            add(kInterval, *from, *forward);
            if (backward) add(kBothPasses, *forward, *backward);
            // Inference has no backward pass.
            else if (!m_backward) add(kForward, *forward, *to);
        }
        if (backward) add(kTailPhase, *backward, *to);
        for (const Reduce& reduce : m_reduces) {
            const auto first = ticks(record, reduce.begin), last = ticks(record, reduce.end);
            if (!first || !last || *last < *first) isWhole = false;
            // One that this step has not is 0.
            else if (*first > 0) add(kReduce, *first, *last, reduce.name);
        }
        return step;
    }

private:
    struct Reduce {
        std::size_t begin, end, name;
    };

    static std::optional<std::int64_t> ticks(const CsvRecord& record, std::optional<std::size_t> column) {
        if (!column || *column >= record.cells.size()) return std::nullopt;
        const auto value = wholeNumber(record.cells[*column]);
        return value && *value >= 0 && *value <= kMaxTicks ? value : std::nullopt;
    }

    std::optional<std::size_t> m_forward, m_backward;
    std::vector<Reduce> m_reduces;
};

/// A row of the newest file, with what all have.
void addPhase(RowBatch& batch, std::int64_t step, std::string_view phase, std::optional<std::int64_t> ts,
              std::int64_t dur) {
    batch.addRow();
    batch.setInteger(fixedColumn(PH, "step"), step);
    batch.setText(fixedColumn(PH, "phase"), phase);
    if (ts) batch.setInteger(fixedColumn(PH, "ts"), *ts);
    batch.setInteger(fixedColumn(PH, "dur"), dur);
}

}  // namespace

Result<PhaseSteps> recordedSteps(const SourceFile& file, Diagnostics* problems, ProgressSlot& progress,
                                 const CancelToken& cancel, const std::function<void(const CsvRecord&)>& reportBad) {
    PhaseSteps all;
    std::optional<StepTraceColumns> columns;
    std::optional<RecordedStep> firstMeans;
    std::size_t means = 0;
    const auto read = eachCsvRecord(file, problems, progress, cancel, [&](CsvRecord& record) {
        if (!columns) {
            if (holdsValues(record)) reportBad(record);
            columns.emplace(std::move(record.cells), all.names);
            return;
        }
        if (columns->missing()) return;
        if (record.cells.size() <= std::max({*columns->number, *columns->begin, *columns->end}))
            return reportBad(record);
        bool isWhole = true;
        auto step = columns->step(record, isWhole);
        const std::string& text = record.cells[*columns->number];
        if (text == "-" || text == "0") {
            if (means++ == 0 && text == "-") firstMeans = std::move(step);
            return;
        }
        const auto number = wholeNumber(text);
        if (!number || *number < 0 || !step) return reportBad(record);
        if (!isWhole) reportBad(record);
        // A number that comes twice hides a step.
        if (!all.steps.insert_or_assign(*number, *std::move(step)).second) reportBad(record);
    });
    if (!read.ok()) return read.as<PhaseSteps>();
    if (columns && columns->missing()) return noColumn(file, *columns->missing());
    if (all.steps.empty() && means == 2 && firstMeans) all.steps.emplace(1, *std::move(firstMeans));
    return all;
}

Result<Done> readStepTrace(const SourceFile& file, TableContext& context) {
    const auto read = recordedSteps(file, &context.diagnostics, context.progress, context.cancel,
                                    [&](const CsvRecord& record) { reportBroken(file, record, "step_num", context); });
    if (!read.ok()) return read.as<Done>();
    RowBatch batch = context.builder.batch(PH);
    for (const auto& [number, step] : read.value().steps) {
        for (const RecordedStep::Phase& phase : step.phases) {
            addPhase(batch, number, phase.phase, phase.range.begin.value,
                     phase.range.end.value - phase.range.begin.value);
            if (phase.name != RecordedStep::kNone)
                batch.setText(fixedColumn(PH, "name"), read.value().names[phase.name]);
        }
    }
    context.builder.commit(batch);
    return Done{};
}

Result<Done> readClusterSteps(const SourceFile& file, TableContext& context) {
    struct PhaseColumn {
        std::string_view header, phase;
    };
    static constexpr PhaseColumn kColumns[] = {{"computation_time", "computation"},
                                               {"communication_alone_time", "communication_alone"},
                                               {"stage_time", "stage"},
                                               {"receive_alone_time", "receive_alone"},
                                               {"collective_communication_alone_time", "collective_alone"}};
    static constexpr std::int64_t kNsPerMs = 1'000'000;
    std::optional<CsvColumns> columns;
    // The last of several records is no step: it has the means.
    std::optional<CsvRecord> pending;
    std::int64_t step = 0;
    RowBatch batch = context.builder.batch(PH);
    const auto addStep = [&](const CsvRecord& record) {
        ++step;
        for (const auto& column : kColumns) {
            const auto place = columns->find(column.header);
            if (!place) continue;
            const auto dur = *place < record.cells.size() ? parseScaled(record.cells[*place], kNsPerMs) : std::nullopt;
            if (dur && *dur >= 0) addPhase(batch, step, column.phase, std::nullopt, *dur);
            else reportBroken(file, record, column.header, context);
        }
    };
    const auto read =
        eachCsvRecord(file, &context.diagnostics, context.progress, context.cancel, [&](CsvRecord& record) {
            if (!columns) {
                if (holdsValues(record)) reportBroken(file, record, kColumns[0].header, context);
                columns.emplace(std::move(record.cells));
                return;
            }
            if (!columns->find(kColumns[0].header)) return;
            if (pending) addStep(*pending);
            pending = std::move(record);
        });
    if (!read.ok()) return read;
    if (columns && !columns->find(kColumns[0].header)) return noColumn(file, kColumns[0].header);
    if (pending && step == 0) addStep(*pending);
    context.builder.commit(batch);
    return Done{};
}

namespace {

/// The first duration of a reduce is written the wrong way round and without a sign: as 2^64 - ns.
std::optional<std::int64_t> turnedDuration(std::string_view text) {
    const std::size_t point = text.find('.');
    if (point == std::string_view::npos || text.size() != point + 4) return std::nullopt;
    const auto value =
        wholeNumber<std::uint64_t>(std::string(text.substr(0, point)) + std::string(text.substr(point + 1)));
    // As large as other durations may be.
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 62;
    return value && *value > ~std::uint64_t{0} / 2 && -*value <= kLargest
               ? std::optional(static_cast<std::int64_t>(-*value))
               : std::nullopt;
}

/// Columns of CANN's step_trace: after the fixed ones pairs of a reduce's start and duration, all under the same names.
class IterationColumns {
public:
    explicit IterationColumns(const std::vector<std::string>& header) : m_width(header.size()) {
        const CsvColumns columns(header);
        number = columns.find("Iteration ID");
        m_model = columns.find("Model ID");
        m_device = columns.find("Device_id");
        m_forward = columns.find("FP Start(us)");
        m_backward = columns.find("BP End(us)");
        m_passes = columns.find("FP to BP Time(us)");
        m_tail = columns.find("Iteration Refresh(us)");
        m_interval = columns.find("Data Aug Bound(us)");
        for (std::size_t i = 0; i + 1 < header.size(); ++i) {
            if (header[i].starts_with("Reduce Start") && header[i + 1].starts_with("Reduce Duration"))
                m_reduces.push_back(i);
        }
    }

    std::optional<std::size_t> number;

    /// @return False: the record is no iteration, or a part of it cannot be read.
    bool add(const CsvRecord& record, RowBatch& batch) const {
        // Iterations with fewer reduces than others have fewer cells; none has more.
        bool isWhole = record.cells.size() <= m_width;
        const auto cell = [&record](std::optional<std::size_t> column) {
            return column && *column < record.cells.size() ? trimmed(record.cells[*column]) : std::string_view();
        };
        const auto whole = [&cell](std::optional<std::size_t> column) { return wholeNumber(cell(column)); };
        const auto time = [&](std::optional<std::size_t> column) {
            static constexpr std::int64_t kNsPerUs = 1000;
            const std::string_view text = cell(column);
            const auto value = parseScaled(text, kNsPerUs);
            isWhole = isWhole && (value || text.empty() || text == "N/A" || text == "-");
            return value;
        };
        const auto step = whole(number);
        if (!step || *step < 0) return false;
        const auto addOne = [&](std::string_view phase, std::optional<std::int64_t> ts,
                                std::optional<std::int64_t> dur) {
            if (!dur) return;
            if (*dur < 0) {
                isWhole = false;
                return;
            }
            addPhase(batch, *step, phase, ts, *dur);
            if (const auto model = whole(m_model)) batch.setInteger(fixedColumn(PH, "model_id"), *model);
            if (const auto device = whole(m_device); device && *device >= 0 && *device <= kMaxDevice)
                batch.setInteger(fixedColumn(PH, "device_id"), *device);
        };
        const auto forward = time(m_forward), backward = time(m_backward), interval = time(m_interval);
        addOne(kInterval, forward && interval ? std::optional(*forward - *interval) : std::nullopt, interval);
        addOne(kBothPasses, forward, time(m_passes));
        addOne(kTailPhase, backward, time(m_tail));
        for (const std::size_t reduce : m_reduces) {
            const auto begin = time(reduce);
            if (!begin) continue;
            const auto turned = turnedDuration(cell(reduce + 1));
            addOne(kReduce, begin, turned ? turned : time(reduce + 1));
        }
        return isWhole;
    }

private:
    std::size_t m_width;
    std::optional<std::size_t> m_model, m_device, m_forward, m_backward, m_passes, m_tail, m_interval;
    std::vector<std::size_t> m_reduces;
};

}  // namespace

Result<Done> readIterations(const SourceFile& file, TableContext& context) {
    std::optional<IterationColumns> columns;
    RowBatch batch = context.builder.batch(PH);
    const auto read =
        eachCsvRecord(file, &context.diagnostics, context.progress, context.cancel, [&](CsvRecord& record) {
            if (!columns) {
                if (holdsValues(record)) reportBroken(file, record, "Iteration ID", context);
                columns.emplace(record.cells);
            } else if (columns->number && !columns->add(record, batch)) {
                reportBroken(file, record, "Iteration ID", context);
            }
        });
    if (!read.ok()) return read;
    if (columns && !columns->number) return noColumn(file, "Iteration ID");
    context.builder.commit(batch);
    return Done{};
}

}  // namespace altiscope::reader
