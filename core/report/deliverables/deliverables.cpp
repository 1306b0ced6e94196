#include "core/report/deliverables/deliverables.h"

#include "core/base/threads/parallel.h"
#include "core/report/deliverables/communication_files.h"
#include "core/report/deliverables/counter_files.h"
#include "core/report/deliverables/framework_files.h"
#include "core/report/deliverables/graph_files.h"
#include "core/report/deliverables/kernel_file.h"
#include "core/report/deliverables/mark_files.h"
#include "core/report/deliverables/mindspore_files.h"
#include "core/report/deliverables/mindspore_pipeline.h"
#include "core/report/deliverables/port_files.h"
#include "core/report/deliverables/sample_files.h"
#include "core/report/deliverables/step_rows.h"
#include "core/report/deliverables/summary_files.h"
#include "core/report/deliverables/trace_file.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

/// Writes the files of one rank, some at a time.
class RankWriter {
public:
    RankWriter(const RankEntry& rank, const TaskRecords& tasks, const DeliverableRequest& request,
               const CancelToken& cancel)
        : m_request(request), m_cancel(cancel), m_index(tasks), m_input{rank, tasks, request.dialect, {}, {}, cancel} {}

    Result<DeliverableSummary> write() {
        if (m_request.dialect == Dialect::Torch) planTorch();
        else planCann();
        if (!m_problem) parallelFor(m_files.size(), [this](std::size_t i) { writeFile(*m_files[i]); });
        if (m_cancel.cancelled()) return Cancelled{};
        DeliverableSummary summary;
        for (const auto& file : m_files) {
            if (!m_problem) m_problem = file->problem;
            summary.files.insert(summary.files.end(), file->written.begin(), file->written.end());
        }
        if (m_problem) return *m_problem;
        return summary;
    }

private:
    using Write = std::function<DeliverableResult(const DeliverableInput&)>;
    /// A file on its way.
    struct File {
        DeliverableInput input;
        std::string folder;  ///< Its name.
        std::string_view stem, ending;
        Write write;
        std::vector<std::string> written{};  ///< With the name of the folder.
        std::optional<Error> problem{};
    };

    void planCann() {
        if (!enter("mindstudio_profiler_output")) return;
        m_input.stamp = '_' + m_request.stamp;
        add("msprof", ".json", writeTraceFile);
        add("op_summary", ".csv", [this](const DeliverableInput& input) { return writeKernelFile(input, m_index); });
        addSummaries();
        add("communication_statistic", ".csv", writeCommunicationStatistic);
        add("hbm", ".csv", writeHbm);
        add("ddr", ".csv", writeDdr);
        add("llc_read_write", ".csv", writeLlc);
        add("npu_mem", ".csv", writeNpuMemory);
        add("page_fault", ".csv", writePageFaults);
        add("dp", ".csv", writeQueueActions);
        add("aicpu_mi", ".csv", writeQueueWaits);
        add("step_trace", ".csv", writeIterations);
        add("step_trace", ".json", writeIterationTrace);
        add("fusion_op", ".csv", writeFusions);
        add("memory_record", ".csv", writeGraphMemoryRecord);
        add("operator_memory", ".csv", writeGraphAllocations);
        add("static_op_mem", ".csv", writeStaticMemory);
        add("msprof_tx", ".csv", writeMarkTable);
        add("msprof_tx", ".json", writeMarkTrace);
        addSampled();
        m_input.stamp.clear();
        if (m_input.tasks.collectives.empty() || m_input.tasks.isLevelZero || !enter("analyze")) return;
        addCommunication();
    }

