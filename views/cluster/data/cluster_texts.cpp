#include "views/cluster/data/cluster_texts.h"

#include "core/analysis/account/refusal_text.h"
#include "core/base/text/percent_text.h"
#include "core/findings/cause_rules.h"
#include "core/findings/claims.h"
#include "views/cluster/data/gain_shares.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/support/rank_texts.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct ClusterTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::ClusterTexts)
};

/// Lines of causes, and the share of the step below which one is not worth a line.
constexpr std::size_t kMostLines = 4;
constexpr double kMinShare = 0.001;

DurationNs rounded(double ns) { return {std::llround(ns)}; }

/// Mean over the ranks; nullopt: no step has a time.
std::optional<double> meanStepTime(const ClusterSource& source) {
    double sum = 0;
    std::size_t count = 0;
    for (const RankNumbers& rank : source.numbers) {
        if (std::isnan(rank[RankMetric::StepTime])) continue;
        sum += rank[RankMetric::StepTime];
        ++count;
    }
    return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
}

QString rankList(const CaptureStore& capture, const std::vector<RankIndex>& ranks) {
    std::vector<const RankInfo*> some, all;
    for (const RankEntry& rank : capture.ranks) all.push_back(&rank.info);
    for (const RankIndex rank : ranks) some.push_back(all[rank.value]);
    return rankNames(some, all);
}

/// What a cause is that no finding claims.
QString wordOf(const CauseFacts& cause) {
    if (cause.cause == Cause::Checkpoint) return ClusterTexts::tr("Saving a checkpoint");
    const std::string_view rule = ruleOf(cause);
    if (!rule.empty()) return toQString(ruleName(rule, catalogueLanguage()));
    return toQString(cause.name.empty() ? causeName(cause.cause) : std::string_view(cause.name));
}

/// "0.12 s", and for its tip what it is a part of.
QString lineOf(const ClusterSource& source, const JobAccount& job, const GainShare& share, std::size_t steps,
               const CaptureFindings& found, ClusterSentence& sentence) {
    const CauseFacts& first = job.causes[share.causes.front()];
    const auto link = [&sentence](ClusterLink to, const QString& text) {
        sentence.links.push_back(to);
        return htmlLink(QString::number(sentence.links.size() - 1), text);
    };
    const SliceId slice = first.slices.empty() ? SliceId{} : first.slices.front().slice;
    QString text;
    if (share.finding) {
        text = link({share.finding, {}}, toQString(findingTitle(found.findings[*share.finding], catalogueLanguage())));
    } else {
        const QString words = first.ranks.empty() ? wordOf(first)
                                                  : ClusterTexts::tr("%1: %2", "a cause, the ranks that have it")
                                                        .arg(wordOf(first), rankList(*source.capture(), first.ranks));
        text = slice == SliceId{} ? words.toHtmlEscaped() : link({std::nullopt, slice}, words);
    }
    if (!first.slices.empty() && share.finding) {
        const CauseSlice& longest = first.slices.front();
        text += ClusterTexts::tr(", most in %1").arg(link({std::nullopt, slice}, toQString(longest.name)));
    }
    if (first.cause == Cause::Absent) text += ClusterTexts::tr(", for ranks that are not in the capture");
    if (share.affectedSteps < steps)
        text += ClusterTexts::tr(", in %1 of %2 steps").arg(share.affectedSteps).arg(steps);
    const RankNumbers* late = first.ranks.size() == 1 ? &source.numbers[first.ranks.front().value] : nullptr;
    if (late != nullptr && late->last > 0)
        text += ClusterTexts::tr("; it came last in %1 of %2 collectives")
                    .arg(formatCount(late->last), formatCount(late->compared));
    return u"<tr><td align=\"right\">%1&nbsp;&nbsp;</td><td>%2</td></tr>"_s.arg(
        formatDuration({share.gain}).toHtmlEscaped(), withUnbrokenUnits(text));
}

