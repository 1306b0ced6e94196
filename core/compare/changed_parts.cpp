#include "core/compare/changed_parts.h"

#include "core/analysis/steps/step_parts.h"
#include "core/analysis/support/saturating.h"
#include "core/base/text/amount_text.h"
#include "core/base/text/catalogue.h"

#include <algorithm>
#include <cmath>

namespace altiscope {

namespace {

/// A part of a step within this of the step's change is all of it, and pays for nothing.
constexpr double kAboutAll = 0.02;
/// From this part of a change on something is named as what made it (causes.cpp has the same), or pays for it.
constexpr double kMostOf = 0.75;
constexpr std::size_t kMaxRanks = 5;

bool isOfStep(std::string_view part) {
    return std::any_of(kWholeStep.begin(), kWholeStep.end(),
                       [part](StepPart whole) { return infoOf(whole).name == part; });
}

bool isPartOfStep(const Difference& one) { return one.dimension == Dimension::Category && isOfStep(one.key); }

/// Which part of a step a sentence names, and in which direction it changed.
class PartFinder {
public:
    explicit PartFinder(const Comparison& comparison)
        : m_comparison(comparison), m_direction(comparison.step && comparison.step->change < 0 ? -1 : 1) {}

    bool isLonger() const { return m_direction > 0; }
    const Difference* causeOf(const Difference& one) const {
        return one.cause ? &m_comparison.differences[*one.cause] : nullptr;
    }
    /// Where no step has noise all that changed counts.
    static bool counts(const Difference& one) {
        return one.change.significant || one.change.isBeyondNoise() || !one.change.low;
    }
    bool isAlike(const Change& change) const { return (change.change < 0) == (m_direction < 0); }

    /// The part of some rank for which others wait, where that makes half of the step's change at least.
    const Difference* waitedFor() const {
        for (const Difference& one : m_comparison.differences) {
            if (!one.cause || one.dimension != Dimension::Category) continue;
            const bool isWait = one.key == "exposed_communication" || one.key == "bubble";
            const Difference& cause = m_comparison.differences[*one.cause];
            const bool isOfRank = cause.dimension == Dimension::Category && cause.rankId && isAlike(cause.change);
            if (!isWait || !isOfRank || one.rankId == cause.rankId || cause.key == one.key) continue;
            if (sizeOf(cause.change) >= sizeOf(*m_comparison.step) / 2) return &cause;
        }
        return nullptr;
    }

    /// The largest of the parts that add up to a step; what others wait for stands for their waiting.
    const Difference* largest() const {
        for (const Difference& one : m_comparison.differences) {
            if (!isPartOfStep(one) || one.rankId || !isAlike(one.change)) continue;
            const Difference* cause = causeOf(one);
            const bool isMean = cause != nullptr && cause->dimension == Dimension::Category && !cause->rankId;
            return isMean && isOfStep(cause->key) ? cause : &one;
        }
        return nullptr;
    }

    /// The part that changed most by more than noise, in whatever direction; where few steps leave it at its own
    /// noise, one that is of weight.
    const Difference* largestSure() const {
        const double weight = kStepOfWeight * static_cast<double>(m_comparison.step->base);
        for (const Difference& one : m_comparison.differences) {
            if (!isPartOfStep(one) || one.rankId) continue;
            const bool isOfWeight = static_cast<double>(sizeOf(one.change)) >= weight;
            if (one.change.significant || (one.change.isBeyondNoise() && isOfWeight)) return &one;
        }
        return nullptr;
    }

    /// The part that changed most in the other direction, of the same ranks.
    const Difference* payerOf(const Difference& part) const {
        for (const Difference& one : m_comparison.differences) {
            const bool isOther = isPartOfStep(one) && one.rankId == part.rankId && one.key != part.key;
            if (isOther && (one.change.change < 0) != (part.change.change < 0)) return &one;
        }
        return nullptr;
    }

    /// The named difference that makes most of a part: its cause, or else the one that alone changed by as much.
    const Difference* namedCauseOf(const Difference& part) const {
        if (isOtherWork()) return nullptr;
        if (const Difference* cause = causeOf(part))
            if (isNamed(*cause)) return cause;
        const double whole = std::abs(static_cast<double>(part.change.change));
        for (const Difference& one : m_comparison.differences) {
            if (!isNamed(one) || one.cause || one.unit != DifferenceUnit::Nanoseconds || !counts(one)) continue;
            if ((one.change.change < 0) != (part.change.change < 0) || !makes(one.dimension, part.key)) continue;
            if (one.key.find("Synchronize") != std::string::npos) continue;
            if (one.dimension == Dimension::Link && isOtherWay(one)) continue;
            const double size = std::abs(static_cast<double>(one.change.change));
            if (size >= kMostOf * whole && size * kMostOf <= whole) return &one;
        }
        return nullptr;
    }

