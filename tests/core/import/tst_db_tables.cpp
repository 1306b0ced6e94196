#include "core/import/import_capture.h"

#include "tests/core/import/db_fixture.h"
#include "tests/support/capture_dump.h"
#include "tests/support/shared_data.h"
#include "tests/support/table_text.h"
#include "tests/support/test_main.h"

#include <QRegularExpression>
#include <QTest>

#include <string>

using namespace altiscope;
using namespace altiscope::test;

/// Summary tables from databases, through the door of the import.
class TestDbTables : public QObject {
    Q_OBJECT

private slots:
    void kernels();
    void rows_data();
    void rows();
    void problems_data();
    void problems();
    void numbersThatLostDigits();
    void groupsOfCollectives();
    void independentOfPieces();
};

void TestDbTables::kernels() {
    const TestFolder folder;
    execute(folder.path() / kDatabase, kKernels + "CREATE TABLE COMMUNICATION_OP(opName, startNs, endNs, connectionId, "
                                                  "groupName, opId INTEGER PRIMARY KEY, opType);"
                                                  "INSERT INTO COMMUNICATION_OP VALUES (8,1700,1900,-1,9,1,10);"
                                                  "CREATE TABLE TASK_PMU_INFO(globalTaskId, name, value); INSERT INTO "
                                                  "TASK_PMU_INFO VALUES (1,7,480),(0,7,90),(1,11,0.25),(1,7,480);");
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    const RankEntry& rank = result.value()->ranks.at(0);
    QCOMPARE(troubles(*result.value()), QString());
    // By begin; the step by the launches; waiting from the end of the row before; a name without text is N/A.
    QString text = shown(tableText(rank.rows.get(), RowKind::Kernel));
    const auto sliceOf = [&](std::int64_t begin) {
        for (std::uint32_t i = 0; i < rank.trace->sliceCount(); ++i) {
            const TrackKind kind = rank.trace->track({rank.trace->runOf({i}).track}).kind;
            if (rank.trace->begin({i}).value == begin &&
                (kind == TrackKind::Hardware || kind == TrackKind::Communication))
                return QString::number(i);
        }
        return QString();
    };
    const QString compute = QStringLiteral(" name=Add_1 type=Add accelerator_core=AI_CORE stream=2");
    const QString lists = QStringLiteral(" input_shapes=2,3;4 input_types=FLOAT;FLOAT");
    QCOMPARE(text,
             QStringLiteral("slice_id=") + sliceOf(1500) + QStringLiteral(" step=5 kind=compute") + compute +
                 QStringLiteral(" ts=1500 dur=100 wait=0 block_num=20") + lists +
                 QStringLiteral(" device_id=6 aicore_time=90\nslice_id=") + sliceOf(1700) +
                 QStringLiteral(" step=5 kind=communication name=hcom_allReduce__1_0_1 type=hcom_allReduce_ "
                                "accelerator_core=HCCL ts=1700 dur=200 wait=100 block_num=0 device_id=6\nslice_id=") +
                 sliceOf(2000) + QStringLiteral(" step=5 kind=compute") + compute +
                 QStringLiteral(" ts=2000 dur=500 wait=100 block_num=8") + lists +
                 QStringLiteral(" device_id=6 aicore_time=480 aiv_vec_ratio=0.25\nslice_id=") + sliceOf(9000) +
                 QStringLiteral(" kind=compute name=N/A stream=2 ts=9000 dur=100 wait=6500 device_id=6\n"));
}

