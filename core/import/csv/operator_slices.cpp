#include "core/import/csv/operator_slices.h"

#include "core/base/columns/run_merge.h"
#include "core/base/threads/parallel.h"
#include "core/base/values/parse.h"
#include "core/store/rows/row_kinds.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace altiscope::reader {

namespace {

constexpr auto kOperatorRows = RowKind::Operator;
constexpr std::string_view kStepPrefix = "ProfilerStep#";
constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();

consteval std::size_t operatorColumn(std::string_view name) { return fixedColumn(kOperatorRows, name); }

bool holdsDevice(TrackKind kind) { return kind == TrackKind::Hardware || kind == TrackKind::Communication; }

/// A framework operator on the timeline.
struct OperatorSlice {
    std::int64_t begin;
    std::uint32_t slice, track;
};

struct PythonSlices {
    std::vector<OperatorSlice> operators;  // by begin
    std::vector<Step> steps;               // by begin
};

PythonSlices pythonSlices(const TraceStore& trace) {
    PythonSlices found;
    const auto category = trace.texts().find("cpu_op");
    if (!category) return found;
    const auto [first, last] = trace.texts().prefixRange(kStepPrefix);
    for (const DepthRun& run : trace.runs()) {
        if (trace.track({run.track}).kind != TrackKind::Python) continue;
        for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
            if (trace.columns().category[i] != *category) continue;
            const StringId name = trace.nameId({i});
            if (name < first || !(name < last)) {
                found.operators.push_back({trace.begin({i}).value, i, run.track});
            } else if (const auto number = wholeNumber(trace.text(name).substr(kStepPrefix.size()))) {
                found.steps.push_back({*number, TimeRange{trace.begin({i}), trace.end({i})}});
            }
        }
    }
    const auto earlier = [](const OperatorSlice& a, const OperatorSlice& b) {
        return std::tie(a.begin, a.slice) < std::tie(b.begin, b.slice);
    };
    if (!mergeRuns(std::span(found.operators), earlier, {}))
        std::sort(found.operators.begin(), found.operators.end(), earlier);
    return found;
}

std::vector<Step> timedSteps(std::span<const Step> known, std::vector<Step> ofSlices) {
    std::vector<Step> steps(known.begin(), known.end());
    std::erase_if(steps, [](const Step& step) { return !step.range; });
    if (steps.empty()) steps = std::move(ofSlices);
    std::stable_sort(steps.begin(), steps.end(),
                     [](const Step& a, const Step& b) { return a.range->begin < b.range->begin; });
    return steps;
}

std::int64_t stepAt(std::span<const Step> steps, std::int64_t time) {
    const auto after = std::upper_bound(steps.begin(), steps.end(), TimeNs{time},
                                        [](TimeNs t, const Step& step) { return t < step.range->begin; });
    return after != steps.begin() && (after - 1)->range->contains(TimeNs{time}) ? (after - 1)->number : kNoCell;
}

/// The columns of `operator` that are made here.
class OperatorRows {
public:
    OperatorRows(const RowTables& tables, const TraceStore& trace, std::span<const Step> steps)
        : m_tables(tables), m_table(*tables.find(kOperatorRows)), m_trace(trace), m_python(pythonSlices(trace)),
          m_steps(timedSteps(steps, std::move(m_python.steps))), m_slices(m_table.size(), kNoCell),
          m_stepNumbers(m_table.size(), kNoCell) {}

