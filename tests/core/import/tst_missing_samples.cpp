#include "core/import/ranks/sample_checks.h"

#include "core/import/ranks/task_times.h"

#include "tests/core/import/db_fixture.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

constexpr int kMs = 1000;  // us

std::string eventOf(const std::string& name, int process, const std::string& rest) {
    return R"(,{"name":")" + name + R"(","pid":)" + std::to_string(process) + rest + "}";
}

/// A sampler of two counters each 20 ms, and tasks on stream 2 for as long.
struct Recording {
    int reads = 30, writes = 30, tasks = 60, tasksOfOther = 0, firstKept = 0, firstAfter = 0, stream = 2;
    int writeEvery = 20;
    bool isRegular = true, pauses = false;
    std::int64_t farSample = 0, farTask = 0;  // ms after the first one; none

    std::string trace() const {
        const auto process = [](int pid, const char* name, const char* device) {
            return R"({"ph":"M","name":"process_name","pid":)" + std::to_string(pid) + R"(,"args":{"name":")" + name +
                   R"("}},{"ph":"M","name":"process_labels","pid":)" + std::to_string(pid) + R"(,"args":{"labels":")" +
                   device + R"("}})";
        };
        std::string text = '[' + process(1, "HBM", "NPU 0") + ',' + process(2, "Ascend Hardware", "NPU 0");
        if (tasksOfOther > 0) text += ',' + process(3, "Ascend Hardware", "NPU 1");
        const auto at = [](std::int64_t ms) { return R"(,"ts":)" + std::to_string((1000 + ms) * kMs); };
        const auto sample = [&](const char* name, std::int64_t ms) {
            text += eventOf(name, 1, R"(,"ph":"C")" + at(ms) + R"(,"args":{"MB/s":1})");
        };
        const auto task = [&](int pid, std::int64_t ms) {
            text += eventOf("K", pid, R"(,"ph":"X","tid":)" + std::to_string(stream) + at(ms) + R"(,"dur":5)");
        };
        const auto samples = [&](const char* name, int count, int every) {
            for (int i = 0; i < count; ++i) {
                if (firstKept <= i && i < firstAfter) continue;
                sample(name, i * every + (isRegular ? 0 : i % 3 * 6));
                if (pauses) sample(name, kPause + i * every);
            }
        };
        samples("HBM 0/Read", reads, 20);
        samples("HBM 0/Write", writes, writeEvery);
        if (farSample > 0) sample("HBM 0/Read", farSample);
        for (int i = 0; i < tasks; ++i) task(2, i * 10);
        for (int i = 0; i < tasksOfOther; ++i) task(3, i * 10);
        // Of a recording tasks begin before its first sample.
        for (int i = 0; pauses && i < tasks; ++i) task(2, kPause + (i - 27) * 10);
        if (farTask > 0) task(2, farTask);
        return text + "]";
    }
    static constexpr std::int64_t kPause = 3600 * 1000;
};

std::string modules(const std::function<bool(int moment, int module)>& isThere) {
    std::string text = "Component,Timestamp(us),Total Reserved(MB),Device\n";
    for (int moment = 0; moment < 30; ++moment) {
        for (int module = 0; module < 3; ++module) {
            if (isThere(moment, module))
                text +=
                    "M" + std::to_string(module) + ',' + std::to_string(1000 * kMs + moment * 20 * kMs) + ",1,NPU:0\n";
        }
    }
    return text;
}

QString found(const CaptureStore& capture, const char* prefix) {
    QStringList texts;
    for (const Diagnostic& one : capture.diagnostics.entries()) {
        if (!one.code.starts_with(prefix)) continue;
        texts.append(QStringLiteral("%1 %2 x%3")
                         .arg(QString::fromUtf8(severityName(one.severity).data()), QString::fromStdString(one.code))
                         .arg(one.count));
    }
    return texts.join(u'\n');
}

}  // namespace

