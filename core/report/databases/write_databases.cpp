#include "core/report/databases/write_databases.h"

#include "core/base/text/printable_text.h"
#include "core/base/text/text_buffer.h"
#include "core/report/databases/cann_rows.h"
#include "core/report/databases/communication_tables.h"
#include "core/report/databases/database_schema.h"
#include "core/report/databases/framework_rows.h"
#include "core/report/databases/step_trace.h"
#include "core/report/deliverables/argument_number.h"
#include "core/report/deliverables/framework_work.h"
#include "core/report/deliverables/step_rows.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace altiscope {

namespace {

/// torch_npu writes these variables' values where it analyses. Here they stay empty, as where they are not set: those
/// of the job come after this row, where the run recorded them.
constexpr std::string_view kNoVariables =
    R"({"ASCEND_GLOBAL_LOG_LEVEL": "", "HCCL_RDMA_TC": "", "HCCL_RDMA_SL": "", "ACLNN_CACHE_LIMIT": "", )"
    R"("HOST_CACHE_CAPACITY": "", "ASCEND_ENHANCE_ENABLE": "", "PYTORCH_NPU_ALLOC_CONF": "", )"
    R"("ASCEND_LAUNCH_BLOCKING": "", "HCCL_ALGO": ""})";

void addUnit(std::string& out, std::uint32_t unit) {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[(unit >> shift) & 0xf];
}

/// JSON as Python writes it: a space after each comma and colon, and ASCII alone.
std::string pythonJson(std::string_view json) {
    static constexpr std::uint32_t kFirstPair = 0x10000, kHigh = 0xd800, kLow = 0xdc00;
    TextBuffer spaced;
    addSpacedJson(spaced, json);
    std::string text;
    for (std::string_view rest = spaced.view(); !rest.empty();) {
        const std::uint32_t unit = takeUtf8Char(rest);
        if (unit < 0x80) text += static_cast<char>(unit);
        else if (unit < kFirstPair) addUnit(text, unit);
        else {
            const std::uint32_t offset = unit - kFirstPair;
            addUnit(text, kHigh + (offset >> 10));
            addUnit(text, kLow + (offset & 0x3ff));
        }
    }
    return text;
}

/// Writes the databases of one rank, one after the other.
class DatabaseWriter {
public:
    DatabaseWriter(const RankEntry& rank, const TaskRecords& tasks, const DeliverableRequest& request,
                   const DatabaseFacts& facts, const CancelToken& cancel)
        : m_request(request), m_facts(facts), m_input{rank, tasks, request.dialect, request.folder, {}, cancel},
          m_isMindSpore(m_input.isMindSpore()) {
        // It takes over the databases of msprof, under names of its own.
        if (m_isMindSpore) m_input.dialect = Dialect::Cann;
    }

    Result<DeliverableSummary> write() {
        const bool isTorch = m_input.dialect == Dialect::Torch;
        const std::optional<FrameworkWork> work = isTorch ? frameworkWork(m_input) : std::nullopt;
        if (work) m_input.steps = deviceSteps(m_input, *work);
        const auto rankId = m_input.rank.info.rankId;
        const std::string ofFramework = std::string("ASCEND_PROFILER_OUTPUT/") +
                                        (isTorch ? "ascend_pytorch_profiler" : "ascend_mindspore_profiler") +
                                        (rankId ? '_' + std::to_string(*rankId) : std::string()) + ".db";
        add(isTorch || m_isMindSpore ? ofFramework : "msprof_" + m_request.stamp + ".db", profilerTables(),
            [this, isTorch, &work](SqliteFile& file) {
                addCannRows(m_input, file);
                if (!isTorch) return;
                addFrameworkRows(m_input, work ? hostSteps(*m_input.rank.trace, *work) : std::vector<HostStep>(), file);
                file.insert(ProfilerTable::MetaData, {"ENV_VARIABLES", kNoVariables});
                for (const auto& [name, json] : m_facts) file.insert(ProfilerTable::MetaData, {name, pythonJson(json)});
            });
        const bool hasCollectives = !m_input.tasks.collectives.empty() && !m_input.tasks.isLevelZero;
        const std::vector<DeviceStep> steps =
            work && !m_problem ? databaseSteps(m_input, *work) : std::vector<DeviceStep>();
        const std::vector<StepTraceRow> rows = stepTrace(m_input, steps);
        if (hasCollectives || !rows.empty()) {
            add(isTorch         ? "ASCEND_PROFILER_OUTPUT/analysis.db"
                : m_isMindSpore ? "ASCEND_PROFILER_OUTPUT/communication_analyzer.db"
                                : "analyze/communication_analyzer.db",
                analysisTables(isTorch), [this, hasCollectives, &steps, &rows](SqliteFile& file) {
                    if (hasCollectives) addCommunicationRows(m_input, steps, file);
                    addStepRows(rows, file);
                });
        }
        if (m_input.cancel.cancelled()) return Cancelled{};
        if (m_problem) return *m_problem;
        return std::move(m_summary);
    }

private:
    void add(const std::string& name, std::span<const DbTableSchema> tables,
             const std::function<void(SqliteFile&)>& fill) {
        if (m_problem || m_input.cancel.cancelled()) return;
        const std::filesystem::path path = m_request.folder / name;
        std::error_code error;
        std::filesystem::create_directories(path.parent_path(), error);
        if (error) {
            m_problem = Error{"export.not_written", path.string(), {}, {{"reason", error.message()}}};
            return;
        }
        auto file = SqliteFile::create(path, tables, "export.not_written", m_input.cancel);
        Result<Done> closed = file.ok() ? Result<Done>(Done{}) : file.as<Done>();
        if (file.ok()) {
            fill(*file.value());
            closed = file.value()->close();
        }
        if (closed.failed()) m_problem = closed.error();
        else m_summary.files.push_back(name);
    }

    const DeliverableRequest& m_request;
    const DatabaseFacts& m_facts;
    DeliverableInput m_input;
    const bool m_isMindSpore;
    DeliverableSummary m_summary;
    std::optional<Error> m_problem;
};

}  // namespace

Result<DeliverableSummary> writeDatabases(const RankEntry& rank, const DeliverableRequest& request,
                                          const DatabaseFacts& facts, const CancelToken& cancel) {
    const Error noRecords{"deliverables.no_records", rank.info.path, {}, {}};
    if (rank.arguments == nullptr || rank.trace == nullptr) return noRecords;
    const auto tasks = rank.arguments->tasks(TaskDetail::Everything, cancel);
    if (!tasks.ok()) return tasks.as<DeliverableSummary>();
    if (tasks.value() == nullptr) return noRecords;
    return DatabaseWriter(rank, *tasks.value(), request, facts, cancel).write();
}

}  // namespace altiscope
