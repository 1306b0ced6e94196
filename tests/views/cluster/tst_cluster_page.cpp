#include "core/findings/claims.h"
#include "core/generate/generate_capture.h"
#include "core/generate/options/generate_options.h"
#include "core/tables/filters/filter_expression.h"
#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/cluster/canvas/pipeline_canvas.h"
#include "views/cluster/canvas/rank_canvas.h"
#include "views/cluster/cluster_page.h"
#include "views/cluster/data/delay_tables.h"
#include "views/cluster/panels/cluster_bar.h"
#include "views/cluster/panels/delay_panel.h"
#include "views/cluster/panels/pipeline_panel.h"
#include "views/common/pages/message_page.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

/// Eight ranks of which one computes slower, as files that a test may change before they are opened.
struct SlowRankCapture {
    explicit SlowRankCapture(const char* ranks = "8", const char* fault = "slow-rank=2:25") {
        const std::vector<std::string> words{
            path().toStdString(), "--ranks", ranks, "--steps", "4", "--layers", "2", "--seed", "301", "--plant", fault};
        ProgressSlot progress;
        const auto options = generate::parseGenerateOptions(words);
        made = options.ok() && generate::generateCapture(options.value(), progress, {}).ok();
    }
    QString path() const { return folder.filePath(u"capture"_s); }
    bool remove(int rank) const { return QDir(path() + u"/rank%1_ascend_pt"_s.arg(rank)).removeRecursively(); }

    QTemporaryDir folder;
    bool made = false;
};

struct ClusterFixture {
    QVariantMap kept;
    ViewMemory memory{[this](const QString& name) { return kept.value(name); },
                      [this](const QString& name, const QVariant& value) { kept[name] = value; }};
    JobRunner jobs;
    Session session{jobs};
    Selection selection;
    FindingsLoader loader{session};
    ClusterPage page{session, selection, loader, memory};
    CaptureId id;

    explicit ClusterFixture(const QString& capture = {}) {
        page.resize(1000, 800);
        page.show();
        if (!capture.isEmpty()) open(capture);
    }
    void open(const QString& capture) {
        id = openAndWait(session, capture);
        QVERIFY(id != kNoCapture);
        settle();
    }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return page.idle() && jobs.idle(); }, 20'000));
    }
    void type(const QString& sizes) {
        page.bar().sizes().setText(sizes);
        emit page.bar().sizes().editingFinished();
        settle();
    }
    std::size_t indexOf(std::int64_t rank) const {
        const auto& ranks = page.shown()->places().ranks;
        return static_cast<std::size_t>(
            std::find_if(ranks.begin(), ranks.end(), [rank](const PlacedRank& one) { return one.number == rank; }) -
            ranks.begin());
    }
    std::size_t cellOf(std::int64_t rank) { return page.canvas().picture()->grid.cellOf(indexOf(rank)); }
    const RankNumbers& numbers(std::int64_t rank) const {
        return page.shown()->numbers[page.shown()->places().ranks[indexOf(rank)].rank->value];
    }
};

}  // namespace

/// The page Cluster with captures of many ranks: its sentence, its grid, and where both lead.
class TestClusterPage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_capture.made); }
    void sentenceSaysWhatTheFindingSays();
    void sentenceLeadsToTheEvidence();
    void slowRankLiesApart();
    void numbersEqualThoseOfFindings();
    void enterLeadsToTheTimeline();
    void tableAndGridChooseTheSame();
    void contextNarrows();
    void absentRanksAreNamed();
    void oneRankHasNothingToCompareWith();
    void withoutAReplayTheReasonIsSaid();
    void baseShowsDifferences();
    void typedSizesPlaceTheRanks();
    void typedSizesStayWhileTheCaptureIsReadAgain();
    void typedSizesGoWithTheCapture();
    void sizesThatTheCaptureOutgrewSayWhy();
    void sizesThatAreNoJobSayWhy();
    void choicesAreRemembered();
    void labelsFollowTheLanguage();
    void examplesOfFiltersFitTheirTables();
    void delaysNameTheLateRank();
    void slowLinksOfAGroupAreCells();
    void microBatchesHaveArrowsToTheNextStage();
    void withoutAPipelineTheReasonIsSaid();
    void closedCaptureLeavesThePage();

