#include "core/store/capture_store.h"
#include "tests/support/capture_dump.h"
#include "tests/support/table_text.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <string>

using namespace altiscope;
using namespace altiscope::test;

namespace {

const std::string kOutput = "PROF_000001_20260101000000000_ABCDEFGH/mindstudio_profiler_output/";
const std::string kFile = "task_time_20260101000000.csv";

/// As newer analyses write it.
const std::string kTasks = "Device_id,kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),"
                           "task_stop(us)\n"
                           "3,MatMul_0,AI_CORE,2,5,67.200,1767225600000266.740\t,1767225600000333.940\t\n"
                           "3,N/A,EVENT_RECORD,2,6,0.020,1767225600000340.000\t,1767225600000340.020\t\n"
                           "3,N/A,AI_VECTOR_CORE,4,1,1.500,1767225600000341.000\t,1767225600000342.500\t\n";
/// Slices of it, without their places.
const std::string kSlices = "slice device 3/2 d0 MatMul_0 [1767225600000266740,+67200)\n"
                            "slice device 3/2 d0 EVENT_RECORD [1767225600000340000,+20)\n"
                            "slice device 3/4 d0 AI_VECTOR_CORE [1767225600000341000,+1500)\n";
const std::string kKernels =
    "kind=compute name=MatMul_0 accelerator_core=AI_CORE stream=2 ts=1767225600000266740 dur=67200 device_id=3\n"
    "kind=compute name=AI_VECTOR_CORE accelerator_core=AI_VECTOR_CORE stream=4 ts=1767225600000341000 dur=1500 "
    "device_id=3\n";

std::string slicesOf(const RankEntry& rank) {
    std::string text, line;
    if (rank.trace == nullptr) return text;
    for (const char c : dumpRows(*rank.trace)) {
        if (c != '\n') {
            line += c;
            continue;
        }
        text += line.substr(0, line.find(" @")) + '\n';
        line.clear();
    }
    return text;
}

/// Rows of kernels without their slices.
std::string kernelsOf(const RankEntry& rank) {
    std::string text = tableText(rank.rows.get(), RowKind::Kernel);
    for (std::size_t at = 0; (at = text.find("slice_id=", at)) != std::string::npos;)
        text.erase(at, text.find(' ', at) + 1 - at);
    return text;
}

}  // namespace

class TestTaskTimes : public QObject {
    Q_OBJECT
private slots:
    void aloneTheyAreATimeline_data();
    void aloneTheyAreATimeline();
    void theyAreNotAddedTwice_data();
    void theyAreNotAddedTwice();
    void namesMayHaveCommas();
    void parentsOfFusedTasksAreNoKernels();
    void partsAndDevices();
    void argumentsAreThoseOfOtherSources();
    void brokenRecordsAreReportedOnce();
    void sumsByTaskAreNoTimeline();
};

void TestTaskTimes::aloneTheyAreATimeline_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("content");
    QTest::addColumn<QString>("slices");
    QTest::addColumn<QString>("kernels");
    const auto row = [](const char* clause, const std::string& file, const std::string& content,
                        const std::string& slices = kSlices, const std::string& kernels = kKernels) {
        QTest::addRow("%s", clause) << QString::fromStdString(file) << QString::fromStdString(content)
                                    << QString::fromStdString(slices) << QString::fromStdString(kernels);
    };
    std::string lines = kTasks;
    for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; at += 2) lines.insert(at, "\r");
    row("in the folder of CANN", kOutput + kFile, kTasks);
    row("copied by torch_npu", "h_1_20260101000000000_ascend_pt/ASCEND_PROFILER_OUTPUT/task_time.csv", lines);
    row("in a folder of the user", "mine/" + kFile, kTasks);
    row("beside other devices of 2023", "PROF_000001_20260101000000000_ABCDEFGH/device_3/summary/task_time_3_1_1.csv",
        kTasks);
    row("older headings, kinds with a prefix, no device, a name with a comma", kOutput + kFile,
        "kernel_name,kernel_type,stream_id,task_id,task_time,task_start,task_stop\n"
        "te<1,2>,KERNEL_AICORE,2,5,1.5,1000,1001.5\nN/A,KERNEL_AICPU,3,6,2,2000,2002\n",
        "slice device /2 d0 te<1,2> [1000000,+1500)\nslice device /3 d0 KERNEL_AICPU [2000000,+2000)\n",
        "kind=compute name=te<1,2> accelerator_core=KERNEL_AICORE stream=2 ts=1000000 dur=1500\n"
        "kind=compute name=KERNEL_AICPU accelerator_core=KERNEL_AICPU stream=3 ts=2000000 dur=2000\n");
    row("a duration that is lacking follows from the end", kOutput + kFile,
        "kernel_name,kernel_type,stream_id,task_start(us),task_stop(us)\nAdd,AI_CORE,2,1000,1001.5\n",
        "slice device /2 d0 Add [1000000,+1500)\n", "");
}

