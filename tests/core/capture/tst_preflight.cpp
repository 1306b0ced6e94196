#include "core/capture/targets/preflight.h"

#include "core/capture/methods/method.h"
#include "core/capture/session/capture_run.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
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
    void aMegabyteIsAMillionBytesInAllSentences();
    void spaceAndEstimateOfOneCheckHaveTheSameUnit();
};

namespace {

Preflight flightOf(const PreflightRequest& needs) {
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
    PreflightRequest needs;
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
    PreflightRequest needs;
    needs.workdir = base;
    needs.results = results.toStdString();
    QCOMPARE(flightOf(needs).results, base + expected.toStdString());
    needs.results = base + "/absolute";
    QCOMPARE(flightOf(needs).results, base + "/absolute");
}

void TestPreflight::aMegabyteIsAMillionBytesInAllSentences() {
    const auto both = [](std::uint64_t bytes) {
        return QString::fromStdString(megabytes(bytes, Rounded::Down) + " " + megabytes(bytes, Rounded::Up));
    };
    QCOMPARE(both(0), QStringLiteral("0 0"));
    QCOMPARE(both(999'999), QStringLiteral("0 1"));
    QCOMPARE(both(1'000'000), QStringLiteral("1 1"));
    QCOMPARE(both(std::uint64_t{1} << 20), QStringLiteral("1 2"));
    QCOMPARE(both(5'000'000'000), QStringLiteral("5000 5000"));
}

/// What a former capture has written, what this one will need, and what is free.
void TestPreflight::spaceAndEstimateOfOneCheckHaveTheSameUnit() {
    const QTemporaryDir folder;
    const fs::path base = fs::canonical(folder.path().toStdString());
    std::ofstream(base / "profiler_config.json") << "{}\n";
    const RecordStore store(base / "captures");
    StartRequest request;
    request.method = findMethod("torch-dynamic");
    request.file = (base / "profiler_config.json").string();
    request.workdir = request.results = base.string();
    request.targets = {*parseTarget("local")};
    CaptureRecord former;
    former.method = "torch-dynamic";
    former.assignments = {{"active", "1"}};
    former.state = State::Done;
    former.targets.emplace_back();
    former.targets[0].name = "local";
    former.targets[0].workdir = base.string();
    former.targets[0].config = request.file;
    former.targets[0].ranks.push_back({(base / "r").string(), 0, State::Done, {}, 1'500'000});
    QVERIFY(store.create(former).ok());
    request.assignments = {{"active", "2"}};
    CaptureRun run(store, {}, {});
    SettingProblems problems;
    const auto checks = run.check(request, problems);
    QVERIFY(checks.ok());
    QCOMPARE(checks.value().size(), std::size_t{1});
    const auto checkOf = [&checks](std::string_view name) {
        const auto& all = checks.value()[0].checks;
        const auto found = std::find_if(all.begin(), all.end(), [name](const Check& one) { return one.name == name; });
        return found == all.end() ? Check{} : *found;
    };
    const Check size = checkOf("size"), space = checkOf("space");
    const auto number = [&size](std::string_view name) {
        for (const auto& [key, value] : size.problem.parameters) {
            if (key == name) return value;
        }
        return std::string();
    };
    QCOMPARE(number("former"), std::string("2"));
    QCOMPARE(number("size"), std::string("3"));
    QCOMPARE(number("free") + " MB", space.detail);
    // Others write there meanwhile; between the two units that could be meant lie 5 percent.
    const double free = static_cast<double>(fs::space(base).available);
    QVERIFY2(std::abs(std::stod(number("free")) * 1e6 / free - 1) < 0.02, number("free").c_str());
}

ALTI_TEST(TestPreflight)
#include "tst_preflight.moc"
