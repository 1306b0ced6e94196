#include "views/timeline/page/timeline_companions.h"

#include "views/common/pages/page_base.h"
#include "views/common/plots/time_axis.h"
#include "views/common/support/formatters.h"
#include "views/timeline/times/capture_extent.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>
#include <utility>

namespace altiscope {

namespace {

struct Companions {
    Q_DECLARE_TR_FUNCTIONS(altiscope::TimelineCompanions)
};

DurationNs drawnShift(const SceneCapture& capture, RankIndex rank) {
    return capture.rankShifts == nullptr ? DurationNs{} : capture.rankShifts->of(rank);
}

/// The first rank within the context that has events; nullopt: none. One with the given number is preferred.
std::optional<RankIndex> firstRank(const CaptureStore& store, const ContextFilter& context,
                                   std::optional<std::int64_t> number) {
    std::optional<RankIndex> first;
    for (RankIndex rank; rank.value < store.ranks.size(); ++rank.value) {
        const RankEntry& entry = store.ranks[rank.value];
        if (entry.trace == nullptr || !context.holds(entry.info)) continue;
        if (number && entry.info.rankId == number) return rank;
        if (!first) first = rank;
    }
    return first;
}

/// Time of what is shown = time of the base + this: a step begins with its counterpart, or else the run does.
DurationNs shiftOfBase(const SceneCapture& shown, const ContextFilter& context, const SceneCapture& base,
                       const ContextFilter& ofBase) {
    const auto rank = firstRank(*shown.store, context, std::nullopt);
    if (!rank) return {};
    const RankEntry& now = shown.store->ranks[rank->value];
    const auto other = firstRank(*base.store, ofBase, now.info.rankId);
    if (!other) return {};
    const RankEntry& before = base.store->ranks[other->value];
    const std::int64_t drawn = drawnShift(shown, *rank).value - drawnShift(base, *other).value;
    if (const auto steps = alignedSteps(now, context, before, ofBase)) return {steps->shift.value + drawn};
    return {(now.trace->homeRange().begin - before.trace->homeRange().begin).value + drawn};
}

void addBase(std::vector<SceneCapture>& captures, const Session& session, const Selection& selection,
             CaptureId shownId) {
    const auto base = pageBase(session, selection, shownId);
    if (!base) return;
    const auto find = [&captures](CaptureId id) {
        return std::find_if(captures.begin(), captures.end(), [id](const auto& one) { return one.capture == id; });
    };
    if (find(shownId) == captures.end() || find(base->capture) == captures.end()) return;
    SceneCapture beside = *find(base->capture);
    // Another capture has its rows already.
    if (base->capture != shownId) captures.erase(find(base->capture));
    else beside.capture = baseSource(beside.capture);
    const auto shown = find(shownId);
    auto companion = std::make_shared<SourceCompanion>();
    companion->kind = SourceCompanion::Kind::Base;
    companion->of = shownId;
    companion->title = Companions::tr("Base: %1").arg(base->title);
    companion->context = base->context;
    companion->shift = shiftOfBase(*shown, selection.current().context.forCapture(shownId), beside, base->context);
    beside.companion = std::move(companion);
    captures.insert(shown + 1, std::move(beside));
}

/// Ranks without rows of the statement are not shown.
ContextFilter ranksWithTraces(const CaptureStore& store, const ContextFilter& context) {
    std::vector<std::int64_t> numbers;
    for (const RankEntry& entry : store.ranks)
        if (entry.trace != nullptr && entry.info.rankId && context.holds(entry.info))
            numbers.push_back(*entry.info.rankId);
    ContextFilter own = context;
    if (!numbers.empty()) {
        std::sort(numbers.begin(), numbers.end());
        own.ranks = std::move(numbers);
    }
    return own;
}

}  // namespace

std::vector<SceneCapture> capturesOnAxis(const Session& session, const Selection& selection) {
    const std::vector<OpenCapture>& open = session.captures();
    if (open.empty()) return {};
    std::vector<std::optional<TimeRange>> runs;
    std::size_t shown = open.size() - 1;
    for (const OpenCapture& capture : open) {
        if (capture.id == selection.shownCapture()) shown = runs.size();
        runs.push_back(capture.store == nullptr ? std::nullopt : extentOf(*capture.store, capture.times.origin()).axis);
    }
    const auto base = selection.baseOf(open[shown].id);
    std::vector<SceneCapture> captures, last;
    const auto add = [&open](std::vector<SceneCapture>& to, std::size_t i) {
        if (open[i].store != nullptr)
            to.push_back({.capture = open[i].id,
                          .store = open[i].store,
                          .origin = open[i].times.origin(),
                          .title = open[i].title});
    };
    add(captures, shown);
    for (std::size_t i = 0; i < open.size(); ++i) {
        if (i == shown) continue;
        if (base && base->capture == open[i].id) add(last, i);
        else if (areOnOneAxis(i, shown, runs)) add(captures, i);
    }
    captures.insert(captures.end(), last.begin(), last.end());
    return captures;
}

void addCompanions(std::vector<SceneCapture>& captures, const Session& session, const Selection& selection) {
    if (captures.empty()) return;
    const bool isKnown = session.capture(selection.shownCapture()) != nullptr;
    addBase(captures, session, selection, isKnown ? selection.shownCapture() : session.captures().back().id);
    for (const ComputedTrack& track : selection.tracks()) {
        const auto of = std::find_if(captures.begin(), captures.end(),
                                     [&track](const auto& one) { return one.capture == track.capture; });
        if (of == captures.end()) continue;
        auto companion = std::make_shared<SourceCompanion>();
        companion->kind = SourceCompanion::Kind::Query;
        companion->of = track.capture;
        companion->title = toQString(track.title);
        companion->context = ranksWithTraces(*track.store, selection.current().context.forCapture(track.capture));
        companion->track = track.id;
        captures.insert(of + 1, SceneCapture{.capture = querySource(track.id),
                                             .store = track.store,
                                             .origin = of->origin,
                                             .rankShifts = of->rankShifts,
                                             .companion = std::move(companion)});
    }
}

}  // namespace altiscope
