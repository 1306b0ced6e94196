#include "views/timeline/scene/timeline_scene.h"

#include "core/base/columns/interval_set.h"
#include "views/common/plots/time_axis.h"
#include "views/timeline/rows/opening_range.h"

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

TraceColours::Traces tracesOf(const std::vector<SceneCapture>& captures) {
    TraceColours::Traces traces;
    for (const SceneCapture& capture : captures) {
        for (RankIndex r; r.value < capture.store->ranks.size(); ++r.value) {
            const auto& trace = capture.store->ranks[r.value].trace;
            if (trace != nullptr) traces.emplace_back(trace, r);
        }
    }
    return traces;
}

/// Times by which a capture is placed on the axis: if it followed the ranks that the user moves, so would all of them,
/// and what was to be aligned over captures would not be.
std::optional<TimeRange> unmovedRun(const SceneCapture& capture, const CaptureExtent& extent) {
    if (capture.rankShifts == nullptr || !capture.rankShifts->hasOwn()) return extent.axis;
    const RankShifts byCollectives{capture.rankShifts->clocks, {}};
    return extentOf(*capture.store, capture.origin, &byCollectives).axis;
}

std::shared_ptr<const std::vector<DurationNs>> drawnShifts(const TimelineSource& source) {
    if (source.rankShifts == nullptr) return nullptr;
    auto shifts = std::make_shared<std::vector<DurationNs>>();
    for (RankIndex rank; rank.value < source.store->ranks.size(); ++rank.value)
        shifts->push_back(source.rankShifts->of(rank));
    return shifts;
}

}  // namespace

TimelineScene::TimelineScene(JobRunner& jobs, QObject* parent)
    : QObject(parent), m_jobs(jobs), m_viewport(m_model), m_requests(jobs), m_colours(jobs) {
    connect(&m_viewport, &RowViewport::scrolled, this, &TimelineScene::scrolled);
    connect(&m_colours, &TraceColours::changed, this, &TimelineScene::rowsChanged);
    connect(&m_colours, &TraceColours::becameIdle, this, &TimelineScene::becameIdle);
    connect(&m_requests, &RowRequests::done, this, &TimelineScene::becameIdle);
    connect(&m_requests, &RowRequests::merged, this, [this](const auto& threads) {
        const auto top = m_viewport.topRow();
        m_model.addMerged(threads);
        rowsHaveChanged(top);
    });
    connect(&m_requests, &RowRequests::sampled, this, [this](const MemoryTraces::Made& memory) {
        const auto top = m_viewport.topRow();
        m_model.addMemory(memory);
        m_memoryColours.clear();
        for (const auto& trace : m_model.sources().memory().all())
            m_memoryColours[trace.get()] = std::make_shared<const SliceColours>(trace);
        rowsHaveChanged(top);
    });
    // Else the rows come with their colours, and what is known by then.
    connect(&m_requests, &RowRequests::modelsFound, this, [this] {
        if (!m_colours.isPreparing()) apply(m_captures);
    });
}

void TimelineScene::setCaptures(std::vector<SceneCapture> captures) {
    m_captures = std::move(captures);
    m_colours.prepare(tracesOf(m_captures), [this, captures = m_captures] { apply(captures); });
}

void TimelineScene::setColourBy(ColourBy by) {
    if (by == colourBy()) return;
    m_colours.setBy(by);
    emit colourByChanged();
}

void TimelineScene::setColourRules(std::vector<ColourRule> rules) {
    if (rules == colourRules()) return;
    m_colours.setRules(std::move(rules));
    emit colourRulesChanged();
}

