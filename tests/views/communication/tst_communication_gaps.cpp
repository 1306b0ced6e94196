#include "tests/support/shared_data.h"
#include "tests/views/communication/communication_stage.h"
#include "views/common/tables/table_panel.h"
#include "views/communication/panels/settings_bar.h"
#include "views/communication/panels/time_view.h"

#include <QDir>
#include <QJsonObject>
#include <QProcess>
#include <QSignalSpy>

#include <sqlite3.h>

#include <algorithm>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

/// What the communication page says is missing, and why.
class TestCommunicationGaps : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_capture.made); }
    void computedRanksAreMarked();
    void clusterResultAlone();
    void nothingRecorded();
    void absentRanksAreNamed();
    void recordingsOfOneRankAreSaidToBeAddedUp();
    void halfOfTheRanksMissing();
    void groupsWithoutNames();
    void unequalCountsAreNamed();
    void noCommunicationAtAll();
    void oneRankAlone();
    void stepMissingInAFile();
    void stepMissingInADatabaseNamesTheDatabase();
    void stepOutsideTheMarkedTimeIsNotMissed();

private:
    SlowLinkCapture m_capture;
};

void TestCommunicationGaps::computedRanksAreMarked() {
    SlowLinkCapture capture;
    capture.remove(2, u"communication.json"_s);
    CommunicationFixture fixture(capture.path());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    QVERIFY2(fixture.page.gaps().contains(u"computed from the timeline"_s) &&
                 fixture.page.gaps().contains(u"of rank 2."_s),
             qPrintable(fixture.page.gaps()));
    const TableSource& table = *fixture.page.times().ranks().table().loader().source();
    const auto origin = static_cast<std::size_t>(RankColumn::Origin);
    QCOMPARE(table.text(origin, table.cell(origin, 2)), std::string_view("computed"));
    QCOMPARE(table.text(origin, table.cell(origin, 1)), std::string_view("recorded"));
}

void TestCommunicationGaps::clusterResultAlone() {
    QTemporaryDir folder;
    const std::vector<std::string> words{folder.filePath(u"capture"_s).toStdString(),
                                         "--format",
                                         "cluster",
                                         "--ranks",
                                         "4",
                                         "--steps",
                                         "2",
                                         "--layers",
                                         "2"};
    ProgressSlot progress;
    QVERIFY(generate::generateCapture(generate::parseGenerateOptions(words).value(), progress, {}).ok());
    CommunicationFixture fixture(folder.filePath(u"capture"_s));
    QCOMPARE(fixture.matrix().nodes().size(), std::size_t{4});
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    QCOMPARE(fixture.page.times().shown()->set->ranks.size(), std::size_t{4});
    QVERIFY2(fixture.page.gaps().contains(u"clocks of their own"_s), qPrintable(fixture.page.gaps()));
    fixture.page.times().collectives().table().setCurrent(0, 0);
    fixture.settle();
    QCOMPARE(fixture.page.times().peers().table().loader().rows()->count, std::size_t{2});
    QVERIFY(fixture.page.times().peers().statusText().contains(u"order"_s));
    QSignalSpy places(&fixture.page, &CommunicationPage::placeRequested);
    emit fixture.page.times().collectives().table().activated(0);
    fixture.settle();
    QCOMPARE(places.count(), 1);
}

void TestCommunicationGaps::nothingRecorded() {
    const QString folder = qEnvironmentVariable("ALTI_SHARED_DATA") + u"/torch_text/level0"_s;
    if (!QDir(folder).exists()) QSKIP(kNoSharedData);
    CommunicationFixture fixture(folder);
    // Times are there, computed; links are not, and the page says so.
    QVERIFY2(fixture.page.gaps().contains(u"communication_matrix.json"_s) || fixture.message().contains(u"Level1"_s),
             qPrintable(fixture.page.gaps() + fixture.message()));
}

void TestCommunicationGaps::absentRanksAreNamed() {
    SlowLinkCapture capture;
    QVERIFY(QDir(capture.rank(0)).removeRecursively());
    CommunicationFixture fixture(capture.path());
    QVERIFY2(fixture.page.gaps().contains(u"ranks 0 of 4"_s), qPrintable(fixture.page.gaps()));
    const auto& nodes = fixture.matrix().nodes();
    QVERIFY(std::any_of(nodes.begin(), nodes.end(), [](const LinkNode& node) { return node.rank == 0; }));
}

