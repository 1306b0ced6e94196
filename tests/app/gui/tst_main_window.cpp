#include "app/gui/tab_stops.h"
#include "tests/app/gui/window_program.h"
#include "tests/support/heard_signals.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/pages/data_page.h"
#include "views/common/support/view_list.h"
#include "views/common/tables/data_table.h"
#include "views/findings/evidence_bar.h"
#include "views/help/tour_bubble.h"
#include "views/overview/tree/capture_tree.h"
#include "views/report/panels/picture_list.h"
#include "views/report/panels/report_form.h"
#include "views/report/report_page.h"
#include "views/timeline/canvas/timeline_canvas.h"

#include <QClipboard>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSpinBox>
#include <QTreeWidget>

using namespace altiscope;
using namespace altiscope::test;

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
    void tabStopsAtFiltersAndSettings();
    void recentIsRememberedAndCleared();
    void failureBesideAnOpenCaptureIsReported();
    void failedPathsAreNotRemembered();
    void pagesGoIntoTheReport();
    void foldersCanBeDropped();
    void sliceIsSelectedWhenItIsRead();
    void theMenuCopiesAllSelectedFrames();
    void whatPagesRequestIsHeard();
};

/// A signal that nobody listens to is a key, a click or a finding that leads nowhere.
void TestMainWindow::whatPagesRequestIsHeard() {
    Program program;
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    QList<QObject*> objects;
    for (DataPage* page : program.window->findChildren<DataPage*>()) objects << page;
    QCOMPARE(objects.size(), static_cast<qsizetype>(allViews().size()));
    for (TimelineCanvas* canvas : program.window->findChildren<TimelineCanvas*>()) objects << canvas;
    QStringList unheard;
    for (const QObject* object : objects) {
        for (const QString& signal : unheardSignals(*object, *object->metaObject()))
            unheard << QString::fromLatin1(object->metaObject()->className()) + QStringLiteral("::") + signal;
    }
    // Only tests wait for it.
    unheard.removeAll(QStringLiteral("altiscope::TimelinePage::becameIdle"));
    QCOMPARE(unheard.join(u' '), QString());
}

/// Edit > Copy took the current frame of a call stack, Ctrl+C all that were selected.
void TestMainWindow::theMenuCopiesAllSelectedFrames() {
    Program program;
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    program.window->showView(ViewId::Timeline);
    const TraceStore& trace = *program.session.captures().front().store->ranks[0].trace;
    SliceIndex slice{};
    while (trace.name(slice) != "aten::add") ++slice.value;
    program.selection.selectSlice(program.session.captures().front().id, {.rank = {0}, .id = trace.id(slice)});
    QVERIFY(program.waitUntilIdle());
    QTreeWidget* frames = nullptr;
    for (QTreeWidget* list : program.window->findChildren<QTreeWidget*>()) {
        if (list->accessibleName() == QStringLiteral("Call stack")) frames = list;
    }
    QVERIFY(frames != nullptr);
    QTRY_VERIFY(frames->topLevelItemCount() > 1);
    QStringList all;
    for (int i = 0; i < frames->topLevelItemCount(); ++i) all << frames->topLevelItem(i)->text(0);
    frames->selectAll();
    frames->setFocus();
    QAction* copy = nullptr;
    for (QAction* action : program.menuActions()) {
        if (action->text().startsWith(QStringLiteral("&Copy\t"))) copy = action;
    }
    QVERIFY(copy != nullptr);
    copy->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text(), all.join(u'\n'));
    QGuiApplication::clipboard()->clear();
    QTest::keyClick(frames, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), all.join(u'\n'));
}

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
    auto* bubble = program.window->findChild<TourBubble*>();
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
    reopen(QStringLiteral("Guided tour"));
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

/// Pages hand the focus on to their table, and Tab went there past all that stands above it.
void TestMainWindow::tabStopsAtFiltersAndSettings() {
    QWidget window;
    QPushButton before(&window);
    QWidget page(&window);
    QLineEdit filter(&page);
    QWidget table(&page), hidden(&page);
    QSpinBox after(&window);
    for (QWidget* stop : {&table, &hidden}) stop->setFocusPolicy(Qt::StrongFocus);
    hidden.hide();
    page.setFocusProxy(&table);
    window.show();
    before.setFocus();
    QList<QWidget*> stops;
    for (int i = 0; i < 4; ++i) {
        stops << nextTabStop(window);
        QVERIFY(stops.back() != nullptr);
        stops.back()->setFocus();
    }
    QCOMPARE(stops, (QList<QWidget*>{&filter, &table, &after, &before}));
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

void TestMainWindow::failureBesideAnOpenCaptureIsReported() {
    Program program;
    program.window->open({goldenCapture(QStringLiteral("torch_two_ranks"))});
    QVERIFY(program.waitUntilIdle());
    program.window->open({QStringLiteral("/nowhere/at/all")});
    QVERIFY(program.waitUntilIdle());
    QVERIFY2(isShown(&program.pages()), "what is open stays");
    bool reported = false;
    for (const QLabel* label : program.window->findChildren<QLabel*>()) {
        reported |= isShown(label) && label->text() == QStringLiteral("all could not be opened");
    }
    QVERIFY(reported);
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
    QVERIFY(program.selection.current().slice == (SliceKey{.rank = {1}, .id = wanted}));
}

ALTI_TEST(TestMainWindow)
#include "tst_main_window.moc"
