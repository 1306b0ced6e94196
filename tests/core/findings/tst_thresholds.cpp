#include "core/findings/run_rules.h"
#include "tests/core/findings/planted_facts.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>

using namespace altiscope;
using altiscope::test::cleanFacts;
using altiscope::test::kMs;
using altiscope::test::occurrences;

namespace {

using Plant = std::function<void(CaptureFacts&)>;
/// What a finding says that depends on a threshold; empty: there is no such finding.
using Say = std::function<std::string(const std::vector<Finding>&)>;

std::string isThere(const std::vector<Finding>& findings, std::string_view rule) {
    return std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.rule == rule; }) ? "there"
                                                                                                           : "";
}

std::string severityOfRule(const std::vector<Finding>& findings, std::string_view rule) {
    const auto found = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.rule == rule; });
    return found == findings.end() ? std::string() : std::string(findingSeverityName(found->severity));
}

std::string recoverableOfRule(const std::vector<Finding>& findings, std::string_view rule) {
    const auto found = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.rule == rule; });
    return found == findings.end() || !found->recoverable ? std::string() : std::to_string(*found->recoverable);
}

Say there(const char* rule) {
    return [rule](const std::vector<Finding>& findings) { return isThere(findings, rule); };
}
Say severity(const char* rule) {
    return [rule](const std::vector<Finding>& findings) { return severityOfRule(findings, rule); };
}
Say recoverable(const char* rule) {
    return [rule](const std::vector<Finding>& findings) { return recoverableOfRule(findings, rule); };
}

/// A threshold on both sides of what is planted.
struct Case {
    const char* threshold;
    Plant plant;
    Say say;
    double below, above;
    std::string belowSays, aboveSays;
};

Occurrences each(std::int64_t ns, std::uint64_t count = 6) {
    return occurrences(count, std::vector<std::int64_t>(6, ns), ns);
}

void setFree(CaptureFacts& facts, std::int64_t ns) {
    for (RankFacts& rank : facts.ranks) {
        for (StepFacts& step : rank.steps) step.free = ns;
    }
}

