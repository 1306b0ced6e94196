#include "views/findings/findings_page.h"

#include "tests/support/test_main.h"
#include "tests/views/findings/planted_capture.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/support/threshold_texts.h"
#include "views/common/tables/table_panel.h"
#include "views/findings/finding_details.h"
#include "views/findings/findings_table.h"
#include "views/findings/threshold_model.h"
#include "views/findings/thresholds_panel.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

/// Two findings of rank 3, one of them in step 5, and one of the capture as a whole.
CaptureFindings someFindings() {
    auto capture = std::make_shared<CaptureStore>();
    for (std::int64_t rank = 2; rank < 4; ++rank) capture->ranks.emplace_back().info.rankId = rank;
    CaptureFindings found{capture, std::vector<Finding>(3), TimeNs{}};
    found.findings[0] = {.rule = "gc_pause",
                         .severity = FindingSeverity::Medium,
                         .rank = RankIndex{1},
                         .rankId = 3,
                         .step = {},
                         .range = TimeRange{{1000}, {3000}},
                         .recoverable = 2000,
                         .parameters = {},
                         .thresholds = {{"gc_pause", 5e6}},
                         .evidence = {},
                         .now = {}};
    found.findings[0].evidence.slices.push_back({1, {SliceId{77}, "GC <gen 2>", {{1000}, {3000}}}});
    found.findings[0].evidence.ranges.push_back({1, {{500}, {9000}}});
    found.findings[1] = {.rule = "step_outlier",
                         .severity = FindingSeverity::Low,
                         .rank = RankIndex{1},
                         .rankId = 3,
                         .step = 5,
                         .range = {},
                         .recoverable = 900,
                         .parameters = {{"step", "5"}},
                         .thresholds = {},
                         .evidence = {},
                         .now = {}};
    found.findings[1].evidence.rows.push_back({"step_breakdown", "rank_id = 3 AND step = 5"});
    found.findings[2] = {.rule = "missing_data",
                         .severity = FindingSeverity::High,
                         .rank = {},
                         .rankId = {},
                         .step = {},
                         .range = {},
                         .recoverable = {},
                         .parameters = {{"what", "memory"}},
                         .thresholds = {},
                         .evidence = {},
                         .now = {}};
    return found;
}

/// The page over a real capture, with memory that a second page may share.
struct PageFixture {
    PlantedCapture planted;
    QVariantMap kept;
    ViewMemory memory{[this](const QString& name) { return kept.value(name); },
                      [this](const QString& name, const QVariant& value) { kept[name] = value; }};
    JobRunner jobs;
    Session session{jobs};
    Selection selection;
    FindingsLoader loader{session};
    FindingSettings settings{memory};
    FindingsPage page{session, selection, loader, settings, memory};