    /// The change on the host that is certain and most of that of the step, where no part says why.
    const Difference* namedCauseOfStep() const {
        if (isOtherWork()) return nullptr;
        const double step = std::abs(static_cast<double>(m_comparison.step->change));
        for (const Difference& one : m_comparison.differences) {
            const bool isOfHost = one.dimension == Dimension::Operator || one.dimension == Dimension::Api;
            if (!isOfHost || one.cause || !one.change.significant || !isAlike(one.change)) continue;
            const bool waits = one.key.find("Synchronize") != std::string::npos;
            if (!waits && std::abs(static_cast<double>(one.change.change)) >= kMostOf * step) return &one;
        }
        return nullptr;
    }

    static bool isNamed(const Difference& one) {
        return one.dimension == Dimension::Operator || one.dimension == Dimension::Kernel ||
               one.dimension == Dimension::KernelType || one.dimension == Dimension::Api ||
               one.dimension == Dimension::Link;
    }

private:
    /// Whether the programs do different work: then no difference between them is a cause of another.
    bool isOtherWork() const { return m_comparison.commonWork.value_or(1) < kSameWork; }
    /// Whether data took another way: a link that only one side uses carries as much.
    bool isOtherWay(const Difference& link) const {
        return std::any_of(m_comparison.differences.begin(), m_comparison.differences.end(), [&](const auto& one) {
            return one.dimension == Dimension::Link && one.onlyIn != Difference::Side::Both &&
                   2 * sizeOf(one.change) >= sizeOf(link.change);
        });
    }
    /// Whether a part of a step can be made of something.
    static bool makes(Dimension dimension, std::string_view part) {
        if (part == "computing") return dimension == Dimension::Kernel || dimension == Dimension::KernelType;
        if (part == "free") return dimension == Dimension::Operator || dimension == Dimension::Api;
        return dimension == Dimension::Link;
    }

