#include "core/session/sql_runner.h"

#include "core/session/session.h"
#include "tests/core/query/query_support.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

const char* const kEndless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
const char* const kSilent = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

struct Stage {
    JobRunner jobs;
    Session session{jobs};
    SqlRunner runner{session};

    Stage() { runner.setCapture(captureFromTexts({"p1/t1: A[0,100) B[10,40) C[20,30)"}), {}); }
    bool settle() {
        return QTest::qWaitFor([this] { return !runner.busy() && jobs.idle(); }, 60'000);
    }
};

}  // namespace

/// Statements as jobs: what comes when, and how they end.
class TestSqlRunner : public QObject {
    Q_OBJECT
private slots:
    void rowsAndTime() {
        Stage stage;
        QSignalSpy changed(&stage.runner, &SqlRunner::changed);
        stage.runner.run({"SELECT name FROM slice WHERE dur > :least ORDER BY ts", {{":least", std::int64_t{10}}}});
        QVERIFY(stage.runner.busy());
        QVERIFY(stage.settle());
        const SqlRun& run = stage.runner.current();
        QVERIFY(run.end == SqlEnd::Complete && !run.error);
        QCOMPARE(run.rows, 2U);
        QCOMPARE(run.table->rowCount(), 2U);
        QVERIFY(run.seconds > 0);
        QVERIFY(changed.size() >= 2);
    }

    void errors() {
        Stage stage;
        stage.runner.run({"SELECT nope FROM slice", {}});
        QVERIFY(stage.settle());
        QVERIFY(stage.runner.current().end == SqlEnd::Failed);
        QCOMPARE(stage.runner.current().error->code, "sql.invalid_near");
        // As the command line says it.
        const std::pair<const char*, const char*> refused[] = {{"ATTACH 'x' AS y", "sql.denied"},
                                                               {"PRAGMA user_version", "sql.denied"},
                                                               {"SELECT load_extension('x')", "sql.invalid"},
                                                               {"SELECT readfile('x')", "sql.invalid"},
                                                               {"DELETE FROM slice", "sql.invalid"}};
        for (const auto& [sql, code] : refused) {
            stage.runner.run({sql, {}});
            QVERIFY(stage.settle());
            QVERIFY(stage.runner.current().error);
            QCOMPARE(stage.runner.current().error->code, code);
        }
    }