    PageFixture() {
        QObject::connect(&settings, &FindingSettings::thresholdsChanged, &loader,
                         [this] { loader.setThresholds(settings.thresholds()); });
        page.resize(900, 600);
        page.show();
    }
    bool open() {
        return planted.made && openAndWait(session, planted.path()) != kNoCapture &&
               QTest::qWaitFor([this] { return page.idle(); }, 20'000);
    }
    DataTable& table() { return *page.findChild<DataTable*>(); }
    std::size_t rows() { return table().loader().rows()->count; }
    bool settled() {
        return QTest::qWaitFor([this] { return page.idle(); }, 20'000);
    }
};

}  // namespace

class TestFindingsPage : public QObject {
    Q_OBJECT
private slots:
    void columnsAreThoseOfTheSqlTable();
    void severitySortsByWeight();
    void contextLeavesOut();
    void detailsAndLinks();
    void thresholdsAreEditedInPlace();
    void anyCellOfARowLeadsToItsValue();
    void hiddenOnesStayHidden();
    void thresholdsCountAtOnceAndTheChoiceStays();
    void copiesAsText();
    void emptyStates();
    void whatCannotBeReadIsNotLookedForForEver();
};

void TestFindingsPage::whatCannotBeReadIsNotLookedForForEver() {
    PageFixture fixture;
    QCOMPARE(openAndWait(fixture.session, u"/nowhere/at/all"_s) != kNoCapture, true);
    QTRY_VERIFY(fixture.page.idle());
    QStringList texts;
    for (const QLabel* label : fixture.page.findChildren<QLabel*>()) texts << label->text();
    QVERIFY2(texts.join(u'\n').contains(u"/nowhere/at/all"_s), qPrintable(texts.join(u" | "_s)));
    QVERIFY(!texts.contains(u"Analysing"_s));
}

void TestFindingsPage::columnsAreThoseOfTheSqlTable() {
    const CaptureFindings found = someFindings();
    std::vector<FindingItem> items;
    for (const Finding& finding : found.findings) items.push_back(findingItem(finding));
    const std::vector<std::size_t> shown{0, 2};
    const auto table = findingTable(found, items, shown);
    QCOMPARE(table->rowCount(), std::size_t{2});
    QCOMPARE(table->columns().size(), findingHeadings().size());
    QStringList names;
    for (const TableColumn& column : table->columns()) names << QString::fromStdString(column.name);
    QCOMPARE(names, (QStringList{u"severity"_s, u"recoverable"_s, u"title"_s, u"rule"_s, u"rank_id"_s, u"step"_s,
                                 u"ts"_s, u"dur"_s}));
    QCOMPARE(table->cell(static_cast<std::size_t>(FindingColumn::Recoverable), 0), 2000);
    QCOMPARE(table->cell(static_cast<std::size_t>(FindingColumn::Dur), 0), 2000);
    QCOMPARE(table->cell(static_cast<std::size_t>(FindingColumn::Rank), 1), kAbsentCell);
    // Words of the program stay as they are in the table, and so in files.
    QCOMPARE(table->text(0, table->cell(0, 0)), std::string_view("medium"));
    QCOMPARE(findingHeadings().front().word(u"medium"_s), u"Medium"_s);
}

void TestFindingsPage::severitySortsByWeight() {
    const CaptureFindings found = someFindings();
    std::vector<FindingItem> items(3);
    const std::vector<std::size_t> shown{0, 1, 2};
    const auto rows =
        orderRows(*findingTable(found, items, shown), {.filter = {}, .sort = {{0, true}}, .follow = {}}, {}, {});
    QCOMPARE(rows->rows, (std::vector<std::uint32_t>{2, 0, 1}));
}

void TestFindingsPage::contextLeavesOut() {
    const CaptureFindings found = someFindings();
    const auto selected = [&](const ContextFilter& context) {
        QString text;
        for (const Finding& finding : found.findings)
            text += contextHolds(context, *found.capture, finding) ? u'x' : u'-';
        return text;
    };
    QCOMPARE(selected({}), u"xxx"_s);
    QCOMPARE(selected({.ranks = {2}, .devices = {}, .steps = {}, .range = {}}), u"--x"_s);
    QCOMPARE(selected({.ranks = {3}, .devices = {}, .steps = {4}, .range = {}}), u"x-x"_s);
    QCOMPARE(selected({.ranks = {}, .devices = {}, .steps = {}, .range = TimeRange{{2000}, {4000}}}), u"xxx"_s);
    QCOMPARE(selected({.ranks = {}, .devices = {}, .steps = {}, .range = TimeRange{{3000}, {4000}}}),
             u"xxx"_s);  // of all steps, wherever its evidence lies
}

void TestFindingsPage::detailsAndLinks() {
    const CaptureFindings found = someFindings();
    FindingDetails details;
    const auto shared = std::make_shared<const CaptureFindings>(found);
    details.show(shared, 0);
    const QString text = details.toPlainText();
    for (const QString& part :
         {u"Medium · 2.00 µs per step · Rank 3"_s, u"GC <gen 2>"_s, u"gc_pause = 5 ms (default 1 ms)"_s})
        QVERIFY2(text.contains(part), qPrintable(text));
    const QSignalSpy spots(&details, &FindingDetails::spotRequested),
        thresholds(&details, &FindingDetails::thresholdRequested);
    const auto follow = [&](const QString& link) { emit details.anchorClicked(QUrl(link)); };
    follow(u"slice:0"_s);
    follow(u"slice:7"_s);  // Of a finding that is gone.
    follow(u"range:0"_s);
    follow(u"threshold:gc_pause"_s);
    QCOMPARE(spots.count(), 2);
    QCOMPARE(spots[0].front().toULongLong(), 0ULL);
    QCOMPARE(spots[1].front().toULongLong(), 1ULL);
    QVERIFY(text.contains(u"Severity"_s));
    QCOMPARE(thresholds.front().front().toString(), u"gc_pause"_s);
    details.show(shared, 1);
    QVERIFY(details.toPlainText().contains(u"SELECT * FROM step_breakdown WHERE rank_id = 3 AND step = 5"_s));
    follow(u"rows:0"_s);
    QCOMPARE(spots.count(), 3);
    QCOMPARE(spots[2].front().toULongLong(), 0ULL);
    follow(u"copy:0"_s);
    QCOMPARE(QGuiApplication::clipboard()->text(), u"SELECT * FROM step_breakdown WHERE rank_id = 3 AND step = 5"_s);
}

void TestFindingsPage::thresholdsAreEditedInPlace() {
    FindingSettings settings({});
    ThresholdModel model(settings);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), static_cast<int>(thresholdInfos().size()));
    const int row = model.rowOf(u"gc_pause"_s);
    const QModelIndex value = model.index(row, ThresholdModel::ValueColumn);
    QVERIFY(model.flags(value).testFlag(Qt::ItemIsEditable) &&
            !model.flags(model.index(row, ThresholdModel::NameColumn)).testFlag(Qt::ItemIsEditable));
    const QSignalSpy refused(&model, &ThresholdModel::refused);
    QVERIFY(!model.setData(value, u"a lot"_s));
    QCOMPARE(refused.count(), 1);
    QVERIFY(!model.isChanged(row));
    QVERIFY(model.setData(value, u"5 ms"_s));
    QCOMPARE(settings.thresholds().gcPauseNs, 5e6);
    QCOMPARE(value.data().toString(), u"5 ms"_s);
    QCOMPARE(model.index(row, ThresholdModel::DefaultColumn).data().toString(), u"1 ms"_s);
    model.reset(row);
    QCOMPARE(settings.changedThresholds(), 0);
    QCOMPARE(model.rowOf(u"nothing"_s), -1);
}

