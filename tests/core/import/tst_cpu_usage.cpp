#include "core/import/mindspore/cpu_usage.h"

#include "core/import/scan/folder_scanner.h"
#include "tests/core/import/mindspore_samples.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

using namespace altiscope;
using namespace altiscope::test;
using namespace altiscope::reader;

namespace {

QString shown(const std::string& text) { return QString::fromStdString(text); }

/// Counters, and what was reported.
std::string read(const std::string& json, const char* name = "minddata_cpu_utilization_3.json") {
    const TestFolder folder;
    return dumpImport(importForTest(folder.write(name, json)));
}

/// The rows of a dump that begin so.
std::string rowsOf(const std::string& dump, const std::string& begin) {
    std::string found;
    for (std::size_t at = 0; at < dump.size();) {
        const std::size_t end = std::min(dump.find('\n', at), dump.size());
        if (dump.compare(at, begin.size(), begin) == 0) found += dump.substr(at, end - at) + '\n';
        at = end + 1;
    }
    return found;
}

}  // namespace

/// minddata_cpu_utilization_{rank}.json of MindSpore's data pipeline.
class TestCpuUsage : public QObject {
    Q_OBJECT
private slots:
    void names() {
        QCOMPARE(rankInCpuUsageName("minddata_cpu_utilization_12.json"), std::optional<std::int64_t>(12));
        for (const char* other :
             {"minddata_cpu_utilization_.json", "minddata_cpu_utilization_x.json", "cpu_utilization_1.json",
              "minddata_cpu_utilization_-1.json", "minddata_cpu_utilization_1.csv"})
            QCOMPARE(rankInCpuUsageName(other), std::nullopt);
    }

    /// The process has no value at the first stamp: its share is a difference.
    void countersOnAClockOfTheirOwn() {
        const std::string dump =
            read(R"({"cpu_processor_num":4,"device_info":{"context_switch_count":[0,7,9],"idle_utilization":[0,60,50],)"
                 R"("io_utilization":[0,1,2],"runnable_process":[3,2,1],"sys_utilization":[0,4,8],)"
                 R"("user_utilization":[0,35,40]},"op_info":[{"metrics":{"sys_utilization":[0,1,2],)"
                 R"("user_utilization":[0,30,31]},"op_id":0},{"metrics":{"sys_utilization":[5,6],)"
                 R"("user_utilization":[7,8]},"op_id":-1}],"process_info":{"sys_utilization":[11,12],)"
                 R"("user_utilization":[150,160]},"process_memory_info":{"pss_mbytes":[1.5,1.5,2],)"
                 R"("rss_mbytes":[3,3,4],"vss_mbytes":[9,9,9]},"sampling_interval":10,"system_memory_info":)"
                 R"({"available_sys_memory_mbytes":[50,49,48],"total_sys_memory_mbytes":[64,64,64],)"
                 R"("used_sys_memory_mbytes":[14,15,16]},"time_stamp":[1000,1010,1020]})");
        QVERIFY2(dump.starts_with("state ok\n"), dump.c_str());
        QCOMPARE(shown(rowsOf(dump, "counter process/CPU")),
                 QStringLiteral("counter process/CPU sys(%) 1010000000 11\ncounter process/CPU sys(%) 1020000000 12\n"
                                "counter process/CPU user(%) 1010000000 150\n"
                                "counter process/CPU user(%) 1020000000 160\n"));
        QCOMPARE(shown(rowsOf(dump, "counter host/CPU user")),
                 QStringLiteral("counter host/CPU user(%) 1000000000 0\ncounter host/CPU user(%) 1010000000 35\n"
                                "counter host/CPU user(%) 1020000000 40\n"));
        QCOMPARE(shown(rowsOf(dump, "counter host/Memory used")),
                 QStringLiteral("counter host/Memory used(MB) 1000000000 14\ncounter host/Memory used(MB) 1010000000 "
                                "15\ncounter host/Memory used(MB) 1020000000 16\n"));
        QCOMPARE(shown(rowsOf(dump, "counter pipeline/Operator 0 user")),
                 QStringLiteral("counter pipeline/Operator 0 user(%) 1000000000 0\ncounter pipeline/Operator 0 user(%) "
                                "1010000000 30\ncounter pipeline/Operator 0 user(%) 1020000000 31\n"));
        QCOMPARE(shown(rowsOf(dump, "counter pipeline/Other threads sys")),
                 QStringLiteral("counter pipeline/Other threads sys(%) 1010000000 5\n"
                                "counter pipeline/Other threads sys(%) 1020000000 6\n"));
        QCOMPARE(shown(rowsOf(dump, "counter host/Context")),
                 QStringLiteral("counter host/Context switches count 1000000000 0\ncounter host/Context switches count "
                                "1010000000 7\ncounter host/Context switches count 1020000000 9\n"));
    }