private:
    SlowRankCapture m_capture;
};

void TestClusterPage::sentenceSaysWhatTheFindingSays() {
    ClusterFixture fixture(m_capture.path());
    const auto& findings = fixture.loader.found()->findings;
    const auto slow =
        std::find_if(findings.begin(), findings.end(), [](const Finding& one) { return one.rule == "slow_rank"; });
    QVERIFY(slow != findings.end() && slow->isReplayed && slow->recoverable);
    const QString text = QString(fixture.page.sentence().text).replace(QChar::Nbsp, u' ');
    QVERIFY2(text.contains(toQString(findingTitle(*slow, "en"))), qPrintable(text));
    QVERIFY2(text.contains(formatDuration({*slow->recoverable})), qPrintable(text));
    const JobAccount* job = replayedJob(*fixture.page.shown()->facts());
    QVERIFY(job != nullptr);
    QVERIFY2(text.contains(formatDuration({job->recordedTotal() / 4})), qPrintable(text));
}

void TestClusterPage::sentenceLeadsToTheEvidence() {
    ClusterFixture fixture(m_capture.path());
    QSignalSpy evidence(&fixture.page, &DataPage::evidenceRequested);
    auto* head = fixture.page.findChild<QLabel*>(u"cluster_sentence"_s);
    QVERIFY(head != nullptr);
    emit head->linkActivated(u"0"_s);
    QCOMPARE(evidence.count(), 1);
    const auto finding = evidence[0][0].toULongLong();
    QCOMPARE(fixture.loader.found()->findings[finding].rule, std::string("slow_rank"));
    emit head->linkActivated(u"999"_s);
    QCOMPARE(evidence.count(), 1);
}

void TestClusterPage::slowRankLiesApart() {
    ClusterFixture fixture(m_capture.path());
    fixture.page.bar().setMetric(RankMetric::Computing);
    fixture.settle();
    const auto& cells = fixture.page.canvas().picture()->cells;
    QCOMPARE(cells.size(), std::size_t{8});
    for (std::int64_t rank = 0; rank < 8; ++rank) {
        const RankPicture::Cell& cell = cells[fixture.cellOf(rank)];
        QCOMPARE(cell.state, RankPicture::State::Known);
        QCOMPARE(cell.isApart, rank == 2);
        QCOMPARE(cell.name, QString::number(rank));
    }
    const QString tip = fixture.page.canvas().picture()->tip(fixture.cellOf(2));
    QVERIFY2(tip.startsWith(u"Rank 2"_s) && tip.contains(u"robust z"_s) && tip.contains(u"Came last in"_s),
             qPrintable(tip));
}

void TestClusterPage::numbersEqualThoseOfFindings() {
    ClusterFixture fixture(m_capture.path());
    const CaptureFacts& facts = *fixture.page.shown()->facts();
    double recoverable = 0;
    for (std::size_t r = 0; r < facts.ranks.size(); ++r) {
        double computing = 0, free = 0;
        for (const StepFacts& step : facts.ranks[r].steps) {
            computing += static_cast<double>(step.computing) / 4;
            free += static_cast<double>(step.free) / 4;
        }
        const RankNumbers& numbers = fixture.page.shown()->numbers[r];
        QVERIFY(std::abs(numbers[RankMetric::Computing] - computing) < 1);
        QVERIFY(std::abs(numbers[RankMetric::Free] - free) < 1);
        QCOMPARE(numbers.steps, std::size_t{4});
        recoverable += numbers[RankMetric::Recoverable];
    }
    // All ranks together win what all causes win.
    std::int64_t sum = 0;
    for (const CauseFacts& cause : facts.account->job.causes) sum += cause.total();
    QVERIFY(std::abs(recoverable - static_cast<double>(sum) / 4) < 1);
    // The one that the others wait for.
    for (std::int64_t rank = 0; rank < 8; ++rank)
        QVERIFY(rank == 2 ||
                fixture.numbers(rank)[RankMetric::WaitCaused] < fixture.numbers(2)[RankMetric::WaitCaused]);
}

