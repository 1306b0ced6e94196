#include "core/compare/comparison.h"

#include "core/analysis/support/saturating.h"
#include "core/base/text/amount_text.h"
#include "core/base/text/catalogue.h"
#include "core/compare/changed_parts.h"
#include "core/compare/measures.h"
#include "core/compare/rule_needs.h"
#include "core/findings/finding.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

namespace {

/// Share of the peak: less memory is in the table, not in the sentence.
constexpr double kOfMemory = 0.01;
/// Below it sizes with one decimal may be the same on both sides.
constexpr double kOfLittle = 0.1;
/// Share of a step: how long kernels take that one side runs more often, from which on that is said.
constexpr double kOfOwnWork = 0.01;
/// Programs of which less than half is the same are not better or worse by what is found in one of them.
constexpr double kSameProgram = 0.5;
constexpr std::size_t kMaxFindings = 3, kMaxRoles = 3;

/// Sentences that follow each other.
class Sentences {
public:
    explicit Sentences(std::string_view language) : m_language(language) {}
    void add(std::string_view code, const MessageParameters& parameters = {}) {
        append(catalogueText(code, m_language, parameters));
    }
    void append(const std::string& sentence) {
        if (!m_text.empty() && !sentence.empty() && m_language != "zh_CN") m_text += ' ';
        m_text += sentence;
    }
    std::string word(std::string_view code) const { return catalogueText(code, m_language); }
    std::string comma() const { return m_language == "zh_CN" ? "、" : ", "; }
    std::string_view language() const { return m_language; }
    const std::string& text() const { return m_text; }

private:
    std::string_view m_language;
    std::string m_text;
};

std::string signedTime(std::int64_t time) { return (time > 0 ? "+" : "") + timeText(time); }

void sayWork(const Comparison& comparison, Sentences& to) {
    const bool areOthers = !comparison.isOneCapture && comparison.baseRanks != comparison.currentRanks;
    const bool isOther = comparison.commonWork && *comparison.commonWork < kSameWork;
    const std::string base = std::to_string(comparison.baseRanks);
    const std::string_view count = comparison.baseRanks == 1 ? "compare.one_rank" : "compare.rank_count";
    const MessageParameters of{{"base", catalogueText(count, to.language(), {{"count", base}})},
                               {"current", std::to_string(comparison.currentRanks)},
                               {"share", shareText(comparison.commonWork.value_or(1))}};
    if (isOther) to.add(areOthers ? "compare.other_work_ranks" : "compare.other_work", of);
    else if (areOthers) to.add("compare.other_ranks", of);
    if (!isOther || !comparison.ownWork || !comparison.step) return;
    const auto [ofBase, ofCurrent] = *comparison.ownWork;
    const double little = kOfOwnWork * static_cast<double>(comparison.step->base);
    if (std::max(ofBase, ofCurrent) < little) return;
    std::string_view code = ofCurrent < little ? "compare.fewer_kernels" : "compare.more_kernels";
    if (std::min(ofBase, ofCurrent) >= little) code = "compare.other_kernels";
    to.add(code,
           {{"base", timeText(saturatedRound(ofBase))},
            {"current", timeText(saturatedRound(ofCurrent))},
            {"whole", to.word(comparison.isBaseRecording ? "compare.of_what.recording" : "compare.of_what.step")}});
}

std::size_t fewestSteps(const Comparison& comparison) {
    return std::min(comparison.baseSteps, comparison.currentSteps);
}

bool isChanged(StepVerdict verdict) {
    return verdict == StepVerdict::Slower || verdict == StepVerdict::Faster || verdict == StepVerdict::AboutSlower ||
           verdict == StepVerdict::AboutFaster;
}

/// How a verdict is said of two captures, and of two ranks or steps of one, where nothing "became" so.
std::string_view codeOf(const Comparison& comparison, StepVerdict verdict) {
    const bool isOne = comparison.isOneCapture;
    switch (verdict) {
    case StepVerdict::None: return {};
    case StepVerdict::Equal: return "compare.equal";
    case StepVerdict::Same: return isOne ? "compare.side_same" : "compare.same";
    case StepVerdict::Unclear: return isOne ? "compare.side_unclear" : "compare.unclear";
    case StepVerdict::Slower: return isOne ? "compare.side_slower" : "compare.slower";
    case StepVerdict::Faster: return isOne ? "compare.side_faster" : "compare.faster";
    case StepVerdict::AboutSlower: return isOne ? "compare.side_about_slower" : "compare.about_slower";
    case StepVerdict::AboutFaster: return isOne ? "compare.side_about_faster" : "compare.about_faster";
    }
    return {};
}

void sayStep(const Comparison& comparison, Sentences& to) {
    if (comparison.isBaseRecording != comparison.isCurrentRecording)
        return to.add(comparison.isBaseRecording ? "compare.base_without_steps" : "compare.current_without_steps");
    if (!comparison.step && comparison.atEnd) return;
    if (!comparison.step)
        return to.add(comparison.isBaseRecording ? "compare.no_steps_stated" : "compare.no_step_time");
    const Change& step = *comparison.step;
    const StepVerdict verdict = stepVerdict(comparison);
    MessageParameters of{{"what", to.word(comparison.isBaseRecording ? "compare.what.recording" : "compare.what.step")},
                         {"base", timeText(step.base)},
                         {"current", timeText(step.current)},
                         {"change", timeText(sizeOf(step))},
                         {"share", shareText(std::abs(shareOf(step).value_or(0)))},
                         {"steps", std::to_string(fewestSteps(comparison))}};
    if (step.low) {
        of.emplace_back("low", signedTime(*step.low));
        of.emplace_back("high", signedTime(*step.high));
    }
    to.add(codeOf(comparison, verdict), of);
    if (isChanged(verdict) && comparison.stepsApart) to.append(stepsApartText(*comparison.stepsApart, to.language()));
}

/// Why nobody can be sure.
void sayDoubt(const Comparison& comparison, Sentences& to) {
    if (!comparison.step) return;
    const StepVerdict verdict = stepVerdict(comparison);
    if (!comparison.step->low && comparison.isBaseRecording) return to.add("compare.no_noise_of_recording");
    const bool areSingle = comparison.baseSteps == 1 && comparison.currentSteps == 1;
    if (!comparison.step->low) return to.add(areSingle ? "compare.no_noise_of_both" : "compare.no_noise");
    if (verdict != StepVerdict::AboutSlower && verdict != StepVerdict::AboutFaster) return;
    const std::size_t steps = fewestSteps(comparison);
    if (steps < kFewestSureSteps) return to.add("compare.few_steps", {{"steps", std::to_string(steps)}});
    const double probability = comparison.stepProbability.value_or(1);
    if (probability > 0)
        to.add("compare.by_chance", {{"times", std::to_string(std::llround(1 / std::max(probability, 1e-9)))}});
}

/// Growth in each step first, else the peak.
const Difference* changedMemory(const Comparison& comparison) {
    const Difference* best = nullptr;
    for (const Difference& one : comparison.differences) {
        if (one.dimension != Dimension::Memory || one.cause) continue;
        const bool grows = one.key.starts_with("growth");
        if (!grows && !one.key.starts_with("peak")) continue;
        // From one step to the next memory grows for many reasons.
        const bool isSure = one.change.significant || (!grows && !one.change.low && one.change.change != 0);
        if (!isSure || (!grows && std::abs(shareOf(one.change).value_or(1)) < kOfMemory)) continue;
        if (best == nullptr || (grows && !best->key.starts_with("growth"))) best = &one;
    }
    return best;
}

void sayMemory(const Comparison& comparison, Sentences& to) {
    const Difference* memory = changedMemory(comparison);
    if (memory == nullptr) return;
    const bool grows = memory->key.starts_with("growth"), isMore = memory->change.change > 0;
    std::string what =
        to.word(memory->key.ends_with("reserved") ? "compare.memory.reserved" : "compare.memory.allocated");
    if (memory->rankId)
        what = catalogueText("compare.memory.of_rank", to.language(),
                             {{"what", what}, {"rank", std::to_string(*memory->rankId)}});
    const bool isLittle = std::abs(shareOf(memory->change).value_or(1)) < kOfLittle;
    std::string_view code = isMore ? "compare.memory.peak_higher" : "compare.memory.peak_lower";
    if (isLittle) code = isMore ? "compare.memory.peak_share_higher" : "compare.memory.peak_share_lower";
    if (grows) code = isMore ? "compare.memory.grows_more" : "compare.memory.grows_less";
    to.add(code, {{"what", what},
                  {"size", bytesText(sizeOf(memory->change))},
                  {"share", shareText(std::abs(shareOf(memory->change).value_or(0)))},
                  {"base", bytesText(memory->change.base)},
                  {"current", bytesText(memory->change.current)}});
}

/// "metrics.py(27): keep_outputs", the innermost frame that has a line of a source, else the innermost one.
std::string programFrame(std::string_view frames) {
    std::string_view first;
    for (std::size_t begin = 0; begin < frames.size();) {
        const std::size_t end = std::min(frames.find(kBetweenFrames, begin), frames.size());
        const std::string_view frame = frames.substr(begin, end - begin);
        if (first.empty()) first = frame;
        if (const std::size_t line = frame.find("): "); line != std::string_view::npos) {
            const std::size_t slash = frame.substr(0, line).rfind('/');
            return std::string(slash == std::string_view::npos ? frame : frame.substr(slash + 1));
        }
        begin = end + kBetweenFrames.size();
    }
    return std::string(first);
}

/// Says what snapshots hold at the end, and which call stack holds most of the change.
void sayEnd(const Comparison& comparison, Sentences& to) {
    if (!comparison.atEnd) return;
    const auto [base, current] = *comparison.atEnd;
    const Change change = changeBetween(static_cast<double>(base), static_cast<double>(current));
    std::string_view code = change.change > 0 ? "compare.at_end.more" : "compare.at_end.less";
    if (change.change == 0) code = "compare.at_end.same";
    to.add(code, {{"size", bytesText(sizeOf(change))}, {"base", bytesText(base)}, {"current", bytesText(current)}});
    for (const Difference& one : comparison.differences) {
        const bool isAlike = (one.change.change < 0) == (change.change < 0);
        if (one.dimension != Dimension::Memory || !one.key.starts_with(kOfStack) || !isAlike) continue;
        if (change.change == 0 || 2 * sizeOf(one.change) < sizeOf(change)) return;
        const std::string frame = programFrame(std::string_view(one.key).substr(kOfStack.size()));
        to.add(frame.empty() ? "compare.at_end.without_stack" : "compare.at_end.by",
               {{"size", bytesText(sizeOf(one.change))}, {"frame", frame}});
        return;
    }
}

/// @param ranks  How many the side has on which they are.
void sayHighFindings(const std::vector<RankedRule>& findings, std::size_t ranks, std::string_view code, Sentences& to) {
    std::vector<std::string> names;
    for (const RankedRule& one : findings) {
        std::string name = ruleName(one.rule, to.language());
        if (one.rankId)
            name = catalogueText(ranks > 1 && !isAboutOneRank(one.rule) ? "compare.rule_most_of_rank"
                                                                        : "compare.rule_of_rank",
                                 to.language(), {{"rule", name}, {"rank", std::to_string(*one.rankId)}});
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
    if (names.empty()) return;
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < kMaxFindings; ++i) text += (i == 0 ? "" : to.comma()) + names[i];
    if (names.size() > kMaxFindings)
        text += to.comma() + catalogueText("compare.further", to.language(),
                                           {{"count", std::to_string(names.size() - kMaxFindings)}});
    to.add(code, {{"rules", text}});
}

/// Names of data that a side may lack.
std::string lackedName(std::string_view what, const Sentences& to) {
    static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
        {"category", "compare.lacks.category"},     {"operator", "compare.lacks.operator"},
        {"kernel", "compare.lacks.kernel"},         {"api", "compare.lacks.api"},
        {"collective", "compare.lacks.collective"}, {"link", "compare.lacks.link"},
        {"memory", "compare.lacks.memory"},         {"types", "compare.lacks.types"},
        {"shapes", "compare.lacks.shapes"}};
    for (const auto& [name, code] : kNames)
        if (name == what) return to.word(code);
    return std::string(what);
}