    /// A writer that reads /proc/stat twice has each sample of the host twice, and cuts some lists in the middle.
    void samplesThatStandThereTwice() {
        const std::string dump =
            read(R"({"device_info":{"idle_utilization":[0,0,60,0,50,0,40,0],"user_utilization":[0,0,30,0]},)"
                 R"("time_stamp":[1,2,3,4]})");
        QCOMPARE(shown(rowsOf(dump, "counter ")),
                 QStringLiteral("counter host/CPU idle(%) 1000000 0\ncounter host/CPU idle(%) 2000000 60\n"
                                "counter host/CPU idle(%) 3000000 50\ncounter host/CPU idle(%) 4000000 40\n"
                                "counter host/CPU user(%) 1000000 0\ncounter host/CPU user(%) 2000000 30\n"));
    }

    void whatIsNoSampleIsReported() {
        QCOMPARE(shown(rowsOf(read(R"({"time_stamp":[1,"x",3],"process_info":{"user_utilization":[1,2,"y"],)"
                                   R"("sys_utilization":[1,2,3,4,5]},"op_info":[7]})"),
                              "")),
                 QStringLiteral("state partial\ncounter process/CPU user(%) 1000000 1\n"
                                "info reader.experimental minddata_cpu_utilization_3.json x1\n"
                                "lost table.broken minddata_cpu_utilization_3.json x4\n"));
        QVERIFY(read(R"({"device_info":{}})").starts_with("error csv.no_column"));
        // One operator, or one series under both of its names, has one value at a time.
        QCOMPARE(shown(rowsOf(read(R"({"time_stamp":[1],"op_info":[{"op_id":2,"metrics":{"user_utilization":[5]}},)"
                                   R"({"op_id":2,"metrics":{"user_utilization":[6]}},)"
                                   R"({"op_id":18446744073709551615,"metrics":{"user_utilization":[7]}}],)"
                                   R"("device_info":{"runnable_process":[3],"runable_processes":[4]}})"),
                              "")),
                 QStringLiteral("state partial\ncounter host/Runnable processes count 1000000 3\n"
                                "counter pipeline/Operator 2 user(%) 1000000 5\n"
                                "info reader.experimental minddata_cpu_utilization_3.json x1\n"
                                "lost table.broken minddata_cpu_utilization_3.json x2\n"));
        QVERIFY(read("{").find("lost table.broken minddata_cpu_utilization_3.json x1") != std::string::npos);
    }

    void aLinkIsNotFollowed() {
        const TestFolder folder;
        const std::string elsewhere = folder.write("elsewhere.json", R"({"time_stamp":[1]})").string();
        folder.write("run/profiler/ascend_timeline_display_4.json", mindspore_samples::traceOf("A"));
        std::filesystem::create_symlink(elsewhere, folder.path() / "run/profiler/minddata_cpu_utilization_4.json");
        const auto capture = importForTest(folder.path() / "run").value();
        QCOMPARE(capture->ranks.at(0).info.alternatives, std::vector<std::string>());
    }

    /// No other file tells that clock: the timeline of the device stays what it is.
    void samplesBesideATimeline() {
        for (const char* root : {"x_ascend_ms/", "profiler/"}) {
            const TestFolder folder;
            const std::string name =
                std::string(root) + (root[0] == 'x' ? "FRAMEWORK/" : "") + "minddata_cpu_utilization_4.json";
            if (root[0] == 'x') {
                folder.write("x_ascend_ms/ASCEND_PROFILER_OUTPUT/trace_view.json", mindspore_samples::traceOf("A"));
                folder.write("x_ascend_ms/profiler_info_4.json", "{}");
            } else {
                folder.write("profiler/ascend_timeline_display_4.json", mindspore_samples::traceOf("A"));
            }
            folder.write(name, R"({"time_stamp":[1],"process_info":{"user_utilization":[1]}})");
            const auto capture = importForTest(folder.path()).value();
            QCOMPARE(capture->ranks.size(), std::size_t{1});
            QCOMPARE(capture->ranks[0].trace->sliceCount(), std::size_t{1});
            QCOMPARE(capture->ranks[0].info.alternatives, std::vector<std::string>{name});
            const std::string reported = dumpDiagnostics(capture->diagnostics);
            QVERIFY2(reported.find("info source_not_taken " + name) != std::string::npos, reported.c_str());
            SourceChoice choice;
            choice.corrections[capture->ranks[0].info.path].source = name;
            const auto chosen = scanCapture(folder.path(), choice, {}).value();
            QCOMPARE(chosen.ranks.at(0).traces.size(), std::size_t{1});
            QCOMPARE(chosen.ranks.at(0).traces.at(0).name, name);
            QCOMPARE(chosen.ranks.at(0).info.alternatives.size(), std::size_t{1});
            QVERIFY(chosen.ranks.at(0).info.source == SourceKind::Text);
        }
    }
};

ALTI_TEST(TestCpuUsage)
#include "tst_cpu_usage.moc"