void TestClusterPage::enterLeadsToTheTimeline() {
    ClusterFixture fixture(m_capture.path());
    QSignalSpy place(&fixture.page, &DataPage::placeRequested);
    RankCanvas& canvas = fixture.page.canvas();
    canvas.setFocus();
    QTest::keyClick(&canvas, Qt::Key_Right);
    QTest::keyClick(&canvas, Qt::Key_Right);
    QVERIFY(canvas.chosen().has_value());
    const std::uint32_t chosen = canvas.picture()->grid.cells()[*canvas.chosen()].ranks.front();
    QTest::keyClick(&canvas, Qt::Key_Return);
    QCOMPARE(place.count(), 1);
    QCOMPARE(place[0][0].value<RankIndex>(), *fixture.page.shown()->places().ranks[chosen].rank);
    QTest::mouseDClick(&canvas, Qt::LeftButton, {}, canvas.cellRect(fixture.cellOf(5)).center().toPoint());
    QCOMPARE(place.count(), 2);
    QCOMPARE(place[1][0].value<RankIndex>(), *fixture.page.shown()->places().ranks[fixture.indexOf(5)].rank);
}

void TestClusterPage::tableAndGridChooseTheSame() {
    ClusterFixture fixture(m_capture.path());
    RankCanvas& canvas = fixture.page.canvas();
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, canvas.cellRect(fixture.cellOf(3)).center().toPoint());
    QCOMPARE(canvas.chosen().value(), fixture.cellOf(3));
    DataTable& table = fixture.page.ranks().table();
    QVERIFY(table.currentRow().has_value());
    QCOMPARE(table.loader().source()->cell(0, *table.currentRow()), std::int64_t{3});
    table.setCurrent(6, 0);
    QCOMPARE(canvas.chosen().value(), fixture.cellOf(table.loader().source()->cell(0, *table.currentRow())));
}

void TestClusterPage::contextNarrows() {
    ClusterFixture fixture(m_capture.path());
    const std::int64_t first = *fixture.page.shown()->steps.front();
    fixture.selection.setContext({.ranks = {1, 2}, .devices = {}, .steps = {first}, .range = {}});
    fixture.settle();
    QCOMPARE(fixture.page.shown()->steps, std::vector<std::optional<std::int64_t>>{first});
    QCOMPARE(fixture.numbers(2).steps, std::size_t{1});
    const auto& cells = fixture.page.canvas().picture()->cells;
    QCOMPARE(cells[fixture.cellOf(2)].state, RankPicture::State::Known);
    QCOMPARE(cells[fixture.cellOf(3)].state, RankPicture::State::Outside);
    QCOMPARE(fixture.page.ranks().table().loader().source()->rowCount(), std::size_t{2});
    const JobAccount& job = fixture.page.shown()->facts()->account->job;
    const QString text = QString(fixture.page.sentence().text).replace(QChar::Nbsp, u' ');
    QVERIFY2(text.contains(formatDuration({job.recorded.front()})), qPrintable(text));
    QVERIFY2(text.contains(u"whatever the filter"_s), qPrintable(text));
    fixture.selection.setContext({.ranks = {99}, .devices = {}, .steps = {}, .range = {}});
    fixture.settle();
    QVERIFY(fixture.page.findChild<MessagePage*>()->isVisible());
}

