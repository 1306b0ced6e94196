#include "views/common/widgets/command_palette.h"

#include "tests/support/test_main.h"

#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>

using namespace altiscope;

class TestCommandPalette : public QObject {
    Q_OBJECT
private slots:
    void listsWhatMenusOffer();
    void accessKeysAreNotShown();
    void matches_data();
    void matches();
    void typingFindsAndEnterRuns();
    void theCommandOfThatNameComesFirst();
    void synonymsFindAndAreNotShown();
    void inChineseEnglishNamesFindToo();
    void whatElseIsFoundStandsBelow();
    void nothingFoundIsSaid();
};

void TestCommandPalette::listsWhatMenusOffer() {
    QMenuBar bar;
    QMenu* file = bar.addMenu(QStringLiteral("&File"));
    file->addAction(QStringLiteral("&Open && close…"));
    file->addSeparator();
    file->addAction(QStringLiteral("Off"))->setEnabled(false);
    QMenu* deeper = bar.addMenu(QStringLiteral("视图(&V)"))->addMenu(QStringLiteral("&Theme"));
    deeper->addAction(QStringLiteral("&Dark"));
    QStringList paths;
    for (const Command& command : commandsOf(bar)) paths << command.path;
    QCOMPARE(paths, (QStringList{QStringLiteral("File › Open & close…"), QStringLiteral("视图 › Theme › Dark")}));
}

void TestCommandPalette::accessKeysAreNotShown() {
    QCOMPARE(withoutAccessKey(QStringLiteral("Save as &JSON…")), QStringLiteral("Save as JSON…"));
    QCOMPARE(withoutAccessKey(QStringLiteral("另存为 JSON(&J)…")), QStringLiteral("另存为 JSON…"));
    QCOMPARE(withoutAccessKey(QStringLiteral("R&&D (a)")), QStringLiteral("R&D (a)"));
}

void TestCommandPalette::matches_data() {
    QTest::addColumn<QString>("query");
    QTest::addColumn<bool>("expected");
    QTest::newRow("nothing typed: all") << QString() << true;
    QTest::newRow("part of a word, any case") << QStringLiteral("dAr") << true;
    QTest::newRow("words in any order") << QStringLiteral("dark view") << true;
    QTest::newRow("one word too many") << QStringLiteral("dark file") << false;
}

void TestCommandPalette::matches() {
    QFETCH(QString, query);
    QTEST(commandMatches(QStringLiteral("View › Theme › Dark"), query), "expected");
}

void TestCommandPalette::typingFindsAndEnterRuns() {
    QMenuBar bar;
    QMenu* menu = bar.addMenu(QStringLiteral("View"));
    menu->addAction(QStringLiteral("Light"));
    QString ran;
    connect(menu->addAction(QStringLiteral("Dark")), &QAction::triggered, this,
            [&ran] { ran = QStringLiteral("dark"); });
    connect(menu->addAction(QStringLiteral("Darker")), &QAction::triggered, this,
            [&ran] { ran = QStringLiteral("darker"); });
    CommandPalette palette(commandsOf(bar), nullptr);
    palette.show();
    auto* query = palette.findChild<QLineEdit*>();
    QTest::keyClicks(query, QStringLiteral("dark"));
    QCOMPARE(palette.findChild<QListWidget*>()->count(), 2);
    QTest::keyClick(query, Qt::Key_Down);
    QTest::keyClick(query, Qt::Key_Return);
    QCOMPARE(ran, QStringLiteral("darker"));
    QVERIFY(!palette.isVisible());
}

/// "capture" and Enter closed the capture, as that command stands in an earlier menu than the page.
void TestCommandPalette::theCommandOfThatNameComesFirst() {
    QMenuBar bar;
    bar.addMenu(QStringLiteral("File"))->addAction(QStringLiteral("Close capture"));
    QMenu* go = bar.addMenu(QStringLiteral("Go"));
    for (const char* name : {"Captured ranks", "Timeline", "Capture"}) go->addAction(QString::fromLatin1(name));
    CommandPalette palette(commandsOf(bar), nullptr);
    palette.show();
    palette.findChild<QLineEdit*>()->setText(QStringLiteral("capture"));
    const auto* list = palette.findChild<QListWidget*>();
    QStringList shown;
    for (int row = 0; row < list->count(); ++row) shown << list->item(row)->text();
    QCOMPARE(shown, (QStringList{QStringLiteral("Go › Capture"), QStringLiteral("Go › Captured ranks"),
                                 QStringLiteral("File › Close capture")}));
}

