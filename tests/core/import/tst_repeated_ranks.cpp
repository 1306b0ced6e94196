#include "core/import/scan/repeated_ranks.h"

#include "core/import/scan/folder_scanner.h"
#include "tests/support/capture_dump.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

std::string identityText(const RankInfo& info) {
    const auto number = [](const std::optional<std::int64_t>& value) { return value ? std::to_string(*value) : "-"; };
    std::string text = number(info.rankId) + ' ' + number(info.deviceId) + ' ' + (info.host.empty() ? "-" : info.host) +
                       ' ' + std::string(frameworkName(info.framework)) + ' ' +
                       std::string(sourceKindName(info.source)) + ' ' + info.path;
    for (const std::string& other : info.alternatives) text += " (" + other + ')';
    return text;
}

}  // namespace

/// Who the ranks of a path are.
class TestRepeatedRanks : public QObject {
    Q_OBJECT
private slots:
    void stamps_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("stamp");
        QTest::addRow("torch") << "a/node-1_42_20260101120000123_ascend_pt"
                               << "20260101120000123";
        QTest::addRow("mindspore of the middle age") << "rank-3_20240101120000_ascend_ms"
                                                     << "20240101120000";
        QTest::addRow("renamed") << "rank0_ascend_pt"
                                 << "";
        QTest::addRow("raw") << "PROF_000001_20260101120000123_ABC"
                             << "20260101120000123";
        QTest::addRow("a device of raw data") << "PROF_000001_20260101120000123_ABC/device_3"
                                              << "20260101120000123";
        QTest::addRow("no digits") << "h_1_2026010112000012x_ascend_pt"
                                   << "";
    }
    void stamps() {
        QFETCH(QString, name);
        QFETCH(QString, stamp);
        QCOMPARE(QString::fromStdString(reader::recordingStamp(name.toStdString())), stamp);
    }

    void ranks_data() {
        QTest::addColumn<QStringList>("files");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const std::vector<std::string>& files, const char* expected) {
            QStringList list;
            for (const std::string& file : files) list << QString::fromStdString(file);
            QTest::addRow("%s", name) << list << QString::fromUtf8(expected);
        };
        const std::string old = "h_1_20260101120000123_ascend_pt/", later = "h_1_20260101130000123_ascend_pt/",
                          newest = "h_1_20260101140000123_ascend_pt/";
        row("recorded three times",
            {old + "profiler_info_0.json={}", newest + "profiler_info_0.json={}", later + "profiler_info_0.json={}"},
            "0 - h torch text h_1_20260101140000123_ascend_pt (h_1_20260101120000123_ascend_pt) "
            "(h_1_20260101130000123_ascend_pt)\n"
            "info older_folder h_1_20260101120000123_ascend_pt x1\ninfo older_folder h_1_20260101130000123_ascend_pt "
            "x1\n");
        const std::string trace = "ASCEND_PROFILER_OUTPUT/trace_view.json=",
                          event = R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":"1.0","dur":1}])";
        const auto recorded = [&](const std::string& folder, const std::string& text) {
            return std::vector<std::string>{folder + "profiler_info_0.json={}", folder + trace + text};
        };
        const auto both = [](std::vector<std::string> files, const std::vector<std::string>& others) {
            files.insert(files.end(), others.begin(), others.end());
            return files;
        };
        const char* const olderIsShown = "0 - h torch text h_1_20260101120000123_ascend_pt "
                                         "(h_1_20260101130000123_ascend_pt)\n";
        const auto said = [&](const char* diagnostics) { return std::string(olderIsShown) + diagnostics; };
        row("newer one with data", both(recorded(old, event), recorded(later, event)),
            "0 - h torch text h_1_20260101130000123_ascend_pt (h_1_20260101120000123_ascend_pt)\n"
            "info older_folder h_1_20260101120000123_ascend_pt x1\n");
        row("newer one is empty", both(recorded(old, event), recorded(later, "[]")),
            said("repaired newer_folder.empty h_1_20260101130000123_ascend_pt x1\n").c_str());
        row("newer one without a file", both(recorded(old, event), {later + "profiler_info_0.json={}"}),
            said("repaired newer_folder.empty h_1_20260101130000123_ascend_pt x1\n").c_str());
        row("newer one was cut", both(recorded(old, event), recorded(later, event.substr(0, event.size() - 9))),
            said("repaired newer_folder.cut h_1_20260101130000123_ascend_pt x1\n").c_str());
        row("newer one is raw",
            both(recorded(old, event), {later + "profiler_info_0.json={}", later + "FRAMEWORK/torch.op_range=x",
                                        later + "PROF_000001_20260101130000123_ABC/host/info.json={}"}),
            said("repaired newer_folder.raw h_1_20260101130000123_ascend_pt x1\n"
                 "info raw.holds h_1_20260101130000123_ascend_pt x1\n"
                 "info raw_only h_1_20260101130000123_ascend_pt x1\n")
                .c_str());
        row("two runs in one folder",
            {"a/" + old + "profiler_info_0.json={}", "b/" + later + "profiler_info_0.json={}"},
            "0 - h torch text a/h_1_20260101120000123_ascend_pt\n0 - h torch text b/h_1_20260101130000123_ascend_pt\n"
            "info rank.same_id b/h_1_20260101130000123_ascend_pt x1\n");
        row("equal ids without times", {"x_ascend_pt/profiler_info_0.json={}", "y_ascend_pt/profiler_info_0.json={}"},
            "0 - - torch text x_ascend_pt\n0 - - torch text y_ascend_pt\ninfo rank.same_id y_ascend_pt x1\n");
        row("an id is missing", {"x_ascend_pt/profiler_info_0.json={}", "y_ascend_pt/profiler_info.json={}"},
            "- - - torch text y_ascend_pt\n0 - - torch text x_ascend_pt\ninfo rank.no_id y_ascend_pt x1\n");
        row("no id at all", {"x_ascend_pt/profiler_info.json={}", "y_ascend_pt/profiler_info.json={}"},
            "- - - torch text x_ascend_pt\n- - - torch text y_ascend_pt\n");
        row("sources disagree", {R"(x_ascend_pt/profiler_info_3.json={"rank_id":"5"})"},
            "3 - - torch text x_ascend_pt\ninfo rank.id_conflict x_ascend_pt/profiler_info_3.json x1\n");
        const std::string prof = "PROF_000001_20260101120000123_ABC/";
        row("raw data of one device",
            {prof + "host/info.json={\"hostname\":\"n\"}",
             prof + R"(device_4/info.json.4={"rank_id":"6","hostname":"n"})"},
            "6 4 n cann raw PROF_000001_20260101120000123_ABC\ninfo raw_only PROF_000001_20260101120000123_ABC x1\n");
        row("raw data of a rank that is not known", {prof + R"(device_4/info.json.4={"rank_id":-1,"hostname":"n"})"},
            "- 4 n cann raw PROF_000001_20260101120000123_ABC\ninfo raw_only PROF_000001_20260101120000123_ABC x1\n");
        row("raw data of several devices",
            {prof + R"(device_0/info.json.0={"rank_id":-1})", prof + R"(device_1/info.json.1={"rank_id":9})"},
            "- 0 - cann raw PROF_000001_20260101120000123_ABC/device_0\n9 1 - cann raw "
            "PROF_000001_20260101120000123_ABC/device_1\n"
            "info raw_only PROF_000001_20260101120000123_ABC x1\n");
        row("raw data of a framework", {"x_ascend_pt/" + prof + R"(device_4/info.json.4={"rank_id":6,"hostname":"n"})"},
            "6 4 n torch raw x_ascend_pt\ninfo raw_only x_ascend_pt x1\n");
        row("broken description of a device", {prof + "device_4/info.json.4={"},
            "- 4 - cann raw PROF_000001_20260101120000123_ABC\ninfo raw_only PROF_000001_20260101120000123_ABC x1\n"
            "lost metadata.broken PROF_000001_20260101120000123_ABC/device_4/info.json.4 x1 byte 1\n");
        row("MindSpore up to 2.3, one rank",
            {"run_1/profiler/aicore_intermediate_1_detail.csv=x",
             "run_1/profiler/minddata_pipeline_raw_1.csv=op_id\n0\n"},
            "1 - - mindspore text run_1/profiler\n");
        row("MindSpore up to 2.3, two ranks",
            {"p/minddata_pipeline_raw_0.csv=op_id\n0\n", "p/minddata_pipeline_raw_1.csv=op_id\n0\n"},
            "0 - - mindspore text p/minddata_pipeline_raw_0.csv\n1 - - mindspore text p/minddata_pipeline_raw_1.csv\n");
    }
    void ranks() {
        QFETCH(QStringList, files);
        QFETCH(QString, expected);
        const TestFolder folder;
        for (const QString& file : files) {
            const qsizetype equals = file.indexOf(u'=');
            folder.write(file.left(equals).toStdString(), file.mid(equals + 1).toStdString());
        }
        const auto manifest = reader::scanCapture(folder.path(), {}, {});
        QVERIFY2(manifest.ok(), manifest.failed() ? manifest.error().code.c_str() : "");
        std::string text;
        for (const reader::RankManifest& rank : manifest.value().ranks) text += identityText(rank.info) + '\n';
        QCOMPARE(QString::fromStdString(text + dumpDiagnostics(manifest.value().diagnostics)), expected);
    }

    void twoRanksAreCalledTheSame_data() {
        QTest::addColumn<QStringList>("paths");
        QTest::addColumn<QStringList>("places");
        const auto row = [](const char* name, const char* paths, const char* places) {
            QTest::newRow(name) << QString::fromUtf8(paths).split(u',') << QString::fromUtf8(places).split(u',');
        };
        // Each is the rank's number, if it has one, then its path and NPU.
        row("only one has the number", "0 a,1 b,2 a", ",,");
        row("two levels of one run", "0 level0/rank0,0 level1/rank0", "level0,level1");
        row("folders of different depth", "1 cluster/hccl_raw_1.csv,1 run_1/profiler",
            "cluster/hccl_raw_1.csv,run_1/profiler");
        row("what all lie in is not said", "0 runs/a/x_ascend_pt,0 runs/b/y_ascend_pt", "a/x_ascend_pt,b/y_ascend_pt");
        row("one lies in the other", "0 a,0 a/b", "a,b");
        row("without a number", "- small/expected,- flip/expected,- torch/input", "small/expected,flip/expected,");
        row("devices of two folders", "- p/device_0,- p/device_1,- q/device_0,- q/device_1",
            "p/device_0,p/device_1,q/device_0,q/device_1");
        row("one is the capture's own folder", "0 .,0 a", ",a");
        row("nothing distinguishes them", "0 a,0 a", "a,a");
        row("one folder, two NPUs", "0 a 3,0 a 4", "NPU 3,NPU 4");
        row("two of three in one folder", "0 a 3,0 a 4,0 b 3", "a · NPU 3,a · NPU 4,b");
    }
    void twoRanksAreCalledTheSame() {
        QFETCH(QStringList, paths);
        std::vector<reader::RankManifest> ranks(static_cast<std::size_t>(paths.size()));
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            const QStringList said = paths[static_cast<qsizetype>(i)].split(u' ');
            if (said[0] != u"-") ranks[i].info.rankId = said[0].toInt();
            ranks[i].info.path = said[1].toStdString();
            if (said.size() > 2) ranks[i].info.deviceId = said[2].toInt();
        }
        reader::nameRepeatedRanks(ranks, {});
        QStringList places;
        for (const auto& rank : ranks) places << QString::fromStdString(rank.info.place);
        QTEST(places, "places");
    }

    void realLegacy() {
        const auto path = sharedData("mindspore_legacy");
        if (!path) QSKIP(kNoSharedData);
        const auto manifest = reader::scanCapture(*path, {}, {});
        std::string text;
        QStringList places;
        for (const reader::RankManifest& rank : manifest.value().ranks) {
            text += identityText(rank.info) + '\n';
            places << QString::fromStdString(rank.info.place);
        }
        QCOMPARE(
            QString::fromStdString(text),
            QStringLiteral("- 0 - cann text profiler/PROF_000001_20230818142704322_COJGGGCANRMICFBC\n"
                           "0 - - mindspore text cluster/hccl_raw_0.csv\n1 - - mindspore text cluster/hccl_raw_1.csv\n"
                           "1 - - mindspore text run_1/profiler\n"));
        QCOMPARE(places.join(u'|'), QStringLiteral("||cluster/hccl_raw_1.csv|run_1/profiler"));
    }

    /// Steps that only tables name have no times.
    void stepsWithoutTimeline() {
        const auto path = sharedData("torch_cluster_level2/rank_1_ascend_pt");
        if (!path) QSKIP(kNoSharedData);
        const auto result = importForTest(*path);
        const auto& steps = result.value()->ranks[0].steps;
        QVERIFY(!steps.empty());
        QVERIFY(std::all_of(steps.begin(), steps.end(), [](const Step& step) { return !step.range; }));
        QCOMPARE(steps.front().number, std::int64_t{13});
    }
};

ALTI_TEST(TestRepeatedRanks)
#include "tst_repeated_ranks.moc"
