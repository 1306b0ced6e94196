#include "core/report/deliverables/kernel_file.h"

#include "core/report/deliverables/argument_number.h"
#include "core/report/deliverables/number_text.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

constexpr std::string_view kNotKnown = "N/A";
constexpr std::size_t kStepColumns = 1, kLooksEvery = 1024;

struct KernelColumnName {
    std::string_view cann, torch;
    bool isOfLevelZero;  ///< Of torch_npu: at the profiler's level 0, too.
};
constexpr KernelColumnName kKernelColumns[] = {
    {"Device_id", "Device_id", true},
    {"Model ID", "Model ID", false},
    {"Task ID", "Task ID", false},
    {"Stream ID", "Stream ID", false},
    {"Op Name", "Name", true},
    {"OP Type", "Type", true},
    {"OP State", "OP State", false},
    {"Task Type", "Accelerator Core", true},
    {"Task Start Time(us)", "Start Time(us)", true},
    {"Task Duration(us)", "Duration(us)", true},
    {"Task Wait Time(us)", "Wait Time(us)", true},
    {"Block Num", "Block Num", true},
    {"Mix Block Num", "Mix Block Num", false},
    {"HF32 Eligible", "HF32 Eligible", false},
    {"Input Shapes", "Input Shapes", true},
    {"Input Data Types", "Input Data Types", true},
    {"Input Formats", "Input Formats", true},
    {"Output Shapes", "Output Shapes", true},
    {"Output Data Types", "Output Data Types", true},
    {"Output Formats", "Output Formats", true},
    {"Context ID", "Context ID", false},
};

/// The header of a counter's column, with its unit.
std::string counterHeader(std::string_view name) {
    static constexpr std::string_view kExtra = "_extra";
    if (name.ends_with(kExtra)) name.remove_suffix(kExtra.size());
    std::string header(name);
    if (name == "cube_utilization") return header + "(%)";
    if (name.find("time") != std::string_view::npos) return header + "(us)";
    if (name.find("bw") != std::string_view::npos) return header + "(GB/s)";
    if (name.find("datas") != std::string_view::npos) return header + "(KB)";
    return header;
}

std::string counterText(std::string_view name, double value, std::int64_t duration) {
    if (name == "cube_utilization") return duration == 0 ? "0" : fixedText(value, 3);
    if (name.ends_with("_cycles")) return fixedText(value, 0);
    // Times are ns in the table.
    return roundedText(name.find("time") != std::string_view::npos ? value / 1000 : value);
}

/// Writes the rows of one rank.
class KernelLines {
public:
    KernelLines(const DeliverableInput& input, const TaskIndex& tasks)
        : m_input(input), m_tasks(tasks), m_cells(input.rank, RowKind::Kernel),
          m_isShort(input.dialect == Dialect::Torch && input.tasks.isLevelZero) {
        // Without any operator there are no columns that describe some.
        m_isBrief = std::none_of(input.tasks.tasks.begin(), input.tasks.tasks.end(),
                                 [](const TaskRecord& task) { return task.hasOp; });
        m_hasSteps = !input.steps.empty();
    }