    void limitsOfRowsAndMemory() {
        Stage stage;
        stage.runner.setLimits({.rows = 1000, .bytes = 1 << 20});
        stage.runner.run({kEndless, {}});
        QVERIFY(stage.settle());
        QVERIFY(stage.runner.current().end == SqlEnd::RowLimit);
        QCOMPARE(stage.runner.current().table->rowCount(), 1000U);
        QCOMPARE(stage.runner.rowsFound(), 1000U);
        QVERIFY(stage.runner.current().firstRows);
        stage.runner.setLimits({.rows = 1'000'000, .bytes = 80'000});
        stage.runner.run({kEndless, {}});
        QVERIFY(stage.settle());
        QVERIFY(stage.runner.current().end == SqlEnd::MemoryLimit);
        QCOMPARE(stage.runner.current().table->rowCount(), 10'000U);
    }

    void firstRowsComeBeforeTheEnd() {
        Stage stage;
        stage.runner.run({std::string(kEndless) + " WHERE i <= 300 OR i < 0", {}});
        QVERIFY(QTest::qWaitFor([&] { return stage.runner.current().table != nullptr; }, 60'000));
        QVERIFY(stage.runner.busy());
        QVERIFY(stage.runner.current().end == SqlEnd::Running);
        // Fewer where the machine is slow: what is there after a moment is shown.
        const auto first = stage.runner.current().table->rowCount();
        QVERIFY(first > 0 && first <= SqlRunner::kFirstRows);
        stage.runner.cancel();
        QVERIFY(stage.settle());
        // They stay.
        QVERIFY(stage.runner.current().end == SqlEnd::Cancelled);
        QVERIFY(stage.runner.current().table->rowCount() >= first);
    }

    void timeLimit() {
        Stage stage;
        stage.runner.setTimeLimit(std::chrono::milliseconds(20));
        stage.runner.run({std::string(kEndless) + " WHERE i <= 7", {}});
        QVERIFY(stage.settle());
        QVERIFY(stage.runner.current().end == SqlEnd::TimeLimit);
        stage.runner.setTimeLimit({});
        stage.runner.run({"SELECT 1", {}});
        QVERIFY(stage.settle());
        QVERIFY(stage.runner.current().end == SqlEnd::Complete);
    }

    void aNewStatementEndsTheOneBefore() {
        Stage stage;
        stage.runner.run({kSilent, {}});
        stage.runner.run({"SELECT 42", {}});
        QVERIFY(stage.settle());
        QVERIFY(stage.runner.current().end == SqlEnd::Complete);
        QCOMPARE(stage.runner.current().table->cell(0, 0), 42);
    }

    void anotherCaptureEndsStatements() {
        Stage stage;
        stage.runner.run({kSilent, {}});
        stage.runner.setCapture(nullptr, {});
        QVERIFY(stage.settle());
        QVERIFY(stage.runner.current().end == SqlEnd::Cancelled);
        stage.runner.run({"SELECT 1", {}});
        QVERIFY(!stage.runner.busy());
    }

    void closingWhileOneRuns() {
        JobRunner jobs;
        Session session(jobs);
        {
            SqlRunner runner(session);
            runner.setCapture(captureFromTexts({"p1/t1: A[0,100)"}), {});
            runner.run({kSilent, {}});
        }
        QVERIFY(QTest::qWaitFor([&] { return jobs.idle(); }, 60'000));
    }

    void allRowsToAFile() {
        Stage stage;
        const QTemporaryDir folder;
        stage.runner.setLimits({.rows = 10, .bytes = 1 << 20});
        QSignalSpy written(&stage.runner, &SqlRunner::written);
        const auto write = [&](const QString& name, const std::string& sql) {
            stage.runner.writeAll({sql, {{":most", std::int64_t{5000}}}}, folder.filePath(name));
            return QTest::qWaitFor([&] { return !written.isEmpty(); }, 60'000)
                       ? written.takeFirst()[1].value<SqlFile>()
                       : SqlFile{.error = {}, .problem = u"did not end"_s};
        };
        const auto content = [&](const QString& name) {
            QFile file(folder.filePath(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("absent");
        };
        QCOMPARE(write(u"a.csv"_s, std::string(kEndless) + " LIMIT :most").rows, 5000U);
        QVERIFY(content(u"a.csv"_s).startsWith("i\r\n1\r\n2\r\n") && content(u"a.csv"_s).endsWith("\r\n5000\r\n"));
        QCOMPARE(write(u"a.json"_s, "SELECT 'x' AS a, NULL AS b").rows, 1U);
        QCOMPARE(content(u"a.json"_s).simplified(), "[ {\"a\":\"x\",\"b\":null} ]");
        QCOMPARE(write(u"b.csv"_s, "SELECT nope").error->code, "sql.invalid_near");
        QCOMPARE(content(u"b.csv"_s), "absent");
        QVERIFY(!write(u"no/such/folder.csv"_s, "SELECT 1").problem.isEmpty());
    }

    void neverIntoACapture() {
        Stage stage;
        const QTemporaryDir folder;
        const QString inside = folder.filePath(u"x_ascend_pt"_s);
        QVERIFY(QDir().mkpath(inside));
        QSignalSpy written(&stage.runner, &SqlRunner::written);
        const CaptureId id = stage.session.open(inside);
        QVERIFY(QTest::qWaitFor([&] { return stage.session.capture(id)->job == 0; }, 60'000));
        stage.runner.writeAll({"SELECT 1", {}}, inside + u"/a.csv"_s);
        QVERIFY(QTest::qWaitFor([&] { return !written.isEmpty(); }, 60'000));
        QVERIFY(written[0][1].value<SqlFile>().error);
        QVERIFY(QDir(inside).isEmpty());
    }
};

ALTI_TEST(TestSqlRunner)
#include "tst_sql_runner.moc"