/// Rows deleted where other rows know of them: in a table that nothing counts.
class TestMissingSamples : public QObject {
    Q_OBJECT
private slots:
    void samplesOfASampler_data() {
        QTest::addColumn<QList<qint64>>("times");
        QTest::addColumn<qint64>("lastTask");
        QTest::addColumn<int>("missing");
        const auto row = [](const char* clause, QList<qint64> times, qint64 lastTask, int missing) {
            for (qint64& time : times) time *= 1'000'000;
            QTest::addRow("%s", clause) << times << lastTask * 1'000'000 << missing;
        };
        row("whole", {0, 20, 40, 60, 80, 100, 120, 140, 160, 180}, 200, 0);
        row("a gap of many", {0, 20, 40, 60, 80, 100, 120, 140, 260, 280}, 300, 5);
        row("late by some", {0, 20, 40, 60, 80, 100, 120, 140, 200, 220}, 200, 0);
        row("the end", {0, 20, 40, 60, 80, 100, 120, 140, 160, 180}, 320, 7);
        row("the device goes on for some", {0, 20, 40, 60, 80, 100, 120, 140, 160, 180}, 270, 0);
        row("the device ended before", {0, 20, 40, 60, 80, 100, 120, 140, 160, 180}, 1, 0);
        row("few", {0, 20, 40, 60, 80, 200}, 900, 0);
        row("a pause before which and after which tasks go on", {0, 20, 40, 60, 80, 100, 120, 140, 900, 920}, 200, 0);
        row("not regular", {0, 1, 40, 41, 80, 81, 120, 121, 160, 161, 400}, 900, 0);
    }
    void samplesOfASampler() {
        QFETCH(QList<qint64>, times);
        QFETCH(qint64, lastTask);
        QFETCH(int, missing);
        const std::vector<std::int64_t> all(times.begin(), times.end());
        std::vector<std::int64_t> tasks;
        for (std::int64_t task = 0; task < lastTask; task += 10'000'000) tasks.push_back(task);
        const auto goOn = [&tasks](TimeRange range, std::int64_t period) {
            return reader::beginInNearlyAll(tasks, range, period);
        };
        QCOMPARE(static_cast<int>(reader::missingSamples(all, lastTask, goOn)), missing);
        QCOMPARE(static_cast<int>(reader::missingSamples(std::span(all).first(1), lastTask, goOn)), 0);
    }

    void countersOfATrace_data() {
        QTest::addColumn<QString>("trace");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* clause, const Recording& recording, const char* expected) {
            QTest::addRow("%s", clause) << QString::fromStdString(recording.trace()) << expected;
        };
        row("whole", {}, "");
        row("the end of one counter", {.writes = 27}, "info files.counters_missing x3");
        row("the end of all counters", {.reads = 20, .writes = 20}, "info files.counters_missing x20");
        row("the middle of all counters", {.firstKept = 10, .firstAfter = 16}, "info files.counters_missing x12");
        row("the end of one, the middle of both", {.writes = 27, .firstKept = 10, .firstAfter = 16},
            "info files.counters_missing x15");
        row("one that is read half as often", {.writes = 15, .writeEvery = 40}, "");
        row("one with a sample alone", {.writes = 1}, "");
        row("several recordings in one file", {.pauses = true}, "");
        row("a sample with a wrong stamp", {.farSample = 3600 * 1000}, "");
        row("a task with a wrong stamp, soon", {.farTask = 60 * 1000}, "");
        row("a task with a wrong stamp, far away", {.farTask = 900'000'000'000}, "");
        row("another device goes on", {.reads = 15, .writes = 15, .tasks = 30, .tasksOfOther = 60}, "");
        row("its device goes on", {.reads = 15, .writes = 15, .tasks = 60, .tasksOfOther = 10},
            "info files.counters_missing x30");
        row("the recording ends there", {.reads = 20, .writes = 20, .tasks = 40}, "");
        row("samples as they come", {.writes = 27, .isRegular = false}, "");
    }
    void countersOfATrace() {
        QFETCH(QString, trace);
        QFETCH(QString, expected);
        const TestFolder folder;
        folder.write(kFolder + "trace_view.json", trace.toStdString());
        const auto result = importForTest(folder.path());
        QVERIFY(result.ok());
        QCOMPARE(found(*result.value(), "files.counters"), expected);
    }

    void modulesOfATable_data() {
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* clause, const std::function<bool(int, int)>& isThere, const char* expected) {
            QTest::addRow("%s", clause) << QString::fromStdString(modules(isThere)) << expected;
        };
        row(
            "whole", [](int, int) { return true; }, "");
        row(
            "the last row", [](int moment, int module) { return moment < 29 || module < 2; },
            "info files.modules_missing x1");
        row(
            "the last times", [](int moment, int) { return moment < 20; }, "info files.modules_missing x30");
        row(
            "what has changed alone", [](int moment, int module) { return moment % 3 == module || moment == 0; }, "");
        row(
            "modules that appear later", [](int moment, int module) { return moment >= module * 10; }, "");
        row(
            "what has changed alone, and all now and then",
            [](int moment, int module) { return moment % 5 < 4 || module == 0; }, "");
        row(
            "a row of the second module", [](int moment, int module) { return moment != 12 || module != 1; },
            "info files.modules_missing x1");
        row(
            "one module", [](int, int module) { return module == 0; }, "");
    }
    void modulesOfATable() {
        QFETCH(QString, table);
        QFETCH(QString, expected);
        const TestFolder folder;
        folder.write(kFolder + "trace_view.json", Recording().trace());
        folder.write(kFolder + "npu_module_mem.csv", table.toStdString());
        const auto result = importForTest(folder.path());
        QVERIFY(result.ok());
        QCOMPARE(found(*result.value(), "files.modules"), expected);
    }

