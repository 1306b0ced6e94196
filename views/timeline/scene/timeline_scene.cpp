#include "views/timeline/scene/timeline_scene.h"

#include "core/analysis/memory/memory_tracks.h"
#include "core/base/interval_set.h"
#include "core/base/parallel.h"
#include "views/common/plots/time_axis.h"
#include "views/timeline/rows/merged_tracks.h"

#include <algorithm>

namespace altiscope {

namespace {

/// Arrangements that can be undone; each is as long as what is arranged.
constexpr std::size_t kMostArranged = 100;

/// Traces with the place of their rank.
using RanksOfTraces = std::vector<std::pair<std::shared_ptr<const TraceStore>, std::uint32_t>>;
using NewColours = std::vector<std::shared_ptr<const SliceColours>>;

RanksOfTraces tracesOf(const std::vector<SceneCapture>& captures) {
    RanksOfTraces traces;
    for (const SceneCapture& capture : captures) {
        for (std::uint32_t r = 0; r < capture.store->ranks.size(); ++r) {
            if (capture.store->ranks[r].trace != nullptr) traces.emplace_back(capture.store->ranks[r].trace, r);
        }
    }
    return traces;
}

NewColours colourAll(const RanksOfTraces& traces, ColourBy by, const CancelToken& cancel) {
    NewColours made;
    for (const auto& [trace, rank] : traces) {
        if (cancel.cancelled()) break;
        made.push_back(std::make_shared<const SliceColours>(trace, by, rank));
    }
    return made;
}

/// What a capture's place on the axis is found by: if it followed the ranks that the user moves, so would all of them,
/// and what was to be aligned over captures would not be.
std::optional<TimeRange> unmovedRun(const SceneCapture& capture, const CaptureExtent& extent) {
    if (capture.rankShifts == nullptr || !capture.rankShifts->hasOwn()) return extent.axis;
    const RankShifts byCollectives{capture.rankShifts->clocks, {}};
    return extentOf(*capture.store, capture.origin, &byCollectives).axis;
}

std::shared_ptr<const std::vector<DurationNs>> drawnShifts(const TimelineSource& source) {
    if (source.rankShifts == nullptr) return nullptr;
    auto shifts = std::make_shared<std::vector<DurationNs>>();
    for (std::uint32_t rank = 0; rank < source.store->ranks.size(); ++rank)
        shifts->push_back(source.rankShifts->of(rank));
    return shifts;
}

}  // namespace

TimelineScene::TimelineScene(JobRunner& jobs, QObject* parent)
    : QObject(parent), m_jobs(jobs), m_colourSlot(jobs), m_recolourSlot(jobs), m_mergeSlot(jobs), m_modelSlot(jobs),
      m_sampleSlot(jobs) {}

void TimelineScene::setCaptures(std::vector<SceneCapture> captures) {
    m_captures = captures;
    RanksOfTraces unknown = tracesOf(captures);
    std::erase_if(unknown, [this](const auto& trace) { return m_colours.contains(trace.first.get()); });
    if (unknown.empty()) {
        m_colourSlot.cancel();
        apply(captures);
        return;
    }
    m_colourSlot.start([unknown = std::move(unknown),
                        by = m_colourBy](const CancelToken& cancel) { return colourAll(unknown, by, cancel); },
                       [this, captures = std::move(captures)](const NewColours& made) {
                           for (const auto& colours : made) m_colours[colours->trace().get()] = colours;
                           apply(captures);
                           // What was made for the colouring before, while it changed.
                           if (std::any_of(made.begin(), made.end(),
                                           [this](const auto& colours) { return colours->by() != m_colourBy; }))
                               recolour();
                           emit becameIdle();
                       });
}

void TimelineScene::setColourBy(ColourBy by) {
    if (by == m_colourBy) return;
    m_colourBy = by;
    emit colourByChanged();
    recolour();
}

/// The rows stay as they are meanwhile.
void TimelineScene::recolour() {
    m_recolourSlot.start([traces = tracesOf(m_captures),
                          by = m_colourBy](const CancelToken& cancel) { return colourAll(traces, by, cancel); },
                         [this](const NewColours& made) {
                             for (const auto& colours : made) {
                                 const auto known = m_colours.find(colours->trace().get());
                                 if (known != m_colours.end()) known->second = colours;
                             }
                             emit rowsChanged();
                             emit becameIdle();
                         });
}

void TimelineScene::apply(const std::vector<SceneCapture>& captures) {
    ColourMap used;
    std::vector<std::optional<TimeRange>> runs;
    std::vector<CaptureExtent> extents;
    for (const SceneCapture& capture : captures) {
        extents.push_back(extentOf(*capture.store, capture.origin, capture.rankShifts.get()));
        // What is read again comes back to what it was: until then nobody's window is taken away.
        const auto before = m_placed.find(capture.capture);
        if (before != m_placed.end() && !capture.store->sealed && extents.back().all) {
            extents.back().all = united(*extents.back().all, before->second.all);
        }
        runs.push_back(unmovedRun(capture, extents.back()));
        for (const RankEntry& rank : capture.store->ranks) {
            if (rank.trace != nullptr) used[rank.trace.get()] = m_colours[rank.trace.get()];
        }
    }
    m_colours = std::move(used);

    const std::vector<DurationNs> shifts = alignCaptures(runs);
    followShift(captures, extents, shifts);
    std::vector<TimelineSource> sources;
    CaptureExtent whole;
    for (std::size_t i = 0; i < captures.size(); ++i) {
        sources.push_back(
            {captures[i].capture, captures[i].store, shifts[i], captures[i].rankShifts, modelsOf(*captures[i].store)});
        if (!extents[i].run) continue;
        const TimeRange run = shifted(*extents[i].run, shifts[i]), all = shifted(*extents[i].all, shifts[i]);
        whole.run = whole.run ? united(*whole.run, run) : run;
        const TimeRange axis = shifted(*extents[i].axis, shifts[i]);
        whole.all = whole.all ? united(*whole.all, all) : all;
        whole.axis = whole.axis ? united(*whole.axis, axis) : axis;
    }

    // What is at the top of the view stays there while rows come and go above it.
    const auto top = m_scrollTop > 0 ? topRow() : std::nullopt;
    m_model.setSources(std::move(sources));
    std::erase_if(m_memoryColours, [traces = m_model.memoryTraces()](const auto& colours) {
        return std::none_of(traces.begin(), traces.end(),
                            [&colours](const auto& trace) { return trace.get() == colours.first; });
    });
    keepInPlace(top);
    mergeMissing();
    findModels();
    if (whole.run) {
        m_origin = whole.axis->begin;
        m_window.setExtent(*whole.run, *whole.all);
    } else {
        m_origin = {};
        m_window.reset();
    }
    updateTimes();
    rowsHaveChanged(std::nullopt);
}

std::vector<std::shared_ptr<const StreamModels>> TimelineScene::modelsOf(const CaptureStore& store) const {
    std::vector<std::shared_ptr<const StreamModels>> models(store.ranks.size());
    for (std::size_t r = 0; r < store.ranks.size(); ++r) {
        const auto known = m_models.find(store.ranks[r].trace.get());
        if (known != m_models.end() && !known->second.trace.expired()) models[r] = known->second.models;
    }
    return models;
}

/// Once a capture is read to its end: which streams run graphs. Rows are shown without it until then.
void TimelineScene::findModels() {
    std::erase_if(m_models, [](const auto& known) { return known.second.trace.expired(); });
    std::vector<RankEntry> unknown;
    for (const SceneCapture& capture : m_captures) {
        for (const RankEntry& rank : capture.store->ranks) {
            if (capture.store->sealed && rank.trace != nullptr && rank.arguments != nullptr &&
                !m_models.contains(rank.trace.get()))
                unknown.push_back(rank);
        }
    }
    if (unknown.empty()) return m_modelSlot.cancel();
    using Found = std::vector<KnownModels>;
    m_modelSlot.start(
        [unknown = std::move(unknown)](const CancelToken& cancel) {
            Found found(unknown.size());
            parallelFor(unknown.size(), [&](std::size_t r) {
                found[r] = {unknown[r].trace, std::make_shared<const StreamModels>(streamModels(unknown[r], cancel))};
            });
            return cancel.cancelled() ? Found() : found;
        },
        [this](const Found& found) {
            bool isNews = false;
            for (const KnownModels& known : found) {
                const auto trace = known.trace.lock();
                if (trace == nullptr) continue;
                m_models[trace.get()] = known;
                isNews = isNews || !known.models->empty();
            }
            // Else the rows come with their colours, and what is known by then.
            if (isNews && !m_colourSlot.busy()) apply(m_captures);
            emit becameIdle();
        });
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
    if (sameRanks) emit timesChanged();
    else rowsHaveChanged(std::nullopt);
    if (isOnlyRedrawn || !m_times || m_times->empty() || m_times == before || m_window.empty()) return;
    change([this](ViewWindow& window) {
        window.show({m_times->front().begin, m_times->back().end}, HistoryMark::NewStep);
    });
}

void TimelineScene::setFilter(const TrackFilter& filter) {
    if (filter == m_model.filter()) return;
    // Not each letter of a text is a step of its own.
    const bool isStep = filter.hidden != m_model.filter().hidden || filter.hiddenKinds != m_model.filter().hiddenKinds;
    if (isStep) remember(arranged(false));
    auto top = topRow();
    if (top) top->offset = 0;
    m_model.setFilter(filter);
    rowsHaveChanged(top);
}

void TimelineScene::updateTimes() {
    m_times.reset();
    for (const TimelineSource& source : m_model.sources()) {
        ContextFilter context = m_model.context().forCapture(source.capture);
        // Steps are drawn with their ranks, whether or not a range was marked on this capture's clock.
        context.rangeShifts = drawnShifts(source);
        const auto times = timesOf(context, *source.store);
        if (!times) continue;
        if (!m_times) m_times.emplace();
        for (const TimeRange& range : *times) m_times->push_back(shifted(range, source.shift));
    }
    if (m_times) m_times = unionOf(*std::move(m_times), {});
}

/// Captures that stay may have a new place on the axis; the window goes with the first of them.
void TimelineScene::followShift(const std::vector<SceneCapture>& captures, const std::vector<CaptureExtent>& extents,
                                const std::vector<DurationNs>& shifts) {
    std::map<std::uint32_t, Placed> placed;
    std::optional<DurationNs> by;
    for (std::size_t i = 0; i < captures.size(); ++i) {
        if (!extents[i].all) continue;
        placed[captures[i].capture] = {shifts[i], *extents[i].all};
        const auto before = m_placed.find(captures[i].capture);
        if (!by && before != m_placed.end()) by = DurationNs{shifts[i].value - before->second.shift.value};
    }
    m_placed = std::move(placed);
    if (by && !m_window.empty()) m_window.shiftAxis(*by);
}

/// The first row in sight that is not pinned, and how much of it is above.
std::optional<TimelineScene::TopRow> TimelineScene::topRow() const {
    if (m_model.rows().size() <= m_model.pinnedRows()) return std::nullopt;
    const std::int64_t at = m_model.pinnedHeight() + m_scrollTop;
    const TimelineRow& row = m_model.rows()[m_model.rowAt(at)];
    return TopRow{m_model.keyOf(row), at - row.top};
}

void TimelineScene::keepInPlace(const std::optional<TopRow>& top) {
    if (!top) return;
    for (std::size_t i = m_model.pinnedRows(); i < m_model.rows().size(); ++i) {
        const TimelineRow& row = m_model.rows()[i];
        if (m_model.keyOf(row) != top->key) continue;
        m_scrollTop = row.top - m_model.pinnedHeight() + top->offset;
        return;
    }
}

void TimelineScene::rowsHaveChanged(const std::optional<TopRow>& top) {
    keepInPlace(top);
    setPinnedTop(m_pinnedTop);
    setScrollTop(m_scrollTop);
    sampleMissing();
    emit rowsChanged();
}

/// What is merged by the arrangement and was not yet, in the stores that are shown.
void TimelineScene::mergeMissing() {
    auto missing = m_model.toMerge();
    if (missing.empty()) return m_mergeSlot.cancel();
    using Merged = std::vector<std::shared_ptr<const MergedTracks>>;
    m_mergeSlot.start(
        [missing = std::move(missing)](const CancelToken& cancel) {
            Merged merged(missing.size());
            parallelFor(missing.size(),
                        [&](std::size_t i) { merged[i] = mergeTracks(missing[i].trace, missing[i].tracks, cancel); });
            std::erase(merged, nullptr);
            return merged;
        },
        [this](const Merged& merged) {
            const auto top = topRow();
            m_model.addMerged(merged);
            rowsHaveChanged(top);
            emit becameIdle();
        });
}

/// Curves of memory that are to be shown and were not yet.
void TimelineScene::sampleMissing() {
    auto missing = m_model.toSample();
    if (missing == m_sampled) return;
    m_sampled = missing;
    if (missing.empty()) return m_sampleSlot.cancel();
    using Memory = std::vector<std::pair<TimelineModel::ToSample, std::shared_ptr<const TraceStore>>>;
    m_sampleSlot.start(
        [missing = std::move(missing)](const CancelToken& cancel) {
            Memory memory;
            for (const auto& requested : missing) memory.emplace_back(requested, memoryTracks(requested.rows, cancel));
            return memory;
        },
        [this](const Memory& memory) {
            const auto top = topRow();
            m_model.addMemory(memory);
            ColourMap colours;
            for (const auto& trace : m_model.memoryTraces())
                colours[trace.get()] = std::make_shared<const SliceColours>(trace);
            m_memoryColours = std::move(colours);
            rowsHaveChanged(top);
            emit becameIdle();
        });
}

TimelineScene::Arranged TimelineScene::arranged(bool withExpansion) const {
    return {m_model.arrangement(), m_model.filter(), withExpansion ? std::optional(m_model.expansion()) : std::nullopt};
}

void TimelineScene::remember(Arranged before) {
    m_arrangedBefore.push_back(std::move(before));
    if (m_arrangedBefore.size() > kMostArranged) m_arrangedBefore.erase(m_arrangedBefore.begin());
    m_arrangedAfter.clear();
}

void TimelineScene::arrange(TrackArrangement arrangement, HistoryMark mark) {
    if (arrangement == m_model.arrangement()) return;
    if (mark == HistoryMark::NewStep || m_arrangedBefore.empty()) remember(arranged(false));
    const auto top = topRow();
    m_model.setArrangement(std::move(arrangement));
    mergeMissing();
    rowsHaveChanged(top);
}

void TimelineScene::arrange(TrackArrangement arrangement, const TrackFilter& filter, TimelineModel::Expansion expansion,
                            HistoryMark mark) {
    if (mark == HistoryMark::NewStep) remember(arranged(true));
    const auto top = topRow();
    m_model.setFilter(filter);
    m_model.setExpansion(std::move(expansion));
    m_model.setArrangement(std::move(arrangement));
    mergeMissing();
    rowsHaveChanged(top);
}

void TimelineScene::restore(std::vector<Arranged>& from, std::vector<Arranged>& to) {
    if (from.empty()) return;
    Arranged target = std::move(from.back());
    from.pop_back();
    to.push_back(arranged(target.expansion.has_value()));
    const auto top = topRow();
    m_model.setFilter(target.filter);
    if (target.expansion) m_model.setExpansion(*std::move(target.expansion));
    m_model.setArrangement(std::move(target.arrangement));
    mergeMissing();
    rowsHaveChanged(top);
}

void TimelineScene::undoArrangement() { restore(m_arrangedBefore, m_arrangedAfter); }

void TimelineScene::redoArrangement() { restore(m_arrangedAfter, m_arrangedBefore); }

void TimelineScene::setMarks(std::vector<ShownMark> marks) {
    m_marks = std::move(marks);
    emit marksChanged();
}

void TimelineScene::setKeys(std::vector<TimelineKey> keys) {
    m_keys = std::move(keys);
    emit keysChanged();
}

void TimelineScene::setProgress(std::map<std::uint32_t, double> progress) {
    if (progress == m_progress) return;
    m_progress = std::move(progress);
    emit progressChanged();
}

std::shared_ptr<const SliceColours> TimelineScene::coloursOf(const TimelineRow& row) const {
    const ColourMap& colours = row.memory ? m_memoryColours : m_colours;
    const auto known = colours.find(m_model.traceOf(row));
    return known == colours.end() ? nullptr : known->second;
}

void TimelineScene::setMetrics(const RowMetrics& metrics) {
    m_model.setMetrics(metrics);
    rowsHaveChanged(std::nullopt);
}

void TimelineScene::setExpanded(std::size_t row, bool expanded) {
    m_model.setExpanded(row, expanded);
    rowsHaveChanged(std::nullopt);
}

void TimelineScene::setAllExpanded(bool expanded) {
    auto top = topRow();
    if (top) top->offset = 0;
    m_model.setAllExpanded(expanded);
    rowsHaveChanged(top);
}

void TimelineScene::expandTo(std::uint32_t source, std::uint32_t rank, TrackIndex track) {
    if (m_model.expandTo(source, rank, track)) emit rowsChanged();
}

void TimelineScene::showRank(std::uint32_t source, std::uint32_t rank) {
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
    setScrollTop(row->top - m_model.pinnedHeight());
}

std::int64_t TimelineScene::maxScrollTop() const {
    return std::max<std::int64_t>(m_model.height() - m_model.pinnedHeight() - (m_viewportHeight - pinnedView()), 0);
}

int TimelineScene::pinnedView() const {
    return static_cast<int>(std::min<std::int64_t>(m_model.pinnedHeight(), m_viewportHeight / 2));
}

void TimelineScene::setPinnedTop(std::int64_t top) {
    const std::int64_t next = std::clamp<std::int64_t>(top, 0, m_model.pinnedHeight() - pinnedView());
    if (next == m_pinnedTop) return;
    m_pinnedTop = next;
    emit scrolled();
}

void TimelineScene::scrollBy(std::int64_t pixels, int y) {
    if (y < pinnedView() && m_model.pinnedHeight() > pinnedView()) setPinnedTop(m_pinnedTop + pixels);
    else setScrollTop(m_scrollTop + pixels);
}

std::vector<std::size_t> TimelineScene::rowsInSight(int height) const {
    std::vector<std::size_t> rows;
    const auto add = [&](std::size_t first, std::size_t behind) {
        for (; first < behind; ++first) rows.push_back(first);
    };
    const int pinned = pinnedView();
    if (pinned > 0)
        add(m_model.rowAt(m_pinnedTop), std::min(m_model.rowAt(m_pinnedTop + pinned - 1) + 1, m_model.pinnedRows()));
    if (m_model.rows().size() == m_model.pinnedRows()) return rows;
    const std::int64_t top = m_model.pinnedHeight() + m_scrollTop;
    add(std::max(m_model.rowAt(top), m_model.pinnedRows()), m_model.rowAt(top + std::max(height - pinned, 0)) + 1);
    return rows;
}

void TimelineScene::bringIntoSight(const TimelineRow& row, std::int64_t top, int height) {
    const auto [first, behind] = partOf(row);
    const std::int64_t y = yOf(row, top);
    if (y >= first && y + height <= behind) return;
    const std::int64_t to = top - (behind - first) / 2 + height;
    if (row.pinned) setPinnedTop(to);
    else setScrollTop(to - m_model.pinnedHeight());
}

void TimelineScene::setScrollTop(std::int64_t top) {
    const std::int64_t next = std::clamp<std::int64_t>(top, 0, maxScrollTop());
    if (next == m_scrollTop) return;
    m_scrollTop = next;
    emit scrolled();
}

void TimelineScene::setViewportHeight(int height) {
    m_viewportHeight = height;
    setPinnedTop(m_pinnedTop);
    setScrollTop(m_scrollTop);
}

}  // namespace altiscope