    DeliverableResult write() {
        if (m_cells.size() == 0) return {DeliverableResult::State::Nothing};
        const bool isTorch = m_input.dialect == Dialect::Torch;
        DeliverableTable table(m_input, isTorch ? "kernel_details" : "op_summary", header(), m_cells.size());
        std::vector<std::uint32_t> order(m_cells.size());
        std::iota(order.begin(), order.end(), std::uint32_t{0});
        // By the texts of the devices, as the vendor's program sorts.
        std::vector<std::pair<std::string, std::int64_t>> keys;
        keys.reserve(order.size());
        for (const std::uint32_t row : order)
            keys.emplace_back(std::to_string(m_cells.integer("device_id", row).value_or(0)),
                              m_cells.integer("ts", row).value_or(0));
        std::stable_sort(order.begin(), order.end(),
                         [&keys](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (i % kLooksEvery == 0 && m_input.cancel.cancelled()) break;
            if (!table.line(cells(order[i], i == 0))) break;
        }
        return table.end();
    }

private:
    static bool isBrief(std::string_view column) {
        static constexpr std::string_view kFirstOther = "Block Num", kLast = "Context ID";
        for (const KernelColumnName& one : kKernelColumns) {
            if (one.cann == kFirstOther) break;
            if (one.cann == column) return true;
        }
        return column == kLast;
    }
    std::vector<std::string> header() const {
        std::vector<std::string> names;
        if (m_hasSteps) names.emplace_back("Step Id");
        for (const KernelColumnName& column : kKernelColumns) {
            if (m_isShort && !column.isOfLevelZero) continue;
            if (m_isBrief && !isBrief(column.cann)) continue;
            names.emplace_back(m_input.dialect == Dialect::Torch ? column.torch : column.cann);
        }
        if (m_isShort) return names;
        for (const std::string& name : m_cells.table()->extras()) names.push_back(counterHeader(name));
        return names;
    }

    std::string textCell(std::string_view column, std::uint32_t row) const {
        return std::string(m_cells.text(column, row).value_or(kNotKnown));
    }
    /// Shapes are in quotes of their own. Tensors without dimensions have an empty one, where their types are known.
    std::string shapeCell(std::string_view column, std::string_view types, std::uint32_t row) const {
        const auto shape = m_cells.text(column, row);
        if (!shape && !m_cells.text(types, row)) return std::string(kNotKnown);
        return '"' + std::string(shape.value_or(std::string_view())) + '"';
    }

    std::vector<std::string> cells(std::uint32_t row, bool isFirst) const {
        const bool isCompute = m_cells.text("kind", row) != std::optional<std::string_view>("communication");
        const auto slice = m_cells.integer("slice_id", row);
        const std::optional<SourcePos> pos =
            slice ? std::optional(m_input.rank.trace->pos({static_cast<std::uint32_t>(*slice)})) : std::nullopt;
        const TaskRecord* task = isCompute && pos ? m_tasks.at(*pos) : nullptr;
        std::vector<std::string> cells;
        cells.reserve(std::size(kKernelColumns) + kStepColumns + m_cells.table()->extras().size());
        if (m_hasSteps) {
            const std::int64_t begin = m_cells.integer("ts", row).value_or(0);
            const auto step = std::find_if(m_input.steps.begin(), m_input.steps.end(), [begin](const DeviceStep& one) {
                return begin >= one.begin && begin < one.end;
            });
            cells.push_back(step == m_input.steps.end() ? std::string() : step->number);
        }
        const auto number = [](bool isKnown, std::uint64_t value) {
            return isKnown ? std::to_string(value) : std::string(kNotKnown);
        };
        std::size_t place = 0;
        const auto add = [&](bool isOfLevelZero, std::string cell) {
            if (m_isBrief && !isBrief(kKernelColumns[place++].cann)) return;
            if (isOfLevelZero || !m_isShort) cells.push_back(std::move(cell));
        };
        add(true, std::to_string(m_cells.integer("device_id", row).value_or(0)));
        add(false, isCompute ? number(task != nullptr, task == nullptr ? 0 : task->model) : modelOfCollective(pos));
        add(false, number(task != nullptr, task == nullptr ? 0 : task->task));
        add(false, number(task != nullptr, task == nullptr ? 0 : task->stream));
        for (const std::string_view column : {"name", "type"}) add(true, textCell(column, row));
        static constexpr std::string_view kStates[] = {"N/A", "static", "dynamic"}, kHf32[] = {"N/A", "NO", "YES"};
        add(false, std::string(kStates[task == nullptr ? 0 : static_cast<std::size_t>(task->state)]));
        add(true, textCell("accelerator_core", row));
        add(true, timeCell(m_cells.integer("ts", row).value_or(0)));
        add(true, microsecondsText(m_cells.integer("dur", row).value_or(0)));
        add(true, isFirst ? "0" : fixedText(microseconds(m_cells.integer("wait", row).value_or(0)), 6));
        add(true, std::to_string(m_cells.integer("block_num", row).value_or(0)));
        add(false, number(task != nullptr, task == nullptr ? 0 : task->mixedBlocks));
        add(false, std::string(kHf32[task == nullptr ? 0 : static_cast<std::size_t>(task->hf32)]));
        add(true, shapeCell("input_shapes", "input_types", row));
        for (const std::string_view column : {"input_types", "input_formats"}) add(true, textCell(column, row));
        add(true, shapeCell("output_shapes", "output_types", row));
        for (const std::string_view column : {"output_types", "output_formats"}) add(true, textCell(column, row));
        const bool hasContext = task != nullptr && task->context != TaskRecord::kNone;
        // The vendor's rows have the blocks of the collective there.
        add(false, m_isBrief ? "0" : number(hasContext, hasContext ? task->context : 0));
        if (!m_isShort) addCounters(row, cells);
        return cells;
    }

    void addCounters(std::uint32_t row, std::vector<std::string>& cells) const {
        const std::vector<std::string>& names = m_cells.table()->extras();
        const std::size_t first = rowColumns(RowKind::Kernel).size();
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto value = m_cells.table()->real(first + i, row);
            cells.push_back(value ? counterText(names[i], *value, m_cells.integer("dur", row).value_or(0))
                                  : std::string(kNotKnown));
        }
    }

    std::string modelOfCollective(const std::optional<SourcePos>& pos) const {
        if (!pos || m_input.rank.arguments == nullptr) return std::string(kNotKnown);
        const auto arguments = m_input.rank.arguments->arguments(*pos);
        const auto model = arguments.ok() ? numberInArguments(arguments.value(), "model id") : std::nullopt;
        return model ? std::to_string(*model) : std::string(kNotKnown);
    }

    const DeliverableInput& m_input;
    const TaskIndex& m_tasks;
    const NamedCells m_cells;
    const bool m_isShort;
    bool m_hasSteps = false, m_isBrief = false;
};

}  // namespace

DeliverableResult writeKernelFile(const DeliverableInput& input, const TaskIndex& tasks) {
    return KernelLines(input, tasks).write();
}

}  // namespace altiscope
