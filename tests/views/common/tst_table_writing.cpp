#include "core/session/session.h"
#include "core/tables/sources/column_table.h"
#include "tests/support/test_main.h"
#include "tests/views/common/small_table.h"
#include "views/common/tables/data_table.h"

#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <limits>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

/// What leaves a table: the clipboard and files.
class TestTableWriting : public QObject {
    Q_OBJECT
private slots:
    void wordsAreForPeopleOnly();
    void copiesExactAndGuarded();
    void writesFiles();
    void emptyTextsAndAbsentCellsDifferInFiles();
    void copiesAndFilesTellRanksOfOneNumberApart();
    void nothingIsSavedIntoACapture();
};

void TestTableWriting::wordsAreForPeopleOnly() {
    JobRunner jobs;
    Session session(jobs);
    DataTable table(session);
    ColumnTableBuilder builder({{.name = "origin", .type = CellType::Text}});
    builder.addRow();
    builder.setText(0, "recorded");
    table.resize(500, 300);
    table.setSource(builder.finish(),
                    {{u"Origin"_s, {}, [](const QString& word) { return word == u"recorded"_s ? u"采集"_s : word; }}});
    settle(table);
    table.setCurrent(0, 0);
    QCOMPARE(table.accessibleDescription(), u"采集"_s);
    QCOMPARE(tableAsText(table.shownPart(), 10), u"origin\nrecorded\n"_s);
    const QTemporaryDir folder;
    ProgressSlot progress;
    QCOMPARE(writeTable(table.shownPart(), folder.filePath(u"t.csv"_s), progress, {}), QString());
    QFile file(folder.filePath(u"t.csv"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("origin\r\nrecorded\r\n"));
}

void TestTableWriting::copiesExactAndGuarded() {
    JobRunner jobs;
    Session session(jobs);
    DataTable table(session);
    table.setSource(smallTable(), headings());
    settle(table);
    table.setCurrent(0, 0);
    table.copy();
    QCOMPARE(QGuiApplication::clipboard()->text(), u"name\tdur\tshare\n'=SUM(A1)\t9\t0.5\n"_s);
    table.setColumnHidden(2, true);
    table.copy();
    QCOMPARE(QGuiApplication::clipboard()->text(), u"name\tdur\n'=SUM(A1)\t9\n"_s);
    for (const QString& text : {u"=1"_s, u"+1"_s, u"-1"_s, u"@a"_s}) QCOMPARE(guardedCell(text), u'\'' + text);
    QCOMPARE(guardedCell(u"a=1"_s), u"a=1"_s);
}

void TestTableWriting::writesFiles() {
    const QTemporaryDir folder;
    JobRunner jobs;
    Session session(jobs);
    DataTable table(session);
    table.setSource(smallTable(), headings());
    settle(table);
    ProgressSlot progress;
    const auto written = [&](const QString& name) {
        const QString path = folder.filePath(name);
        if (const QString problem = writeTable(table.shownPart(), path, progress, {}); !problem.isEmpty())
            return problem;
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : u"not there"_s;
    };
    QCOMPARE(written(u"t.csv"_s),
             u"name,dur,share\r\n'=SUM(A1),9,0.5\r\n\"a\t\"\"b\"\"\",10000,0.25\r\n\"c,d\",1,0\r\n"_s);
    QCOMPARE(written(u"t.json"_s), u"[\n{\"name\": \"=SUM(A1)\", \"dur\": 9, \"share\": 0.5},\n{\"name\": "
                                   u"\"a\\t\\\"b\\\"\", \"dur\": 10000, \"share\": 0.25},\n"
                                   "{\"name\": \"c,d\", \"dur\": 1, \"share\": 0}\n]\n"_s);
    QVERIFY(!writeTable(table.shownPart(), u"/nowhere/t.csv"_s, progress, {}).isEmpty());
}

/// As altiscope-cli writes them: an absent cell is an empty field, an empty text is "".
void TestTableWriting::emptyTextsAndAbsentCellsDifferInFiles() {
    const QTemporaryDir folder;
    JobRunner jobs;
    Session session(jobs);
    DataTable table(session);
    ColumnTableBuilder builder({{.name = "name", .type = CellType::Text}, {.name = "share", .type = CellType::Real}});
    builder.addRow();
    builder.setText(0, "");
    builder.setReal(1, std::numeric_limits<double>::infinity());
    builder.addRow();
    table.setSource(builder.finish(), {{u"Name"_s, {}}, {u"Share"_s, {}}});
    settle(table);
    const auto written = [&](const QString& name) {
        ProgressSlot progress;
        const QString problem = writeTable(table.shownPart(), folder.filePath(name), progress, {});
        QFile file(folder.filePath(name));
        return problem.isEmpty() && file.open(QIODevice::ReadOnly) ? file.readAll() : problem.toUtf8();
    };
    QCOMPARE(written(u"t.csv"_s), QByteArray("name,share\r\n\"\",1e999\r\n,\r\n"));
    QCOMPARE(written(u"t.json"_s),
             QByteArray("[\n{\"name\": \"\", \"share\": 1e999},\n{\"name\": null, \"share\": null}\n]\n"));
    table.setColumnHidden(1, true);
    QCOMPARE(written(u"t.csv"_s), QByteArray("name\r\n\"\"\r\n\"\"\r\n"));
}

/// Both recordings of rank 1 were "1" in files and on the clipboard.
void TestTableWriting::copiesAndFilesTellRanksOfOneNumberApart() {
    ColumnTableBuilder builder({{.name = "rank_id"}, {.name = "step"}});
    for (const char* place : {"run_1", "run_2", ""}) {
        RankInfo rank;
        rank.rankId = 1;
        rank.place = place;
        builder.addRow();
        builder.setRank(0, rank);
        builder.setInteger(1, 5);
    }
    JobRunner jobs;
    Session session(jobs);
    DataTable table(session);
    table.setSource(builder.finish(), {{u"Rank"_s, {}}, {u"Step"_s, {}}});
    table.show();
    settle(table);
    QCOMPARE(shown(table), u"1 · run_1\t5\n1 · run_2\t5\n1\t5\n"_s);
    const QTemporaryDir folder;
    ProgressSlot progress;
    const auto written = [&](const QString& name) {
        QFile file(folder.filePath(name));
        const QString problem = writeTable(table.shownPart(), file.fileName(), progress, {});
        return problem.isEmpty() && file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : problem;
    };
    QCOMPARE(written(u"t.csv"_s), u"rank_id,step\r\n1 · run_1,5\r\n1 · run_2,5\r\n1,5\r\n"_s);
    const QJsonArray rows = QJsonDocument::fromJson(written(u"t.json"_s).toUtf8()).array();
    // Numbers and texts under one key are more than readers take.
    for (const auto& row : rows) QCOMPARE(row[u"rank_id"_s].toInt(), 1);
    QCOMPARE(rows[1][u"rank"_s].toString(), u"1 · run_2"_s);
    QCOMPARE(rows[2][u"rank"_s].toString(), u"1"_s);
}

void TestTableWriting::nothingIsSavedIntoACapture() {
    const QTemporaryDir folder;
    const auto write = [&](const QString& name, const QByteArray& content) {
        QFile file(folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
    };
    QVERIFY(QDir(folder.path()).mkpath(u"run/sub"_s) &&
            QFile::link(folder.filePath(u"run"_s), folder.filePath(u"link"_s)));
    QVERIFY(write(u"run/trace_view.json"_s, R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}])"));
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = session.open(folder.filePath(u"run"_s));
    QTRY_COMPARE(session.capture(id)->job, std::uint64_t{0});
    DataTable table(session);
    table.setSource(smallTable(), headings());
    settle(table);
    QSignalSpy failed(&table, &DataTable::exportFailed);
    for (const char* name : {"run/t.csv", "run/sub/t.json", "link/t.csv", "run/trace_view.json", "run/../run/t.csv"}) {
        failed.clear();
        table.saveAs(folder.filePath(QString::fromLatin1(name)));
        QCOMPARE(failed.count(), 1);
        QVERIFY2(failed.front().front().toString().contains(u"evidence"_s),
                 qPrintable(failed.front().front().toString()));
    }
    QCOMPARE(QDir(folder.filePath(u"run"_s)).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
             (QStringList{u"sub"_s, u"trace_view.json"_s}));
    failed.clear();
    table.saveAs(folder.filePath(u"beside.csv"_s));
    QTRY_VERIFY(jobs.idle());
    QCOMPARE(failed.count(), 0);
    QVERIFY(QFile::exists(folder.filePath(u"beside.csv"_s)));
    // A path that turned out to be no capture is nobody's evidence.
    const CaptureId none = session.open(folder.filePath(u"nothing"_s));
    QTRY_COMPARE(session.capture(none)->job, std::uint64_t{0});
    QVERIFY(!session.refusedToWrite(folder.filePath(u"nothing/t.csv"_s)));
}

ALTI_TEST(TestTableWriting)
#include "tst_table_writing.moc"
