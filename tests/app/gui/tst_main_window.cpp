#include "app/gui/main_window.h"

#include "core/session/demo_capture.h"
#include "core/session/marks.h"
#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "tests/views/report/report_stage.h"
#include "views/common/tables/data_table.h"
#include "views/findings/evidence_bar.h"
#include "views/help/walk_bubble.h"
#include "views/overview/capture_tree.h"
#include "views/overview/context_bar.h"
#include "views/overview/report_model.h"
#include "views/report/picture_list.h"
#include "views/report/report_form.h"
#include "views/report/report_page.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QToolButton>

#include <optional>

using namespace altiscope;
using namespace altiscope::test;

namespace {

/// The program as main() puts it together, without main().
struct Program {
    explicit Program(const QString& settingsFile = {}) : settings(settingsFile) {
        window.emplace(WindowServices{session, selection, theme, language, settings, demo, marks});
        window->show();
    }
    ~Program() {
        jobs.shutdown();
        window.reset();
    }

    bool waitUntilIdle() {
        return QTest::qWaitFor([&] { return jobs.jobs().empty() && window->idle(); }, 120'000);
    }
    QTabWidget& pages() {
        for (QTabWidget* tabs : window->findChildren<QTabWidget*>()) {
            if (tabs->count() == static_cast<int>(allViews().size())) return *tabs;
        }
        qFatal("no pages");
    }
    /// The action of a menu whose text, without its access key, is this.
    QAction* action(const QString& text) {
        for (QAction* action : window->findChildren<QAction*>() + menuActions()) {
            if (QString(action->text()).remove(u'&') == text) return action;
        }
        return nullptr;
    }
    QList<QAction*> menuActions() {
        QList<QAction*> all;
        QList<QMenu*> menus;
        for (QAction* top : window->menuBar()->actions()) menus << top->menu();
        while (!menus.isEmpty()) {
            for (QAction* action : menus.takeFirst()->actions()) {
                all << action;
                if (action->menu() != nullptr) menus << action->menu();
            }
        }
        return all;
    }

    UserSettings settings;
    ThemeController theme{*qApp};
    LanguageController language;
    JobRunner jobs;
    Session session{jobs};
    Selection selection;
    QTemporaryDir demoFolder;
    Marks marks{session, {}};
    DemoCapture demo{session, demoFolder.filePath(QStringLiteral("demo")).toStdString()};
    std::optional<MainWindow> window;
};

bool isShown(const QWidget* widget) { return widget->isVisible() && !widget->visibleRegion().isEmpty(); }

}  // namespace

class TestMainWindow : public QObject {
    Q_OBJECT
private slots:
    void startsEmpty();
    void opensAndCloses();
    void severalCaptures();
    void failureIsExplained();
    void cancelWhileLoading();
    void closesWhileLoading_data();
    void closesWhileLoading();
    void demoIsMadeAndOpened();
    void eachPageCanBeReached();
    void languageChangesWhileItRuns();
    void themeChangesWhileItRuns();
    void layoutIsRememberedAndReset();
    void recentIsRememberedAndCleared();
    void failureBesideAnOpenCaptureIsTold();
    void failedPathsAreNotRemembered();
    void reportFollowsTheLanguage();
    void pagesGoIntoTheReport();
    void hidingAPanelGivesTheKeysToThePage();
    void theLowerPanelKeepsItsHeight();
    void theWindowFitsSmallScreens();
    void pagesOfLaterVersionsHaveNoTab();
    void findLeadsToTheSearchOfThePage();
    void theBarAboveThePagesGivesTheKeysBack();
    void foldersCanBeDropped();
    void sliceIsSelectedWhenItIsRead();
    void allTextsFit_data();
    void allTextsFit();
};

void TestMainWindow::startsEmpty() {
    Program program;
    QVERIFY(program.waitUntilIdle());
    QCOMPARE(program.window->windowTitle(), QStringLiteral("Altiscope"));
    QVERIFY(!isShown(&program.pages()));
    QVERIFY(!program.action(QStringLiteral("Close capture"))->isEnabled());
}

void TestMainWindow::opensAndCloses() {
    Program program;
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    QVERIFY(isShown(&program.pages()));
    QCOMPARE(program.pages().tabText(program.pages().currentIndex()), QStringLiteral("Overview"));
    QCOMPARE(program.window->windowTitle(), QStringLiteral("capture – Altiscope"));
    program.action(QStringLiteral("Close capture"))->trigger();
    QVERIFY(program.session.captures().empty());
    QVERIFY(!isShown(&program.pages()));
    QCOMPARE(program.window->windowTitle(), QStringLiteral("Altiscope"));
}

void TestMainWindow::severalCaptures() {
    Program program;
    program.window->open(
        {goldenCapture(QStringLiteral("torch_two_ranks")), goldenCapture(QStringLiteral("interrupted"))});
    QVERIFY(program.waitUntilIdle());
    auto* tree = program.window->findChild<CaptureTree*>();
    QCOMPARE(tree->model()->rowCount(), 2);
    // What a command is done to follows the tree.
    tree->setCurrentIndex(tree->model()->index(0, 0));
    program.action(QStringLiteral("Close capture"))->trigger();
    QCOMPARE(program.session.captures().size(), std::size_t{1});
    QVERIFY(program.session.captures().front().path.contains(QStringLiteral("interrupted")));
}

void TestMainWindow::failureIsExplained() {
    Program program;
    program.window->open({QStringLiteral("/nowhere/at/all")});
    QVERIFY(program.waitUntilIdle());
    QVERIFY(!isShown(&program.pages()));
    bool explained = false;
    for (const QLabel* label : program.window->findChildren<QLabel*>()) {
        explained |= isShown(label) && label->text().startsWith(QStringLiteral("/nowhere/at/all does not exist."));
    }
    QVERIFY(explained);
}

void TestMainWindow::cancelWhileLoading() {
    Program program;
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    program.session.cancel(program.session.captures().front().id);
    QVERIFY(program.waitUntilIdle());
    QCOMPARE(program.session.captures().size(), std::size_t{1});
    program.action(QStringLiteral("Read again"))->trigger();
    QVERIFY(program.waitUntilIdle());
    QVERIFY(program.session.captures().front().store->sealed);
}

void TestMainWindow::closesWhileLoading_data() {
    QTest::addColumn<int>("afterMs");
    for (const int ms : {0, 1, 3, 10}) QTest::addRow("after %d ms", ms) << ms;
}

void TestMainWindow::closesWhileLoading() {
    QFETCH(int, afterMs);
    {
        Program program;
        program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
        QTest::qWait(afterMs);
        program.window->close();
    }
    Program program;
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QTest::qWait(afterMs);
    program.session.close(program.session.captures().front().id);
    QVERIFY(program.waitUntilIdle());
}

void TestMainWindow::demoIsMadeAndOpened() {
    Program program;
    program.action(QStringLiteral("Open demo"))->trigger();
    QVERIFY(QTest::qWaitFor([&] { return !program.session.captures().empty(); }, 300'000));
    QVERIFY(program.waitUntilIdle());
    QCOMPARE(program.session.captures().front().store->ranks.size(), std::size_t{16});

    // The first time it leads through the window in five stops.
    auto* bubble = program.window->findChild<WalkBubble*>();
    QTRY_VERIFY(bubble->isVisible());
    const auto press = [&](Qt::Key key) { QTest::keyClick(bubble, key); };
    press(Qt::Key_Return);
    auto* evidence = program.window->findChild<EvidenceBar*>();
    QVERIFY(evidence->isHidden());
    press(Qt::Key_Return);
    QVERIFY(evidence->isVisible());
    QCOMPARE(QString::fromStdString(evidence->finding()->rule), QStringLiteral("slow_rank"));
    QVERIFY(program.waitUntilIdle());
    QCOMPARE(program.pages().tabText(program.pages().currentIndex()), viewTitle(ViewId::Timeline));
    // The slow rank stands beside its peers, those of its stage.
    const std::size_t peers = evidence->finding()->evidence.peers.size();
    QVERIFY(peers > 0);
    const QString said = evidence->findChildren<QLabel*>().last()->text();
    QVERIFY2(said.contains(QStringLiteral("on all %1 ranks").arg(peers + 1)), qPrintable(said));
    press(Qt::Key_Right);
    press(Qt::Key_Right);
    QVERIFY(bubble->isVisible());
    press(Qt::Key_Return);
    QVERIFY(bubble->isHidden());

    // It never comes back by itself, but from the menu.
    const auto reopen = [&](const QString& action) {
        program.session.close(program.session.captures().front().id);
        QVERIFY(program.waitUntilIdle());
        QVERIFY(evidence->isHidden());  // with its capture
        program.action(action)->trigger();
        QVERIFY(QTest::qWaitFor([&] { return !program.session.captures().empty(); }, 60'000));
        QVERIFY(program.waitUntilIdle());
    };
    reopen(QStringLiteral("Open demo"));
    QVERIFY(bubble->isHidden());
    reopen(QStringLiteral("First walk"));
    QTRY_VERIFY(bubble->isVisible());
    QTest::keyClick(program.window.operator->(), Qt::Key_Escape);
    QTRY_VERIFY(bubble->isHidden());
}

void TestMainWindow::eachPageCanBeReached() {
    Program program;
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    for (const ViewId view : allViews()) {
        program.window->showView(view);
        QVERIFY(program.waitUntilIdle());
        QCOMPARE(program.pages().tabText(program.pages().currentIndex()), viewTitle(view));
        QVERIFY(isShown(program.pages().currentWidget()));
        QVERIFY(program.action(viewTitle(view))->isChecked());
    }
}

void TestMainWindow::languageChangesWhileItRuns() {
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

void TestMainWindow::themeChangesWhileItRuns() {
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

void TestMainWindow::layoutIsRememberedAndReset() {
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

void TestMainWindow::theLowerPanelKeepsItsHeight() {
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

void TestMainWindow::theWindowFitsSmallScreens() {
    Program program;
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    program.window->showView(ViewId::Timeline);
    const TraceStore& trace = *program.session.captures().front().store->ranks[1].trace;
    program.selection.selectSlice(1, {.rank = 1, .id = trace.id({2})});
    QVERIFY(program.waitUntilIdle());
    QVERIFY(isShown(program.window->findChild<QDockWidget*>(QStringLiteral("bottom"))));
    for (const ViewId view : allViews()) {
        program.window->showView(view);
        QVERIFY(program.waitUntilIdle());
        const QSize least = program.window->minimumSizeHint();
        // Frames and panels of desktops want some of 1280 x 800 and 1366 x 768.
        QVERIFY2(least.width() <= 1270 && least.height() <= 700,
                 qPrintable(QStringLiteral("%1: %2 x %3").arg(viewName(view)).arg(least.width()).arg(least.height())));
    }
}

void TestMainWindow::pagesOfLaterVersionsHaveNoTab() {
    Program program;
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    const auto tabs = [&] {
        QStringList titles;
        for (int i = 0; i < program.pages().count(); ++i) {
            if (program.pages().isTabVisible(i)) titles << program.pages().tabText(i);
        }
        return titles;
    };
    QVERIFY(!tabs().contains(QStringLiteral("Cluster")));
    QVERIFY(tabs().contains(QStringLiteral("Findings")));
    // By its name it can be reached all the same, and goes again.
    program.action(QStringLiteral("Cluster"))->trigger();
    QVERIFY(tabs().contains(QStringLiteral("Cluster")));
    QCOMPARE(program.pages().tabText(program.pages().currentIndex()), QStringLiteral("Cluster"));
    program.window->showView(ViewId::Timeline);
    QVERIFY(!tabs().contains(QStringLiteral("Cluster")));
}

void TestMainWindow::findLeadsToTheSearchOfThePage() {
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

void TestMainWindow::theBarAboveThePagesGivesTheKeysBack() {
    Program program;
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    program.window->activateWindow();
    program.window->showView(ViewId::Timeline);
    auto* box = program.window->findChild<ContextBar*>()->findChild<QComboBox*>();
    const auto pageHasKeys = [&] {
        return QApplication::focusWidget() != nullptr &&
               program.pages().currentWidget()->isAncestorOf(QApplication::focusWidget());
    };
    box->setFocus();
    QTRY_VERIFY(!pageHasKeys());
    QTest::keyClicks(box->lineEdit(), QStringLiteral("1"));
    QTest::keyClick(box->lineEdit(), Qt::Key_Escape);
    QVERIFY(pageHasKeys());
    QVERIFY(program.selection.current().context.ranks.empty());
    box->setFocus();
    box->lineEdit()->selectAll();
    QTest::keyClicks(box->lineEdit(), QStringLiteral("1"));
    QTest::keyClick(box->lineEdit(), Qt::Key_Return);
    QVERIFY(pageHasKeys());
    QCOMPARE(program.selection.current().context.ranks, std::vector<std::int64_t>{1});
    // What cannot be read stays there to be mended.
    box->setFocus();
    box->lineEdit()->setText(QStringLiteral("1-x"));
    QTest::keyClick(box->lineEdit(), Qt::Key_Return);
    QVERIFY(!pageHasKeys());
}

void TestMainWindow::recentIsRememberedAndCleared() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("settings.ini"));
    const QString path = goldenCapture(QStringLiteral("torch_two_ranks"));
    {
        Program program(file);
        program.window->open({path});
        QVERIFY(program.waitUntilIdle());
    }
    Program program(file);
    QVERIFY(program.action(path) != nullptr);
    program.action(path)->trigger();
    QCOMPARE(program.session.captures().size(), std::size_t{1});
    program.action(QStringLiteral("Clear this list"))->trigger();
    QVERIFY(program.action(path) == nullptr);
    QVERIFY(program.settings.recent().isEmpty());
}

void TestMainWindow::failureBesideAnOpenCaptureIsTold() {
    Program program;
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    program.window->open({QStringLiteral("/nowhere/at/all")});
    QVERIFY(program.waitUntilIdle());
    QVERIFY2(isShown(&program.pages()), "what is open stays");
    bool told = false;
    for (const QLabel* label : program.window->findChildren<QLabel*>()) {
        told |= isShown(label) && label->text() == QStringLiteral("all could not be opened");
    }
    QVERIFY(told);
    const DataTable* report = nullptr;
    for (const DataTable* table : program.window->findChildren<DataTable*>()) {
        if (isShown(table) && table->accessibleName() == QStringLiteral("Import report")) report = table;
    }
    QVERIFY(report != nullptr);
    QTRY_VERIFY2(tableAsText(report->shownPart(), 100).contains(QStringLiteral("capture.missing")),
                 qPrintable(tableAsText(report->shownPart(), 100)));
}

void TestMainWindow::failedPathsAreNotRemembered() {
    Program program;
    program.window->open({QStringLiteral("/nowhere/at/all")});
    QVERIFY(program.waitUntilIdle());
    QVERIFY(program.settings.recent().isEmpty());
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    QCOMPARE(program.settings.recent(), QStringList{goldenCapture(QStringLiteral("torch_two_ranks"))});
}

void TestMainWindow::reportFollowsTheLanguage() {
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

void TestMainWindow::pagesGoIntoTheReport() {
    Program program;
    QAction* add = program.action(QStringLiteral("Add page to report"));
    QVERIFY(!add->isEnabled());
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    QVERIFY(add->isEnabled());
    add->trigger();
    program.window->showView(ViewId::Timeline);
    QVERIFY(program.waitUntilIdle());
    const QSize size = program.pages().currentWidget()->size();
    add->trigger();
    const auto& pictures = program.window->findChild<ReportPage*>()->form().pictures().pictures();
    QCOMPARE(pictures.size(), std::size_t{2});
    QCOMPARE(pictures[0].title, std::string("Overview – capture"));
    QCOMPARE(pictures[1].title, std::string("Timeline – capture"));
    const QImage picture = QImage::fromData(QByteArray::fromStdString(pictures[1].png));
    QCOMPARE(picture.size(), size * program.window->devicePixelRatio());
    // The report is no part of itself.
    program.window->showView(ViewId::Report);
    QVERIFY(program.waitUntilIdle());
    QVERIFY(!add->isEnabled());
}

void TestMainWindow::hidingAPanelGivesTheKeysToThePage() {
    Program program;
    program.window->open({goldenCapture(QStringLiteral("interrupted"))});
    QVERIFY(program.waitUntilIdle());
    program.window->activateWindow();
    program.action(QStringLiteral("Import report"))->trigger();
    QTRY_VERIFY(qobject_cast<DataTable*>(QApplication::focusWidget()) != nullptr);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Q);
    QTRY_VERIFY(program.pages().currentWidget()->isAncestorOf(QApplication::focusWidget()));
}

void TestMainWindow::foldersCanBeDropped() {
    Program program;
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(goldenCapture(QStringLiteral("torch_two_ranks"))),
                  QUrl(QStringLiteral("http://nowhere/"))});
    QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&*program.window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&*program.window, &drop);
    QCOMPARE(program.session.captures().size(), std::size_t{1});
    QMimeData text;
    text.setText(QStringLiteral("no file"));
    QDragEnterEvent other(QPoint(5, 5), Qt::CopyAction, &text, Qt::LeftButton, Qt::NoModifier);
    other.ignore();
    QApplication::sendEvent(&*program.window, &other);
    QVERIFY(!other.isAccepted());
}

void TestMainWindow::sliceIsSelectedWhenItIsRead() {
    SliceId wanted;
    {
        Program program;
        program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
        QVERIFY(program.waitUntilIdle());
        wanted = program.session.captures().front().store->ranks[1].trace->id({2});
    }
    Program program;
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    program.window->selectWhenRead(wanted);
    QVERIFY(program.waitUntilIdle());
    QVERIFY(program.selection.current().slice == (SliceKey{.rank = 1, .id = wanted}));
}

void TestMainWindow::allTextsFit_data() {
    QTest::addColumn<QString>("language");
    QTest::addRow("English") << QStringLiteral("en");
    QTest::addRow("Chinese") << QStringLiteral("zh_CN");
}

void TestMainWindow::allTextsFit() {
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

ALTI_TEST(TestMainWindow)
#include "tst_main_window.moc"
