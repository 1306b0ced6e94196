#include "views/timeline/scene/timeline_selection.h"

#include "core/analysis/slices/slice_chain.h"

#include "views/common/plots/time_axis.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/timeline/rows/key_lanes.h"

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

/// A revealed slice that is narrower than this part of the window gets a window of its own.
constexpr double kMinPart = 0.004;
/// How much of such a window the slice takes.
constexpr std::int64_t kSliceParts = 5;

TimeRange around(TimeRange range, std::int64_t parts) {
    const std::int64_t length = std::min(range.length().value, kMaxTimeNs / 8);
    const std::int64_t margin = std::max<std::int64_t>(length / 2 * (parts - 1), 5);
    return {{range.begin.value - margin}, {range.end.value + margin}};
}

std::shared_ptr<const TraceStore> traceOf(const CaptureStore& store, RankIndex rank) {
    return rank.value < store.ranks.size() ? store.ranks[rank.value].trace : nullptr;
}

SelectedSlice describe(CaptureId capture, SliceKey key, std::shared_ptr<const TraceStore> trace, SliceIndex slice) {
    SelectedSlice selected{capture, key, trace, placeOf(*trace, slice), flowsOf(*trace, slice)};
    return selected;
}

}  // namespace

SlicePlace placeOf(const TraceStore& trace, SliceIndex slice) {
    const DepthRun& run = trace.runOf(slice);
    return {slice, {run.track}, run.depth, {trace.begin(slice), trace.end(slice)}};
}

std::vector<LinkedFlow> flowsOf(const TraceStore& trace, SliceIndex slice) {
    const TraceColumns& columns = trace.columns();
    std::vector<LinkedFlow> flows;
    const auto add = [&](std::uint32_t flow, bool outgoing) {
        if (flows.size() >= SelectedSlice::kMaxFlows) return;
        const TimeNs from{columns.flowFromTime[flow]}, to{columns.flowToTime[flow]};
        const SliceIndex other{outgoing ? columns.flowTo[flow] : columns.flowFrom[flow]};
        LinkedFlow end{std::string(trace.flowCategory(flow)), outgoing, outgoing ? from : to, outgoing ? to : from, {}};
        if (other != kNoSlice) end.other = placeOf(trace, other);
        flows.push_back(std::move(end));
    };
    for (const std::uint32_t flow : trace.flowsFrom(slice)) add(flow, true);
    for (const std::uint32_t flow : trace.flowsTo(slice)) add(flow, false);
    std::stable_sort(flows.begin(), flows.end(),
                     [](const LinkedFlow& a, const LinkedFlow& b) { return a.far < b.far; });
    return flows;
}

std::optional<TimeRange> sliceBeyond(const TraceStore& trace, TrackIndex track, TimeRange window, bool forward) {
    const auto runs = trace.runs(track);
    if (runs.empty()) return std::nullopt;
    const DepthRun& run = runs.front();
    std::uint32_t at = trace.firstBeginningAt(run, forward ? window.end : window.begin);
    const auto rangeOf = [&trace](std::uint32_t slice) { return TimeRange{trace.begin({slice}), trace.end({slice})}; };
    if (forward) return at < run.first + run.count ? std::optional(rangeOf(at)) : std::nullopt;
    // The last that begins before may reach into what is in sight.
    while (at > run.first && trace.end({at - 1}) > window.begin) --at;
    return at > run.first ? std::optional(rangeOf(at - 1)) : std::nullopt;
}

TimelineSelection::TimelineSelection(TimelineScene& scene, Selection& selection, QObject* parent)
    : QObject(parent), m_scene(scene), m_selection(selection), m_slot(scene.jobs()), m_stepSlot(scene.jobs()) {
    connect(&selection, &Selection::changed, this, &TimelineSelection::resolve);
    connect(&selection, &Selection::revealRequested, this, &TimelineSelection::reveal);
    connect(&scene, &TimelineScene::rowsChanged, this, &TimelineSelection::resolve);
}