void TimelineScene::apply(const std::vector<SceneCapture>& captures) {
    std::vector<std::optional<TimeRange>> runs;
    std::vector<CaptureExtent> extents;
    for (const SceneCapture& capture : captures) {
        extents.push_back(extentOf(*capture.store, capture.origin, capture.rankShifts.get()));
        // A capture that is read again comes back as it was: until then nobody's window is taken away.
        const auto before = m_placed.find(capture.capture);
        if (before != m_placed.end() && !capture.store->sealed && extents.back().all) {
            extents.back().all = united(*extents.back().all, before->second.all);
        }
        runs.push_back(capture.companion == nullptr ? unmovedRun(capture, extents.back()) : std::nullopt);
    }

    std::vector<DurationNs> shifts = alignCaptures(runs);
    for (std::size_t i = 0; i < captures.size(); ++i) {
        if (captures[i].companion == nullptr) continue;
        for (std::size_t other = 0; other < i; ++other)
            if (captures[other].capture == captures[i].companion->of)
                shifts[i] = {shifts[other].value + captures[i].companion->shift.value};
    }
    followShift(captures, extents, shifts);
    std::vector<TimelineSource> sources;
    CaptureExtent whole;
    std::optional<TimeNs> origin;
    for (std::size_t i = 0; i < captures.size(); ++i) {
        sources.push_back({captures[i].capture, captures[i].store, shifts[i], captures[i].rankShifts,
                           m_requests.modelsOf(*captures[i].store), captures[i].companion, captures[i].title});
        if (!extents[i].run) continue;
        const TimeRange run = shifted(*extents[i].run, shifts[i]), all = shifted(*extents[i].all, shifts[i]);
        whole.run = whole.run ? united(*whole.run, run) : run;
        whole.all = whole.all ? united(*whole.all, all) : all;
        // Times count from the begin of the capture that is shown, as on all pages, wherever its ranks are drawn.
        if (!origin && captures[i].companion == nullptr)
            origin = shifted(extentOf(*captures[i].store, captures[i].origin).axis->begin, shifts[i]);
    }
    m_origin = origin.value_or(TimeNs{});

    // The row at the top of the view stays there while rows come and go above it.
    const auto top = m_viewport.scrollTop() > 0 ? m_viewport.topRow() : std::nullopt;
    m_model.setSources(std::move(sources));
    std::erase_if(m_memoryColours, [traces = m_model.sources().memory().all()](const auto& colours) {
        return std::none_of(traces.begin(), traces.end(),
                            [&colours](const auto& trace) { return trace.get() == colours.first; });
    });
    m_requests.merge(m_model.toMerge());
    // Which streams run graphs, once a capture is read to its end. Rows are shown without it until then.
    std::vector<std::shared_ptr<const CaptureStore>> read;
    for (const SceneCapture& capture : m_captures) {
        if (capture.store->sealed) read.push_back(capture.store);
    }
    m_requests.findModels(read);
    if (whole.run) {
        m_window.setExtent(*whole.run, *whole.all);
    } else {
        m_window.reset();
    }
    updateTimes();
    updateSteps();
    openWhereSomethingIs();
    rowsHaveChanged(top);
}

void TimelineScene::setContext(const ContextFilter& context) {
    if (context == m_model.context()) return;
    const bool sameRanks = context.ranks == m_model.context().ranks && context.devices == m_model.context().devices;
    // A rank that is moved takes nobody's window along.
    ContextFilter redrawn = m_model.context();
    redrawn.rangeShifts = context.rangeShifts;
    const bool isOnlyRedrawn = redrawn == context;
    m_model.setContext(context);
    const auto before = m_times;
    updateTimes();
    updateSteps();
    if (sameRanks) emit timesChanged();
    else rowsHaveChanged(std::nullopt);
    const bool keepsWindow = std::exchange(m_keepsWindow, false);
    if (keepsWindow || isOnlyRedrawn || !m_times || m_times->empty() || m_times == before || m_window.empty()) return;
    change([this](ViewWindow& window) {
        window.show({m_times->front().begin, m_times->back().end}, HistoryMark::NewStep);
    });
}

void TimelineScene::setFilter(const TrackFilter& filter) {
    if (filter == m_model.filter()) return;
    // Not each letter of a text is a step of its own.
    const bool isStep = filter.hidden != m_model.filter().hidden || filter.hiddenKinds != m_model.filter().hiddenKinds;
    if (isStep) m_history.note(m_model, false);
    auto top = m_viewport.topRow();
    if (top) top->offset = 0;
    m_model.setFilter(filter);
    rowsHaveChanged(top);
}

void TimelineScene::updateTimes() {
    m_times.reset();
    m_rankTimes.clear();
    for (const TimelineSource& source : m_model.sources()) {
        const auto& ranks = source.store->ranks;
        auto& ofRanks = m_rankTimes.emplace_back(ranks.size());
        // Steps of a base begin with those that are shown; others of it say nothing of these.
        if (source.companion != nullptr) continue;
        ContextFilter context = m_model.context().forCapture(source.capture);
        // Steps are drawn with their ranks, whether or not a range was marked on this capture's clock.
        context.rangeShifts = drawnShifts(source);
        for (RankIndex rank; rank.value < ranks.size(); ++rank.value) {
            if (!context.holds(ranks[rank.value].info)) continue;
            auto times = timesOf(context.onClockOf(rank), ranks[rank.value]);
            if (!times) continue;
            for (TimeRange& range : *times)
                range = shifted(range, DurationNs{context.shiftOf(rank).value + source.shift.value});
            if (!m_times) m_times.emplace();
            m_times->insert(m_times->end(), times->begin(), times->end());
            ofRanks[rank.value] = std::move(times);
        }
    }
    if (m_times) m_times = unionOf(*std::move(m_times), {});
}

