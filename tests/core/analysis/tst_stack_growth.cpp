#include "core/analysis/snapshot/stack_growth.h"
#include "tests/core/analysis/snapshot_script.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace altiscope;
using altiscope::test::SnapshotScript;

namespace {

constexpr std::int64_t kGrowthBase = std::int64_t{1} << 40;
constexpr std::int64_t kGrowthMiB = 1 << 20;

/// A training: weights, then steps with activations that live through a step, and a stack that releases most of what it
/// allocates and keeps `leak` bytes of each step.
struct Training {
    SnapshotScript script;
    std::mt19937_64 random;
    std::int64_t next = kGrowthBase;

    explicit Training(std::uint64_t seed) : random(seed) { script.segment(kGrowthBase, std::int64_t{1} << 38); }
    std::int64_t make(std::int64_t bytes, const std::string& stack) {
        const std::int64_t address = next;
        next += (bytes + 511) / 512 * 512;
        script.alloc(address, bytes, stack);
        return address;
    }
    void step(std::int64_t leak, int layers, const char* annotation = "") {
        script.annotation = annotation;
        const std::int64_t input = make(3 * kGrowthMiB, "load");
        std::vector<std::int64_t> activations;
        for (int layer = 0; layer < layers; ++layer) {
            activations.push_back(make(kGrowthMiB, "forward"));
            const std::int64_t scratch = make(kGrowthMiB / 2, "scratch");
            script.free(scratch);
        }
        // Some more or less of what is for a moment: no two steps are as long.
        for (std::uint64_t i = random() % 3; i-- > 0;) script.free(make(700, "log"));
        const std::int64_t loss = make(5000, "loss");
        if (leak > 0) make(leak, "forward");
        while (!activations.empty()) {
            script.free(activations.back());
            activations.pop_back();
        }
        script.free(loss);
        script.free(input);
    }
};

const StackGrowth* growthOf(const DeviceSnapshot& snapshot, const std::vector<StackGrowth>& all, const char* stack) {
    for (const StackGrowth& growth : all) {
        if (snapshot.stackText(growth.stack) == stack) return &growth;
    }
    return nullptr;
}

}  // namespace