    const Comparison& m_comparison;
    int m_direction;
};

/// "3, 7" of the ranks in which a part changed by clearly more than `size`; empty if none stands out, or too many do.
std::string ranksOf(const Comparison& comparison, const std::string& part, std::int64_t change, std::int64_t size) {
    std::vector<std::int64_t> ranks;
    for (const Difference& one : comparison.differences) {
        if (one.dimension != Dimension::Category || one.key != part || !one.rankId) continue;
        if (!one.change.significant || (one.change.change < 0) != (change < 0)) continue;
        if (sizeOf(one.change) > size) ranks.push_back(*one.rankId);
    }
    if (ranks.empty() || ranks.size() > kMaxRanks) return {};
    std::sort(ranks.begin(), ranks.end());
    std::string text;
    for (const std::int64_t rank : ranks) text += (text.empty() ? "" : ", ") + std::to_string(rank);
    return text;
}

std::string partName(const std::string& part, std::string_view language) {
    if (part == "computing") return catalogueText("compare.part.computing", language);
    if (part == "free") return catalogueText("compare.part.free", language);
    if (part == "bubble") return catalogueText("compare.part.bubble", language);
    return catalogueText("compare.part.exposed", language);
}

/// "kernel MatMul"
std::string nameOf(const Difference& cause, std::string_view language) {
    const MessageParameters name{{"name", cause.key.substr(0, cause.key.find(" | "))}};
    switch (cause.dimension) {
    case Dimension::Operator: return catalogueText("compare.named.operator", language, name);
    case Dimension::Kernel: return catalogueText("compare.named.kernel", language, name);
    case Dimension::KernelType: return catalogueText("compare.named.kernel_type", language, name);
    case Dimension::Api: return catalogueText("compare.named.api", language, name);
    case Dimension::Link: return catalogueText("compare.named.link", language, name);
    default: return {};
    }
}

void append(std::string& text, const std::string& sentence, std::string_view language) {
    if (!text.empty() && !sentence.empty() && language != "zh_CN") text += ' ';
    text += sentence;
}

/// The part that pays for what another changed by more than `whole`; empty where that is little.
std::string paidText(const PartFinder& finder, const Difference& part, std::int64_t whole, std::string_view language) {
    const std::int64_t excess = saturatedDifference(sizeOf(part.change), whole);
    if (static_cast<double>(excess) <= kAboutAll * static_cast<double>(sizeOf(part.change))) return {};
    const Difference* payer = finder.payerOf(part);
    if (payer == nullptr || static_cast<double>(sizeOf(payer->change)) < static_cast<double>(excess) / 4) return {};
    const bool isAll = static_cast<double>(sizeOf(payer->change)) >= kMostOf * static_cast<double>(sizeOf(part.change));
    const bool isLonger = part.change.change > 0;
    std::string_view code = isLonger ? "compare.paid_by_less" : "compare.paid_by_more";
    if (isAll) code = isLonger ? "compare.paid_all_by_less" : "compare.paid_all_by_more";
    return catalogueText(code, language,
                         {{"time", timeText(sizeOf(payer->change))}, {"part", partName(payer->key, language)}});
}

/// "Rank 11 computes 14.7 ms longer, and the other ranks wait for it."
std::string rankText(const Comparison& comparison, const PartFinder& finder, const Difference& cause,
                     std::string_view language) {
    std::string ranks = ranksOf(comparison, cause.key, cause.change.change, sizeOf(cause.change) / 4 * 3);
    if (ranks.empty()) ranks = std::to_string(*cause.rankId);
    const bool isLonger = cause.change.change > 0, isOne = ranks.find(',') == std::string::npos;
    static constexpr std::string_view kComputing[] = {
        "compare.waited_for.computing.ranks.shorter", "compare.waited_for.computing.ranks.longer",
        "compare.waited_for.computing.rank.shorter", "compare.waited_for.computing.rank.longer"};
    static constexpr std::string_view kOther[] = {
        "compare.waited_for.other.ranks.shorter", "compare.waited_for.other.ranks.longer",
        "compare.waited_for.other.rank.shorter", "compare.waited_for.other.rank.longer"};
    const std::size_t which = (isOne ? 2 : 0) + (isLonger ? 1 : 0);
    const std::string_view code = cause.key == "computing" ? kComputing[which] : kOther[which];
    std::string text = catalogueText(
        code, language,
        {{"part", partName(cause.key, language)}, {"time", timeText(sizeOf(cause.change))}, {"ranks", ranks}});
    if (const Difference* named = finder.namedCauseOf(cause)) {
        const std::string_view more = named->change.change > 0 ? "compare.behind_longer" : "compare.behind_shorter";
        append(text,
               catalogueText(more, language,
                             {{"what", nameOf(*named, language)}, {"more", timeText(sizeOf(named->change))}}),
               language);
    }
    append(text, paidText(finder, cause, sizeOf(*comparison.step), language), language);
    return text;
}

/// "5.2 ms of it is computing: kernel Swish takes 5.4 ms longer."
std::string meanText(const Comparison& comparison, const PartFinder& finder, const Difference& part,
                     std::string_view language) {
    const auto size = static_cast<double>(sizeOf(part.change)), step = static_cast<double>(sizeOf(*comparison.step));
    const bool isMore = size > step * (1 + kAboutAll) || !finder.isAlike(part.change);
    const bool isAll = !isMore && size >= step * (1 - kAboutAll);
    const std::string ranks =
        ranksOf(comparison, part.key, part.change.change, saturatedSum(sizeOf(part.change), sizeOf(part.change) / 2));
    const std::string whole = catalogueText("compare.all_of", language);
    MessageParameters of{{"part", partName(part.key, language)},
                         {"time", isAll ? whole : timeText(sizeOf(part.change))},
                         {"ranks", ranks}};
    const Difference* named = finder.namedCauseOf(part);
    if (named == nullptr && finder.isAlike(part.change) && !isMore) named = finder.namedCauseOfStep();
    if (named != nullptr) {
        of.emplace_back("what", nameOf(*named, language));
        of.emplace_back("more", timeText(sizeOf(named->change)));
    }
    const bool isNamedLonger = named != nullptr && named->change.change > 0;
    if (!isMore && named != nullptr)
        return catalogueText(isNamedLonger ? "compare.since_longer" : "compare.since_shorter", language, of);
    const bool isOne = ranks.find(',') == std::string::npos;
    if (!isMore)
        return catalogueText(ranks.empty() ? "compare.mostly"
                             : isOne       ? "compare.mostly_rank"
                                           : "compare.mostly_ranks",
                             language, of);
    std::string text =
        catalogueText(part.change.change > 0 ? "compare.by_itself_longer" : "compare.by_itself_shorter", language, of);
    if (named != nullptr)
        append(text, catalogueText(isNamedLonger ? "compare.behind_longer" : "compare.behind_shorter", language, of),
               language);
    append(text, paidText(finder, part, finder.isAlike(part.change) ? sizeOf(*comparison.step) : 0, language),
           language);
    return text;
}

}  // namespace

std::string changedPartsText(const Comparison& comparison, std::string_view language) {
    if (!comparison.step) return {};
    const PartFinder finder(comparison);
    switch (stepVerdict(comparison)) {
    case StepVerdict::None: return {};
    case StepVerdict::Equal:
    case StepVerdict::Same:
    case StepVerdict::Unclear: {
        const Difference* part = finder.largestSure();
        return part == nullptr ? std::string() : meanText(comparison, finder, *part, language);
    }
    default: break;
    }
    if (const Difference* cause = finder.waitedFor()) return rankText(comparison, finder, *cause, language);
    const Difference* part = finder.largest();
    return part == nullptr ? std::string() : meanText(comparison, finder, *part, language);
}

}  // namespace altiscope