/// The matrix of two runs that were opened together was that of one, with sums of both.
void TestCommunicationGaps::recordingsOfOneRankAreSaidToBeAddedUp() {
    const SlowLinkCapture capture;
    CommunicationFixture one(capture.path());
    QVERIFY2(!one.page.gaps().contains(u"add them up"_s), qPrintable(one.page.gaps()));
    const std::int64_t once = one.matrix().toOthers(0).size;
    QTemporaryDir folder;
    for (const char* run : {"run_1", "run_2"}) {
        const QString path = folder.filePath(QString::fromLatin1(run));
        QVERIFY(QDir(folder.path()).mkpath(path));
        QCOMPARE(QProcess::execute(u"cp"_s, {u"-r"_s, capture.rank(0), path}), 0);
    }
    QCOMPARE(QProcess::execute(u"cp"_s, {u"-r"_s, capture.rank(1), folder.filePath(u"run_1"_s)}), 0);
    CommunicationFixture both(folder.path());
    QVERIFY2(both.page.gaps().contains(u"of the same ranks (0): the matrix and the links add them up."_s),
             qPrintable(both.page.gaps()));
    QCOMPARE(both.matrix().toOthers(0).size, 2 * once);
}

void TestCommunicationGaps::halfOfTheRanksMissing() {
    SlowLinkCapture capture;
    for (const int rank : {1, 3}) QVERIFY(QDir(capture.rank(rank)).removeRecursively());
    CommunicationFixture fixture(capture.path());
    QVERIFY2(fixture.page.gaps().contains(u"Not in this capture: ranks 1, 3 of 4"_s), qPrintable(fixture.page.gaps()));
    // What ranks 0 and 2 tell of links to them is there; of theirs nothing is.
    const auto& nodes = fixture.matrix().nodes();
    QCOMPARE(nodes.size(), std::size_t{4});
    for (std::size_t node = 0; node < nodes.size(); ++node)
        QCOMPARE(fixture.matrix().toOthers(node).links > 0, *nodes[node].rank % 2 == 0);
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    QCOMPARE(fixture.page.times().shown()->set->ranks.size(), std::size_t{2});
    QVERIFY(fixture.page.gaps().contains(u"ranks 1, 3 of 4"_s));
}

void TestCommunicationGaps::groupsWithoutNames() {
    SlowLinkCapture capture;
    for (int rank = 0; rank < 4; ++rank) QVERIFY(QFile::remove(capture.rank(rank) + u"/profiler_metadata.json"_s));
    {
        // Links to themselves tell which place is whose: the matrix is that of ranks, and nothing is missing.
        CommunicationFixture fixture(capture.path());
        QVERIFY2(!fixture.page.gaps().contains(u"were not recorded (parallel_group_info"_s),
                 qPrintable(fixture.page.gaps()));
        for (const LinkNode& node : fixture.matrix().nodes()) QVERIFY(node.rank.has_value());
        fixture.page.matrix().chooseLink(1, 3);
        fixture.settle();
        QVERIFY(fixture.page.matrix().canvas().chosen().has_value());
    }
    // Of a rank that is not there no link tells the place.
    QVERIFY(QDir(capture.rank(3)).removeRecursively());
    CommunicationFixture fixture(capture.path());
    QVERIFY2(fixture.page.gaps().contains(u"were not recorded (parallel_group_info"_s),
             qPrintable(fixture.page.gaps()));
}

void TestCommunicationGaps::unequalCountsAreNamed() {
    SlowLinkCapture capture;
    const QString path = capture.rank(2) + u"/ASCEND_PROFILER_OUTPUT/communication.json"_s;
    changeJson(path, [](QJsonObject& file) {
        const QString step = file.keys().front();
        QJsonObject kinds = file[step].toObject(), operators = kinds[u"collective"_s].toObject();
        operators.remove(operators.keys().back());
        kinds[u"collective"_s] = operators;
        file[step] = kinds;
    });
    CommunicationFixture fixture(capture.path());
    QVERIFY2(fixture.page.gaps().contains(u"different numbers of collectives"_s), qPrintable(fixture.page.gaps()));
    QVERIFY(fixture.page.shown()->unequal.front().minRank == 2);
}

void TestCommunicationGaps::noCommunicationAtAll() {
    SlowLinkCapture capture;
    for (int rank = 0; rank < 4; ++rank) {
        for (const QString& file : {u"communication.json"_s, u"communication_matrix.json"_s, u"trace_view.json"_s})
            capture.remove(rank, file);
    }
    CommunicationFixture fixture(capture.path());
    const QString message = fixture.message();
    QVERIFY2(message.startsWith(u"No communication data|"_s) && message.contains(u"ranks 0-3"_s) &&
                 message.contains(u"communication.json"_s) && message.contains(u"nor a timeline"_s),
             qPrintable(message));
}