void TestClusterPage::absentRanksAreNamed() {
    const SlowRankCapture capture;
    QVERIFY(capture.made && capture.remove(3));
    ClusterFixture fixture(capture.path());
    QVERIFY2(fixture.page.gaps().contains(u"rank 3"_s), qPrintable(fixture.page.gaps()));
    const RankPicture& picture = *fixture.page.canvas().picture();
    QCOMPARE(picture.cells.size(), std::size_t{8});
    QCOMPARE(picture.cells[fixture.cellOf(3)].state, RankPicture::State::Absent);
    QVERIFY(picture.tip(fixture.cellOf(3)).contains(u"Not in this capture"_s));
    QSignalSpy place(&fixture.page, &DataPage::placeRequested);
    QSignalSpy message(&fixture.page, &DataPage::statusMessage);
    fixture.page.canvas().choose(fixture.cellOf(3));
    QTest::keyClick(&fixture.page.canvas(), Qt::Key_Return);
    QCOMPARE(place.count(), 0);
    QCOMPARE(message.count(), 1);
    fixture.page.canvas().grab();  // with the hatch
}

void TestClusterPage::oneRankHasNothingToCompareWith() {
    const SlowRankCapture capture("1", "host-bound");
    QVERIFY(capture.made);
    ClusterFixture fixture(capture.path());
    QVERIFY2(fixture.page.gaps().startsWith(u"One rank is here"_s), qPrintable(fixture.page.gaps()));
    QCOMPARE(fixture.page.canvas().picture()->cells.size(), std::size_t{1});
    QVERIFY(!fixture.page.canvas().picture()->cells[0].isApart);
}

void TestClusterPage::withoutAReplayTheReasonIsSaid() {
    QTemporaryDir folder;
    const std::vector<std::string> words{folder.filePath(u"made"_s).toStdString(),
                                         "--ranks",
                                         "4",
                                         "--steps",
                                         "3",
                                         "--layers",
                                         "1",
                                         "--format",
                                         "cluster"};
    ProgressSlot progress;
    QVERIFY(generate::generateCapture(generate::parseGenerateOptions(words).value(), progress, {}).ok());
    ClusterFixture fixture(folder.filePath(u"made"_s));
    const QString text = fixture.page.sentence().text;
    QVERIFY2(text.contains(u"A step takes"_s) && text.contains(u"no rank has a timeline"_s), qPrintable(text));
    QVERIFY(fixture.page.sentence().links.empty());
    QVERIFY(!fixture.page.shown()->has(RankMetric::Recoverable));
    // Without a timeline a rank leads to its overview.
    QSignalSpy overview(&fixture.page, &ClusterPage::overviewRequested);
    fixture.page.canvas().choose(fixture.cellOf(2));
    QTest::keyClick(&fixture.page.canvas(), Qt::Key_Return);
    QCOMPARE(overview.count(), 1);
    QCOMPARE(overview[0][0].toLongLong(), 2);
}

void TestClusterPage::baseShowsDifferences() {
    ClusterFixture fixture(m_capture.path());
    const std::int64_t first = *fixture.page.shown()->steps.front(), last = *fixture.page.shown()->steps.back();
    fixture.selection.setContext({.ranks = {}, .devices = {}, .steps = {last}, .range = {}});
    fixture.settle();
    const double now = fixture.numbers(4)[RankMetric::StepTime];
    fixture.selection.setContext({.ranks = {}, .devices = {}, .steps = {first}, .range = {}});
    fixture.settle();
    const double before = fixture.numbers(4)[RankMetric::StepTime];
    fixture.selection.setContext({.ranks = {}, .devices = {}, .steps = {last}, .range = {}});
    fixture.selection.setBase(BaseChoice{fixture.id, {}, {first}});
    fixture.page.bar().setMetric(RankMetric::StepTime);
    fixture.settle();
    auto* box = fixture.page.bar().findChild<QComboBox*>(u"difference"_s);
    QVERIFY(box != nullptr && box->isVisible());
    box->setCurrentIndex(1);
    emit box->activated(1);
    fixture.settle();
    const RankPicture& picture = *fixture.page.canvas().picture();
    QVERIFY(picture.isDifference);
    QVERIFY(std::abs(picture.cells[fixture.cellOf(4)].value - (now - before)) < 1);
    QVERIFY(picture.tip(fixture.cellOf(4)).contains(u"Difference from the base"_s));
    // The table has both beside each other.
    const TableSource& table = *fixture.page.ranks().table().loader().source();
    const auto column = [&table](std::string_view name) {
        std::size_t at = 0;
        while (at < table.columns().size() && table.columns()[at].name != name) ++at;
        return at;
    };
    QVERIFY(column("change") < table.columns().size());
    QCOMPARE(column("change"), column("base") + 1);
}