    void kernelsOnAnotherStream_data() {
        QTest::addColumn<int>("stream");
        QTest::addColumn<QString>("expected");
        QTest::newRow("its own") << 2 << "";
        QTest::newRow("another one") << 3 << "info files.streams_differ x1";
    }
    void kernelsOnAnotherStream() {
        QFETCH(int, stream);
        QFETCH(QString, expected);
        const TestFolder folder;
        folder.write(kFolder + "trace_view.json", Recording{.stream = stream}.trace());
        folder.write(kFolder + "kernel_details.csv",
                     "Stream ID,Name,Accelerator Core,Start Time(us),Duration(us),Wait Time(us)\n"
                     "2,K,AI_CORE,1000000.000,5,0\n");
        const auto result = importForTest(folder.path());
        QVERIFY(result.ok());
        QVERIFY(result.value()
                    ->ranks.at(0)
                    .rows->find(RowKind::Kernel)
                    ->integer(rowColumn(RowKind::Kernel, "slice_id"), 0));
        QCOMPARE(found(*result.value(), "files.streams"), expected);
    }

    void rowsOfCommunication_data() {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("expected");
        QTest::newRow("whole") << ""
                               << "";
        QTest::newRow("times") << "DELETE FROM CommAnalyzerTime WHERE hccl_op_name = 'b';"
                               << "info communication.lone_bandwidth x1";
        QTest::newRow("bandwidths, as idle ones have none")
            << "DELETE FROM CommAnalyzerBandwidth WHERE hccl_op_name = 'b';"
            << "";
        QTest::newRow("a link of one selection")
            << "DELETE FROM CommAnalyzerMatrix WHERE hccl_op_name = 'allreduce-total' AND dst_rank = '1';"
            << "info communication.links_differ x1";
        QTest::newRow("the slowest but one")
            << "DELETE FROM CommAnalyzerMatrix WHERE hccl_op_name = 'allreduce-bottom2';"
            << "";
    }
    void rowsOfCommunication() {
        QFETCH(QString, sql);
        QFETCH(QString, expected);
        const TestFolder folder;
        execute(folder.path() / kDatabase, kKernels);
        std::string rows;
        for (const char* selection : {"top1", "middle", "bottom1", "bottom2", "total"}) {
            for (const char* target : {"0", "1"})
                rows += std::string("INSERT INTO CommAnalyzerMatrix VALUES('allreduce-") + selection + "','7','0','" +
                        target + "','HCCS',1,1,1,'step5','collective','a');";
        }
        execute(folder.path() / kAnalysis,
                std::string(kTimes) + kLinks + kBandwidths +
                    "INSERT INTO CommAnalyzerTime VALUES('a','7',1,1,'step5','collective'),('b','7',2,1,'step5',"
                    "'collective');" +
                    "INSERT INTO CommAnalyzerBandwidth(hccl_op_name, group_name, transport_type, transit_size, "
                    "transit_time, step, type) VALUES('a','7','HCCS',1,1,'step5','collective'),('b','7','HCCS',1,1,"
                    "'step5','collective');" +
                    rows + sql.toStdString());
        const auto result = importForTest(folder.path());
        QVERIFY(result.ok());
        QStringList texts;
        for (const char* code : {"communication.lone_bandwidth", "communication.links_differ"}) {
            if (const QString text = found(*result.value(), code); !text.isEmpty()) texts.append(text);
        }
        QCOMPARE(texts.join(u'\n'), expected);
    }

