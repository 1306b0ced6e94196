#include "core/analysis/steps/step_breakdown.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <random>

using namespace altiscope;

namespace {

constexpr std::int64_t kTicks = 3'000'000;
using Ticks = std::vector<char>;

std::vector<TimeRange> randomRanges(std::mt19937& random, std::int64_t count, std::int64_t longest) {
    std::uniform_int_distribution<std::int64_t> begin(0, kTicks - longest - 1), length(1, longest);
    std::vector<TimeRange> ranges;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t from = begin(random);
        ranges.push_back({{from}, {from + length(random)}});
    }
    return ranges;
}

Ticks ticksOf(const std::vector<TimeRange>& ranges) {
    Ticks ticks(kTicks + 1);
    for (const TimeRange& range : ranges)
        std::fill(ticks.begin() + range.begin.value, ticks.begin() + range.end.value, char{1});
    return ticks;
}

/// Sums of the stretches of ticks, by the step in which each begins; steps follow each other and are equally long.
std::vector<std::int64_t> lengthsByStep(const Ticks& ticks, std::int64_t step) {
    std::vector<std::int64_t> sums(static_cast<std::size_t>((kTicks + step - 1) / step));
    std::int64_t began = 0;
    for (std::int64_t t = 0; t < kTicks; ++t) {
        if (ticks[static_cast<std::size_t>(t)] == 0) continue;
        if (t == 0 || ticks[static_cast<std::size_t>(t) - 1] == 0) began = t;
        ++sums[static_cast<std::size_t>(began / step)];
    }
    return sums;
}

}  // namespace

class TestStepBreakdown : public QObject {
    Q_OBJECT
private slots:
    void manyKernelsEqualBruteForce() {
        std::mt19937 random(7);
        // More than fit into one part, with all that can lie across the borders of parts and steps.
        const auto kernels = randomRanges(random, 600'000, 3), collectives = randomRanges(random, 3'000, 900);
        constexpr std::int64_t kStep = 500'000;
        DeviceActivity activity;
        DeviceBusyTimes& busy = activity.devices.emplace_back();
        busy.computing = unionOf(kernels, {});
        busy.communication = unionOf(collectives, {});
        QVERIFY(busy.computing.size() > 300'000);
        for (std::int64_t s = 0; s < kTicks / kStep; ++s)
            activity.steps.push_back({.step = s, .device = {{s * kStep}, {(s + 1) * kStep - 1}}, .host = std::nullopt});
        Ticks c = ticksOf(kernels), m = ticksOf(collectives), exposed(c.size()), free(c.size());
        std::int64_t first = kTicks, last = 0;
        for (std::size_t t = 0; t < c.size(); ++t) {
            exposed[t] = m[t] != 0 && c[t] == 0;
            if (m[t] == 0 && c[t] == 0) continue;
            first = std::min(first, static_cast<std::int64_t>(t));
            last = static_cast<std::int64_t>(t);
        }
        for (std::int64_t t = first; t < last; ++t)
            free[static_cast<std::size_t>(t)] =
                c[static_cast<std::size_t>(t)] == 0 && m[static_cast<std::size_t>(t)] == 0;
        // A stretch of exposed communication ends with its collective also where the next one follows at once: none of
        // these touch.
        const auto computing = lengthsByStep(c, kStep), communication = lengthsByStep(m, kStep),
                   alone = lengthsByStep(exposed, kStep), idle = lengthsByStep(free, kStep);
        const std::vector<StepBreakdown> rows = computeBreakdown(activity);
        QCOMPARE(rows.size(), computing.size());
        for (std::size_t s = 0; s < rows.size(); ++s) {
            QCOMPARE(*rows[s].computing, computing[s]);
            QCOMPARE(*rows[s].communication, communication[s]);
            QCOMPARE(*rows[s].exposed, alone[s]);
            QCOMPARE(*rows[s].free, idle[s]);
        }
    }

    void sumsOfHostileReceivesStayAtTheBorder() {
        DeviceActivity activity;
        activity.steps.push_back({.step = std::nullopt, .device = {{-kMaxTimeNs}, {kMaxTimeNs}}, .host = std::nullopt});
        DeviceBusyTimes& busy = activity.devices.emplace_back();
        busy.receives.assign(9, {{-kMaxTimeNs}, {kMaxTimeNs}});
        busy.communication = {{{-kMaxTimeNs}, {kMaxTimeNs}}};
        const StepBreakdown row = computeBreakdown(activity).at(0);
        QCOMPARE(*row.bubble, std::numeric_limits<std::int64_t>::max());
        QCOMPARE(*row.exposedExclReceive, 0);
        QVERIFY(*row.stage < 0);
    }
};

ALTI_TEST(TestStepBreakdown)
#include "tst_step_breakdown.moc"
