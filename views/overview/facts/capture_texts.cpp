#include "views/overview/facts/capture_texts.h"

#include "core/session/reading/load_estimate.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <cmath>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct Facts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::CaptureTexts)
};

/// More steps than these are shown by their ends.
constexpr std::size_t kStepsInFull = 4;

void setState(CaptureCounts& summary, const QString& word, const QString& icon, IconTone tone) {
    summary.stateWord = word;
    summary.stateIcon = icon;
    summary.stateTone = tone;
}

std::size_t countExcluded(const OpenCapture& capture) {
    if (capture.store == nullptr) return 0;
    const auto& ranks = capture.store->ranks;
    return static_cast<std::size_t>(
        std::count_if(ranks.begin(), ranks.end(), [&](const RankEntry& rank) { return isExcluded(capture, rank); }));
}

/// Ranks of which only a range of time was read.
std::size_t countParts(const CaptureStore& store) {
    return static_cast<std::size_t>(std::count_if(store.ranks.begin(), store.ranks.end(),
                                                  [](const RankEntry& rank) { return rank.window.has_value(); }));
}

void describeState(CaptureCounts& summary, const OpenCapture& capture) {
    if (capture.job != 0) return setState(summary, Facts::tr("reading"), u"waiting"_s, IconTone::Muted);
    if (capture.error) {
        setState(summary, Facts::tr("failed"), u"error"_s, IconTone::Error);
        summary.explanation = errorSentence(*capture.error);
        return;
    }
    if (const std::size_t excluded = countExcluded(capture); excluded > 0 && !capture.cancelled) {
        const std::size_t all = capture.store->ranks.size();
        setState(summary, Facts::tr("%1 of %2 ranks").arg(all - excluded).arg(all), u"stopped"_s, IconTone::Muted);
        summary.explanation = Facts::tr(
            "The capture is large, so only its first ranks were read. Choose Read in the menu of the others.");
        return;
    }
    if (capture.cancelled) return setState(summary, Facts::tr("stopped"), u"stopped"_s, IconTone::Warning);
    const CaptureStore::State state = capture.store ? capture.store->state : CaptureStore::State::Loading;
    if (const std::size_t parts = state == CaptureStore::State::Ok ? countParts(*capture.store) : 0; parts > 0) {
        setState(summary, Facts::tr("in part"), u"stopped"_s, IconTone::Muted);
        summary.explanation =
            Facts::tr("Only a range of time was read of %n rank(s). Choose Read all of it in their menu for the rest.",
                      nullptr, static_cast<int>(parts));
        return;
    }
    switch (state) {
    case CaptureStore::State::Loading: return setState(summary, Facts::tr("reading"), u"waiting"_s, IconTone::Muted);
    case CaptureStore::State::Ok: return setState(summary, Facts::tr("complete"), u"ok"_s, IconTone::Ok);
    case CaptureStore::State::Partial: return setState(summary, Facts::tr("partial"), u"warning"_s, IconTone::Warning);
    case CaptureStore::State::Failed: return setState(summary, Facts::tr("failed"), u"error"_s, IconTone::Error);
    }
}

}  // namespace

QString captureName(const OpenCapture& capture) {
    if (!capture.title.isEmpty()) return capture.title;
    const QString name = QFileInfo(capture.path).fileName();
    return name.isEmpty() ? capture.path : name;
}

CaptureCounts summaryOf(const OpenCapture& capture) {
    CaptureCounts summary;
    summary.name = captureName(capture);
    summary.provisional = capture.job != 0 || capture.cancelled;
    describeState(summary, capture);
    if (capture.store == nullptr) return summary;
    for (const RankEntry& rank : capture.store->ranks) summary.slices += rank.trace ? rank.trace->sliceCount() : 0;
    return summary;
}

QString stepsText(const RankEntry& rank) {
    const auto& steps = rank.steps;
    if (steps.size() > kStepsInFull) {
        return u"%1 – %2 (%3)"_s.arg(steps.front().number).arg(steps.back().number).arg(steps.size());
    }
    QStringList numbers;
    for (const Step& step : steps) numbers << QString::number(step.number);
    return numbers.join(u", "_s);
}

