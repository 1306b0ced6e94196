#include "core/compare/host_pauses.h"
#include "core/compare/measures.h"
#include "core/store/rows/row_builder.h"
#include "core/store/seal/trace_builder.h"
#include "tests/support/test_main.h"

#include <memory>
#include <vector>

using namespace altiscope;

namespace {

std::vector<Step> twoSteps() { return {{5, TimeRange{{-1000}, {0}}}, {6, TimeRange{{0}, {1000}}}}; }

/// Collections of garbage from -500 to -400 and from 200 to 230 ns.
RankEntry rankWithCollections(bool hasOperators, const std::vector<Step>& steps) {
    TraceBuilder builder("rank");
    TraceBuilder::Names names(builder);
    builder.setProcessName("9", "Python GC", SourcePos::make(0, 1));
    Segment segment;
    segment.slices.add(names.thread("9", "0"), -500, 100, names.text("GC"), names.text("GC"), SourcePos::make(0, 2));
    segment.slices.add(names.thread("9", "0"), 200, 30, names.text("GC"), names.text("GC"), SourcePos::make(0, 3));
    builder.commit(SourcePos::make(0, 0), std::move(segment));
    Diagnostics diagnostics;
    RankEntry rank;
    rank.info.rankId = 0;
    rank.trace = builder.seal("trace_view.json", diagnostics, {}).value();
    rank.steps = steps;
    RowTablesBuilder rows;
    if (hasOperators) {
        constexpr RowKind kKind = RowKind::Operator;
        RowBatch batch = rows.batch(kKind);
        std::size_t step = 0;
        for (const std::int64_t begin : {-1000, 0}) {
            batch.addRow();
            batch.setText(fixedColumn(kKind, "name"), "aten::mm");
            batch.setText(fixedColumn(kKind, "thread"), "Thread 1");
            batch.setInteger(fixedColumn(kKind, "ts"), begin);
            batch.setInteger(fixedColumn(kKind, "dur"), 900);
            batch.setInteger(fixedColumn(kKind, "self_dur"), 900);
            if (!steps.empty()) batch.setInteger(fixedColumn(kKind, "step"), steps[step++].number);
        }
        rows.commit(batch);
    }
    rank.rows = rows.seal({}).value();
    return rank;
}

/// The sums of an operator, or of what stands for one, each after the place of its step; "-" if there are none.
QString sumsOf(bool hasOperators, const std::vector<Step>& steps, const char* name) {
    auto capture = std::make_shared<CaptureStore>();
    capture->ranks.push_back(rankWithCollections(hasOperators, steps));
    const ComparisonSide side{.capture = capture};
    StepTimes times;
    times.rankId = 0;
    std::vector<StepTimes> all;
    for (const Step& step : steps) {
        times.step = step.number;
        all.push_back(times);
    }
    if (steps.empty()) all.push_back(times);
    const MeasuredPart part(side, all);
    Measures measures(part.stepCount());
    if (!measureRows(side, part, {.types = true, .shapes = true}, measures, {}).ok()) return QStringLiteral("failed");
    const auto found = measures.all().find(
        {.dimension = Dimension::Operator, .unit = DifferenceUnit::Nanoseconds, .rankId = {}, .key = name});
    if (found == measures.all().end()) return QStringLiteral("-");
    QString text;
    for (const StepSum& sum : found->second.sums) text += QStringLiteral("%1:%2 ").arg(sum.step).arg(sum.sum);
    return text.trimmed();
}

}  // namespace

class TestHostPauses : public QObject {
    Q_OBJECT
private slots:
    void pausesBeforeTimeZeroCount() {
        const auto pauses = pausesOfOperators(rankWithCollections(true, twoSteps()), {});
        QCOMPARE(pauses.size(), std::size_t{2});
        QCOMPARE(pauses.at(0), std::int64_t{100});
        QCOMPARE(pauses.at(1), std::int64_t{30});
    }

    void collectionsOfStepsCountInTheirStep() {
        QCOMPARE(sumsOf(true, twoSteps(), "aten::mm"), QStringLiteral("0:800 1:870"));
        QCOMPARE(sumsOf(true, twoSteps(), "GC"), QStringLiteral("0:100 1:30"));
    }

    void collectionBetweenTwoStepsDelaysTheNext() {
        QCOMPARE(sumsOf(true, {{5, TimeRange{{-1000}, {-600}}}, {6, TimeRange{{-400}, {1000}}}}, "GC"),
                 QStringLiteral("1:130"));
        // A step between them was not recorded: it may be that one which was delayed.
        QCOMPARE(sumsOf(true, {{5, TimeRange{{-1000}, {-600}}}, {7, TimeRange{{-400}, {1000}}}}, "GC"),
                 QStringLiteral("1:30"));
        QCOMPARE(sumsOf(true, {{5, TimeRange{{-400}, {0}}}, {6, TimeRange{{0}, {100}}}}, "GC"), QStringLiteral("-"));
    }

    void collectionsWithoutStepsDoNotVanish() {
        QCOMPARE(sumsOf(true, {}, "aten::mm"), QStringLiteral("0:1670"));
        QCOMPARE(sumsOf(true, {}, "GC"), QStringLiteral("0:130"));
    }

    void collectionsWithoutOperatorsDoNotVanish() {
        QCOMPARE(sumsOf(false, twoSteps(), "GC"), QStringLiteral("0:100 1:30"));
        QCOMPARE(sumsOf(false, {}, "GC"), QStringLiteral("0:130"));
    }

    void stopsWhenAsked() {
        CancelToken token;
        token.requestCancel();
        const RankEntry rank = rankWithCollections(true, twoSteps());
        QVERIFY(garbageCollections(*rank.trace, token).empty());
        QVERIFY(pausesOfOperators(rank, token).empty());
    }
};

ALTI_TEST(TestHostPauses)
#include "tst_host_pauses.moc"
