#include "core/session/session.h"
#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/common/tables/table_panel.h"
#include "views/timeline/panels/find_bar.h"
#include "views/timeline/panels/find_list.h"
#include "views/timeline/scene/find_controller.h"
#include "views/timeline/scene/timeline_selection.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QToolButton>

using namespace altiscope;

namespace {

struct Finder {
    Finder()
        : runner(2), session(runner), scene(runner), selected(scene, selection), loader(scene, selected), bar(loader),
          list(loader, session, {}) {
        capture = test::captureFromTexts(
            {"p1/t1: MatMul[0,100) Add[200,300) MatMulV2[400,700)", "p1/t1: MatMul[150,160) Add[170,180)"});
        test::showIn(scene, {{1, capture}});
        list.show();
        bar.open();
    }
    ~Finder() { runner.shutdown(); }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return loader.idle() && selected.idle(); }));
    }
    void type(const QString& text) {
        bar.findChildren<QLineEdit*>().at(0)->setText(text);
        settle();
    }
    QString count() const {
        for (const QLabel* label : bar.findChildren<QLabel*>()) {
            if (!label->text().isEmpty()) return label->text();
        }
        return {};
    }
    std::int64_t begin() const { return selected.slice() ? selected.slice()->place.range.begin.value : -1; }
    void step(bool forward) {
        loader.step(forward);
        settle();
    }

    JobRunner runner;
    Session session;
    TimelineScene scene;
    Selection selection;
    TimelineSelection selected;
    FindController loader;
    FindBar bar;
    FindList list;
    std::shared_ptr<CaptureStore> capture;
};

}  // namespace

class TestFindBar : public QObject {
    Q_OBJECT
private slots:
    void countsAndSteps();
    void enterBeforeTheAnswerIsNotLost();
    void optionsAndProblems();
    void onlyInTheSelection();
    void exampleOfALengthIsNotCut();
    void lengths_data();
    void lengths();
    void listLeadsToSlices();
    void marksOfTheRun();
    void closedBarForgets();
    void escapeLeavesTheLineAndKeepsItsHits();
    void stepsWithinTheCaptureThatWasAsked();
};

void TestFindBar::countsAndSteps() {
    Finder finder;
    finder.type(QStringLiteral("matmul"));
    QCOMPARE(finder.count(), QStringLiteral("3 found"));
    // By time over all ranks, and around.
    for (const std::int64_t begin : {0, 150, 400, 0}) {
        finder.step(true);
        QCOMPARE(finder.begin(), begin);
    }
    QCOMPARE(finder.count(), QStringLiteral("1 of 3"));
    finder.step(false);
    QCOMPARE(finder.begin(), std::int64_t{400});
    QCOMPARE(finder.count(), QStringLiteral("3 of 3"));
    finder.type(QStringLiteral("nowhere"));
    QCOMPARE(finder.count(), QStringLiteral("Nothing found"));
    finder.step(true);
    QCOMPARE(finder.begin(), std::int64_t{400});
}

void TestFindBar::enterBeforeTheAnswerIsNotLost() {
    Finder finder;
    finder.type(QStringLiteral("add"));
    QLineEdit* line = finder.bar.findChildren<QLineEdit*>().at(0);
    // Not a hit of what was asked before, and not none.
    line->setText(QStringLiteral("MatMulV2"));
    QTest::keyClick(&finder.bar, Qt::Key_Return);
    QCOMPARE(finder.begin(), std::int64_t{-1});
    finder.settle();
    QCOMPARE(finder.begin(), std::int64_t{400});
    // Who types on wants something else.
    line->setText(QStringLiteral("ad"));
    QTest::keyClick(&finder.bar, Qt::Key_Return);
    line->setText(QStringLiteral("add"));
    finder.settle();
    QCOMPARE(finder.begin(), std::int64_t{400});
    QCOMPARE(finder.count(), QStringLiteral("2 found"));
}

void TestFindBar::optionsAndProblems() {
    Finder finder;
    const auto buttons = finder.bar.findChildren<QToolButton*>();
    const auto option = [&](const QString& text) {
        return *std::find_if(buttons.begin(), buttons.end(),
                             [&](const QToolButton* button) { return button->text() == text; });
    };
    finder.type(QStringLiteral("matmul"));
    option(QStringLiteral("Aa"))->setChecked(true);
    finder.settle();
    QCOMPARE(finder.count(), QStringLiteral("Nothing found"));
    option(QStringLiteral("Aa"))->setChecked(false);
    option(QStringLiteral("\u201cab\u201d"))->setChecked(true);
    finder.settle();
    QCOMPARE(finder.count(), QStringLiteral("2 found"));
    option(QStringLiteral("\u201cab\u201d"))->setChecked(false);
    option(QStringLiteral(".*"))->setChecked(true);
    finder.type(QStringLiteral("^mat.*\\d$"));
    QCOMPARE(finder.count(), QStringLiteral("1 found"));
    finder.type(QStringLiteral("mat("));
    QVERIFY2(finder.count().startsWith(QStringLiteral("This is not a regular expression")), qPrintable(finder.count()));
}

