#include "tests/app/gui/window_program.h"
#include "tests/views/overview/golden_captures.h"
#include "tests/views/report/report_stage.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/data_table.h"
#include "views/overview/context_bar.h"
#include "views/overview/facts/report_model.h"
#include "views/overview/tree/capture_tree.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QRegularExpression>
#include <QSet>
#include <QToolButton>

using namespace altiscope;
using namespace altiscope::test;

class TestWindowLayout : public QObject {
    Q_OBJECT
private slots:
    void languageChangesWhileItRuns();
    void themeChangesWhileItRuns();
    void layoutIsRememberedAndReset();
    void reportFollowsTheLanguage();
    void hidingAPanelGivesTheKeysToThePage();
    void theLowerPanelKeepsItsHeight();
    void theWindowFitsSmallScreens();
    void lettersOfTheMenusOpenThem_data();
    void lettersOfTheMenusOpenThem();
    void noPageSaysThatItComesLater();
    void allTabsAreInSightOnASmallScreen();
    void pagesBeyondTheTabsAreInAMenu();
    void keysGoToTheRowsOfThePage();
    void findLeadsToTheSearchOfThePage();
    void theBarAboveThePagesGivesTheKeysBack();
    void numbersStayWithTheirUnits();
    void allTextsFit_data();
    void allTextsFit();
};

void TestWindowLayout::languageChangesWhileItRuns() {
    Program program;
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    program.window->showView(ViewId::Timeline);
    const int timeline = program.pages().indexOf(program.pages().currentWidget());
    QCOMPARE(program.pages().tabText(timeline), QStringLiteral("Timeline"));
    program.action(QStringLiteral("简体中文(C)"))->trigger();
    QTRY_COMPARE(program.pages().tabText(timeline), QStringLiteral("时间线"));
    QCOMPARE(program.settings.language(), QStringLiteral("zh_CN"));
    auto* tree = program.window->findChild<CaptureTree*>();
    const auto firstRank = [model = tree->model()] {
        const QModelIndex host = model->index(0, 0, model->index(0, 0));
        return model->index(0, 0, host).data().toString();
    };
    QCOMPARE(firstRank(), QStringLiteral("卡 0 · NPU 4"));
    program.action(QStringLiteral("English"))->trigger();
    QTRY_COMPARE(program.pages().tabText(timeline), QStringLiteral("Timeline"));
    QCOMPARE(firstRank(), QStringLiteral("Rank 0 · NPU 4"));
}

void TestWindowLayout::themeChangesWhileItRuns() {
    Program program;
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    const auto background = [&] {
        const QImage picture = program.window->findChild<CaptureTree*>()->viewport()->grab().toImage();
        return picture.pixelColor(picture.width() / 2, picture.height() - 2);
    };
    program.action(QStringLiteral("Dark"))->trigger();
    QVERIFY(program.waitUntilIdle());
    QCOMPARE(background(), QColor(0x16, 0x18, 0x1d));
    QCOMPARE(program.settings.theme(), QStringLiteral("dark"));
    program.action(QStringLiteral("Light"))->trigger();
    QVERIFY(program.waitUntilIdle());
    QCOMPARE(background(), QColor(0xff, 0xff, 0xff));
}

void TestWindowLayout::layoutIsRememberedAndReset() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("settings.ini"));
    {
        Program program(file);
        for (QDockWidget* dock : program.window->findChildren<QDockWidget*>()) dock->hide();
        program.window->resize(1000, 700);
        program.window->close();
    }
    Program program(file);
    for (const QDockWidget* dock : program.window->findChildren<QDockWidget*>()) QVERIFY(!dock->isVisible());
    QCOMPARE(program.window->size(), QSize(1000, 700));
    program.action(QStringLiteral("Reset layout"))->trigger();
    // The lower panel belongs to the timeline; other pages show it when they are asked to.
    const auto shown = [&] {
        QStringList names;
        for (const QDockWidget* dock : program.window->findChildren<QDockWidget*>()) {
            if (dock->isVisible()) names << dock->objectName();
        }
        return names;
    };
    QCOMPARE(shown(), QStringList{QStringLiteral("captures")});
    program.window->showView(ViewId::Timeline);
    QCOMPARE(shown(), QStringList{QStringLiteral("captures")});
    // It comes with something to show.
    program.selection.setRange(TimeRange{{10}, {20}});
    QCOMPARE(shown(), (QStringList{QStringLiteral("captures"), QStringLiteral("bottom")}));
    program.window->showView(ViewId::Overview);
    QCOMPARE(shown(), QStringList{QStringLiteral("captures")});
}

