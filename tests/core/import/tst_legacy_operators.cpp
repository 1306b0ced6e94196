#include "core/store/recording_parts.h"

#include "tests/core/import/row_dump.h"
#include "tests/support/capture_dump.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

constexpr auto K = RowKind::Kernel;

/// JSON with its quotes.
std::string quotedJson(std::string text) {
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}
/// A cell of CSV between its quotes.
std::string quotedCell(const std::string& text) {
    std::string cell;
    for (const char c : text) cell += c == '\'' ? std::string("\"\"") : std::string(1, c == '^' ? '"' : c);
    return cell;
}

/// Three kernels in two steps, on a clock whose 0 is 438 s before the timeline's.
void writeRun(const TestFolder& folder) {
    folder.write("p/timeline_display_1.json",
                 quotedJson("[{'name':'Mul-op29','ph':'X','tid':519,'ts':0.0,'dur':2.0,'pid':1},"
                            "{'name':'Assign-op30','ph':'X','tid':519,'ts':10.0,'dur':3.0,'pid':1},"
                            "{'name':'Odd','ph':'X','tid':519,'ts':30.0,'dur':4.0,'pid':1}]"));
    folder.write("p/output_timeline_data_1.txt", "op_name, stream_id, start_time(ms), duration(ms)\n"
                                                 "Default/a/Mul-op29,519,438000.00000,0.00200\n"
                                                 "Default/a/Assign-op30,519,438000.01000,0.00300\n"
                                                 "Default/a/Odd,519,438000.03000,0.00400\n");
    folder.write("p/step_trace_raw_1_detail_time.csv", "step_num,start_point,end_point\n"
                                                       "1,43800000000,43800000500\n2,43800001000,43800004000\n");
}

struct LegacyCapture {
    explicit LegacyCapture(const TestFolder& folder) : capture(importForTest(folder.path()).value()) {}
    const RankEntry& rank() const { return capture->ranks.at(0); }
    std::string kernels(std::string_view column) const {
        std::string shown;
        const RowTable& table = *rank().rows->find(K);
        const std::size_t place = rowColumn(K, column);
        for (std::size_t row = 0; row < table.size(); ++row)
            shown += (row > 0 ? "|" : "") + cellText(*rank().rows, table, place, row);
        return shown;
    }
    std::string said() const { return dumpDiagnostics(capture->diagnostics); }

    std::shared_ptr<const CaptureStore> capture;
};

}  // namespace

/// Further files of MindSpore up to 2.3: kernels, their steps and memory.
class TestLegacyOperators : public QObject {
    Q_OBJECT
private slots:
    /// The list has neither; each kernel lies in a step, and its name says the type.
    void kernelsHaveStepsAndTypes() {
        const TestFolder folder;
        writeRun(folder);
        const LegacyCapture run(folder);
        QCOMPARE(run.said(), std::string());
        QCOMPARE(run.kernels("step"), std::string("1|2|2"));
        QCOMPARE(run.kernels("type"), std::string("Mul|Assign|-"));
    }

    /// The timeline counts from its first event.
    void phasesAreOnTheClockOfTheTimeline() {
        const TestFolder folder;
        writeRun(folder);
        folder.write("p/step_trace_raw_1_detail_time.csv", "step_num,start_point,end_point,fp_point,bp_point\n"
                                                           "1,43800000000,43800000500,43800000100,43800000400\n"
                                                           "2,43800001000,43800004000,43800001000,43800003000\n");
        const auto phases = [](const LegacyCapture& run) {
            std::string shown;
            const RowTable& table = *run.rank().rows->find(RowKind::StepPhase);
            for (std::size_t row = 0; row < table.size(); ++row) {
                for (const char* column : {"step", "phase", "ts", "dur"})
                    shown += cellText(*run.rank().rows, table, rowColumn(RowKind::StepPhase, column), row) + ' ';
            }
            return shown;
        };
        QCOMPARE(phases(LegacyCapture(folder)),
                 std::string("1 iteration_interval 0 1000 1 forward_backward 1000 3000 1 tail 4000 1000 "
                             "2 iteration_interval 10000 0 2 forward_backward 10000 20000 2 tail 30000 10000 "));
        // Nothing says how their clock is related to that of this timeline.
        folder.write("p/timeline_display_1.json",
                     quotedJson("[{'name':'Other','ph':'X','tid':519,'ts':0.0,'dur':2.0,'pid':1}]"));
        const std::string unplaced = phases(LegacyCapture(folder));
        QVERIFY2(unplaced.starts_with("1 iteration_interval - 1000 1 forward_backward - 3000 "), unplaced.c_str());
    }