    /// The report named communication.json, which has no links.
    void aLinkOfOneSelectionInText() {
        const auto object = [](const char* selection, bool hasBoth) {
            const std::string link =
                R"x({"Transport Type":"HCCS","Transit Size(MB)":1,"Transit Time(ms)":1,"Bandwidth(GB/s)":1})x";
            return "\"allreduce-" + std::string(selection) + "@7\":{\"0-0\":" + link +
                   (hasBoth ? ",\"0-1\":" + link : std::string()) + '}';
        };
        const TestFolder folder;
        folder.write(kFolder + "trace_view.json", Recording().trace());
        folder.write(kFolder + "communication.json",
                     R"x({"step5":{"collective":{"a@7":{"Communication Time Info":{"Start Timestamp(us)":1,)x"
                     R"x("Elapse Time(ms)":1}}}}})x");
        folder.write(kFolder + "communication_matrix.json",
                     "{\"step5\":{\"collective\":{" + object("top1", true) + ',' + object("middle", true) + ',' +
                         object("bottom1", true) + ',' + object("total", false) + "}}}");
        const auto result = importForTest(folder.path());
        QVERIFY(result.ok());
        QCOMPARE(found(*result.value(), "communication.links"), QStringLiteral("info communication.links_differ x1"));
        for (const Diagnostic& one : result.value()->diagnostics.entries()) {
            if (one.code == "communication.links_differ")
                QCOMPARE(QString::fromStdString(one.file), shown(kFolder + "communication_matrix.json"));
        }
    }

    void metricsOfKernels_data() {
        QTest::addColumn<QString>("rows");
        QTest::addColumn<QString>("expected");
        QTest::newRow("whole") << "(0,12,1),(0,13,1),(1,12,1),(1,13,1)"
                               << "";
        QTest::newRow("the last row") << "(0,12,1),(0,13,1),(1,12,1)"
                                      << "info db.missing_metrics x1";
        QTest::newRow("all of a kernel") << "(0,12,1),(0,13,1)"
                                         << "info db.missing_metrics x2";
        QTest::newRow("the same once more") << "(0,12,1),(0,13,1),(1,12,1),(1,12,1)"
                                            << "info db.missing_metrics x1";
    }
    void metricsOfKernels() {
        QFETCH(QString, rows);
        QFETCH(QString, expected);
        const TestFolder folder;
        execute(folder.path() / kDatabase,
                kKernels + "CREATE TABLE TASK_PMU_INFO(globalTaskId, name, value); INSERT INTO TASK_PMU_INFO VALUES " +
                    rows.toStdString() + ";");
        const auto result = importForTest(folder.path());
        QVERIFY(result.ok());
        QCOMPARE(found(*result.value(), "db.missing_metrics"), expected);
    }

    void metricsOfTypesOfKernels_data() {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("expected");
        QTest::newRow("each has its own") << ""
                                          << "";
        QTest::newRow("one of the type with fewer")
            << "DELETE FROM TASK_PMU_INFO WHERE globalTaskId = 12 AND name = 12;"
            << "info db.missing_metrics x1";
        QTest::newRow("one of the type with more") << "DELETE FROM TASK_PMU_INFO WHERE globalTaskId = 2 AND name = 13;"
                                                   << "info db.missing_metrics x1";
        QTest::newRow("a graph that runs again, by the same numbers")
            << "INSERT INTO TASK SELECT startNs + 90000, endNs + 90000, deviceId, connectionId, globalTaskId, "
               "taskType, "
               "contextId, streamId FROM TASK; INSERT INTO TASK_PMU_INFO SELECT * FROM TASK_PMU_INFO;"
            << "";
    }
    /// Of 6 kernels with three metrics, 4 with one, and 3 with none.
    void metricsOfTypesOfKernels() {
        QFETCH(QString, sql);
        QFETCH(QString, expected);
        std::string text = kKernels + "DELETE FROM TASK; DELETE FROM COMPUTE_TASK_INFO;"
                                      "CREATE TABLE TASK_PMU_INFO(globalTaskId, name, value);";
        const auto kernels = [&text](int first, int count, const char* type, std::initializer_list<int> metrics) {
            for (int task = first; task < first + count; ++task) {
                const std::string number = std::to_string(task), begin = std::to_string(2000 + task * 100);
                text += "INSERT INTO TASK VALUES (" + begin + "," + begin + "+50,6,-1," + number + "," + type +
                        ",4294967295,2); INSERT INTO COMPUTE_TASK_INFO VALUES (1," + number + ",20," + type +
                        ",3,6,5,4,6,6,6);";
                for (const int metric : metrics)
                    text += "INSERT INTO TASK_PMU_INFO VALUES (" + number + ',' + std::to_string(metric) + ",1);";
            }
        };
        kernels(0, 6, "2", {11, 13, 14});
        kernels(10, 4, "3", {12});
        kernels(20, 3, "6", {});
        const TestFolder folder;
        execute(folder.path() / kDatabase, text + sql.toStdString());
        const auto result = importForTest(folder.path());
        QVERIFY(result.ok());
        QCOMPARE(found(*result.value(), "db.missing_metrics"), expected);
    }
};

ALTI_TEST(TestMissingSamples)
#include "tst_missing_samples.moc"