void TestWindowLayout::theLowerPanelKeepsItsHeight() {
    Program program;
    program.window->resize(1400, 1050);
    program.window->showView(ViewId::Timeline);
    auto* dock = program.window->findChild<QDockWidget*>(QStringLiteral("bottom"));
    program.selection.setRange(TimeRange{{10}, {20}});
    QTRY_VERIFY(dock->isVisible());
    // At first high enough for a list of eight rows with its tabs, filter and headings.
    const int row = program.window->fontMetrics().height() * 8 / 5;
    QTRY_VERIFY2(dock->height() >= 8 * row + 100, qPrintable(QString::number(dock->height())));
    program.window->resizeDocks({dock}, {290}, Qt::Vertical);
    QTRY_COMPARE(dock->height(), 290);
    QAction* toggle = dock->toggleViewAction();
    toggle->trigger();
    QTRY_VERIFY(!dock->isVisible());
    program.window->resize(1400, 1000);
    toggle->trigger();
    QTRY_VERIFY(dock->isVisible());
    QTRY_COMPARE(dock->height(), 290);
}

void TestWindowLayout::theWindowFitsSmallScreens() {
    Program program;
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    program.window->showView(ViewId::Timeline);
    const TraceStore& trace = *program.session.captures().front().store->ranks[1].trace;
    program.selection.selectSlice({1}, {.rank = {1}, .id = trace.id({2})});
    QVERIFY(program.waitUntilIdle());
    QVERIFY(isShown(program.window->findChild<QDockWidget*>(QStringLiteral("bottom"))));
    for (const ViewId view : allViews()) {
        program.window->showView(view);
        QVERIFY(program.waitUntilIdle());
        const QSize min = program.window->minimumSizeHint();
        // At scale 2 a screen of 1680 x 1050 has 840 x 525.
        QVERIFY2(min.width() <= 830 && min.height() <= 520,
                 qPrintable(QStringLiteral("%1: %2 x %3").arg(viewName(view)).arg(min.width()).arg(min.height())));
    }
}

void TestWindowLayout::lettersOfTheMenusOpenThem_data() {
    QTest::addColumn<QString>("language");
    for (const char* language : {"en", "zh_CN"}) QTest::newRow(language) << QString::fromLatin1(language);
}

/// With the same letter on a page, Alt and the letter would open neither.
void TestWindowLayout::lettersOfTheMenusOpenThem() {
    QFETCH(QString, language);
    Program program;
    program.language.setLanguage(language);
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    QList<QKeySequence> menus;
    for (const QAction* menu : program.window->menuBar()->actions()) menus << QKeySequence::mnemonic(menu->text());
    QCOMPARE(menus.size(), 5);
    int letters = 0;
    for (const ViewId view : allViews()) {
        program.window->showView(view);
        QVERIFY(program.waitUntilIdle());
        QStringList texts;
        for (const QLabel* label : program.window->findChildren<QLabel*>())
            if (label->isVisible() && label->buddy() != nullptr) texts << label->text();
        for (const QAbstractButton* button : program.window->findChildren<QAbstractButton*>())
            if (button->isVisible()) texts << button->text();
        for (const QString& text : texts) {
            const QKeySequence letter = QKeySequence::mnemonic(text);
            letters += letter.isEmpty() ? 0 : 1;
            QVERIFY2(!menus.contains(letter), qPrintable(viewName(view) + QStringLiteral(": ") + text));
        }
    }
    QVERIFY(letters > 20);
}

void TestWindowLayout::noPageSaysThatItComesLater() {
    Program program;
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    for (const QAction* action : program.window->findChildren<QAction*>()) {
        const QString text = QString(action->text()).remove(u'&');
        QVERIFY2(!text.contains(u"later version", Qt::CaseInsensitive), qPrintable(text));
    }
    for (int i = 0; i < program.pages().count(); ++i) {
        program.pages().setCurrentIndex(i);
        for (const QLabel* label : program.pages().widget(i)->findChildren<QLabel*>())
            QVERIFY2(!label->text().contains(u"later version"), qPrintable(label->text()));
    }
}

/// On a screen of 1680 x 1050 at scale 2 the last three stood behind arrows.
void TestWindowLayout::allTabsAreInSightOnASmallScreen() {
    Program program({}, {}, {832, 490});
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    QTabWidget& pages = program.pages();
    QCOMPARE(program.window->width(), 832);
    const auto lastTab = [&] { return pages.tabBar()->tabRect(pages.count() - 1).right(); };
    QVERIFY2(lastTab() < pages.tabBar()->width(), qPrintable(QString::number(lastTab())));
    const int tight = pages.tabBar()->tabRect(0).width();
    program.window->resize(1280, 800);
    QTRY_VERIFY(pages.tabBar()->tabRect(0).width() > tight);
    QVERIFY(lastTab() < pages.tabBar()->width());
}