std::optional<std::uint32_t> TimelineSelection::selectedSource() const {
    return m_scene.model().sources().sourceOf(m_selection.current().capture);
}

std::optional<TimeRange> TimelineSelection::sliceRange() const {
    const auto source = selectedSource();
    if (!source || !m_slice) return std::nullopt;
    return shifted(m_slice->place.range,
                   m_scene.model().sources().shiftOf(*source, m_slice->key.rank, m_slice->place.track));
}

std::optional<TimeRange> TimelineSelection::markedRange() const {
    const auto source = selectedSource();
    if (!source || !m_selection.current().range) return std::nullopt;
    return shifted(*m_selection.current().range, m_scene.model().sources()[*source].shift);
}

void TimelineSelection::resolve() {
    dropBox();
    const SelectionState& state = m_selection.current();
    const auto wanted = m_toReveal    ? m_toReveal
                        : state.slice ? std::optional(std::pair(state.capture, *state.slice))
                                      : std::nullopt;
    const bool present = m_slice && state.slice && m_slice->capture == state.capture && m_slice->key == *state.slice;
    if (!present) m_slice.reset();
    const auto source = wanted ? m_scene.model().sources().sourceOf(wanted->first) : std::nullopt;
    if (!source) {
        m_slot.cancel();
        emit changed();
        return;
    }
    const auto store = m_scene.model().sources()[*source].store;
    if (present && !m_toReveal && m_slice->trace == traceOf(*store, m_slice->key.rank)) {
        emit changed();
        return;
    }
    m_slot.start(
        [store, capture = wanted->first, key = wanted->second](const CancelToken&) -> std::optional<SelectedSlice> {
            const auto found = findSlice(*store, key);
            if (!found) return std::nullopt;
            return describe(capture, key, store->ranks[found->rank.value].trace, found->slice);
        },
        [this](std::optional<SelectedSlice> found) {
            const SelectionState& now = m_selection.current();
            if (found && m_toReveal && m_toReveal->first == found->capture && m_toReveal->second == found->key) {
                m_toReveal.reset();
                show(*found);
            }
            if (found && now.slice && now.capture == found->capture && *now.slice == found->key)
                m_slice = std::move(found);
            emit changed();
            if (now.slice && !m_slice && !m_toReveal) resolve();  // The revealed slice was not the selected one.
            if (idle()) emit becameIdle();
        });
    emit changed();
}

void TimelineSelection::select(CaptureId capture, RankIndex rank, std::shared_ptr<const TraceStore> trace,
                               SliceIndex slice) {
    // A slice that a statement computed is none of a capture.
    if (isQuerySource(capture)) {
        const DurationNs length = trace->end(slice) - trace->begin(slice);
        return emit statusMessage(
            tr("%1, computed by your statement: %2").arg(toQString(trace->name(slice)), formatDuration(length)));
    }
    capture = openCaptureOf(capture);
    const SliceKey key{rank, trace->id(slice)};
    m_toReveal.reset();
    // Known at once, so that it is outlined in this frame and not after a way through the workers.
    const bool known = m_slice && m_slice->capture == capture && m_slice->key == key;
    if (!known) m_slice = describe(capture, key, std::move(trace), slice);
    m_selection.selectSlice(capture, key);
}

void TimelineSelection::selectAndReveal(CaptureId capture, SliceKey key) {
    if (isQuerySource(capture)) return;
    capture = openCaptureOf(capture);
    if (!m_scene.model().sources().sourceOf(capture)) return;  // Closed since it was offered.
    m_selection.selectSlice(capture, key);
    reveal(capture, key);
}

/// Whether its numbers of slice and track are those of the stores that are shown now.
bool TimelineSelection::isPresent(const SelectedSlice& slice) const {
    const auto source = m_scene.model().sources().sourceOf(slice.capture);
    return source && slice.trace == traceOf(*m_scene.model().sources()[*source].store, slice.key.rank);
}

