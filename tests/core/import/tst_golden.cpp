#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <string>

using namespace altiscope::test;

/// Captures of tests/golden: each import must give expected.txt. On a mismatch the dump is written to
/// golden-CASE-actual.txt in the working folder, and the first line that differs is named.
class TestGolden : public QObject {
    Q_OBJECT

private slots:
    void import_data();
    void import();
};

void TestGolden::import_data() {
    QTest::addColumn<QString>("folder");
    const QDir golden(qEnvironmentVariable("ALTI_SOURCE_DIR") + QStringLiteral("/tests/golden"));
    for (const QString& name : golden.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        if (QFile::exists(golden.filePath(name) + QStringLiteral("/capture")))
            QTest::addRow("%s", qPrintable(name)) << golden.filePath(name);
    }
}

void TestGolden::import() {
    QFETCH(QString, folder);
    const QByteArray actual =
        QByteArray::fromStdString(dumpCapture(importForTest((folder + QStringLiteral("/capture")).toStdString())));
    QFile file(folder + QStringLiteral("/expected.txt"));
    const QByteArray expected = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    if (actual == expected) return;
    QFile out(QStringLiteral("golden-%1-actual.txt").arg(QDir(folder).dirName()));
    if (out.open(QIODevice::WriteOnly)) out.write(actual);
    const auto actualLines = actual.split('\n');
    const auto expectedLines = expected.split('\n');
    for (qsizetype i = 0; i < std::max(actualLines.size(), expectedLines.size()); ++i)
        QCOMPARE(actualLines.value(i), expectedLines.value(i));
    QFAIL("the dumps differ in their ends");
}

ALTI_TEST(TestGolden)
#include "tst_golden.moc"
