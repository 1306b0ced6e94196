#include "core/findings/fail_slow_parts.h"

#include "core/base/values/parse.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

namespace altiscope {

namespace {

/// The note of a finding that is a part of a finding fail_slow.
constexpr std::string_view kPartNote = "finding.note.part_of_fail_slow";
/// A finding that loses more than this share in other steps is no part of a stretch.
constexpr double kElsewhere = 0.1;

/// The two ranks of a finding slow_link, the lower first.
std::optional<std::pair<std::int64_t, std::int64_t>> endsOf(const Finding& finding) {
    std::optional<std::int64_t> source, target;
    for (const auto& [name, value] : finding.parameters) {
        if (name == "source") source = wholeNumber<std::int64_t>(value);
        if (name == "target") target = wholeNumber<std::int64_t>(value);
    }
    if (!source || !target) return std::nullopt;
    return std::pair(std::min(*source, *target), std::max(*source, *target));
}

/// Whether nearly all that is lost is lost in some steps. @param lost  ns by step; below 0 nothing is.
bool isLostIn(const std::vector<double>& lost, const std::set<std::size_t>& steps) {
    double inside = 0, all = 0;
    for (std::size_t i = 0; i < lost.size(); ++i) {
        all += std::max(0.0, lost[i]);
        inside += steps.contains(i) ? std::max(0.0, lost[i]) : 0;
    }
    return all > 0 && inside >= (1 - kElsewhere) * all;
}

/// The median of a part over the steps outside of a stretch; nullopt: there are none.
std::optional<double> medianElsewhere(const RankFacts& rank, const std::set<std::size_t>& steps,
                                      const std::function<std::int64_t(const StepFacts&)>& part) {
    std::vector<double> others;
    for (std::size_t i = 0; i < rank.steps.size(); ++i) {
        if (!steps.contains(i) && rank.steps[i].endToEnd() > 0)
            others.push_back(static_cast<double>(part(rank.steps[i])));
    }
    return others.empty() ? std::nullopt : std::optional(median(std::move(others)));
}

/// By step: what a part of it takes above a level.
std::vector<double> partsAbove(const RankFacts& rank, std::int64_t StepFacts::*part, double level) {
    std::vector<double> above;
    for (const StepFacts& step : rank.steps)
        above.push_back(step.endToEnd() > 0 ? static_cast<double>(step.*part) - level : 0);
    return above;
}

/// By step: computing above that of the other steps, or above that of the other ranks where it takes longer in all
/// steps: such a rank is slow in no stretch.
std::vector<double> lostComputing(const RuleContext& context, RankIndex rank, const std::set<std::size_t>& steps) {
    const RankFacts& facts = context.facts.ranks[rank.value];
    const auto usual = medianElsewhere(facts, steps, [](const StepFacts& step) { return step.computing; });
    if (!usual) return {};
    const auto ofOthers = mediansOfOthers(context.facts, &StepFacts::computing)[rank.value];
    return partsAbove(facts, &StepFacts::computing, std::min(*usual, ofOthers.value_or(*usual)));
}

/// By step: free time above that of the other steps; nothing where these have so much of it that the rule free_time is
/// about them, too.
std::vector<double> lostFree(const RuleContext& context, RankIndex rank, const std::set<std::size_t>& steps) {
    const RankFacts& facts = context.facts.ranks[rank.value];
    const auto usual = medianElsewhere(facts, steps, [](const StepFacts& step) { return step.free; });
    const auto whole = medianElsewhere(facts, steps, [](const StepFacts& step) { return step.endToEnd(); });
    if (!usual || !whole || *usual >= context.thresholds.freeShare * *whole) return {};
    return partsAbove(facts, &StepFacts::free, *usual);
}

std::vector<double> byStep(const std::vector<std::int64_t>& times) { return {times.begin(), times.end()}; }

}  // namespace

void SlowParts::addRank(SlowCause cause, RankIndex rank, const std::vector<std::size_t>& steps, std::size_t finding) {
    const auto add = [&](Part part) {
        Stretch& stretch = m_ranks.try_emplace({rank, part}, Stretch{{}, finding}).first->second;
        stretch.steps.insert(steps.begin(), steps.end());
    };
    switch (cause) {
    case SlowCause::Clock:
        add(Part::Clock);
        add(Part::Kernels);
        break;
    case SlowCause::Neighbour:
    case SlowCause::Kernels: add(Part::Kernels); break;
    case SlowCause::Host: add(Part::Host); break;
    case SlowCause::Link:
    case SlowCause::Unknown: break;
    }
}

void SlowParts::addLink(std::uint32_t recording, std::int64_t source, std::int64_t target, std::size_t finding) {
    m_links.try_emplace({recording, std::min(source, target), std::max(source, target)}, finding);
}

/// The finding fail_slow that another one is a part of; null: of none.
const std::size_t* SlowParts::findingOf(const RuleContext& context, const Finding& part) const {
    if (!part.rank) return nullptr;
    const RankFacts& rank = context.facts.ranks[part.rank->value];
    const auto lostIn = [&](Part which, const auto& lost) -> const std::size_t* {
        const auto known = m_ranks.find({*part.rank, which});
        if (known == m_ranks.end()) return nullptr;
        return isLostIn(lost(known->second.steps), known->second.steps) ? &known->second.finding : nullptr;
    };
    if (part.rule == RuleName("frequency_drop"))
        return lostIn(Part::Clock, [&](const auto&) { return byStep(rank.frequencyLoss.byStep); });
    if (part.rule == RuleName("slow_rank"))
        return lostIn(Part::Kernels, [&](const auto& steps) { return lostComputing(context, *part.rank, steps); });
    if (part.rule == RuleName("slow_launches"))
        return lostIn(Part::Host, [&](const auto&) { return byStep(rank.launchGaps.byStep); });
    if (part.rule == RuleName("free_time"))
        return lostIn(Part::Host, [&](const auto& steps) { return lostFree(context, *part.rank, steps); });
    if (part.rule != RuleName("slow_link")) return nullptr;
    const auto ends = endsOf(part);
    const auto link = ends ? m_links.find({rank.recording, ends->first, ends->second}) : m_links.end();
    return link == m_links.end() ? nullptr : &link->second;
}

void SlowParts::take(RuleContext& context) const {
    for (Finding& part : context.findings) {
        const std::size_t* finding = findingOf(context, part);
        if (finding == nullptr) continue;
        Finding& whole = context.findings[*finding];
        whole.severity = std::min(whole.severity, part.severity);
        part.severity = FindingSeverity::Low;
        addNote(part, kPartNote);
    }
}

bool isPartOfFailSlow(const Finding& finding) {
    return std::find(finding.notes.begin(), finding.notes.end(), kPartNote) != finding.notes.end();
}

}  // namespace altiscope
