#include "views/report/output/report_source.h"

#include "core/query/results/row_function.h"
#include "core/report/document/html_text.h"
#include "core/report/document/make_report.h"
#include "tests/views/report/report_stage.h"

#include <algorithm>
#include <cmath>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

/// All rows of a statement, their cells apart by "|".
QStringList rowsOf(const QueryDatabase& database, const std::string& sql) {
    QStringList rows;
    RowFunction sink([&rows](std::span<const Value> row) {
        QStringList cells;
        for (const Value& value : row) {
            cells << (value.type == ValueType::Integer ? QString::number(value.integer)
                      : value.type == ValueType::Real  ? QString::fromStdString(exactText(ReportValue(value.real)))
                      : value.type == ValueType::Null
                          ? QString()
                          : QString::fromUtf8(value.bytes.data(), static_cast<qsizetype>(value.bytes.size())));
        }
        rows << cells.join(u'|');
        return true;
    });
    const auto done = database.run(sql, sink, {});
    if (!done.ok()) return {u"failed: "_s + QString::fromStdString(sql)};
    return rows;
}

QStringList rowsOf(const ReportTable& table) {
    QStringList rows;
    for (const auto& row : table.rows) {
        QStringList cells;
        for (const ReportValue& value : row) cells << QString::fromStdString(exactText(value));
        rows << cells.join(u'|');
    }
    return rows;
}

const ReportTable* tableOf(const Report& report, std::string_view section, std::string_view column) {
    for (const ReportSection& candidate : report.sections)
        for (const ReportTable& table : candidate.tables)
            if (candidate.id == section && !table.columns.empty() && table.columns.front().name == column)
                return &table;
    return nullptr;
}

}  // namespace

/// Reports of a part of a capture: what they say is what SQL says of that part.
class TestReportSource : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void everyTableIsTheResultOfItsStatement_data();
    void everyTableIsTheResultOfItsStatement();
    void onlyTheChosenRanksAndSteps();
    void operatorsAndMemoryAreOfTheSteps();
    void withoutAScopeStatementsStay();
    void scopeInWords_data();
    void scopeInWords();
    void comparisonBeside();
    void findingsAreInTheLanguageOfTheReport();
    void cancelled();

private:
    Report made(const ReportScope& scope);

    GeneratedRun m_run{{"--ranks", "3", "--steps", "3", "--layers", "1"}};
    JobRunner m_jobs;
    Session m_session{m_jobs};
    ReportCapture m_capture;
};

void TestReportSource::initTestCase() {
    QVERIFY(m_run.isMade);
    const CaptureId id = openAndWait(m_session, m_run.path());
    QVERIFY(id != kNoCapture);
    m_capture = reportCapture(m_run.path(), m_session.capture(id)->store);
}

Report TestReportSource::made(const ReportScope& scope) {
    const auto made = makeWholeReport({m_capture, {}, scope, "en", "Altiscope"}, {});
    return made.ok() ? *made.value().report : Report();
}

void TestReportSource::everyTableIsTheResultOfItsStatement_data() {
    QTest::addColumn<ReportScope>("scope");
    const auto steps = rowsOf(*m_capture.database, "SELECT DISTINCT step FROM step_breakdown ORDER BY 1");
    QCOMPARE(steps.size(), 3);
    const std::int64_t second = steps[1].toLongLong();
    QTest::newRow("all") << ReportScope{};
    QTest::newRow("two ranks") << ReportScope{{0, 2}, {}};
    QTest::newRow("one step") << ReportScope{{}, {second}};
    QTest::newRow("one rank in one step") << ReportScope{{1}, {second}};
    QTest::newRow("nothing") << ReportScope{{77}, {}};
}

void TestReportSource::everyTableIsTheResultOfItsStatement() {
    QFETCH(ReportScope, scope);
    const Report report = made(scope);
    QCOMPARE(report.sections.size(), std::size_t{8});
    QCOMPARE(report.scope.empty(), scope.empty());
    for (const ReportSection& section : report.sections)
        for (const ReportTable& table : section.tables) QCOMPARE(rowsOf(table), rowsOf(*m_capture.database, table.sql));
}

/// SQL has their texts in English; numbers stay those of the statement.
void TestReportSource::findingsAreInTheLanguageOfTheReport() {
    const GeneratedRun slow{{"--ranks", "3", "--steps", "3", "--layers", "1", "--plant", "slow-rank=1:40"}};
    const CaptureId id = openAndWait(m_session, slow.path());
    QVERIFY(id != kNoCapture);
    const ReportCapture capture = reportCapture(slow.path(), m_session.capture(id)->store);
    const auto made = makeWholeReport({capture, {}, {}, "zh_CN", "Altiscope"}, {});
    QVERIFY(made.ok());
    const ReportTable* findings = tableOf(*made.value().report, "findings", "title");
    QVERIFY(findings != nullptr && !findings->rows.empty());
    const QStringList english = rowsOf(*capture.database, findings->sql), chinese = rowsOf(*findings);
    QCOMPARE(chinese.size(), english.size());
    for (qsizetype i = 0; i < chinese.size(); ++i) {
        const QStringList said = chinese[i].split(u'|'), plain = english[i].split(u'|');
        for (const qsizetype text : {0, 5}) {
            QVERIFY2(std::any_of(said[text].begin(), said[text].end(),
                                 [](QChar c) { return c.script() == QChar::Script_Han; }),
                     qPrintable(said[text]));
            QVERIFY(said[text] != plain[text]);
        }
        for (const qsizetype number : {1, 2, 3, 4}) QCOMPARE(said[number], plain[number]);
    }
    m_session.close(id);
}

