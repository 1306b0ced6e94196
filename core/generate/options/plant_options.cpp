#include "core/generate/options/plant_options.h"

#include "core/base/values/parse.h"
#include "core/generate/model/run_plan.h"
#include "core/generate/options/generate_options.h"
#include "core/generate/support/byte_count.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

namespace altiscope::generate {

namespace {

struct FaultFacts {
    FaultKind kind;
    std::string_view name;
    std::string_view usage;
    std::uint64_t usual;  ///< Amount if none is given; 0: it must be given, or there is none.
    std::uint64_t most;   ///< 0: takes no amount.
};

/// More than any device has.
constexpr std::uint64_t kMaxLeak = 10'000'000'000;
constexpr std::uint64_t kMaxHoles = 100'000'000'000;
/// Less would fit into what the allocator has free at any time.
constexpr std::uint64_t kMinFailed = 1'000'000'000;
/// Counters are sampled all the time, so a run that takes long fills memory however little happens in it.
constexpr std::uint64_t kMaxLaunchUs = 10'000;

constexpr std::array<FaultFacts, 12> kFaults{
    {{FaultKind::SlowRank, "slow-rank", "slow-rank=R[:PERCENT], PERCENT 1 .. 1000", 20, 1'000},
     {FaultKind::SlowLink, "slow-link", "slow-link=A-B[:FACTOR], FACTOR 2 .. 100", 4, 100},
     {FaultKind::Leak, "leak", "leak=BYTES_PER_STEP, 1 .. 10G", 0, kMaxLeak},
     {FaultKind::HostBound, "host-bound", "host-bound[=US_PER_LAUNCH], 1 .. 10000", 1'000, kMaxLaunchUs},
     {FaultKind::AiCpu, "ai-cpu", "ai-cpu=NAME", 0, 0},
     {FaultKind::SmallPackets, "small-packets", "small-packets", 0, 0},
     {FaultKind::FrequencyDrop, "frequency-drop", "frequency-drop=PERCENT, 1 .. 90", 0, 90},
     {FaultKind::GcPause, "gc-pause", "gc-pause=MS, 1 .. 60000", 0, 60'000},
     {FaultKind::NoOverlap, "no-overlap", "no-overlap", 0, 0},
     {FaultKind::Fragmentation, "fragmentation", "fragmentation[=BYTES], 1 .. 100G", 4'000'000'000, kMaxHoles},
     {FaultKind::Oom, "oom", "oom[=BYTES], 1G .. 1T", 8'000'000'000, 1'000'000'000'000},
     {FaultKind::FailSlow, "fail-slow",
      "fail-slow=R:FROM-[TO]:clock|link|neighbour|host[:AMOUNT], 5 <= FROM <= TO, AMOUNT: clock PERCENT 1 .. 90, link "
      "FACTOR 2 .. 100, neighbour PERCENT 1 .. 1000, host US_PER_LAUNCH 1 .. 10000",
      0, 0}}};

/// A part that a fail-slow can slow down, as in truth.json.
struct SlowPartFacts {
    SlowPart part;
    std::string_view name;
    std::uint64_t min, usual, most;  ///< Amounts.
};
constexpr std::array<SlowPartFacts, 4> kSlowParts{{{SlowPart::Clock, "clock", 1, 30, 90},
                                                   {SlowPart::Link, "link", 2, 4, 100},
                                                   {SlowPart::Neighbour, "neighbour", 1, 20, 1'000},
                                                   {SlowPart::Host, "host", 1, 1'000, kMaxLaunchUs}}};

Error badPlant(std::string_view plant, std::string_view expected) {
    return Error{.code = "generate.bad_plant",
                 .file = {},
                 .place = {},
                 .parameters = {{"plant", std::string(plant)}, {"expected", std::string(expected)}}};
}

/// Sets the amount from the text; empty: the usual one. @return False if it is none.
bool setAmount(const FaultFacts& fault, std::string_view text, Plant& plant) {
    if (text.empty()) {
        plant.amount = fault.usual;
        return fault.usual > 0 || fault.most == 0;
    }
    const bool isBytes =
        fault.kind == FaultKind::Leak || fault.kind == FaultKind::Fragmentation || fault.kind == FaultKind::Oom;
    const auto amount = isBytes ? byteCount(text) : wholeNumber<std::uint64_t>(text);
    const std::uint64_t min = fault.kind == FaultKind::SlowLink ? 2 : fault.kind == FaultKind::Oom ? kMinFailed : 1;
    if (!amount || *amount < min || *amount > fault.most) return false;
    plant.amount = *amount;
    return true;
}

bool setRank(std::string_view text, std::uint32_t& rank) {
    const auto number = wholeNumber<std::uint32_t>(text);
    if (number) rank = *number;
    return number.has_value();
}

bool isTypeName(std::string_view text) {
    constexpr std::size_t kMaxLength = 64;
    const auto isPart = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    return !text.empty() && text.size() <= kMaxLength && std::all_of(text.begin(), text.end(), isPart);
}

/// "3:8-12:clock:20". @return False if it is not as the usage says.
bool setFailSlow(std::string_view value, Plant& plant) {
    std::array<std::string_view, 4> words{};
    std::size_t count = 0;
    for (std::size_t begin = 0;; ++count) {
        if (count == words.size()) return false;
        const std::size_t colon = value.find(':', begin);
        words[count] = value.substr(begin, colon == std::string_view::npos ? colon : colon - begin);
        if (colon == std::string_view::npos) break;
        begin = colon + 1;
    }
    const std::size_t dash = words[1].find('-');
    if (count < 2 || dash == std::string_view::npos || !setRank(words[0], plant.rank)) return false;
    const std::string_view last = words[1].substr(dash + 1);
    const auto from = wholeNumber<std::uint64_t>(words[1].substr(0, dash));
    const auto to =
        last.empty() ? std::optional(std::numeric_limits<std::uint64_t>::max()) : wholeNumber<std::uint64_t>(last);
    if (!from || !to || *from < RunPlan().firstStep || *to < *from) return false;
    plant.firstStep = *from;
    plant.lastStep = *to;
    const auto part = std::find_if(kSlowParts.begin(), kSlowParts.end(),
                                   [&](const SlowPartFacts& facts) { return facts.name == words[2]; });
    if (part == kSlowParts.end()) return false;
    plant.part = part->part;
    const auto amount = count < 3 ? std::optional(part->usual) : wholeNumber<std::uint64_t>(words[3]);
    if (!amount || *amount < part->min || *amount > part->most) return false;
    plant.amount = *amount;
    return true;
}

/// Reads "A-B".
bool setLink(std::string_view ends, Plant& plant) {
    const std::size_t dash = ends.find('-');
    if (dash == std::string_view::npos || !setRank(ends.substr(0, dash), plant.rank) ||
        !setRank(ends.substr(dash + 1), plant.peer))
        return false;
    // 1-0 is the same link as 0-1.
    if (plant.rank > plant.peer) std::swap(plant.rank, plant.peer);
    return true;
}

/// Reads what stands after the name of the fault. @return False if it is not as the usage says.
bool setValue(const FaultFacts& fault, bool hasValue, std::string_view value, Plant& plant) {
    // An amount after a colon must be there if the colon is.
    const std::size_t colon = value.find(':');
    const std::string_view first = value.substr(0, colon);
    const std::string_view amount = colon == std::string_view::npos ? std::string_view() : value.substr(colon + 1);
    const bool amountIsThere = colon == std::string_view::npos || !amount.empty();
    switch (fault.kind) {
    case FaultKind::SlowRank: return setRank(first, plant.rank) && amountIsThere && setAmount(fault, amount, plant);
    case FaultKind::SlowLink: return setLink(first, plant) && amountIsThere && setAmount(fault, amount, plant);
    case FaultKind::AiCpu: plant.name = value; return isTypeName(value);
    case FaultKind::FailSlow: return setFailSlow(value, plant);
    case FaultKind::Leak:
    case FaultKind::HostBound:
    case FaultKind::FrequencyDrop:
    case FaultKind::Fragmentation:
    case FaultKind::Oom:
    case FaultKind::GcPause: return hasValue == !value.empty() && setAmount(fault, value, plant);
    case FaultKind::SmallPackets:
    case FaultKind::NoOverlap: return !hasValue;
    }
    return false;
}

const FaultFacts& factsOf(FaultKind kind) {
    return *std::find_if(kFaults.begin(), kFaults.end(),
                         [kind](const FaultFacts& facts) { return facts.kind == kind; });
}

/// How the user wrote it, as far as the plant still tells.
std::string wordsOf(const Plant& plant) {
    std::string words(faultName(plant.kind));
    if (plant.kind == FaultKind::SlowRank || plant.kind == FaultKind::FailSlow)
        words += "=" + std::to_string(plant.rank);
    if (plant.kind == FaultKind::SlowLink) words += "=" + std::to_string(plant.rank) + "-" + std::to_string(plant.peer);
    return words;
}

bool exchangeData(const RunPlan& plan, std::uint32_t a, std::uint32_t b) {
    for (const auto& place : plan.identities[a].memberships) {
        if (!place) continue;
        const std::vector<std::uint32_t>& members = plan.groups[place->group].members;
        for (const std::uint32_t peer : place->peers) {
            if (members[peer] == b) return true;
        }
    }
    return false;
}

bool areLinked(const RunPlan& plan, std::uint32_t a, std::uint32_t b) {
    return exchangeData(plan, a, b) || exchangeData(plan, b, a);
}

/// Whether the plants are the same fault of the same part in a common step.
bool areOneFault(const Plant& a, const Plant& b) {
    return a.kind == b.kind && a.rank == b.rank && a.peer == b.peer && a.name == b.name && a.part == b.part &&
           a.firstStep <= b.lastStep && b.firstStep <= a.lastStep;
}

/// Whether the fault is one of communication.
bool needsPeers(const Plant& plant) {
    return plant.kind == FaultKind::SmallPackets || plant.kind == FaultKind::NoOverlap ||
           plant.kind == FaultKind::SlowLink || (plant.kind == FaultKind::FailSlow && plant.part == SlowPart::Link);
}

/// @return An error if the fault begins after the last step.
Result<Done> checkFirstStep(const Plant& plant, std::optional<std::uint32_t> steps) {
    if (plant.kind != FaultKind::FailSlow || !steps) return Done{};
    const std::uint64_t first = RunPlan().firstStep, last = first + *steps - 1;
    if (plant.firstStep <= last) return Done{};
    return badPlant(wordsOf(plant) + ":" + std::to_string(plant.firstStep),
                    "FROM " + std::to_string(first) + " .. " + std::to_string(last));
}

/// @return An error that names the ranks with a link to the first end, if the second end is none of them.
Result<Done> checkLink(const RunPlan& plan, const Plant& plant, std::uint32_t ranks) {
    if (areLinked(plan, plant.rank, plant.peer)) return Done{};
    std::string linked;
    for (std::uint32_t other = 0; other < ranks; ++other)
        if (areLinked(plan, plant.rank, other)) linked += (linked.empty() ? "" : ", ") + std::to_string(other);
    return badPlant(wordsOf(plant), "slow-link=" + std::to_string(plant.rank) + "-B, B " + linked);
}

}  // namespace

std::string_view faultName(FaultKind kind) { return factsOf(kind).name; }

std::string_view slowPartName(SlowPart part) {
    return std::find_if(kSlowParts.begin(), kSlowParts.end(),
                        [part](const SlowPartFacts& facts) { return facts.part == part; })
        ->name;
}

Result<Plant> parsePlant(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string_view name = std::string_view(text).substr(0, equals);
    std::string all;
    for (const FaultFacts& fault : kFaults) {
        all += (all.empty() ? "" : "; ") + std::string(fault.usage);
        if (fault.name != name) continue;
        const bool hasValue = equals != std::string::npos;
        Plant plant;
        plant.kind = fault.kind;
        const std::string_view value = hasValue ? std::string_view(text).substr(equals + 1) : std::string_view();
        if (!setValue(fault, hasValue, value, plant)) return badPlant(text, fault.usage);
        return plant;
    }
    return badPlant(text, all);
}

Result<Done> checkPlants(const RunConditions& conditions, std::uint32_t ranks, std::uint32_t layers,
                         std::optional<std::uint32_t> steps) {
    const std::vector<Plant>& plants = conditions.plants;
    std::optional<RunPlan> plan;
    for (std::size_t i = 0; i < plants.size(); ++i) {
        const Plant& plant = plants[i];
        const auto isSame = [&plant](const Plant& other) { return areOneFault(plant, other); };
        if (std::any_of(plants.begin(), plants.begin() + static_cast<std::ptrdiff_t>(i), isSame))
            return badPlant(wordsOf(plant), std::string(factsOf(plant.kind).usage) + " (1 x)");
        const std::string known = "0 .. " + std::to_string(ranks - 1);
        const bool isOfRank = plant.kind == FaultKind::SlowRank || plant.kind == FaultKind::FailSlow;
        if (isOfRank && plant.rank >= ranks) return badPlant(wordsOf(plant), "R " + known);
        if (Result<Done> begins = checkFirstStep(plant, steps); !begins.ok()) return begins;
        if (needsPeers(plant) && ranks < 2)
            return badPlant(wordsOf(plant), "--ranks 2 .. " + std::to_string(kMaxRanks));
        if (plant.kind != FaultKind::SlowLink) continue;
        if (plant.rank >= ranks || plant.peer >= ranks) return badPlant(wordsOf(plant), "A, B " + known);
        if (!plan) plan = planRun({ranks, 1, layers, 1}, 1, conditions);
        if (Result<Done> linked = checkLink(*plan, plant, ranks); !linked.ok()) return linked;
    }
    return Done{};
}

}  // namespace altiscope::generate