    RowTables ofSummary() {
        if (m_python.operators.size() != m_table.size()) return m_tables;
        std::vector<std::int64_t> threads(m_table.size(), kNoCell), begins(m_table.size(), kNoCell);
        std::unordered_map<std::uint32_t, std::int64_t> threadOfTrack;
        for (std::size_t row = 0; row < m_table.size(); ++row) {
            const OperatorSlice& one = m_python.operators[row];
            const auto name = m_table.text(operatorColumn("name"), row);
            const auto duration = m_table.integer(operatorColumn("dur"), row);
            if (!name || !duration || std::abs(m_trace.duration({one.slice}).value - *duration) > 1) continue;
            if (m_tables.text(*name) != m_trace.name({one.slice})) continue;
            m_slices[row] = one.slice;
            m_stepNumbers[row] = stepAt(m_steps, one.begin);
            begins[row] = one.begin;
            const auto [known, isNew] = threadOfTrack.try_emplace(one.track, kNoCell);
            if (const auto thread = isNew ? m_tables.texts().find(m_trace.track({one.track}).thread) : std::nullopt)
                known->second = thread->value;
            threads[row] = known->second;
        }
        return joined()
            .with(kOperatorRows, operatorColumn("thread"), threads)
            .with(kOperatorRows, operatorColumn("ts"), begins);
    }

    RowTables ofDatabase(bool isWhole) {
        std::vector<std::int64_t> begins(m_table.size()), durations(m_table.size());
        for (std::size_t row = 0; row < m_table.size(); ++row) {
            begins[row] = m_table.integer(operatorColumn("ts"), row).value_or(0);
            durations[row] = m_table.integer(operatorColumn("dur"), row).value_or(0);
        }
        CallTree tree;
        parallelTogether(2, [&](std::size_t part) {
            if (part == 0) tree = callTree(begins, durations);
            else findSlices(begins, durations);
        });
        const RowTables tables = joined().with(kOperatorRows, operatorColumn("self_dur"), tree.own);
        return isWhole ? tables.with(kOperatorRows, operatorColumn("device_dur"), deviceTimes(tree)) : tables;
    }

private:
    RowTables joined() const {
        return m_tables.with(kOperatorRows, operatorColumn("slice_id"), m_slices)
            .with(kOperatorRows, operatorColumn("step"), m_stepNumbers);
    }

    /// Which operator called which.
    struct CallTree {
        std::vector<std::uint32_t> order;    ///< Rows, callers before what they call.
        std::vector<std::uint32_t> callers;  ///< By row; kNoRow: nothing called it.
        std::vector<std::int64_t> own;       ///< By row: duration without what it called.
    };
    /// Also finds the steps of the rows.
    CallTree callTree(const std::vector<std::int64_t>& begins, const std::vector<std::int64_t>& durations) {
        CallTree tree{std::vector<std::uint32_t>(m_table.size()), std::vector(m_table.size(), kNoRow), durations};
        std::iota(tree.order.begin(), tree.order.end(), std::uint32_t{0});
        // The longer one of two that begin together called the other.
        const auto outer = [&](std::uint32_t a, std::uint32_t b) {
            return std::tuple(begins[a], -durations[a], a) < std::tuple(begins[b], -durations[b], b);
        };
        if (!mergeRuns(std::span(tree.order), outer, {})) std::sort(tree.order.begin(), tree.order.end(), outer);
        std::unordered_map<std::int64_t, std::vector<std::uint32_t>> open;  // by thread
        for (const std::uint32_t row : tree.order) {
            auto& callStack = open[m_table.integer(operatorColumn("thread"), row).value_or(kNoCell)];
            while (!callStack.empty() && begins[callStack.back()] + durations[callStack.back()] <= begins[row])
                callStack.pop_back();
            if (!callStack.empty()) {
                const std::uint32_t caller = tree.callers[row] = callStack.back();
                tree.own[caller] -= std::min(durations[row], begins[caller] + durations[caller] - begins[row]);
            }
            callStack.push_back(row);
            m_stepNumbers[row] = stepAt(m_steps, begins[row]);
        }
        return tree;
    }

    /// Fields in which a row and its slice agree, and the index of either.
    using Key = std::tuple<std::int64_t, std::int64_t, StringId, std::uint32_t>;  // begin, duration, name in the trace

