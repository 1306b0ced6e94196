#include "core/base/threads/parallel.h"
#include "core/import/import_capture.h"
#include "core/store/cache/store_cache.h"
#include "tests/support/archive_builder.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

using namespace altiscope;
using namespace altiscope::test;

namespace fs = std::filesystem;

namespace {

const std::string kTrace = R"([{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2,"args":{"k":"v"}},
{"ph":"X","name":"B","pid":1,"tid":2,"ts":5,"dur":1}])";
constexpr const char* kOutput = "host_7_20260101120000000_ascend_pt/ASCEND_PROFILER_OUTPUT/";
constexpr const char* kSteps =
    "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
    "Communication(Not Overlapped and Exclude Receive),Preparing\n3,5,1.5,2,0,2,1,4.5,0,2,0\n";

/// The only rank of a run, whose timeline somebody has packed.
void writePacked(const TestFolder& folder, const std::string& name = "trace_view.json.gz",
                 const std::string& trace = kTrace) {
    folder.write(std::string(kOutput) + "step_trace_time.csv", kSteps);
    writeArchive(folder.path() / kOutput / name, ArchiveKind::Gz, {{"x", trace}});
}

/// The numbers of a collective.
constexpr const char* kCommunication = R"json({"step5":{"collective":{"hcom_allReduce__1_0_1@7":{
"Communication Time Info":{"Start Timestamp(us)":1.0,"Elapse Time(ms)":2.0,"Transit Time(ms)":1.0,"Wait Time(ms)":1.0,
"Synchronization Time(ms)":0.0,"Idle Time(ms)":0.0},"Communication Bandwidth Info":{}}}}})json";

std::string contentOf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

bool isSaidToBeMissing(const RankEntry& rank) {
    return std::any_of(rank.info.missing.begin(), rank.info.missing.end(),
                       [](const MissingData& one) { return one.what == "timeline"; });
}

std::string argumentsOf(const RankEntry& rank) {
    const auto arguments = rank.arguments->arguments(rank.trace->pos({0}));
    return arguments.ok() ? arguments.value() : arguments.error().code;
}

ImportResult importCached(const fs::path& path, const StoreCache& cache) {
    WorkerArena arena(2);
    reader::ImportOptions options;
    options.cache = &cache;
    ProgressSlot progress;
    ImportResult result = Cancelled{};
    arena.run([&] { result = reader::importCapture(path, options, progress, {}); });
    return result;
}

}  // namespace

class TestPackedTimelines : public QObject {
    Q_OBJECT

private slots:
    /// communication.json.gz beside a timeline was not read.
    void packedFilesOfCommunicationFillTheirTables() {
        for (const bool isPacked : {false, true}) {
            const TestFolder folder;
            folder.write(std::string(kOutput) + "trace_view.json", kTrace);
            if (isPacked)
                writeArchive(folder.path() / kOutput / "communication.json.gz", ArchiveKind::Gz,
                             {{"x", kCommunication}});
            else folder.write(std::string(kOutput) + "communication.json", kCommunication);
            const auto capture = importForTest(folder.path());
            QVERIFY(capture.ok());
            QCOMPARE(text(dumpDiagnostics(capture.value()->diagnostics)), QString());
            const RankEntry& rank = capture.value()->ranks.at(0);
            const RowTable* table = rank.rows ? rank.rows->find(RowKind::Collective) : nullptr;
            QVERIFY(table != nullptr);
            QCOMPARE(table->size(), std::size_t{1});
            QCOMPARE(table->integer(fixedColumn(RowKind::Collective, "elapsed"), 0),
                     std::optional<std::int64_t>(2'000'000));
        }
    }

    void packedTimelineIsCalledNotRecorded_data();
    void packedTimelineIsCalledNotRecorded();
    void packedTimelineInAnArchiveIsCalledNested();
    void packedTracesOfPyTorchBesideEachOther();
    void packedCopyIsNoSecondRecording();
    void cachedRankKeepsItsArguments();
    void cutPackedTimelineIsTold();
};

void TestPackedTimelines::packedTimelineIsCalledNotRecorded_data() {
    QTest::addColumn<QString>("name");
    QTest::addRow("torch_npu") << QStringLiteral("trace_view.json.gz");
    QTest::addRow("CANN") << QStringLiteral("msprof_20260101120000.json.gz");
}

void TestPackedTimelines::packedTimelineIsCalledNotRecorded() {
    QFETCH(QString, name);
    const TestFolder folder;
    writePacked(folder, name.toStdString());
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QVERIFY(result.value()->state == CaptureStore::State::Ok);
    QCOMPARE(result.value()->ranks.size(), std::size_t{1});
    const RankEntry& rank = result.value()->ranks[0];
    QVERIFY(rank.trace != nullptr && rank.rows != nullptr);
    QVERIFY(!isSaidToBeMissing(rank));
    QCOMPARE(text(dumpRows(*rank.trace)), text("slice 1/2 d0 A [1000,+2000) @1\nslice 1/2 d0 B [5000,+1000) @72\n"));
    QCOMPARE(text(argumentsOf(rank)), text(R"({"k":"v"})"));
}