void TimelineSelection::markRange(TimeRange range, std::uint32_t source) {
    source = m_scene.model().sources().ownerOf(source);
    SelectionState state = m_selection.current();
    if (const auto selected = selectedSource()) {
        source = *selected;
    } else {
        state.capture = m_scene.model().sources()[source].capture;
    }
    state.range = shifted(range, {-m_scene.model().sources()[source].shift.value});
    m_selection.set(state);
}

void TimelineSelection::showMarkedRangeOnly() {
    ContextFilter context = m_selection.current().context;
    context.range = m_selection.current().range;
    context.rangeCapture = context.range ? m_selection.current().capture : kNoCapture;
    m_selection.setContext(std::move(context));
}

/// Another capture has another clock: nothing of the one before is selected any more.
void TimelineSelection::lookAt(CaptureId capture) {
    SelectionState state = m_selection.current();
    state.capture = capture;
    state.slice.reset();
    state.range.reset();
    m_selection.set(state);
}

void TimelineSelection::markBox(TimeRange range, std::uint32_t source, TrackChoice tracks) {
    m_tracks.reset();
    m_boxRange.reset();
    // Times of a base are others: over its rows a box is a range alone.
    if (!isOpenCapture(tracks.capture)) tracks = {};
    // Tracks of another capture than the one that is looked at: that is the one from now on.
    if (!tracks.parts.empty() && tracks.capture != m_selection.current().capture) lookAt(tracks.capture);
    markRange(range, source);
    if (!tracks.parts.empty()) {
        m_tracks = std::move(tracks);
        m_boxRange = m_selection.current().range;
    }
    emit changed();
}

void TimelineSelection::chooseTracks(TrackChoice tracks) {
    if (!isOpenCapture(tracks.capture))
        return emit statusMessage(tr("These rows show the base: choose the rows of its own capture."));
    const CaptureId capture = tracks.capture;
    m_tracks = std::move(tracks);
    m_boxRange.reset();
    if (capture != m_selection.current().capture) lookAt(capture);
    emit changed();
}

void TimelineSelection::chooseTracksOfRange(TrackChoice tracks) {
    chooseTracks(std::move(tracks));
    if (!m_tracks || !m_selection.current().range) return;
    m_boxRange = m_selection.current().range;
}

void TimelineSelection::chooseAllTracks() {
    m_tracks.reset();
    m_boxRange.reset();
    emit changed();
}

void TimelineSelection::setOnlyDepths(bool on) {
    if (std::exchange(m_onlyDepths, on) != on) emit changed();
}

/// A box is gone when its range is; tracks of another capture mean nothing.
void TimelineSelection::dropBox() {
    if (!m_tracks) return;
    const SelectionState& state = m_selection.current();
    if (state.capture == m_tracks->capture && (!m_boxRange || state.range == m_boxRange)) return;
    m_tracks.reset();
    m_boxRange.reset();
}

void TimelineSelection::clear() {
    m_tracks.reset();
    m_boxRange.reset();
    m_selection.clear();
    emit changed();
}

bool TimelineSelection::clearOne() {
    const bool isAny = m_selection.current().range || m_tracks || m_selection.current().slice;
    if (m_selection.current().range) {
        m_selection.setRange(std::nullopt);
    } else if (m_tracks) {
        chooseAllTracks();
    } else {
        m_selection.clear();
    }
    return isAny;
}

void TimelineSelection::toggleRangeOfSlice() {
    if (!m_slice) {
        emit statusMessage(tr("Select a slice first: its time becomes the marked time."));
        return;
    }
    // A range lies on the clock of the capture, which the rank's own may have been moved to.
    const auto source = m_scene.model().sources().sourceOf(m_slice->capture);
    const DurationNs by =
        source ? DurationNs{m_scene.model().sources().shiftOf(*source, m_slice->key.rank, m_slice->place.track).value -
                            m_scene.model().sources()[*source].shift.value}
               : DurationNs{};
    const TimeRange range = shifted(m_slice->place.range, by);
    if (m_selection.current().range == range) m_selection.setRange(std::nullopt);
    else m_selection.setRange(range);
}

