#include "core/report/export/result_writer.h"
#include "core/session/session.h"
#include "tests/views/sql/sql_stage.h"
#include "views/sql/editor/parameter_values.h"
#include "views/sql/language/sql_text.h"
#include "views/sql/saved/query_store.h"

#include <QDir>
#include <QFile>
#include <QProcess>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

QString shippedText(const QString& name) {
    QFile file(qEnvironmentVariable("ALTI_SOURCE_DIR") + u"/resources/queries/"_s + name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// A query with its parameters written into it.
QString plainSql(StoredQuery query) {
    for (const QString& name : parametersOf(query.sql)) {
        const QString value = query.values.value(name);
        bool isNumber = false;
        value.toLongLong(&isNumber);
        query.sql.replace(name, isNumber ? value : u"'%1'"_s.arg(value));
    }
    return query.sql;
}

}  // namespace

/// Each query that comes with the program says something about a generated capture, as text and as db, and the window shows
/// what the command line does.
class TestShippedQueries : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_text.made && m_db.made); }

    void namedInBothLanguages() {
        const QStringList names = files();
        QVERIFY(names.size() >= 12);
        QStringList titles;
        for (const QString& name : names) {
            const auto english = queryOfText(shippedText(name), u"en"_s),
                       chinese = queryOfText(shippedText(name), u"zh_CN"_s);
            QVERIFY2(english && chinese, qPrintable(name));
            QVERIFY2(english->title != chinese->title && english->about != chinese->about, qPrintable(name));
            QVERIFY2(!english->about.isEmpty() && chinese->title.size() < 40, qPrintable(name));
            QStringList proposed = english->values.keys(), wanted = parametersOf(english->sql);
            proposed.sort();
            wanted.sort();
            QCOMPARE(proposed, wanted);
            titles << english->title << chinese->title;
        }
        QCOMPARE(titles.removeDuplicates(), 0);
    }

    void sameAsTheCommandLine_data() {
        QTest::addColumn<QString>("capture");
        QTest::addColumn<QString>("name");
        for (const QString& name : files()) {
            QTest::addRow("text %s", qPrintable(name)) << m_text.path() << name;
            QTest::addRow("db %s", qPrintable(name)) << m_db.path() << name;
        }
    }
    void sameAsTheCommandLine() {
        QFETCH(QString, capture);
        QFETCH(QString, name);
        const StoredQuery query = *queryOfText(shippedText(name), u"en"_s);
        QProcess cli;
        cli.start(qEnvironmentVariable("ALTI_CLI"),
                  {u"query"_s, capture, u"--format"_s, u"csv"_s, u"--quiet"_s, u"--sql"_s, plainSql(query)});
        QVERIFY(cli.waitForFinished(120'000));
        QCOMPARE(cli.exitStatus(), QProcess::NormalExit);
        const QByteArray expected = cli.readAllStandardOutput();
        QVERIFY2(expected.count('\n') > 1, cli.readAllStandardError().constData());
        // The same with bound values, through what the window runs.
        const auto store = opened(capture);
        QVERIFY(store != nullptr);
        std::vector<QueryParameter> parameters;
        for (const QString& parameter : parametersOf(query.sql))
            parameters.push_back(parameterOf(parameter, query.values.value(parameter)));
        QByteArray got;
        const auto writer = makeResultWriter(ResultFormat::Csv, [&](std::string_view text) {
            got.append(text.data(), static_cast<qsizetype>(text.size()));
            return true;
        });
        QVERIFY(QueryDatabase(store).run(query.sql.toStdString(), *writer, {}, parameters).ok());
        writer->finish();
        QCOMPARE(got, expected);
    }

private:
    static QStringList files() {
        return QDir(qEnvironmentVariable("ALTI_SOURCE_DIR") + u"/resources/queries"_s)
            .entryList({u"*.sql"_s}, QDir::Files, QDir::Name);
    }
    std::shared_ptr<const CaptureStore> opened(const QString& path) {
        auto& store = m_stores[path];
        if (store == nullptr) {
            JobRunner jobs;
            Session session(jobs);
            const CaptureId id = openAndWait(session, path);
            if (id != kNoCapture) store = session.capture(id)->store;
        }
        return store;
    }

    // Short kernels, gaps, waiting and a link that is slower than the others: something for each query.
    GeneratedCapture m_text{{"--ranks", "2", "--steps", "2", "--layers", "2", "--plant", "slow-link=0-1"}};
    GeneratedCapture m_db{
        {"--ranks", "2", "--steps", "2", "--layers", "2", "--plant", "slow-link=0-1", "--format", "db"}};
    std::map<QString, std::shared_ptr<const CaptureStore>> m_stores;
};

ALTI_TEST(TestShippedQueries)
#include "tst_shipped_queries.moc"
