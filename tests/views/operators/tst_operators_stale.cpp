#include "tests/views/operators/operators_stage.h"
#include "views/operators/call_site_panel.h"
#include "views/operators/kernel_list.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QMenu>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTimer>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

/// What leads from rows of the operators page to slices after the capture or the scope has become another.
class TestOperatorsStale : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_capture.made); }
    void closedCaptureLeavesThePage();
    void kernelsOfAnotherScopeThatCameOutOfSightAreNotShort();
    void slicesOfAnotherStoreAreLeft();
    void aMenuThatIsOpenWhileTheCaptureIsReadAgainLeadsNowhere();

private:
    Generated m_capture{{"--ranks", "2", "--steps", "3", "--layers", "2"}};
};

void TestOperatorsStale::closedCaptureLeavesThePage() {
    OperatorsFixture fixture(m_capture.path());
    const std::weak_ptr<const CaptureStore> store = fixture.session.capture(fixture.id)->store;
    fixture.page.hide();
    fixture.session.close(fixture.id);
    QVERIFY(fixture.page.shown() == nullptr);
    QVERIFY(QTest::qWaitFor([&] { return store.expired(); }, 5'000));
}

void TestOperatorsStale::kernelsOfAnotherScopeThatCameOutOfSightAreNotShort() {
    OperatorsFixture fixture(m_capture.path());
    const auto all = fixture.page.shown();
    ContextFilter context;
    context.ranks = {1};
    fixture.selection.setContext(context);
    fixture.settle();
    const auto ofRank = fixture.page.shown();
    QCOMPARE(ofRank->groups->all.count * 2, all->groups->all.count);
    KernelList list(fixture.session, fixture.memory);
    CallSitePanel sites(fixture.session, fixture.memory);
    for (QWidget* panel : {static_cast<QWidget*>(&list), static_cast<QWidget*>(&sites)}) panel->show();
    // No answer is taken before events are: all come out of sight.
    list.setGroup(ofRank, std::nullopt);
    sites.setGroup(ofRank, std::nullopt);
    for (QWidget* panel : {static_cast<QWidget*>(&list), static_cast<QWidget*>(&sites)}) panel->hide();
    list.setGroup(all, std::nullopt);
    sites.setGroup(all, std::nullopt);
    QVERIFY(QTest::qWaitFor([&] { return fixture.jobs.idle(); }, 10'000));
    QVERIFY(list.rows() == nullptr);
    QVERIFY(!sites.sites());
    for (QWidget* panel : {static_cast<QWidget*>(&list), static_cast<QWidget*>(&sites)}) panel->show();
    QVERIFY(QTest::qWaitFor([&] { return list.idle() && sites.idle() && fixture.jobs.idle(); }, 10'000));
    QCOMPARE(list.rows()->rowCount(), all->groups->all.count);
    QCOMPARE(sites.sites()->kernels, all->groups->all.count);
}

void TestOperatorsStale::slicesOfAnotherStoreAreLeft() {
    const Generated small{{"--ranks", "1", "--steps", "1", "--layers", "1"}};
    OperatorsFixture fixture(m_capture.path()), other(small.path());
    KernelList list(fixture.session, fixture.memory);
    CallSitePanel sites(fixture.session, fixture.memory);
    QSignalSpy ofList(&list, &KernelList::sliceRequested), ofSites(&sites, &CallSitePanel::sliceRequested);
    for (QWidget* panel : {static_cast<QWidget*>(&list), static_cast<QWidget*>(&sites)}) panel->show();
    list.setGroup(fixture.page.shown(), std::nullopt);
    sites.setGroup(fixture.page.shown(), std::nullopt);
    const auto settle = [&] {
        return QTest::qWaitFor([&] { return list.idle() && sites.idle() && fixture.jobs.idle(); }, 10'000);
    };
    QVERIFY(settle());
    list.table().table().setCurrent(list.rows()->rowCount() - 1, 0);
    QVERIFY(settle());
    QVERIFY(!list.origin().isEmpty() && !sites.sites()->sites.empty());
    for (QWidget* panel : {static_cast<QWidget*>(&list), static_cast<QWidget*>(&sites)}) panel->hide();
    list.setGroup(other.page.shown(), std::nullopt);
    sites.setGroup(other.page.shown(), std::nullopt);
    QVERIFY(list.rows() == nullptr && !sites.sites());
    QCOMPARE(list.origin(), QString());
    emit list.table().table().activated(0);
    emit sites.table().table().activated(0);
    QCOMPARE(ofList.size() + ofSites.size(), 0);
}

void TestOperatorsStale::aMenuThatIsOpenWhileTheCaptureIsReadAgainLeadsNowhere() {
    OperatorsFixture fixture(m_capture.path());
    KernelList& kernels = fixture.page.kernels();
    fixture.page.tabs().setCurrentWidget(&kernels);
    fixture.settle();
    DataTable& table = kernels.table().table();
    table.setCurrent(0, 0);
    fixture.settle();
    QSignalSpy dispatches(&kernels, &KernelList::dispatchRequested), slices(&kernels, &KernelList::sliceRequested);
    const auto before = fixture.page.shown();
    int taken = 0;
    QTimer::singleShot(0, &table, [&] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu != nullptr);
        fixture.session.reload(fixture.id);
        QVERIFY(QTest::qWaitFor([&] {
            return fixture.page.shown() != nullptr && fixture.page.shown() != before && fixture.jobs.idle() &&
                   fixture.page.idle();
        }));
        for (QAction* action : menu->actions()) {
            if (action->text() != u"La&unch chain"_s && action->text() != u"Show in the &timeline"_s) continue;
            QVERIFY(action->isEnabled());
            action->trigger();
            ++taken;
        }
        menu->close();
    });
    QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, table.mapToGlobal(QPoint()));
    QApplication::sendEvent(&table, &event);
    QCOMPARE(taken, 2);
    QCOMPARE(dispatches.size() + slices.size(), 0);
    // Nor does the page believe what it is told: no such rank, no such slice.
    const auto last =
        static_cast<std::uint32_t>(fixture.session.capture(fixture.id)->store->ranks[0].trace->sliceCount());
    for (const SliceRef gone : {SliceRef{9, {0}}, SliceRef{0, {last}}}) {
        emit kernels.dispatchRequested(gone);
        fixture.settle();
        QCOMPARE(fixture.page.tabs().currentWidget(), static_cast<QWidget*>(&kernels));
    }
}

ALTI_TEST(TestOperatorsStale)
#include "tst_operators_stale.moc"
