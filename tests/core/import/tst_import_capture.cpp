#include "core/import/import_capture.h"

#include "core/base/text/catalogue.h"
#include "core/base/threads/parallel.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>

#include <unistd.h>

using namespace altiscope;
using namespace altiscope::test;
namespace fs = std::filesystem;

namespace {

const char* const kTrace = R"([{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2,"args":{ "a" : [1, "}{"] }}])";
const std::string kRow = "slice 1/2 d0 A [1000,+2000) @1\n";

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

/// Runs work without the rights of root, whom no permission stops.
template <class Work>
auto withoutRoot(const Work& work) {
    static constexpr uid_t kNobody = 65534;
    const bool isRoot = ::geteuid() == 0;
    if (isRoot && ::seteuid(kNobody) != 0) qFatal("cannot drop the rights of root");
    auto result = work();
    if (isRoot && ::seteuid(0) != 0) qFatal("cannot take them back");
    return result;
}

/// A trace of about `bytes` bytes.
std::string largeTrace(std::size_t bytes) {
    std::string json = "[";
    for (std::size_t i = 0; json.size() < bytes; ++i) {
        if (i > 0) json += ",\n";
        json += R"({"ph":"X","name":"op )" + std::to_string(i % 100) + R"(","cat":"cpu_op","pid":1,"tid":)" +
                std::to_string(i % 5) + R"(,"ts":")" + std::to_string(1000000 + i) +
                R"(.500","dur":0.75,"args":{"Sequence number":)" + std::to_string(i) + "}}";
    }
    return json + "]";
}

std::string stateOf(const RankInfo& info) {
    const auto number = [](const std::optional<std::int64_t>& id) {
        return id ? std::to_string(*id) : std::string("-");
    };
    return number(info.rankId) + ' ' + number(info.deviceId) + ' ' + (info.host.empty() ? "-" : info.host) + ' ' +
           std::string(frameworkName(info.framework)) + ' ' + std::string(sourceKindName(info.source)) + ' ' +
           std::string(rankStateName(info.state));
}

}  // namespace

class TestImportCapture : public QObject {
    Q_OBJECT

private slots:
    void nothingToShow_data();
    void nothingToShow();
    void noPermission();
    void links();
    void pathsInside_data();
    void pathsInside();
    void identity_data();
    void identity();
    void oneBrokenRank();
    void brokenMetadata();
    void rawOnly();
    void databaseOnly();
    void newestFolderOfARank();
    void reexportsAndSlices();
    void missingData();
    void updates();
    void cancelled();
    void cancelIsQuick();
    void fileShrinks();
    void errorsHaveSentences();
};

void TestImportCapture::nothingToShow_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("open");
    QTest::addColumn<QString>("code");
    const auto row = [](const char* clause, const char* file, const QByteArray& content, const char* open,
                        const char* code) {
        QTest::addRow("%s", clause) << QString::fromUtf8(file) << content << QString::fromUtf8(open)
                                    << QString::fromUtf8(code);
    };
    row("missing path", "", "", "nowhere", "capture.missing");
    row("missing below a file", "a.txt", "x", "a.txt/b", "capture.missing");
    row("empty folder", "", "", "", "capture.empty");
    row("folder without anything known", "notes/todo.txt", "x", "", "capture.nothing_found");
    row("folder with other JSON", "a.json", R"({"a":1})", "", "capture.nothing_found");
    row("single file, not JSON", "a.json", "hello", "a.json", "trace.not_json");
    row("single file, empty", "a.json", "", "a.json", "trace.empty");
    row("single file, JSON but no trace", "a.json", R"({"a":1})", "a.json", "trace.not_a_timeline");
    row("single database", "a.dat", QByteArray("SQLite format 3\0rest", 20), "a.dat", "db.not_a_database");
}

void TestImportCapture::nothingToShow() {
    QFETCH(QString, file);
    QFETCH(QByteArray, content);
    QFETCH(QString, open);
    QFETCH(QString, code);
    const TestFolder folder;
    if (!file.isEmpty())
        folder.write(file.toStdString(), std::string_view(content.data(), static_cast<std::size_t>(content.size())));
    const auto result = importForTest(open.isEmpty() ? folder.path() : folder.path() / open.toStdString());
    QVERIFY(result.failed());
    QCOMPARE(text(result.error().code), code);
    QVERIFY(!result.error().file.empty());
}

