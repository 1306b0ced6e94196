#include "core/generate/ranks/rank_writer.h"

#include "core/generate/ranks/profiler_facts.h"
#include "core/generate/text/device_trace.h"
#include "core/generate/text/memory_csv.h"
#include "core/generate/text/trace_metadata.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace altiscope::generate {

namespace {

using StreamPointer = std::unique_ptr<OutputStream>;

/// The files of one rank that are open at the same time. After the first failure nothing more is written.
class RankFiles {
public:
    RankFiles(OutputTarget& target, std::filesystem::path folder) : m_target(target), m_folder(std::move(folder)) {}

    /// Opens a file and writes its begin. @return nullptr once something has failed.
    OutputStream* open(const std::string& name, std::string_view begin) {
        if (!ok()) return nullptr;
        auto stream = m_target.open(m_folder / name);
        if (!stream.ok()) {
            m_state = stream.as<Done>();
            return nullptr;
        }
        m_streams.push_back(std::move(stream).value());
        write(m_streams.back().get(), begin);
        return m_streams.back().get();
    }

    void write(OutputStream* stream, std::string_view text) {
        if (ok()) m_state = stream->write(text);
    }
    void close(OutputStream* stream) {
        if (ok()) m_state = stream->close();
    }
    void writeWhole(const std::string& name, std::string_view text) { close(open(name, text)); }
    void note(Result<Done> result) {
        if (ok()) m_state = std::move(result);
    }

    bool ok() const { return m_state.ok(); }
    const Result<Done>& state() const { return m_state; }

private:
    OutputTarget& m_target;
    std::filesystem::path m_folder;
    std::vector<StreamPointer> m_streams;
    Result<Done> m_state{Done{}};
};

const std::string kOutput = "ASCEND_PROFILER_OUTPUT/";

class RankWriter {
public:
    RankWriter(const PassContext& context, const JsonTexts& texts, OutputTarget& target, std::uint32_t rank)
        : m_context(context), m_run(context.run), m_rank(rank), m_tracks(m_run.plan.identities[rank]),
          m_host(m_run, texts, m_tracks, rank), m_device(m_run, texts, m_tracks, rank),
          m_files(target, rankFolder(rank, context.framework)) {
        m_truth.trace = TraceTally(m_tracks.tracks().size());
    }

    Result<RankTruth> write() {
        m_files.writeWhole("profiler_info_" + std::to_string(m_rank) + ".json",
                           profilerInfoJson(m_run, m_rank, m_context.exportTypes, framework()));
        m_files.writeWhole("profiler_metadata.json", profilerMetadataJson(m_run, m_rank, framework()));
        writeTrace();
        writeTables();
        writeModuleMemory();
        if (!m_files.ok()) return m_files.state().as<RankTruth>();
        return std::move(m_truth);
    }

private:
    Framework framework() const { return m_context.framework; }

    void run(const UnitPass& pass) {
        if (m_files.ok()) m_files.note(runUnitPass(m_context, m_rank, pass, m_truth.trace));
    }

    using HostSection = void (HostTraceWriter::*)(const UnitRecord&, TextBuffer&, TraceTally&) const;

    void hostSection(OutputStream* stream, HostSection section, std::size_t dropAtBegin = 0) {
        const auto render = [&](RenderedUnit& unit) { (m_host.*section)(unit.record, unit.texts[0], unit.tally); };
        run({UnitParts::Host, {stream}, render, {}, dropAtBegin});
    }

    /// The host's part first, then the device's, then the arrows between them: the order in which the profiler writes.
    void writeTrace() {
        OutputStream* stream = m_files.open(kOutput + "trace_view.json", "[");
        // Every event brings the comma before it; the first one of the file needs none.
        hostSection(stream, &HostTraceWriter::operators, 2);
        hostSection(stream, &HostTraceWriter::enqueues);
        hostSection(stream, &HostTraceWriter::dequeues);
        TextBuffer text;
        if (!m_context.lateMetadata) addHostMetadata(m_tracks, text);
        m_files.write(stream, text.view());
        hostSection(stream, &HostTraceWriter::forwardBackwardFlows);
        hostSection(stream, &HostTraceWriter::pythonFunctions);
        if (m_run.plan.identities[m_rank].recordsGarbageCollection)
            hostSection(stream, &HostTraceWriter::garbageCollections);
        text.clear();
        m_host.baseFrames(text, m_truth.trace);
        if (!m_context.lateMetadata) addDeviceMetadata(m_tracks, text);
        m_files.write(stream, text.view());
        const auto renderDevice = [&](RenderedUnit& unit) { m_device.unit(unit.record, unit.texts[0], unit.tally); };
        run({UnitParts::Everything, {stream}, renderDevice, {}, 0});
        hostSection(stream, &HostTraceWriter::deviceFlows);
        text.clear();
        if (m_context.lateMetadata) {
            addHostMetadata(m_tracks, text);
            addDeviceMetadata(m_tracks, text);
        }
        text.add("]");
        m_files.write(stream, text.view());
        m_files.close(stream);
    }

