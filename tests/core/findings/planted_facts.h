#pragma once

#include "core/findings/run_rules.h"

#include <cstdint>
#include <vector>

namespace altiscope::test {

inline constexpr std::int64_t kMs = 1'000'000;

inline Occurrences occurrences(std::uint64_t count, std::vector<std::int64_t> byStep, std::int64_t longest) {
    Occurrences found;
    found.count = count;
    for (const std::int64_t ns : byStep) addSaturated(found.total, ns);
    found.byStep = std::move(byStep);
    found.max = longest;
    found.longest.push_back({SliceId{7}, "slice", {{1000}, {1000 + longest}}});
    return found;
}

/// Four ranks with six steps of 100 ms: 60 computing, 35 of communication alone, 5 free. Nothing is wrong with them.
inline CaptureFacts cleanFacts() {
    CaptureFacts facts;
    for (std::int64_t r = 0; r < 4; ++r) {
        RankFacts& rank = facts.ranks.emplace_back();
        rank.rankId = r;
        rank.hasEvents = true;
        for (std::int64_t s = 0; s < 6; ++s) {
            StepFacts& step = rank.steps.emplace_back();
            step.step = 10 + s;
            step.range = {{s * 100 * kMs}, {(s + 1) * 100 * kMs}};
            step.computing = 60 * kMs;
            step.communication = 60 * kMs;
            step.exposed = 35 * kMs;
            step.free = 5 * kMs;
        }
        rank.kernels["MatMul"] = {60, 300 * kMs};
        rank.kernels["Add"] = {600, 60 * kMs};
        rank.kernelCount = 660;
        rank.tinyKernels = occurrences(100, std::vector<std::int64_t>(6, 50'000), 3000);
        rank.launchGaps = occurrences(660, std::vector<std::int64_t>(6, 110 * 4'000), 5000);
        rank.synchronizations = occurrences(6, std::vector<std::int64_t>(6, 90 * kMs), 90 * kMs);
        rank.dataLoading = occurrences(6, std::vector<std::int64_t>(6, kMs), kMs);
        rank.garbageCollections = occurrences(6, std::vector<std::int64_t>(6, 100'000), 100'000);
        rank.collectives.push_back({"dp", false, occurrences(60, std::vector<std::int64_t>(6, 40 * kMs), kMs),
                                    occurrences(60, std::vector<std::int64_t>(6, 15 * kMs), kMs)});
        rank.collectives.push_back({"tp", false, occurrences(60, std::vector<std::int64_t>(6, 20 * kMs), kMs),
                                    occurrences(60, std::vector<std::int64_t>(6, 20 * kMs), kMs)});
        rank.highestMhz = rank.lowestMhz = 1800;
        rank.pools = {{.device = {},
                       .allocatedAtBorders = {1 << 30, 1 << 30, 1 << 30, 1 << 30, 1 << 30, 1 << 30, 1 << 30},
                       .keptAllocations = {}}};
        rank.packets.push_back({10, "HCCS", 16 << 20, 10, 10 * kMs, 1e7, 16 << 20, 10, {}});
        for (const std::int64_t peer : {0, 1, 2, 3}) {
            if (peer != r) rank.links.push_back({10, r, peer, "HCCS", 180 * kMs, 10 * kMs});
        }
    }
    return facts;
}

}  // namespace altiscope::test
