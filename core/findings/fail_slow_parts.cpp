#include "core/findings/fail_slow_parts.h"

#include "core/findings/fail_slow.h"

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

/// Whether nearly all that a rank's clock loses is lost in some steps.
bool isLostIn(const RankFacts& rank, const std::set<std::size_t>& steps) {
    double inside = 0, all = 0;
    for (std::size_t i = 0; i < rank.frequencyLoss.byStep.size(); ++i) {
        const auto lost = static_cast<double>(std::max<std::int64_t>(0, rank.frequencyLoss.byStep[i]));
        all += lost;
        inside += steps.contains(i) ? lost : 0;
    }
    return all > 0 && inside >= (1 - kElsewhere) * all;
}

}  // namespace

void SlowParts::addClock(RankIndex rank, const std::vector<std::size_t>& steps, std::size_t finding) {
    Clock& clock = m_clocks.try_emplace(rank, Clock{{}, finding}).first->second;
    clock.steps.insert(steps.begin(), steps.end());
}

void SlowParts::addLink(std::uint32_t recording, std::int64_t source, std::int64_t target, std::size_t finding) {
    m_links.try_emplace({recording, std::min(source, target), std::max(source, target)}, finding);
}

/// The finding fail_slow that another one is a part of; null: of none.
const std::size_t* SlowParts::findingOf(const RuleContext& context, const Finding& part) const {
    if (!part.rank) return nullptr;
    const RankFacts& rank = context.facts.ranks[part.rank->value];
    if (part.rule == RuleName("frequency_drop")) {
        const auto clock = m_clocks.find(*part.rank);
        return clock != m_clocks.end() && isLostIn(rank, clock->second.steps) ? &clock->second.finding : nullptr;
    }
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
