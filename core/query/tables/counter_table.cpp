#include "core/query/tables/counter_table.h"

#include "core/query/functions/sqlite_values.h"

namespace altiscope {

namespace {

struct CounterTableColumn {
    enum : int { Track, Rank, Name, Series, Ts, Value };
};

constexpr TimedColumns kCounterTimedColumns{.track = CounterTableColumn::Track,
                                            .rank = CounterTableColumn::Rank,
                                            .name = CounterTableColumn::Name,
                                            .ts = CounterTableColumn::Ts};
constexpr Lookup kCounterLookups[] = {Lookup::Id, Lookup::Id, Lookup::Text, Lookup::None, Lookup::Time, Lookup::None};

double samplesOfTrack(const TraceStore& store, std::uint32_t track) {
    const TrackExtent& extent = store.extent({track});
    std::uint64_t samples = 0;
    for (const CounterSeries& series : store.series().subspan(extent.firstSeries, extent.seriesCount))
        samples += series.count;
    return static_cast<double>(samples);
}

}  // namespace

std::span<const Lookup> CounterTable::lookups() const { return kCounterLookups; }

void CounterTable::plan(IndexRequest& request) const {
    const CaptureIndex& index = m_context.index;
    TimedStatistics statistics;
    statistics.ranks = index.rankCount();
    statistics.tracks = static_cast<double>(index.tracks().size());
    statistics.range = index.range();
    for (RankIndex r; r.value < index.rankCount(); ++r.value) {
        const TraceStore* store = index.trace(r);
        if (store == nullptr) continue;
        statistics.rows += static_cast<double>(store->columns().sampleTime.size());
        statistics.runs += static_cast<double>(store->series().size());
    }
    statistics.rowsOfTrack = [&index](std::int64_t id) {
        const TrackPlace* place = index.findTrack(id);
        return place == nullptr ? 0.0 : samplesOfTrack(*index.trace(place->rank), place->track);
    };
    planTimed(request, kCounterTimedColumns, statistics);
}

int CounterTable::Cursor::filter(int mode, const Conditions& conditions) {
    const TimedPlan plan = TimedPlan::decoded(mode);
    std::vector<RunPart> parts;
    const TextFilter& names = conditions.text();
    if (!conditions.impossible())
        parts =
            collectParts(m_context.index,
                         {conditions.integers(CounterTableColumn::Rank), conditions.integers(CounterTableColumn::Track),
                          conditions.integers(CounterTableColumn::Ts)},
                         plan.buckets, [&names](const TraceStore& store, TrackIndex track, std::vector<RunPart>& of) {
                             // A counter's name is its track's, so a condition on it chooses tracks.
                             if (!names.matches(store.track(track).name)) return;
                             const TrackExtent& extent = store.extent(track);
                             for (std::uint32_t i = 0; i < extent.seriesCount; ++i) {
                                 const CounterSeries& series = store.series()[extent.firstSeries + i];
                                 of.push_back({.times = store.columns().sampleTime.span().data(),
                                               .first = series.first,
                                               .last = series.first + series.count,
                                               .run = extent.firstSeries + i});
                             }
                         });
    m_walk.start(std::move(parts), plan.order);
    return SQLITE_OK;
}

std::int64_t CounterTable::Cursor::rowid() const {
    // A sample has no position of its own: one record may give several.
    constexpr unsigned kSampleBits = 44;
    return static_cast<std::int64_t>(std::uint64_t{m_walk.part().rank.value} << kSampleBits | m_walk.row());
}

void CounterTable::Cursor::column(sqlite3_context* context, int column) const {
    const RunPart& part = m_walk.part();
    const TraceColumns& columns = store().columns();
    switch (column) {
    case CounterTableColumn::Track: return resultInteger(context, columns.tracks[part.track].id.value);
    case CounterTableColumn::Rank: return resultInteger(context, m_context.index.rankId(part.rank));
    case CounterTableColumn::Name: return resultText(context, columns.tracks[part.track].name);
    case CounterTableColumn::Series: return resultText(context, columns.texts.text(columns.series[part.run].name));
    case CounterTableColumn::Ts: return resultInteger(context, columns.sampleTime[m_walk.row()]);
    case CounterTableColumn::Value: return sqlite3_result_double(context, columns.sampleValue[m_walk.row()]);
    default: return;
    }
}

}  // namespace altiscope