void TestWindowLayout::pagesBeyondTheTabsAreInAMenu() {
    Program program;
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    QTabWidget& pages = program.pages();
    QCOMPARE(pages.cornerWidget(), nullptr);
    // At the usual size of letters all are in sight in the smallest window.
    const QFont usual = pages.tabBar()->font();
    QFont large = usual;
    large.setPointSizeF(usual.pointSizeF() * 1.6);
    pages.tabBar()->setFont(large);
    program.window->resize(program.window->minimumSizeHint());
    QTRY_VERIFY(pages.cornerWidget() != nullptr && isShown(pages.cornerWidget()));
    QMenu& menu = *qobject_cast<QToolButton*>(pages.cornerWidget())->menu();
    emit menu.aboutToShow();
    QStringList titles, tabs;
    for (const QAction* action : menu.actions()) titles << action->text();
    for (int i = 0; i < pages.count(); ++i) {
        if (pages.isTabVisible(i)) tabs << pages.tabText(i);
    }
    QCOMPARE(titles, tabs);
    menu.actions().last()->trigger();
    QCOMPARE(pages.tabText(pages.currentIndex()), tabs.last());
    pages.tabBar()->setFont(usual);
    program.window->resize(1440, 900);
    QTRY_COMPARE(pages.cornerWidget(), nullptr);
}

/// Without a click: the first finding, else the first row.
void TestWindowLayout::keysGoToTheRowsOfThePage() {
    const GeneratedRun run({"--ranks", "2", "--steps", "2", "--layers", "1", "--plant", "gc-pause=40"});
    QVERIFY(run.isMade);
    for (const ViewId view : {ViewId::Overview, ViewId::Findings, ViewId::Operators}) {
        Program program;
        program.window->showView(view);
        program.window->open({run.path()});
        QVERIFY(program.waitUntilIdle());
        const QWidget* focus = program.window->focusWidget();
        const bool isList = view == ViewId::Overview ? qobject_cast<const QListView*>(focus) != nullptr
                                                     : qobject_cast<const DataTable*>(focus) != nullptr;
        QVERIFY2(isList && focus->isVisible(), qPrintable(viewName(view)));
    }
}

void TestWindowLayout::findLeadsToTheSearchOfThePage() {
    // Each of the pages has something to search in.
    const GeneratedRun run({"--ranks", "2", "--steps", "4", "--layers", "2", "--plant", "gc-pause=40"});
    QVERIFY(run.isMade);
    Program program;
    program.window->open({run.path()});
    QVERIFY(program.waitUntilIdle());
    program.window->activateWindow();
    for (const ViewId view : {ViewId::Timeline, ViewId::Operators, ViewId::Memory, ViewId::Findings}) {
        program.window->showView(view);
        QVERIFY(program.waitUntilIdle());
        program.action(QStringLiteral("Find…"))->trigger();
        const auto* line = qobject_cast<QLineEdit*>(QApplication::focusWidget());
        QVERIFY2(line != nullptr && program.pages().currentWidget()->isAncestorOf(line), qPrintable(viewName(view)));
    }
}

void TestWindowLayout::theBarAboveThePagesGivesTheKeysBack() {
    Program program;
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    program.window->activateWindow();
    program.window->showView(ViewId::Timeline);
    auto* box = program.window->findChild<ContextBar*>()->findChild<QComboBox*>();
    // As they come from the keyboard: the box has the focus, and not the line in it.
    const auto keys = [] { return QApplication::focusWidget(); };
    const auto pageHasKeys = [&] {
        return QApplication::focusWidget() != nullptr &&
               program.pages().currentWidget()->isAncestorOf(QApplication::focusWidget());
    };
    box->setFocus();
    QTRY_VERIFY(!pageHasKeys());
    QTest::keyClicks(keys(), QStringLiteral("1"));
    QTest::keyClick(keys(), Qt::Key_Escape);
    QVERIFY(pageHasKeys());
    QVERIFY(program.selection.current().context.ranks.empty());
    box->setFocus();
    box->lineEdit()->selectAll();
    QTest::keyClicks(keys(), QStringLiteral("1"));
    QTest::keyClick(keys(), Qt::Key_Return);
    QVERIFY(pageHasKeys());
    QCOMPARE(program.selection.current().context.ranks, std::vector<std::int64_t>{1});
    // What cannot be read stays there to be mended.
    box->setFocus();
    box->lineEdit()->setText(QStringLiteral("1-x"));
    QTest::keyClick(keys(), Qt::Key_Return);
    QVERIFY(!pageHasKeys());
}

