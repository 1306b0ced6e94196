#include "core/import/files/folder_listing.h"

#include "core/import/files/file_names.h"
#include "core/import/mindspore/host_info_files.h"
#include "core/import/mindspore/legacy_mindspore.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <string>

using namespace altiscope;
using namespace altiscope::reader;
using namespace altiscope::test;

class TestFolderListing : public QObject {
    Q_OBJECT

private slots:
    void depthLimit();
    void entryLimit();
    void rawDataIsNotListed();
    void cancelled();
    void manyFilesOfNoRankBesideManyRanks();
    void hostInfosOfManyRanks();
    void folderKinds_data();
    void folderKinds();
    void fileContents_data();
    void fileContents();
};

void TestFolderListing::depthLimit() {
    const TestFolder folder;
    folder.write("a/b/c/file", "x");
    Diagnostics diagnostics;
    const auto listed = listFolders(folder.path(), {.depth = 2, .entries = 100}, diagnostics, {});
    QCOMPARE(listed.value().folders.size(), std::size_t{3});  // the root, a, a/b
    QCOMPARE(listed.value().folders.back().relative, std::string("a/b"));
    QCOMPARE(dumpDiagnostics(diagnostics), std::string("info scan.depth_limit a/b/c x1\n"));
}

void TestFolderListing::entryLimit() {
    const TestFolder folder;
    for (int i = 0; i < 30; ++i) folder.write("f" + std::to_string(i), "x");
    Diagnostics diagnostics;
    const auto listed = listFolders(folder.path(), {.depth = 2, .entries = 10}, diagnostics, {});
    QCOMPARE(listed.value().folders.front().files.size(), std::size_t{10});
    QCOMPARE(dumpDiagnostics(diagnostics), std::string("lost scan.entry_limit . x1\n"));
}

void TestFolderListing::rawDataIsNotListed() {
    const TestFolder folder;
    for (const char* file : {"host/data/a", "device_0/data/b", "FRAMEWORK/c", "sqlite/d", "data/kept"})
        folder.write(file, "x");
    Diagnostics diagnostics;
    const auto listed = listFolders(folder.path(), {}, diagnostics, {});
    for (const ListedFolder& one : listed.value().folders)
        QCOMPARE(one.files.size(), std::size_t{one.relative == "data" ? 1U : 0U});
    QVERIFY(diagnostics.empty());
}

void TestFolderListing::cancelled() {
    const TestFolder folder;
    Diagnostics diagnostics;
    const CancelToken cancel;
    cancel.requestCancel();
    QVERIFY(listFolders(folder.path(), {}, diagnostics, cancel).cancelled());
}

void TestFolderListing::manyFilesOfNoRankBesideManyRanks() {
    static constexpr std::size_t kRanks = 1000;
    ListedFolder folder{"/capture", "profiler", ".", {}, {}};
    const auto add = [&folder](const std::string& name) { folder.files.emplace_back(name, 1U); };
    for (std::size_t i = 0; i < 1000; ++i) add("op_summary_" + std::to_string(i) + ".csv");
    for (std::size_t i = 0; i < kRanks; ++i) add("step_trace_raw_" + std::to_string(i) + "_detail_time.csv");
    Diagnostics within;
    const auto read = legacyRanks(folder, within);
    QCOMPARE(read.size(), kRanks);
    QCOMPARE(read.back().folder.files.size(), std::size_t{1001});
    QVERIFY(within.empty());
    folder.files.insert(folder.files.begin(), ListedFile("op_summary_.csv", 1));
    Diagnostics above;
    const auto bounded = legacyRanks(folder, above);
    QCOMPARE(bounded.size(), kRanks);
    QCOMPARE(bounded.back().folder.files.size(), std::size_t{1});
    QCOMPARE(dumpDiagnostics(above), std::string("lost scan.shared_limit . x1001\n"));
}

/// Looking for each rank's file through all files takes minutes.
void TestFolderListing::hostInfosOfManyRanks() {
    static constexpr std::int64_t kRanks = 50'000;
    ListedFolder folder{"/capture/host_info", "host_info", "host_info", {}, {}};
    for (std::int64_t i = 0; i < kRanks; ++i) folder.files.emplace_back("host_info_" + std::to_string(i) + ".csv", 1U);
    folder.files.emplace_back("host_info_a_7.csv", 1U);
    std::sort(folder.files.begin(), folder.files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    const HostInfoFolder hostInfo(folder);
    const auto ranks = hostInfo.ranks();
    QCOMPARE(ranks.size(), static_cast<std::size_t>(kRanks));
    Diagnostics diagnostics;
    for (const std::int64_t number : ranks) {
        RankManifest rank;
        rank.info.rankId = number;
        addHostInfoTimeline(rank, hostInfo, diagnostics);
        addHostInfoTables(rank, hostInfo);
        const std::string name = "host_info/host_info_" + std::to_string(number) + ".csv";
        QCOMPARE(rank.traces.front().name, name);
        QCOMPARE(rank.tables.front().source.name, name);
    }
    QVERIFY(diagnostics.empty());
    QVERIFY(!hostInfo.numberOf({}).has_value());  // of many ranks none is meant
}

void TestFolderListing::folderKinds_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("kind");
    const auto row = [](const char* name, FolderKind kind) {
        QTest::addRow("%s", name) << QString::fromUtf8(name) << static_cast<int>(kind);
    };
    row("h_1_20260101120000123_ascend_pt", FolderKind::TorchRank);
    row("rank0_ascend_ms", FolderKind::MindSporeRank);
    row("PROF_000001_20260101000000000_ABCDEF", FolderKind::RawCann);
    row("PROF_000001_20260101000000000_", FolderKind::Other);
    row("PROF_x_1_A", FolderKind::Other);
    row("ASCEND_PROFILER_OUTPUT", FolderKind::FrameworkOutput);
    row("ascend_profiler_output", FolderKind::Other);
    row("mindstudio_profiler_output", FolderKind::CannOutput);
    row("my_cluster_analysis_output", FolderKind::ClusterOutput);
}

void TestFolderListing::folderKinds() {
    QFETCH(QString, name);
    QFETCH(int, kind);
    QCOMPARE(static_cast<int>(folderKind(name.toStdString())), kind);
}

void TestFolderListing::fileContents_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("content");
    const auto row = [](const char* name, const char* content) {
        QTest::addRow("%s", name) << QString::fromUtf8(name) << QString::fromUtf8(content);
    };
    row("trace_view.json", "timeline");
    row("msprof_20260101120000.json", "timeline");
    row("msprof_slice_12_20260101120000.json", "timeline");
    row("msprof_0_2_1.json", "timeline");
    row("msprof_tx_20260101120000.json", "");
    row("msprof_.json", "");
    row("timeline_display_0.json", "timeline");
    row("timeline_summary_0.json", "");
    row("kernel_details.csv", "kernels");
    row("op_summary_20260101120000.csv", "kernels");
    row("op_summary_slice_0_20260101120000.csv", "kernels");
    row("memory_record.csv", "memory");
    row("nic.csv", "io");
    row("nicely.csv", "");
    row("ascend_pytorch_profiler_3.db", "database");
    row("ascend_mindspore_profiler.db", "database");
    row("msprof_20260101120000.db", "database");
    row("analysis.db", "communication");
    row("communication.json", "communication");
    row("notes.txt", "");
}

void TestFolderListing::fileContents() {
    QFETCH(QString, name);
    QFETCH(QString, content);
    QCOMPARE(QString::fromUtf8(fileContent(name.toStdString())), content);
}

ALTI_TEST(TestFolderListing)
#include "tst_folder_listing.moc"
