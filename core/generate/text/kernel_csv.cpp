#include "core/generate/model/operation_names.h"
#include "core/generate/records/kernel_metrics.h"
#include "core/generate/records/rank_tracks.h"
#include "core/generate/text/summary_csv.h"

#include <algorithm>
#include <optional>
#include <string>

namespace altiscope::generate {

namespace {

/// Time, cycles, then time and share of each pipe, then the instruction cache's misses.
void addCore(const CoreMetrics& core, TextBuffer& out) {
    out.add(',');
    out.addTrimmed(core.ns, 3);
    out.add(',');
    out.addNumber(core.cycles);
    for (const PipeMetric& pipe : core.pipes) {
        out.add(',');
        out.addTrimmed(pipe.ns, 3);
        out.add(',');
        out.addTrimmed(pipe.share, 3);
    }
    out.add(',');
    out.addTrimmed(core.cacheMisses, 3);
}

void addPmuColumns(const std::optional<KernelMetrics>& metrics, TextBuffer& out) {
    if (!metrics) {
        for (int i = 0; i < 25; ++i) out.add(",N/A");
        return;
    }
    addCore(metrics->cube, out);
    addCore(metrics->vector, out);
    out.add(',');
    if (metrics->cubeUtilization == 0) out.add('0');
    else out.addTrimmed(metrics->cubeUtilization, 3);
}

void addQuoted(const std::string& shapes, TextBuffer& out) {
    if (shapes == "N/A") {
        out.add(shapes);
        return;
    }
    out.add("\"\"\"");
    out.add(shapes);
    out.add("\"\"\"");
}

struct Row {
    TimeRange range;
    std::uint32_t work;
};

/// Kernels and collectives by start.
std::vector<Row> rowsOf(const UnitRecord& record) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < record.tasks.size(); ++i) {
        const TaskKind kind = record.host.work[i].task->kind;
        if (kind == TaskKind::Kernel || kind == TaskKind::Collective)
            rows.push_back({record.tasks[i].printedRange(), static_cast<std::uint32_t>(i)});
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return a.range.begin < b.range.begin; });
    return rows;
}

void addTimeCells(const TimeRange& range, TimeNs before, TextBuffer& out) {
    out.addTime(range.begin);
    out.add("\t,");
    out.addTrimmed(range.length().value, 3);
    out.add(',');
    // The first row of the file waits for nobody: a plain zero.
    if (before.value == 0) out.add('0');
    else out.addTrimmed(std::max<std::int64_t>((range.begin - before).value, 0), 3);
}

void addCollectiveCells(const Run& run, const UnitRecord& record, const Row& row, TimeNs before, TextBuffer& out) {
    constexpr int kUnknownCells = 34;
    const auto found = std::find_if(record.collectives.begin(), record.collectives.end(),
                                    [&row](const PlayedCollective& one) { return one.work == row.work; });
    out.add("N/A,N/A,");
    out.add(collectiveName(run.plan.groups[found->view.group], found->view.operation, found->index));
    out.add(',');
    out.add(namesOf(found->view.operation).type);
    out.add(",N/A,HCCL,");
    addTimeCells(row.range, before, out);
    out.add(",0");
    for (int i = 0; i < kUnknownCells; ++i) out.add(",N/A");
}

/// Shapes, types and formats of the inputs or of the outputs.
void addTensorCells(const RunProgram& program, TextId shapes, TextId types, TextId formats, TextBuffer& out) {
    addQuoted(program.texts[shapes], out);
    for (const TextId id : {types, formats}) {
        out.add(',');
        out.add(program.texts[id]);
    }
}

void addKernelCells(const RunProgram& program, const DeviceWork& work, const TimeRange& range, TimeNs before,
                    TextBuffer& out) {
    const KernelSpec& kernel = program.kernels[work.task->index];
    out.addNumber(std::uint64_t{work.taskId});
    out.add(',');
    out.addNumber(std::uint64_t{streamNumber(streamIndex(work.task->stream, work.task->groupSlot))});
    out.add(',');
    out.add(program.texts[kernel.name]);
    out.add(',');
    out.add(program.texts[kernel.type]);
    out.add(",dynamic,");
    out.add(coreName(kernel.core));
    out.add(',');
    addTimeCells(range, before, out);
    out.add(',');
    out.addNumber(std::uint64_t{kernel.blockDim});
    out.add(',');
    out.addNumber(std::uint64_t{mixBlockDim(kernel)});
    out.add(",NO,");
    addTensorCells(program, kernel.inputShapes, kernel.inputTypes, kernel.inputFormats, out);
    out.add(',');
    addTensorCells(program, kernel.outputShapes, kernel.outputTypes, kernel.outputFormats, out);
    const bool mixed = kernel.core == CoreKind::MixCube || kernel.core == CoreKind::MixVector;
    out.add(mixed ? ",0" : ",N/A");
}

}  // namespace

std::string kernelDetailsHeader(Framework framework) {
    return std::string(framework == Framework::MindSpore ? "Step ID," : "Step Id,Device_id,") +
           "Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start "
           "Time(us),Duration(us),Wait "
           "Time(us),"
           "Block Dim,Mix Block Dim,HF32 Eligible,Input Shapes,Input Data Types,Input Formats,Output Shapes,Output "
           "Data Types,"
           "Output Formats,Context "
           "ID,aicore_time(us),aic_total_cycles,aic_mac_time(us),aic_mac_ratio,aic_scalar_time(us),"
           "aic_scalar_ratio,aic_mte1_time(us),aic_mte1_ratio,aic_mte2_time(us),aic_mte2_ratio,aic_fixpipe_time(us),"
           "aic_fixpipe_ratio,aic_icache_miss_rate,aiv_time(us),aiv_total_cycles,aiv_vec_time(us),aiv_vec_ratio,"
           "aiv_scalar_time(us),aiv_scalar_ratio,aiv_mte2_time(us),aiv_mte2_ratio,aiv_mte3_time(us),aiv_mte3_ratio,"
           "aiv_icache_miss_rate,cube_utilization(%)\r\n";
}

void addKernelDetails(const Run& run, std::uint32_t rank, const UnitRecord& record, Framework framework,
                      TextBuffer& out) {
    TimeNs before = record.unit == 0 ? TimeNs{} : run.schedule.unit(rank, record.unit - 1).lastBusy;
    for (const Row& row : rowsOf(record)) {
        const DeviceWork& work = record.host.work[row.work];
        out.addNumber(record.step);
        out.add(',');
        if (framework == Framework::Torch) {
            out.addNumber(std::uint64_t{run.plan.identities[rank].device});
            out.add(',');
        }
        out.add("4294967295,");
        if (work.task->kind == TaskKind::Collective) {
            addCollectiveCells(run, record, row, before, out);
        } else {
            addKernelCells(run.program, work, row.range, before, out);
            addPmuColumns(kernelMetrics(run, rank, work, row.range.length()), out);
        }
        out.add("\r\n");
        before = row.range.end;
    }
}

void sumKernels(const Run& run, const UnitRecord& record, Statistics& sums) {
    for (std::size_t i = 0; i < record.tasks.size(); ++i) {
        const TaskSpec& task = *record.host.work[i].task;
        if (!isKernel(task)) continue;
        const KernelSpec& kernel = run.program.kernels[task.index];
        sums[{run.program.texts[kernel.type], std::string(coreName(kernel.core))}].add(
            record.tasks[i].duration.roundedNs());
    }
}

}  // namespace altiscope::generate
