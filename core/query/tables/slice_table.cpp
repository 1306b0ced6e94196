#include "core/query/tables/slice_table.h"

#include "core/query/functions/sqlite_values.h"
#include "core/query/lookup/children.h"
#include "core/query/tables/row_arguments.h"

#include <algorithm>

namespace altiscope {

namespace {

struct SliceColumn {
    enum : int { Id, Track, Rank, Name, Category, Ts, Dur, Depth, SelfDur, Parent, Args };
};

constexpr TimedColumns kSliceTimedColumns{
    .id = SliceColumn::Id,
    .track = SliceColumn::Track,
    .rank = SliceColumn::Rank,
    .name = SliceColumn::Name,
    .ts = SliceColumn::Ts,
    .depth = SliceColumn::Depth,
    .parent = SliceColumn::Parent,
};

constexpr Lookup kSliceLookups[] = {Lookup::Id,   Lookup::Id,   Lookup::Id,   Lookup::Text, Lookup::None,  Lookup::Time,
                                    Lookup::None, Lookup::None, Lookup::None, Lookup::Id,   Lookup::Source};

/// Number of slices that a condition on names leaves, from the ready-made statistics.
double slicesOfNames(const CaptureIndex& index, const TextFilter& filter) {
    std::uint64_t rows = 0;
    for (RankIndex r; r.value < index.rankCount(); ++r.value) {
        const TraceStore* store = index.trace(r);
        if (store == nullptr) continue;
        const std::vector<StringId> ids = filter.matchingIds(store->texts());
        if (ids.empty()) continue;
        for (const NameStat& stat : store->columns().nameStats)
            if (std::binary_search(ids.begin(), ids.end(), stat.name)) rows += stat.count;
    }
    return static_cast<double>(rows);
}

}  // namespace

std::span<const Lookup> SliceTable::lookups() const { return kSliceLookups; }

void SliceTable::plan(IndexRequest& request) const {
    const CaptureIndex& index = m_context.index;
    TimedStatistics statistics;
    statistics.rows = static_cast<double>(index.sliceCount());
    statistics.ranks = index.rankCount();
    statistics.tracks = static_cast<double>(index.tracks().size());
    statistics.range = index.range();
    statistics.byName = true;
    statistics.namesReady = index.namesReady();
    for (RankIndex r; r.value < index.rankCount(); ++r.value)
        statistics.sourceBytes += static_cast<double>(index.rank(r).info.traceBytes);
    for (RankIndex r; r.value < index.rankCount(); ++r.value)
        if (const TraceStore* store = index.trace(r)) statistics.runs += static_cast<double>(store->runs().size());
    statistics.rowsOfTrack = [&index](std::int64_t id) {
        const TrackPlace* place = index.findTrack(id);
        return place == nullptr ? 0.0 : index.trace(place->rank)->extent({place->track}).sliceCount;
    };
    statistics.rowsOfNames = [&index](const TextFilter& filter) { return slicesOfNames(index, filter); };
    planTimed(request, kSliceTimedColumns, statistics);
}

std::shared_ptr<const SliceTable::SourceMatches> SliceTable::sourceMatches(const SourceFilter& filter) const {
    std::shared_ptr<const SourceMatches>& kept = m_sourceMatches[filter.key()];
    if (kept) return kept;
    SourceMatches matches(m_context.index.rankCount());
    const bool isSearchable = !holdsRepairedTexts(m_context.index.capture());
    for (RankIndex r; r.value < m_context.index.rankCount(); ++r.value) {
        if (m_context.index.trace(r) == nullptr) continue;
        auto matching =
            matchingSlices(m_context.index.rank(r), filter, isSearchable, m_context.diagnostics, m_context.cancel);
        if (!matching.ok()) return nullptr;
        matches[r.value] = std::move(matching).value();
    }
    return kept = std::make_shared<const SourceMatches>(std::move(matches));
}

SliceTable::Cursor::Cursor(const SliceTable& table)
    : m_table(table), m_context(table.context()), m_poll(table.context().cancel) {}

int SliceTable::Cursor::filter(int mode, const Conditions& conditions) {
    m_atEnd = true;
    m_rank = kNoRank;
    if (conditions.impossible()) return SQLITE_OK;
    m_plan = TimedPlan::decoded(mode);
    m_selection = {conditions.integers(kSliceTimedColumns.rank), conditions.integers(kSliceTimedColumns.track),
                   conditions.integers(kSliceTimedColumns.ts)};
    m_text = conditions.text();
    m_inSource = nullptr;
    if (!conditions.source().empty()) {
        m_inSource = m_table.sourceMatches(conditions.source());
        if (m_inSource == nullptr) return SQLITE_INTERRUPT;
    }
    switch (m_plan.path) {
    case TimedPlan::Path::Runs: return startRuns();
    case TimedPlan::Path::Names: return startNames();
    case TimedPlan::Path::Id: return startIds(conditions);
    case TimedPlan::Path::Parent: return startChildren(conditions);
    }
    return SQLITE_OK;
}

int SliceTable::Cursor::lookUp(std::optional<std::int64_t> id) {
    m_plan.path = TimedPlan::Path::Id;
    m_filtered = false;
    m_nextId = 0;
    m_ids.clear();
    if (id) {
        if (const auto place = m_context.index.findSlice(*id)) m_ids.push_back(*place);
    }
    return settle();
}

int SliceTable::Cursor::startRuns() {
    m_filtered = !m_text.all() || m_inSource != nullptr;
    m_runs.start(collectParts(m_context.index, m_selection, m_plan.buckets,
                              [](const TraceStore& store, TrackIndex track, std::vector<RunPart>& parts) {
                                  const std::int64_t* times = store.columns().begin.span().data();
                                  const auto first = static_cast<std::uint32_t>(store.extent(track).firstRun);
                                  std::uint32_t number = first;
                                  for (const DepthRun& run : store.runs(track))
                                      parts.push_back({.times = times,
                                                       .first = run.first,
                                                       .last = std::uint64_t{run.first} + run.count,
                                                       .run = number++});
                              }),
                 m_plan.order);
    m_isPlain = !m_filtered && m_plan.order == RunOrder::AsListed;
    return settle();
}

int SliceTable::Cursor::startNames() {
    m_filtered = !m_selection.tracks.all() || !m_selection.times.all() || m_inSource != nullptr;
    const CaptureIndex& index = m_context.index;
    std::vector<RankNames> ranks;
    for (RankIndex r; r.value < index.rankCount(); ++r.value) {
        const TraceStore* store = index.trace(r);
        if (store == nullptr || !rankMatches(m_selection.ranks, index.rankId(r))) continue;
        RankNames names{.rank = r,
                        .group = m_plan.rankFirst ? index.rankGroup(r) : 0,
                        .pool = &store->texts(),
                        .index = index.nameIndex(r, m_context.cancel),
                        .ids = std::nullopt};
        if (names.index == nullptr) return SQLITE_INTERRUPT;
        if (!m_text.all()) names.ids = m_text.matchingIds(store->texts());
        ranks.push_back(std::move(names));
    }
    m_names.start(std::move(ranks));
    return settle();
}

/// A condition on ids is the only one that a plan by ids takes over.
int SliceTable::Cursor::startIds(const Conditions& conditions) {
    m_filtered = false;
    IntegerSet ids = conditions.integers(SliceColumn::Id);
    IntegerSet rowids = conditions.integers(-1);
    m_ids.clear();
    m_nextId = 0;
    for (const std::int64_t id : ids.all() ? *rowids.values() : *ids.values())
        if (const auto place = m_context.index.findSlice(id)) m_ids.push_back(*place);
    return settle();
}

/// A condition on parents is the only one that a plan by them takes over.
int SliceTable::Cursor::startChildren(const Conditions& conditions) {
    m_filtered = false;
    m_ids.clear();
    m_nextId = 0;
    m_plan.path = TimedPlan::Path::Id;
    IntegerSet parents = conditions.integers(SliceColumn::Parent);
    for (const std::int64_t id : *parents.values()) {
        const auto place = m_context.index.findSlice(id);
        if (!place) continue;
        const bool isDone = eachChild(*m_context.index.trace(place->rank), {place->slice}, [&](SliceIndex child) {
            m_ids.push_back({place->rank, child.value});
            return !m_poll.stop();
        });
        if (!isDone) return SQLITE_INTERRUPT;
    }
    return settle();
}

void SliceTable::Cursor::openRank(RankIndex rank) {
    m_rank = rank;
    m_store = m_context.index.trace(rank);
    m_run = 0;
    m_nameMatches.clear();
    if (m_text.all() || m_plan.path != TimedPlan::Path::Runs) return;
    m_nameMatches.resize(m_store->texts().size());
    for (const StringId id : m_text.matchingIds(m_store->texts())) m_nameMatches[id.value] = true;
}

void SliceTable::Cursor::show(RankIndex rank, std::uint32_t slice) {
    if (rank != m_rank) openRank(rank);
    m_slice = m_plainLast = slice;
}

/// Shows the row that the walk stands on, or the next one that satisfies the remaining conditions.
int SliceTable::Cursor::settle() {
    for (;;) {
        switch (m_plan.path) {
        case TimedPlan::Path::Runs:
            m_atEnd = m_runs.atEnd();
            if (m_atEnd) return SQLITE_OK;
            show(m_runs.part().rank, static_cast<std::uint32_t>(m_runs.row()));
            m_run = m_runs.part().run;
            if (m_isPlain) m_plainLast = static_cast<std::uint32_t>(m_runs.part().last - 1);
            break;
        case TimedPlan::Path::Names:
            m_atEnd = m_names.atEnd();
            if (m_atEnd) return SQLITE_OK;
            show(m_names.rank(), m_names.slice());
            break;
        case TimedPlan::Path::Id:
        case TimedPlan::Path::Parent:
            m_atEnd = m_nextId == m_ids.size();
            if (m_atEnd) return SQLITE_OK;
            show(m_ids[m_nextId].rank, m_ids[m_nextId].slice);
            break;
        }
        if (!m_filtered || passes()) return SQLITE_OK;
        if (m_poll.stop()) return SQLITE_INTERRUPT;
        switch (m_plan.path) {
        case TimedPlan::Path::Runs: m_runs.next(); break;
        case TimedPlan::Path::Names: m_names.next(); break;
        case TimedPlan::Path::Id:
        case TimedPlan::Path::Parent: ++m_nextId; break;
        }
    }
}

int SliceTable::Cursor::advance() {
    switch (m_plan.path) {
    case TimedPlan::Path::Runs: m_isPlain ? m_runs.nextPart() : m_runs.next(); break;
    case TimedPlan::Path::Names: m_plan.oneOfEach ? m_names.skipName() : m_names.next(); break;
    case TimedPlan::Path::Id:
    case TimedPlan::Path::Parent: ++m_nextId; break;
    }
    return settle();
}

bool SliceTable::Cursor::passes() const {
    const SliceIndex slice{m_slice};
    if (!m_nameMatches.empty() && !m_nameMatches[m_store->nameId(slice).value]) return false;
    if (m_inSource != nullptr && (*m_inSource)[m_rank.value][m_slice] == 0) return false;
    if (m_plan.path != TimedPlan::Path::Names) return true;
    if (!m_selection.times.contains(m_store->begin(slice).value)) return false;
    return m_selection.tracks.all() || m_selection.tracks.contains(m_store->track({run().track}).id.value);
}

const DepthRun& SliceTable::Cursor::run() const {
    const std::span<const DepthRun> runs = m_store->runs();
    // Neighbours are often read one after the other, so the last run is tried first.
    const DepthRun& last = runs[m_run];
    if (m_slice >= last.first && m_slice - last.first < last.count) return last;
    const DepthRun& found = m_store->runOf({m_slice});
    m_run = static_cast<std::uint32_t>(&found - runs.data());
    return found;
}

void SliceTable::Cursor::column(sqlite3_context* context, int column) const {
    const SliceIndex slice{m_slice};
    switch (column) {
    case SliceColumn::Id: return resultInteger(context, m_store->id(slice).value);
    case SliceColumn::Track: return resultInteger(context, m_store->track({run().track}).id.value);
    case SliceColumn::Rank: return resultInteger(context, m_context.index.rankId(m_rank));
    case SliceColumn::Name:
        // The walk by names knows it, where the column would be read at a far place for each row.
        return resultText(context, m_plan.path == TimedPlan::Path::Names ? m_names.name() : m_store->name(slice));
    case SliceColumn::Category: return resultTextOrNull(context, m_store->category(slice));
    case SliceColumn::Ts: return resultInteger(context, m_store->begin(slice).value);
    case SliceColumn::Dur: return resultInteger(context, m_store->duration(slice).value);
    case SliceColumn::Depth: return resultInteger(context, run().depth);
    case SliceColumn::SelfDur: return resultInteger(context, m_store->selfDuration(slice).value);
    case SliceColumn::Parent:
        if (m_store->parent(slice) != kNoSlice) resultInteger(context, m_store->id(m_store->parent(slice)).value);
        return;
    case SliceColumn::Args: return resultArguments(context, m_context, m_rank, m_store->pos(slice));
    default: return;
    }
}

}  // namespace altiscope