void addPackets(CaptureFacts& facts, const char* transport, std::int64_t size) {
    facts.ranks[0].packets.push_back({11, transport, size, 10'000, 100 * kMs, 50e6, 65536e4, 10, {}});
}

void slowLink(CaptureFacts& facts) {
    for (RankFacts& rank : facts.ranks) {
        for (LinkFacts& link : rank.links) {
            if (link.source + link.target == 3 && link.source * link.target == 2)
                link.time = 20 * kMs;  // half as fast as the others
        }
    }
}

/// Two links only, each of its own kind.
void fewLinks(CaptureFacts& facts, const char* transport) {
    for (RankFacts& rank : facts.ranks) rank.links.clear();
    facts.ranks[0].links.push_back({10, 0, 1, transport, 100'000'000, 20 * kMs, "allreduce", "dp"});  // 5 bytes/ns
}

std::vector<Case> cases() {
    const Plant pause = [](CaptureFacts& f) { f.ranks[3].garbageCollections = each(4 * kMs); };  // 4 %
    const Plant matMul = [](CaptureFacts& f) { f.ranks[2].kernels["MatMul"].total += 6 * 4 * kMs; };
    const Plant withoutKernels = [](CaptureFacts& f) {
        for (RankFacts& rank : f.ranks) rank.kernels.clear();
        for (StepFacts& step : f.ranks[3].steps) step.computing += 12 * kMs;
    };
    const Plant launches = [](CaptureFacts& f) {
        setFree(f, 40 * kMs);
        f.ranks[1].launchGaps = occurrences(300, std::vector<std::int64_t>(6, 50 * 100'000), 120'000);  // 100 us each
    };
    const Plant leak = [](CaptureFacts& f) {
        f.ranks[2].pools = {
            {.device = {},
             .allocatedAtBorders = {0, 4'200'000, 8'000'000, 12'000'000, 16'000'000, 20'100'000, 24'000'000},
             .keptAllocations = {}}};
    };
    const Plant outlier = [](CaptureFacts& f) {
        const std::int64_t spread[] = {-2, -1, 0, 1, 2, 20};
        for (std::size_t s = 0; s < 6; ++s) f.ranks[1].steps[s].computing += spread[s] * kMs;
    };
    const Plant exposed = [](CaptureFacts& f) {
        f.ranks[1].collectives[0].all = each(40 * kMs, 60);
        f.ranks[1].collectives[0].exposed = each(34 * kMs, 60);  // 15 % hidden
    };
    const Plant waits = [](CaptureFacts& f) {
        for (RankFacts& rank : f.ranks) {
            WaitFacts& one = rank.waits.emplace_back();
            one.group = "g";
            one.elapsed = 6 * 30 * kMs;
            one.transit = 6 * 12 * kMs;  // 60 % waiting
            one.byStep.assign(6, 18 * kMs);
        }
    };
    const Plant bubble = [](CaptureFacts& f) {
        for (std::size_t r = 0; r < 4; ++r) {
            f.ranks[r].stages = 2;
            f.ranks[r].stage = r < 2 ? 0 : 1;
            f.ranks[r].receivesPerStep = 9;
            for (StepFacts& step : f.ranks[r].steps) step.exposed = 15 * kMs, step.bubble = 20 * kMs;
        }
    };
    const Plant tiny = [](CaptureFacts& f) {
        f.ranks[1].kernelCount = 3300;
        f.ranks[1].tinyKernels.count = 2000;
        setFree(f, 30 * kMs);
    };
    const Plant syncs = [](CaptureFacts& f) {
        f.ranks[2].synchronizations.count = 120;
        f.ranks[2].freeAfterSynchronization = each(4 * kMs, 120);
    };
    const Plant unaligned = [](CaptureFacts& f) {
        // 25 of 35 ms are of unaligned packets; aligned ones reach 1.68 bytes/ns.
        f.ranks[0].packets.push_back({11, "HCCS", (4 << 20) + 1, 10, 25 * kMs, 25e6, 4.2e6, 10, {}});
    };
    const Plant lost = [](CaptureFacts& f) {
        for (RankFacts& rank : f.ranks) {
            for (StepFacts& step : rank.steps) step.exposed = 6'000 * kMs;
            rank.longCollectives.push_back({11, "g", "hcom_allReduce", 5'000 * kMs, 4'500 * kMs, 1'000'000});
        }
    };
    const Plant contended = [](CaptureFacts& f) {
        ContentionFacts& facts = f.ranks[1].contention.emplace_back();
        facts = {"allreduce", 6, 6, 600 * kMs, 60 * kMs, 600 * kMs, 30 * kMs, {}};  // 10 and 20 bytes/ns
        facts.byStep.assign(6, {100 * kMs, 10 * kMs, 8 * kMs});
    };
    const Plant sequence = [](CaptureFacts& f) {
        f.ranks[1].sequences.push_back({{"Mul", "Add"}, each(2 * kMs, 72), 24 * kMs});  // 2 % of a step
    };
    const Plant shapes = [](CaptureFacts& f) {
        f.ranks[1].shapes = {{100, 100}, {100, 60}, {100, 55}, {100, 50}, {100, 70}, {100, 50}};
    };
    return {
        {"unaligned_packet_share", unaligned, there("unaligned_packets"), 0.71, 0.72, "there", ""},
        {"lost_packet", lost, there("lost_packets"), 4.5e9, 4.51e9, "there", ""},
        {"contended_share", contended, there("contention"), 0.51, 0.49, "there", ""},
        {"kernel_saving_share", sequence, there("fusible_sequence"), 0.019, 0.021, "there", ""},
        {"fusible_repeats", sequence, there("fusible_sequence"), 12, 13, "there", ""},
        {"new_shape_share", shapes, there("dynamic_shapes"), 0.5, 0.51, "there", ""},
        {"high_share", pause, severity("gc_pause"), 0.039, 0.041, "high", "medium"},
        {"medium_share", withoutKernels, severity("slow_rank"), 0.10, 0.11, "medium", "low"},
        {"rank_gap_share", withoutKernels, there("slow_rank"), 0.10, 0.12, "there", ""},
        {"rank_kernel_share", matMul, there("slow_rank"), 0.039, 0.041, "there", ""},
        {"slow_link_share", slowLink, there("slow_link"), 0.51, 0.49, "there", ""},
        {"slow_link_step_share", slowLink, there("slow_link"), 0.09, 0.11, "there", ""},
        {"fast_link_bandwidth", [](CaptureFacts& f) { fewLinks(f, "HCCS"); }, there("slow_link"), 7.2, 7.1, "there",
         ""},
        {"network_bandwidth", [](CaptureFacts& f) { fewLinks(f, "RDMA"); }, there("slow_link"), 7.2, 7.1, "there", ""},
        {"small_packet_bytes", [](CaptureFacts& f) { addPackets(f, "HCCS", 65536); }, there("small_packets"), 65537,
         65536, "there", ""},
        {"small_network_packet_bytes", [](CaptureFacts& f) { addPackets(f, "RDMA", 65536); }, there("small_packets"),
         65537, 65536, "there", ""},
        // 100 of 110 ms of packets are small.
        {"small_packet_share", [](CaptureFacts& f) { addPackets(f, "HCCS", 65536); }, there("small_packets"), 0.90,
         0.91, "there", ""},
        {"small_packets_per_operator", [](CaptureFacts& f) { addPackets(f, "HCCS", 65536); }, severity("small_packets"),
         1000, 1001, "high", "low"},
        {"ai_cpu", [](CaptureFacts& f) { f.ranks[1].aiCpu["Cast"] = each(3 * kMs); }, there("ai_cpu"), 3e6, 3.1e6,
         "there", ""},
        {"ai_cpu_slowdown", [](CaptureFacts& f) { f.ranks[1].aiCpu["Cast"] = each(3 * kMs); }, recoverable("ai_cpu"), 2,
         3, "1500000", "2000000"},
        {"frequency_drop_share",
         [](CaptureFacts& f) {
             f.ranks[0].lowestMhz = 1620;  // 10 % less
             f.ranks[0].frequencyLoss = each(5 * kMs);
         },
         there("frequency_drop"), 0.09, 0.11, "there", ""},
        {"gc_pause", pause, there("gc_pause"), 4e6, 4.1e6, "there", ""},
        {"data_loading", [](CaptureFacts& f) { f.ranks[0].dataLoading = each(30 * kMs); }, there("data_loading"), 30e6,
         30.1e6, "there", ""},
        {"memory_calls", [](CaptureFacts& f) { f.ranks[1].memoryCalls = each(4 * kMs); }, there("memory_calls"), 24e6,
         25e6, "there", ""},
        {"compilations", [](CaptureFacts& f) { f.ranks[1].compilations = each(2 * kMs, 30); },
         there("operator_compilation"), 30, 31, "there", ""},
        {"sync_batch_norms", [](CaptureFacts& f) { f.ranks[1].syncBatchNorms = 25; }, there("sync_batch_norm"), 25, 26,
         "there", ""},
        {"launch_gap", launches, there("slow_launches"), 100'000, 100'001, "there", ""},
        {"usual_launch_gap", launches, recoverable("slow_launches"), 10'000, 25'000, "4500000", "3750000"},
        {"leak_bytes_per_step", leak, there("memory_leak"), 3.9e6, 4.1e6, "there", ""},
        {"leak_fit", leak, there("memory_leak"), 0.99, 0.99999, "there", ""},
        {"hidden_share", exposed, there("exposed_communication"), 0.14, 0.16, "", "there"},
        {"wait_share", waits, there("collective_wait"), 0.59, 0.61, "there", ""},
        {"wait_in_turn_share", waits, severity("collective_wait"), 0.17, 0.19, "high", "low"},
        {"stage_gap_share",
         [](CaptureFacts& f) {
             for (std::size_t r = 0; r < 4; ++r) {
                 f.ranks[r].stages = 2;
                 f.ranks[r].stage = r < 2 ? 0 : 1;
                 for (StepFacts& step : f.ranks[r].steps)
                     step.computing = (r < 2 ? 40 : 60) * kMs;  // 20 % above their mean
             }
         },
         severity("unbalanced_stages"), 0.19, 0.21, "high", "low"},
        {"bubble_share", bubble, there("pipeline_bubble"), 0.19, 0.21, "there", ""},
        {"free_share", [](CaptureFacts& f) { setFree(f, 15 * kMs); }, there("free_time"), 0.13, 0.14, "there", ""},
        // The median of the distances is 1.5 ms: 0.6745 * 19.5 / 1.5 = 8.77.
        {"outlier_z", outlier, there("step_outlier"), 8.7, 8.8, "there", ""},
        {"outlier_share", outlier, there("step_outlier"), 0.19, 0.20, "there", ""},
        {"tiny_kernel_share", tiny, there("tiny_kernels"), 0.60, 0.61, "there", ""},
        {"synchronizations_per_step", syncs, there("synchronizations"), 19.9, 20, "there", ""},
    };
}

}  // namespace

class TestThresholds : public QObject {
    Q_OBJECT
private slots:
    void everyOneHasACase();
    void bothSides_data();
    void bothSides();
};

void TestThresholds::everyOneHasACase() {
    std::set<std::string> named, known;
    for (const Case& one : cases()) named.insert(one.threshold);
    for (const ThresholdInfo& info : thresholdInfos()) known.insert(std::string(info.name));
    QVERIFY(named == known);
}

void TestThresholds::bothSides_data() {
    QTest::addColumn<int>("place");
    int place = 0;
    for (const Case& one : cases()) QTest::addRow("%s", one.threshold) << place++;
}

void TestThresholds::bothSides() {
    QFETCH(int, place);
    const Case one = cases()[static_cast<std::size_t>(place)];
    const auto info = std::find_if(thresholdInfos().begin(), thresholdInfos().end(),
                                   [&](const ThresholdInfo& i) { return i.name == one.threshold; });
    CaptureFacts facts = cleanFacts();
    one.plant(facts);
    for (const auto& [value, says] : {std::pair(one.below, one.belowSays), std::pair(one.above, one.aboveSays)}) {
        FindingThresholds thresholds;
        // What is rated between medium and low needs the step from one to the other alone.
        if (info->value == &FindingThresholds::mediumShare) thresholds.highShare = 0.5;
        thresholds.*(info->value) = value;
        QCOMPARE(QString::fromStdString(one.say(runRules(facts, {}, thresholds))), QString::fromStdString(says));
    }
}

ALTI_TEST(TestThresholds)
#include "tst_thresholds.moc"