QString rankFacts(const OpenCapture& capture, const RankEntry& rank) {
    const RankInfo& info = rank.info;
    QStringList lines;
    lines << (info.path == "." ? capture.path : capture.path + u'/' + toQString(info.path));
    lines << Facts::tr("%1, from %2", "framework, kind of source")
                 .arg(frameworkTitle(info.framework), sourceTitle(info.source));
    if (rank.trace) {
        lines << Facts::tr("%1 slices in %2")
                     .arg(formatCount(rank.trace->sliceCount()), formatDuration(rank.trace->homeRange().length()));
    }
    if (rank.window) {
        const TimeNs origin = capture.times.origin().value_or(rank.window->begin);
        lines << Facts::tr("Read in part: %1 to %2", "times")
                     .arg(formatRelativeTime(rank.window->begin, origin), formatRelativeTime(rank.window->end, origin));
    }
    if (!rank.steps.empty()) lines << Facts::tr("Steps: %1").arg(stepsText(rank));
    for (const auto& [key, value] : info.metadata) {
        if (key.ends_with("_version")) lines << toQString(key) + u": "_s + toQString(value);
    }
    for (const std::string& other : info.alternatives) lines << Facts::tr("Not used: %1").arg(toQString(other));
    return lines.join(u'\n');
}

QString readingCost(std::uint64_t bytes, double share) {
    const LoadEstimate estimate = estimateReading(bytes, share);
    const auto seconds = static_cast<std::int64_t>(std::ceil(estimate.seconds));
    return Facts::tr("about %1 s, %2 of memory")
        .arg(std::max<std::int64_t>(seconds, 1))
        .arg(formatBytes(estimate.memory));
}

namespace {

IconTone toneOf(RankState state) {
    switch (state) {
    case RankState::Ok: return IconTone::Ok;
    case RankState::Partial:
    case RankState::Raw: return IconTone::Warning;
    case RankState::Listed: return IconTone::Muted;
    }
    return IconTone::Muted;
}

}  // namespace

std::string_view rankStateOf(const OpenCapture& capture, const RankEntry& rank) {
    const bool begun = rank.info.state == RankState::Listed && rank.trace != nullptr;
    if (begun) return capture.job != 0 ? std::string_view("reading") : rankStateName(RankState::Partial);
    // Such a rank has nothing to read but what the cluster's results state, and that is read.
    if (rank.info.state == RankState::Listed && rank.info.source == SourceKind::Cluster) return "cluster";
    if (rank.info.state == RankState::Ok && rank.window) return "in_part";
    return rankStateName(rank.info.state);
}

RankSummary summaryOf(const OpenCapture& capture, const RankEntry& rank) {
    const std::string_view state = rankStateOf(capture, rank);
    const QString word = rankStateWord(toQString(state));
    if (state == "reading") return {word, u"waiting"_s, IconTone::Muted};
    if (state == "cluster") return {word, u"ok"_s, IconTone::Muted};
    if (state == "in_part") return {word, u"stopped"_s, IconTone::Muted};
    for (const RankState known : {RankState::Ok, RankState::Partial, RankState::Raw, RankState::Listed}) {
        if (rankStateName(known) == state) return {word, rankStateIcon(known), toneOf(known)};
    }
    return {word, {}, IconTone::Muted};
}

QString rankStateWord(const QString& state) {
    if (state == "reading"_L1) return Facts::tr("reading");
    if (state == "in_part"_L1) return Facts::tr("in part");
    if (state == "cluster"_L1) return sourceTitle(SourceKind::Cluster);
    for (const RankState known : {RankState::Ok, RankState::Partial, RankState::Raw, RankState::Listed}) {
        if (toQString(rankStateName(known)) == state) return rankStateTitle(known);
    }
    return state;
}

}  // namespace altiscope