void TestDbTables::rows_data() {
    QTest::addColumn<QString>("database");
    QTest::addColumn<QString>("analysis");
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* clause, const std::string& database, const std::string& analysis, const char* table,
                        const char* expected) {
        QTest::addRow("%s", clause) << shown(database) << shown(analysis) << QString::fromUtf8(table)
                                    << QString::fromUtf8(expected);
    };
    const std::string tasks = kTasks;
    row("oldest name of the count of cores",
        tasks + "CREATE TABLE COMPUTE_TASK_INFO(globalTaskId, name, block_dim); INSERT INTO COMPUTE_TASK_INFO VALUES "
                "(0,1,4);",
        "", "kernel", "step=5 kind=compute name=Add_1 stream=2 ts=1500 dur=100 wait=0 block_num=4 device_id=6\n");
    row("newer blockDim is another thing",
        tasks + "CREATE TABLE COMPUTE_TASK_INFO(globalTaskId, name, blockDim, blockNum); INSERT INTO COMPUTE_TASK_INFO "
                "VALUES (0,1,4,40);",
        "", "kernel", "step=5 kind=compute name=Add_1 stream=2 ts=1500 dur=100 wait=0 block_num=40 device_id=6\n");
    row("a step that outlasts the next one",
        tasks + "INSERT INTO STEP_TIME VALUES (6,1100,1200); INSERT INTO CANN_API VALUES (1110,1120,10000,8,72,16);"
                "INSERT INTO TASK VALUES (1700,1800,6,72,3,2,4294967295,2);"
                "CREATE TABLE COMPUTE_TASK_INFO(globalTaskId, name); INSERT INTO COMPUTE_TASK_INFO VALUES "
                "(0,1),(1,1),(3,1);",
        "", "kernel",
        "step=5 kind=compute name=Add_1 stream=2 ts=1500 dur=100 wait=0 device_id=6\nstep=6 kind=compute name=Add_1 "
        "stream=2 "
        "ts=1700 dur=100 wait=100 device_id=6\n"
        "step=5 kind=compute name=Add_1 stream=2 ts=2000 dur=500 wait=200 device_id=6\n");
    row("no task that computes", tasks, "", "kernel", "");
    // Shapes and types stand the wrong way round in the second operator; the third one called nothing and lies in no
    // step.
    const std::string operators =
        kKernels +
        "INSERT INTO STRING_IDS VALUES (30,'2;\r\n3'),(31,'float;\r\nint'),(32,'a.py(1): f'),(33,'b.py(2): "
        "g'),(34,'ProfilerStep#5'),(35,'Enqueue');"
        "CREATE TABLE CONNECTION_IDS(id, connectionId); INSERT INTO CONNECTION_IDS VALUES (1,70),(2,71);"
        "CREATE TABLE PYTORCH_CALLCHAINS(id, stack, stackDepth); INSERT INTO PYTORCH_CALLCHAINS VALUES "
        "(7,33,1),(7,32,0),(8,32,0);"
        "CREATE TABLE PYTORCH_API(startNs TEXT, endNs TEXT, globalTid, connectionId, name, inputShapes, inputDtypes, "
        "callchainId, type);"
        "INSERT INTO PYTORCH_API VALUES "
        "('1000','1100',4294967301,NULL,34,NULL,NULL,NULL,50001),('1005','1050',4294967301,1,15,30,31,7,50001),"
        "('1008','1020',4294967301,2,3,31,NULL,8,50001),('1010','1011',4294967301,NULL,35,NULL,NULL,NULL,50002),('1200'"
        ",'1210',4294967302,NULL,15,NULL,NULL,NULL,50001);";
    row("operators", operators, "", "operator",
        "step=5 name=aten::add thread=Thread 5 ts=1005 dur=45 self_dur=33 device_dur=600 input_shapes=2;\n3 "
        "input_types=float;\nint call_stack=a.py(1): f;\nb.py(2): g\n"
        "step=5 name=Add thread=Thread 5 ts=1008 dur=12 self_dur=12 device_dur=500 input_types=float;\nint "
        "call_stack=a.py(1): f\n"
        "name=aten::add thread=Thread 6 ts=1200 dur=10 self_dur=10 device_dur=0\n");
    row("memory samples",
        tasks + "CREATE TABLE MEMORY_RECORD(component, timestamp, totalAllocated, totalReserved, totalActive, "
                "streamPtr, deviceId);"
                "INSERT INTO MEMORY_RECORD VALUES (12,10,1,2,3,77,6),(13,11,4,5,0,NULL,6);"
                "CREATE TABLE NPU_MEM(type, ddr, hbm, timestampNs, deviceId); INSERT INTO NPU_MEM VALUES "
                "(14,1,2048,9,6),(12,1,9,9,6);",
        "", "memory_sample",
        "component=APP ts=9 reserved=2048 device_id=6\ncomponent=PTA ts=10 allocated=1 reserved=2 active=3 stream=77 "
        "device_id=6\ncomponent=GE ts=11 allocated=4 reserved=5 device_id=6\n");
    row("allocations",
        tasks + "CREATE TABLE OP_MEMORY(name, size, allocationTime, releaseTime, activeReleaseTime, "
                "allocationTotalAllocated, streamPtr);"
                "INSERT INTO OP_MEMORY VALUES (15,512,10,20,NULL,1024,7),(15,512,11,NULL,NULL,1536,7);",
        "", "allocation",
        "name=aten::add size=512 alloc_ts=10 release_ts=20 alloc_allocated=1024 stream=7\nname=aten::add size=512 "
        "alloc_ts=11 alloc_allocated=1536 stream=7\n");
    const char* events =
        "CREATE TABLE NPU_OP_MEM(operatorName, addr, type, size, timestampNs, totalAllocate, totalReserve, component);"
        "INSERT INTO STRING_IDS VALUES (20,'allocate'),(21,'release');"
        "INSERT INTO NPU_OP_MEM VALUES "
        "(15,4096,20,512,10,512,900,13),(15,4096,21,512,30,0,900,13),(15,8192,21,64,40,0,900,13);";
    row("events of plain CANN files", tasks + events, "", "allocation",
        "name=aten::add size=512 alloc_ts=10 release_ts=30 alloc_allocated=512 alloc_reserved=900 release_allocated=0 "
        "release_reserved=900\n"
        "name=aten::add size=-64 release_ts=40 release_allocated=0 release_reserved=900\n");
    row("events of two devices at one address",
        tasks + "CREATE TABLE NPU_OP_MEM(operatorName, addr, type, size, timestampNs, deviceId);"
                "INSERT INTO STRING_IDS VALUES (20,'allocate'),(21,'release');"
                "INSERT INTO NPU_OP_MEM VALUES "
                "(15,4096,20,512,10,0),(15,4096,20,512,20,1),(15,4096,21,512,30,0),(15,4096,21,512,40,1);",
        "", "allocation",
        "name=aten::add size=512 alloc_ts=10 release_ts=30 device_id=0\n"
        "name=aten::add size=512 alloc_ts=20 release_ts=40 device_id=1\n");
    row("their samples", tasks + events, "", "memory_sample",
        "component=GE ts=10 allocated=512 reserved=900\ncomponent=GE ts=30 allocated=0 reserved=900\ncomponent=GE "
        "ts=40 allocated=0 reserved=900\n");
    row("events beside the framework's tables",
        tasks + events + "CREATE TABLE OP_MEMORY(name, size); INSERT INTO OP_MEMORY VALUES (15,1);", "", "allocation",
        "name=aten::add size=1\n");
    row("modules",
        tasks + "CREATE TABLE ENUM_MODULE(id, name); INSERT INTO ENUM_MODULE VALUES (3,'HCCL');"
                "CREATE TABLE NPU_MODULE_MEM(moduleId, timestampNs, totalReserved, deviceId); INSERT INTO "
                "NPU_MODULE_MEM VALUES (3,10,4096.0,6),(99,11,-1,6);",
        "", "module_memory",
        "component=HCCL ts=10 reserved=4096 device_id=6\ncomponent=99 ts=11 reserved=-1 device_id=6\n");
    row("steps: halves up, with and without schedule", tasks,
        std::string(kSteps) + "INSERT INTO StepTraceTime VALUES ('50',8873.756000000001,0.0005),('',1,2);",
        "step_breakdown",
        "step=50 origin=recorded computing=8873756 stage=1\norigin=recorded computing=1000 stage=2000\n");
    // Of the same time, or it would be another recording.
    const std::string call =
        "CREATE TABLE STRING_IDS(id INTEGER PRIMARY KEY, value TEXT); INSERT INTO STRING_IDS VALUES (1, 'a'); CREATE "
        "TABLE CANN_API(startNs, endNs, type, globalTid, connectionId, name); INSERT INTO CANN_API VALUES "
        "(1736410576431000000, 1736410576432000000, 10000, 8, 1, 1);";
    row("collectives", call,
        std::string(kTimes) +
            "INSERT INTO CommAnalyzerTime VALUES "
            "('hcom_allReduce__1_0_1','5862276093215481612',1736410576431645.2,88.75099321875,'step50','collective');",
        "collective",
        "step=50 origin=recorded group_name=group_name_0 op_name=hcom_allReduce__1_0_1 kind=collective "
        "ts=1736410576431645200 elapsed=88750993\n");
    row("collectives of CANN, without kind and step", tasks,
        "CREATE TABLE CommAnalyzerTime(hccl_op_name, group_name, elapse_time); INSERT INTO CommAnalyzerTime VALUES "
        "('hcom_batchSendRecv__1_0_1','7',1);",
        "collective", "origin=recorded group_name=7 op_name=hcom_batchSendRecv__1_0_1 kind=p2p elapsed=1000000\n");
    const std::string packets =
        std::string(kBandwidths) +
        "INSERT INTO CommAnalyzerBandwidth VALUES ('a','7','HCCS',2.5,1.5,1.6667,0.25,2,3,1,'step1','collective'),"
        "('a','7','HCCS',2.5,1.5,1.6667,0.25,0.5,1,0.5,'step1','collective'),('a','7','SDMA',2.5,1.5,1.6667,0,0,0,0,'"
        "step1','collective'),"
        "('a','7','PCIE',0,0,0,0,0,0,0,'step1','collective');";
    row("bandwidths: once per transport with traffic", tasks, packets, "bandwidth",
        "step=1 group_name=7 op_name=a transport=HCCS size=2500000 transit=1500000 gb_per_s=1.6667 "
        "large_packet_ratio=0.25\n"
        "step=1 group_name=7 op_name=a transport=SDMA size=2500000 transit=1500000 gb_per_s=1.6667 "
        "large_packet_ratio=0\n");
    row("packets", tasks, packets, "packet",
        "step=1 group_name=7 op_name=a transport=HCCS packet_size=2000000 count=3 dur=1000000\nstep=1 group_name=7 "
        "op_name=a transport=HCCS packet_size=500000 count=1 dur=500000\n");
    row("links: of a call, of all calls, raw", tasks,
        std::string(kLinks) +
            "INSERT INTO CommAnalyzerMatrix VALUES "
            "('allreduce-top1','7','0','1','HCCS',2,1,2.5,'step1','collective','hcom_allReduce__1_0_1'),"
            "('allreduce-total','7','1','0','HCCS',2,1,2.5,'step1','collective',''),('hcom_send__1','7','0','0','LOCAL'"
            ",0,0,0,NULL,NULL,NULL);",
        "link",
        "step=1 group_name=7 op_name=hcom_allReduce__1_0_1 selection=top1 src_rank=3 src_local=0 dst_local=1 "
        "transport=HCCS size=2000000 transit=1000000 gb_per_s=2.5\n"
        "step=1 group_name=7 op_name=allreduce selection=total dst_rank=3 src_local=1 dst_local=0 transport=HCCS "
        "size=2000000 transit=1000000 gb_per_s=2.5\n"
        "group_name=7 op_name=hcom_send__1 selection=single src_rank=3 dst_rank=3 src_local=0 dst_local=0 "
        "transport=LOCAL size=0 transit=0 gb_per_s=0\n");
}