    /// Pairs rows and slices that agree in begin, duration and name, in their order: the first with the first ...
    void findSlices(const std::vector<std::int64_t>& begins, const std::vector<std::int64_t>& durations) {
        m_rowOfSlice.assign(m_trace.sliceCount(), kNoRow);
        std::vector<Key> rows, slices;
        rows.reserve(m_table.size());
        slices.reserve(m_python.operators.size());
        std::unordered_map<std::uint32_t, std::optional<StringId>> names;  // looked for once each
        for (std::uint32_t row = 0; row < m_table.size(); ++row) {
            const auto name = m_table.text(operatorColumn("name"), row);
            if (!name) continue;
            const auto [known, isNew] = names.try_emplace(name->value);
            if (isNew) known->second = m_trace.texts().find(m_tables.text(*name));
            if (known->second) rows.emplace_back(begins[row], durations[row], *known->second, row);
        }
        for (const OperatorSlice& one : m_python.operators)
            slices.emplace_back(one.begin, m_trace.duration({one.slice}).value, m_trace.nameId({one.slice}), one.slice);
        for (std::vector<Key>* keys : {&rows, &slices}) {
            if (!mergeRuns(std::span(*keys), std::less<>(), {})) std::sort(keys->begin(), keys->end());
        }
        const auto head = [](const Key& key) {
            return std::tuple(std::get<0>(key), std::get<1>(key), std::get<2>(key));
        };
        for (auto row = rows.begin(), slice = slices.begin(); row != rows.end() && slice != slices.end();) {
            if (head(*row) < head(*slice)) {
                ++row;
            } else if (head(*slice) < head(*row)) {
                ++slice;
            } else {
                const std::uint32_t at = std::get<3>(*row++), found = std::get<3>(*slice++);
                m_rowOfSlice[found] = at;
                m_slices[at] = found;
            }
        }
    }

    std::vector<std::int64_t> deviceTimes(const CallTree& tree) const {
        const auto tracks = m_trace.tracks();
        const bool hasDevice =
            std::any_of(tracks.begin(), tracks.end(), [](const Track& track) { return holdsDevice(track.kind); });
        std::vector<std::int64_t> times(m_table.size(), hasDevice ? 0 : kNoCell);
        const auto category = m_trace.texts().find("async_npu");
        if (!category || !hasDevice) return times;
        const auto add = [&times](std::uint32_t row, std::int64_t time) {
            times[row] = std::min(kMaxTimeNs, times[row] + time);
        };
        const TraceColumns& columns = m_trace.columns();
        for (std::size_t flow = 0; flow < m_trace.flowCount(); ++flow) {
            const std::uint32_t from = columns.flowFrom[flow], to = columns.flowTo[flow];
            if (columns.flowCategory[flow] != *category || from == kNoSlice.value || to == kNoSlice.value) continue;
            if (!holdsDevice(m_trace.track({m_trace.runOf({to}).track}).kind)) continue;
            if (m_rowOfSlice[from] != kNoRow) add(m_rowOfSlice[from], m_trace.duration({to}).value);
        }
        for (auto row = tree.order.rbegin(); row != tree.order.rend(); ++row) {
            if (tree.callers[*row] != kNoRow) add(tree.callers[*row], times[*row]);
        }
        return times;
    }

    const RowTables& m_tables;
    const RowTable& m_table;
    const TraceStore& m_trace;
    PythonSlices m_python;
    const std::vector<Step> m_steps;
    std::vector<std::int64_t> m_slices, m_stepNumbers;
    std::vector<std::uint32_t> m_rowOfSlice;  // of databases
};

}  // namespace

void addThreadNames(RowTablesBuilder& builder, const TraceStore& trace) {
    if (builder.rowCount(kOperatorRows) == 0) return;
    RowBatch batch = builder.batch(kOperatorRows);
    for (const Track& track : trace.tracks()) {
        if (track.kind == TrackKind::Python) batch.textId(track.thread);
    }
}

RowTables withOperatorSlices(const RowTables& tables, const TraceStore& trace, std::span<const Step> steps,
                             bool isWhole) {
    const RowTable* table = tables.find(kOperatorRows);
    if (table == nullptr) return tables;
    OperatorRows rows(tables, trace, steps);
    if (table->presentCount(operatorColumn("ts")) > 0) return rows.ofDatabase(isWhole);
    return isWhole ? rows.ofSummary() : tables;
}

}  // namespace altiscope::reader
