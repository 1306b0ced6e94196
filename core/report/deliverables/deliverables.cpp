#include "core/report/deliverables/deliverables.h"

#include "core/report/deliverables/communication_files.h"
#include "core/report/deliverables/framework_files.h"
#include "core/report/deliverables/kernel_file.h"
#include "core/report/deliverables/summary_files.h"
#include "core/report/deliverables/trace_file.h"

#include <functional>
#include <optional>
#include <system_error>
#include <utility>

namespace altiscope {

namespace {

/// Writes the files of one rank, one behind the other.
class RankWriter {
public:
    RankWriter(const RankEntry& rank, const TaskRecords& tasks, const DeliverableRequest& request,
               const CancelToken& cancel)
        : m_request(request), m_cancel(cancel), m_index(tasks), m_input{rank, tasks, request.dialect, {}, {}, cancel} {}

    Result<DeliverableSummary> write() {
        if (m_request.dialect == Dialect::Torch) writeTorch();
        else writeCann();
        if (m_cancel.cancelled()) return Cancelled{};
        if (m_problem) return *m_problem;
        return std::move(m_summary);
    }

private:
    void writeCann() {
        if (!enter("mindstudio_profiler_output")) return;
        m_input.stamp = '_' + m_request.stamp;
        add("msprof", ".json", [this] { return writeTraceFile(m_input); });
        add("op_summary", ".csv", [this] { return writeKernelFile(m_input, m_index); });
        addSummaries();
        add("communication_statistic", ".csv", [this] { return writeCommunicationStatistic(m_input); });
        add("hbm", ".csv", [this] { return writeHbm(m_input); });
        m_input.stamp.clear();
        if (m_input.tasks.collectives.empty() || m_input.tasks.isLevelZero || !enter("analyze")) return;
        addCommunication();
    }

    void writeTorch() {
        if (!enter("ASCEND_PROFILER_OUTPUT")) return;
        add("trace_view", ".json", [this] { return writeTraceFile(m_input); });
        add("kernel_details", ".csv", [this] { return writeKernelFile(m_input, m_index); });
        addSummaries();
        addCommunication();
        add("operator_memory", ".csv", [this] { return writeOperatorMemory(m_input); });
        add("memory_record", ".csv", [this] { return writeMemoryRecord(m_input); });
        const std::optional<FrameworkWork> work = frameworkWork(m_input);
        if (!work) return;
        add("operator_details", ".csv", [&] { return writeOperatorDetails(m_input, *work, m_index); });
        add("step_trace_time", ".csv", [&] { return writeStepTimes(m_input, *work); });
    }

    void addSummaries() {
        add("task_time", ".csv", [this] { return writeTaskTimes(m_input); });
        add("op_statistic", ".csv", [this] { return writeOpStatistic(m_input); });
        add("api_statistic", ".csv", [this] { return writeApiStatistic(m_input); });
    }
    void addCommunication() {
        add("communication", ".json", [this] { return writeCommunication(m_input); });
        add("communication_matrix", ".json", [this] { return writeCommunicationMatrix(m_input); });
    }

    bool enter(const char* name) {
        m_name = name;
        m_input.folder = m_request.folder / name;
        std::error_code error;
        std::filesystem::create_directories(m_input.folder, error);
        if (error) fail(m_input.folder, error.message());
        return !m_problem;
    }
    void add(std::string_view stem, std::string_view ending, const std::function<DeliverableResult()>& write) {
        if (m_problem || m_cancel.cancelled()) return;
        const DeliverableResult result = write();
        const std::filesystem::path file = m_input.file(stem, ending);
        if (result.state == DeliverableResult::State::Failed) fail(file, result.reason);
        if (result.state != DeliverableResult::State::Written) return;
        if (result.files.empty()) m_summary.files.push_back(m_name + '/' + file.filename().string());
        for (const std::string& name : result.files) m_summary.files.push_back(m_name + '/' + name);
    }
    void fail(const std::filesystem::path& file, const std::string& reason) {
        m_problem = Error{"export.not_written", file.string(), {}, {{"reason", reason}}};
    }

    const DeliverableRequest& m_request;
    const CancelToken& m_cancel;
    const TaskIndex m_index;
    DeliverableInput m_input;
    std::string m_name;  // of the folder
    DeliverableSummary m_summary;
    std::optional<Error> m_problem;
};

}  // namespace

Result<DeliverableSummary> writeDeliverables(const RankEntry& rank, const DeliverableRequest& request,
                                             const CancelToken& cancel) {
    const Error noRecords{"deliverables.no_records", rank.info.path, {}, {}};
    if (rank.arguments == nullptr || rank.trace == nullptr) return noRecords;
    const auto tasks = rank.arguments->tasks(TaskDetail::Summary, cancel);
    if (!tasks.ok()) return tasks.as<DeliverableSummary>();
    if (tasks.value() == nullptr) return noRecords;
    return RankWriter(rank, *tasks.value(), request, cancel).write();
}

}  // namespace altiscope
