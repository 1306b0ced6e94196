#include "core/import/mindspore/special_tables.h"

#include "core/store/columns/argument_source.h"
#include "tests/core/import/mindspore_samples.h"
#include "tests/core/import/row_dump.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <string>

using namespace altiscope;
using namespace altiscope::test;

namespace {

namespace samples = mindspore_samples;

/// Tables, steps and diagnostics of a folder's ranks.
std::string allOf(const TestFolder& folder) {
    const auto result = importForTest(folder.path());
    if (!result.ok()) return "error " + result.error().code;
    std::string text = dumpTables(*result.value());
    for (const RankEntry& rank : result.value()->ranks) {
        for (const Step& step : rank.steps) {
            text += "step " + std::to_string(step.number);
            if (step.range)
                text +=
                    " [" + std::to_string(step.range->begin.value) + ',' + std::to_string(step.range->end.value) + ')';
            text += '\n';
        }
    }
    return text + dumpDiagnostics(result.value()->diagnostics);
}

QString shown(const std::string& text) { return QString::fromStdString(text); }

}  // namespace

/// Files of MindSpore that are no CSV file with a row per record.
class TestSpecialTables : public QObject {
    Q_OBJECT
private slots:
    void files_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* clause, const char* name, const char* content, const char* expected) {
            QTest::addRow("%s", clause) << QByteArray(name) << QByteArray(content) << QString::fromUtf8(expected);
        };
        row("hccl_raw: operators, links, and the links of the step", "hccl_raw_0.csv", samples::kHcclRaw,
            "0 collective 1|recorded|-|stream_41_0_AllReduce-op1|collective|-|750000|500000|250000|-|-\n"
            "0 collective 2|recorded|-|stream_3_0_Receive-op2|p2p|-|100000|100000|0|-|-\n"
            "0 link 1|-|link_info|total|1|0|-|-|SDMA|4096|500000|0.008192\n"
            "0 link 1|-|stream_41_0_AllReduce-op1|single|0|0|-|-|SDMA|2048|250000|0.008192\n"
            "0 link 1|-|stream_41_0_AllReduce-op1|single|1|0|-|-|SDMA|2048|250000|0.008192\n"
            "step 1\nstep 2\n");
        row("hccl_raw: a cell that is no JSON", "hccl_raw_0.csv",
            "step_num,link_info,communication_operator_cost\n1,{,{}\n2,{},{}\n",
            "lost table.broken hccl_raw_0.csv x1 row 2\n");
        row("hccl_raw: a column is missing", "hccl_raw_0.csv", "step_num,link_info\n1,{}\n",
            "lost csv.no_column hccl_raw_0.csv x1 row 1\n");
        row("step_trace_raw: ticks of 10 ns, without the means", "step_trace_raw_3_detail_time.csv",
            samples::kStepTrace,
            "3 step_phase 1|-|iteration_interval|-|1000|200|-\n3 step_phase 1|-|forward_backward|-|1200|1600|-\n"
            "3 step_phase 1|-|tail|-|2800|200|-\n3 step_phase 2|-|iteration_interval|-|3000|200|-\n"
            "3 step_phase 2|-|forward_backward|-|3200|1600|-\n3 step_phase 2|-|tail|-|4800|200|-\n"
            "step 1 [1000,3000)\nstep 2 [3000,5000)\n");
        row("step_trace_raw: reduces by their names, in columns of any order", "step_trace_raw_3_detail_time.csv",
            samples::kReduces,
            "3 step_phase 1|-|iteration_interval|-|1000|0|-\n3 step_phase 1|-|forward_backward|-|1000|1900|-\n"
            "3 step_phase 1|-|tail|-|2900|100|-\n3 step_phase 1|-|reduce|stream_4_0_Receive-op2|1100|200|-\n"
            "3 step_phase 1|-|reduce|stream_5_parallel_0|2000|1500|-\nstep 1 [1000,3000)\n");
        row("step_trace_raw: inference has no backward pass", "step_trace_raw_3_detail_time.csv",
            "step_num,start_point,end_point,total,fp_point,iteration_interval,fp\n1,100,300,200,120,20,180\n",
            "3 step_phase 1|-|iteration_interval|-|1000|200|-\n3 step_phase 1|-|forward|-|1200|1800|-\n"
            "step 1 [1000,3000)\n");
        row("step_trace_raw: a point that was never met", "step_trace_raw_3_detail_time.csv",
            "step_num,start_point,end_point,fp_point,bp_point\n1,100,300,120,0\n",
            "3 step_phase 1|-|iteration_interval|-|1000|200|-\nstep 1 [1000,3000)\n");
        row("step_trace_raw: a point outside of the step", "step_trace_raw_3_detail_time.csv",
            "step_num,start_point,end_point,fp_point,bp_point\n1,100,300,120,301\n",
            "3 step_phase 1|-|iteration_interval|-|1000|200|-\nstep 1 [1000,3000)\n"
            "lost table.broken step_trace_raw_3_detail_time.csv x1 row 2\n");
        row("step_trace_raw: of one step its writer has overwritten the number", "step_trace_raw_3_detail_time.csv",
            "step_num,start_point,end_point\n-,100,300\n-,100,300\n", "step 1 [1000,3000)\n");
        row("cluster analysis: durations of steps, without the means",
            "ascend_cluster_analyse_pipeline-parallel_2_8_5.csv",
            "computation_time,communication_alone_time,stage_time,receive_alone_time,collective_communication_alone_"
            "time\n"
            "1.5,0.25,1.0,0.75,0.1234\n2,0,2,0,0\n1.75,0.125,1.5,0.375,0.0617\n",
            "5 step_phase 1|-|computation|-|-|1500000|-\n5 step_phase 1|-|communication_alone|-|-|250000|-\n"
            "5 step_phase 1|-|stage|-|-|1000000|-\n5 step_phase 1|-|receive_alone|-|-|750000|-\n"
            "5 step_phase 1|-|collective_alone|-|-|123400|-\n5 step_phase 2|-|computation|-|-|2000000|-\n"
            "5 step_phase 2|-|communication_alone|-|-|0|-\n5 step_phase 2|-|stage|-|-|2000000|-\n"
            "5 step_phase 2|-|receive_alone|-|-|0|-\n5 step_phase 2|-|collective_alone|-|-|0|-\n"
            "step 1\nstep 2\ninfo reader.experimental ascend_cluster_analyse_pipeline-parallel_2_8_5.csv x1\n");
        row("cluster analysis: of one step there are no means, and a cell may be bad",
            "ascend_cluster_analyse_data-parallel_1_2_0.csv", "computation_time,communication_alone_time\n1.5,x\n",
            "0 step_phase 1|-|computation|-|-|1500000|-\nstep 1\ninfo reader.experimental "
            "ascend_cluster_analyse_data-parallel_1_2_0.csv x1\nlost table.broken "
            "ascend_cluster_analyse_data-parallel_1_2_0.csv x1 row 2\n");
        row("dynamic shapes of GPU: runs of operators and kernels", "dynamic_shape_info_2.json", samples::kGpuShapes,
            "2 operator -|1|Add-op6|-|-|-|-|75600|32,1;4|-|-\n2 operator -|2|Cast-op7|-|-|1500|-|-|-|-|-\n"
            "2 kernel -|1|compute|k_add|Default/Add-op6|-|-|-|2000|-|-|-|-|-|-|-|-|-|-\n"
            "step 1\nstep 2\ninfo reader.experimental dynamic_shape_info_2.json x1\n");
        row("dynamic shapes of Ascend: a row per step", "dynamic_shape_info_2.json",
            R"({"Add":[{"Add-op6":{"op_exe_time":[1,2],"op_shape":["a","b"],"op_exe_occurrences":2}}],"op_type":{"Add":[1,2]}})",
            "2 operator -|1|Add-op6|-|-|-|-|-|a|-|-\n2 operator -|2|Add-op6|-|-|-|-|-|b|-|-\n"
            "step 1\nstep 2\ninfo reader.experimental dynamic_shape_info_2.json x1\n");
        row("dynamic shapes: runs that are none", "dynamic_shape_info_2.json",
            R"({"operator":{"1":[{"step":1,"op_name":"Add"},7],"2":3},"kernel":5})",
            "info reader.experimental dynamic_shape_info_2.json x1\n"
            "lost table.broken dynamic_shape_info_2.json x4 row 1, row 2, row 3, row 4\n");
        row("step_trace_raw: a record that is no step", "step_trace_raw_3_detail_time.csv",
            "step_num,start_point,end_point\n1,5,4\n0,1,2\n",
            "lost table.broken step_trace_raw_3_detail_time.csv x1 row 2\n");
        row("kernels of old timelines, in ms", "output_timeline_data_2.txt", samples::kLegacyKernels,
            "2 kernel -|-|compute|Default/a/Mul-op1|Mul|-|5|1500|200|-|-|-|-|-|-|-|-|-|-\n"
            "2 kernel -|-|compute|Default/Add-op2|Add|-|5|2000|300|-|-|-|-|-|-|-|-|-|-\n");
        row("statistics of old kernels, in ms", "aicore_intermediate_1_type.csv",
            "kernel_type,total_time,execution_frequency,percent\nCast,0.5,3,1.5\n",
            "1 op_stat recorded|Cast|-|3|500000|-|-|-|-\n");
        row("statistics of older kernels", "aicore_intermediate_1_type.csv",
            "op_type,execution_time,execution_frequency,percent\nCast,0.5,3,1.5\n",
            "1 op_stat recorded|Cast|-|3|500000|-|-|-|-\n");
        row("pipeline summary, transposed", "minddata_pipeline_summary_0.csv", samples::kSummary,
            "0 pipeline_queue 0|Batch|4|-|-|-|-|-|-|[1]\n0 pipeline_queue 1|Shuffle|1|-|20.5|-|0.3125|-|0|[2]\n"
            "0 pipeline_queue 2|TFReader|8|-|3|-|0.5|-|1|-\ninfo reader.experimental minddata_pipeline_summary_0.csv "
            "x1\n");
        row("pipeline summary, JSON", "minddata_pipeline_summary_0.json", samples::kSummaryJson,
            "0 pipeline_queue 0|Batch|-|-|-|-|-|-|-|[1]\n0 pipeline_queue 1|Map|-|-|2.5|-|-|-|-|-\ninfo "
            "reader.experimental minddata_pipeline_summary_0.json x1\n");
        row("pipeline summary, no JSON", "minddata_pipeline_summary_0.json", "{\"op_ids\":[0",
            "info reader.experimental minddata_pipeline_summary_0.json x1\n"
            "lost table.broken minddata_pipeline_summary_0.json x1 byte 12\n");
        row("pipeline summary, an operator without number", "minddata_pipeline_summary_0.json",
            R"({"op_ids":[0,"x"],"op_names":["BatchOp","MapOp"]})",
            "0 pipeline_queue 0|Batch|-|-|-|-|-|-|-|-\ninfo reader.experimental minddata_pipeline_summary_0.json x1\n"
            "lost table.broken minddata_pipeline_summary_0.json x1 row 2\n");
        row("pipeline from samples, an operator without number", "pipeline_profiling_0.json",
            R"({"op_info":[{"op_type":"Map"}],"sampling_interval":10})",
            "info reader.experimental pipeline_profiling_0.json x1\nlost table.broken pipeline_profiling_0.json x1 row "
            "1\n");
        row("pipeline from samples: means, and children with a queue", "pipeline_profiling_0.json",
            samples::kPipelineProfiling,
            "0 pipeline_queue 0|Batch|4|-|-|-|-|10000000|-|[2]\n0 pipeline_queue 1|Map|2|-|-|-|-|10000000|0|[2]\n"
            "0 pipeline_queue 2|ImageFolder|8|[10, 30]|20|64|0.3125|10000000|1|-\ninfo reader.experimental "
            "pipeline_profiling_0.json x1\n");
        row("times of the iterator, without the first batch", "dataset_iterator_profiling_0.txt", samples::kIterator,
            "0 dataset_op dataset_iterator|pipeline|2|5e+06|-\n0 dataset_op dataset_iterator|push|1|8e+06|-\n"
            "0 dataset_op dataset_iterator|batch|1|1.2e+07|-\ninfo reader.experimental "
            "dataset_iterator_profiling_0.txt x1\n");
        row("a line of the iterator that is none", "device_queue_profiling_0.txt", "0 0 2 x\n0 0 2 4\n",
            "0 dataset_op device_queue|pipeline|1|4e+06|-\ninfo reader.experimental device_queue_profiling_0.txt x1\n"
            "lost table.broken device_queue_profiling_0.txt x1 row 1\n");
        row("host_info: its memory, and means of its data pipeline", "host_info/host_info_0.csv", samples::kHostInfo,
            "0 memory_sample host|2000000|2097152|-|-|-|-\n0 memory_sample host|2900000|4194304|-|-|-|-\n0 "
            "memory_sample "
            "host|-|524288|-|-|-|-\n"
            "0 dataset_op PipelineIterator|GetNext|2|500000|-\n0 dataset_op MindRecordOp|LoadFile|1|10000|file_b\n"
            "0 dataset_op CacheOp|Warm|1|70000|-\n"
            "lost host_info.start_replaced host_info/host_info_0.csv x1 row 10\ninfo reader.experimental "
            "host_info/host_info_0.csv x1\n"
            "repaired unmatched_begin host_info/host_info_0.csv x1 byte 692\nlost unmatched_end "
            "host_info/host_info_0.csv x2 row 12, row 15\n");
    }
    void files() {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, content);
        QFETCH(QString, expected);
        const TestFolder folder;
        folder.write(name.toStdString(), content.toStdString());
        QCOMPARE(shown(allOf(folder)), expected);
    }

    /// The vendor's rule, and what it says of this file.
    void hostTimeline() {
        const TestFolder folder;
        const auto path = folder.write("host_info_0.csv", samples::kHostInfo);
        const auto result = importForTest(path);
        QVERIFY(result.ok());
        const RankEntry& rank = result.value()->ranks.at(0);
        QCOMPARE(rank.info.framework, Framework::MindSpore);
        QCOMPARE(rank.info.rankId, std::optional<std::int64_t>(0));
        std::string text;
        const TraceStore& trace = *rank.trace;
        for (std::uint32_t i = 0; i < trace.sliceCount(); ++i) {
            text += std::string(trace.name({i})) + ' ' + std::to_string(trace.begin({i}).value / 1000) + ' ' +
                    std::to_string(trace.duration({i}).value / 1000) + ' ' +
                    rank.arguments->arguments(trace.pos({i})).value() + '\n';
        }
        const std::string args = " {\"parent_pid\": \"1\"}\n";
        QCOMPARE(shown(text), shown("PipelineIterator::GetNext 1000 400" + args + "PipelineIterator::GetNext 2000 600" +
                                    args + "Compile::Optimize 2100 800" + args + "MindRecordOp::LoadFile 3140 10" +
                                    args + "ShuffleOp_Fill 3200 0 \n"));
        QVERIFY(dumpRows(trace).find("instant 100/12 Launch::Begin 3000000") != std::string::npos);
    }

    /// An end before its start is none.
    void hostTimelineThatGoesBack() {
        const TestFolder folder;
        const std::string header =
            "tid,pid,parent_pid,module_name,event,stage,level,start_end,custom_info,memory_usage(kB),time_stamp(us)\n";
        const auto path = folder.write("host_info_0.csv", header + "11,100,1,Dataset,A,Get,1,0,,0,2000\n"
                                                                   "11,100,1,Dataset,A,Get,1,1,,0,1999\n"
                                                                   "12,100,1,Dataset,B,Get,1,0,,0,2000\n"
                                                                   "12,100,1,Dataset,B,Get,1,1,,0,2000\n");
        const auto result = importForTest(path);
        QVERIFY(result.ok());
        const TraceStore& trace = *result.value()->ranks.at(0).trace;
        QCOMPARE(trace.sliceCount(), std::size_t{1});
        QCOMPARE(std::string(trace.name({0})), std::string("B::Get"));
        QCOMPARE(trace.duration({0}).value, std::int64_t{0});
        const std::string reported = dumpDiagnostics(result.value()->diagnostics);
        QVERIFY2(reported.find("lost unmatched_end host_info_0.csv x1 row 3\n") != std::string::npos, reported.c_str());
    }

    /// Beside a timeline of the rank the host's own is offered, not mixed in: clocks may differ.
    void hostInfoBesideATimeline() {
        const TestFolder folder;
        folder.write("x_ascend_ms/ASCEND_PROFILER_OUTPUT/trace_view.json", samples::traceOf("A"));
        folder.write("x_ascend_ms/profiler_info_4.json", "{}");
        folder.write("x_ascend_ms/host_info/host_info_4.csv", samples::kHostInfo);
        folder.write("x_ascend_ms/host_info/host_info_x.csv", samples::kHostInfo);
        const auto result = importForTest(folder.path());
        QCOMPARE(result.value()->ranks.size(), std::size_t{1});
        const RankEntry& rank = result.value()->ranks[0];
        QCOMPARE(rank.trace->sliceCount(), std::size_t{1});
        QCOMPARE(rank.info.alternatives, std::vector<std::string>{"x_ascend_ms/host_info/host_info_4.csv"});
        QVERIFY(rank.rows->find(RowKind::DatasetOp) != nullptr && rank.rows->find(RowKind::MemorySample) != nullptr);
    }

    /// Both tell the time of day: one timeline of the host and the device.
    void hostInfoOnTheSameClock() {
        const auto at = [](int us) { return std::to_string(1'700'000'000'000'000 + us); };
        for (const char* timeline : {"ASCEND_PROFILER_OUTPUT/trace_view.json", "ascend_timeline_display_4.json"}) {
            const TestFolder folder;
            const std::string root = timeline[0] == 'A' ? "x_ascend_ms/" : "profiler/";
            folder.write(root + timeline,
                         R"([{"ph":"M","name":"process_name","pid":1,"args":{"name":"Ascend Hardware"}},)"
                         R"({"ph":"X","name":"A","pid":1,"tid":2,"ts":")" +
                             at(500) + R"(.250","dur":2}])");
            if (timeline[0] == 'A') folder.write(root + "profiler_info_4.json", "{}");
            folder.write(root + "host_info/host_info_4.csv",
                         "tid,pid,parent_pid,module_name,event,stage,level,start_end,custom_info,memory_usage(kB),"
                         "time_stamp(us)\n11,100,1,Dataset,B,Get,1,0,,8,0\n11,100,1,Dataset,B,Get,1,0,,0," +
                             at(100) + "\n11,100,1,Dataset,B,Get,1,1,,0," + at(900) + '\n');
            const auto result = importForTest(folder.path());
            QCOMPARE(result.value()->ranks.size(), std::size_t{1});
            const RankEntry& rank = result.value()->ranks[0];
            QCOMPARE(rank.info.alternatives, std::vector<std::string>());
            const std::string rows = dumpRows(*rank.trace);
            QCOMPARE(rank.trace->sliceCount(), std::size_t{2});
            QVERIFY2(rows.find(at(500) + "250") != std::string::npos && rows.find(at(100) + "000") != std::string::npos,
                     rows.c_str());
            for (std::uint32_t i = 0; i < 2; ++i)
                QCOMPARE(rank.arguments->arguments(rank.trace->pos({i})).value(),
                         std::string(rank.trace->name({i}) == "A" ? "" : "{\"parent_pid\": \"1\"}"));
        }
    }

    /// Iterations of models as CANN summarises them: times of the export, cells that are not there, and a first
    /// duration of a reduce that is the wrong way round.
    void iterationsOfModels() {
        const TestFolder folder;
        const std::string output = "PROF_000001_20260101000000000_A/mindstudio_profiler_output/";
        folder.write(output + "msprof_20260101000000.json", samples::traceOf("A"));
        folder.write(output + "step_trace_20260101000000.csv", samples::kIterations);
        folder.write(output + "step_trace_20250101000000.csv", "Iteration ID\n7\n");
        const std::string text = allOf(folder);
        std::string phases;
        for (std::size_t at = 0; (at = text.find("? step_phase ", at)) != std::string::npos; ++at)
            phases += text.substr(at + 13, text.find('\n', at) - at - 12);
        QCOMPARE(shown(phases),
                 QStringLiteral("1|3|forward_backward|-|1000500|400000|0\n1|3|tail|-|1400500|100000|0\n"
                                "1|3|reduce|-|1100000|2000|0\n1|3|reduce|-|1200000|5000|0\n"
                                "2|3|iteration_interval|-|1500500|100000|0\n"
                                "2|3|forward_backward|-|1600500|300000|0\n2|3|tail|-|1900500|100000|0\n"));
        QVERIFY2(text.find("lost") == std::string::npos, text.c_str());
    }

    /// Times of operators of the AI CPU belong to the kernel in which they lie, whichever of two of one name.
    void timesOfTheAiCpu() {
        for (const bool isOld : {false, true}) {
            const TestFolder folder;
            const std::string output = "x_ascend_ms/ASCEND_PROFILER_OUTPUT/";
            folder.write("x_ascend_ms/profiler_info_0.json", "{}");
            folder.write(output + "trace_view.json", samples::traceOf("A"));
            folder.write(output + "kernel_details.csv",
                         "Name,Type,Accelerator Core,Start Time(us),Duration(us),Stream ID\n"
                         "Cast,Cast,AI_CPU,1000.000,50.000,2\n"
                         "Cast,Cast,AI_CPU,2000.000,50.000,2\n"
                         "Cast,Cast,AI_CPU,2000.000,50.000,3\n");
            const std::string row = isOld ? ",0.5,2,0.75,0.125,1.5,2,9\n" : ",500,2,750,125,1500,2,9\n";
            folder.write(output + "data_preprocess.csv",
                         (isOld ? "Timestamp,Node,Compute_time(ms),Memcpy_time(us),Task_time(ms),Dispatch_time(ms),"
                                  "Total_time(ms),Stream ID,Task ID\n"
                                : "Timestamp(us),Node,Compute_time(us),Memcpy_time(us),Task_time(us),Dispatch_time(us),"
                                  "Total_time(us),Stream ID,Task ID\n") +
                             std::string("2010.5,Cast") + row + "999.5\t,Cast,N/A,1,1,1,1,2,9\n1051,Cast" + row +
                             "x,Cast" + row);
            const auto capture = importForTest(folder.path()).value();
            const RowTables& rows = *capture->ranks.at(0).rows;
            const RowTable& table = *rows.find(RowKind::Kernel);
            std::string text;
            for (std::size_t i = 0; i < table.extras().size(); ++i) {
                text += table.extras()[i];
                for (std::size_t kernel = 0; kernel < table.size(); ++kernel) {
                    const auto value = table.real(rowColumns(RowKind::Kernel).size() + i, kernel);
                    text += ' ' + (value ? QByteArray::number(*value).toStdString() : "-");
                }
                text += '\n';
            }
            QCOMPARE(shown(text),
                     shown(std::string("Compute_time - 500000 -\nMemcpy_time ") + "1000 2000 -\nTask_time " +
                           (isOld ? "1e+06" : "1000") + " 750000 -\nDispatch_time " + (isOld ? "1e+06" : "1000") +
                           " 125000 -\nTotal_time " + (isOld ? "1e+06" : "1000") + " 1.5e+06 -\n"));
            std::string reported;
            for (const Diagnostic& one : capture->diagnostics.about(output + "data_preprocess.csv").entries())
                reported += one.code + ' ' + one.places.at(0).text() + '\n';
            QVERIFY2(reported.find("table.no_kernel row 4\n") != std::string::npos, reported.c_str());
            QVERIFY2(reported.find("table.broken row 5\n") != std::string::npos, reported.c_str());
        }
    }

    /// How the job was divided, and what of its graph is divided, communicates or was put in.
    void strategies() {
        const TestFolder folder;
        folder.write("profiler/output_timeline_data_2.txt", samples::kLegacyKernels);
        const std::string config =
            R"({"config":{"rankId":2,"parallelType":"semi_auto_parallel","stageId":1,"stageDevices":[)"
            R"({"dim":[{},{"size":"1"}]},{"dim":[{"size":"2"},{"size":"3"}]}]},"graph": {"node": [)";
        const std::string values = R"({"dtype":"DT_TUPLE","values":[{"dtype":"DT_INT64","intVal":"1"},)"
                                   R"({"dtype":"DT_INT64","intVal":"8"}]})";
        folder.write(
            "profiler/parallel_strategy_2.json",
            config +
                R"({"name":"1","opType":"GetNext","fullName":"Default/GetNext-op1"},)"
                R"({"name":"2","opType":"Conv2D","fullName":"Default/Conv2D-op2","attribute":[)"
                R"({"name":"group","value":{"dtype":"DT_INT64"}}]},)"
                R"({"name":"3","opType":"MatMul","fullName":"Default/net/MatMul-op3","attribute":[)"
                R"({"name":"gen_strategy","value":{"dtype":"DT_TUPLE","values":[)" +
                values + ',' + values +
                R"(]}}],"outputType":{"dataType":"DT_TENSOR","tensorType":{"shape":{"dim":[{"size":"32"},{}]}}}},)"
                R"({"name":"4","opType":"AllReduce","fullName":"Default/net/AllReduce-op4","attribute":[)"
                R"({"name":"group","value":{"dtype":"DT_STRING","strVal":"2-630"}},{"name":"group_ranks","value":)"
                R"({"dtype":"DT_STRING","strVal":"0-2"}}],"instanceName":"grad_mirror_w"}],)"
                R"("parameters":[{"name":"w"},{"name":"b"}]}})");
        const auto capture = importForTest(folder.path()).value();
        std::string facts;
        for (const auto& [key, value] : capture->ranks.at(0).info.metadata) facts += key + '=' + value + '\n';
        QCOMPARE(shown(facts),
                 QStringLiteral("parallel_strategy.rankId=2\nparallel_strategy.parallelType="
                                "semi_auto_parallel\nparallel_strategy.stageId=1\n"
                                "parallel_strategy.stageDevices=[[0,1],[2,3]]\n"
                                "parallel_strategy.graph.Default/net/MatMul-op3={\"type\":\"MatMul\",\"strategy\":"
                                "[[1,8],[1,8]],\"shape\":[32,0]}\n"
                                "parallel_strategy.graph.Default/net/AllReduce-op4={\"type\":\"AllReduce\",\"group\":"
                                "\"2-630\",\"ranks\":\"0-2\",\"role\":\"gradient_aggregation\"}\n"
                                "parallel_strategy.operators=4\nparallel_strategy.parameters=2\n"));
        QCOMPARE(shown(dumpDiagnostics(capture->diagnostics)), QString());
        QVERIFY2(dumpTables(*capture).find("comm_group 2-630") != std::string::npos, dumpTables(*capture).c_str());
        folder.write("profiler/parallel_strategy_2.json", config + "7,{}]}}");
        QCOMPARE(shown(dumpDiagnostics(importForTest(folder.path()).value()->diagnostics)),
                 QStringLiteral("lost table.broken profiler/parallel_strategy_2.json x1 byte 169\n"));
        folder.write("profiler/parallel_strategy_2.json", config + "7,8,{},\"x\"]}}");
        QCOMPARE(shown(dumpDiagnostics(importForTest(folder.path()).value()->diagnostics)),
                 QStringLiteral("lost table.broken profiler/parallel_strategy_2.json x3 byte 169\n"));
        folder.write("profiler/parallel_strategy_2.json", config + "{},{\"a");
        QVERIFY(dumpDiagnostics(importForTest(folder.path()).value()->diagnostics).starts_with("lost metadata.broken"));
        for (const char* broken : {"{\"config\":{\"rankId\":2", "{}", "{\"config\":7}"}) {
            folder.write("profiler/parallel_strategy_2.json", broken);
            const std::string reported = dumpDiagnostics(importForTest(folder.path()).value()->diagnostics);
            QVERIFY2(reported.starts_with("lost metadata.broken profiler/parallel_strategy_2.json x1"),
                     reported.c_str());
        }
    }

    /// How the job was divided stands before a graph of any size.
    void aStrategyWhoseGraphIsTooLarge() {
        const TestFolder folder;
        folder.write("profiler/ascend_timeline_display_2.json", samples::traceOf("A"));
        const std::string name = '"' + std::string(65U << 20U, 'x') + '"';
        folder.write("profiler/parallel_strategy_2.json",
                     R"({"config":{"stageId":1},"graph":{"node":[{"name":)" + name + "}]}}");
        const auto capture = importForTest(folder.path()).value();
        const std::vector<std::pair<std::string, std::string>> wanted{{"parallel_strategy.stageId", "1"}};
        QVERIFY(capture->ranks.at(0).info.metadata == wanted);
        const std::string reported = dumpDiagnostics(capture->diagnostics);
        QVERIFY2(reported.starts_with("lost file.too_large profiler/parallel_strategy_2.json x1"), reported.c_str());
    }

    /// Nobody reads more, and each copy of what a rank says of itself would hold them.
    void operatorsOfAStrategyAreListedUpToABound() {
        const TestFolder folder;
        folder.write("profiler/ascend_timeline_display_2.json", samples::traceOf("A"));
        std::string nodes;
        for (int i = 0; i < 10'002; ++i) {
            nodes += i == 0 ? "" : ",";
            nodes += R"({"instanceName":"redistribution","fullName":"op"})";
        }
        folder.write("profiler/parallel_strategy_2.json", R"({"config":{},"graph":{"node":[)" + nodes + "]}}");
        const auto capture = importForTest(folder.path()).value();
        const auto& metadata = capture->ranks.at(0).info.metadata;
        QCOMPARE(metadata.size(), std::size_t{10'002});
        QCOMPARE(metadata[10'000].second, std::string("2"));
        QCOMPARE(metadata[10'001].second, std::string("10002"));
    }

    /// The advice of CANN's analysis was passed over. Of several exports the newest counts.
    void adviceBesideTables() {
        const TestFolder folder;
        const std::string output = "PROF_000001_20260101000000000_A/mindstudio_profiler_output/";
        folder.write(output + "msprof_20260101000000.json", samples::traceOf("A"));
        folder.write(output + "prof_rule_0_20260101000000.json", R"({"status":0,"data":[{"rule_type":"old"}]})");
        folder.write(output + "prof_rule_0_20260101000001.json",
                     R"({"status":0,"data":[{"rule_type":"Operator Schedule","result":[{"rule_subtype":"Transdata",)"
                     R"("rule_suggestion":"Fuse them","op_list":["a","b"]},{"rule_subtype":"Cube"}]},)"
                     R"({"rule_type":"Operator Metrics","result":["text"]},7]})");
        const auto capture = importForTest(folder.path()).value();
        std::string facts;
        for (const auto& [key, value] : capture->ranks.at(0).info.metadata)
            if (key.starts_with("prof_rule")) facts += key + '=' + value + '\n';
        QCOMPARE(shown(facts), QStringLiteral("prof_rule.Operator Schedule.Transdata=Fuse them: [\"a\",\"b\"]\n"
                                              "prof_rule.Operator Schedule.Cube={\"rule_subtype\":\"Cube\"}\n"
                                              "prof_rule.Operator Metrics=text\n"));
    }

    /// A flat copy: all files of a rank in one folder.
    void hostInfoAmongOtherFiles() {
        for (const char* timeline : {"trace_view.json", "ascend_timeline_display_0.json"}) {
            const TestFolder folder;
            folder.write(timeline, samples::traceOf("A"));
            folder.write("profiler_info_0.json", "{}");
            folder.write("host_info_0.csv", samples::kHostInfo);
            const auto result = importForTest(folder.path());
            QCOMPARE(result.value()->ranks.size(), std::size_t{1});
            const RankEntry& rank = result.value()->ranks[0];
            QCOMPARE(rank.trace->name({0}), std::string_view("A"));
            QCOMPARE(rank.info.alternatives, std::vector<std::string>{"host_info_0.csv"});
            QVERIFY(rank.rows->find(RowKind::MemorySample) != nullptr);
        }
    }

    /// Timelines that are known from documentation only.
    void experimentalTimelines() {
        const auto kindsIn = [](const TestFolder& folder) {
            std::string kinds;
            const auto capture = importForTest(folder.path()).value();
            for (const Diagnostic& one : capture->diagnostics.entries()) {
                if (one.code == "reader.experimental") kinds += one.file + ": " + one.parameters.at(0).second + '\n';
            }
            return kinds;
        };
        const TestFolder kineto, mindspore, torch;
        kineto.write(
            "a.json",
            R"({"schemaVersion":1,"distributedInfo":{"rank":3},"traceEvents":[{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2}]})");
        QCOMPARE(kindsIn(kineto), std::string("a.json: Kineto\n"));
        mindspore.write("x_ascend_ms/ASCEND_PROFILER_OUTPUT/trace_view.json", samples::traceOf("A"));
        QCOMPARE(kindsIn(mindspore),
                 std::string("x_ascend_ms/ASCEND_PROFILER_OUTPUT/trace_view.json: MindSpore trace_view.json\n"));
        torch.write("x_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", samples::traceOf("A"));
        QCOMPARE(kindsIn(torch), std::string());
    }

    /// The profiler of PyTorch counts times from a base that differs from rank to rank; some versions write the rank
    /// behind the events.
    void ranksAndTimesOfKineto() {
        const auto trace = [](const char* before, const char* after, const char* ts) {
            return std::string("{\"schemaVersion\":1,") + before +
                   "\"traceEvents\":[{\"ph\":\"X\",\"name\":\"A\",\"pid\":1,\"tid\":2,\"ts\":" + ts +
                   ",\"dur\":2,\"args\":{\"distributedInfo\":{\"rank\":77}}}]" + after + "}\n";
        };
        const TestFolder folder;
        folder.write("a.pt.trace.json",
                     trace(R"("distributedInfo":{"rank":0},"baseTimeNanoseconds":1733350900000000000,)", "", "1000.5"));
        folder.write("b.pt.trace.json",
                     trace(R"("baseTimeNanoseconds": 1733350900005000000,)",
                           R"(,"traceName":"b","distributedInfo":{"backend":"hccl","rank":1})", "-3999.5"));
        folder.write("c.pt.trace.json", trace("", "", "1"));
        const auto capture = importForTest(folder.path()).value();
        QCOMPARE(capture->ranks.size(), std::size_t{3});
        for (const RankEntry& rank : capture->ranks) {
            const std::string& file = rank.info.path;
            const std::int64_t begin = rank.trace->range().begin.value;
            if (file.starts_with('a')) QCOMPARE(rank.info.rankId, std::optional<std::int64_t>(0));
            if (file.starts_with('b')) QCOMPARE(rank.info.rankId, std::optional<std::int64_t>(1));
            // An argument of an event is no fact of the file.
            if (file.starts_with('c')) QCOMPARE(rank.info.rankId, std::optional<std::int64_t>());
            QCOMPARE(begin, file.starts_with('c') ? std::int64_t{1000} : std::int64_t{1'733'350'900'001'000'500});
        }
    }

    /// Names may say the host too, and a quote within a cell opens none.
    void hostInfoOfOtherNames() {
        const TestFolder folder;
        std::string records = samples::kHostInfo;
        records.insert(records.find("file_a") + 4, "\"");
        folder.write("host_info/host_info_nodeA_03.csv", records);
        const auto result = importForTest(folder.path());
        QCOMPARE(result.value()->ranks.size(), std::size_t{1});
        const RankEntry& rank = result.value()->ranks[0];
        QCOMPARE(rank.info.rankId, std::optional<std::int64_t>(3));
        QCOMPARE(rank.trace->sliceCount(), std::size_t{5});
        QVERIFY(rank.rows->find(RowKind::MemorySample) != nullptr);
    }

    /// Where the writer was killed, the last stamp may lack its end.
    void hostInfoWithoutItsEnd() {
        const TestFolder folder;
        const std::string text = samples::kHostInfo;
        const std::string lines = text.substr(0, text.rfind('\n', text.size() - 2) + 1);
        const auto path = folder.write("host_info_0.csv", lines + "11,100,1,Dataset,MindRecordOp,LoadFile,1,2,,0,17");
        const auto result = importForTest(path);
        const auto& noted = result.value()->diagnostics.entries();
        QVERIFY(std::any_of(noted.begin(), noted.end(),
                            [](const Diagnostic& one) { return one.code == "host_info.bad_record"; }));
    }

    /// What MindSpore has made of the records itself is read as it is.
    void hostInfoThatWasAnalysed() {
        const TestFolder folder;
        folder.write("host_info/host_info_0.csv", samples::kHostInfo);
        folder.write("host_info/timeline_0.json", samples::traceOf("made"));
        folder.write("host_info/dataset_0.csv",
                     "Operation,Stage,Occurrences,Avg. time (us),Custom Info\nmade,b,3,0.5,\n");
        const auto result = importForTest(folder.path());
        QCOMPARE(result.value()->ranks.size(), std::size_t{1});
        const std::string text = dumpTables(*result.value());
        QCOMPARE(shown(text.substr(text.find("0 dataset_op"))), QStringLiteral("0 dataset_op made|b|3|500|-\n"));
        QCOMPARE(result.value()->ranks[0].trace->name({0}), std::string_view("made"));
    }

    /// Timelines up to 2.3 count from their first kernel, the other files from the system's start.
    void oneClock() {
        const TestFolder folder;
        folder.write("profiler/timeline_display_0.json", samples::kLegacyTimeline);
        folder.write("profiler/output_timeline_data_0.txt", samples::kLegacyKernels);
        folder.write("profiler/step_trace_raw_0_detail_time.csv", samples::kStepTrace);
        QCOMPARE(shown(allOf(folder)),
                 QStringLiteral("0 kernel 0|1|compute|Default/a/Mul-op1|Mul|-|5|0|200|-|-|-|-|-|-|-|-|-|-\n"
                                "0 kernel 1|1|compute|Default/Add-op2|Add|-|5|500|300|-|-|-|-|-|-|-|-|-|-\n"
                                "0 step_phase 1|-|iteration_interval|-|-500|200|-\n"
                                "0 step_phase 1|-|forward_backward|-|-300|1600|-\n"
                                "0 step_phase 1|-|tail|-|1300|200|-\n"
                                "0 step_phase 2|-|iteration_interval|-|1500|200|-\n"
                                "0 step_phase 2|-|forward_backward|-|1700|1600|-\n"
                                "0 step_phase 2|-|tail|-|3300|200|-\n"
                                "step 1 [-500,1500)\nstep 2 [1500,3500)\n"));
    }

    /// Of files that hold the same table the preferred one is read.
    void oneOfTwins() {
        const TestFolder folder;
        folder.write("p/minddata_pipeline_raw_0.csv", "op_id,op_type\n7,Batch\n");
        folder.write("p/minddata_pipeline_summary_0.csv", samples::kSummary);
        folder.write("p/pipeline_profiling_0.json", samples::kPipelineProfiling);
        QCOMPARE(shown(allOf(folder)),
                 QStringLiteral("0 pipeline_queue 7|Batch|-|-|-|-|-|-|-|-\ninfo files_not_read p x2\n"));
    }

    /// Small JSON files about the run are metadata.
    void facts() {
        const TestFolder folder;
        folder.write("p/timeline_display_0.json", samples::kLegacyTimeline);
        folder.write("p/flops_summary_0.json", "{\"FLOPs\":12.5}");
        folder.write("p/step_trace_point_info.json", "{\"fp_start\":\"a\"}");
        const auto result = importForTest(folder.path());
        const auto& metadata = result.value()->ranks.at(0).info.metadata;
        QCOMPARE(metadata.size(), std::size_t{2});
        QCOMPARE(shown(metadata[0].first + '=' + metadata[0].second), QStringLiteral("flops_summary.FLOPs=12.5"));
        QCOMPARE(shown(metadata[1].first + '=' + metadata[1].second),
                 QStringLiteral("step_trace_point_info.fp_start=a"));
    }

    /// Raw data tells what it will show.
    void rawData() {
        const TestFolder folder;
        const std::string prof = "x_ascend_pt/PROF_000001_20260101120000123_ABC/";
        folder.write(prof + "host/data/unaging.compact.task_track.slice_0", "1");
        folder.write(prof + "host/data/unaging.additional.hccl_info.slice_0", "1");
        folder.write(prof + "device_0/data/hbm.data.0.slice_0", "1");
        folder.write("x_ascend_pt/FRAMEWORK/torch.op_range", "1");
        const auto result = importForTest(folder.path());
        QCOMPARE(shown(dumpDiagnostics(result.value()->diagnostics)),
                 QStringLiteral("info raw.holds x_ascend_pt x1\ninfo raw_only x_ascend_pt x1\n"));
        for (const Diagnostic& one : result.value()->diagnostics.entries()) {
            if (one.code == "raw.holds")
                QCOMPARE(shown(one.parameters.at(0).second),
                         QStringLiteral("communication, kernels, memory_bandwidth, operators"));
        }
    }

    /// Of several PROF folders of a rank the newest that was exported is shown.
    void severalRecordings() {
        const TestFolder folder;
        for (const auto& [stamp, name] : {std::pair("20260101120000123", "old"), {"20260101130000123", "new"}})
            folder.write(std::string("x_ascend_pt/PROF_000001_") + stamp +
                             "_ABC/mindstudio_profiler_output/msprof_20260101120000.json",
                         samples::traceOf(name));
        folder.write("x_ascend_pt/PROF_000001_20260101140000123_ABC/device_3/x", "1");
        const auto result = importForTest(folder.path());
        const RankEntry& rank = result.value()->ranks.at(0);
        QCOMPARE(rank.trace->name({0}), std::string_view("new"));
        QCOMPARE(rank.info.alternatives, std::vector<std::string>{"x_ascend_pt/PROF_000001_20260101120000123_ABC"});
        QCOMPARE(rank.info.deviceId, std::optional<std::int64_t>(3));
    }
};

ALTI_TEST(TestSpecialTables)
#include "tst_special_tables.moc"