void TestWindowLayout::reportFollowsTheLanguage() {
    Program program;
    program.window->open({goldenCapture(QStringLiteral("interrupted"))});
    QVERIFY(program.waitUntilIdle());
    // The sentences, not the words around them.
    const auto* model = program.window->findChild<ReportModel*>();
    const auto message = [model] { return model->rows().front().message; };
    const QString english = message();
    const QRegularExpression chinese(QStringLiteral("\\p{Han}"));
    QVERIFY(!english.isEmpty() && !english.contains(chinese));
    program.action(QStringLiteral("简体中文(C)"))->trigger();
    QTRY_VERIFY(message().contains(chinese));
    program.action(QStringLiteral("English"))->trigger();
    QTRY_COMPARE(message(), english);
}

void TestWindowLayout::hidingAPanelGivesTheKeysToThePage() {
    Program program;
    program.window->open({goldenCapture(QStringLiteral("interrupted"))});
    QVERIFY(program.waitUntilIdle());
    program.window->activateWindow();
    program.action(QStringLiteral("Import report"))->trigger();
    QTRY_VERIFY(qobject_cast<DataTable*>(QApplication::focusWidget()) != nullptr);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Q);
    QTRY_VERIFY(program.pages().currentWidget()->isAncestorOf(QApplication::focusWidget()));
}

/// A line of text broke between 0.769 and s.
void TestWindowLayout::numbersStayWithTheirUnits() {
    Program program;
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    static const QRegularExpression kNumber(QStringLiteral("[0-9]\\x{a0}(%|[nµm]?s|[KMGT]?i?B)(?![A-Za-z])"));
    QSet<const QLabel*> withNumbers;
    const auto look = [&] {
        for (const QLabel* label : program.pages().currentWidget()->findChildren<QLabel*>()) {
            if (!label->wordWrap()) continue;
            if (label->text().contains(kNumber)) withNumbers.insert(label);
            QVERIFY2(label->text() == withUnbrokenUnits(label->text()), qPrintable(label->text()));
        }
    };
    for (const ViewId view : allViews()) {
        program.window->showView(view);
        QVERIFY(program.waitUntilIdle());
        look();
        for (QTabWidget* tabs : program.pages().currentWidget()->findChildren<QTabWidget*>()) {
            for (int tab = 0; tab < tabs->count(); ++tab) {
                tabs->setCurrentIndex(tab);
                QVERIFY(program.waitUntilIdle());
                look();
            }
        }
    }
    QVERIFY2(withNumbers.size() >= 2, qPrintable(QString::number(withNumbers.size())));
}

void TestWindowLayout::allTextsFit_data() {
    QTest::addColumn<QString>("language");
    QTest::addRow("English") << QStringLiteral("en");
    QTest::addRow("Chinese") << QStringLiteral("zh_CN");
}

void TestWindowLayout::allTextsFit() {
    QFETCH(QString, language);
    Program program;
    program.window->resize(1280, 800);
    program.language.setLanguage(language);
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    QTabWidget& pages = program.pages();
    const QRect lastTab = pages.tabBar()->tabRect(pages.count() - 1);
    QVERIFY2(lastTab.right() < pages.tabBar()->width(), "the tabs fit beside the tree");
    for (const ViewId view : allViews()) {
        program.window->showView(view);
        QVERIFY(program.waitUntilIdle());
        for (const QAbstractButton* button : program.window->findChildren<QAbstractButton*>()) {
            if (!isShown(button) || button->text().isEmpty()) continue;
            QVERIFY2(button->width() >= button->sizeHint().width(), qPrintable(button->text()));
        }
        for (const QLabel* label : program.window->findChildren<QLabel*>()) {
            if (!isShown(label) || label->text().isEmpty() || label->wordWrap()) continue;
            QVERIFY2(label->width() >= label->sizeHint().width(), qPrintable(label->text()));
        }
    }
    const auto* tree = program.window->findChild<CaptureTree*>();
    for (QModelIndex row = tree->model()->index(0, 0); row.isValid(); row = tree->indexBelow(row)) {
        const int needed = tree->fontMetrics().horizontalAdvance(row.data().toString());
        // Icon and margins stand in front of the text.
        QVERIFY2(tree->visualRect(row).width() >= needed + 22, qPrintable(row.data().toString()));
    }
}

ALTI_TEST(TestWindowLayout)
#include "tst_window_layout.moc"
