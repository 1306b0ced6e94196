#include "core/capture/session/fetch.h"
#include "core/capture/session/record_store.h"

#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

using namespace altiscope;
using namespace altiscope::capture;
namespace fs = std::filesystem;

/// Where results lie there, and where they go here.
class TestResultPlaces : public QObject {
    Q_OBJECT
private slots:
    void thePlaceIsTheSameInAnotherTimeZone();
    void resultsOfAVersionBeforeAreNotCopiedAgain();
    void aConfigurationIsRememberedAsItWasNamed();
    void aFolderThatTheUserNamedMayBeALink();
    void whatLiesWhereResultsGoStays();
    void aSessionCannotPutWordsIntoAScript();
};

namespace {

CaptureRecord created(const RecordStore& store) {
    CaptureRecord record;
    record.method = "torch-dynamic";
    record.targets.resize(1);
    record.targets[0].name = "local";
    record.targets[0].config = "/real/profiler_config.json";
    record.targets[0].file = "link/profiler_config.json";
    return store.create(record).ok() ? record : CaptureRecord{};
}

void setZone(const QByteArray& zone) {
    if (zone.isNull()) qunsetenv("TZ");
    else qputenv("TZ", zone);
    ::tzset();
}

}  // namespace

void TestResultPlaces::thePlaceIsTheSameInAnotherTimeZone() {
    const QTemporaryDir folder;
    const RecordStore store(folder.path().toStdString());
    const QByteArray zone = qEnvironmentVariableIsSet("TZ") ? qgetenv("TZ") : QByteArray();
    setZone("UTC0");
    const CaptureRecord record = created(store);
    const fs::path place = store.resultsOf(record);
    setZone("XYZ-9");
    const auto again = store.load(record.id);
    const fs::path other = again.ok() ? store.resultsOf(again.value()) : fs::path();
    setZone(zone);
    QCOMPARE(other.string(), place.string());
    QVERIFY(place.filename().string().starts_with("torch-dynamic 20"));
}

void TestResultPlaces::resultsOfAVersionBeforeAreNotCopiedAgain() {
    const QTemporaryDir folder;
    const RecordStore store(folder.path().toStdString());
    const CaptureRecord record = created(store);
    QVERIFY(store.resultsOf(record) != store.folderOf(record.id) / "results");
    fs::create_directory(store.folderOf(record.id) / "results");
    QCOMPARE(store.resultsOf(record).string(), (store.folderOf(record.id) / "results").string());
}

void TestResultPlaces::aConfigurationIsRememberedAsItWasNamed() {
    const QTemporaryDir folder;
    const RecordStore store(folder.path().toStdString());
    const auto record = store.load(created(store).id);
    QVERIFY(record.ok());
    QCOMPARE(record.value().targets[0].file, std::string("link/profiler_config.json"));
    // One of a version before has the resolved one alone.
    std::string json = recordJson(record.value());
    const auto at = json.find("\"file\": \"link");
    QVERIFY(at != std::string::npos);
    json.replace(at, 6, "\"other\"");
    const auto older = recordOfJson(json);
    QVERIFY(older.ok());
    QCOMPARE(older.value().targets[0].file, std::string("/real/profiler_config.json"));
}

/// As features do, which lie in the named folder itself.
void TestResultPlaces::aFolderThatTheUserNamedMayBeALink() {
    const QTemporaryDir folder;
    const fs::path base = folder.path().toStdString();
    fs::create_directory(base / "disk");
    std::ofstream(base / "disk/data.jsonl") << "{}\n";
    fs::create_directory_symlink("disk", base / "features");
    const auto shell = RemoteShell::open(*parseTarget("local"), {});
    QVERIFY(shell.ok());
    QVERIFY(listFiles(shell.value(), (base / "features").string()).failed());
    const auto files = listFiles(shell.value(), (base / "features").string(), true);
    QVERIFY(files.ok());
    QCOMPARE(files.value().size(), std::size_t{1});
    for (const bool usesRsync : {true, false}) {
        const fs::path copied = base / (usesRsync ? "by rsync" : "by pieces");
        QVERIFY(fetchFiles(shell.value(), (base / "features").string(), files.value(), copied, {0, usesRsync}).ok());
        QCOMPARE(fs::file_size(copied / "data.jsonl"), std::uintmax_t{3});
    }
}

void TestResultPlaces::whatLiesWhereResultsGoStays() {
    const QTemporaryDir folder;
    const fs::path base = folder.path().toStdString();
    for (const char* name : {"there", "here"}) fs::create_directory(base / name);
    std::ofstream(base / "there/data.jsonl") << "of the host\n";
    std::ofstream(base / "here/data.jsonl") << "mine\n";
    std::ofstream(base / "file") << "mine\n";
    fs::create_symlink("nowhere", base / "link");
    const auto shell = RemoteShell::open(*parseTarget("local"), {});
    QVERIFY(shell.ok());
    const std::string source = (base / "there").string();
    const auto files = listFiles(shell.value(), source);
    QVERIFY(files.ok());
    for (const char* name : {"here", "file", "link"}) {
        for (const bool usesRsync : {true, false}) {
            const auto fetched = fetchFiles(shell.value(), source, files.value(), base / name, {0, usesRsync});
            QVERIFY2(fetched.failed(), name);
            QCOMPARE(fetched.error().code, std::string("capture.fetch.exists"));
        }
    }
    QCOMPARE(fs::file_size(base / "here/data.jsonl"), std::uintmax_t{5});
    QCOMPARE(fs::file_size(base / "file"), std::uintmax_t{5});
    QVERIFY(fs::is_symlink(fs::symlink_status(base / "link")));
    QVERIFY(!fs::exists(base / "nowhere"));
}

/// The time before which results are old stands in one that is run on the target.
void TestResultPlaces::aSessionCannotPutWordsIntoAScript() {
    CaptureRecord record;
    record.targets.resize(1);
    record.targets[0].horizon = "20261127163000000";
    QCOMPARE(recordOfJson(recordJson(record)).value().targets[0].horizon, record.targets[0].horizon);
    for (const char* horizon : {"1$/e touch hit;/x", "2026112716300000", "20261127163000000 "}) {
        record.targets[0].horizon = horizon;
        QVERIFY(recordOfJson(recordJson(record)).failed());
    }
}

ALTI_TEST(TestResultPlaces)
#include "tst_result_places.moc"