QString accountedSentence(const ClusterSource& source, const JobAccount& job, const std::vector<std::size_t>& steps,
                          const CaptureFindings& found, ClusterSentence& sentence) {
    const std::int64_t recorded = meanOver(job.recorded, steps);
    const bool isOfStep = job.steps.front().has_value();
    const std::span<const Finding> findings =
        found.capture == source.capture() ? std::span(found.findings) : std::span<const Finding>();
    const std::vector<GainShare> shares = gainShares(job, *source.facts(), findings, steps);
    std::int64_t sum = 0;
    for (const GainShare& share : shares) sum += share.gain;
    const QString time = formatDuration({recorded});
    QString text;
    if (sum <= 0) {
        text =
            (isOfStep ? ClusterTexts::tr("<b>A step takes %1.</b> A replay of it finds nothing that slows it down.")
                      : ClusterTexts::tr("<b>The recording takes %1.</b> A replay finds nothing that slows it down."))
                .arg(time);
    } else {
        text = (isOfStep ? ClusterTexts::tr("<b>A step takes %1; %2 (%3) of it could be won back:</b>")
                         : ClusterTexts::tr("<b>The recording takes %1; %2 (%3) of it could be won back:</b>"))
                   .arg(time, formatDuration({sum}),
                        formatPercent(static_cast<double>(sum) /
                                      static_cast<double>(std::max<std::int64_t>(1, recorded))));
        text += u"<table cellspacing=\"0\" cellpadding=\"0\">"_s;
        std::int64_t rest = sum;
        std::size_t shown = 0;
        for (const GainShare& share : shares) {
            if (shown == kMostLines || static_cast<double>(share.gain) < kMinShare * static_cast<double>(recorded))
                break;
            text += lineOf(source, job, share, steps.size(), found, sentence);
            rest -= share.gain;
            ++shown;
        }
        const auto others = static_cast<int>(shares.size() - shown);
        if (others > 0)
            text += u"<tr><td align=\"right\">%1&nbsp;&nbsp;</td><td>%2</td></tr>"_s.arg(
                formatDuration({rest}).toHtmlEscaped(), ClusterTexts::tr("%n smaller cause(s)", nullptr, others));
        text += u"</table>"_s;
    }
    QStringList notes;
    if (job.replayError)
        notes << ClusterTexts::tr("By replaying the recorded run without one cause after the other; the replay is good "
                                  "to %1.")
                     .arg(QString::number(*job.replayError * 100, 'f', 2) +
                          toQString(percentSign(catalogueLanguage())));
    if (!source.context.ranks.empty() || !source.context.devices.empty())
        notes << ClusterTexts::tr("Of all ranks of the job, whatever the filter chooses.");
    return text + u"<span>%1</span>"_s.arg(notes.join(u' '));
}

/// Why there is no account; empty: there is one.
QString refusedSentence(const ClusterSource& source) {
    if (source.facts()->account == nullptr) return ClusterTexts::tr("What of it could be won back is not known.");
    const JobAccount& job = source.facts()->account->job;
    if (job.refusal != ReplayRefusal::None) return toQString(refusalText(job, *source.capture(), catalogueLanguage()));
    if (job.refusedBy != kNoRank)
        return ClusterTexts::tr("No what-if: the clock of %1 does not relate to those of the others, so ranks cannot "
                                "be replayed together.")
            .arg(rankList(*source.capture(), {job.refusedBy}));
    return ClusterTexts::tr("No what-if: the capture holds several recordings, which are not one job.");
}

}  // namespace

QString metricTitle(RankMetric metric) {
    switch (metric) {
    case RankMetric::StepTime: return ClusterTexts::tr("Step time");
    case RankMetric::Computing: return ClusterTexts::tr("Computing");
    case RankMetric::Exposed: return ClusterTexts::tr("Exposed communication");
    case RankMetric::Bubble: return ClusterTexts::tr("Bubble");
    case RankMetric::Free: return ClusterTexts::tr("Free");
    case RankMetric::WaitCaused: return ClusterTexts::tr("Others waited");
    case RankMetric::WaitSuffered: return ClusterTexts::tr("Wait");
    case RankMetric::Recoverable: return ClusterTexts::tr("Recoverable");
    case RankMetric::Frequency: return ClusterTexts::tr("AI Core frequency");
    }
    return {};
}

QString metricFormula(RankMetric metric) {
    switch (metric) {
    case RankMetric::StepTime:
        return ClusterTexts::tr("Computing + exposed communication + bubble + free; mean of the steps.");
    case RankMetric::Computing: return ClusterTexts::tr("Time in which kernels run; mean of the steps.");
    case RankMetric::Exposed:
        return ClusterTexts::tr("Time in which collectives run and no kernel does, without the bubble; mean of the "
                                "steps. The rank that others wait for has the least of it.");
    case RankMetric::Bubble:
        return ClusterTexts::tr("Exposed communication while the rank receives from another stage of its pipeline; "
                                "mean of the steps.");
    case RankMetric::Free: return ClusterTexts::tr("Time in which the device does nothing; mean of the steps.");
    case RankMetric::WaitCaused:
        return ClusterTexts::tr("Collectives in which this rank clearly came last: the sum over the other ranks of "
                                "their elapsed time - that of this rank; per step.");
    case RankMetric::WaitSuffered:
        return ClusterTexts::tr("What the rank waits in its collectives, also beside computing; per step.");
    case RankMetric::Recoverable:
        return ClusterTexts::tr("What a step of the job would win without the causes that this rank has, by removal: "
                                "each ns once, so that all ranks add up. Rows of the table blame.");
    case RankMetric::Frequency: return ClusterTexts::tr("Mean over time of the counter AI Core Freq.");
    }
    return {};
}

QString metricText(RankMetric metric, double value) {
    if (isTime(metric)) return formatDuration(rounded(value));
    return u"%1 MHz"_s.arg(formatCount(static_cast<std::uint64_t>(std::max(0LL, std::llround(value)))));
}