void TestFindBar::onlyInTheSelection() {
    Finder finder;
    finder.type(QStringLiteral("matmul"));
    finder.selected.markRange({{120}, {500}}, 0);
    finder.settle();
    QCOMPARE(finder.count(), QStringLiteral("3 found"));
    finder.bar.findChild<QCheckBox*>()->setChecked(true);
    finder.settle();
    QCOMPARE(finder.count(), QStringLiteral("2 found"));
}

void TestFindBar::exampleOfALengthIsNotCut() {
    Finder finder;
    finder.bar.resize(1000, finder.bar.height());
    const auto fields = finder.bar.findChildren<QLineEdit*>();
    const auto lengths = *std::find_if(fields.begin(), fields.end(), [](const QLineEdit* field) {
        return field->placeholderText().contains(QStringLiteral("100us"));
    });
    // QLineEdit keeps 2 pixels free on both sides of its text, and its style a frame.
    QVERIFY(lengths->width() > lengths->fontMetrics().horizontalAdvance(lengths->placeholderText()) + 12);
}

void TestFindBar::lengths_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("ok");
    QTest::addColumn<qint64>("shortest");
    QTest::addColumn<qint64>("longest");
    QTest::addRow("any") << QString() << true << qint64{-1} << qint64{-1};
    QTest::addRow("at least") << QStringLiteral("100us") << true << qint64{100'000} << qint64{-1};
    QTest::addRow("between") << QStringLiteral("1.5 us .. 2ms") << true << qint64{1'500} << qint64{2'000'000};
    QTest::addRow("at most") << QStringLiteral("..5 ns") << true << qint64{-1} << qint64{5};
    QTest::addRow("words") << QStringLiteral("long") << false << qint64{-1} << qint64{-1};
    QTest::addRow("nothing at both ends") << QStringLiteral("..") << false << qint64{-1} << qint64{-1};
}

void TestFindBar::lengths() {
    QFETCH(QString, text);
    QFETCH(qint64, shortest);
    QFETCH(qint64, longest);
    SliceQuery query;
    QTEST(readLengths(text, query), "ok");
    QCOMPARE(query.shortest.value_or(-1), shortest);
    QCOMPARE(query.longest.value_or(-1), longest);
}

void TestFindBar::listLeadsToSlices() {
    Finder finder;
    finder.type(QStringLiteral("add"));
    DataTable& table = finder.list.findChild<TablePanel*>()->table();
    QVERIFY(QTest::qWaitFor([&] { return !table.loader().busy() && table.loader().rows()->count == 2; }));
    emit table.activated(table.loader().rows()->row(0));
    finder.settle();
    QCOMPARE(finder.begin(), std::int64_t{170});
}

void TestFindBar::marksOfTheRun() {
    Finder finder;
    finder.type(QStringLiteral("matmul"));
    const SearchResult& result = finder.loader.result();
    QCOMPARE(std::count(result.marks.begin(), result.marks.end(), true), std::ptrdiff_t{3});
}

void TestFindBar::closedBarForgets() {
    Finder finder;
    finder.type(QStringLiteral("matmul"));
    const std::weak_ptr<const CaptureStore> store = finder.capture;
    finder.bar.close();
    finder.settle();
    QVERIFY(!finder.loader.result().hits);
    finder.capture.reset();
    test::showIn(finder.scene, {});
    QVERIFY(QTest::qWaitFor([&] { return store.expired(); }));
}

void TestFindBar::escapeLeavesTheLineAndKeepsItsHits() {
    Finder finder;
    finder.type(QStringLiteral("matmul"));
    QSignalSpy left(&finder.bar, &FindBar::left), closed(&finder.bar, &FindBar::closed);
    QTest::keyClick(finder.bar.focusProxy(), Qt::Key_Escape);
    QCOMPARE(left.count(), 1);
    QVERIFY(finder.bar.isVisible() && finder.loader.result().hits);
    // Without a question there is nothing to keep.
    finder.type({});
    QTest::keyClick(finder.bar.focusProxy(), Qt::Key_Escape);
    QCOMPARE(closed.count(), 1);
    QVERIFY(!finder.bar.isVisible());
}

void TestFindBar::stepsWithinTheCaptureThatWasAsked() {
    Finder finder;
    finder.type(QStringLiteral("matmul"));
    const auto other = test::captureFromTexts({"p9/t9: Other[5,6)"});
    test::showIn(finder.scene, {{1, finder.capture}, {2, other}});
    finder.settle();
    // The other capture becomes the one that is looked at, and nothing of it is known yet.
    finder.selected.chooseTracks(tracksOf(finder.scene.model(), finder.scene.model().rows().back()));
    QCOMPARE(finder.selected.capture(), CaptureId{2});
    finder.loader.step(true);
    QCOMPARE(finder.selected.capture(), CaptureId{1});
}

ALTI_TEST(TestFindBar)
#include "tst_find_bar.moc"