std::optional<StepRank> TimelineSelection::stepRank() const {
    const auto& slice = m_selection.current().slice;
    return m_scene.stepRank(capture(), slice ? std::optional(slice->rank) : std::nullopt);
}

const std::vector<ShownStep>& TimelineSelection::steps() const {
    static const std::vector<ShownStep> none;
    const auto rank = stepRank();
    return rank ? m_scene.steps(*rank) : none;
}

QString TimelineSelection::stepRankName() const {
    const auto rank = stepRank();
    if (!rank || m_scene.ranksWithSteps() < 2) return {};
    return rankTitle(m_scene.model().sources()[rank->source].store->ranks[rank->rank.value].info);
}

bool TimelineSelection::isChosen(const ShownStep& step) const {
    return m_selection.current().context.steps == std::vector{step.number};
}

void TimelineSelection::toggleStep(const ShownStep& step) {
    ContextFilter context = m_selection.current().context;
    if (isChosen(step)) {
        context.steps.clear();
    } else {
        context.steps = {step.number};
        // Nothing of a requested step is left out.
        context.range.reset();
        context.rangeCapture = kNoCapture;
        // It is in sight.
        m_scene.keepWindowOnce();
    }
    m_selection.setContext(std::move(context));
}

void TimelineSelection::zoomToStep(const ShownStep& step) {
    if (!isChosen(step)) toggleStep(step);
    m_scene.change([&](ViewWindow& window) { window.show(step.range, HistoryMark::NewStep); });
}

void TimelineSelection::chooseNeighbourStep(bool forward) {
    if (steps().empty()) return emit statusMessage(tr("No step times were recorded."));
    const std::vector<std::int64_t>& chosen = m_selection.current().context.steps;
    const auto step = neighbourStep(steps(), chosen.size() == 1 ? std::optional(chosen.front()) : std::nullopt,
                                    m_scene.window().range(), forward);
    if (!step) return emit statusMessage(forward ? tr("This is the last step.") : tr("This is the first step."));
    if (!isChosen(*step)) toggleStep(*step);
    const TimeRange window = m_scene.window().range();
    if (step->range.begin >= window.begin && step->range.end <= window.end) return;
    // As long as it is, if the step fits, and else as long as the step.
    const std::int64_t length = std::max(window.length().value, step->range.length().value);
    const TimeNs begin{step->range.begin.value - (length - step->range.length().value) / 2};
    m_scene.change([&](ViewWindow& view) { view.show({begin, begin + DurationNs{length}}, HistoryMark::NewStep); });
}

void TimelineSelection::goBeyond(bool forward, std::optional<std::size_t> row) {
    const TimeRange window = m_scene.window().range();
    if (window.empty()) return;
    const TimelineModel& model = m_scene.model();
    const auto rows = row ? std::vector{*row} : m_scene.viewport().rowsInSight(m_scene.viewport().height());
    std::optional<TimeRange> nearest;
    for (const std::size_t r : rows) {
        if (r >= model.rows().size()) continue;
        const TimelineRow& shown = model.rows()[r];
        const TraceStore* trace = model.sources().traceOf(shown);
        if (trace == nullptr || (shown.kind < TimelineRowKind::Thread && shown.expanded)) continue;
        for (const TrackIndex track : tracksIn(shown)) {
            const DurationNs shift = shown.memory ? model.sources().shiftOf(shown)
                                                  : model.sources().shiftOf(shown.source, shown.rank, track);
            const auto beyond = sliceBeyond(*trace, track, shifted(window, {-shift.value}), forward);
            if (!beyond) continue;
            const TimeRange found = shifted(*beyond, shift);
            if (!nearest || (forward ? found.begin < nearest->begin : found.end > nearest->end)) nearest = found;
        }
    }
    if (!nearest)
        return emit statusMessage(forward ? tr("No slice of these tracks starts later.")
                                          : tr("No slice of these tracks ends earlier."));
    // With some of what lies around it; a long one with the edge that is nearer.
    const std::int64_t length = window.length().value, slice = std::min(nearest->length().value, length / 2);
    const TimeNs begin =
        forward ? TimeNs{nearest->begin.value - length / 4} : TimeNs{nearest->end.value - slice - length / 4};
    m_scene.change([&](ViewWindow& view) { view.show({begin, begin + DurationNs{length}}, HistoryMark::NewStep); });
}