QString exactMetricText(RankMetric metric, double value) {
    if (isTime(metric)) return u"%1 (%2)"_s.arg(formatDuration(rounded(value)), formatExactNs(rounded(value)));
    return u"%1 MHz"_s.arg(formatNumber(value));
}

QString metricDifference(RankMetric metric, double value) {
    const QString sign = value < 0 ? u"\u2212"_s : value > 0 ? u"+"_s : QString();
    return sign + metricText(metric, std::abs(value));
}

QString dimensionTitle(const std::string& kind) { return kind.empty() ? ClusterTexts::tr("rank") : toQString(kind); }

QString placedRankTitle(const ClusterSource& source, const PlacedRank& rank) {
    if (rank.rank) return rankTitle(source.capture()->ranks[rank.rank->value].info);
    return ClusterTexts::tr("Rank %1").arg(rank.number.value_or(0));
}

QString placeText(const RankPlaces& places, std::size_t rank) {
    QStringList parts;
    for (std::size_t d = 0; d < places.dimensions.size(); ++d) {
        if (!places.dimensions[d].kind.empty())
            parts << u"%1 %2"_s.arg(toQString(places.dimensions[d].kind)).arg(places.ranks[rank].at[d]);
    }
    const RankGrouping* experts = places.grouping("ep");
    if (experts != nullptr && experts->place[rank] != RankGrouping::kNone)
        parts << u"ep %1"_s.arg(experts->place[rank]);
    return parts.join(ClusterTexts::tr(", ", "between parts of a list"));
}

QString numbersOf(const RankPlaces& places, const std::vector<std::uint32_t>& ranks) {
    std::vector<std::int64_t> numbers;
    for (const std::uint32_t rank : ranks) {
        if (places.ranks[rank].number) numbers.push_back(*places.ranks[rank].number);
    }
    std::sort(numbers.begin(), numbers.end());
    return rankNumbers(numbers);
}

ClusterSentence clusterSentence(const ClusterSource& source, const CaptureFindings& found) {
    ClusterSentence sentence;
    const JobAccount* job = replayedJob(*source.facts());
    const std::vector<std::size_t> steps =
        job == nullptr ? std::vector<std::size_t>() : stepsOfJob(*job, *source.capture(), source.context);
    if (!steps.empty()) {
        sentence.text = accountedSentence(source, *job, steps, found, sentence);
        return sentence;
    }
    const auto time = meanStepTime(source);
    const QString head =
        time ? ClusterTexts::tr("<b>A step takes %1</b> (mean of the ranks).").arg(formatDuration(rounded(*time)))
             : ClusterTexts::tr("<b>How long a step takes is not known.</b>");
    const QString why =
        job != nullptr ? ClusterTexts::tr("The replay has none of the chosen steps.") : refusedSentence(source);
    sentence.text = withUnbrokenUnits(head) + u' ' + why.toHtmlEscaped();
    return sentence;
}

QStringList clusterGaps(const ClusterSource& source) {
    QStringList gaps;
    const std::size_t here = source.capture()->ranks.size();
    if (here == 1)
        gaps << ClusterTexts::tr("One rank is here: whether it is slower than others, and who waits for whom, shows "
                                 "with two ranks or more of a job. Open the folder that holds them all.");
    std::vector<std::int64_t> absent;
    for (const PlacedRank& rank : source.places().ranks) {
        if (!rank.rank && rank.number) absent.push_back(*rank.number);
    }
    gaps << absentText({absent, source.places().ranks.size()});
    if (source.doubtful > 0)
        gaps << ClusterTexts::tr("%n step(s) of ranks left out, as their events are not whole.", nullptr,
                                 static_cast<int>(source.doubtful));
    if (here > 1 && source.places().dimensions.empty())
        gaps << ClusterTexts::tr(
            "How the job is divided (tp, pp, dp) is not recorded: ranks follow each other by number.");
    else if (source.job->typed) gaps << ClusterTexts::tr("Places of ranks follow from the sizes that were typed.");
    else if (source.arePlacesComputed())
        gaps << ClusterTexts::tr("Places of ranks are computed from the recorded sizes of the job.");
    return gaps;
}

QStringList clusterMissing(const ClusterSource& source) {
    if (source.capture()->ranks.empty()) return {ClusterTexts::tr("The capture has no ranks.")};
    if (std::none_of(source.numbers.begin(), source.numbers.end(),
                     [](const RankNumbers& rank) { return rank.isInContext; }))
        return {ClusterTexts::tr("The filter of all pages holds none of its ranks.")};
    QStringList reasons{ClusterTexts::tr("No rank has times of its steps, collectives or the frequency of its cores.")};
    if (const auto why = whyMissing(source.capture()->ranks.front().info, "timeline")) reasons << *why;
    return reasons;
}

}  // namespace altiscope