void TestTaskTimes::aloneTheyAreATimeline() {
    QFETCH(QString, file);
    QFETCH(QString, content);
    QFETCH(QString, slices);
    QFETCH(QString, kernels);
    const TestFolder folder;
    const auto path = folder.write(file.toStdString(), content.toStdString());
    const bool isLoose = file.startsWith(QStringLiteral("mine"));
    for (const auto& root : {folder.path(), isLoose ? path : folder.path()}) {
        const auto result = importForTest(root);
        QVERIFY(result.ok());
        QCOMPARE(result.value()->ranks.size(), 1U);
        const RankEntry& rank = result.value()->ranks.front();
        QCOMPARE(QString::fromStdString(slicesOf(rank)), slices);
        QCOMPARE(QString::fromStdString(kernelsOf(rank)), kernels);
        for (const Track& track : rank.trace->tracks()) QVERIFY(track.kind == TrackKind::Hardware);
        if (slices.contains(QStringLiteral("device 3"))) QCOMPARE(rank.info.deviceId, std::optional<std::int64_t>(3));
    }
}

void TestTaskTimes::theyAreNotAddedTwice_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("content");
    QTest::addColumn<QString>("slices");
    QTest::addColumn<QString>("kernels");
    const auto row = [](const char* clause, const std::string& file, const std::string& content,
                        const std::string& slices, const std::string& kernels) {
        QTest::addRow("%s", clause) << QString::fromStdString(file) << QString::fromStdString(content)
                                    << QString::fromStdString(slices) << QString::fromStdString(kernels);
    };
    row("beside a timeline: its slices, and kernels of the tasks", "msprof_20260101000000.json",
        R"([{"ph":"M","name":"process_name","pid":7,"tid":0,"args":{"name":"Ascend Hardware"}},)"
        R"({"ph":"X","name":"MatMul_0","pid":7,"tid":2,"ts":"1767225600000266.740","dur":67.2},)"
        R"({"ph":"X","name":"AI_VECTOR_CORE","pid":7,"tid":4,"ts":"1767225600000341.000","dur":1.5}])",
        "slice 7/2 d0 MatMul_0 [1767225600000266740,+67200)\n"
        "slice 7/4 d0 AI_VECTOR_CORE [1767225600000341000,+1500)\n",
        kKernels);
    row("beside kernels: slices of the tasks, and those kernels", "op_summary_20260101000000.csv",
        "Op Name,Task Type,Stream ID,Task Start Time(us),Task Duration(us)\n"
        "MatMul_0,AI_CORE,2,1767225600000266.740\t,67.200\n",
        kSlices, "kind=compute name=MatMul_0 accelerator_core=AI_CORE stream=2 ts=1767225600000266740 dur=67200\n");
}

void TestTaskTimes::theyAreNotAddedTwice() {
    QFETCH(QString, file);
    QFETCH(QString, content);
    QFETCH(QString, slices);
    QFETCH(QString, kernels);
    const TestFolder folder;
    folder.write(kOutput + kFile, kTasks);
    folder.write(kOutput + file.toStdString(), content.toStdString());
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    const RankEntry& rank = result.value()->ranks.front();
    QCOMPARE(QString::fromStdString(slicesOf(rank)), slices);
    QCOMPARE(QString::fromStdString(kernelsOf(rank)), kernels);
    // The kernel that both have is linked.
    QVERIFY(tableText(rank.rows.get(), RowKind::Kernel).starts_with("slice_id="));
    QCOMPARE(dumpDiagnostics(result.value()->diagnostics.about(kOutput + kFile)), std::string());
}

/// CANN writes them without quotes.
void TestTaskTimes::namesMayHaveCommas() {
    const TestFolder folder;
    const std::string header = "Op Name,Task Type,Stream ID,Task Start Time(us),Task Duration(us),Input Shapes\n";
    folder.write(kOutput + "op_summary_20260101000000.csv",
                 header + "te<1,2,x>,AI_CORE,2,1000,1.5,\"\"\"3,4\"\"\"\nAdd,AI_CORE,2,2000,1.5,\"5,6\",\n");
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(
        kernelsOf(result.value()->ranks.front()),
        std::string("kind=compute name=te<1,2,x> accelerator_core=AI_CORE stream=2 ts=1000000 dur=1500 "
                    "input_shapes=3,4\nkind=compute name=Add accelerator_core=AI_CORE stream=2 ts=2000000 dur=1500 "
                    "input_shapes=5,6\n"));
    QCOMPARE(result.value()->diagnostics.about(kOutput + "op_summary_20260101000000.csv").entries().size(), 0U);
}