void TestDbTables::rows() {
    QFETCH(QString, database);
    QFETCH(QString, analysis);
    QFETCH(QString, table);
    QFETCH(QString, expected);
    const TestFolder folder;
    execute(folder.path() / kDatabase, database.toStdString());
    if (!analysis.isEmpty()) execute(folder.path() / kAnalysis, analysis.toStdString());
    folder.write(
        "r_ascend_pt/profiler_metadata.json",
        "{\"parallel_group_info\":{\"group_name_0\":{\"group_name\":\"dp\",\"group_rank\":0,\"global_ranks\":[0,4]}}}");
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(troubles(*result.value()), QString());
    // Which slice it is, is another question.
    static const QRegularExpression kSlice(QStringLiteral("slice_id=\\d+ "));
    QCOMPARE(shown(tableText(result.value()->ranks.at(0).rows.get(), kindOf(table.toStdString()))).remove(kSlice),
             expected);
}

void TestDbTables::problems_data() {
    QTest::addColumn<QString>("database");
    QTest::addColumn<QString>("analysis");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<QString>("table");
    QTest::addColumn<int>("kept");
    const auto row = [](const char* clause, const std::string& database, const std::string& analysis,
                        const std::string& expected, const char* table, int kept) {
        QTest::addRow("%s", clause) << shown(database) << shown(analysis) << shown(expected) << QString::fromUtf8(table)
                                    << kept;
    };
    const std::string tasks = kTasks;
    row("kernel without a task", kKernels + "INSERT INTO COMPUTE_TASK_INFO VALUES (1,55,8,2,3,6,5,4,6,6,6);", "",
        "lost db.kernel_without_task " + kDatabase + " x1\n", "kernel", 3);
    row("text in a count", kKernels + "UPDATE COMPUTE_TASK_INFO SET blockDim = 'many' WHERE globalTaskId = 1;", "",
        "repaired db.odd_type " + kDatabase + " x1 row 1\n", "kernel", 3);
    const std::string operators =
        tasks + "CREATE TABLE PYTORCH_API(startNs TEXT, endNs TEXT, globalTid, name, type, inputShapes, callchainId);"
                "INSERT INTO PYTORCH_API VALUES ('1000','1100',8,15,50001,4,NULL),";
    row("operator without time", operators + "('soon','1100',8,15,50001,4,NULL);", "",
        "lost db.wrong_type " + kDatabase + " x1 row 2\n", "operator", 1);
    row("operator beyond 64 bits", operators + "('99999999999999999999','1100',8,15,50001,4,NULL);", "",
        "lost db.out_of_range " + kDatabase + " x1 row 2\n", "operator", 1);
    row("operator with text for a chain", operators + "('1200','1210',8,15,50001,4,'deep');", "",
        "repaired db.odd_type " + kDatabase + " x1 row 2\n", "operator", 2);
    row("chains without frames",
        operators + "('1200','1210',8,15,50001,4,7); CREATE TABLE PYTORCH_CALLCHAINS(id, stackDepth); INSERT INTO "
                    "PYTORCH_CALLCHAINS VALUES (7,0);",
        "", "lost db.missing_column " + kDatabase + " x1\nlost db.no_entry " + kDatabase + " x1 row 2\n", "operator",
        2);
    row("frames of odd types",
        operators +
            "('1200','1210',8,15,50001,4,7); CREATE TABLE PYTORCH_CALLCHAINS(id, stack, stackDepth);"
            "INSERT INTO PYTORCH_CALLCHAINS VALUES ('x',1,0),(7,1e300,1),(7,1,'deep'),(7,-9,9223372036854775807);",
        "",
        "lost db.broken_chain " + kDatabase + " x1 row 4\nlost db.missing_id " + kDatabase +
            " x1 row 1\nlost db.missing_name " + kDatabase + " x2 row 2, row 4\nrepaired db.odd_type " + kDatabase +
            " x1 row 3\n",
        "operator", 2);
    row("operator whose chain is not there", operators + "('1200','1210',8,15,50001,4,9);", "",
        "lost db.no_entry " + kDatabase + " x1 row 2\n", "operator", 2);
    row("chains that lack frames",
        operators + "('1200','1210',8,15,50001,4,7); CREATE TABLE PYTORCH_CALLCHAINS(id, stack, stackDepth); INSERT "
                    "INTO PYTORCH_CALLCHAINS VALUES (7,1,0),(7,1,2),(8,1,1),(8,1,0),(9,1,1);",
        "", "lost db.broken_chain " + kDatabase + " x2 row 2, row 5\n", "operator", 2);
    row("chains of a version without depths",
        operators + "('1200','1210',8,15,50001,4,7); CREATE TABLE PYTORCH_CALLCHAINS(id, stack); INSERT INTO "
                    "PYTORCH_CALLCHAINS VALUES (7,1),(7,2);",
        "", "", "operator", 2);
    row("a call whose name is not there", kKernels + "DELETE FROM STRING_IDS WHERE id = 16;", "",
        "lost db.missing_text " + kDatabase + " x1 row 70\n", "kernel", 3);
    row("kernels whose type is not there", kKernels + "DELETE FROM STRING_IDS WHERE id = 3;", "",
        "lost db.missing_text " + kDatabase + " x1 row 0\n", "kernel", 3);
    row("chains that are there twice",
        operators + "('1200','1210',8,15,50001,4,7); CREATE TABLE PYTORCH_CALLCHAINS(id, stack, stackDepth); INSERT "
                    "INTO PYTORCH_CALLCHAINS VALUES (7,1,0),(7,1,1),(8,1,0),(7,1,0),(7,1,1);",
        "", "lost db.broken_chain " + kDatabase + " x1\n", "operator", 2);
    row("a connection twice",
        tasks +
            "CREATE TABLE PYTORCH_API(startNs TEXT, endNs TEXT, globalTid, name, type, connectionId);"
            "INSERT INTO PYTORCH_API VALUES ('1000','1100',8,15,50001,4);"
            "CREATE TABLE CONNECTION_IDS(id, connectionId); INSERT INTO CONNECTION_IDS VALUES (4,70),(4,71),(4,70);",
        "", "lost db.repeated_row " + kDatabase + " x1\n", "operator", 1);
    row("operator whose connection is not there",
        tasks + "CREATE TABLE PYTORCH_API(startNs TEXT, endNs TEXT, globalTid, name, type, connectionId);"
                "INSERT INTO PYTORCH_API VALUES ('1000','1100',8,15,50001,4),('1200','1210',8,15,50001,5);"
                "CREATE TABLE CONNECTION_IDS(id, connectionId); INSERT INTO CONNECTION_IDS VALUES (4,70);",
        "", "lost db.no_entry " + kDatabase + " x1 row 2\n", "operator", 2);
    row("kernel that names no text", kKernels + "UPDATE COMPUTE_TASK_INFO SET name = NULL WHERE globalTaskId = 1;", "",
        "lost db.missing_name " + kDatabase + " x1 row 1\n", "kernel", 3);
    row("kernel with a text for its name's id",
        kKernels + "UPDATE COMPUTE_TASK_INFO SET name = 'Add' WHERE globalTaskId = 1;", "",
        "lost db.missing_name " + kDatabase + " x1 row 1\n", "kernel", 3);
    row("collective without group",
        kKernels + "CREATE TABLE COMMUNICATION_OP(opName, startNs, endNs, groupName); INSERT INTO COMMUNICATION_OP "
                   "VALUES (8,1700,1900,NULL),(8,1950,1960,9);",
        "", "lost db.missing_name " + kDatabase + " x1 row 1\n", "kernel", 5);
    row("step without number", tasks + "INSERT INTO STEP_TIME VALUES (NULL,1100,1200),('six',1200,1300);", "",
        "lost db.missing_id " + kDatabase + " x2 row 2, row 3\n", "kernel", 0);
    row("step that ends before it begins", tasks + "INSERT INTO STEP_TIME VALUES (6,1200,1100),(7,NULL,NULL);", "",
        "repaired db.odd_number " + kDatabase + " x1 row 2\n", "kernel", 0);
    row("counter that is no number",
        tasks + "CREATE TABLE HBM(timestampNs, deviceId, hbmId, type, bandwidth); INSERT INTO HBM VALUES "
                "(10,6,0,1,'fast'),(11,6,0,1,2);",
        "", "lost db.wrong_type " + kDatabase + " x1 row 1\n", "kernel", 0);
    row("memory of nobody knows what",
        tasks + "CREATE TABLE NPU_MEM(timestampNs, deviceId, type, ddr, hbm); INSERT INTO NPU_MEM VALUES "
                "(10,6,14,0,4096),(11,6,NULL,0,4096);",
        "", "lost db.missing_name " + kDatabase + " x1 row 2\n", "memory_sample", 1);
    const std::string metrics =
        kKernels + "CREATE TABLE TASK_PMU_INFO(globalTaskId, name, value); INSERT INTO TASK_PMU_INFO VALUES ";
    row("metric of no kernel", metrics + "(0,7,1),(88,7,1);", "", "", "kernel", 3);
    row("a metric without a value", metrics + "(0,7,NULL),(1,7,1);", "",
        "lost db.wrong_type " + kDatabase + " x1 row 1\n", "kernel", 3);
    row("a task twice", kKernels + "INSERT INTO TASK SELECT * FROM TASK WHERE globalTaskId < 2;", "", "", "kernel", 5);
    // Each run has its own values.
    row("a task of a graph that runs again",
        metrics + "(0,7,1),(0,7,2);INSERT INTO TASK SELECT startNs + 500, endNs + 500, deviceId, connectionId, "
                  "globalTaskId, taskType, contextId, streamId FROM TASK WHERE globalTaskId = 0;",
        "", "", "kernel", 4);
    row("a call without thread", kKernels + "UPDATE CANN_API SET globalTid = NULL WHERE connectionId = 71;", "",
        "repaired db.odd_type " + kDatabase + " x1 row 71\n", "kernel", 3);
    row("a metric again with another value", metrics + "(0,7,1),(1,7,2),(0,7,1),(0,7,3),(1,11,3);", "",
        "lost db.repeated_row " + kDatabase + " x1\n", "kernel", 3);
    row("metric that is no number", metrics + "(0,7,'nan'),(1,7,1);", "",
        "lost db.wrong_type " + kDatabase + " x1 row 1\n", "kernel", 3);
    const std::string samples = tasks + "CREATE TABLE MEMORY_RECORD(component, timestamp, totalAllocated, "
                                        "totalReserved); INSERT INTO MEMORY_RECORD VALUES (12,10,1,2),";
    row("sample without time", samples + "(12,NULL,1,2);", "", "lost db.missing_time " + kDatabase + " x1 row 2\n",
        "memory_sample", 1);
    row("sample with text for a time", samples + "(12,'soon',1,2);", "",
        "lost db.wrong_type " + kDatabase + " x1 row 2\n", "memory_sample", 1);
    row("sample beyond 64 bits", samples + "(12,11,99999999999999999999,2);", "",
        "repaired db.odd_type " + kDatabase + " x1 row 2\n", "memory_sample", 2);
    row("the number that means nothing", samples + "(12,11,-9223372036854775808,2);", "",
        "repaired db.odd_type " + kDatabase + " x1 row 2\n", "memory_sample", 2);
    row("samples without their time's column",
        tasks + "CREATE TABLE MEMORY_RECORD(component); INSERT INTO MEMORY_RECORD VALUES (12);", "",
        "lost db.missing_column " + kDatabase + " x1\n", "memory_sample", 0);
    row("text in a size",
        tasks + "CREATE TABLE OP_MEMORY(name, size); INSERT INTO OP_MEMORY VALUES (15,'large'),(15,1);", "",
        "repaired db.odd_type " + kDatabase + " x1 row 1\n", "allocation", 2);
    row("an allocation of a size below zero",
        tasks +
            "CREATE TABLE OP_MEMORY(name, size, allocationTime); INSERT INTO OP_MEMORY VALUES (15,-1,100),(15,1,100);",
        "", "repaired db.odd_number " + kDatabase + " x1 row 1\n", "allocation", 2);
    row("released before it was allocated",
        tasks + "CREATE TABLE OP_MEMORY(name, size, allocationTime, releaseTime); INSERT INTO OP_MEMORY VALUES "
                "(15,1,100,50),(15,1,100,150);",
        "", "repaired db.odd_number " + kDatabase + " x1 row 1\n", "allocation", 2);
    row("totals of memory below zero", samples + "(12,11,-1,2),(12,12,1,-2);", "",
        "repaired db.odd_number " + kDatabase + " x2 row 2, row 3\n", "memory_sample", 3);
    row("a release alone has a size below zero, a total has none",
        tasks + "CREATE TABLE OP_MEMORY(name, size, releaseTime, allocationTotalAllocated, releaseTotalActive); INSERT "
                "INTO OP_MEMORY VALUES (15,-1,100,5,6),(15,1,100,-5,6),(15,1,100,5,-6);",
        "", "repaired db.odd_number " + kDatabase + " x2 row 2, row 3\n", "allocation", 3);
    row("a step twice", tasks,
        std::string(kSteps) + "INSERT INTO StepTraceTime VALUES ('1',1,2),('2',1,2),('1',5,6),('step1',1,2),('',1,2);",
        "lost db.repeated_row " + kAnalysis + " x2 row 3, row 4\n", "step_breakdown", 3);
    row("parts of a step may be below zero", tasks,
        std::string(kSteps) + "INSERT INTO StepTraceTime VALUES ('1',-1,2),('2',1,2);", "", "step_breakdown", 2);
    row("a collective's time below zero", tasks,
        std::string(kTimes) + "INSERT INTO CommAnalyzerTime VALUES ('a','7',2,-1,'step1','p2p');",
        "repaired db.odd_number " + kAnalysis + " x1 row 1\n", "collective", 1);
    row("a step of an odd name", tasks,
        std::string(kSteps) + "INSERT INTO StepTraceTime VALUES ('one',1,2),('step',1,2);",
        "repaired db.odd_type " + kAnalysis + " x1 row 1\n", "step_breakdown", 2);
    row("a bandwidth below zero", tasks,
        std::string(kLinks) +
            "INSERT INTO CommAnalyzerMatrix VALUES ('a-top1','7','0','1','HCCS',2,1,-2.5,'step1','p2p','b');",
        "repaired db.odd_number " + kAnalysis + " x1 row 1\n", "link", 1);
    row("a bandwidth of what moved nothing", tasks,
        std::string(kBandwidths) +
            "INSERT INTO CommAnalyzerBandwidth VALUES ('a','7','HCCS',0,0,2.5,0,0,0,0,'step1','p2p'),"
            "('a','7','SIO',0,0,0,0,0,0,0,'step1','p2p');",
        "repaired db.odd_number " + kAnalysis + " x1 row 1\n", "bandwidth", 0);
    row("text in a step's time", tasks,
        std::string(kSteps) + "INSERT INTO StepTraceTime VALUES ('1','long',2),('2',1,2);",
        "repaired db.odd_type " + kAnalysis + " x1 row 1\n", "step_breakdown", 2);
    row("a time beyond 64 bits", tasks,
        std::string(kTimes) + "INSERT INTO CommAnalyzerTime VALUES ('a','7',1e300,1,'step1','p2p');",
        "repaired db.odd_type " + kAnalysis + " x1 row 1\n", "collective", 1);
    row("an infinite time", tasks,
        std::string(kTimes) + "INSERT INTO CommAnalyzerTime VALUES ('a','7',9e999,1,'step1','p2p');",
        "repaired db.odd_type " + kAnalysis + " x1 row 1\n", "collective", 1);
    row("text for a rank", tasks,
        std::string(kLinks) +
            "INSERT INTO CommAnalyzerMatrix VALUES ('a-top1','7','left','1','HCCS',2,1,2.5,'step1','p2p','b');",
        "repaired db.odd_type " + kAnalysis + " x1 row 1\n", "link", 1);
    row("links without ranks", tasks,
        "CREATE TABLE CommAnalyzerMatrix(hccl_op_name); INSERT INTO CommAnalyzerMatrix VALUES ('a');",
        "lost db.missing_column " + kAnalysis + " x1\n", "link", 0);
}