void TestPackedTimelines::packedTimelineInAnArchiveIsCalledNested() {
    const TestFolder folder, packed;
    writePacked(folder);
    for (const auto& [name, kind] :
         {std::pair("run.zip", ArchiveKind::Zip), std::pair("run.tar.gz", ArchiveKind::TarGz)}) {
        writeArchive(packed.path() / name, kind, itemsOf(folder.path()));
        const auto result = importForTest(packed.path() / name);
        QVERIFY(result.ok());
        QCOMPARE(text(dumpDiagnostics(result.value()->diagnostics)), QString());
        const RankEntry& rank = result.value()->ranks.at(0);
        QVERIFY(rank.trace != nullptr);
        QCOMPARE(rank.trace->sliceCount(), std::uint64_t{2});
        QCOMPARE(text(argumentsOf(rank)), text(R"({"k":"v"})"));
    }
}

void TestPackedTimelines::packedTracesOfPyTorchBesideEachOther() {
    const TestFolder folder;
    for (const std::string rank : {"0", "1"}) {
        const std::string trace = R"({"distributedInfo":{"rank":)" + rank + R"(},"traceEvents":)" + kTrace + "}";
        writeArchive(folder.path() / ("host_4" + rank + ".pt.trace.json.gz"), ArchiveKind::Gz, {{"x", trace}});
    }
    writeArchive(folder.path() / "settings.json.gz", ArchiveKind::Gz, {{"x", R"({"a":1})"}});
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(result.value()->ranks.size(), std::size_t{2});
    for (std::size_t i = 0; i < 2; ++i) {
        const RankEntry& rank = result.value()->ranks[i];
        QVERIFY(rank.info.rankId == static_cast<std::int64_t>(i));
        QVERIFY(rank.trace != nullptr);
        QCOMPARE(rank.trace->sliceCount(), std::uint64_t{2});
    }
}

void TestPackedTimelines::packedCopyIsNoSecondRecording() {
    const TestFolder folder;
    writePacked(folder);
    folder.write(std::string(kOutput) + "trace_view.json", kTrace);
    folder.write("loose/t.json", kTrace);
    writeArchive(folder.path() / "loose/t.json.gz", ArchiveKind::Gz, {{"x", kTrace}});
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(result.value()->ranks.size(), std::size_t{2});
    for (const RankEntry& rank : result.value()->ranks) QCOMPARE(rank.trace->sliceCount(), std::uint64_t{2});
}

/// The trace comes from the cache then, its arguments from the file as it was unpacked.
void TestPackedTimelines::cachedRankKeepsItsArguments() {
    const TestFolder folder, place;
    writePacked(folder);
    const StoreCache cache(place.path() / "cache");
    for (int opening = 0; opening < 2; ++opening) {
        const auto result = importCached(folder.path(), cache);
        QVERIFY(result.ok());
        QCOMPARE(text(argumentsOf(result.value()->ranks.at(0))), text(R"({"k":"v"})"));
    }
    // One of the packed file, one of the rank.
    QCOMPARE(cache.entries().size(), std::size_t{2});
    // Another recording under the same name is another one.
    writePacked(folder, "trace_view.json.gz", R"([{"ph":"X","name":"C","pid":1,"tid":2,"ts":1,"dur":2}])");
    const auto result = importCached(folder.path(), cache);
    QVERIFY(result.ok());
    QCOMPARE(result.value()->ranks.at(0).trace->sliceCount(), std::uint64_t{1});
}

void TestPackedTimelines::cutPackedTimelineIsTold() {
    const TestFolder folder;
    writePacked(folder);
    const std::string name = std::string(kOutput) + "trace_view.json.gz";
    const std::string whole = contentOf(folder.path() / name);
    for (std::size_t size = 0; size < whole.size(); size += 7) {
        folder.write(name, std::string_view(whole).substr(0, size));
        const auto result = importForTest(folder.path());
        QVERIFY(result.ok());
        QVERIFY(result.value()->state == CaptureStore::State::Partial);
        QVERIFY(result.value()->ranks.at(0).info.state == RankState::Partial);
        const QString said = text(dumpDiagnostics(result.value()->diagnostics));
        QVERIFY2(said.contains(text("lost archive.truncated " + name)), qPrintable(said));
        QVERIFY(result.value()->ranks[0].rows != nullptr);
    }
}

ALTI_TEST(TestPackedTimelines)
#include "tst_packed_timelines.moc"
