#include "core/query/tables/instant_table.h"

#include "core/query/functions/sqlite_values.h"
#include "core/query/tables/row_arguments.h"

namespace altiscope {

namespace {

struct InstantColumn {
    enum : int { Track, Rank, Name, Ts, Args };
};

constexpr TimedColumns kInstantTimedColumns{
    .track = InstantColumn::Track, .rank = InstantColumn::Rank, .name = InstantColumn::Name, .ts = InstantColumn::Ts};
constexpr Lookup kInstantLookups[] = {Lookup::Id, Lookup::Id, Lookup::Text, Lookup::Time, Lookup::None};

}  // namespace

std::span<const Lookup> InstantTable::lookups() const { return kInstantLookups; }

void InstantTable::plan(IndexRequest& request) const {
    const CaptureIndex& index = m_context.index;
    TimedStatistics statistics;
    statistics.ranks = index.rankCount();
    statistics.tracks = static_cast<double>(index.tracks().size());
    statistics.runs = statistics.tracks;
    statistics.range = index.range();
    for (RankIndex r; r.value < index.rankCount(); ++r.value)
        if (const TraceStore* store = index.trace(r))
            statistics.rows += static_cast<double>(store->columns().instantTime.size());
    statistics.rowsOfTrack = [&index](std::int64_t id) {
        const TrackPlace* place = index.findTrack(id);
        return place == nullptr ? 0.0
                                : static_cast<double>(index.trace(place->rank)->extent({place->track}).instantCount);
    };
    planTimed(request, kInstantTimedColumns, statistics);
}

InstantTable::Cursor::Cursor(const InstantTable& table) : m_context(table.context()), m_poll(table.context().cancel) {}

int InstantTable::Cursor::filter(int mode, const Conditions& conditions) {
    const TimedPlan plan = TimedPlan::decoded(mode);
    m_text = conditions.text();
    std::vector<RunPart> parts;
    if (!conditions.impossible())
        parts = collectParts(m_context.index,
                             {conditions.integers(InstantColumn::Rank), conditions.integers(InstantColumn::Track),
                              conditions.integers(InstantColumn::Ts)},
                             plan.buckets, [](const TraceStore& store, TrackIndex track, std::vector<RunPart>& of) {
                                 const TrackExtent& extent = store.extent(track);
                                 of.push_back({.times = store.columns().instantTime.span().data(),
                                               .first = extent.firstInstant,
                                               .last = extent.firstInstant + extent.instantCount});
                             });
    m_walk.start(std::move(parts), plan.order);
    return settle();
}

int InstantTable::Cursor::settle() {
    while (!m_text.all() && !atEnd() && !m_text.matches(store().text(store().columns().instantName[m_walk.row()]))) {
        if (m_poll.stop()) return SQLITE_INTERRUPT;
        m_walk.next();
    }
    return SQLITE_OK;
}

int InstantTable::Cursor::next() {
    m_walk.next();
    return settle();
}

std::int64_t InstantTable::Cursor::rowid() const {
    return static_cast<std::int64_t>(store().columns().instantPos[m_walk.row()].packed);
}

void InstantTable::Cursor::column(sqlite3_context* context, int column) const {
    const RunPart& part = m_walk.part();
    const TraceColumns& columns = store().columns();
    switch (column) {
    case InstantColumn::Track: return resultInteger(context, columns.tracks[part.track].id.value);
    case InstantColumn::Rank: return resultInteger(context, m_context.index.rankId(part.rank));
    case InstantColumn::Name: return resultText(context, columns.texts.text(columns.instantName[m_walk.row()]));
    case InstantColumn::Ts: return resultInteger(context, columns.instantTime[m_walk.row()]);
    case InstantColumn::Args: return resultArguments(context, m_context, part.rank, columns.instantPos[m_walk.row()]);
    default: return;
    }
}

}  // namespace altiscope