void TestImportCapture::noPermission() {
    const TestFolder folder;
    fs::permissions(folder.path(), fs::perms(0755));
    const fs::path file = folder.write("f.json", kTrace);
    folder.write("closed/f.json", kTrace);
    folder.write("both/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", kTrace);
    folder.write("both/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", kTrace);
    folder.write("both/secret/x.json", kTrace);
    folder.write("around/closed/f.json", kTrace);
    const fs::path closedTrace = folder.path() / "both/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json";
    const fs::path within = folder.path() / "around/closed";
    for (const fs::path& path : {file, folder.path() / "closed", closedTrace, folder.path() / "both/secret", within})
        fs::permissions(path, fs::perms::none);

    const auto code = [](const fs::path& path) {
        const auto result = withoutRoot([&] { return importForTest(path); });
        return text(result.failed() ? result.error().code : std::string("no error"));
    };
    QCOMPARE(code(file), QStringLiteral("capture.denied"));
    QCOMPARE(code(folder.path() / "closed"), QStringLiteral("capture.denied"));
    QCOMPARE(code(folder.path() / "closed/f.json"), QStringLiteral("capture.denied"));
    // The folder that cannot be looked at is all there is.
    QCOMPARE(code(folder.path() / "around"), QStringLiteral("capture.denied"));

    const auto both = withoutRoot([&] { return importForTest(folder.path() / "both"); });
    QVERIFY(both.ok());
    QCOMPARE(text(dumpImport(both)), text("state partial\n" + kRow +
                                          "lost file.denied rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json x1\n"
                                          "lost scan.denied secret x1\n"));
    QCOMPARE(both.value()->ranks.size(), std::size_t{2});
    for (const fs::path& path : {file, folder.path() / "closed", closedTrace, folder.path() / "both/secret", within})
        fs::permissions(path, fs::perms(0755));
}

void TestImportCapture::links() {
    const TestFolder folder;
    folder.write("capture/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", kTrace);
    fs::create_directory_symlink("..", folder.path() / "capture/rank0_ascend_pt/loop");
    fs::create_directory_symlink(folder.path(), folder.path() / "capture/outside");
    fs::create_symlink("itself", folder.path() / "capture/itself");
    const auto result = importForTest(folder.path() / "capture");
    QCOMPARE(text(dumpImport(result)), text("state ok\n" + kRow +
                                            "info scan.link_skipped itself x1\ninfo scan.link_skipped outside x1\n"
                                            "info scan.link_skipped rank0_ascend_pt/loop x1\n"));

    // A path that is a link itself was meant by whoever gave it.
    fs::create_directory_symlink("capture", folder.path() / "name");
    QVERIFY(importForTest(folder.path() / "name").ok());

    fs::create_directory(folder.path() / "links");
    fs::create_directory_symlink("../capture", folder.path() / "links/a");
    QCOMPARE(text(importForTest(folder.path() / "links").error().code), QStringLiteral("capture.only_links"));
    QCOMPARE(text(importForTest(folder.path() / "capture/itself").error().code), QStringLiteral("capture.missing"));
}

void TestImportCapture::pathsInside_data() {
    QTest::addColumn<QString>("open");
    QTest::addColumn<QString>("rankPath");
    const auto row = [](const char* clause, const char* open, const char* rankPath) {
        QTest::addRow("%s", clause) << QString::fromUtf8(open) << QString::fromUtf8(rankPath);
    };
    row("parent", "", "any_name");
    row("rank folder", "any_name", ".");
    row("rank folder with a slash", "any_name/", ".");
    row("output folder", "any_name/ASCEND_PROFILER_OUTPUT", ".");
    row("trace in it", "any_name/ASCEND_PROFILER_OUTPUT/trace_view.json", ".");
    row("another file in it", "any_name/ASCEND_PROFILER_OUTPUT/kernel_details.csv", ".");
}

void TestImportCapture::pathsInside() {
    QFETCH(QString, open);
    QFETCH(QString, rankPath);
    const TestFolder folder;
    folder.write("any_name/ASCEND_PROFILER_OUTPUT/trace_view.json", kTrace);
    folder.write("any_name/ASCEND_PROFILER_OUTPUT/kernel_details.csv",
                 "Step Id,Device_id,Name,Start Time(us),Duration(us)\n1,6,\"a,b\",1.5,2\n");
    folder.write("any_name/profiler_info_3.json", "{}");
    const auto result = importForTest(folder.path() / open.toStdString());
    QVERIFY(result.ok());
    QCOMPARE(result.value()->ranks.size(), std::size_t{1});
    const RankEntry& rank = result.value()->ranks[0];
    QCOMPARE(text(rank.info.path), rankPath);
    QCOMPARE(text(stateOf(rank.info)), QStringLiteral("3 6 - torch text ok"));
    QCOMPARE(text(dumpRows(*rank.trace)), text(kRow));
}