void TestCommandPalette::synonymsFindAndAreNotShown() {
    QMenuBar bar;
    QMenu* menu = bar.addMenu(QStringLiteral("Go"));
    menu->addAction(QStringLiteral("Memory\tCtrl+3"))->setProperty("synonyms", QStringLiteral("hbm leak 显存"));
    menu->addAction(QStringLiteral("Timeline"));
    CommandPalette palette(commandsOf(bar), nullptr);
    palette.show();
    auto* query = palette.findChild<QLineEdit*>();
    query->setText(QStringLiteral("显存"));
    QCOMPARE(palette.findChild<QListWidget*>()->count(), 1);
    QCOMPARE(palette.findChild<QListWidget*>()->item(0)->text(), QStringLiteral("Go › Memory"));
}

/// In Chinese "theme dark" and "read again" found nothing.
void TestCommandPalette::inChineseEnglishNamesFindToo() {
    QMenuBar bar;
    QMenu* theme = bar.addMenu(QStringLiteral("视图(&V)"))->addMenu(QStringLiteral("主题(&T)"));
    theme->menuAction()->setProperty("english", QStringLiteral("&Theme"));
    QAction* dark = theme->addAction(QStringLiteral("深色(&D)"));
    dark->setProperty("english", QStringLiteral("&Dark"));
    theme->addAction(QStringLiteral("浅色(&L)"))->setProperty("english", QStringLiteral("&Light"));
    CommandPalette palette(commandsOf(bar), nullptr);
    palette.show();
    auto* query = palette.findChild<QLineEdit*>();
    const auto* list = palette.findChild<QListWidget*>();
    query->setText(QStringLiteral("theme"));
    QCOMPARE(list->count(), 2);
    query->setText(QStringLiteral("dark theme"));
    QCOMPARE(list->count(), 1);
    QCOMPARE(list->item(0)->text(), QStringLiteral("视图 › 主题 › 深色"));
}

void TestCommandPalette::whatElseIsFoundStandsBelow() {
    QMenuBar bar;
    bar.addMenu(QStringLiteral("Go"))->addAction(QStringLiteral("Matrix"));
    CommandPalette palette(commandsOf(bar), nullptr);
    QStringList tried;
    QString ran;
    palette.setSearch([&tried](const QString& query) { tried << query; });
    palette.show();
    auto* query = palette.findChild<QLineEdit*>();
    auto* list = palette.findChild<QListWidget*>();
    QTest::keyClicks(query, QStringLiteral("ma"));
    // One letter is no search.
    QCOMPARE(tried, (QStringList{QString(), QStringLiteral("ma")}));
    palette.showHits(QStringLiteral("m"), {{QStringLiteral("old"), {}, {}}}, true);
    QCOMPARE(list->count(), 1);
    palette.showHits(
        QStringLiteral("ma"),
        {{QStringLiteral("Slices › aten::mm"), QStringLiteral("2 times"), [&ran] { ran = QStringLiteral("mm"); }}},
        true);
    QCOMPARE(list->count(), 2);
    QCOMPARE(list->currentRow(), 0);
    QTest::keyClick(query, Qt::Key_Down);
    QTest::keyClick(query, Qt::Key_Return);
    QCOMPARE(ran, QStringLiteral("mm"));
    QVERIFY(!palette.isVisible());
}

void TestCommandPalette::nothingFoundIsSaid() {
    QMenuBar bar;
    bar.addMenu(QStringLiteral("Go"))->addAction(QStringLiteral("Matrix"));
    CommandPalette palette(commandsOf(bar), nullptr);
    palette.setSearch([](const QString&) {});
    palette.show();
    auto* query = palette.findChild<QLineEdit*>();
    auto* list = palette.findChild<QListWidget*>();
    query->setText(QStringLiteral("zzz"));
    QCOMPARE(list->item(0)->text(), QStringLiteral("Searching…"));
    palette.showHits(QStringLiteral("zzz"), {}, true);
    QCOMPARE(list->count(), 1);
    QCOMPARE(list->item(0)->text(), QStringLiteral("Nothing found for “zzz”"));
    // And Enter does nothing with it.
    QTest::keyClick(query, Qt::Key_Return);
    QVERIFY(palette.isVisible());
}

ALTI_TEST(TestCommandPalette)
#include "tst_command_palette.moc"
