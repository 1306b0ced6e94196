#include "core/base/text/json_text.h"
#include "core/base/text/text.h"
#include "core/base/values/parse.h"
#include "core/import/mindspore/json_table.h"
#include "core/import/mindspore/special_tables.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>
#include <string>

namespace altiscope::reader {

namespace {

using ShapesJson = nlohmann::json;
constexpr auto OP = RowKind::Operator;
constexpr auto kRuns = RowKind::Kernel;

const ShapesJson* memberOf(const ShapesJson& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
}

std::optional<std::int64_t> stepOf(const ShapesJson& run) {
    const ShapesJson* step = memberOf(run, "step");
    return step != nullptr && step->is_number_integer() ? std::optional(step->get<std::int64_t>()) : std::nullopt;
}

std::optional<std::int64_t> durationOf(const ShapesJson& run) {
    static constexpr double kNsPerUs = 1000, kMax = 4e18;
    const ShapesJson* dur = memberOf(run, "dur");
    if (dur == nullptr || !dur->is_number()) return std::nullopt;
    const double ns = dur->get<double>() * kNsPerUs;
    return std::isfinite(ns) && ns >= 0 && ns < kMax ? std::optional(std::llround(ns)) : std::nullopt;
}

std::optional<std::string> textOf(const ShapesJson& run, const char* key) {
    const ShapesJson* text = memberOf(run, key);
    return text != nullptr && text->is_string() ? std::optional(repairedUtf8(text->get_ref<const std::string&>()))
                                                : std::nullopt;
}

/// "32,3;1" of ["[32, 3]", "[1]"].
std::string shapesText(const ShapesJson& run) {
    std::string shapes;
    const ShapesJson* list = memberOf(run, "shape_info");
    if (list == nullptr || !list->is_array()) return shapes;
    for (std::size_t i = 0; i < list->size(); ++i) {
        if (i > 0) shapes += ';';
        for (const char c : plainJson((*list)[i])) {
            if (c != '[' && c != ']' && c != ' ') shapes += c;
        }
    }
    return repairedUtf8(shapes);
}

/// Rows of one file of the GPU's and CPU's writer: {"operator": {STEP: [run]}, "kernel": {STEP: [run]}}.
class RunRows {
public:
    RunRows(const SourceFile& file, TableContext& context)
        : m_file(file), m_context(context), m_operators(context.builder.batch(OP)),
          m_kernels(context.builder.batch(kRuns)) {}

    void take(const ShapesJson& steps, bool areKernels) {
        if (!steps.is_object()) return reportBadEntry(m_file, ++m_number, dumpJson(steps), m_context);
        for (const auto& [number, runs] : steps.items()) {
            if (!runs.is_array()) {
                reportBadEntry(m_file, ++m_number, dumpJson(runs), m_context);
                continue;
            }
            for (const ShapesJson& run : runs) {
                ++m_number;
                const auto step = run.is_object() ? stepOf(run) : std::nullopt;
                const auto name = step ? textOf(run, "op_name") : std::nullopt;
                const auto dur = name ? durationOf(run) : std::nullopt;
                if (!dur || *step < 0) reportBadEntry(m_file, m_number, dumpJson(run), m_context);
                else if (areKernels) addKernel(run, *step, *name, *dur);
                else addOperator(run, *step, *name, *dur);
            }
        }
    }
    void commit() {
        m_context.builder.commit(m_operators);
        m_context.builder.commit(m_kernels);
    }

private:
    void addOperator(const ShapesJson& run, std::int64_t step, const std::string& name, std::int64_t dur) {
        m_operators.addRow();
        m_operators.setInteger(fixedColumn(OP, "step"), step);
        m_operators.setText(fixedColumn(OP, "name"), name);
        const auto side = textOf(run, "op_side");
        m_operators.setInteger(side == "gpu" ? fixedColumn(OP, "device_dur") : fixedColumn(OP, "dur"), dur);
        if (const std::string shapes = shapesText(run); !shapes.empty())
            m_operators.setText(fixedColumn(OP, "input_shapes"), shapes);
    }
    void addKernel(const ShapesJson& run, std::int64_t step, const std::string& name, std::int64_t dur) {
        m_kernels.addRow();
        m_kernels.setInteger(fixedColumn(kRuns, "step"), step);
        m_kernels.setText(fixedColumn(kRuns, "kind"), "compute");
        m_kernels.setText(fixedColumn(kRuns, "name"), name);
        if (const auto type = textOf(run, "op_full_name")) m_kernels.setText(fixedColumn(kRuns, "type"), *type);
        m_kernels.setInteger(fixedColumn(kRuns, "dur"), dur);
    }

    const SourceFile& m_file;
    TableContext& m_context;
    RowBatch m_operators, m_kernels;
    std::size_t m_number = 0;
};

/// One file of Ascend's writer: {TYPE: [{NAME: {"op_shape": [text of a run], ...}}], "op_type": {means}}. It has only
/// operators that run once a step. Their times have no unit here, and are those of output_timeline_data.
void takeOperators(const SourceFile& file, const ShapesJson& json, TableContext& context) {
    RowBatch batch = context.builder.batch(OP);
    std::size_t number = 0;
    for (const auto& [type, list] : json.items()) {
        if (type == "op_type") continue;
        if (!list.is_array()) {
            reportBadEntry(file, ++number, dumpJson(list), context);
            continue;
        }
        for (const ShapesJson& one : list) {
            ++number;
            const ShapesJson* shapes = one.is_object() && one.size() == 1 && one.begin()->is_object()
                                           ? memberOf(*one.begin(), "op_shape")
                                           : nullptr;
            if (shapes == nullptr || !shapes->is_array()) {
                reportBadEntry(file, number, dumpJson(one), context);
                continue;
            }
            const std::string name = repairedUtf8(one.begin().key());
            for (std::size_t step = 0; step < shapes->size(); ++step) {
                batch.addRow();
                batch.setInteger(fixedColumn(OP, "step"), static_cast<std::int64_t>(step) + 1);
                batch.setText(fixedColumn(OP, "name"), name);
                batch.setText(fixedColumn(OP, "input_shapes"), repairedUtf8(plainJson((*shapes)[step])));
            }
        }
    }
    context.builder.commit(batch);
}

}  // namespace

Result<Done> readDynamicShapes(const SourceFile& file, TableContext& context) {
    const auto json = jsonTable(file, context);
    if (!json.ok()) return json.as<Done>();
    const ShapesJson* operators = memberOf(json.value(), "operator");
    const ShapesJson* kernels = memberOf(json.value(), "kernel");
    if (operators == nullptr && kernels == nullptr) {
        takeOperators(file, json.value(), context);
        return Done{};
    }
    RunRows rows(file, context);
    if (operators != nullptr) rows.take(*operators, false);
    if (kernels != nullptr) rows.take(*kernels, true);
    rows.commit();
    return Done{};
}

}  // namespace altiscope::reader
