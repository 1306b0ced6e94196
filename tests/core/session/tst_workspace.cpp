#include "core/session/workspace_file.h"
#include "core/session/workspace_places.h"
#include "core/session/workspace_recovery.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

/// On a clock that no double holds exactly.
constexpr std::int64_t kLate = 1'736'408'883'573'888'001;
const QString kHash = u"0123456789abcdef0123456789abcdef"_s;

Workspace example() {
    Workspace workspace;
    workspace.captures = {{u"/data/runs/a"_s, kHash.toStdString(), {{{{kLate}, {kLate + 5}}, u"peak"_s, u"why?"_s, 3}}},
                          {u"/data/b.zip"_s, {}, {}}};
    workspace.captures[1].names = {u"before"_s, {{"node/rank1_ascend_pt", "stage 1"}}, u"tp 8"_s};
    workspace.current = 1;
    workspace.page = u"timeline"_s;
    workspace.selectedIn = 0;
    workspace.slice = SliceId{kLate};
    workspace.range = TimeRange{{kLate - 1}, {kLate + 1}};
    workspace.ranks = {0, 7};
    workspace.steps = {-1, 50};
    workspace.shownRange = WorkspaceRange{1, {{-9}, {kLate}}};
    workspace.window = {{u"docks"_s, u"AAAA"_s}};
    workspace.pages = {{u"sql"_s, QJsonObject{{u"tabs"_s, QJsonArray{u"SELECT 1"_s}}}}};
    return workspace;
}

QByteArray withMembers(const QByteArray& members) { return "{\"schema\":1,\"captures\":[]" + members + "}"; }

void write(const QString& file, const QByteArray& text) {
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(text);
}

}  // namespace

class TestWorkspace : public QObject {
    Q_OBJECT
private slots:
    void comesBackToTheNanosecond();
    void pathsMoveWithTheFile();
    void theContractsShape();
    void damagedFiles_data();
    void damagedFiles();
    void limitsAreReported_data();
    void limitsAreReported();
    void whatMeansNothingIsLeftOut();
    void isNeverWrittenIntoAProfilersFolder();
    void movedDataIsFoundBesideTheFile();
    void movedDataIsFoundByItsIdentity();
    void oneAnswerPlacesAll_data();
    void oneAnswerPlacesAll();
    void whatRunsIsNotAbandoned();
};

void TestWorkspace::comesBackToTheNanosecond() {
    const Workspace before = example();
    const auto after = workspaceFromText(workspaceText(before, u"/notes/mine"_s), u"/notes/mine/w.altiscope"_s);
    QVERIFY(after.ok());
    QCOMPARE(after.value().slice->value, kLate);
    QVERIFY(after.value() == before);
}

void TestWorkspace::pathsMoveWithTheFile() {
    const QByteArray text = workspaceText(example(), u"/data/notes"_s);
    QVERIFY(!text.contains("\"/"));
    const auto elsewhere = workspaceFromText(text, u"/mnt/x/notes/w.altiscope"_s);
    QCOMPARE(elsewhere.value().captures[0].path, u"/mnt/x/runs/a"_s);
    QCOMPARE(elsewhere.value().captures[1].path, u"/mnt/x/b.zip"_s);
}

void TestWorkspace::theContractsShape() {
    const QJsonObject all = QJsonDocument::fromJson(workspaceText(example(), u"/data"_s)).object();
    QCOMPARE(all.value("schema"_L1).toInt(), 1);
    const QJsonObject first = all.value("captures"_L1).toArray().at(0).toObject();
    QCOMPARE(first.value("path"_L1).toString(), u"runs/a"_s);
    QCOMPARE(first.value("identity"_L1).toString(), kHash);
}