void TestFindingsPage::anyCellOfARowLeadsToItsValue() {
    FindingSettings settings({});
    ThresholdsPanel panel(settings);
    panel.resize(800, 400);
    panel.show();
    auto* table = panel.findChild<QTableView*>();
    const QModelIndex meaning = table->model()->index(0, ThresholdModel::MeaningColumn);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(meaning).center());
    QTRY_COMPARE(table->currentIndex().column(), int{ThresholdModel::ValueColumn});
    QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(meaning).center());
    auto* editor = table->findChild<QLineEdit*>();
    QVERIFY(editor != nullptr);
    editor->setText(u"60 %"_s);
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(settings.thresholds().highShare, 0.6);
    // What was changed can be taken back, alone or with all others.
    settings.setThreshold(*findThreshold("gc_pause"), 5e6);
    for (QPushButton* button : panel.findChildren<QPushButton*>()) {
        QVERIFY(button->isEnabled());
        button->click();
        if (settings.changedThresholds() == 1) QCOMPARE(settings.thresholds().gcPauseNs, 5e6);
    }
    QCOMPARE(settings.changedThresholds(), 0);
}

void TestFindingsPage::hiddenOnesStayHidden() {
    PageFixture f;
    QVERIFY(f.open());
    const std::size_t all = f.rows();
    QVERIFY(all >= 2);
    f.table().setFocus();
    QVERIFY(QTest::qWaitForWindowActive(&f.page));
    f.table().setCurrent(0, 0);
    QTest::keyClick(&f.table(), Qt::Key_Delete);
    QVERIFY(f.settled());
    QCOMPARE(f.rows(), all - 1);
    f.page.findChild<QCheckBox*>(QStringLiteral("show_hidden"))->click();
    QVERIFY(f.settled());
    QCOMPARE(f.rows(), all);
    FindingSettings again(f.memory);
    FindingsPage second(f.session, f.selection, f.loader, again, f.memory);
    QTRY_VERIFY(second.idle());
    QCOMPARE(second.findChild<DataTable*>()->loader().rows()->count, all - 1);
}

void TestFindingsPage::thresholdsCountAtOnceAndTheChoiceStays() {
    PageFixture f;
    QVERIFY(f.open());
    const auto ruleAt = [&](std::size_t place) { return f.loader.found()->findings[place].rule; };
    const auto isThere = [&](std::string_view rule) {
        const auto& findings = f.loader.found()->findings;
        return std::any_of(findings.begin(), findings.end(),
                           [rule](const Finding& finding) { return finding.rule == rule; });
    };
    QVERIFY(isThere("slow_rank"));
    std::size_t pause = 0;
    while (ruleAt(pause) != "gc_pause") ++pause;
    f.table().setCurrent(pause, 0);
    QCOMPARE(f.page.currentFinding(), std::optional(pause));
    for (const char* name : {"rank_kernel_share", "rank_gap_share"}) f.settings.setThreshold(*findThreshold(name), 1);
    QVERIFY(f.settled());
    QVERIFY(!isThere("slow_rank"));
    QCOMPARE(f.rows(), f.loader.found()->findings.size());
    // It has another place now.
    QCOMPARE(ruleAt(*f.page.currentFinding()), std::string("gc_pause"));
    f.settings.resetThresholds();
    QVERIFY(f.settled());
    QVERIFY(isThere("slow_rank"));
}

void TestFindingsPage::copiesAsText() {
    PageFixture f;
    QVERIFY(f.open());
    QString all;
    for (const Finding& finding : f.loader.found()->findings)
        all += (all.isEmpty() ? QString() : u"\n\n"_s) + findingAsText(findingItem(finding));
    QCOMPARE(f.page.asText(), all + u'\n');
    f.table().setCurrent(1, 0);
    QCOMPARE(f.page.asText(), findingAsText(findingItem(f.loader.found()->findings[1])) + u'\n');
}

void TestFindingsPage::emptyStates() {
    PageFixture f;
    QVERIFY(f.page.idle());
    QVERIFY(!f.table().isVisible());
    QVERIFY(!f.page.currentFinding());
    QVERIFY(f.open());
    QVERIFY(f.table().isVisible());
    f.session.close(f.session.captures().front().id);
    QVERIFY(!f.table().isVisible());
}

ALTI_TEST(TestFindingsPage)
#include "tst_findings_page.moc"
