#include "core/capture/targets/preflight.h"

#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

using namespace altiscope;
using namespace altiscope::capture;
namespace fs = std::filesystem;

class TestPreflight : public QObject {
    Q_OBJECT
private slots:
    void logsAreLookedForWhereTheyAre_data();
    void logsAreLookedForWhereTheyAre();
    void aRelativeFolderOfResultsStaysBelowTheWorkingDirectory_data();
    void aRelativeFolderOfResultsStaysBelowTheWorkingDirectory();
};

namespace {

Preflight flightOf(const Needs& needs) {
    const auto shell = RemoteShell::open(*parseTarget("local"), {});
    if (!shell.ok()) return {};
    const auto flight = preflight(shell.value(), needs);
    return flight.ok() ? flight.value() : Preflight{};
}

}  // namespace

/// A job may know a configuration by a link, or the user alone may.
void TestPreflight::logsAreLookedForWhereTheyAre_data() {
    QTest::addColumn<bool>("besideLink");
    QTest::addColumn<bool>("besideFile");
    QTest::addColumn<QString>("expected");
    QTest::newRow("the job knows the link") << true << false << "link/log";
    QTest::newRow("the job knows the file") << false << true << "real/log";
    QTest::newRow("jobs of both") << true << true << "link/log";
    QTest::newRow("no job yet") << false << false << "link/log";
}

void TestPreflight::logsAreLookedForWhereTheyAre() {
    const QTemporaryDir folder;
    const fs::path base = fs::canonical(folder.path().toStdString());
    for (const char* name : {"link/log", "real/log"}) fs::create_directories(base / name);
    std::ofstream(base / "real/profiler_config.json") << "{}\n";
    fs::create_symlink("../real/profiler_config.json", base / "link/profiler_config.json");
    QFETCH(const bool, besideLink);
    QFETCH(const bool, besideFile);
    // Of a job on another host: whether that runs is not known.
    const char* log = "dp_otherhost_123_rank_0.log";
    if (besideLink) std::ofstream(base / "link/log" / log) << "x\n";
    if (besideFile) std::ofstream(base / "real/log" / log) << "x\n";
    Needs needs;
    needs.config = (base / "link/profiler_config.json").string();
    needs.isWatched = true;
    const Preflight flight = flightOf(needs);
    QFETCH(const QString, expected);
    QCOMPARE(flight.logs, (base / expected.toStdString()).string());
    QCOMPARE(flight.config, (base / "real/profiler_config.json").string());
    const auto watcher = std::find_if(flight.checks.begin(), flight.checks.end(),
                                      [](const Check& check) { return check.name == "watcher"; });
    QVERIFY(watcher != flight.checks.end());
    QCOMPARE(watcher->state == Check::State::Good, besideLink || besideFile);
}

void TestPreflight::aRelativeFolderOfResultsStaysBelowTheWorkingDirectory_data() {
    QTest::addColumn<QString>("results");
    QTest::addColumn<QString>("expected");
    QTest::newRow("one name") << "prof"
                              << "/prof";
    QTest::newRow("a point") << "./prof"
                             << "/prof";
    QTest::newRow("two slashes") << ".//prof"
                                 << "/prof";
    QTest::newRow("points and slashes") << ".//.///./prof/x"
                                        << "/prof/x";
    QTest::newRow("the working directory") << ".//"
                                           << "";
    QTest::newRow("a hidden folder") << ".prof"
                                     << "/.prof";
}

void TestPreflight::aRelativeFolderOfResultsStaysBelowTheWorkingDirectory() {
    const QTemporaryDir folder;
    const std::string base = fs::canonical(folder.path().toStdString()).string();
    QFETCH(const QString, results);
    QFETCH(const QString, expected);
    Needs needs;
    needs.workdir = base;
    needs.results = results.toStdString();
    QCOMPARE(flightOf(needs).results, base + expected.toStdString());
    needs.results = base + "/absolute";
    QCOMPARE(flightOf(needs).results, base + "/absolute");
}

ALTI_TEST(TestPreflight)
#include "tst_preflight.moc"
