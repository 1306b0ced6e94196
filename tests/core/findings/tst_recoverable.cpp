#include "core/findings/run_rules.h"
#include "tests/core/findings/planted_facts.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>

using namespace altiscope;
using altiscope::test::cleanFacts;
using altiscope::test::kMs;
using altiscope::test::occurrences;

namespace {

using Random = std::mt19937_64;

std::int64_t within(Random& random, std::int64_t min, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(min, most)(random);
}

Occurrences randomOccurrences(Random& random, std::size_t steps, std::int64_t most) {
    std::vector<std::int64_t> byStep(steps);
    // Half of the causes show in some steps only.
    const bool everywhere = within(random, 0, 1) == 0;
    for (std::int64_t& ns : byStep) ns = everywhere || within(random, 0, 3) == 0 ? within(random, 0, most) : 0;
    return occurrences(static_cast<std::uint64_t>(within(random, 1, 1000)), byStep,
                       *std::max_element(byStep.begin(), byStep.end()));
}

/// Everything may be wrong with it, by any amount.
CaptureFacts randomFacts(std::uint64_t seed) {
    Random random(seed);
    CaptureFacts facts;
    const std::int64_t ranks = within(random, 1, 9), stages = within(random, 1, 3);
    const auto steps = static_cast<std::size_t>(within(random, 1, 8));
    for (std::int64_t r = 0; r < ranks; ++r) {
        RankFacts& rank = facts.ranks.emplace_back();
        rank.rankId = r;
        rank.hasEvents = true;
        rank.stages = stages;
        rank.stage = r % stages;
        for (std::size_t s = 0; s < steps; ++s) {
            StepFacts& step = rank.steps.emplace_back();
            step.step = static_cast<std::int64_t>(s);
            step.computing = within(random, 0, 80 * kMs);
            step.exposed = within(random, 0, 60 * kMs);
            step.bubble = within(random, 0, step.exposed);
            step.communication = step.exposed + within(random, 0, step.computing);
            step.exposed -= step.bubble;
            step.free = within(random, 0, 40 * kMs);
        }
        if (within(random, 0, 4) == 0) rank.steps.back().free += 2000 * kMs;
        rank.kernels["MatMul"] = {60, within(random, 1, static_cast<std::int64_t>(steps) * 60 * kMs)};
        rank.kernelCount = 60;
        rank.tinyKernels = randomOccurrences(random, steps, kMs);
        for (Occurrences* found : {&rank.launchGaps, &rank.garbageCollections, &rank.synchronizations,
                                   &rank.dataLoading, &rank.freeAfterSynchronization, &rank.frequencyLoss,
                                   &rank.memoryCalls, &rank.compilations, &rank.aiCpu["Cast"]})
            *found = randomOccurrences(random, steps, 120 * kMs);
        for (CoreUse* use : {&rank.idleCores, &rank.idleCube, &rank.idleVector})
            use->saved = randomOccurrences(random, steps, 50 * kMs);
        rank.sequences.push_back({{"Mul", "Add"}, randomOccurrences(random, steps, 50 * kMs), 0});
        for (std::size_t s = 0; s < steps; ++s)
            rank.longCollectives.push_back(
                {static_cast<std::int64_t>(s), "dp", "x", 5'000 * kMs, within(random, 0, 9'000 * kMs), 1'000'000});
        ContentionFacts& contention = rank.contention.emplace_back();
        contention.beside = contention.alone = 5;
        contention.besideBytes = contention.aloneBytes = 1'000 * kMs;
        contention.besideTime = within(random, 1, 200 * kMs);
        contention.aloneTime = within(random, 1, 200 * kMs);
        for (std::size_t s = 0; s < steps; ++s)
            contention.byStep.push_back({100 * kMs, within(random, 0, 90 * kMs), within(random, 0, 90 * kMs)});
        rank.highestMhz = 1800;
        rank.lowestMhz = within(random, 800, 1800);
        rank.collectives.push_back(
            {"dp", false, randomOccurrences(random, steps, 90 * kMs), randomOccurrences(random, steps, 90 * kMs)});
        WaitFacts& waits = rank.waits.emplace_back();
        waits.group = "dp";
        waits.elapsed = within(random, 0, 900 * kMs);
        waits.transit = within(random, 0, waits.elapsed);
        waits.byStep.assign(steps, (waits.elapsed - waits.transit) / static_cast<std::int64_t>(steps));
        rank.receivesPerStep = static_cast<double>(within(random, 0, 8));
        rank.packets.push_back({0,
                                "HCCS",
                                within(random, 1, 1 << 22),
                                within(random, 1, 100000),
                                100 * kMs,
                                static_cast<double>(within(random, 0, 90 * kMs)),
                                1e6,
                                1,
                                {}});
        for (std::int64_t peer = 0; peer < ranks; ++peer) {
            if (peer != r) rank.links.push_back({0, r, peer, "HCCS", 180 * kMs, within(random, 1, 100 * kMs)});
        }
    }
    return facts;
}