const std::optional<std::vector<TimeRange>>& TimelineScene::times(const StepRank& rank) const {
    static const std::optional<std::vector<TimeRange>> all;
    const bool isKnown = rank.source < m_rankTimes.size() && rank.rank.value < m_rankTimes[rank.source].size();
    return isKnown ? m_rankTimes[rank.source][rank.rank.value] : all;
}

void TimelineScene::updateSteps() {
    m_steps.clear();
    for (const TimelineSource& source : m_model.sources()) {
        // A companion of a capture has its steps where the capture has them.
        m_steps.push_back(source.companion == nullptr ? shownSteps(source, m_model.context())
                                                      : std::vector<std::vector<ShownStep>>{});
    }
}

const std::vector<ShownStep>& TimelineScene::steps(const StepRank& rank) const {
    static const std::vector<ShownStep> none;
    const bool isKnown = rank.source < m_steps.size() && rank.rank.value < m_steps[rank.source].size();
    return isKnown ? m_steps[rank.source][rank.rank.value] : none;
}

std::optional<StepRank> TimelineScene::stepRank(CaptureId capture, std::optional<RankIndex> selected) const {
    const auto own = m_model.sources().sourceOf(capture);
    if (own && selected && !steps({*own, *selected}).empty()) return StepRank{*own, *selected};
    for (const std::size_t row : m_viewport.rowsInSight(m_viewport.height())) {
        if (row >= m_model.rows().size()) continue;
        const StepRank rank{m_model.rows()[row].source, m_model.rows()[row].rank};
        if (rank.rank != kNoRank && !steps(rank).empty()) return rank;
    }
    for (std::uint32_t source = 0; source < m_steps.size(); ++source) {
        for (RankIndex rank; rank.value < m_steps[source].size(); ++rank.value)
            if (!m_steps[source][rank.value].empty()) return StepRank{source, rank};
    }
    return std::nullopt;
}

std::size_t TimelineScene::ranksWithSteps() const {
    std::size_t count = 0;
    for (const auto& ofSource : m_steps)
        count += static_cast<std::size_t>(
            std::count_if(ofSource.begin(), ofSource.end(), [](const auto& steps) { return !steps.empty(); }));
    return count;
}

/// Once a capture is read to its end, unless the user has looked elsewhere already; the way back leads to the whole
/// run.
void TimelineScene::openWhereSomethingIs() {
    bool isNew = false;
    std::size_t open = 0;
    std::set<CaptureId> read;
    for (const TimelineSource& source : m_model.sources()) {
        if (!isOpenCapture(source.capture)) continue;
        ++open;
        if (!source.store->sealed) {
            // Read again: where the user was is kept, see apply().
            if (m_opened.contains(source.capture)) read.insert(source.capture);
            continue;
        }
        read.insert(source.capture);
        isNew = isNew || !m_opened.contains(source.capture);
    }
    m_opened = std::move(read);
    if (!isNew || m_window.empty() || !m_window.atHome() || m_opened.size() != open) return;
    std::optional<TimeRange> steps;
    for (const auto& ofSource : m_steps) {
        if (const auto own = hullOf(ofSource)) steps = steps ? united(*steps, *own) : *own;
    }
    auto range = openingRange(m_model.sources(), steps, m_window.home());
    if (const auto step = openingStep(m_model.sources(), m_steps, range.value_or(m_window.home()))) range = step;
    if (!range) return;
    m_window.show(*range, HistoryMark::NewStep);
    m_openedOn = m_window.range();
}

/// Captures that stay may have a new place on the axis; the window goes with the first of them.
void TimelineScene::followShift(const std::vector<SceneCapture>& captures, const std::vector<CaptureExtent>& extents,
                                const std::vector<DurationNs>& shifts) {
    std::map<CaptureId, Placed> placed;
    std::optional<DurationNs> by;
    for (std::size_t i = 0; i < captures.size(); ++i) {
        if (!extents[i].all) continue;
        placed[captures[i].capture] = {shifts[i], *extents[i].all};
        const auto before = m_placed.find(captures[i].capture);
        if (!by && before != m_placed.end()) by = DurationNs{shifts[i].value - before->second.shift.value};
    }
    // The whole run of other captures is shown first.
    if (!by && !m_placed.empty() && !placed.empty()) m_window.reset();
    m_placed = std::move(placed);
    if (by && !m_window.empty()) m_window.shiftAxis(*by);
}

void TimelineScene::rowsHaveChanged(const std::optional<RowViewport::TopRow>& top) {
    m_viewport.followRows(top);
    m_requests.sample(m_model.toSample());
    emit rowsChanged();
}

void TimelineScene::arrange(TrackArrangement arrangement, HistoryMark mark) {
    if (arrangement == m_model.arrangement()) return;
    if (mark == HistoryMark::NewStep || !m_history.canUndo()) m_history.note(m_model, false);
    const auto top = m_viewport.topRow();
    m_model.setArrangement(std::move(arrangement));
    m_requests.merge(m_model.toMerge());
    rowsHaveChanged(top);
}