/// The generated job is 2 x 4; typed as 4 x 2 its grid is that, until nothing is typed any more.
void TestClusterPage::typedSizesPlaceTheRanks() {
    ClusterFixture fixture(m_capture.path());
    const auto sizeOf = [&](const char* kind) {
        const auto at = fixture.page.shown()->places().dimension(kind);
        return at ? fixture.page.shown()->places().dimensions[*at].size : 1;
    };
    QCOMPARE(sizeOf("tp"), 2U);
    fixture.type(u"tp=4, dp=2"_s);
    QCOMPARE(sizeOf("tp"), 4U);
    QCOMPARE(sizeOf("dp"), 2U);
    QCOMPARE(fixture.page.shown()->places().ranks[fixture.indexOf(5)].at, (std::vector<std::uint32_t>{1, 1}));
    fixture.type(u"tp=2 PP=2 dp=2 order=vllm"_s);
    QCOMPARE(sizeOf("pp"), 2U);
    fixture.type({});
    QCOMPARE(sizeOf("tp"), 2U);
    QCOMPARE(sizeOf("dp"), 4U);
}

void TestClusterPage::typedSizesStayWhileTheCaptureIsReadAgain() {
    ClusterFixture fixture(m_capture.path());
    fixture.type(u"tp=4 dp=2"_s);
    const auto before = fixture.page.shown();
    fixture.session.reload(fixture.id);
    fixture.settle();
    QVERIFY(fixture.page.shown() != nullptr && fixture.page.shown()->capture() != before->capture());
    QCOMPARE(fixture.page.bar().sizes().text(), u"tp=4 dp=2"_s);
    QCOMPARE(fixture.page.shown()->places().dimensions, before->places().dimensions);
}

void TestClusterPage::typedSizesGoWithTheCapture() {
    ClusterFixture fixture(m_capture.path());
    const auto recorded = fixture.page.shown()->places().dimensions;
    fixture.type(u"tp=4 dp=2"_s);
    QVERIFY(fixture.page.shown()->places().dimensions != recorded);
    const SlowRankCapture other;
    QVERIFY(other.made);
    fixture.session.close(fixture.id);
    fixture.open(other.path());
    QVERIFY(fixture.page.bar().sizes().text().isEmpty() && !fixture.page.bar().typedSizes());
    QCOMPARE(fixture.page.shown()->places().dimensions, recorded);
}

void TestClusterPage::sizesThatTheCaptureOutgrewSayWhy() {
    ClusterFixture fixture(m_capture.path());
    fixture.type(u"dp=8"_s);
    fixture.page.bar().checkSizes(8);
    QVERIFY(fixture.page.bar().typedSizes());
    fixture.page.bar().checkSizes(9);
    QVERIFY(!fixture.page.bar().typedSizes());
    QVERIFY(!fixture.page.bar().findChild<QLabel*>(u"cluster_sizes_problem"_s)->isHidden());
}