std::int64_t mean(const RankFacts& rank, std::int64_t StepFacts::*part) {
    std::int64_t sum = 0;
    for (const StepFacts& step : rank.steps) sum += step.*part;
    return sum / static_cast<std::int64_t>(rank.steps.size());
}

std::int64_t most(const RankFacts& rank, std::int64_t StepFacts::*part) {
    std::int64_t found = 0;
    for (const StepFacts& step : rank.steps) found = std::max(found, step.*part);
    return found;
}

/// What the formula of each rule ends at. Where a cause shows in some steps only, no step loses more than its own part.
std::int64_t allowed(const RankFacts& rank, const Finding& finding) {
    static const std::map<std::string, std::vector<std::int64_t StepFacts::*>, std::less<>> kParts = {
        {"ai_cpu", {&StepFacts::computing}},
        {"fail_slow", {&StepFacts::computing, &StepFacts::exposed, &StepFacts::bubble, &StepFacts::free}},
        {"idle_cores", {&StepFacts::computing}},
        {"cube_efficiency", {&StepFacts::computing}},
        {"vector_efficiency", {&StepFacts::computing}},
        {"fusible_sequence", {&StepFacts::computing}},
        {"lost_packets", {&StepFacts::exposed, &StepFacts::bubble}},
        {"unaligned_packets", {&StepFacts::exposed, &StepFacts::bubble}},
        {"contention", {&StepFacts::exposed}},
        {"frequency_drop", {&StepFacts::computing}},
        {"slow_rank", {&StepFacts::computing}},
        {"unbalanced_stages", {&StepFacts::computing}},
        {"unbalanced_ranks", {&StepFacts::computing}},
        {"slow_link", {&StepFacts::exposed, &StepFacts::bubble}},
        {"small_packets", {&StepFacts::exposed, &StepFacts::bubble}},
        {"collective_wait", {&StepFacts::exposed}},
        {"pipeline_bubble", {&StepFacts::bubble}},
        {"exposed_communication", {&StepFacts::exposed}},
        {"gc_pause", {&StepFacts::free, &StepFacts::exposed, &StepFacts::bubble}},
        {"data_loading", {&StepFacts::free, &StepFacts::exposed, &StepFacts::bubble}},
        {"memory_calls", {&StepFacts::free, &StepFacts::exposed, &StepFacts::bubble}},
        {"operator_compilation", {&StepFacts::free, &StepFacts::exposed, &StepFacts::bubble}},
        {"slow_launches", {&StepFacts::free}},
        {"synchronizations", {&StepFacts::free}},
        {"tiny_kernels", {&StepFacts::free}},
        {"free_gap", {&StepFacts::free}},
        {"free_time", {&StepFacts::free}}};
    std::int64_t sum = 0;
    for (const auto part : kParts.at(finding.rule)) sum += most(rank, part);
    const auto atMost = [&](const Occurrences& cause) { sum = std::min(sum, cause.max); };
    if (finding.rule == "gc_pause") atMost(rank.garbageCollections);
    if (finding.rule == "data_loading") atMost(rank.dataLoading);
    if (finding.rule == "slow_launches") atMost(rank.launchGaps);
    if (finding.rule == "synchronizations") atMost(rank.freeAfterSynchronization);
    if (finding.rule == "frequency_drop") atMost(rank.frequencyLoss);
    if (finding.rule == "exposed_communication") atMost(rank.collectives[0].exposed);
    if (finding.rule == "idle_cores") atMost(rank.idleCores.saved);
    if (finding.rule == "cube_efficiency") atMost(rank.idleCube.saved);
    if (finding.rule == "vector_efficiency") atMost(rank.idleVector.saved);
    if (finding.rule == "fusible_sequence") atMost(rank.sequences[0].saved);
    if (finding.rule == "contention") {
        std::int64_t exposed = 0;
        for (const ContentionFacts::InStep& step : rank.contention[0].byStep) exposed = std::max(exposed, step.exposed);
        sum = std::min(sum, exposed);
    }
    if (finding.rule == "pipeline_bubble") sum = std::min(sum, mean(rank, &StepFacts::bubble));
    if (finding.rule == "free_gap" || finding.rule == "free_time") sum = std::min(sum, mean(rank, &StepFacts::free));
    return sum;
}

}  // namespace