/// Which call stack makes memory grow, and by how much per step.
class TestStackGrowth : public QObject {
    Q_OBJECT
private slots:
    void aStackThatAlsoReleasesLeaks() {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            Training training(seed);
            for (int i = 0; i < 40; ++i) training.make(kGrowthMiB, "weights");
            const std::int64_t leak = kGrowthMiB + static_cast<std::int64_t>(seed) * 77'777;
            for (int step = 0; step < 8; ++step) training.step(leak, 12);
            const auto snapshot = training.script.snapshot();
            const HistorySteps steps = historySteps(*snapshot, {}, {}, {});
            QCOMPARE(steps.source, StepSource::Repetition);
            QVERIFY(steps.count() >= 6);
            const auto all = stackGrowth(*snapshot, steps, {});
            const StackGrowth* leaking = growthOf(*snapshot, all, "forward");
            QVERIFY(leaking != nullptr);
            QVERIFY(leaking->isSteady);
            QVERIFY(leaking->released > 0);
            QVERIFY(std::abs(leaking->growth - static_cast<double>(leak)) < 0.01 * static_cast<double>(leak));
            QVERIFY(leaking->fit > 0.99);
            QCOMPARE(leaking->bytes, leak * static_cast<std::int64_t>(steps.count()));
        }
    }

    void cleanStepsGrowNothing() {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            Training training(seed);
            for (int i = 0; i < 40; ++i) training.make(kGrowthMiB, "weights");
            for (int step = 0; step < 8; ++step) training.step(0, 12);
            // The recording ends within a step.
            for (std::uint64_t i = seed % 12; i-- > 0;) training.make(kGrowthMiB, "forward");
            const auto snapshot = training.script.snapshot();
            const HistorySteps steps = historySteps(*snapshot, {}, {}, {});
            QCOMPARE(steps.source, StepSource::Repetition);
            QVERIFY(stackGrowth(*snapshot, steps, {}).empty());
        }
    }

    void aForwardPassAloneIsNoLeak() {
        Training training(1);
        training.script.older(kGrowthBase + (std::int64_t{1} << 37), kGrowthMiB, "weights");
        for (int layer = 0; layer < 30; ++layer) {
            training.make(kGrowthMiB, "forward");
            training.script.free(training.make(kGrowthMiB / 2, "forward"));
        }
        const auto snapshot = training.script.snapshot();
        // Nothing shows that it does not go on so; but a line of entries alone is not called steps.
        QCOMPARE(historySteps(*snapshot, {}, {}, {}).source, StepSource::None);
    }

    void layersOfOnePassAreNoSteps() {
        // Each layer needs much for a moment, in one turn, and keeps its activation until a backward pass that the
        // history does not show; then gradients that stay, and what an optimizer makes in its first step.
        for (const int layers : {8, 24, 60}) {
            Training training(5);
            training.script.older(kGrowthBase + (std::int64_t{1} << 37), kGrowthMiB, "weights");
            std::vector<std::int64_t> activations;
            for (int layer = 0; layer < layers; ++layer) {
                std::vector<std::int64_t> scratch;
                for (int i = 0; i < 4; ++i) scratch.push_back(training.make(20 * kGrowthMiB, "attention"));
                activations.push_back(training.make(20 * kGrowthMiB, "forward"));
                for (const std::int64_t address : scratch) training.script.free(address);
            }
            const auto growsSteadily = [&] {
                const auto snapshot = training.script.snapshot();
                const HistorySteps steps = historySteps(*snapshot, {}, {}, {});
                if (steps.source != StepSource::None) return true;
                const auto all = stackGrowth(*snapshot, steps, {});
                return std::any_of(all.begin(), all.end(), [](const StackGrowth& one) { return one.isSteady; });
            };
            QVERIFY(!growsSteadily());
            for (; !activations.empty(); activations.pop_back()) {
                training.make(4 * kGrowthMiB, "gradients");
                training.script.free(activations.back());
            }
            QVERIFY(!growsSteadily());
            for (int layer = 0; layer < layers; ++layer) training.make(4 * kGrowthMiB, "optimizer");
            QVERIFY(!growsSteadily());
        }
    }

    void whatSurvivesTheReleaseOfItsStepsIsGrowth() {
        // A loss of each step that is kept, with no mark of steps and nothing else in their rhythm.
        for (const int layers : {4, 24}) {
            for (const bool leaks : {false, true}) {
                Training training(6);
                for (int step = 0; step < 12; ++step) {
                    std::vector<std::int64_t> activations;
                    for (int layer = 0; layer < layers; ++layer) {
                        const std::int64_t scratch = training.make(8 * kGrowthMiB, "attention");
                        activations.push_back(training.make(20 * kGrowthMiB, "forward"));
                        training.script.free(scratch);
                    }
                    const std::int64_t loss = training.make(kGrowthMiB, "loss");
                    for (; !activations.empty(); activations.pop_back()) {
                        if (step == 0) training.make(4 * kGrowthMiB, "gradients");
                        training.script.free(activations.back());
                    }
                    for (int layer = 0; layer < layers && step == 0; ++layer)
                        training.make(4 * kGrowthMiB, "optimizer");
                    if (!leaks) training.script.free(loss);
                }
                const auto snapshot = training.script.snapshot();
                const auto all = stackGrowth(*snapshot, historySteps(*snapshot, {}, {}, {}), {});
                for (const StackGrowth& one : all)
                    QCOMPARE(one.isSteady, snapshot->stackText(one.stack) == std::string_view("loss"));
                const StackGrowth* loss = growthOf(*snapshot, all, "loss");
                QCOMPARE(loss != nullptr, leaks);
                if (loss != nullptr) QCOMPARE(loss->bytes, 12 * kGrowthMiB);
            }
        }
    }

    void annotationsCountSteps() {
        Training training(3);
        const char* const words[] = {"ProfilerStep#7", "ProfilerStep#8", "ProfilerStep#9", "ProfilerStep#10",
                                     "ProfilerStep#11"};
        training.make(100, "weights");
        for (const char* word : words) training.step(2 * kGrowthMiB, 3, word);
        const auto snapshot = training.script.snapshot();
        const HistorySteps steps = historySteps(*snapshot, {}, {}, {});
        QCOMPARE(steps.source, StepSource::Annotations);
        QCOMPARE(steps.count(), std::size_t{4});
        const auto all = stackGrowth(*snapshot, steps, {});
        const StackGrowth* leaking = growthOf(*snapshot, all, "forward");
        QVERIFY(leaking != nullptr);
        QCOMPARE(static_cast<std::int64_t>(std::llround(leaking->growth)), 2 * kGrowthMiB);
        QVERIFY(leaking->margin < 1);
    }

    void aProfileKnowsTheSteps() {
        SnapshotClock clock;
        clock.moments = {{0, TimeNs{1000}}, {100, TimeNs{2000}}};
        const std::vector<Step> steps = {{3, TimeRange{{1100}, {1300}}},
                                         {1, TimeRange{{500}, {700}}},
                                         {4, TimeRange{{1300}, {1500}}},
                                         {5, TimeRange{{1500}, {1700}}}};
        const HistorySteps found = stepsByProfile(clock, steps);
        QCOMPARE(found.source, StepSource::Profile);
        QCOMPARE(found.borders, (std::vector<EventNumber>{11, 31, 51, 71}));
        QCOMPARE(stepsByProfile({}, steps).count(), std::size_t{0});
    }
};

ALTI_TEST(TestStackGrowth)
#include "tst_stack_growth.moc"