void TestImportCapture::identity_data() {
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* clause, const std::vector<std::string>& files, const char* expected) {
        QStringList list;
        for (const std::string& file : files) list << text(file);
        QTest::addRow("%s", clause) << list << QString::fromUtf8(expected);
    };
    const std::string trace = std::string("/ASCEND_PROFILER_OUTPUT/trace_view.json=") + kTrace;
    const auto labelled = [](const std::string& labels, const std::string& pid) {
        return R"(/ASCEND_PROFILER_OUTPUT/trace_view.json=[{"ph":"M","name":"process_labels","pid":)" + pid +
               R"(,"args":{"labels":")" + labels + R"("}},{"ph":"X","name":"A","pid":)" + pid +
               R"(,"tid":2,"ts":1,"dur":2}])";
    };
    const std::string full = "node-7.local_4242_20260101120000123_ascend_pt";

    row("rank from the name of profiler_info",
        {"x_ascend_pt" + trace, R"(x_ascend_pt/profiler_info_12.json={"rank_id":5})"}, "12 - - torch text ok");
    row("rank from rank_id, a number", {"x_ascend_pt" + trace, R"(x_ascend_pt/profiler_info.json={"rank_id":5})"},
        "5 - - torch text ok");
    row("rank from rank_id, a text", {"x_ascend_pt" + trace, R"(x_ascend_pt/profiler_info.json={"rank_id":"5"})"},
        "5 - - torch text ok");
    row("rank -1 is none", {"x_ascend_pt" + trace, R"(x_ascend_pt/profiler_info.json={"rank_id":-1})"},
        "- - - torch text ok");
    row("rank from the job's layout",
        {"x_ascend_pt" + trace, R"(x_ascend_pt/profiler_metadata.json={"distributed_args":{"rank":4,"world_size":8}})"},
        "4 - - torch text ok");
    row("rank from the folder", {"rank6_ascend_pt" + trace}, "6 - - torch text ok");
    row("rank from the folder above", {"rank_2/x_ascend_ms" + trace}, "2 - - mindspore text ok");
    row("rank from a folder of the middle age", {"rank-3_20240101120000_ascend_ms" + trace}, "3 - - mindspore text ok");
    row("host from the folder", {full + trace}, "- - node-7.local torch text ok");
    row("host from the raw data",
        {full + trace, full + R"(/PROF_000001_20260101120000123_ABC/host/info.json={"hostname":"node7"})"},
        "- - node7 torch text ok");
    row("device from labels", {"x_ascend_pt" + labelled("NPU 5", "99")}, "- 5 - torch text ok");
    row("device from the process id", {"x_ascend_pt" + labelled("NPU", "3254508961")}, "- 1 - torch text ok");
    row("the host's label is no device", {"x_ascend_pt" + labelled("CPU", "3254508961")}, "- - - torch text ok");
    row("device from a CSV",
        {"x_ascend_pt" + labelled("NPU 5", "99"),
         "x_ascend_pt/ASCEND_PROFILER_OUTPUT/memory_record.csv=Component,Timestamp(us),Total Reserved(MB),Device "
         "Type\nPTA,1.5,1,NPU:3\n"},
        "- 3 - torch text ok");
    row("plain CANN folder",
        {"PROF_000001_20260101120000123_ABC/mindstudio_profiler_output/msprof_20260101120000.json=" +
             std::string(kTrace),
         "PROF_000001_20260101120000123_ABC/device_4/x=1"},
        "- 4 - cann text ok");
    row("folder that holds a CANN timeline", {"out/msprof_20260101120000.json=" + std::string(kTrace)},
        "- - - cann text ok");
    row("old MindSpore", {"profiler/timeline_display_3.json=" + std::string(kTrace)}, "3 - - mindspore text ok");
    row("any other trace", {"my trace.json=" + std::string(kTrace)}, "- - - chrome text ok");
}

void TestImportCapture::identity() {
    QFETCH(QStringList, files);
    QFETCH(QString, expected);
    const TestFolder folder;
    for (const QString& file : files) {
        const qsizetype equals = file.indexOf(u'=');
        folder.write(file.left(equals).toStdString(), file.mid(equals + 1).toStdString());
    }
    const auto result = importForTest(folder.path());
    QVERIFY2(result.ok(), result.failed() ? result.error().code.c_str() : "");
    QCOMPARE(result.value()->ranks.size(), std::size_t{1});
    QCOMPARE(text(stateOf(result.value()->ranks[0].info)), expected);
}