class TestRecoverable : public QObject {
    Q_OBJECT
private slots:
    void ofRandomCapturesIsWithinItsFormula();
    void ofSlowLaunchesEndsAtTheFreeTime();
    void ofSomeStepsIsTheirMean();
    void claimsOfCausesAddUp();
    void aStepLosesNothingTwice();
};

void TestRecoverable::ofRandomCapturesIsWithinItsFormula() {
    std::map<std::string, int> seen;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        const CaptureFacts facts = randomFacts(seed);
        for (const Finding& finding : runRules(facts, {})) {
            ++seen[finding.rule];
            if (!finding.recoverable) continue;
            const RankFacts& rank = facts.ranks[finding.rank->value];
            QVERIFY(*finding.recoverable >= 0);
            if (finding.step) {
                QVERIFY2(*finding.recoverable <= rank.steps[static_cast<std::size_t>(*finding.step)].endToEnd(),
                         finding.rule.c_str());
                continue;
            }
            QVERIFY2(*finding.recoverable <= allowed(rank, finding),
                     qPrintable(QStringLiteral("%1, seed %2").arg(QString::fromStdString(finding.rule)).arg(seed)));
        }
    }
    // Each rule had its say, but those that no number here can cause.
    for (const RuleInfo& rule : findingRules()) {
        const bool isOther =
            rule.rule == "memory_leak" || rule.rule == "kept_stack" || rule.rule == "out_of_memory" ||
            rule.rule == "missing_data" || rule.rule == "unfused_optimizer" || rule.rule == "environment" ||
            rule.rule == "sync_batch_norm" || rule.rule == "affinity_api" || rule.rule == "dynamic_shapes" ||
            rule.rule == "cut_history" || rule.rule == "fragmentation" || rule.rule == "memory_spike" ||
            rule.rule == "unused_allocation" || rule.rule == "cut_timeline";
        QVERIFY2(isOther || seen[std::string(rule.rule)] > 0, rule.rule.data());
    }
}