/// They contain their parts, which follow them, and are drawn around them.
void TestTaskTimes::parentsOfFusedTasksAreNoKernels() {
    const TestFolder folder;
    folder.write(kOutput + kFile, "kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us)\n"
                                  "N/A,AI_CORE,2,3,90,1000\nAdd,AI_CORE,4,9,50,1001\nN/A,MIX_AIC,2,3,20,1005\n"
                                  "N/A,MIX_AIC,2,3,20,1030\nN/A,AI_CORE,2,4,20,1090\n");
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    const RankEntry& rank = result.value()->ranks.front();
    QCOMPARE(kernelsOf(rank),
             std::string("kind=compute name=Add accelerator_core=AI_CORE stream=4 ts=1001000 dur=50000\n"
                         "kind=compute name=MIX_AIC accelerator_core=MIX_AIC stream=2 ts=1005000 dur=20000\n"
                         "kind=compute name=MIX_AIC accelerator_core=MIX_AIC stream=2 ts=1030000 dur=20000\n"
                         "kind=compute name=AI_CORE accelerator_core=AI_CORE stream=2 ts=1090000 dur=20000\n"));
    QVERIFY(slicesOf(rank).find("slice device /2 d1 MIX_AIC [1005000,+20000)") != std::string::npos);
    QVERIFY(result.value()->diagnostics.empty());
}

void TestTaskTimes::partsAndDevices() {
    const TestFolder folder;
    const std::string header = kTasks.substr(0, kTasks.find('\n') + 1);
    folder.write(kOutput + "task_time_slice_1_20260101000001.csv", header + "1,B,AI_CORE,2,1,1,2000,2001\n");
    folder.write(kOutput + "task_time_slice_0_20260101000001.csv", header + "0,A,AI_CORE,2,1,1,1000,1001\n");
    folder.write(kOutput + "task_time_20260101000000.csv", header + "0,earlier,AI_CORE,2,1,1,1000,1001\n");
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    const RankEntry& rank = result.value()->ranks.front();
    QCOMPARE(slicesOf(rank),
             std::string("slice device 0/2 d0 A [1000000,+1000)\nslice device 1/2 d0 B [2000000,+1000)\n"));
    QCOMPARE(rank.trace->tracks().front().labels, std::string("NPU 0"));
    QCOMPARE(rank.trace->tracks().back().labels, std::string("NPU 1"));
    // Recorded by two devices: the rank is that of neither.
    QVERIFY(!rank.info.deviceId);
}

void TestTaskTimes::argumentsAreThoseOfOtherSources() {
    const TestFolder folder;
    folder.write(kOutput + kFile, kTasks);
    const std::string dump = dumpCapture(importForTest(folder.path()));
    QVERIFY2(dump.find(R"({"Task Type": "AI_CORE", "Stream Id": 2, "Task Id": 5})") != std::string::npos, dump.c_str());
}

void TestTaskTimes::brokenRecordsAreReportedOnce() {
    const TestFolder folder;
    std::string tasks = kTasks;
    tasks.replace(tasks.find("1767225600000340.000"), 20, "x");
    folder.write(kOutput + kFile, tasks + "3,Add,AI_CORE,2,7,-1,1767225600000350\n");
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    const auto about = result.value()->diagnostics.about(kOutput + kFile);
    QCOMPARE(dumpDiagnostics(about), "repaired csv.bad_number " + kOutput + kFile + " x1 row 3\n" +
                                         "lost csv.missing_value " + kOutput + kFile + " x2 row 3, row 5\n" +
                                         "repaired csv.out_of_range " + kOutput + kFile + " x1 row 5\n" +
                                         "repaired csv.short_record " + kOutput + kFile + " x1 row 5\n");
    // Also where nothing else reads the file.
    folder.write(kOutput + "op_summary_20260101000000.csv",
                 "Op Name,Task Type,Stream ID,Task Start Time(us),Task Duration(us)\nMatMul_0,AI_CORE,2,5,1\n");
    const auto beside = importForTest(folder.path());
    QVERIFY(beside.ok());
    QCOMPARE(dumpDiagnostics(beside.value()->diagnostics.about(kOutput + kFile)),
             "lost csv.missing_value " + kOutput + kFile + " x2 row 3, row 5\n");
}

void TestTaskTimes::sumsByTaskAreNoTimeline() {
    const TestFolder folder;
    folder.write(
        kOutput + kFile,
        "Device_id,Time(%),Time(us),Count,Avg(us),Min(us),Max(us),Waiting(us),Running(us),Pending(us),Type,API,"
        "Task ID,Op Name,Stream ID\n0,25.5,3.5,1,3.5,3.5,3.5,0.5,3,0,kernel AI core task,launch,4,Add,2\n");
    folder.write(kOutput + "msprof_20260101000000.json", "[]");
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    const RankEntry& rank = result.value()->ranks.front();
    QCOMPARE(slicesOf(rank), std::string());
    const std::string item = " item=kernel AI core task launch Task ID 4 Add Stream ID 2 name=";
    std::string expected;
    for (const char* cell : {"Time unit=% value=25.5", "Time unit=us value=3.5", "Count value=1",
                             "Avg unit=us value=3.5", "Min unit=us value=3.5", "Max unit=us value=3.5",
                             "Waiting unit=us value=0.5", "Running unit=us value=3", "Pending unit=us value=0"})
        expected += "source=task_time device_id=0" + item + cell + '\n';
    QCOMPARE(tableText(rank.rows.get(), RowKind::HardwareStat), expected);
}

ALTI_TEST(TestTaskTimes)
#include "tst_task_times.moc"