void TestImportCapture::oneBrokenRank() {
    const TestFolder folder;
    folder.write("rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", "broken");
    const auto only = importForTest(folder.path());
    QVERIFY(only.ok());
    QCOMPARE(
        text(dumpImport(only)),
        QStringLiteral(
            "state failed\nlost trace.not_json rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json x1 byte 0\n"));

    folder.write("rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", kTrace);
    folder.write("rank2_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", "");
    const auto all = importForTest(folder.path());
    QCOMPARE(text(dumpImport(all)),
             text("state partial\n" + kRow +
                  "lost trace.not_json rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json x1 byte 0\n"
                  "lost trace.empty rank2_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json x1 byte 0\n"));
    QCOMPARE(all.value()->ranks[0].info.state, RankState::Ok);
    QCOMPARE(all.value()->ranks[1].info.state, RankState::Partial);
    QVERIFY(all.value()->ranks[1].trace == nullptr);
    QVERIFY(all.value()->sealed);
}

void TestImportCapture::brokenMetadata() {
    const TestFolder folder;
    folder.write("r_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", kTrace);
    folder.write("r_ascend_pt/profiler_info_1.json", R"({"rank_id": 1, "a": )");
    folder.write("r_ascend_pt/profiler_metadata.json",
                 R"({"a":{"b":[1,{"c":2.50}],"d":"x"},"e":null,"f":true,"g":18446744073709551615,"h":{}})");
    const auto result = importForTest(folder.path());
    QCOMPARE(text(dumpImport(result)),
             text("state partial\n" + kRow + "lost metadata.broken r_ascend_pt/profiler_info_1.json x1 byte 20\n"));
    const RankInfo& info = result.value()->ranks[0].info;
    QCOMPARE(info.rankId, std::optional<std::int64_t>(1));  // its name is enough
    QString metadata;
    for (const auto& [key, value] : info.metadata) metadata += text(key + '=' + value + '\n');
    QCOMPARE(metadata, QStringLiteral("a.b=[1,{\"c\":2.5}]\na.d=x\ne=null\nf=true\ng=18446744073709551615\nh={}\n"));

    folder.write("r_ascend_pt/profiler_metadata.json", std::string(100000, '['));
    QVERIFY(dumpImport(importForTest(folder.path())).find("lost json.too_deep r_ascend_pt/profiler_metadata.json x1") !=
            std::string::npos);
}

void TestImportCapture::rawOnly() {
    const TestFolder folder;
    folder.write("a_ascend_pt/PROF_000001_20260101120000123_ABC/device_0/data/x", "1");
    folder.write("a_ascend_pt/FRAMEWORK/torch.op_range", "1");
    folder.write("PROF_000002_20260101120000123_ABC/host/data/x", "1");
    const auto result = importForTest(folder.path());
    QCOMPARE(text(dumpImport(result)),
             QStringLiteral("state partial\ninfo raw_only PROF_000002_20260101120000123_ABC x1\ninfo raw.holds "
                            "a_ascend_pt x1\ninfo raw_only a_ascend_pt x1\n"));
    for (const RankEntry& rank : result.value()->ranks) {
        QCOMPARE(rank.info.state, RankState::Raw);
        QCOMPARE(rank.info.source, SourceKind::Raw);
        QCOMPARE(text(rank.info.missing.at(0).what), QStringLiteral("timeline"));
        QCOMPARE(text(rank.info.missing.at(0).switchName), QStringLiteral("analyse"));
    }
}

void TestImportCapture::databaseOnly() {
    const TestFolder folder;
    folder.write("r_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_7.db", "SQLite format 3");
    const auto result = importForTest(folder.path());
    const std::string name = "r_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_7.db";
    QCOMPARE(text(dumpImport(result)), text("state failed\nlost db.not_a_database " + name + " x1\n"));
    QCOMPARE(text(stateOf(result.value()->ranks[0].info)), QStringLiteral("7 - - torch db partial"));

    folder.write("r_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", kTrace);
    const auto both = importForTest(folder.path());
    QCOMPARE(text(dumpImport(both)), text("state ok\n" + kRow + "info db.not_a_database " + name +
                                          " x1\ninfo source_not_taken " + name + " x1\n"));
    QCOMPARE(both.value()->ranks[0].info.alternatives, std::vector<std::string>{name});
}