void TimelineSelection::zoomToSelection() {
    const auto range = markedRange();
    if (range) {
        m_scene.change([&](ViewWindow& window) { window.show(*range, HistoryMark::NewStep); });
    } else {
        zoomToSlice();
    }
}

void TimelineSelection::zoomToSlice() {
    const auto range = sliceRange();
    if (!range) {
        emit statusMessage(tr("Nothing is selected: click a slice, or drag over the ruler to mark a range."));
        return;
    }
    const std::int64_t margin = std::max<std::int64_t>(range->length().value / 20, 1);
    m_scene.change([&](ViewWindow& window) {
        window.show({{range->begin.value - margin}, {range->end.value + margin}}, HistoryMark::NewStep);
    });
}

void TimelineSelection::step(Step step) {
    if (!m_slice) {
        const bool canBegin = step == Step::Next || step == Step::Previous || step == Step::Inner;
        if (canBegin && selectFirstInSight()) return;
        emit statusMessage(canBegin ? tr("No slice is in sight.") : tr("Select a slice first."));
        return;
    }
    const TraceStore& trace = *m_slice->trace;
    const SliceIndex at = m_slice->place.slice;
    const DepthRun& run = trace.runOf(at);
    switch (step) {
    case Step::Next:
        if (at.value + 1 < run.first + run.count) return follow({at.value + 1});
        return emit statusMessage(tr("This is the last slice of its row."));
    case Step::Previous:
        if (at.value > run.first) return follow({at.value - 1});
        return emit statusMessage(tr("This is the first slice of its row."));
    case Step::Outer:
        if (trace.parent(at) != kNoSlice) return follow(trace.parent(at));
        return emit statusMessage(tr("This slice has no parent."));
    case Step::Inner:
        for (const DepthRun& inner : trace.runs({run.track})) {
            if (inner.depth <= run.depth) continue;
            const std::uint32_t first = trace.firstBeginningAt(inner, m_slice->place.range.begin);
            if (first < inner.first + inner.count && trace.parent({first}) == at) return follow({first});
        }
        return emit statusMessage(tr("This slice has no children."));
    case Step::FlowForward:
    case Step::FlowBack:
        for (const LinkedFlow& flow : m_slice->flows) {
            if (flow.outgoing == (step == Step::FlowForward) && flow.other) return follow(flow.other->slice);
        }
        // Where no flow touches the slice itself: what led to it or followed by what lies around it, in it, or on its
        // thread.
        return followChain(step == Step::FlowForward);
    }
}

bool TimelineSelection::selectFirstInSight() {
    const TimelineModel& model = m_scene.model();
    const TimeRange window = m_scene.window().range();
    if (window.empty()) return false;
    for (const std::size_t r : m_scene.viewport().rowsInSight(m_scene.viewport().height())) {
        if (r >= model.rows().size()) continue;
        const TimelineRow& row = model.rows()[r];
        const TraceStore* shown = model.sources().traceOf(row);
        const bool isGroup = row.kind < TimelineRowKind::Thread;
        if (shown == nullptr || row.memory || isQuerySource(model.sources()[row.source].capture) ||
            (isGroup && row.expanded))
            continue;
        std::vector<KeyLane> lanes;
        const auto colours = m_scene.coloursOf(row);
        if (!isGroup) {
            for (const TrackIndex track : tracksIn(row)) lanes.push_back({track, 0});
        } else if (colours != nullptr) {
            lanes = keyLanes(colours->weights(), tracksIn(row), std::max(row.lanes, 1U));
        }
        for (const KeyLane& lane : lanes) {
            const TimeRange own = shifted(window, {-model.sources().shiftOf(row.source, row.rank, lane.track).value});
            const auto runs = shown->runs(lane.track);
            if (lane.depth >= runs.size()) continue;
            const DepthRun& run = runs[lane.depth];
            const std::uint32_t first = shown->firstEndingAfter(run, own.begin);
            if (first >= run.first + run.count || shown->begin({first}) >= own.end) continue;
            select(model.sources()[row.source].capture, row.rank, traceOf(*model.sources()[row.source].store, row.rank),
                   {first});
            return true;
        }
    }
    return false;
}

