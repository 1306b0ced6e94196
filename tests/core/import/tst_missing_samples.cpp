#include "core/import/ranks/sample_checks.h"

#include "tests/core/import/db_fixture.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <functional>
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
    int reads = 30, writes = 30, tasks = 60, firstKept = 0, firstAfter = 0, stream = 2;
    bool isRegular = true;

    std::string trace() const {
        std::string text = R"([{"ph":"M","name":"process_name","pid":1,"args":{"name":"HBM"}},)"
                           R"({"ph":"M","name":"process_name","pid":2,"args":{"name":"Ascend Hardware"}})";
        const auto samples = [&](const char* name, int count) {
            for (int i = 0; i < count; ++i) {
                if (firstKept <= i && i < firstAfter) continue;
                const int late = isRegular ? 0 : i % 3 * 6 * kMs;
                text += eventOf(name, 1,
                                R"(,"ph":"C","ts":)" + std::to_string(1000 * kMs + i * 20 * kMs + late) +
                                    R"(,"args":{"MB/s":1})");
            }
        };
        samples("HBM 0/Read", reads);
        samples("HBM 0/Write", writes);
        for (int i = 0; i < tasks; ++i)
            text += eventOf("K", 2,
                            R"(,"ph":"X","tid":)" + std::to_string(stream) + R"(,"ts":)" +
                                std::to_string(1000 * kMs + i * 10 * kMs) + R"(,"dur":5)");
        return text + "]";
    }
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
        row("a gap of many", {0, 20, 40, 60, 80, 100, 120, 140, 260, 280}, 200, 5);
        row("late by some", {0, 20, 40, 60, 80, 100, 120, 140, 200, 220}, 200, 0);
        row("the end", {0, 20, 40, 60, 80, 100, 120, 140, 160, 180}, 320, 7);
        row("the device goes on for some", {0, 20, 40, 60, 80, 100, 120, 140, 160, 180}, 270, 0);
        row("the device ended before", {0, 20, 40, 60, 80, 100, 120, 140, 160, 180}, 1, 0);
        row("few", {0, 20, 40, 60, 80, 200}, 900, 0);
        row("not regular", {0, 1, 40, 41, 80, 81, 120, 121, 160, 161, 400}, 900, 0);
    }
    void samplesOfASampler() {
        QFETCH(QList<qint64>, times);
        QFETCH(qint64, lastTask);
        QFETCH(int, missing);
        const std::vector<std::int64_t> all(times.begin(), times.end());
        QCOMPARE(static_cast<int>(reader::missingSamples(all, lastTask)), missing);
        QCOMPARE(static_cast<int>(reader::missingSamples(std::span(all).first(1), lastTask)), 0);
    }

    void countersOfATrace_data() {
        QTest::addColumn<QString>("trace");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* clause, const Recording& recording, const char* expected) {
            QTest::addRow("%s", clause) << QString::fromStdString(recording.trace()) << expected;
        };
        row("whole", {}, "");
        row("the end of one counter", {.writes = 27}, "info files.counters_missing x3");
        row("the end of all counters", {.reads = 20, .writes = 20}, "info files.counters_missing x10");
        row("the middle of all counters", {.firstKept = 10, .firstAfter = 16}, "info files.counters_missing x6");
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

    void metricsOfKernels_data() {
        QTest::addColumn<QString>("rows");
        QTest::addColumn<QString>("expected");
        QTest::newRow("whole") << "(0,12,1),(0,13,1),(1,12,1),(1,13,1)"
                               << "";
        QTest::newRow("the last row") << "(0,12,1),(0,13,1),(1,12,1)"
                                      << "info db.missing_metrics x1";
        QTest::newRow("all of a kernel") << "(0,12,1),(0,13,1)"
                                         << "info db.missing_metrics x2";
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
};

ALTI_TEST(TestMissingSamples)
#include "tst_missing_samples.moc"