    void frameworkRawSaysWhatOperatorsAre() {
        struct Version {
            const char *header, *record, *core, *blocks;
        };
        for (const auto& [header, record, core, blocks] :
             {Version{"task_id,stream_id,block_dim,full_kernel_name,op_name,kernel_name,kernel_type,subgraph,op_info",
                      "3,519,24,Default/a/Odd,Odd,k,MatMul,Default,", "-|-|-", "-|-|24"},
              Version{"task_id,stream_id,block_dim,full_op_name,op_name,op_type,subgraph,op_info,model_id,kernel_type",
                      "3,519,-77,Default/a/Odd,Odd,MatMul,Default,", "-|-|AI_CORE", "-|-|-"}}) {
            const TestFolder folder;
            writeRun(folder);
            const bool isNew = std::string_view(header).ends_with("model_id,kernel_type");
            // In apostrophes for the quotes of CSV, which are doubled within a cell.
            const std::string info = isNew ? "^{'Input_0': {'format': 'ND', 'data_type': 'FLOAT', 'shape': '2,3'}, "
                                             "'Input_1': {'format': 'NZ', 'data_type': 'INT8', 'shape': ''}}^,5,AI_CORE"
                                           : "^{'input_0': {'format': 'ND', 'data_type': 'FLOAT', 'shape': [2, 3]}, "
                                             "'input_1': {'format': 'NZ', 'data_type': 'INT8', 'shape': []}}^";
            folder.write("p/framework_raw_1.csv", std::string(header) + '\n' + record + quotedCell(info) + '\n');
            const LegacyCapture run(folder);
            QCOMPARE(run.said(), std::string());
            QCOMPARE(run.kernels("type"), std::string("Mul|Assign|MatMul"));
            QCOMPARE(run.kernels("accelerator_core"), std::string(core));
            QCOMPARE(run.kernels("block_num"), std::string(blocks));
            QCOMPARE(run.kernels("input_shapes"), std::string("-|-|2,3;"));
            QCOMPARE(run.kernels("input_types"), std::string("-|-|FLOAT;INT8"));
            QCOMPARE(run.kernels("input_formats"), std::string("-|-|ND;NZ"));
        }
    }

    /// With dynamic shapes an operator has a record per run; tensors of all of them stood behind each other.
    void shapesThatDifferBetweenRunsAreNotKnown() {
        const TestFolder folder;
        writeRun(folder);
        std::string text =
            "task_id,stream_id,block_dim,full_op_name,op_name,op_type,subgraph,op_info,model_id,kernel_type\n";
        for (const char* shape : {"2,3", "4,3"})
            text += "3,519,0,Default/a/Odd,Odd,MatMul,Default," +
                    quotedCell("^{'Input_0': {'format': 'ND', 'data_type': 'FLOAT', 'shape': '" + std::string(shape) +
                               "'}}^,5,AI_CORE") +
                    '\n';
        folder.write("p/framework_raw_1.csv", text);
        const LegacyCapture run(folder);
        QCOMPARE(run.said(), std::string());
        QCOMPARE(run.kernels("input_shapes"), std::string("-|-|-"));
        QCOMPARE(run.kernels("input_types"), std::string("-|-|FLOAT"));
    }

    void detailSaysWhereOperatorsRan() {
        const TestFolder folder;
        writeRun(folder);
        folder.write("p/aicore_intermediate_1_detail.csv",
                     "full_op_name,task_duration,execution_frequency,task_type\n"
                     "Default/a/Mul-op29,0.002,1,AI_CORE\nDefault/a/Odd,0.004,1,AI_CPU\nx\n");
        const LegacyCapture run(folder);
        QCOMPARE(run.said(), std::string("lost table.broken p/aicore_intermediate_1_detail.csv x1 row 4\n"));
        QCOMPARE(run.kernels("accelerator_core"), std::string("AI_CORE|-|AI_CPU"));
    }

