#include "views/findings/evidence_bar.h"

#include "tests/support/test_main.h"
#include "views/common/support/finding_texts.h"
#include "views/common/theme/language_controller.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

/// A rank that launches slowly: two launches, the gap before each, and rows.
std::shared_ptr<const CaptureFindings> slowLaunches() {
    auto capture = std::make_shared<CaptureStore>();
    capture->ranks.emplace_back().info.rankId = 4;
    auto found = std::make_shared<CaptureFindings>();
    found->capture = capture;
    Finding& finding = found->findings.emplace_back();
    finding.rule = "slow_launches";
    finding.rank = RankIndex{0};
    finding.rankId = 4;
    finding.recoverable = 2'000'000;
    finding.evidence.slices = {{0, {SliceId{7}, "Enqueue", {{500}, {600}}}},
                               {0, {SliceId{9}, "Enqueue", {{900}, {950}}}}};
    finding.evidence.ranges = {{0, {{100}, {500}}, true}, {0, {{700}, {900}}, true}};
    finding.evidence.rows = {{"step_breakdown", "rank_id = 4"}};
    return found;
}

QString textsOf(const EvidenceBar& bar) {
    QStringList texts;
    for (const QLabel* label : bar.findChildren<QLabel*>()) texts << label->text();
    return texts.join(u'\n');
}

}  // namespace

class TestEvidenceBar : public QObject {
    Q_OBJECT
private slots:
    void gapsBesideSlicesAreNoPlacesOfTheirOwn() {
        using Kind = EvidenceSpot::Kind;
        FindingEvidence evidence = slowLaunches()->findings[0].evidence;
        QCOMPARE(evidenceSpots(evidence),
                 (std::vector<EvidenceSpot>{{Kind::Slice, 0}, {Kind::Slice, 1}, {Kind::Rows, 0}}));
        evidence.slices.clear();
        QCOMPARE(evidenceSpots(evidence),
                 (std::vector<EvidenceSpot>{{Kind::Range, 0}, {Kind::Range, 1}, {Kind::Rows, 0}}));
    }

    void saysTheFindingAndLeadsToEachPlace() {
        EvidenceBar bar;
        QVERIFY(bar.isHidden());
        QVERIFY(!bar.spot());
        const auto found = slowLaunches();
        bar.show(found, 0, 0);
        QVERIFY(!bar.isHidden());
        const FindingItem item = findingItem(found->findings[0]);
        QVERIFY2(textsOf(bar).contains(item.title.toHtmlEscaped()), qPrintable(textsOf(bar)));
        QVERIFY(textsOf(bar).contains(item.detail));
        QVERIFY2(textsOf(bar).contains(u"1 of 3 · Enqueue: 100 ns at "_s), qPrintable(textsOf(bar)));
        bar.setNote(u"Hatched."_s);
        QVERIFY(textsOf(bar).contains(u"Hatched."_s));
        const QSignalSpy moved(&bar, &EvidenceBar::spotChanged);
        const auto buttons = bar.findChildren<QToolButton*>();
        QToolButton *previous = buttons[0], *next = buttons[1];
        QVERIFY(!previous->isEnabled() && next->isEnabled());
        next->click();
        QCOMPARE(bar.spot(), std::optional(EvidenceSpot{EvidenceSpot::Kind::Slice, 1}));
        QVERIFY(!textsOf(bar).contains(u"Hatched."_s));  // of the place before
        next->click();
        QVERIFY2(textsOf(bar).contains(u"Rows of step_breakdown in which rank_id = 4"_s), qPrintable(textsOf(bar)));
        QVERIFY(!next->isEnabled());
        previous->click();
        QCOMPARE(moved.count(), 3);
        QCOMPARE(bar.spot(), std::optional(EvidenceSpot{EvidenceSpot::Kind::Slice, 1}));
    }

    void inALowWindowTheSentencesAreOneLine() {
        QWidget window;
        EvidenceBar bar(&window);
        window.resize(600, 4000);
        window.show();
        const auto found = slowLaunches();
        bar.show(found, 0, 0);
        const auto height = [&] {
            return bar.heightForWidth(600) > 0 ? bar.heightForWidth(600) : bar.sizeHint().height();
        };
        const int whole = height();
        const QString detail = findingItem(found->findings[0]).detail;
        QVERIFY(textsOf(bar).contains(detail));
        window.resize(600, 300);
        QTRY_VERIFY(height() < whole - bar.fontMetrics().height());
        const auto labels = bar.findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(),
                            [&](const QLabel* label) { return label->toolTip().contains(detail); }));
        window.resize(600, 4000);
        QTRY_VERIFY(height() == whole && textsOf(bar).contains(detail));
    }

    void escapeClosesItOnce() {
        EvidenceBar bar;
        bar.show(slowLaunches(), 0, 99);  // of rules that have run again: the last one
        QCOMPARE(bar.spot(), std::optional(EvidenceSpot{EvidenceSpot::Kind::Rows, 0}));
        const QSignalSpy closed(&bar, &EvidenceBar::closed);
        QTest::keyClick(&bar, Qt::Key_Escape);
        bar.close();
        QCOMPARE(closed.count(), 1);
        QVERIFY(bar.isHidden() && bar.finding() == nullptr);
        bar.show(slowLaunches(), 5, 0);  // there is none
        QVERIFY(bar.isHidden());
    }
};

ALTI_TEST(TestEvidenceBar)
#include "tst_evidence_bar.moc"