void TestWorkspace::damagedFiles_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("code");
    QTest::addRow("empty") << QByteArray() << u"workspace.damaged"_s;
    QTest::addRow("cut") << workspaceText(example(), u"/"_s).chopped(20) << u"workspace.damaged"_s;
    QTest::addRow("binary") << QByteArray("SQLite format 3\0\1\2", 18) << u"workspace.damaged"_s;
    QTest::addRow("deep nonsense") << QByteArray(200'000, '[') << u"workspace.damaged"_s;
    QTest::addRow("a list") << QByteArray("[]") << u"workspace.foreign"_s;
    QTest::addRow("a trace") << QByteArray("{\"traceEvents\":[]}") << u"workspace.foreign"_s;
    QTest::addRow("captures are no list") << QByteArray("{\"schema\":1,\"captures\":5}") << u"workspace.foreign"_s;
    QTest::addRow("a capture without a path")
        << QByteArray("{\"schema\":1,\"captures\":[{}]}") << u"workspace.foreign"_s;
    QTest::addRow("a capture is a number") << QByteArray("{\"schema\":1,\"captures\":[3]}") << u"workspace.foreign"_s;
    QTest::addRow("a path ends within") << QByteArray("{\"schema\":1,\"captures\":[{\"path\":\"a\\u0000b\"}]}")
                                        << u"workspace.foreign"_s;
    QTest::addRow("of a later program") << QByteArray("{\"schema\":2,\"captures\":[]}") << u"workspace.newer"_s;
}

void TestWorkspace::damagedFiles() {
    QFETCH(QByteArray, text);
    QFETCH(QString, code);
    const auto read = workspaceFromText(text, u"/x/w.altiscope"_s);
    QVERIFY(read.failed());
    QCOMPARE(QString::fromStdString(read.error().code), code);
    QCOMPARE(read.error().file, std::string("/x/w.altiscope"));
}

void TestWorkspace::limitsAreReported_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("what");
    QByteArray captures;
    for (qsizetype i = 0; i <= kMaxWorkspaceCaptures; ++i)
        captures += (i == 0 ? "" : ",") + QByteArray("{\"path\":\"a\"}");
    QTest::addRow("captures") << "{\"schema\":1,\"captures\":[" + captures + "]}" << u"captures"_s;
    QTest::addRow("path") << "{\"schema\":1,\"captures\":[{\"path\":\"" + QByteArray(kMaxWorkspacePath + 1, 'a') +
                                 "\"}]}"
                          << u"path"_s;
    QTest::addRow("depth") << withMembers(",\"pages\":" + QByteArray(100, '[') + QByteArray(100, ']')) << u"depth"_s;
    QTest::addRow("bytes") << withMembers(QByteArray(qsizetype{kMaxWorkspaceBytes}, ' ')) << u"bytes"_s;
}

void TestWorkspace::limitsAreReported() {
    QFETCH(QByteArray, text);
    QFETCH(QString, what);
    const auto read = workspaceFromText(text, u"/x/w.altiscope"_s);
    QVERIFY(read.failed());
    QCOMPARE(read.error().code, std::string("workspace.too_much"));
    QCOMPARE(QString::fromStdString(read.error().parameters.front().second), what);
}

void TestWorkspace::whatMeansNothingIsLeftOut() {
    const auto read = workspaceFromText("{\"schema\":1,\"captures\":[{\"path\":\"a\",\"identity\":\"../../"
                                        "etc\",\"marks\":[{\"begin\":9,\"end\":3},7]}],"
                                        "\"current\":12,\"page\":[],\"selection\":{\"capture\":4,\"slice\":1},"
                                        "\"context\":{\"ranks\":[3,\"x\",1,3],\"range\":{\"capture\":0,\"begin\":5,"
                                        "\"end\":1}},\"window\":3,\"later\":{}}",
                                        u"/x/w.altiscope"_s);
    QVERIFY(read.ok());
    const Workspace& workspace = read.value();
    QVERIFY(workspace.captures[0].identity.empty());
    QVERIFY(workspace.captures[0].marks.empty());
    QCOMPARE(workspace.current, std::size_t{0});
    QVERIFY(!workspace.selectedIn && !workspace.slice && !workspace.shownRange);
    QVERIFY((workspace.ranks == std::vector<std::int64_t>{1, 3}));
}

