#include "core/import/import_capture.h"

#include "tests/core/import/db_fixture.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <string>

using namespace altiscope;
using namespace altiscope::test;

/// analysis.db beside a timeline: which of it and the JSON files is taken, and what is left where it is broken.
class TestAnalysisChoice : public QObject {
    Q_OBJECT

private slots:
    void choice_data();
    void choice();
    void brokenAnalysis_data();
    void brokenAnalysis();
};

void TestAnalysisChoice::choice_data() {
    QTest::addColumn<bool>("hasDatabase");
    QTest::addColumn<bool>("hasJson");
    QTest::addColumn<bool>("hasAnalysis");
    QTest::addColumn<QString>("op");    // "json" or "table", or none
    QTest::addColumn<QString>("told");  // the file that is not taken
    const auto row = [](const char* clause, bool database, bool json, bool analysis, const char* op,
                        const std::string& told) {
        QTest::addRow("%s", clause) << database << json << analysis << QString::fromUtf8(op) << shown(told);
    };
    row("text rank: JSON before the database", false, true, true, "json", kAnalysis);
    row("text rank: the database where JSON is missing", false, false, true, "table", "");
    row("db rank: the database before JSON", true, true, true, "table", kFolder + "communication.json");
    row("db rank: JSON where the database is missing", true, true, false, "json", "");
}

void TestAnalysisChoice::choice() {
    QFETCH(bool, hasDatabase);
    QFETCH(bool, hasJson);
    QFETCH(bool, hasAnalysis);
    QFETCH(QString, op);
    QFETCH(QString, told);
    const TestFolder folder;
    folder.write(kFolder + "trace_view.json", R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":"1.000","dur":1}])");
    // Of the same time as the timeline of the database, or it would be another recording.
    const char* const start = hasDatabase ? "2" : "1";
    if (hasDatabase) execute(folder.path() / kDatabase, kKernels);
    if (hasJson)
        folder.write(
            kFolder + "communication.json",
            R"json({"step1":{"p2p":{},"collective":{"json@7":{"Communication Time Info":{"Start Timestamp(us)":)json" +
                std::string(start) +
                R"json(,"Elapse Time(ms)":1,"Transit Time(ms)":1,"Wait Time(ms)":0,"Synchronization Time(ms)":0,"Idle Time(ms)":0},"Communication Bandwidth Info":{}}}}})json");
    if (hasAnalysis)
        execute(
            folder.path() / kAnalysis,
            std::string(kTimes) + "INSERT INTO CommAnalyzerTime VALUES ('table','7'," + start +
                ",1,'step1','collective');" + kBandwidths +
                "INSERT INTO CommAnalyzerBandwidth VALUES ('table','7','HCCS',0,0,0,0,0,0,0,'step1','collective');");
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(troubles(*result.value()), QString());
    const RowTables* rows = result.value()->ranks.at(0).rows.get();
    const RowTable* collectives = rows == nullptr ? nullptr : rows->find(RowKind::Collective);
    QVERIFY(collectives != nullptr);
    QCOMPARE(collectives->size(), std::size_t{1});
    QCOMPARE(shown(std::string(rows->text(*collectives->text(fixedColumn(RowKind::Collective, "op_name"), 0)))), op);
    QStringList files;
    for (const Diagnostic& one : result.value()->diagnostics.entries()) {
        if (one.code == "tables_not_taken") files << shown(one.file);
    }
    QCOMPARE(files.join(QLatin1Char(' ')), told);
}

void TestAnalysisChoice::brokenAnalysis_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("expected");
    QTest::addRow("empty") << QByteArray() << shown("lost db.empty " + kAnalysis + " x1\n");
    QTest::addRow("encrypted") << QByteArray(4096, '\x5a') << shown("lost db.not_a_database " + kAnalysis + " x1\n");
    QTest::addRow("cut in the header") << QByteArray("SQLite format 3\0\x10", 17)
                                       << shown("lost db.not_a_database " + kAnalysis + " x1\n");
}

void TestAnalysisChoice::brokenAnalysis() {
    QFETCH(QByteArray, content);
    QFETCH(QString, expected);
    const TestFolder folder;
    execute(folder.path() / kDatabase, kKernels);
    folder.write(kAnalysis, content.toStdString());
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(troubles(*result.value()), expected);
    QCOMPARE(result.value()->ranks.at(0).rows->find(RowKind::Kernel)->size(), std::size_t{3});  // the rest is there
}

ALTI_TEST(TestAnalysisChoice)
#include "tst_analysis_choice.moc"