void TestCommunicationGaps::oneRankAlone() {
    QTemporaryDir folder;
    const std::vector<std::string> words{
        folder.filePath(u"capture"_s).toStdString(), "--ranks", "1", "--steps", "2", "--layers", "2"};
    ProgressSlot progress;
    QVERIFY(generate::generateCapture(generate::parseGenerateOptions(words).value(), progress, {}).ok());
    CommunicationFixture alone(folder.filePath(u"capture"_s));
    QVERIFY2(alone.message().startsWith(u"No communication data|"_s) &&
                 alone.message().contains(u"more than one rank"_s),
             qPrintable(alone.message()));
    // One folder of a larger run: what it tells is shown, and who is not there.
    SlowLinkCapture capture;
    CommunicationFixture part(capture.rank(1));
    QVERIFY2(part.page.gaps().contains(u"Not in this capture: ranks 0, 3 of 3"_s), qPrintable(part.page.gaps()));
    QCOMPARE(part.matrix().nodes().size(), std::size_t{3});
    part.page.bar().setMode(SettingsBar::Mode::Time);
    part.settle();
    QCOMPARE(part.page.times().shown()->set->ranks.size(), std::size_t{1});
}

void TestCommunicationGaps::stepMissingInAFile() {
    SlowLinkCapture capture;
    QString step;
    for (const QString& name : {u"communication.json"_s, u"communication_matrix.json"_s}) {
        changeJson(capture.rank(1) + u"/ASCEND_PROFILER_OUTPUT/"_s + name, [&](QJsonObject& file) {
            step = file.keys().back();
            file.remove(step);
        });
    }
    CommunicationFixture fixture(capture.path());
    const QString number = step.mid(4);
    QVERIFY2(fixture.page.gaps().contains(
                 u"Not in communication.json (or analysis.db in its place): step %1 of rank"_s.arg(number)),
             qPrintable(fixture.page.gaps()));
    QVERIFY(fixture.page.gaps().contains(
        u"Not in communication_matrix.json (or analysis.db in its place): step %1 of rank"_s.arg(number)));
    // The other step is not concerned.
    ContextFilter context;
    for (const std::int64_t known : fixture.page.shown()->choices.steps) {
        if (known != number.toLongLong()) context.steps = {known};
    }
    fixture.selection.setContext(context);
    fixture.settle();
    QVERIFY(!fixture.page.gaps().contains(u"Not in communication"_s));
    // The whole capture lacks none.
    CommunicationFixture whole(m_capture.path());
    QVERIFY2(!whole.page.gaps().contains(u"Not in communication"_s), qPrintable(whole.page.gaps()));
}

void TestCommunicationGaps::stepMissingInADatabaseNamesTheDatabase() {
    QTemporaryDir folder;
    const QString path = folder.filePath(u"capture"_s);
    const std::vector<std::string> words{path.toStdString(), "--ranks", "2",        "--steps", "2",
                                         "--layers",         "2",       "--format", "db"};
    ProgressSlot progress;
    QVERIFY(generate::generateCapture(generate::parseGenerateOptions(words).value(), progress, {}).ok());
    sqlite3* database = nullptr;
    const QString file = path + u"/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/analysis.db"_s;
    QCOMPARE(sqlite3_open_v2(file.toUtf8().constData(), &database, SQLITE_OPEN_READWRITE, nullptr), SQLITE_OK);
    QCOMPARE(sqlite3_exec(database,
                          "DELETE FROM CommAnalyzerTime WHERE step = (SELECT max(step) FROM CommAnalyzerTime)", nullptr,
                          nullptr, nullptr),
             SQLITE_OK);
    QVERIFY(sqlite3_changes(database) > 0);
    sqlite3_close(database);
    CommunicationFixture fixture(path);
    QVERIFY2(fixture.page.gaps().contains(u"Not in analysis.db (or communication.json in its place): step "_s),
             qPrintable(fixture.page.gaps()));
    QVERIFY2(!fixture.page.gaps().contains(u"Not in communication.json"_s), qPrintable(fixture.page.gaps()));
}

void TestCommunicationGaps::stepOutsideTheMarkedTimeIsNotMissed() {
    SlowLinkCapture capture;
    std::int64_t number = 0;
    changeJson(capture.rank(1) + u"/ASCEND_PROFILER_OUTPUT/communication.json"_s, [&](QJsonObject& file) {
        const QString step = file.keys().back();
        number = step.mid(4).toLongLong();
        file.remove(step);
    });
    CommunicationFixture fixture(capture.path());
    QVERIFY(number != 0);
    QVERIFY2(fixture.page.gaps().contains(u"Not in communication.json"_s), qPrintable(fixture.page.gaps()));
    const auto store = fixture.session.capture(fixture.id)->store;
    int inside = 0, outside = 0;
    for (const Step& step : store->ranks[1].steps) {
        QVERIFY(step.range.has_value());
        const TimeNs middle = step.range->begin + DurationNs{step.range->length().value / 2};
        ContextFilter context;
        context.range = TimeRange{middle, middle + DurationNs{1000}};
        context.rangeCapture = fixture.id;
        fixture.selection.setContext(context);
        fixture.settle();
        ++(step.number == number ? inside : outside);
        QCOMPARE(fixture.page.gaps().contains(u"Not in communication.json"_s), step.number == number);
    }
    QVERIFY(inside == 1 && outside >= 1);
}

ALTI_TEST(TestCommunicationGaps)
#include "tst_communication_gaps.moc"