    void writeTables() {
        OutputStream* kernels = m_files.open(kOutput + "kernel_details.csv", kernelDetailsHeader(framework()));
        OutputStream* operators = m_files.open(kOutput + "operator_details.csv", operatorDetailsHeader(framework()));
        OutputStream* records = m_files.open(kOutput + "memory_record.csv", memoryRecordHeader(framework()));
        OutputStream* memory = m_files.open(kOutput + "operator_memory.csv", operatorMemoryHeader());
        std::vector<OutputStream*> streams{kernels, operators, records, memory};
        if (!m_run.plan.groups.empty()) {
            m_communication = m_files.open(kOutput + "communication.json", "{");
            m_matrix = m_files.open(kOutput + "communication_matrix.json", "{");
            streams.insert(streams.end(), {m_communication, m_matrix});
        }
        const auto renderProcess = [&](RenderedUnit& unit) {
            addProcessMemory(m_run, m_rank, unit.record, framework(), unit.texts[0]);
        };
        const UnitPass ofProcess{UnitParts::Memory, {records}, renderProcess, {}, 0};
        if (framework() == Framework::Torch) run(ofProcess);
        const auto render = [&](RenderedUnit& unit) { renderTables(unit); };
        const auto collect = [&](RenderedUnit& unit) { return collectTables(unit); };
        run({UnitParts::Everything, {kernels, operators, records, memory}, render, collect, 0});
        if (framework() == Framework::MindSpore) run(ofProcess);
        const auto renderGraph = [&](RenderedUnit& unit) {
            addOperatorMemory(m_run, m_rank, unit.record, MemoryPool::GraphEngine, unit.texts[0]);
        };
        run({UnitParts::Memory, {memory}, renderGraph, {}, 0});
        for (OutputStream* stream : streams) {
            if (stream == m_communication || stream == m_matrix) m_files.write(stream, "}");
            m_files.close(stream);
        }
        if (!m_files.ok()) return;
        m_files.writeWhole(kOutput + "op_statistic.csv",
                           opStatisticCsv(m_run.plan.identities[m_rank].device, m_kernels));
        m_files.writeWhole(kOutput + "api_statistic.csv", apiStatisticCsv(m_apis));
        m_collector.finish();
        TextBuffer steps;
        steps.add(stepTraceHeader());
        for (const StepTruth& step : m_truth.steps) addStepTrace(step, steps);
        m_files.writeWhole(kOutput + "step_trace_time.csv", steps.view());
    }

    void renderTables(RenderedUnit& unit) const {
        addKernelDetails(m_run, m_rank, unit.record, framework(), unit.texts[0]);
        addOperatorDetails(m_run, unit.record, framework(), unit.texts[1]);
        addAllocatorRecords(m_run, m_rank, unit.record, framework(), unit.texts[2]);
        addOperatorMemory(m_run, m_rank, unit.record, MemoryPool::Framework, unit.texts[3]);
        unit.kernels.clear();
        unit.apis.clear();
        sumKernels(m_run, unit.record, unit.kernels);
        sumApis(m_run, unit.record, unit.apis);
        unit.communication = communicationOf(m_run, unit.record);
    }

    Result<Done> collectTables(RenderedUnit& unit) {
        for (const auto& [key, sum] : unit.kernels) m_kernels[key].add(sum);
        for (const auto& [key, sum] : unit.apis) m_apis[key].add(sum);
        const auto step = m_collector.add(unit.record, std::move(unit.communication));
        if (!step || m_communication == nullptr) return Done{};
        TextBuffer text;
        const std::string_view comma = m_firstStep ? "" : ", ";
        text.add(comma);
        addCommunicationStep(unit.record.step, *step, text);
        const Result<Done> done = m_communication->write(text.view());
        if (!done.ok()) return done;
        text.clear();
        text.add(comma);
        addMatrixStep(m_run, unit.record.step, *step, framework(), text);
        m_firstStep = false;
        return m_matrix->write(text.view());
    }

    /// One component after the other, each over the whole run.
    void writeModuleMemory() {
        OutputStream* stream = m_files.open(kOutput + "npu_module_mem.csv", moduleMemoryHeader(framework()));
        TextBuffer text;
        for (std::size_t module = 0; module < memoryModules().size() && m_files.ok(); ++module) {
            if (m_context.cancel.cancelled()) m_files.note(Cancelled{});
            text.clear();
            addModuleMemory(m_run, m_rank, module, framework(), text);
            m_files.write(stream, text.view());
        }
        m_files.close(stream);
    }

    const PassContext& m_context;
    const Run& m_run;
    std::uint32_t m_rank;
    RankTracks m_tracks;
    HostTraceWriter m_host;
    DeviceTraceWriter m_device;
    RankFiles m_files;
    RankTruth m_truth;
    TruthCollector m_collector{m_run, m_rank, m_truth};
    Statistics m_kernels;
    Statistics m_apis;
    bool m_firstStep = true;
    OutputStream* m_communication = nullptr;  ///< Nothing if the rank has nobody to communicate with.
    OutputStream* m_matrix = nullptr;
};

}  // namespace

Result<RankTruth> writeRank(const PassContext& context, const JsonTexts& texts, OutputTarget& target,
                            std::uint32_t rank) {
    return RankWriter(context, texts, target, rank).write();
}

}  // namespace altiscope::generate