void TestWorkspace::isNeverWrittenIntoAProfilersFolder() {
    const QTemporaryDir folder;
    const QString rank = folder.filePath(u"host_1_2024_ascend_pt"_s);
    QVERIFY(QDir().mkpath(rank));
    const auto problem = writeWorkspace(example(), rank + u"/w.altiscope"_s);
    QVERIFY(problem);
    QCOMPARE(problem->code, std::string("export.inside_capture"));
    QVERIFY(QDir(rank).isEmpty());
    QVERIFY(!writeWorkspace(example(), folder.filePath(u"w.altiscope"_s)));
    QVERIFY(readWorkspace(folder.filePath(u"w.altiscope"_s)).ok());
}

void TestWorkspace::movedDataIsFoundBesideTheFile() {
    const QTemporaryDir folder;
    QVERIFY(QDir().mkpath(folder.filePath(u"a"_s)));
    const PlacedWorkspace placed = placeWorkspace(example(), folder.filePath(u"w.altiscope"_s), {});
    QCOMPARE(placed.workspace.captures[0].path, folder.filePath(u"a"_s));
    QVERIFY((placed.isThere == std::vector<bool>{true, false}));
    QVERIFY((placed.wasMoved == std::vector<bool>{true, false}));
}

void TestWorkspace::movedDataIsFoundByItsIdentity() {
    const QTemporaryDir folder;
    const QString now = folder.filePath(u"renamed"_s);
    QVERIFY(QDir().mkpath(now));
    const PlacedWorkspace placed =
        placeWorkspace(example(), folder.filePath(u"w.altiscope"_s), {{kHash.toStdString(), now}, {"", now}});
    QCOMPARE(placed.workspace.captures[0].path, now);
    // One without an identity is nobody's.
    QVERIFY(!placed.isThere[1]);
}

void TestWorkspace::oneAnswerPlacesAll_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("expected");
    QTest::addRow("moved with its neighbour") << u"/a/x/run2"_s << u"/a/x/run1"_s << u"/b/x/run1"_s << u"/b/x/run2"_s;
    QTest::addRow("other depth") << u"/a/x/y/run2"_s << u"/a/x/y/run1"_s << u"/run1"_s << u"/run2"_s;
    QTest::addRow("renamed") << u"/a/x/run2"_s << u"/a/x/run1"_s << u"/b/first"_s << u"/b/run2"_s;
    QTest::addRow("elsewhere") << u"/c/run2"_s << u"/a/x/run1"_s << u"/b/x/run1"_s << u"/c/run2"_s;
    QTest::addRow("a name that begins alike") << u"/a/xx/run2"_s << u"/a/x/run1"_s << u"/b/y/run1"_s << u"/a/xx/run2"_s;
}

void TestWorkspace::oneAnswerPlacesAll() {
    QFETCH(QString, path);
    QFETCH(QString, from);
    QFETCH(QString, to);
    QTEST(relocatedPath(path, from, to), "expected");
}

void TestWorkspace::whatRunsIsNotAbandoned() {
    const QTemporaryDir folder;
    const QString place = folder.filePath(u"recovery"_s);
    WorkspaceRecovery running(place);
    CancelToken cancelled;
    cancelled.requestCancel();
    running.keep(example(), cancelled);
    QVERIFY2(!QDir(place).exists(), "a window that is gone must not leave a file");
    running.keep(example(), {});
    QCOMPARE(QDir(place).entryList({u"*.altiscope"_s}).size(), 1);
    QVERIFY(WorkspaceRecovery(place).abandoned().isEmpty());
    // As a process that was killed leaves it.
    write(place + u"/999999999-1.altiscope"_s, workspaceText(example(), place));
    write(place + u"/999999999-1.altiscope.lock"_s,
          "999999999\naltiscope\n" + QSysInfo::machineHostName().toUtf8() + "\n");
    const QStringList left = WorkspaceRecovery(place).abandoned();
    QCOMPARE(left.size(), 1);
    QVERIFY(readWorkspace(left.front()).value() == example());
    WorkspaceRecovery::remove(left.front());
    running.forget();
    QVERIFY(QDir(place).isEmpty());
}

ALTI_TEST(TestWorkspace)
#include "tst_workspace.moc"