void TestDbTables::problems() {
    QFETCH(QString, database);
    QFETCH(QString, analysis);
    QFETCH(QString, expected);
    QFETCH(QString, table);
    QFETCH(int, kept);
    const TestFolder folder;
    execute(folder.path() / kDatabase, database.toStdString());
    if (!analysis.isEmpty()) execute(folder.path() / kAnalysis, analysis.toStdString());
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(troubles(*result.value()), expected);
    const RowTables* rows = result.value()->ranks.at(0).rows.get();
    const RowTable* found = rows == nullptr ? nullptr : rows->find(kindOf(table.toStdString()));
    QCOMPARE(found == nullptr ? 0 : static_cast<int>(found->size()), kept);
}

/// Rounded to whole numbers, the times of steps and the numbers of allocations looked as if they had been recorded so.
void TestDbTables::numbersThatLostDigits() {
    const auto reported = [](const std::string& sql) {
        const TestFolder folder;
        execute(folder.path() / kDatabase, kTasks + sql);
        return shown(dumpDiagnostics(importForTest(folder.path()).value()->diagnostics));
    };
    QCOMPARE(reported("INSERT INTO STEP_TIME VALUES (6,1100.5,1200),(7,1200.0,1300.0),(8,1300,1400.25);"),
             shown("info db.inexact_time " + kDatabase + " x2 row 2, row 4\n"));
    QCOMPARE(reported("CREATE TABLE OP_MEMORY(name, size, allocationTime, releaseTime); INSERT INTO OP_MEMORY VALUES "
                      "(15,512.5,1100,1200),(15,512.0,1100.0,1200),(15,512,1100,1200.5);"),
             shown("info db.inexact_time " + kDatabase + " x2 row 1, row 3\n"));
    QVERIFY(reported("INSERT INTO STEP_TIME VALUES (6,1736408883573887920.0,1736408883573890920);")
                .contains(shown("info db.inexact_time " + kDatabase + " x1 row 2\n")));
}