/// Steps that are left out.
void sayDoubtful(const Comparison& comparison, Sentences& to) {
    for (const std::size_t i : {0, 1})
        if (comparison.doubtfulSteps[i] > 0)
            to.add(i == 0 ? "compare.doubtful_base" : "compare.doubtful_current",
                   {{"count", std::to_string(comparison.doubtfulSteps[i])}});
}

/// Data that one side recorded and the other did not.
void sayLacks(const std::vector<std::string>& lacks, std::string_view code, Sentences& to) {
    std::string text;
    for (const std::string& word : lacks) text += (text.empty() ? "" : to.comma()) + lackedName(word, to);
    if (!text.empty()) to.add(code, {{"what", text}});
}

/// The sentence about a role: how long its steps last and why.
std::string sentenceOfRole(const RoleComparison& role, std::string_view language) {
    return catalogueText("compare.role", language,
                         {{"role", role.name}, {"sentence", comparisonSentence(*role.comparison, language)}});
}

/// Recordings of the same ranks, each by itself; those first of which a step changed most.
void sayRoles(const Comparison& comparison, Sentences& to) {
    to.add("compare.roles", {{"count", std::to_string(comparison.roles.size())}});
    for (std::size_t i = 0; i < comparison.roles.size() && i < kMaxRoles; ++i)
        to.append(sentenceOfRole(comparison.roles[i], to.language()));
    if (comparison.roles.size() > kMaxRoles)
        to.add("compare.further_roles", {{"count", std::to_string(comparison.roles.size() - kMaxRoles)}});
    sayLacks(comparison.baseLacks, "compare.base_lacks", to);
    sayLacks(comparison.currentLacks, "compare.current_lacks", to);
}

}  // namespace

