#include "views/compare/compare_page.h"

#include "tests/views/report/report_stage.h"
#include "views/common/pages/side_choice.h"
#include "views/common/tables/table_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

#include <optional>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

struct CompareStage : PageStage {
    ComparePage page{session, selection, memory};

    CompareStage() {
        page.resize(1100, 700);
        page.show();
    }
    CaptureId open(const QString& capture) {
        const CaptureId id = openAndWait(session, capture);
        settle();
        return id;
    }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return page.idle() && jobs.idle(); }, 60'000));
    }
    std::size_t rows() { return page.table().table().loader().rows()->count; }
    void group(DifferenceGroup group) {
        page.setGroup(group);
        settle();
    }
    QByteArray written(const QString& name) {
        const QString file = folder.filePath(name);
        page.write(file);
        settle();
        return contentOf(file);
    }

    QTemporaryDir folder;
};

}  // namespace

/// The page Compare: sides, sentence, differences, and where rows lead.
class TestComparePage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_base.isMade && m_slow.isMade); }
    void nothingToCompareSaysWhy();
    void twoCapturesCompareThemselves();
    void ranksAndStepsOfOneCapture();
    void wrongNumbersAreSaid();
    void groupsAndWhatIsRemembered();
    void sidesAreExchanged();
    void rowsLeadWhereTheyAreShown();
    void writtenAsHtmlAndJson();
    void aClosedCaptureIsGone();
    void nothingIsComparedOutOfSight();
    void cancelledAndAgain();
    void whatCannotBeComparedSaysWhy();

private:
    GeneratedRun m_base{{"--ranks", "2", "--steps", "4", "--layers", "1"}};
    GeneratedRun m_slow{{"--ranks", "2", "--steps", "4", "--layers", "1", "--seed", "5", "--plant", "slow-rank=1:60"}};
};

void TestComparePage::nothingToCompareSaysWhy() {
    CompareStage stage;
    QVERIFY2(stage.page.message().contains(u"Two runs"_s), qPrintable(stage.page.message()));
    stage.open(m_base.path());
    QVERIFY2(stage.page.message().contains(u"Both sides are the same"_s), qPrintable(stage.page.message()));
    QVERIFY(stage.page.shown() == nullptr);
}

void TestComparePage::twoCapturesCompareThemselves() {
    CompareStage stage;
    const CaptureId base = stage.open(m_base.path()), slow = stage.open(m_slow.path());
    QCOMPARE(stage.page.base().capture(), base);
    QCOMPARE(stage.page.current().capture(), slow);
    QVERIFY(stage.page.message().isEmpty());
    QVERIFY2(stage.page.sentence().contains(u"slower"_s), qPrintable(stage.page.sentence()));
    QVERIFY(stage.rows() > 20);
    // The rows are the times of the comparison, in its order; what follows from one stands below it.
    const Comparison& comparison = *stage.page.shown()->comparison;
    QVERIFY(comparison.significant > 0);
    std::optional<std::uint32_t> cause, follower;
    for (const std::uint32_t row : stage.page.shown()->rows) {
        const auto& of = comparison.differences[row].cause;
        const bool isBelow = of && comparison.differences[*of].unit == DifferenceUnit::Nanoseconds;
        if (isBelow) QCOMPARE(*of, std::size_t{*cause});
        std::optional<std::uint32_t>& before = isBelow ? follower : cause;
        if (!isBelow) follower.reset();
        QVERIFY(!before || *before < row);
        before = row;
    }
}

void TestComparePage::ranksAndStepsOfOneCapture() {
    CompareStage stage;
    stage.open(m_slow.path());
    stage.page.base().setParts(u"0"_s, QString());
    stage.page.current().setParts(u"1"_s, QString());
    stage.settle();
    QVERIFY(stage.page.message().isEmpty());
    const auto& first = stage.page.shown();
    QCOMPARE(first->comparison->baseRanks, std::size_t{1});
    QCOMPARE(first->comparison->baseSteps, std::size_t{4});
    // Two steps: nothing can be said about noise, and no row is marked.
    std::vector<std::int64_t> steps;
    for (const Step& step : stage.session.captures().front().store->ranks.front().steps) steps.push_back(step.number);
    QVERIFY(steps.size() == 4);
    stage.page.base().setParts(QString(), QString::number(steps[1]));
    stage.page.current().setParts(QString(), QString::number(steps[2]));
    stage.settle();
    QVERIFY(stage.page.sentence().contains(u"noise"_s));
    QCOMPARE(stage.page.shown()->comparison->significant, std::size_t{0});
    const auto& empty = stage.page.shown()->emptyOnes;
    QVERIFY(std::find(empty.begin(), empty.end(), DifferenceColumn::Low) != empty.end());
}

void TestComparePage::wrongNumbersAreSaid() {
    CompareStage stage;
    stage.open(m_base.path());
    stage.page.base().setParts(u"one"_s, QString());
    stage.settle();
    QVERIFY2(stage.page.message().contains(u"4-7"_s), qPrintable(stage.page.message()));
    QVERIFY(!stage.page.base().isPossible());
}