/// A database tells the texts of the ids whose hashes the recorded communication has.
void TestDbTables::groupsOfCollectives() {
    const TestFolder folder;
    execute(folder.path() / kDatabase,
            kKernels + "CREATE TABLE COMMUNICATION_OP(opName, startNs, endNs, groupName); INSERT INTO COMMUNICATION_OP "
                       "VALUES (8,1700,1900,9),(8,1950,1960,6);");
    execute(folder.path() / kAnalysis,
            std::string(kTimes) +
                "INSERT INTO CommAnalyzerTime VALUES ('a','5862276093215481612',1,1,'step1','collective');");
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(shown(tableText(result.value()->rows.get(), RowKind::CommGroup)),
             QStringLiteral("group_name=group_name_0 hash=5862276093215481612\n"));
    QVERIFY(shown(tableText(result.value()->ranks.at(0).rows.get(), RowKind::Collective))
                .contains(QStringLiteral("group_name=group_name_0 ")));
}

/// Rows and their order depend neither on workers nor on pieces.
void TestDbTables::independentOfPieces() {
    const auto path = sharedData("torch_db/level1/rank0_ascend_pt");
    if (!path) QSKIP(kNoSharedData);
    std::string first;
    for (const unsigned threads : {1U, 2U, 5U}) {
        for (const std::size_t chunk : {std::size_t{4} << 20, std::size_t{2000}}) {
            const auto result = importForTest(*path, {.threads = threads, .chunkBytes = chunk});
            QVERIFY(result.ok());
            std::string all;
            for (const RowTable& table : result.value()->ranks.at(0).rows->tables())
                all += tableText(result.value()->ranks[0].rows.get(), table.kind());
            if (first.empty()) first = all;
            QVERIFY(all == first);
        }
    }
}

ALTI_TEST(TestDbTables)
#include "tst_db_tables.moc"