void TestRecoverable::ofSlowLaunchesEndsAtTheFreeTime() {
    CaptureFacts facts = cleanFacts();
    for (StepFacts& step : facts.ranks[1].steps) step.free = 2'500'000;
    facts.ranks[1].launchGaps = occurrences(660, std::vector<std::int64_t>(6, 45'900'000), 500'000);
    for (const Finding& finding : runRules(facts, {})) {
        if (finding.rule != "slow_launches") continue;
        QCOMPARE(*finding.recoverable, std::int64_t{2'500'000});
        return;
    }
    QFAIL("not found");
}

void TestRecoverable::ofSomeStepsIsTheirMean() {
    // One step of six stands still for 60 ms: that is what this step wins back, though the mean step is free for 15 ms
    // only.
    CaptureFacts facts = cleanFacts();
    facts.ranks[3].steps[2].free = 65 * kMs;
    facts.ranks[3].garbageCollections = occurrences(1, {0, 0, 60 * kMs, 0, 0, 0}, 60 * kMs);
    const Finding first = runRules(facts, {}).front();
    QCOMPARE(first.rule, std::string("gc_pause"));
    QCOMPARE(*first.recoverable, 60 * kMs);
}

void TestRecoverable::claimsOfCausesAddUp() {
    std::size_t claims = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        CaptureFacts facts = randomFacts(seed);
        Random random(seed);
        const std::size_t steps = facts.ranks[0].steps.size();
        auto account = std::make_shared<AccountFacts>();
        JobAccount& job = account->job;
        job.refusal = ReplayRefusal::None;
        job.recorded.assign(steps, 200 * kMs);
        job.ideal = job.recorded;
        job.withoutLaunches.assign(steps, 150 * kMs);
        for (const Cause word : {Cause::Kernel, Cause::Gc, Cause::DataLoading, Cause::Compile, Cause::Frequency,
                                 Cause::Transfer, Cause::Host, Cause::Absent}) {
            for (const CauseKind kind : {CauseKind::Any, CauseKind::AiCpu, CauseKind::MemoryCalls,
                                         CauseKind::SmallPackets, CauseKind::NotHidden}) {
                const bool isUsual = kind == CauseKind::Any && word != Cause::Transfer;
                const bool isOfKernels = kind == CauseKind::AiCpu, isOfHost = kind == CauseKind::MemoryCalls;
                if (!isUsual && word != (isOfKernels ? Cause::Kernel : isOfHost ? Cause::Host : Cause::Transfer))
                    continue;
                if (kind == CauseKind::Any && word == Cause::Transfer) continue;
                CauseFacts& cause = job.causes.emplace_back();
                cause.cause = word;
                cause.kind = kind;
                cause.ranks = {rankIndex(
                    static_cast<std::size_t>(within(random, 0, static_cast<std::int64_t>(facts.ranks.size()) - 1)))};
                cause.slices.push_back({cause.ranks[0], SliceId{7}, "slice", {{0}, {1}}, 1});
                for (std::size_t s = 0; s < steps; ++s) {
                    cause.removal.push_back(within(random, 0, job.ideal[s] / 3));
                    job.ideal[s] -= cause.removal.back();
                }
                cause.alone = cause.first = cause.removal;
            }
        }
        for (const WhatIf whatIf : {WhatIf::IdleCores, WhatIf::CubeEfficiency, WhatIf::VectorEfficiency,
                                    WhatIf::TinyKernels, WhatIf::Synchronizations, WhatIf::BalancedStages,
                                    WhatIf::UnalignedPackets, WhatIf::LostPackets, WhatIf::Contention}) {
            WhatIfFacts& one = job.whatIfs.emplace_back();
            one.whatIf = whatIf;
            one.ranks = {{0}};
            for (const std::int64_t ideal : job.ideal) one.gains.push_back(within(random, 0, ideal));
        }
        facts.account = account;
        std::int64_t sum = 0, won = 0;
        for (std::size_t s = 0; s < steps; ++s) won += job.recorded[s] - job.ideal[s];
        static const std::set<std::string, std::less<>> kOfCauses = {
            "slow_rank",     "ai_cpu",          "frequency_drop",       "small_packets",
            "gc_pause",      "data_loading",    "memory_calls",         "operator_compilation",
            "slow_launches", "collective_wait", "exposed_communication"};
        for (const Finding& finding : runRules(facts, {})) {
            if (!finding.isReplayed) continue;
            QVERIFY(*finding.recoverable <= 200 * kMs);
            if (!kOfCauses.contains(finding.rule)) continue;
            sum += *finding.recoverable;
            ++claims;
        }
        QVERIFY2(sum <= won / static_cast<std::int64_t>(steps), qPrintable(QStringLiteral("seed %1").arg(seed)));
    }
    QVERIFY(claims > 2000);
}

void TestRecoverable::aStepLosesNothingTwice() {
    // The one long step is long because of a pause, which is a finding of its own.
    CaptureFacts facts = cleanFacts();
    for (RankFacts& rank : facts.ranks) {
        rank.garbageCollections = occurrences(1, {0, 0, 0, 40 * kMs, 0, 0}, 40 * kMs);
        rank.steps[3].free += 40 * kMs;
    }
    const auto found = runRules(facts, {});
    QCOMPARE(found.front().rule, std::string("gc_pause"));
    QVERIFY(std::none_of(found.begin(), found.end(), [](const Finding& f) { return f.rule == "step_outlier"; }));
}

ALTI_TEST(TestRecoverable)
#include "tst_recoverable.moc"
