#include "core/query/tables/name_stat_table.h"

#include "core/query/functions/sqlite_values.h"
#include "core/query/lookup/run_parts.h"

#include <algorithm>

namespace altiscope {

namespace {

struct NameStatColumn {
    enum : int { Rank, Track, Name, Count, Total, SelfTotal, Min, Max };
};

constexpr Lookup kNameStatLookups[] = {Lookup::Id,   Lookup::Id,   Lookup::Text, Lookup::None,
                                       Lookup::None, Lookup::None, Lookup::None, Lookup::None};

}  // namespace

NameStatTable::NameStatTable(const TableInfo&, const QueryContext& context) : m_context(context) {
    m_first.push_back(0);
    for (RankIndex r; r.value < context.index.rankCount(); ++r.value) {
        const TraceStore* store = context.index.trace(r);
        m_first.push_back(m_first.back() + (store == nullptr ? 0 : store->columns().nameStats.size()));
    }
}

std::span<const Lookup> NameStatTable::lookups() const { return kNameStatLookups; }

void NameStatTable::plan(IndexRequest& request) const {
    const auto rows = static_cast<double>(m_first.back());
    double share = 1;
    double walked = 1;
    for (const AcceptedCondition& c : request.accepted()) {
        const double length = c.op == ConditionOp::In ? 25 : 1;
        const auto tracks = static_cast<double>(m_context.index.tracks().size());
        const double kept = c.column == NameStatColumn::Rank
                                ? length / std::max(1.0, static_cast<double>(m_context.index.rankCount()))
                            : c.column == NameStatColumn::Track ? length / std::max(1.0, tracks)
                                                                : 0.01;
        share *= std::min(1.0, kept);
        if (c.column != NameStatColumn::Name) walked *= std::min(1.0, kept);
    }
    request.promise(0, rows * share, rows * share + rows * walked * 0.05);
    const auto& order = request.order();
    if (order.size() == 1 && order[0].column == NameStatColumn::Rank && !order[0].descending) request.promiseOrder();
}

int NameStatTable::Cursor::filter(int, const Conditions& conditions) {
    m_parts.clear();
    m_part = 0;
    m_row = 0;
    m_tracks = conditions.integers(NameStatColumn::Track);
    m_text = conditions.text();
    if (conditions.impossible()) return SQLITE_OK;
    const CaptureIndex& index = m_context.index;
    const IntegerSet ranks = conditions.integers(NameStatColumn::Rank);
    const auto addPart = [&](RankIndex rank, std::size_t first, std::size_t last) {
        if (first != last && rankMatches(ranks, index.rankId(rank))) m_parts.push_back({rank, first, last});
    };
    if (const auto* ids = m_tracks.values()) {
        for (const std::int64_t id : *ids) {
            const TrackPlace* place = index.findTrack(id);
            if (place == nullptr) continue;
            const auto stats = index.trace(place->rank)->columns().nameStats.span();
            const auto first =
                std::lower_bound(stats.begin(), stats.end(), place->track,
                                 [](const NameStat& stat, std::uint32_t track) { return stat.track < track; });
            const auto last =
                std::upper_bound(first, stats.end(), place->track,
                                 [](std::uint32_t track, const NameStat& stat) { return track < stat.track; });
            addPart(place->rank, static_cast<std::size_t>(first - stats.begin()),
                    static_cast<std::size_t>(last - stats.begin()));
        }
        std::stable_sort(m_parts.begin(), m_parts.end(), [](const Part& a, const Part& b) { return a.rank < b.rank; });
    } else {
        for (RankIndex r; r.value < index.rankCount(); ++r.value)
            if (const TraceStore* store = index.trace(r)) addPart(r, 0, store->columns().nameStats.size());
    }
    if (!m_parts.empty()) m_row = m_parts.front().first;
    return settle();
}

void NameStatTable::Cursor::step() {
    if (++m_row == m_parts[m_part].last && ++m_part < m_parts.size()) m_row = m_parts[m_part].first;
}

int NameStatTable::Cursor::settle() {
    while (!m_text.all() && !atEnd() && !m_text.matches(store().text(store().columns().nameStats[m_row].name))) {
        if (m_poll.stop()) return SQLITE_INTERRUPT;
        step();
    }
    return SQLITE_OK;
}

int NameStatTable::Cursor::next() {
    step();
    return settle();
}

void NameStatTable::Cursor::column(sqlite3_context* context, int column) const {
    const NameStat& stat = store().columns().nameStats[m_row];
    switch (column) {
    case NameStatColumn::Rank: return resultInteger(context, m_context.index.rankId(m_parts[m_part].rank));
    case NameStatColumn::Track: return resultInteger(context, store().track({stat.track}).id.value);
    case NameStatColumn::Name: return resultText(context, store().text(stat.name));
    case NameStatColumn::Count: return resultInteger(context, static_cast<std::int64_t>(stat.count));
    case NameStatColumn::Total: return resultInteger(context, stat.total);
    case NameStatColumn::SelfTotal: return resultInteger(context, stat.selfTotal);
    case NameStatColumn::Min: return resultInteger(context, stat.minimum);
    case NameStatColumn::Max: return resultInteger(context, stat.maximum);
    default: return;
    }
}

}  // namespace altiscope
