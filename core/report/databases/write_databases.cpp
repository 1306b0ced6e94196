#include "core/report/databases/write_databases.h"

#include "core/report/databases/cann_rows.h"
#include "core/report/databases/communication_tables.h"
#include "core/report/databases/database_schema.h"
#include "core/report/databases/framework_rows.h"
#include "core/report/databases/step_trace.h"
#include "core/report/deliverables/framework_work.h"
#include "core/report/deliverables/step_rows.h"

#include <functional>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

namespace altiscope {

namespace {

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
            [this, isTorch](SqliteFile& file) {
                addCannRows(m_input, file);
                if (!isTorch) return;
                addFrameworkRows(m_input, file);
                for (const auto& [name, json] : m_facts) file.insert(ProfilerTable::MetaData, {name, json});
            });
        const bool hasCollectives = !m_input.tasks.collectives.empty() && !m_input.tasks.isLevelZero;
        const std::vector<StepTraceRow> steps =
            work && !m_problem ? stepTrace(m_input, *work) : std::vector<StepTraceRow>();
        if (hasCollectives || !steps.empty()) {
            add(isTorch         ? "ASCEND_PROFILER_OUTPUT/analysis.db"
                : m_isMindSpore ? "ASCEND_PROFILER_OUTPUT/communication_analyzer.db"
                                : "analyze/communication_analyzer.db",
                analysisTables(isTorch), [this, hasCollectives, &steps](SqliteFile& file) {
                    if (hasCollectives) addCommunicationRows(m_input, file);
                    addStepRows(steps, file);
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