void TestImportCapture::newestFolderOfARank() {
    const TestFolder folder;
    const std::string older = "h_1_20260101120000123_ascend_pt";
    const std::string newer = "h_1_20260101130000123_ascend_pt";
    for (const std::string& name : {older, newer}) {
        folder.write(name + "/ASCEND_PROFILER_OUTPUT/trace_view.json", kTrace);
        folder.write(name + "/profiler_info_0.json", "{}");
    }
    const auto result = importForTest(folder.path());
    QCOMPARE(text(dumpImport(result)), text("state ok\n" + kRow + "info older_folder " + older + " x1\n"));
    QCOMPARE(text(result.value()->ranks[0].info.path), text(newer));
    QCOMPARE(result.value()->ranks[0].info.alternatives, std::vector<std::string>{older});
}

void TestImportCapture::reexportsAndSlices() {
    const auto event = [](const char* name) {
        return std::string(R"([{"ph":"X","name":")") + name + R"(","pid":1,"tid":2,"ts":1,"dur":2}])";
    };
    const TestFolder folder;
    const std::string out = "PROF_000001_20260101120000123_ABC/mindstudio_profiler_output/";
    folder.write(out + "msprof_slice_0_20260101120000.json", event("old"));
    folder.write(out + "msprof_slice_1_20260202120000.json", event("new 1"));
    folder.write(out + "msprof_slice_0_20260202120000.json", event("new 0"));
    folder.write(out + "msprof_tx_20260202120000.json", event("subset"));
    folder.write("b/device_0/timeline/msprof_0_2_1.json", event("iteration 1"));
    folder.write("b/device_0/timeline/msprof_0_2_2.json", event("iteration 2"));
    const auto result = importForTest(folder.path());
    QCOMPARE(text(dumpImport(result)),
             QStringLiteral("state ok\nslice 1/2 d0 new 0 [1000,+2000) @1\nslice 1/2 d1 new 1 [1000,+2000) @1\n"
                            "slice 1/2 d0 iteration 1 [1000,+2000) @1\nslice 1/2 d1 iteration 2 [1000,+2000) @1\n"));
}

void TestImportCapture::missingData() {
    const TestFolder folder;
    folder.write("r_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", kTrace);
    folder.write("r_ascend_pt/ASCEND_PROFILER_OUTPUT/op_statistic.csv", "x");
    folder.write("r_ascend_pt/ASCEND_PROFILER_OUTPUT/l2_cache.csv", "x");
    folder.write("r_ascend_pt/profiler_info_0.json",
                 R"({"config":{"common_config":{"activities":["ProfilerActivity.CPU"],"record_shapes":true,
        "profile_memory":false,"with_stack":false,"with_modules":true},"experimental_config":{"_profiler_level":"Level0",
        "_aic_metrics":"ACL_AICORE_NONE","_l2_cache":true,"_msprof_tx":false,"_mstx":true,"_gc_detect_threshold":null,"_sys_io":false,"_host_sys":["cpu"]}}})");
    const auto result = importForTest(folder.path());
    const RankInfo& info = result.value()->ranks[0].info;
    QString present, missing;
    for (const std::string& what : info.present) present += text(what + ' ');
    for (const MissingData& one : info.missing) missing += text(one.what + ':' + one.switchName + ' ');
    QCOMPARE(present, QStringLiteral("host_system l2_cache modules mstx op_stats shapes timeline "));
    QCOMPARE(missing,
             QStringLiteral("kernels:activities steps:activities api_stats:profiler_level communication:profiler_level "
                            "memory:profile_memory "
                            "io:sys_io stacks:with_stack ai_core_metrics:aic_metrics gc:gc_detect_threshold "));
    for (const MissingData& one : info.missing)
        QVERIFY(catalogueText("missing." + one.what, "en") != "missing." + one.what);
}

