#include "core/analysis/steps/step_parts.h"

#include "tests/support/test_main.h"

#include <array>
#include <cstdint>
#include <optional>
#include <random>

using namespace altiscope;

namespace {

using Time = std::optional<std::int64_t>;

/// A row as files state them, without what is absent.
StepBreakdown rowOf(Time computing, Time communication, Time notOverlapped, Time overlapped, Time free, Time bubble,
                    Time withoutReceive, Time preparing) {
    StepBreakdown row;
    row.computing = computing;
    row.communication = communication;
    row.exposed = notOverlapped;
    row.overlapped = overlapped;
    row.free = free;
    row.bubble = bubble;
    row.exposedExclReceive = withoutReceive;
    row.preparing = preparing;
    return row;
}

}  // namespace

class TestStepParts : public QObject {
    Q_OBJECT
private slots:
    /// 100 computing, 40 of it beside communication; 60 of communication alone, 25 of it receiving; 30 free.
    void aStepByHand() {
        const StepBreakdown row = rowOf(100, 100, 60, 40, 30, 25, 35, 18);
        QCOMPARE(valueOf(row, StepPart::Step), Time(190));
        QCOMPARE(valueOf(row, StepPart::ComputingAlone), Time(60));
        QCOMPARE(valueOf(row, StepPart::Overlapped), Time(40));
        QCOMPARE(valueOf(row, StepPart::Exposed), Time(35));
        QCOMPARE(valueOf(row, StepPart::Bubble), Time(25));
        QCOMPARE(valueOf(row, StepPart::Preparing), Time(18));
    }
    /// Receives beside kernels and each other are longer than what is not overlapped.
    void theBubbleIsNoLongerThanWhatIsNotOverlapped() {
        QCOMPARE(valueOf(rowOf(100, 100, 60, 40, 30, 90, -30, {}), StepPart::Exposed), Time(0));
        QCOMPARE(valueOf(rowOf(100, 100, 60, 40, 30, 90, -30, {}), StepPart::Bubble), Time(60));
        QCOMPARE(valueOf(rowOf(100, 100, 60, 40, 30, 90, {}, {}), StepPart::Bubble), Time(60));
    }
    void whatNothingStatesIsUnknown() {
        const StepBreakdown old = rowOf(100, 100, 60, 40, 30, {}, {}, -5);
        QCOMPARE(valueOf(old, StepPart::Exposed), Time(60));
        QCOMPARE(valueOf(old, StepPart::Bubble), Time());
        QCOMPARE(valueOf(old, StepPart::Preparing), Time());  // The device has another clock, or other work.
        QCOMPARE(valueOf(rowOf(100, 100, 60, 40, {}, 0, 60, {}), StepPart::Step), Time());
    }
    void theWholeIsItsParts() {
        std::mt19937_64 random(7);
        const auto time = [&random] { return static_cast<std::int64_t>(random() % 1000); };
        for (int i = 0; i < 2000; ++i) {
            const std::int64_t alone = time(), overlapped = time();
            const StepBreakdown row = rowOf(overlapped + time(), alone + overlapped, alone, overlapped, time(),
                                            random() % 3 == 0 ? Time() : time(), alone - time(), {});
            for (const bool isStack : {false, true}) {
                std::int64_t sum = 0;
                if (isStack)
                    for (const StepPart part : kStackedStep) sum += *valueOf(row, part);
                else
                    for (const StepPart part : kWholeStep) sum += *valueOf(row, part);
                QCOMPARE(Time(sum), valueOf(row, StepPart::Step));
            }
            QVERIFY(*valueOf(row, StepPart::Exposed) >= 0 && *valueOf(row, StepPart::Bubble) >= 0);
        }
    }
    /// The overview's column Difference was 0 ns where the parts differed by 45 ms.
    void partsThatDifferAreSeenThoughTheirSumIsTheSame() {
        const StepBreakdown row = rowOf(10'000, 5'000, 5'000, 0, 1'000, 0, 5'000, {});
        StepBreakdown other = row;
        QVERIFY(!areDifferent(row, other));
        *other.computing += 150;  // within a hundredth of 16,000
        QVERIFY(!areDifferent(row, other));
        *other.computing += 1'000;
        *other.free -= 1'150;
        QVERIFY(areDifferent(row, other));
        other = row;
        other.free.reset();
        QVERIFY(!areDifferent(row, other));
    }
    void eachHasItsName() {
        for (const StepPartInfo& info : stepParts()) {
            QCOMPARE(stepPartOf(info.name), std::optional(info.part));
            QCOMPARE(infoOf(info.part).name, info.name);
        }
        QVERIFY(!stepPartOf("not_overlapped"));
    }
};

ALTI_TEST(TestStepParts)
#include "tst_step_parts.moc"
