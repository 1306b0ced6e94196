#include "core/analysis/steps/step_sums.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

using namespace altiscope;
using altiscope::test::rankTrace;

namespace {

std::vector<StepSpan> twoSteps() {
    return {{.step = 7, .device = {{100}, {200}}, .host = TimeRange{{0}, {90}}},
            {.step = 8, .device = {{300}, {400}}, .host = std::nullopt}};
}

}  // namespace

class TestStepSums : public QObject {
    Q_OBJECT
private slots:
    void theMeanIsOfStepsThatHaveAny() {
        Occurrences found;
        QCOMPARE(found.perAffectedStep(), std::int64_t{0});
        found.byStep = {0, 30, 0, 50};
        QCOMPARE(found.stepsWithAny(), std::size_t{2});
        QCOMPARE(found.perAffectedStep(), std::int64_t{40});
    }

    void stepsByTheClockOfTheHostAndOfTheDevice() {
        const StepSums device(nullptr, twoSteps(), StepSums::Clock::Device),
            host(nullptr, twoSteps(), StepSums::Clock::Host);
        using Place = std::optional<std::size_t>;
        for (const auto& [time, onDevice, onHost] : {std::tuple<std::int64_t, Place, Place>(-1, {}, {}),
                                                     {0, {}, 0},
                                                     {90, {}, 0},
                                                     {91, {}, {}},
                                                     {99, {}, {}},
                                                     {100, 0, {}},
                                                     {200, 0, {}},
                                                     {201, {}, {}},
                                                     {300, 1, 1},
                                                     {400, 1, 1},
                                                     {401, {}, {}}}) {
            QCOMPARE(device.stepAt({time}), onDevice);
            QCOMPARE(host.stepAt({time}), onHost);
        }
    }

    void theLongestStandFirst() {
        const auto trace =
            rankTrace("Python/Thread 1: a[100,110) b[120,150) c[160,180) d[200,230) e[300,305) f[310,350) "
                      "g[500,509)\n");
        const StepSums sums(trace.get(), twoSteps(), StepSums::Clock::Device);
        Occurrences found;
        for (std::uint32_t i = 0; i < 7; ++i) sums.add(found, {i}, trace->duration({i}).value);
        QCOMPARE(found.count, std::uint64_t{7});
        QCOMPARE(found.total, std::int64_t{144});
        QCOMPARE(found.max, std::int64_t{40});
        QCOMPARE(found.byStep, (std::vector<std::int64_t>{90, 45}));
        std::string names;
        for (const FactSlice& slice : found.longest) names += slice.name;
        QCOMPARE(names, std::string("fbdca"));  // of equals the first
    }

    void partsThatOthersCoverCountOnce() {
        const auto trace =
            rankTrace("Python/Thread 1: a[100,130) b[150,160)\nPython/Thread 2: c[100,140) d[120,155)\n");
        const StepSums sums(trace.get(), twoSteps(), StepSums::Clock::Device);
        Occurrences found;
        std::vector<SliceIndex> slices;
        for (std::uint32_t i = 0; i < 4; ++i) slices.push_back({i});
        sums.addUnion(found, slices, {{{105}, {110}}, {{155}, {200}}});
        QCOMPARE(found.count, std::uint64_t{4});
        QCOMPARE(found.total, std::int64_t{50});  // [100,105) and [110,155)
    }
};

ALTI_TEST(TestStepSums)
#include "tst_step_sums.moc"