void TestReportSource::onlyTheChosenRanksAndSteps() {
    const Report report = made({{0, 2}, {}});
    const ReportTable* ranks = tableOf(report, "steps", "rank_id");
    QVERIFY(ranks != nullptr);
    QCOMPARE(ranks->rows.size(), std::size_t{2});
    QCOMPARE(exactText(ranks->rows[0][0]) + exactText(ranks->rows[1][0]), std::string("02"));
    QCOMPARE(rowsOf(*tableOf(report, "facts", "ranks")).constFirst().section(u'|', 0, 0), u"2"_s);
    // The mean of all three ranks is another one.
    const auto mean = [](const Report& of) { return numberOf(tableOf(of, "steps", "steps_of_ranks")->rows[0][5]); };
    const auto expected =
        rowsOf(*m_capture.database, "SELECT avg(computing + not_overlapped + free) FROM step_breakdown WHERE origin = "
                                    "'computed' AND rank_id IN (0, 2)");
    QVERIFY(std::abs(mean(report) - expected.constFirst().toDouble()) < 0.5);
    QVERIFY(mean(report) != mean(made({})));
}

void TestReportSource::operatorsAndMemoryAreOfTheSteps() {
    const auto step = rowsOf(*m_capture.database, "SELECT max(step) FROM step_breakdown").constFirst();
    const Report report = made({{1}, {step.toLongLong()}});
    const auto kernels = rowsOf(*m_capture.database,
                                "SELECT type, accelerator_core, count(*), sum(dur) FROM kernel WHERE kind = 'compute' "
                                "AND rank_id = 1 AND step = " +
                                    step.toStdString() + " GROUP BY 1, 2 ORDER BY sum(dur) DESC, 1, 2 LIMIT 30");
    QVERIFY(kernels.size() > 2);
    const ReportTable* operators = tableOf(report, "operators", "name");
    QStringList found;
    for (const QString& row : rowsOf(*operators)) found << row.section(u'|', 0, 3);
    QCOMPARE(found, kernels);
    const auto peak =
        rowsOf(*m_capture.database,
               "SELECT max(m.allocated) FROM memory_sample m, step s WHERE m.rank_id = 1 AND s.rank_id = "
               "1 AND s.step = " +
                   step.toStdString() + " AND m.ts >= s.start_ts AND m.ts < s.end_ts AND m.component = 'PTA'");
    const ReportTable* memory = tableOf(report, "memory", "rank_id");
    QVERIFY(memory != nullptr && !memory->rows.empty());
    bool isThere = false;
    for (const QString& row : rowsOf(*memory)) {
        QCOMPARE(row.section(u'|', 0, 0), u"1"_s);
        isThere |= row.section(u'|', 1, 1) == u"PTA"_s && row.section(u'|', 2, 2) == peak.constFirst();
    }
    QVERIFY(isThere);
}

void TestReportSource::withoutAScopeStatementsStay() {
    QCOMPARE(scopedStatement("WITH b AS (SELECT * FROM rank) SELECT * FROM b", {}),
             std::string("WITH b AS (SELECT * FROM rank) SELECT * FROM b"));
    // Names that only begin like a table's are no tables.
    QCOMPARE(scopedStatement("SELECT * FROM ranking", {{1}, {}}), std::string("SELECT * FROM ranking"));
    QCOMPARE(scopedStatement("WITH b AS (SELECT * FROM rank) SELECT * FROM b", {{1, 4}, {}}),
             std::string("WITH rank AS (SELECT * FROM main.rank WHERE rank_id IN (1,4)), b AS (SELECT * FROM rank) "
                         "SELECT * FROM b"));
}

void TestReportSource::scopeInWords_data() {
    QTest::addColumn<ReportScope>("scope");
    QTest::addColumn<QString>("begins");
    QTest::newRow("all") << ReportScope{} << QString();
    QTest::newRow("neighbours joined") << ReportScope{{0, 1, 2, 5, 7, 8}, {}} << u"Ranks: 0-2, 5, 7, 8."_s;
    QTest::newRow("a step") << ReportScope{{}, {12}} << u"Steps: 12. "_s;
    QTest::newRow("both") << ReportScope{{3}, {1, 2}} << u"Ranks: 3. Steps: 1, 2. "_s;
}

void TestReportSource::scopeInWords() {
    QFETCH(ReportScope, scope);
    QFETCH(QString, begins);
    const QString text = QString::fromStdString(scopeText(scope, "en"));
    QVERIFY2(begins.isEmpty() ? text.isEmpty() : text.startsWith(begins), qPrintable(text));
}

void TestReportSource::comparisonBeside() {
    const auto same = makeWholeReport({m_capture, m_capture, {}, "en", "Altiscope"}, {});
    QVERIFY(same.ok() && same.value().comparison != nullptr && !same.value().problem);
    QCOMPARE(same.value().report->sections.size(), std::size_t{9});
    // A folder without any data is compared, too: what it did not record is said.
    const CaptureId id = openAndWait(m_session, goldenCapture(u"raw_only"_s));
    QVERIFY(id != kNoCapture);
    const ReportCapture empty = reportCapture(u"raw_only"_s, m_session.capture(id)->store);
    const auto other = makeWholeReport({m_capture, empty, {}, "en", "Altiscope"}, {});
    QVERIFY(other.ok() && other.value().comparison != nullptr && !other.value().problem);
    QCOMPARE(other.value().report->sections.size(), std::size_t{9});
}

void TestReportSource::cancelled() {
    CancelToken cancel;
    cancel.requestCancel();
    QVERIFY(makeWholeReport({m_capture, m_capture, {}, "en", "Altiscope"}, cancel).cancelled());
    QVERIFY(makeWholeReport({m_capture, {}, {}, "en", "Altiscope"}, cancel).cancelled());
}

ALTI_TEST(TestReportSource)
#include "tst_report_source.moc"
