#include "core/analysis/steps/step_use.h"
#include "tests/support/test_main.h"

#include <optional>
#include <string>
#include <vector>

using namespace altiscope;

namespace {

StepBreakdown rowOf(std::optional<std::int64_t> step, std::int64_t computing, std::int64_t exposed, std::int64_t free,
                    std::optional<std::int64_t> device = {}) {
    StepBreakdown row;
    row.step = step;
    row.deviceNumber = device;
    row.computing = computing;
    row.exposed = exposed;
    row.free = free;
    return row;
}

/// A word for each row, "." for one that counts.
std::string wordsOf(const std::vector<StepUse>& uses) {
    std::string text;
    for (const StepUse use : uses)
        text += (text.empty() ? "" : " ") + (use == StepUse::Counts ? "." : std::string(stepUseName(use)));
    return text;
}

std::string usesText(const std::vector<StepBreakdown>& computed, const std::vector<StepBreakdown>& recorded,
                     const std::vector<StepSpan>& spans = {}) {
    const StepUses uses = stepUses(computed, recorded, spans);
    return wordsOf(uses.computed) + " | " + wordsOf(uses.recorded);
}

}  // namespace

class TestStepUse : public QObject {
    Q_OBJECT
private slots:
    void computedRowsCountWhereThereAreAny() {
        QCOMPARE(usesText({rowOf(5, 60, 20, 20)}, {rowOf(5, 60, 20, 20)}), std::string(". | origin"));
        QCOMPARE(usesText({}, {rowOf(5, 60, 20, 20), rowOf(6, 60, 20, 20)}), std::string(" | . ."));
    }

    void ofSeveralDevicesTheBusiestCounts() {
        QCOMPARE(
            usesText({rowOf(5, 60, 0, 0, 0), rowOf(5, 80, 0, 0, 1), rowOf(6, 70, 0, 0, 0), rowOf(6, 80, 0, 0, 1)}, {}),
            std::string("device . device . | "));
        QCOMPARE(usesText({}, {rowOf(5, 60, 0, 0, 0), rowOf(5, 50, 0, 0, 1)}), std::string(" | . device"));
    }

    void rowsOfNoStepCountForRanksWithoutSteps() {
        QCOMPARE(usesText({rowOf({}, 10, 0, 0), rowOf(5, 60, 20, 20)}, {}), std::string("no_step . | "));
        QCOMPARE(usesText({rowOf({}, 10, 0, 0)}, {}), std::string(". | "));
    }

    /// The sums agree, the parts do not: 45 of 100 are computing in one and free in the other.
    void aStepWhosePartsDisagreeCountsNowhere() {
        QCOMPARE(usesText({rowOf(5, 60, 20, 20), rowOf(6, 15, 20, 65)}, {rowOf(5, 60, 20, 20), rowOf(6, 60, 20, 20)}),
                 std::string(". differs | origin origin"));
        // One hundredth is rounding and clocks.
        QCOMPARE(usesText({rowOf(5, 6000, 2000, 2000)}, {rowOf(5, 5901, 2099, 2000)}), std::string(". | origin"));
        QCOMPARE(usesText({rowOf(5, 6000, 2000, 2000)}, {rowOf(5, 5899, 2101, 2000)}), std::string("differs | origin"));
        // Another device's row is no other opinion.
        QCOMPARE(usesText({rowOf(5, 60, 20, 20, 0)}, {rowOf(5, 10, 0, 0, 1)}), std::string(". | origin"));
    }

    void aStepWithoutItsKernelsCountsNowhere() {
        std::vector<StepSpan> spans(2);
        spans[0].step = 5;
        spans[1].step = 6;
        spans[1].lacksKernels = true;
        QCOMPARE(usesText({rowOf(5, 60, 20, 20), rowOf(6, 0, 20, 0)}, {}, spans), std::string(". no_kernels | "));
    }
};

ALTI_TEST(TestStepUse)
#include "tst_step_use.moc"
