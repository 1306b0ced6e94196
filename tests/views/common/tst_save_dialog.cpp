#include "views/common/support/save_dialog.h"

#include "tests/support/test_main.h"

using namespace altiscope;

class TestSaveDialog : public QObject {
    Q_OBJECT
private slots:
    void endingIsThatOfTheChosenFilter_data();
    void endingIsThatOfTheChosenFilter();
    void namesThatAnyFileSystemTakes_data();
    void namesThatAnyFileSystemTakes();
};

void TestSaveDialog::endingIsThatOfTheChosenFilter_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("expected");
    QTest::newRow("none of its own") << QStringLiteral("/a/part") << QStringLiteral("SVG (*.svg)")
                                     << QStringLiteral("/a/part.svg");
    QTest::newRow("dot in a folder") << QStringLiteral("/a.b/part") << QStringLiteral("PNG (*.png)")
                                     << QStringLiteral("/a.b/part.png");
    QTest::newRow("own ending stays") << QStringLiteral("/a/part.png") << QStringLiteral("SVG (*.svg)")
                                      << QStringLiteral("/a/part.png");
    QTest::newRow("thought better of it") << QString() << QStringLiteral("SVG (*.svg)") << QString();
}

void TestSaveDialog::endingIsThatOfTheChosenFilter() {
    QFETCH(QString, file);
    QFETCH(QString, filter);
    QTEST(withEndingOf(file, filter), "expected");
}

void TestSaveDialog::namesThatAnyFileSystemTakes_data() {
    QTest::addColumn<QString>("about");
    QTest::addColumn<QString>("expected");
    QTest::newRow("plain") << QStringLiteral("level1") << QStringLiteral("level1");
    QTest::newRow("blanks and slashes") << QStringLiteral(" Peak / memory ") << QStringLiteral("Peak_memory");
    QTest::newRow("ending of the capture") << QStringLiteral("trace.json.gz") << QStringLiteral("trace_json_gz");
    QTest::newRow("Chinese") << QStringLiteral("\u5185\u5b58") << QStringLiteral("\u5185\u5b58");
}

void TestSaveDialog::namesThatAnyFileSystemTakes() {
    QFETCH(QString, about);
    QTEST(fileNameFor(about), "expected");
}

ALTI_TEST(TestSaveDialog)
#include "tst_save_dialog.moc"