void TimelineScene::arrange(TrackArrangement arrangement, const TrackFilter& filter, RowExpansion expansion,
                            HistoryMark mark) {
    if (mark == HistoryMark::NewStep) m_history.note(m_model, true);
    const auto top = m_viewport.topRow();
    m_model.setFilter(filter);
    m_model.setExpansion(std::move(expansion));
    m_model.setArrangement(std::move(arrangement));
    m_requests.merge(m_model.toMerge());
    rowsHaveChanged(top);
}

void TimelineScene::restore(std::optional<ArrangementHistory::Step> step) {
    if (!step) return;
    const auto top = m_viewport.topRow();
    m_model.setFilter(step->filter);
    if (step->expansion) m_model.setExpansion(*std::move(step->expansion));
    m_model.setArrangement(std::move(step->arrangement));
    m_requests.merge(m_model.toMerge());
    rowsHaveChanged(top);
}

void TimelineScene::undoArrangement() { restore(m_history.undo(m_model)); }

void TimelineScene::redoArrangement() { restore(m_history.redo(m_model)); }

void TimelineScene::setMarks(std::vector<ShownMark> marks) {
    m_marks = std::move(marks);
    emit marksChanged();
}

void TimelineScene::setKeys(std::vector<TimelineKey> keys) {
    m_keys = std::move(keys);
    emit keysChanged();
}

void TimelineScene::setProgress(std::map<CaptureId, double> progress) {
    if (progress == m_progress) return;
    m_progress = std::move(progress);
    emit progressChanged();
}

std::shared_ptr<const SliceColours> TimelineScene::coloursOf(const TrackNode& row) const {
    const TraceStore* trace = m_model.sources().traceOf(row);
    if (!row.memory) return m_colours.of(trace);
    const auto known = m_memoryColours.find(trace);
    return known == m_memoryColours.end() ? nullptr : known->second;
}

bool TimelineScene::holds(const TraceStore& trace) const {
    return m_colours.of(&trace) != nullptr || m_memoryColours.contains(&trace);
}

void TimelineScene::setMetrics(const RowMetrics& metrics) {
    m_model.setMetrics(metrics);
    rowsHaveChanged(std::nullopt);
}

void TimelineScene::useHeight(int height, bool isLookedAt) {
    const bool isMoved = isLookedAt || m_viewport.scrollTop() > 0 || !isAsOpened();
    if (height == m_model.room() || (height < m_model.room() && isMoved)) return;
    const auto top = m_viewport.scrollTop() > 0 ? m_viewport.topRow() : std::nullopt;
    m_model.setRoom(height);
    rowsHaveChanged(top);
}

void TimelineScene::setExpanded(std::size_t row, bool expanded) {
    const std::int64_t y = m_viewport.yOf(m_model.rows()[row], m_model.rows()[row].top);
    const bool wasStuck = m_viewport.isStuck(row);
    m_model.setExpanded(row, expanded);
    // A group that is collapsed by its row at the upper edge stays there, instead of whatever comes far below it.
    if (wasStuck) {
        m_viewport.setScrollTop(m_model.rows()[row].top - m_model.layout().pinnedHeight + m_viewport.pinnedView() - y);
    }
    rowsHaveChanged(std::nullopt);
}

void TimelineScene::setAllExpanded(bool expanded) {
    auto top = m_viewport.topRow();
    if (top) top->offset = 0;
    m_model.setAllExpanded(expanded);
    rowsHaveChanged(top);
}

void TimelineScene::expandTo(std::uint32_t source, RankIndex rank, TrackIndex track) {
    if (!m_model.expandTo(source, rank, track)) return;
    m_viewport.followRows(std::nullopt);
    emit rowsChanged();
}

void TimelineScene::showRank(std::uint32_t source, RankIndex rank) {
    const auto find = [&] {
        return std::find_if(m_model.rows().begin(), m_model.rows().end(), [&](const TimelineRow& row) {
            return row.kind == TimelineRowKind::Rank && row.source == source && row.rank == rank;
        });
    };
    auto row = find();
    if (row == m_model.rows().end()) return;
    if (row->expandable && !row->expanded) {
        setExpanded(static_cast<std::size_t>(row - m_model.rows().begin()), true);
        row = find();
    }
    // Below the groups around it, which stay in sight.
    std::int64_t above = 0;
    for (std::uint32_t group = row->around; group != TimelineRow::kNoRow; group = m_model.rows()[group].around)
        above += m_model.rows()[group].height;
    m_viewport.setScrollTop(row->top - m_model.layout().pinnedHeight - above);
}

}  // namespace altiscope