void TestClusterPage::sizesThatAreNoJobSayWhy() {
    ClusterFixture fixture(m_capture.path());
    auto* problem = fixture.page.bar().findChild<QLabel*>(u"cluster_sizes_problem"_s);
    QVERIFY(problem != nullptr && problem->isHidden());
    const auto before = fixture.page.shown();
    for (const char* text : {"tp", "tp=", "tp=x", "tp=0", "tp=-2", "tp=2", "tp=99999999999", "tp=2 tp=4", "vpp=2",
                             "order=nobody", "tp=2 dp=4 order=vllm cp=2", "8", "=", "tp=2 dp=4 ep=3"}) {
        fixture.page.bar().sizes().setText(QLatin1String(text));
        emit fixture.page.bar().sizes().editingFinished();
        fixture.settle();
        QVERIFY2(!problem->isHidden() && !problem->text().isEmpty(), text);
        QVERIFY2(fixture.page.shown()->places().dimensions == before->places().dimensions, text);
    }
    fixture.page.bar().sizes().setText(u"dp=8"_s);
    emit fixture.page.bar().sizes().editingFinished();
    fixture.settle();
    QVERIFY(problem->isHidden());
}

void TestClusterPage::choicesAreRemembered() {
    ClusterFixture fixture(m_capture.path());
    fixture.page.bar().setMetric(RankMetric::Free);
    fixture.settle();
    ClusterPage second{fixture.session, fixture.selection, fixture.loader, fixture.memory};
    second.show();
    QVERIFY(QTest::qWaitFor([&] { return second.idle() && second.shown() != nullptr && fixture.jobs.idle(); }, 20'000));
    QCOMPARE(second.bar().choice().metric, RankMetric::Free);
}

void TestClusterPage::labelsFollowTheLanguage() {
    ClusterFixture fixture(m_capture.path());
    const QString tab = fixture.page.tabs().tabText(1);
    fixture.page.tabs().setTabText(1, u"x"_s);
    const auto before = fixture.page.canvas().picture();
    QEvent language(QEvent::LanguageChange);
    QApplication::sendEvent(&fixture.page, &language);
    QCOMPARE(fixture.page.tabs().tabText(1), tab);
    // The picture holds texts.
    QVERIFY(fixture.page.canvas().picture() != before);
}

void TestClusterPage::examplesOfFiltersFitTheirTables() {
    ClusterFixture fixture(m_capture.path());
    for (TablePanel* panel : {&fixture.page.ranks(), &fixture.page.dimensions(), &fixture.page.delays().groups()}) {
        const QString example = panel->filterBar().line()->placeholderText().section(u": "_s, 1);
        const ParsedFilter parsed = parseFilter(example.toStdString(), panel->table().loader().source()->columns());
        QVERIFY2(parsed.root && !parsed.problem, qPrintable(example));
    }
}

void TestClusterPage::delaysNameTheLateRank() {
    ClusterFixture fixture(m_capture.path());
    DelayPanel& delays = fixture.page.delays();
    const TableSource& table = *delays.groups().table().loader().source();
    QVERIFY(table.rowCount() > 1);
    QVERIFY2(delays.text().contains(u"comes late"_s), qPrintable(delays.text()));
    const auto& shown = *fixture.page.shown();
    for (const GroupDelays& group : shown.delays) {
        const bool hasRank = std::find(group.ranks.begin(), group.ranks.end(), RankIndex{2}) != group.ranks.end();
        const QString text = delayText(shown, group);
        QVERIFY2(!hasRank || text.startsWith(u"Rank 2 comes late"_s), qPrintable(text));
    }
    const HeatMap map = delayMap(shown, shown.delays.front(), DelayMatrix::Late);
    QVERIFY(map.tip(0, 1).startsWith(u"Rank "_s));
    QVERIFY(map.tip(0, 0).isEmpty());
    delays.grab();
}

void TestClusterPage::slowLinksOfAGroupAreCells() {
    const SlowRankCapture capture("8", "slow-link=0-2:6");
    QVERIFY(capture.made);
    ClusterFixture fixture(capture.path());
    QStringList said;
    for (const GroupDelays& group : fixture.page.shown()->delays) said << delayText(*fixture.page.shown(), group);
    const QString text = said.join(u'\n');
    QVERIFY2(text.contains(u"Slow link"_s) && text.contains(u"0 \u2192 2"_s), qPrintable(text));
    QComboBox& matrices = fixture.page.delays().matrices();
    matrices.setCurrentIndex(1);
    emit matrices.activated(1);
    fixture.page.delays().grab();
}

void TestClusterPage::microBatchesHaveArrowsToTheNextStage() {
    QTemporaryDir folder;
    const std::vector<std::string> words{folder.filePath(u"made"_s).toStdString(),
                                         "--ranks",
                                         "16",
                                         "--steps",
                                         "2",
                                         "--layers",
                                         "2",
                                         "--seed",
                                         "9",
                                         "--micro-batches",
                                         "4"};
    ProgressSlot progress;
    const auto options = generate::parseGenerateOptions(words);
    QVERIFY(options.ok() && generate::generateCapture(options.value(), progress, {}).ok());
    ClusterFixture fixture(folder.filePath(u"made"_s));
    PipelinePanel& panel = fixture.page.pipeline();
    const auto picture = panel.canvas().picture();
    QVERIFY2(picture != nullptr, qPrintable(panel.text()));
    const std::size_t stages = picture->pipeline.ranks.size();
    QVERIFY(stages > 1 && picture->microBatches > 1);
    QCOMPARE(picture->blocks.size(), 2 * stages * picture->microBatches);
    QCOMPARE(picture->arrows.size(), 2 * (stages - 1) * picture->microBatches);
    for (const PipelinePicture::Arrow& arrow : picture->arrows) {
        const auto &from = picture->blocks[arrow.from], &to = picture->blocks[arrow.to];
        QCOMPARE(from.microBatch, to.microBatch);
        QVERIFY(from.range.end <= to.range.begin);
    }
    QVERIFY(picture->idealBubble() && picture->bubble() >= *picture->idealBubble() - 0.05);
    fixture.page.tabs().setCurrentWidget(&panel);
    PipelineCanvas& canvas = panel.canvas();
    QTRY_VERIFY(canvas.plotRect().width() > 0);
    QVERIFY(canvas.tipAt(canvas.blockRect(0).center().toPoint()).contains(u"micro-batch"_s));
    QSignalSpy place(&fixture.page, &DataPage::placeRequested);
    canvas.setFocus();
    QTest::keyClick(&canvas, Qt::Key_Right);
    QTest::keyClick(&canvas, Qt::Key_Down);
    QCOMPARE(picture->blocks[canvas.chosen().value()].lane, 1U);
    QTest::keyClick(&canvas, Qt::Key_Return);
    QCOMPARE(place.count(), 1);
    QTest::keyClick(&canvas, Qt::Key_W);
    QVERIFY(!canvas.window().atHome());
    QTest::keyClick(&canvas, Qt::Key_0, Qt::ControlModifier);
    QVERIFY(canvas.window().atHome());
    canvas.grab();
}

void TestClusterPage::withoutAPipelineTheReasonIsSaid() {
    ClusterFixture fixture(m_capture.path());
    QVERIFY(fixture.page.pipeline().canvas().picture() == nullptr);
    QVERIFY(fixture.page.pipeline().text().contains(u"no pipeline"_s));
}

void TestClusterPage::closedCaptureLeavesThePage() {
    ClusterFixture fixture(m_capture.path());
    fixture.session.close(fixture.id);
    fixture.settle();
    QVERIFY(fixture.page.shown() == nullptr);
    QVERIFY(fixture.page.canvas().picture() == nullptr);
    QVERIFY(fixture.page.sentence().text.isEmpty());
    QVERIFY(fixture.page.findChild<MessagePage*>()->isVisible());
}

ALTI_TEST(TestClusterPage)
#include "tst_cluster_page.moc"
