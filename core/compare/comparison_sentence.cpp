#include "core/compare/comparison.h"

#include "core/analysis/steps/step_parts.h"
#include "core/analysis/support/saturating.h"
#include "core/base/text/amount_text.h"
#include "core/base/text/catalogue.h"

#include <algorithm>

namespace altiscope {

namespace {

/// Saturated values may have no opposite.
std::int64_t magnitudeOf(std::int64_t change) { return change < 0 ? saturatedDifference(0, change) : change; }

/// "3, 7" of the ranks in which a category changed most in the direction of the step; empty if none stands out.
std::string ranksOf(const Comparison& comparison, const std::string& category, std::int64_t change) {
    constexpr std::size_t kMaxRanks = 5;
    const std::int64_t size = magnitudeOf(change);
    std::vector<std::int64_t> ranks;
    for (const Difference& difference : comparison.differences) {
        const bool isOfCategory =
            difference.dimension == Dimension::Category && difference.key == category && difference.rankId;
        // Half as much again as the mean rank.
        if (!isOfCategory || !difference.change.significant || (difference.change.change < 0) != (change < 0)) continue;
        if (sizeOf(difference.change) > saturatedSum(size, size / 2)) ranks.push_back(*difference.rankId);
    }
    if (ranks.empty() || ranks.size() > kMaxRanks) return {};
    std::sort(ranks.begin(), ranks.end());
    std::string text;
    for (const std::int64_t rank : ranks) text += (text.empty() ? "" : ", ") + std::to_string(rank);
    return text;
}

const Difference* causeOf(const Comparison& comparison, const Difference& difference) {
    return difference.cause ? &comparison.differences[*difference.cause] : nullptr;
}

bool isOfStep(std::string_view part) {
    return std::any_of(kWholeStep.begin(), kWholeStep.end(),
                       [part](StepPart whole) { return infoOf(whole).name == part; });
}

/// The part of a step that explains most of its change: those that add up to it.
const Difference* largestPart(const Comparison& comparison) {
    for (const Difference& difference : comparison.differences) {
        const bool isPart =
            difference.dimension == Dimension::Category && !difference.rankId && isOfStep(difference.key);
        if (!isPart || (difference.change.change < 0) != (comparison.step->change < 0)) continue;
        // What others wait for stands for their waiting.
        const Difference* cause = causeOf(comparison, difference);
        const bool isMean = cause != nullptr && cause->dimension == Dimension::Category && !cause->rankId;
        return isMean && isOfStep(cause->key) ? cause : &difference;
    }
    return nullptr;
}

std::string_view codeOf(const std::string& ranks) {
    if (ranks.empty()) return "compare.mostly";
    return ranks.find(',') == std::string::npos ? "compare.mostly_rank" : "compare.mostly_ranks";
}

std::string partName(const std::string& part, std::string_view language) {
    if (part == "computing") return catalogueText("compare.part.computing", language);
    if (part == "free") return catalogueText("compare.part.free", language);
    if (part == "bubble") return catalogueText("compare.part.bubble", language);
    return catalogueText("compare.part.exposed", language);
}

/// A part of some ranks for which the others wait, where that is most of what changed; empty else.
std::string waitedForText(const Comparison& comparison, std::string_view language) {
    const auto waiting =
        std::find_if(comparison.differences.begin(), comparison.differences.end(), [](const auto& one) {
            return one.dimension == Dimension::Category && !one.rankId && one.key == "exposed_communication";
        });
    const Difference* cause = waiting == comparison.differences.end() ? nullptr : causeOf(comparison, *waiting);
    if (cause == nullptr || cause->dimension != Dimension::Category || !cause->rankId || cause->key == waiting->key)
        return {};
    if (sizeOf(cause->change) < sizeOf(*comparison.step) / 2) return {};
    const std::string ranks = ranksOf(comparison, cause->key, cause->change.change / 2);
    if (ranks.empty()) return {};
    const bool isOne = ranks.find(',') == std::string::npos;
    return catalogueText(
        isOne ? "compare.waited_for_rank" : "compare.waited_for_ranks", language,
        {{"part", partName(cause->key, language)}, {"time", timeText(sizeOf(cause->change))}, {"ranks", ranks}});
}

/// "kernel MatMul" of what explains a part of the step; empty where that has no name of its own.
std::string nameOfCause(const Difference& cause, std::string_view language) {
    const MessageParameters name{{"name", cause.key.substr(0, cause.key.find(" | "))}};
    switch (cause.dimension) {
    case Dimension::Operator: return catalogueText("compare.named.operator", language, name);
    case Dimension::Kernel: return catalogueText("compare.named.kernel", language, name);
    case Dimension::Api: return catalogueText("compare.named.api", language, name);
    case Dimension::Link: return catalogueText("compare.named.link", language, name);
    default: return {};
    }
}

/// Which part of a step changed most, and what made it.
std::string partText(const Comparison& comparison, std::string_view language) {
    std::string text = waitedForText(comparison, language);
    const Difference* part = text.empty() ? largestPart(comparison) : nullptr;
    if (part == nullptr) return text;
    MessageParameters of{{"part", partName(part->key, language)}, {"time", timeText(sizeOf(part->change))}};
    const Difference* cause = causeOf(comparison, *part);
    if (cause != nullptr) {
        const std::string what = nameOfCause(*cause, language);
        of.emplace_back("what", what);
        of.emplace_back("more", timeText(sizeOf(cause->change)));
        const bool isLonger = cause->change.change > 0;
        if (!what.empty())
            return catalogueText(isLonger ? "compare.since_longer" : "compare.since_shorter", language, of);
    }
    const std::string ranks = ranksOf(comparison, part->key, part->change.change);
    of.emplace_back("ranks", ranks);
    return catalogueText(codeOf(ranks), language, of);
}

std::string stepSentence(const Comparison& comparison, std::string_view language, const std::string& gap) {
    if (!comparison.step) return catalogueText("compare.no_step_time", language);
    const Change& step = *comparison.step;
    const double share = step.base == 0 ? 0 : static_cast<double>(sizeOf(step)) / static_cast<double>(step.base);
    MessageParameters parameters{{"base", timeText(step.base)},
                                 {"current", timeText(step.current)},
                                 {"change", timeText(sizeOf(step))},
                                 {"share", shareText(share)}};
    std::string_view code = step.change < 0 ? "compare.faster" : "compare.slower";
    if (step.low && !step.significant) code = "compare.same";
    if (step.change == 0) code = "compare.equal";
    std::string text = catalogueText(code, language, parameters);
    const bool isChanged = code == "compare.faster" || code == "compare.slower";
    if (isChanged && comparison.stepsApart) text += gap + stepsApartText(*comparison.stepsApart, language);
    if (isChanged) {
        if (const std::string part = partText(comparison, language); !part.empty()) text += gap + part;
    }
    if (!step.low) text += gap + catalogueText("compare.no_noise", language);
    return text;
}

/// "memory, kernel" of what one side did not record; empty if nothing.
std::string unrecordedNames(const Comparison& comparison, bool isCurrent) {
    std::string names;
    for (std::size_t i = 0; i < kDimensions; ++i)
        if (comparison.unrecorded[i][isCurrent ? 1 : 0] > 0)
            names += (names.empty() ? "" : ", ") + std::string(dimensionName(static_cast<Dimension>(i)));
    return names;
}

}  // namespace

std::string stepsApartText(const StepsApart& apart, std::string_view language) {
    const bool isLonger = apart.change > 0;
    std::string_view code = isLonger ? "compare.some_longer" : "compare.some_shorter";
    if (!apart.isCurrent) code = isLonger ? "compare.some_base_longer" : "compare.some_base_shorter";
    return catalogueText(code, language,
                         {{"count", std::to_string(apart.count)},
                          {"steps", std::to_string(apart.steps)},
                          {"time", timeText(magnitudeOf(apart.change))}});
}

std::string comparisonSentence(const Comparison& comparison, std::string_view language) {
    const std::string gap = language == "zh_CN" ? "" : " ";
    std::string text = stepSentence(comparison, language, gap);
    for (const bool isCurrent : {false, true}) {
        const std::string what = unrecordedNames(comparison, isCurrent);
        if (what.empty()) continue;
        text += gap + catalogueText(isCurrent ? "compare.unrecorded_current" : "compare.unrecorded_base", language,
                                    {{"what", what}});
    }
    return text;
}

}  // namespace altiscope