void TimelineSelection::followChain(bool forward) {
    m_stepSlot.start(
        [trace = m_slice->trace, at = m_slice->place.slice, forward](const CancelToken& cancel) {
            const auto links = forward ? effectsOf(*trace, at, 1, cancel).links : causesOf(*trace, at);
            return links.empty() ? kNoSlice : links.front().slice;
        },
        [this, trace = m_slice->trace, at = m_slice->place.slice, forward](SliceIndex found) {
            const bool isSelected = m_slice && m_slice->trace == trace && m_slice->place.slice == at;
            if (isSelected && found != kNoSlice) follow(found);
            else if (isSelected)
                emit statusMessage(forward ? tr("No flow leads on from this slice.")
                                           : tr("No flow leads to this slice."));
            if (idle()) emit becameIdle();
        });
}

void TimelineSelection::follow(SliceIndex slice) {
    // By value: selecting replaces what they are taken from.
    const CaptureId capture = m_slice->capture;
    const RankIndex rank = m_slice->key.rank;
    const auto trace = m_slice->trace;
    select(capture, rank, trace, slice);
    reveal(capture, {rank, trace->id(slice)});
}

void TimelineSelection::reveal(CaptureId capture, SliceKey key) {
    if (m_slice && m_slice->capture == capture && m_slice->key == key && isPresent(*m_slice)) {
        show(*m_slice);
        return;
    }
    m_toReveal = {capture, key};
    resolve();
}

void TimelineSelection::show(const SelectedSlice& selected) {
    // By value: expanding rows makes the scene request the selection anew.
    const SlicePlace place = selected.place;
    const auto source = m_scene.model().sources().sourceOf(selected.capture);
    if (!source) return;
    const RankIndex rank = selected.key.rank;
    m_scene.expandTo(*source, rank, place.track);
    const TimelineModel& model = m_scene.model();
    if (const auto at = model.placeOf(*source, rank, place.track)) {
        const TimelineRow& row = model.rows()[at->row];
        const std::int64_t depth = laneOf(row, place.slice, place.depth);
        m_scene.viewport().bringIntoSight(row, row.top + depth * row.lane, row.lane);
    } else if (!model.context().holds(model.sources()[*source].store->ranks[rank.value].info)) {
        emit statusMessage(tr("The slice is on a rank that is not shown now: show everything to see it."));
    } else if (!model.filter().empty()) {
        emit statusMessage(tr("The slice is on a track that is hidden now: show all tracks to see it."));
    }
    const TimeRange range = shifted(place.range, model.sources().shiftOf(*source, rank, place.track));
    const TimeRange window = m_scene.window().range();
    const double part = static_cast<double>(range.length().value) / static_cast<double>(window.length().value);
    const bool inside = window.begin <= range.begin && range.end <= window.end;
    if (std::exchange(m_keepsWindow, false) && inside) return;
    m_scene.change([&](ViewWindow& target) {
        if (part < kMinPart || part > 1) {
            target.show(around(range, kSliceParts), HistoryMark::NewStep);
        } else if (!inside) {
            const std::int64_t begin = range.begin.value - (window.length().value - range.length().value) / 2;
            target.show({{begin}, {begin + window.length().value}}, HistoryMark::NewStep);
        }
    });
}

}  // namespace altiscope