    void planTorch() {
        if (!enter("ASCEND_PROFILER_OUTPUT")) return;
        m_work = frameworkWork(m_input);
        if (!m_work) return;
        m_input.steps = deviceSteps(m_input, *m_work);
        add("trace_view", ".json", writeTraceFile);
        add("kernel_details", ".csv",
            [this](const DeliverableInput& input) { return writeKernelFile(input, m_index); });
        addSummaries();
        addSampled();
        addCommunication();
        add("step_trace_time", ".csv",
            [this](const DeliverableInput& input) { return writeStepTimes(input, *m_work); });
        if (m_input.isMindSpore()) {
            add("operator_memory", ".csv", writeMindsporeAllocations);
            add("memory_record", ".csv", writeMindsporeMemory);
            add("operator_details", ".csv", writeMindsporeOperators);
            add("dataset", ".csv", writeMindsporeDataset);
            m_pipelineRaw = pipelineRawStem(m_input);
            m_pipelineSummary = pipelineSummaryStem(m_input);
            add(m_pipelineRaw, ".csv", writePipelineRaw);
            add(m_pipelineSummary, ".json", writePipelineSummaryJson);
            add(m_pipelineSummary, ".csv", writePipelineSummaryCsv);
            add("static_op_mem", ".csv", writeStaticMemory);
            add("hbm", ".csv", writeHbm);
            return;
        }
        add("operator_memory", ".csv", writeOperatorMemory);
        add("memory_record", ".csv", writeMemoryRecord);
        add("operator_details", ".csv",
            [this](const DeliverableInput& input) { return writeOperatorDetails(input, *m_work, m_index); });
    }

    void addSummaries() {
        if (!m_input.isMindSpore()) add("task_time", ".csv", writeTaskTimes);
        add("op_statistic", ".csv", writeOpStatistic);
        // torch_npu takes over few tables at the profiler's level 0.
        if (m_request.dialect == Dialect::Cann || !m_input.tasks.isLevelZero)
            add("api_statistic", ".csv", writeApiStatistic);
    }
    /// Adds samplers' tables that torch_npu takes over; those of links and ports only if the run was to record them.
    void addSampled() {
        add("npu_module_mem", ".csv", writeModuleMemory);
        const auto records = [this](std::string_view what, std::string_view value = "true") {
            const auto& options = m_input.rank.info.metadata;
            return m_request.dialect == Dialect::Cann ||
                   std::any_of(options.begin(), options.end(), [what, value](const auto& option) {
                       return option.first.ends_with(what) && option.second == value;
                   });
        };
        if (records("_l2_cache")) {
            add("l2_cache", ".csv", writeL2Cache);
            if (!m_input.isMindSpore()) add("soc_pmu", ".csv", writeTranslations);
        }
        if (records("_profiler_level", "Level2"))
            add(m_request.dialect == Dialect::Cann ? "aicpu" : "data_preprocess", ".csv", writeAicpuKernels);
        if (records("sys_io")) {
            add("nic", ".csv", writeNic);
            add("roce", ".csv", writeRoce);
        }
        if (records("sys_interconnection")) {
            add("hccs", ".csv", writeHccs);
            add("pcie", ".csv", writePcie);
        }
    }
    void addCommunication() {
        add("communication", ".json", writeCommunication);
        add("communication_matrix", ".json", writeCommunicationMatrix);
    }

    bool enter(const char* name) {
        m_name = name;
        m_input.folder = m_request.folder / name;
        std::error_code error;
        std::filesystem::create_directories(m_input.folder, error);
        if (error) m_problem = notWritten(m_input.folder, error.message());
        return !m_problem;
    }
    void add(std::string_view stem, std::string_view ending, Write write) {
        m_files.push_back(std::make_unique<File>(File{m_input, m_name, stem, ending, std::move(write)}));
    }
    void writeFile(File& file) const {
        if (m_cancel.cancelled()) return;
        const DeliverableResult result = file.write(file.input);
        const std::filesystem::path path = file.input.file(file.stem, file.ending);
        if (result.state == DeliverableResult::State::Failed) file.problem = notWritten(path, result.reason);
        if (result.state != DeliverableResult::State::Written) return;
        if (result.files.empty()) file.written.push_back(file.folder + '/' + path.filename().string());
        for (const std::string& name : result.files) file.written.push_back(file.folder + '/' + name);
    }
    static Error notWritten(const std::filesystem::path& file, const std::string& reason) {
        return Error{"export.not_written", file.string(), {}, {{"reason", reason}}};
    }

    const DeliverableRequest& m_request;
    const CancelToken& m_cancel;
    const TaskIndex m_index;
    DeliverableInput m_input;
    std::string m_name;                            // of the folder
    std::string m_pipelineRaw, m_pipelineSummary;  // stems of files
    std::optional<FrameworkWork> m_work;
    std::vector<std::unique_ptr<File>> m_files;
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