void TestImportCapture::updates() {
    const TestFolder folder;
    folder.write("rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", largeTrace(3000000));
    folder.write("rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", kTrace);
    WorkerArena arena(2);
    ProgressSlot progress;
    std::atomic<int> inside{0};
    std::vector<std::shared_ptr<const CaptureStore>> states;
    reader::ImportOptions options;
    options.chunkBytes = 100000;
    options.onUpdate = [&](std::shared_ptr<const CaptureStore> state) {
        QCOMPARE(inside.fetch_add(1), 0);
        states.push_back(std::move(state));
        inside.fetch_sub(1);
    };
    ImportResult result = Cancelled{};
    arena.run([&] { result = reader::importCapture(folder.path(), options, progress, {}); });
    QVERIFY(result.ok());

    QCOMPARE(states.front()->state, CaptureStore::State::Loading);
    QCOMPARE(states.front()->ranks.size(), std::size_t{2});
    QVERIFY(!states.front()->ranks[0].trace && !states.front()->sealed);
    std::size_t pictures = 0;
    std::size_t lastSlices = 0;
    for (const auto& state : states) {
        const auto& trace = state->ranks[0].trace;
        if (!trace) continue;
        QVERIFY(trace->sliceCount() >= lastSlices);
        lastSlices = trace->sliceCount();
        if (trace->provisional()) ++pictures;
    }
    // 0.1 MB, then four times as much each: 0.4, 1.6 (some chunks may come at once).
    QVERIFY2(pictures >= 2 && pictures <= 6, std::to_string(pictures).c_str());
    QVERIFY(!result.value()->ranks[0].trace->provisional());
    QVERIFY(result.value()->sealed);
    QCOMPARE(progress.sample().done, progress.sample().total);
    QCOMPARE(progress.sample().phase, ProgressPhase::Done);
}

void TestImportCapture::cancelled() {
    const TestFolder folder;
    const fs::path path = folder.write("t.json", largeTrace(2000000));
    for (int moment = 0; moment < 3; ++moment) {
        WorkerArena arena(2);
        ProgressSlot progress;
        const CancelToken cancel;
        reader::ImportOptions options;
        options.chunkBytes = 100000;
        int calls = 0;
        options.onUpdate = [&](const std::shared_ptr<const CaptureStore>&) {
            if (++calls == moment) cancel.requestCancel();
        };
        if (moment == 0) cancel.requestCancel();
        ImportResult result = Error{};
        arena.run([&] { result = reader::importCapture(path, options, progress, cancel); });
        QVERIFY2(result.cancelled(), std::to_string(moment).c_str());
    }
}

/// From the request to the return of the import: 100 ms at most, at any moment.
void TestImportCapture::cancelIsQuick() {
    const TestFolder folder;
    const fs::path path = folder.write("t.json", largeTrace(std::size_t{30} << 20));
    std::mt19937 random(7);
    double slowest = 0;
    for (int round = 0; round < 20; ++round) {
        WorkerArena arena(2);
        ProgressSlot progress;
        const CancelToken cancel;
        std::chrono::steady_clock::time_point requested;
        std::thread asker([&, wait = std::chrono::microseconds(random() % 120000)] {
            std::this_thread::sleep_for(wait);
            requested = std::chrono::steady_clock::now();
            cancel.requestCancel();
        });
        arena.run([&] { static_cast<void>(reader::importCapture(path, {}, progress, cancel)); });
        const auto stopped = std::chrono::steady_clock::now();
        asker.join();
        slowest = std::max(slowest, std::chrono::duration<double>(stopped - requested).count());
    }
    // Sanitizers and other programs on the machine slow everything down; the bench asks for the exact bound.
    QVERIFY2(slowest < 3.0, std::to_string(slowest).c_str());
    qInfo("slowest stop: %.0f ms", slowest * 1000);
}

void TestImportCapture::fileShrinks() {
    const TestFolder folder;
    const fs::path path = folder.write("t.json", largeTrace(5000000));
    WorkerArena arena(2);
    ProgressSlot progress;
    reader::ImportOptions options;
    options.chunkBytes = 100000;
    int calls = 0;
    options.onUpdate = [&](const std::shared_ptr<const CaptureStore>&) {
        // After the first picture.
        if (++calls == 2) fs::resize_file(path, 1000000);
    };
    ImportResult result = Cancelled{};
    arena.run([&] { result = reader::importCapture(path, options, progress, {}); });
    QVERIFY(result.ok());
    QCOMPARE(result.value()->state, CaptureStore::State::Partial);
    QVERIFY(result.value()->ranks[0].trace->sliceCount() > 0);
}

void TestImportCapture::errorsHaveSentences() {
    const TestFolder folder;
    const auto result = importForTest(folder.path());
    for (const char* language : {"en", "zh_CN"}) {
        const std::string sentence = errorText(result.error(), language);
        QVERIFY(sentence.find(folder.path().string()) != std::string::npos);
        QVERIFY(sentence.find('{') == std::string::npos);
    }
}

ALTI_TEST(TestImportCapture)
#include "tst_import_capture.moc"