StepVerdict stepVerdict(const Comparison& comparison) {
    if (!comparison.step) return StepVerdict::None;
    const Change& step = *comparison.step;
    if (step.change == 0) return StepVerdict::Equal;
    const bool faster = step.change < 0;
    const bool isSure = !step.low || (step.significant && fewestSteps(comparison) >= kFewestSureSteps);
    if (isSure) return faster ? StepVerdict::Faster : StepVerdict::Slower;
    if (step.isBeyondNoise() || step.significant) return faster ? StepVerdict::AboutFaster : StepVerdict::AboutSlower;
    const auto reach = static_cast<double>(std::max(std::abs(*step.low), std::abs(*step.high)));
    return reach <= kStepOfWeight * static_cast<double>(step.base) ? StepVerdict::Same : StepVerdict::Unclear;
}

std::string_view stepVerdictName(StepVerdict verdict) {
    switch (verdict) {
    case StepVerdict::None: return "none";
    case StepVerdict::Equal: return "equal";
    case StepVerdict::Same: return "same";
    case StepVerdict::Unclear: return "unclear";
    case StepVerdict::Slower: return "slower";
    case StepVerdict::Faster: return "faster";
    case StepVerdict::AboutSlower: return "about_slower";
    case StepVerdict::AboutFaster: return "about_faster";
    }
    return {};
}