    /// A start was taken for us and the length of 5 ms for 5 us.
    void aiCpuOperatorsOfNewerVersionsAreInMs() {
        const TestFolder folder;
        writeRun(folder);
        folder.write("p/aicpu_intermediate_1.csv",
                     "serial_number,op_type,total_time,dispatch_time,execution_time,run_start,run_end\n"
                     "1,Print,5.5,0.5,5.0,438000.01,438005.51\n");
        const LegacyCapture run(folder);
        QCOMPARE(run.kernels("dur"), std::string("2000|3000|4000|5000000"));
        QCOMPARE(run.kernels("ts"), std::string("0|10000|30000|10000"));
        QCOMPARE(run.kernels("step"), std::string("1|2|2|2"));
    }

    /// Memory on the clock of the kernels' list was said to be of a different recording.
    void memoryMovesWithTheKernels() {
        const TestFolder folder;
        writeRun(folder);
        folder.write("p/operator_memory_1.csv",
                     "Name,Size(KB),Allocation Time(us),Release Time(us)\na,1,438000005,438000020\n");
        const LegacyCapture run(folder);
        const RowTable& table = *run.rank().rows->find(RowKind::Allocation);
        QCOMPARE(table.integer(fixedColumn(RowKind::Allocation, "alloc_ts"), 0), std::optional<std::int64_t>(5'000));
        QCOMPARE(table.integer(fixedColumn(RowKind::Allocation, "release_ts"), 0), std::optional<std::int64_t>(20'000));
        QVERIFY(!isOfAnotherRecording(run.rank(), RowKind::Allocation));
    }

    void waitsForDataAreMeans() {
        const TestFolder folder;
        writeRun(folder);
        folder.write("p/minddata_aicpu_1.txt", "node_name start_time end_time queue_size\n"
                                               "GetNext_dequeue_wait 100 110 3\nGetNext_dequeue_wait 200 230 2\nodd\n");
        const LegacyCapture run(folder);
        QCOMPARE(run.said(), std::string("lost table.broken p/minddata_aicpu_1.txt x1 row 4\n"));
        const RowTable& table = *run.rank().rows->find(RowKind::DatasetOp);
        QCOMPARE(table.size(), std::size_t{1});
        QCOMPARE(table.integer(fixedColumn(RowKind::DatasetOp, "occurrences"), 0), std::optional<std::int64_t>(2));
        QCOMPARE(table.real(fixedColumn(RowKind::DatasetOp, "avg_time"), 0), std::optional(20'000.0));
    }

    /// They were told to choose an export_type, which these versions do not have.
    void adviceIsForTheVersion() {
        const TestFolder folder;
        folder.write("p/output_timeline_data_1.txt", "op_name, stream_id, start_time(ms), duration(ms)\na,1,2,3\n");
        const LegacyCapture run(folder);
        const std::vector<MissingData>& missing = run.rank().info.missing;
        QCOMPARE(missing.size(), std::size_t{1});
        QCOMPARE(missing.front().what + ' ' + missing.front().switchName, std::string("timeline Profiler.analyse"));
    }

    /// They were passed over without a word, or as "MindSpore".
    void filesThatAreNotReadAreNamed() {
        const TestFolder folder;
        writeRun(folder);
        folder.write("p/parallel_strategy_1.json", "{}");
        folder.write("p/gpu_op_type_info_1.csv", "op_type\n");
        folder.write("p/ascend_cluster_analyse_model-parallel_1_8_1.csv", "computation_time\n1\n");
        const LegacyCapture run(folder);
        QCOMPARE(run.capture->ranks.size(), std::size_t{1});
        std::string what;
        for (const Diagnostic& one : run.capture->diagnostics.entries()) {
            if (one.code == "files_not_read") what += one.parameters.at(0).second;
        }
        QCOMPARE(what, std::string("gpu_op_type_info"));
    }

    /// Steps and types of a real run.
    void realRun() {
        const auto path = sharedData("mindspore_legacy/run_1/profiler");
        if (!path) QSKIP(kNoSharedData);
        const RankEntry rank = importForTest(*path).value()->ranks.at(0);
        const RowTable& kernels = *rank.rows->find(K);
        // Five ran before the first step.
        QCOMPARE(kernels.presentCount(fixedColumn(K, "step")), kernels.size() - 5);
        QCOMPARE(kernels.presentCount(fixedColumn(K, "type")), kernels.size());
    }
};

ALTI_TEST(TestLegacyOperators)
#include "tst_legacy_operators.moc"