void TestComparePage::groupsAndWhatIsRemembered() {
    CompareStage stage;
    stage.open(m_base.path());
    stage.open(m_slow.path());
    const std::size_t all = stage.rows();
    std::size_t sum = 0;
    for (std::size_t i = 0; i < kDimensions; ++i) {
        stage.group(static_cast<Dimension>(i));
        for (std::uint32_t row = 0; row < stage.page.shown()->rows.size(); ++row) {
            const Difference& difference = stage.page.shown()->difference(row);
            QVERIFY(difference.dimension == static_cast<Dimension>(i));
            sum += difference.unit == DifferenceUnit::Nanoseconds ? 1 : 0;
        }
    }
    QCOMPARE(sum, all);
    stage.group(Dimension::Category);
    stage.page.findChild<QCheckBox*>()->click();
    stage.settle();
    QVERIFY(stage.rows() > 0);
    for (std::uint32_t row = 0; row < stage.page.shown()->rows.size(); ++row)
        QVERIFY(stage.page.shown()->difference(row).change.significant);
    const ComparePage again(stage.session, stage.selection, stage.memory);
    QVERIFY(again.findChild<QCheckBox*>()->isChecked());
}

void TestComparePage::sidesAreExchanged() {
    CompareStage stage;
    const CaptureId base = stage.open(m_base.path()), slow = stage.open(m_slow.path());
    const std::int64_t change = stage.page.shown()->comparison->step->change;
    QVERIFY(change > 0);
    stage.page.findChild<QToolButton*>(u"swap"_s)->click();
    stage.settle();
    QCOMPARE(stage.page.base().capture(), slow);
    QCOMPARE(stage.page.current().capture(), base);
    QCOMPARE(stage.page.shown()->comparison->step->change, -change);
}

void TestComparePage::rowsLeadWhereTheyAreShown() {
    CompareStage stage;
    stage.open(m_base.path());
    const CaptureId slow = stage.open(m_slow.path());
    QSignalSpy timeline(&stage.page, &DataPage::timelineRequested), views(&stage.page, &ComparePage::viewRequested);
    stage.group(Dimension::Kernel);
    emit stage.page.table().table().activated(0);
    stage.settle();
    QCOMPARE(timeline.size(), 1);
    QVERIFY(stage.selection.current().slice.has_value());
    QCOMPARE(stage.selection.current().capture, slow);
    const CaptureStore& store = *stage.session.capture(slow)->store;
    const auto found = findSlice(store, *stage.selection.current().slice);
    QVERIFY(found.has_value());
    QCOMPARE(std::string(store.ranks[found->rank.value].trace->name(found->slice)),
             std::string(nameOf(stage.page.shown()->difference(0)).name));
    stage.group(Dimension::Category);
    emit stage.page.table().table().activated(0);
    stage.settle();
    QCOMPARE(views.size(), 1);
    QCOMPARE(views[0][0].value<ViewId>(), ViewId::Overview);
    QCOMPARE(views[0][1].value<CaptureId>(), slow);
}

void TestComparePage::writtenAsHtmlAndJson() {
    CompareStage stage;
    stage.open(m_base.path());
    stage.open(m_slow.path());
    const QJsonObject json = QJsonDocument::fromJson(stage.written(u"c.json"_s)).object();
    QCOMPARE(json[u"differences"].toArray().size(),
             static_cast<qsizetype>(stage.page.shown()->comparison->differences.size()));
    QVERIFY(stage.page.outcome().contains(u"c.json"_s));
    QVERIFY(stage.written(u"c.html"_s).contains("<html lang=\"en\">"));
    QVERIFY(stage.written(u"c.txt"_s).isEmpty());
    QVERIFY(stage.page.outcome().contains(u".html"_s));
    stage.page.write(m_base.path() + u"/c.html"_s);
    stage.settle();
    QVERIFY(stage.page.outcome().contains(u"evidence"_s));
    QVERIFY(!QFile::exists(m_base.path() + u"/c.html"_s));
}

void TestComparePage::aClosedCaptureIsGone() {
    CompareStage stage;
    const CaptureId base = stage.open(m_base.path()), slow = stage.open(m_slow.path());
    std::weak_ptr<const CaptureStore> store = stage.session.capture(base)->store;
    stage.session.close(base);
    stage.settle();
    QCOMPARE(stage.page.base().capture(), slow);
    QVERIFY(stage.page.shown() == nullptr);
    QTRY_VERIFY(store.expired());
}

void TestComparePage::nothingIsComparedOutOfSight() {
    CompareStage stage;
    stage.page.hide();
    stage.open(m_base.path());
    stage.open(m_slow.path());
    QVERIFY(stage.page.shown() == nullptr);
    stage.page.show();
    stage.settle();
    QVERIFY(stage.page.shown() != nullptr);
}

void TestComparePage::cancelledAndAgain() {
    CompareStage stage;
    stage.open(m_base.path());
    const QPushButton* again = nullptr;
    for (const auto* button : stage.page.findChildren<QPushButton*>())
        if (button->text().contains(u"again"_s)) again = button;
    QVERIFY(again != nullptr && !again->isVisible());
    stage.page.base().setParts(u"0"_s, QString());
    stage.jobs.cancelAll();
    stage.settle();
    // It may have been done before it noticed.
    if (stage.page.message().isEmpty()) return;
    QVERIFY(stage.page.message().contains(u"Cancelled."_s));
    QVERIFY(again->isVisible());
    const_cast<QPushButton*>(again)->click();
    stage.settle();
    QVERIFY(stage.page.message().isEmpty());
}

void TestComparePage::whatCannotBeComparedSaysWhy() {
    CompareStage stage;
    stage.open(m_base.path());
    stage.page.base().setParts(u"77"_s, QString());
    stage.settle();
    QVERIFY2(stage.page.message().contains(u"no rank 77"_s), qPrintable(stage.page.message()));
}

ALTI_TEST(TestComparePage)
#include "tst_compare_page.moc"