std::string stepsApartText(const StepsApart& apart, std::string_view language) {
    const bool isLonger = apart.change > 0;
    std::string_view code = isLonger ? "compare.some_longer" : "compare.some_shorter";
    if (!apart.isCurrent) code = isLonger ? "compare.some_base_longer" : "compare.some_base_shorter";
    return catalogueText(code, language,
                         {{"count", std::to_string(apart.count)},
                          {"steps", std::to_string(apart.steps)},
                          {"time", timeText(apart.change < 0 ? saturatedDifference(0, apart.change) : apart.change)}});
}

std::string comparisonSentence(const Comparison& comparison, std::string_view language) {
    Sentences to(language);
    if (!comparison.roles.empty()) {
        sayRoles(comparison, to);
        return to.text();
    }
    sayWork(comparison, to);
    sayStep(comparison, to);
    to.append(changedPartsText(comparison, language));
    sayDoubt(comparison, to);
    sayDoubtful(comparison, to);
    sayEnd(comparison, to);
    sayMemory(comparison, to);
    if (comparison.commonWork.value_or(1) >= kSameProgram) {
        sayHighFindings(comparison.newHigh, comparison.currentRanks, "compare.new_high", to);
        sayHighFindings(comparison.goneHigh, comparison.baseRanks, "compare.gone_high", to);
        sayHighFindings(comparison.baseUnseen, comparison.currentRanks, "compare.unseen_on_base", to);
        sayHighFindings(comparison.currentUnseen, comparison.baseRanks, "compare.unseen_on_current", to);
    }
    sayLacks(comparison.baseLacks, "compare.base_lacks", to);
    sayLacks(comparison.currentLacks, "compare.current_lacks", to);
    return to.text();
}

}  // namespace altiscope
