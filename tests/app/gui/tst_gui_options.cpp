#include "app/gui/gui_options.h"

#include "tests/support/test_main.h"

using namespace altiscope;

class TestGuiOptions : public QObject {
    Q_OBJECT
private slots:
    void allOptions();
    void reportOfACapture();
    void nothingIsAsked();
    void everyViewHasItsWord();
    void wrongUsage_data();
    void wrongUsage();
    void helpGoesToStdout();

private:
    static GuiCommandLine parse(const QString& words) {
        return parseGuiArguments(QStringList{QStringLiteral("altiscope")} +
                                 words.split(QChar(u' '), Qt::SkipEmptyParts));
    }
};

void TestGuiOptions::allOptions() {
    const GuiCommandLine line =
        parse(QStringLiteral("a b --view memory --range 1700000000000000000..1700000000000000001 --select "
                             "4398046511147 --theme dark --language zh_CN --screenshot x.png --size 1280x800"));
    QCOMPARE(line.text, QString());
    QCOMPARE(line.exitStatus, -1);
    const GuiOptions& options = line.options;
    QCOMPARE(options.captures, (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
    QVERIFY(options.view == ViewId::Memory);
    QVERIFY(options.range == (TimeRange{{1'700'000'000'000'000'000}, {1'700'000'000'000'000'001}}));
    QVERIFY(options.select == SliceId{4398046511147});
    QCOMPARE(options.theme, QStringLiteral("dark"));
    QCOMPARE(options.language, QStringLiteral("zh_CN"));
    QCOMPARE(options.screenshot, QStringLiteral("x.png"));
    QCOMPARE(options.size, QSize(1280, 800));
}

void TestGuiOptions::reportOfACapture() {
    for (const char* file : {"r.pdf", "r.html", "R.PDF"}) {
        const GuiCommandLine line = parse(QStringLiteral("run --report ") + QString::fromLatin1(file));
        QCOMPARE(line.exitStatus, -1);
        QCOMPARE(line.options.report, QString::fromLatin1(file));
    }
}

void TestGuiOptions::nothingIsAsked() {
    const GuiCommandLine line = parse({});
    QCOMPARE(line.exitStatus, -1);
    QVERIFY(line.options.captures.isEmpty());
    QVERIFY(!line.options.view);
    QVERIFY(!line.options.range);
    QVERIFY(!line.options.select);
    QVERIFY(!line.options.size.isValid());
}

void TestGuiOptions::everyViewHasItsWord() {
    // The words of the contract, in its order.
    const QString words = QStringLiteral(
        "overview timeline memory snapshot operators communication cluster findings compare sql report capture");
    for (const ViewId view : allViews()) {
        QVERIFY(viewFromName(viewName(view)) == view);
        QVERIFY(!viewTitle(view).isEmpty());
        QVERIFY(!viewPurpose(view).isEmpty());
    }
    QCOMPARE(viewNames().join(QChar(u' ')), words);
}

void TestGuiOptions::wrongUsage_data() {
    QTest::addColumn<QString>("words");
    QTest::newRow("unknown option") << QStringLiteral("--frobnicate");
    QTest::newRow("unknown view") << QStringLiteral("--view nonsense");
    QTest::newRow("view without a name") << QStringLiteral("--view");
    QTest::newRow("range of one number") << QStringLiteral("--range 5");
    QTest::newRow("range backwards") << QStringLiteral("--range 5..4");
    QTest::newRow("empty range") << QStringLiteral("--range 5..5");
    QTest::newRow("range beyond any clock") << QStringLiteral("--range 0..9223372036854775807");
    QTest::newRow("range of words") << QStringLiteral("--range a..b");
    QTest::newRow("slice is no number") << QStringLiteral("--select x");
    QTest::newRow("unknown theme") << QStringLiteral("--theme pink");
    QTest::newRow("unknown language") << QStringLiteral("--language fr");
    QTest::newRow("report in another format") << QStringLiteral("run --report r.txt");
    QTest::newRow("report without a name") << QStringLiteral("run --report");
    QTest::newRow("report of nothing") << QStringLiteral("--report r.pdf");
    QTest::newRow("report of two") << QStringLiteral("a b --report r.pdf");
    QTest::newRow("report and picture") << QStringLiteral("a --report r.pdf --screenshot x.png");
    QTest::newRow("report of a capture on a host") << QStringLiteral("host:run --report r.pdf");
    QTest::newRow("picture of a capture on a host") << QStringLiteral("ssh://host/run --screenshot x.png");
    QTest::newRow("size without x") << QStringLiteral("--size 1280");
    QTest::newRow("empty size") << QStringLiteral("--size 0x800");
    QTest::newRow("size beyond memory") << QStringLiteral("--size 99999x99999");
}

void TestGuiOptions::wrongUsage() {
    QFETCH(QString, words);
    const GuiCommandLine line = parse(words);
    QCOMPARE(line.exitStatus, 2);
    QVERIFY2(line.text.startsWith(QStringLiteral("altiscope: ")), qPrintable(line.text));
    QVERIFY(line.text.endsWith(QStringLiteral("See altiscope --help.\n")));
}

void TestGuiOptions::helpGoesToStdout() {
    const GuiCommandLine line = parse(QStringLiteral("--help"));
    QCOMPARE(line.exitStatus, 0);
    for (const char* option : {"--view", "--range", "--select", "--theme", "--language", "--screenshot", "--size"}) {
        QVERIFY2(line.text.contains(QString::fromLatin1(option)), option);
    }
    QCOMPARE(parse(QStringLiteral("--version")).exitStatus, 0);
}

ALTI_TEST(TestGuiOptions)
#include "tst_gui_options.moc"
