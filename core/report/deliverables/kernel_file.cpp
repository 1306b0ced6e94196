#include "core/report/deliverables/kernel_file.h"

#include "core/report/deliverables/argument_number.h"
#include "core/report/deliverables/number_text.h"
#include "core/report/deliverables/tie_order.h"

#include "core/base/threads/parallel_sort.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

namespace altiscope {

namespace {

constexpr std::string_view kNotKnown = "N/A";

enum class KernelCell : std::uint8_t {
    Device,
    Model,
    Task,
    Stream,
    Name,
    Type,
    State,
    Core,
    Begin,
    Duration,
    Wait,
    Blocks,
    MixedBlocks,
    Hf32,
    InputShapes,
    InputTypes,
    InputFormats,
    OutputShapes,
    OutputTypes,
    OutputFormats,
    Context,
};
struct KernelColumnName {
    KernelCell cell;
    std::string_view cann, torch;
    bool isOfLevelZero;  ///< Torch: written at the profiler's level 0, too.
    bool isBrief;        ///< Written where there is no operator at all, too.
};
constexpr KernelColumnName kKernelColumns[] = {
    {KernelCell::Device, "Device_id", "Device_id", true, true},
    {KernelCell::Model, "Model ID", "Model ID", false, true},
    {KernelCell::Task, "Task ID", "Task ID", false, true},
    {KernelCell::Stream, "Stream ID", "Stream ID", false, true},
    {KernelCell::Name, "Op Name", "Name", true, true},
    {KernelCell::Type, "OP Type", "Type", true, true},
    {KernelCell::State, "OP State", "OP State", false, true},
    {KernelCell::Core, "Task Type", "Accelerator Core", true, true},
    {KernelCell::Begin, "Task Start Time(us)", "Start Time(us)", true, true},
    {KernelCell::Duration, "Task Duration(us)", "Duration(us)", true, true},
    {KernelCell::Wait, "Task Wait Time(us)", "Wait Time(us)", true, true},
    {KernelCell::Blocks, "Block Num", "Block Num", true, false},
    {KernelCell::MixedBlocks, "Mix Block Num", "Mix Block Num", false, false},
    {KernelCell::Hf32, "HF32 Eligible", "HF32 Eligible", false, false},
    {KernelCell::InputShapes, "Input Shapes", "Input Shapes", true, false},
    {KernelCell::InputTypes, "Input Data Types", "Input Data Types", true, false},
    {KernelCell::InputFormats, "Input Formats", "Input Formats", true, false},
    {KernelCell::OutputShapes, "Output Shapes", "Output Shapes", true, false},
    {KernelCell::OutputTypes, "Output Data Types", "Output Data Types", true, false},
    {KernelCell::OutputFormats, "Output Formats", "Output Formats", true, false},
    {KernelCell::Context, "Context ID", "Context ID", false, true},
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

/// The headers of counters in files of older chips. They count in other files, which are not read: no row has any.
std::vector<std::string> olderCounterHeaders(std::span<const std::string> names) {
    static constexpr std::string_view kCore = "aic_", kVector = "aiv_";
    static constexpr const char* kPipes[] = {
        "aicore_time", "total_cycles", "vec_time",         "vec_ratio",    "mac_time",        "mac_ratio",
        "scalar_time", "scalar_ratio", "mte1_time",        "mte1_ratio",   "mte2_time",       "mte2_ratio",
        "mte3_time",   "mte3_ratio",   "icache_miss_rate", "memory_bound", "cube_utilization"};
    std::vector<std::string> headers;
    const bool isOfPipes = std::find(names.begin(), names.end(), "aic_mte1_ratio") != names.end() &&
                           std::find(names.begin(), names.end(), "aic_icache_miss_rate") != names.end();
    if (isOfPipes) {
        for (const char* name : kPipes) headers.push_back(counterHeader(name));
        return headers;
    }
    for (std::string_view name : names) {
        if (name.starts_with(kVector)) continue;
        if (name.starts_with(kCore)) name.remove_prefix(kCore.size());
        headers.push_back(counterHeader(name));
    }
    return headers;
}

enum class CounterForm : std::uint8_t { Utilization, Cycles, Time, Other };
CounterForm counterForm(std::string_view name) {
    if (name == "cube_utilization") return CounterForm::Utilization;
    if (name.ends_with("_cycles")) return CounterForm::Cycles;
    return name.find("time") != std::string_view::npos ? CounterForm::Time : CounterForm::Other;
}
void addCounter(CounterForm form, double value, std::int64_t duration, CellText& cells) {
    switch (form) {
    case CounterForm::Utilization: return cells.plain(duration == 0 ? std::string("0") : fixedText(value, 3));
    case CounterForm::Cycles: return cells.whole(value);
    // ns in the table.
    case CounterForm::Time: return cells.rounded(value / 1000);
    case CounterForm::Other: return cells.rounded(value);
    }
}

/// Where a table keeps what the columns show.
struct StoredKernelColumns {
    explicit StoredKernelColumns(const NamedCells& cells)
        : device(cells.column("device_id")), kind(cells.column("kind")), slice(cells.column("slice_id")),
          name(cells.column("name")), type(cells.column("type")), core(cells.column("accelerator_core")),
          stream(cells.column("stream")), begin(cells.column("ts")), duration(cells.column("dur")),
          wait(cells.column("wait")), blocks(cells.column("block_num")), inputShapes(cells.column("input_shapes")),
          inputTypes(cells.column("input_types")), inputFormats(cells.column("input_formats")),
          outputShapes(cells.column("output_shapes")), outputTypes(cells.column("output_types")),
          outputFormats(cells.column("output_formats")) {}
    std::size_t device, kind, slice, name, type, core, stream, begin, duration, wait, blocks;
    std::size_t inputShapes, inputTypes, inputFormats, outputShapes, outputTypes, outputFormats;
};

/// Writes the rows of one rank.
class KernelLines {
public:
    KernelLines(const DeliverableInput& input, const TaskIndex& tasks)
        : m_input(input), m_tasks(tasks), m_cells(input.rank, RowKind::Kernel), m_stored(m_cells),
          m_isShort(input.dialect == Dialect::Torch && input.tasks.isLevelZero), m_isOlder(input.tasks.isOlder()) {
        // Without any operator there are no columns that describe some.
        m_isBrief = std::none_of(input.tasks.tasks.begin(), input.tasks.tasks.end(),
                                 [](const TaskRecord& task) { return task.hasOp; });
        m_hasSteps = !input.steps.empty();
        for (const TaskRecord& task : input.tasks.tasks) {
            if (task.hasOp && !task.pos) m_barless.try_emplace({task.device, task.stream, task.begin}, &task);
        }
        for (const KernelColumnName& column : kKernelColumns) {
            const bool isOthers = column.cell == KernelCell::Device && input.isMindSpore();
            const bool isNewer = column.cell == KernelCell::MixedBlocks || column.cell == KernelCell::Context;
            if (isNewer && m_isOlder) continue;
            if ((column.isOfLevelZero || !m_isShort) && (column.isBrief || !m_isBrief) && !isOthers)
                m_columns.push_back(column);
        }
    }

    DeliverableResult write() {
        if (m_cells.size() == 0) return {DeliverableResult::State::Nothing};
        const std::vector<std::string>& extras = m_cells.table()->extras();
        if (m_isOlder) m_olderCounters = olderCounterHeaders(extras);
        else
            for (const std::string& name : extras) m_counters.push_back(counterForm(name));
        const bool isTorch = m_input.dialect == Dialect::Torch;
        DeliverableTable table(m_input, isTorch ? "kernel_details" : "op_summary", header(), m_cells.size());
        const std::vector<RowKey> order = sortedRows();
        m_counterRows = counterRows(order);
        if (m_isOlder) setOlderWaits(order);
        table.lines(order.size(), [&](std::size_t i, CellText& cells) { addCells(order[i].row, i == 0, cells); });
        return table.end();
    }

private:
    struct RowKey {
        std::size_t device;  ///< Its place among the texts of all.
        std::int64_t begin;
        std::uint32_t row;
        auto operator<=>(const RowKey&) const = default;
    };

    std::vector<std::string> header() const {
        std::vector<std::string> names;
        if (m_hasSteps) names.emplace_back(m_input.isMindSpore() ? "Step ID" : "Step Id");
        for (const KernelColumnName& column : m_columns)
            names.emplace_back(m_input.dialect == Dialect::Torch ? column.torch : column.cann);
        if (m_isShort) return names;
        names.insert(names.end(), m_olderCounters.begin(), m_olderCounters.end());
        if (m_isOlder) return names;
        for (const std::string& name : m_cells.table()->extras()) names.push_back(counterHeader(name));
        return names;
    }

    /// Those of older chips go by whole ns.
    void setOlderWaits(const std::vector<RowKey>& order) {
        m_waits.assign(order.size(), 0);
        for (std::size_t i = 1; i < order.size(); ++i) {
            const std::int64_t dur = m_cells.integer(m_stored.duration, order[i - 1].row).value_or(0);
            m_waits[order[i].row] = std::max<std::int64_t>(order[i].begin - order[i - 1].begin - dur, 0);
        }
    }

    /// By the texts of the devices, as the vendor's program sorts, then by begin.
    std::vector<RowKey> sortedRows() {
        std::map<std::string, std::size_t> places;  // of devices
        std::vector<std::int64_t> devices(m_cells.size());
        for (std::size_t row = 0; row < devices.size(); ++row) {
            devices[row] = m_cells.integer(m_stored.device, row).value_or(0);
            if (row == 0 || devices[row] != devices[row - 1]) places.emplace(std::to_string(devices[row]), 0);
        }
        std::size_t next = 0;
        for (auto& place : places) place.second = next++;
        std::vector<RowKey> rows(devices.size());
        for (std::uint32_t row = 0; row < rows.size(); ++row) {
            const bool isKnown = row > 0 && devices[row] == devices[row - 1];
            rows[row] = {isKnown ? rows[row - 1].device : places.at(std::to_string(devices[row])),
                         m_cells.integer(m_stored.begin, row).value_or(0), row};
        }
        parallelSort(std::span(rows), std::less<>(), m_input.cancel);
        const auto areOne = [](const RowKey& a, const RowKey& b) { return a.device == b.device && a.begin == b.begin; };
        if (rows.size() <= kMaxRowsInVendorOrder && std::adjacent_find(rows.begin(), rows.end(), areOne) != rows.end())
            sortTies(rows);
        return rows;
    }

    /// Puts rows of one device and time into the order of the vendor's program.
    void sortTies(std::vector<RowKey>& rows) {
        using Name = std::tuple<std::int64_t, std::string_view, std::int64_t>;  // device, name, begin
        std::map<Name, std::uint32_t> collectives;
        for (const CollectiveRecord& one : m_input.tasks.collectives)
            collectives.try_emplace({one.device, one.name, one.begin}, one.place);
        std::vector<SummaryRowPlace> places;
        places.reserve(rows.size());
        for (const RowKey& row : rows) {
            SummaryRowPlace& one = places.emplace_back();
            one.device = row.device;
            one.begin = row.begin;
            one.row = row.row;
            one.isCollective = isCollective(row.row);
            if (const TaskRecord* task = taskOf(row.row)) {
                one.place = task->place;
            } else if (one.isCollective) {
                const auto found = collectives.find({m_cells.integer(m_stored.device, row.row).value_or(0),
                                                     m_cells.text(m_stored.name, row.row).value_or(""), row.begin});
                one.place = found == collectives.end() ? row.row : found->second;
            }
        }
        sortAsVendor(places);
        m_waits.assign(rows.size(), 0);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows[i] = {places[i].device, places[i].begin, places[i].row};
            if (i == 0) continue;
            // Waits go by the rows as they stand, in doubles of microseconds.
            const double gap = printedMicroseconds(rows[i].begin) - printedMicroseconds(rows[i - 1].begin) -
                               microseconds(m_cells.integer(m_stored.duration, rows[i - 1].row).value_or(0));
            m_waits[rows[i].row] = std::max<std::int64_t>(std::llround(gap * 1000), 0);
        }
    }

    bool isCollective(std::uint32_t row) const {
        return m_cells.text(m_stored.kind, row) == std::optional<std::string_view>("communication");
    }
    std::optional<SourcePos> positionOf(std::uint32_t row) const {
        const auto slice = m_cells.integer(m_stored.slice, row);
        return slice ? std::optional(m_input.rank.trace->pos({static_cast<std::uint32_t>(*slice)})) : std::nullopt;
    }
    /// Null: the row is of none.
    const TaskRecord* taskOf(std::uint32_t row) const {
        if (isCollective(row)) return nullptr;
        if (const auto pos = positionOf(row)) return m_tasks.at(*pos);
        const auto barless = m_barless.find({m_cells.integer(m_stored.device, row).value_or(0),
                                             m_cells.integer(m_stored.stream, row).value_or(0),
                                             m_cells.integer(m_stored.begin, row).value_or(0)});
        return barless == m_barless.end() ? nullptr : barless->second;
    }

    /// The vendor's program hands out the counters of a task that was launched once and ran several times in the order
    /// of its runs, whichever run they are of. @return By row: that whose counters it has; kNoRow: none.
    std::vector<std::uint32_t> counterRows(const std::vector<RowKey>& order) const {
        if (m_counters.empty() || !m_input.tasks.hasRepeats || m_isShort) return {};
        const std::size_t firstCounter = rowColumns(RowKind::Kernel).size();
        const auto hasCounters = [&](std::uint32_t row) {
            for (std::size_t i = 0; i < m_counters.size(); ++i) {
                if (m_cells.table()->real(firstCounter + i, row)) return true;
            }
            return false;
        };
        using Launch = std::tuple<std::int64_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
        std::map<Launch, std::vector<std::uint32_t>> runs;  // rows by begin
        std::vector<std::uint32_t> rows(order.size());
        for (const RowKey& one : order) {
            rows[one.row] = one.row;
            const TaskRecord* task = taskOf(one.row);
            if (task == nullptr) continue;
            runs[{task->device, task->stream, task->batch, task->task, task->context}].push_back(one.row);
        }
        for (const auto& run : runs) {
            const std::vector<std::uint32_t>& of = run.second;
            std::size_t next = 0;
            for (const std::uint32_t row : of) {
                if (hasCounters(row)) rows[of[next++]] = row;
            }
            for (; next < of.size(); ++next) rows[of[next]] = kNoRow;
        }
        return rows;
    }

    void addText(std::size_t column, std::uint32_t row, CellText& cells) const {
        cells.text(m_cells.text(column, row).value_or(kNotKnown));
    }
    /// Shapes are in quotes of their own. Tensors without dimensions have an empty one, where their types are known.
    void addShape(std::size_t column, std::size_t types, std::uint32_t row, CellText& cells) const {
        const auto shape = m_cells.text(column, row);
        if (!shape && !m_cells.text(types, row)) return cells.plain(kNotKnown);
        cells.textInQuotes(shape.value_or(std::string_view()));
    }
    void addStep(std::int64_t begin, CellText& cells) const {
        const auto step = std::find_if(m_input.steps.begin(), m_input.steps.end(), [begin](const DeviceStep& one) {
            return begin >= one.begin && begin < one.end;
        });
        cells.text(step == m_input.steps.end() ? std::string_view() : std::string_view(step->number));
    }

    void addWait(std::uint32_t row, bool isFirst, CellText& cells) const {
        if (isFirst) cells.plain("0");
        else if (m_isOlder) cells.exactMicroseconds(m_waits[row]);
        else cells.sixDecimals(m_waits.empty() ? m_cells.integer(m_stored.wait, row).value_or(0) : m_waits[row]);
    }

    void addContext(const TaskRecord* task, CellText& cells) const {
        // The vendor's rows have the blocks of the collective there.
        if (m_isBrief) cells.plain("0");
        else if (task != nullptr && task->context != TaskRecord::kNone) cells.number(task->context);
        else cells.plain(kNotKnown);
    }

    void addCells(std::uint32_t row, bool isFirst, CellText& cells) const {
        const bool isCompute = !isCollective(row);
        const std::optional<SourcePos> pos = positionOf(row);
        const TaskRecord* task = taskOf(row);
        const std::int64_t begin = m_cells.integer(m_stored.begin, row).value_or(0);
        if (m_hasSteps) addStep(begin, cells);
        const auto number = [&](std::size_t column) { return m_cells.integer(column, row).value_or(0); };
        const auto ofTask = [&](auto member) {
            task == nullptr ? cells.plain(kNotKnown) : cells.number(std::int64_t{task->*member});
        };
        static constexpr std::string_view kStates[] = {"N/A", "static", "dynamic"}, kHf32[] = {"N/A", "NO", "YES"};
        for (const KernelColumnName& column : m_columns) {
            switch (column.cell) {
            case KernelCell::Device: cells.number(number(m_stored.device)); break;
            case KernelCell::Model: isCompute ? ofTask(&TaskRecord::model) : cells.plain(modelOfCollective(pos)); break;
            case KernelCell::Task: ofTask(&TaskRecord::task); break;
            case KernelCell::Stream: ofTask(&TaskRecord::stream); break;
            case KernelCell::Name: addText(m_stored.name, row, cells); break;
            case KernelCell::Type: addText(m_stored.type, row, cells); break;
            case KernelCell::State:
                cells.plain(kStates[task == nullptr ? 0 : static_cast<std::size_t>(task->state)]);
                break;
            case KernelCell::Core: addText(m_stored.core, row, cells); break;
            case KernelCell::Begin:
                cells.time(m_isOlder ? printedTime(begin, m_input.tasks, number(m_stored.device)) : begin);
                break;
            case KernelCell::Duration:
                m_isOlder ? cells.exactMicroseconds(number(m_stored.duration))
                          : cells.microseconds(number(m_stored.duration));
                break;
            case KernelCell::Wait: addWait(row, isFirst, cells); break;
            case KernelCell::Blocks: cells.number(number(m_stored.blocks)); break;
            case KernelCell::MixedBlocks: ofTask(&TaskRecord::mixedBlocks); break;
            case KernelCell::Hf32:
                cells.plain(kHf32[task == nullptr ? 0 : static_cast<std::size_t>(task->hf32)]);
                break;
            case KernelCell::InputShapes: addShape(m_stored.inputShapes, m_stored.inputTypes, row, cells); break;
            case KernelCell::InputTypes: addText(m_stored.inputTypes, row, cells); break;
            case KernelCell::InputFormats: addText(m_stored.inputFormats, row, cells); break;
            case KernelCell::OutputShapes: addShape(m_stored.outputShapes, m_stored.outputTypes, row, cells); break;
            case KernelCell::OutputTypes: addText(m_stored.outputTypes, row, cells); break;
            case KernelCell::OutputFormats: addText(m_stored.outputFormats, row, cells); break;
            case KernelCell::Context: addContext(task, cells); break;
            }
        }
        if (!m_isShort) addCounters(row, cells);
    }

    void addCounters(std::uint32_t row, CellText& cells) const {
        for (std::size_t i = 0; i < m_olderCounters.size(); ++i) cells.plain(kNotKnown);
        const std::size_t first = rowColumns(RowKind::Kernel).size();
        const std::uint32_t from = m_counterRows.empty() ? row : m_counterRows[row];
        const auto durationOf = [this](std::uint32_t one) {
            return m_cells.integer(m_stored.duration, one).value_or(0);
        };
        for (std::size_t i = 0; i < m_counters.size(); ++i) {
            auto value = from == kNoRow ? std::nullopt : m_cells.table()->real(first + i, from);
            // A share of the row's own time.
            if (value && from != row && m_counters[i] == CounterForm::Utilization && durationOf(row) > 0)
                *value *= static_cast<double>(durationOf(from)) / static_cast<double>(durationOf(row));
            value ? addCounter(m_counters[i], *value, durationOf(row), cells) : cells.plain(kNotKnown);
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
    /// Tasks that have sub-tasks with bars in their place, by device, stream and begin.
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, const TaskRecord*> m_barless;
    const NamedCells m_cells;
    const StoredKernelColumns m_stored;
    const bool m_isShort, m_isOlder;
    bool m_hasSteps = false, m_isBrief = false;
    std::vector<KernelColumnName> m_columns;
    std::vector<std::int64_t> m_waits;         // by row, ns; empty: as the table has them
    std::vector<CounterForm> m_counters;       // the further columns
    std::vector<std::string> m_olderCounters;  // in place of those, of older chips
    std::vector<std::uint32_t> m_counterRows;  // see counterRows; empty: each row has its own
    static constexpr std::uint32_t kNoRow = 0xffffffff;
};

}  // namespace

DeliverableResult writeKernelFile(const DeliverableInput& input, const TaskIndex& tasks) {
    return KernelLines(input, tasks).write();
}

}  // namespace altiscope
