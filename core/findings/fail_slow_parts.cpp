#include "core/findings/fail_slow_parts.h"

#include "core/base/values/parse.h"

#include <algorithm>
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

/// By step: what a part of it takes above the median of the rank's other steps, or above the other ranks' where these
/// take longer: a rank that is slow in all of its steps is slow in no stretch.
std::vector<double> lostParts(const RankFacts& rank, std::int64_t StepFacts::*part, const std::set<std::size_t>& steps,
                              std::optional<double> ofOthers) {
    std::vector<double> others;
    for (std::size_t i = 0; i < rank.steps.size(); ++i) {
        if (!steps.contains(i) && rank.steps[i].endToEnd() > 0)
            others.push_back(static_cast<double>(rank.steps[i].*part));
    }
    if (others.empty()) return {};
    const double usual = median(std::move(others));
    std::vector<double> lost;
    for (const StepFacts& step : rank.steps)
        lost.push_back(step.endToEnd() > 0 ? static_cast<double>(step.*part) - std::min(usual, ofOthers.value_or(usual))
                                           : 0);
    return lost;
}

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
    if (part.rule == RuleName("frequency_drop")) return stretchOf(context, *part.rank, Part::Clock);
    if (part.rule == RuleName("slow_rank")) return stretchOf(context, *part.rank, Part::Kernels);
    if (part.rule == RuleName("slow_launches") || part.rule == RuleName("free_time"))
        return stretchOf(context, *part.rank, Part::Host);
    if (part.rule != RuleName("slow_link")) return nullptr;
    const auto ends = endsOf(part);
    const std::uint32_t recording = context.facts.ranks[part.rank->value].recording;
    const auto link = ends ? m_links.find({recording, ends->first, ends->second}) : m_links.end();
    return link == m_links.end() ? nullptr : &link->second;
}

/// The finding on the steps in which nearly all is lost that a part of a rank loses; null: there is none.
const std::size_t* SlowParts::stretchOf(const RuleContext& context, RankIndex rank, Part part) const {
    const auto known = m_ranks.find({rank, part});
    if (known == m_ranks.end()) return nullptr;
    const std::set<std::size_t>& steps = known->second.steps;
    const RankFacts& facts = context.facts.ranks[rank.value];
    std::vector<double> lost;
    if (part == Part::Clock) {
        lost.assign(facts.frequencyLoss.byStep.begin(), facts.frequencyLoss.byStep.end());
    } else {
        const auto which = part == Part::Kernels ? &StepFacts::computing : &StepFacts::free;
        lost = lostParts(facts, which, steps, mediansOfOthers(context.facts, which)[rank.value]);
    }
    return isLostIn(lost, steps) ? &known->second.finding : nullptr;
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
