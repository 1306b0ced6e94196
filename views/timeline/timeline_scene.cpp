#include "views/timeline/timeline_scene.h"

#include "core/analysis/interval_set.h"
#include "views/common/time_axis.h"

#include <algorithm>

namespace altiscope {

namespace {

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

} // namespace

TimelineScene::TimelineScene(JobRunner& jobs, QObject* parent) : QObject(parent), m_jobs(jobs), m_colourSlot(jobs), m_recolourSlot(jobs) {}

void TimelineScene::setCaptures(std::vector<SceneCapture> captures) {
    m_captures = captures;
    RanksOfTraces unknown = tracesOf(captures);
    std::erase_if(unknown, [this](const auto& trace) { return m_colours.contains(trace.first.get()); });
    if (unknown.empty()) {
        m_colourSlot.cancel();
        apply(captures);
        return;
    }
    m_colourSlot.start([unknown = std::move(unknown), by = m_colourBy](const CancelToken& cancel) { return colourAll(unknown, by, cancel); },
                       [this, captures = std::move(captures)](const NewColours& made) {
                           for (const auto& colours : made) m_colours[colours->trace().get()] = colours;
                           apply(captures);
                           // What was made for the colouring before, while it changed.
                           if (std::any_of(made.begin(), made.end(), [this](const auto& colours) { return colours->by() != m_colourBy; })) recolour();
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
    m_recolourSlot.start([traces = tracesOf(m_captures), by = m_colourBy](const CancelToken& cancel) { return colourAll(traces, by, cancel); },
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
        extents.push_back(extentOf(*capture.store, capture.origin, capture.clocks.get()));
        // What is read again comes back to what it was: until then nobody's window is taken away.
        const auto before = m_placed.find(capture.capture);
        if (before != m_placed.end() && !capture.store->sealed && extents.back().all) {
            extents.back().all = united(*extents.back().all, before->second.all);
        }
        runs.push_back(extents.back().axis);
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
        sources.push_back({captures[i].capture, captures[i].store, shifts[i], captures[i].clocks});
        if (!extents[i].run) continue;
        const TimeRange run = shifted(*extents[i].run, shifts[i]), all = shifted(*extents[i].all, shifts[i]);
        whole.run = whole.run ? united(*whole.run, run) : run;
        const TimeRange axis = shifted(*extents[i].axis, shifts[i]);
        whole.all = whole.all ? united(*whole.all, all) : all;
        whole.axis = whole.axis ? united(*whole.axis, axis) : axis;
    }

    // What is at the top of the view stays there while rows come and go above it.
    std::optional<RowKey> topRow;
    std::int64_t offset = 0;
    if (!m_model.rows().empty() && m_scrollTop > 0) {
        const TimelineRow& row = m_model.rows()[m_model.rowAt(m_scrollTop)];
        topRow = m_model.keyOf(row);
        offset = m_scrollTop - row.top;
    }
    m_model.setSources(std::move(sources));
    if (topRow) keepInPlace(*topRow, offset);
    if (whole.run) {
        m_origin = whole.axis->begin;
        m_window.setExtent(*whole.run, *whole.all);
    } else {
        m_origin = {};
        m_window.reset();
    }
    updateTimes();
    setScrollTop(m_scrollTop);
    emit rowsChanged();
}

void TimelineScene::setContext(const ContextFilter& context) {
    if (context == m_model.context()) return;
    const bool sameRanks = context.ranks == m_model.context().ranks && context.devices == m_model.context().devices;
    m_model.setContext(context);
    const auto before = m_times;
    updateTimes();
    setScrollTop(m_scrollTop);
    if (sameRanks) emit timesChanged();
    else emit rowsChanged();
    if (!m_times || m_times->empty() || m_times == before || m_window.empty()) return;
    change([this](ViewWindow& window) { window.show({m_times->front().begin, m_times->back().end}, HistoryMark::NewStep); });
}

void TimelineScene::setFilter(const TrackFilter& filter) {
    if (filter == m_model.filter()) return;
    std::optional<RowKey> topRow;
    if (!m_model.rows().empty()) topRow = m_model.keyOf(m_model.rows()[m_model.rowAt(m_scrollTop)]);
    m_model.setFilter(filter);
    if (topRow) keepInPlace(*topRow, 0);
    setScrollTop(m_scrollTop);
    emit rowsChanged();
}

void TimelineScene::updateTimes() {
    m_times.reset();
    for (const TimelineSource& source : m_model.sources()) {
        const auto times = timesOf(m_model.context().forCapture(source.capture), *source.store);
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

void TimelineScene::keepInPlace(const RowKey& key, std::int64_t offset) {
    for (const TimelineRow& row : m_model.rows()) {
        if (m_model.keyOf(row) != key) continue;
        m_scrollTop = row.top + offset;
        return;
    }
}

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
    const auto known = m_colours.find(m_model.traceOf(row));
    return known == m_colours.end() ? nullptr : known->second;
}

void TimelineScene::setMetrics(const RowMetrics& metrics) {
    m_model.setMetrics(metrics);
    setScrollTop(m_scrollTop);
    emit rowsChanged();
}

void TimelineScene::setExpanded(std::size_t row, bool expanded) {
    m_model.setExpanded(row, expanded);
    setScrollTop(m_scrollTop);
    emit rowsChanged();
}

void TimelineScene::setAllExpanded(bool expanded) {
    std::optional<RowKey> topRow;
    if (!m_model.rows().empty()) topRow = m_model.keyOf(m_model.rows()[m_model.rowAt(m_scrollTop)]);
    m_model.setAllExpanded(expanded);
    if (topRow) keepInPlace(*topRow, 0);
    setScrollTop(m_scrollTop);
    emit rowsChanged();
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
    setScrollTop(row->top);
}

std::int64_t TimelineScene::maxScrollTop() const { return std::max<std::int64_t>(m_model.height() - m_viewportHeight, 0); }

void TimelineScene::setScrollTop(std::int64_t top) {
    const std::int64_t next = std::clamp<std::int64_t>(top, 0, maxScrollTop());
    if (next == m_scrollTop) return;
    m_scrollTop = next;
    emit scrolled();
}

void TimelineScene::setViewportHeight(int height) {
    m_viewportHeight = height;
    setScrollTop(m_scrollTop);
}

} // namespace altiscope
