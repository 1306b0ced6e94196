#include "views/cluster/data/gain_shares.h"

#include "core/findings/cause_rules.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace altiscope {

namespace {

std::string_view parameterOf(const Finding& finding, std::string_view name) {
    for (const auto& [known, value] : finding.parameters) {
        if (known == name) return value;
    }
    return {};
}

bool isOfLink(const Finding& finding, const CauseFacts& cause, const CaptureFacts& facts) {
    const auto isEnd = [&](RankIndex rank) {
        const auto& number = facts.ranks[rank.value].rankId;
        if (!number) return false;
        const std::string text = std::to_string(*number);
        return parameterOf(finding, "source") == text || parameterOf(finding, "target") == text;
    };
    if (cause.link) return isEnd(cause.link->first) && isEnd(cause.link->second);
    return std::count_if(cause.ranks.begin(), cause.ranks.end(), isEnd) >= 2;
}

std::optional<std::size_t> findingOf(const CauseFacts& cause, const CaptureFacts& facts,
                                     std::span<const Finding> findings) {
    const std::string_view rule = ruleOf(cause);
    for (std::size_t i = 0; i < findings.size() && !rule.empty(); ++i) {
        const Finding& finding = findings[i];
        if (finding.rule != rule || !finding.isReplayed) continue;
        if (cause.kind == CauseKind::Link && !isOfLink(finding, cause, facts)) continue;
        const bool isOfOneRank = cause.kind == CauseKind::Any && cause.cause == Cause::Kernel;
        if (isOfOneRank && (cause.ranks.size() != 1 || finding.rank != cause.ranks.front())) continue;
        return i;
    }
    return std::nullopt;
}

/// Causes that no finding claims are told together where only their slices differ.
bool isAlike(const CauseFacts& a, const CauseFacts& b) {
    return a.cause == b.cause && a.kind == b.kind && a.ranks == b.ranks && a.group == b.group;
}

std::int64_t sumOver(const std::vector<std::int64_t>& gains, std::span<const std::size_t> steps) {
    std::int64_t sum = 0;
    for (const std::size_t step : steps) sum += step < gains.size() ? gains[step] : 0;
    return sum;
}

}  // namespace

std::int64_t meanOver(std::span<const std::int64_t> times, std::span<const std::size_t> steps) {
    std::int64_t sum = 0;
    for (const std::size_t step : steps) sum += times[step];
    return sum / static_cast<std::int64_t>(steps.size());
}

std::vector<GainShare> gainShares(const JobAccount& job, const CaptureFacts& facts, std::span<const Finding> findings,
                                  std::span<const std::size_t> steps) {
    std::vector<GainShare> shares;
    for (std::size_t c = 0; c < job.causes.size(); ++c) {
        const CauseFacts& cause = job.causes[c];
        const auto finding = findingOf(cause, facts, findings);
        const auto known = std::find_if(shares.begin(), shares.end(), [&](const GainShare& share) {
            return finding ? share.finding == finding
                           : !share.finding && isAlike(job.causes[share.causes.front()], cause);
        });
        GainShare& share = known == shares.end() ? shares.emplace_back() : *known;
        share.finding = finding;
        share.causes.push_back(c);
        share.gain += sumOver(cause.removal, steps);
        share.alone += sumOver(cause.alone, steps);
    }
    for (GainShare& share : shares) {
        std::stable_sort(share.causes.begin(), share.causes.end(), [&](std::size_t a, std::size_t b) {
            return sumOver(job.causes[a].removal, steps) > sumOver(job.causes[b].removal, steps);
        });
        std::vector<std::int64_t> ofSteps(steps.size());
        for (const std::size_t c : share.causes) {
            for (std::size_t i = 0; i < steps.size(); ++i)
                ofSteps[i] += steps[i] < job.causes[c].removal.size() ? job.causes[c].removal[steps[i]] : 0;
        }
        const std::int64_t largest = ofSteps.empty() ? 0 : *std::max_element(ofSteps.begin(), ofSteps.end());
        share.affectedSteps = static_cast<std::size_t>(std::count_if(
            ofSteps.begin(), ofSteps.end(), [largest](std::int64_t gain) { return isAffected(gain, largest); }));
        share.gain /= static_cast<std::int64_t>(steps.size());
        share.alone /= static_cast<std::int64_t>(steps.size());
    }
    std::stable_sort(shares.begin(), shares.end(),
                     [](const GainShare& a, const GainShare& b) { return a.gain > b.gain; });
    return shares;
}

}  // namespace altiscope
