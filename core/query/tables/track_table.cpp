#include "core/query/tables/track_table.h"

#include "core/query/functions/sqlite_values.h"
#include "core/query/lookup/run_parts.h"

#include <algorithm>
#include <cmath>

namespace altiscope {

namespace {

struct TrackColumn {
    enum : int { Id, Rank, Process, Thread, Name, Kind, Origin, SortIndex };
};

constexpr Lookup kTrackLookups[] = {Lookup::Id,   Lookup::Id,   Lookup::None, Lookup::None,
                                    Lookup::None, Lookup::Text, Lookup::None, Lookup::None};

enum Mode {
    kByDisplayOrder,  ///< By rank, then as shown.
    kById,
    kByRankAndId,
};

double tracksOfKind(const CaptureIndex& index, const TextFilter& kinds) {
    return static_cast<double>(
        std::count_if(index.tracks().begin(), index.tracks().end(), [&](const TrackPlace& place) {
            return kinds.matches(trackKindName(index.trace(place.rank)->track({place.track}).kind));
        }));
}

/// The mode with the wanted order; nullopt if there is none.
std::optional<Mode> modeInOrder(const IndexRequest& request) {
    const auto& order = request.order();
    for (const OrderTerm& term : order)
        if (term.descending) return std::nullopt;
    const auto is = [&order](std::size_t i, int column) { return order.size() > i && order[i].column == column; };
    if (order.empty()) return kByDisplayOrder;
    if (is(0, TrackColumn::Id)) return kById;  // further terms are decided: the id is unique
    if (!is(0, TrackColumn::Rank)) return std::nullopt;
    if (order.size() == 1) return kByDisplayOrder;
    if (is(1, TrackColumn::Id)) return kByRankAndId;
    return std::nullopt;
}

}  // namespace

std::span<const Lookup> TrackTable::lookups() const { return kTrackLookups; }

void TrackTable::plan(IndexRequest& request) const {
    const CaptureIndex& index = m_context.index;
    const auto tracks = static_cast<double>(index.tracks().size());
    double rows = tracks;
    const AcceptedCondition* id = nullptr;
    for (const AcceptedCondition& condition : request.accepted()) {
        const bool one = condition.op == ConditionOp::Equal;
        switch (condition.column) {
        case TrackColumn::Kind:
            // Joins are planned by the number of tracks of a kind, so it is worth counting.
            if (condition.constant) rows = std::min(rows, tracksOfKind(index, condition.text));
            break;
        case TrackColumn::Rank:
            rows = std::min(rows, tracks / std::max(1.0, static_cast<double>(index.rankCount())));
            break;
        default:
            rows = std::min(rows, one ? 1.0 : 25.0);
            if (id == nullptr || one) id = &condition;
        }
    }
    const auto mode = modeInOrder(request);
    if (id != nullptr) {
        if (id->op == ConditionOp::Equal) request.promiseUnique();
        request.keepOnly(*id);
    }
    request.promise(mode.value_or(kByDisplayOrder), rows, id != nullptr ? rows : tracks);
    if (mode && request.wantsOrder()) request.promiseOrder();
}

void TrackTable::Cursor::find(std::optional<std::int64_t> id) {
    m_isLookedUp = true;
    m_lookedUp = id;
    m_tracks.clear();
    const TrackPlace* place = id ? m_context.index.findTrack(*id) : nullptr;
    if (place != nullptr) m_tracks.push_back(*place);
}

int TrackTable::Cursor::filter(int mode, const Conditions& conditions) {
    m_isLookedUp = false;
    m_tracks.clear();
    m_next = 0;
    if (conditions.impossible()) return SQLITE_OK;
    const CaptureIndex& index = m_context.index;
    const IntegerSet ranks = conditions.integers(TrackColumn::Rank);
    IntegerSet ids = conditions.integers(TrackColumn::Id);
    const IntegerSet rowids = conditions.integers(-1);
    const TextFilter& kinds = conditions.text();
    const auto take = [&](const TrackPlace& place) {
        if (ids.contains(place.id.value) && rowids.contains(place.id.value) &&
            rankMatches(ranks, index.rankId(place.rank)) &&
            (kinds.all() || kinds.matches(trackKindName(index.trace(place.rank)->track({place.track}).kind))))
            m_tracks.push_back(place);
    };
    IntegerSet either = ids.values() != nullptr ? ids : rowids;
    if (const auto* values = either.values()) {
        for (const std::int64_t id : *values)
            if (const TrackPlace* place = index.findTrack(id)) take(*place);
    } else {
        for (const TrackPlace& place : index.tracks()) take(place);
    }
    if (mode == kById) return SQLITE_OK;
    std::sort(m_tracks.begin(), m_tracks.end(), [&](const TrackPlace& a, const TrackPlace& b) {
        if (mode == kByDisplayOrder) return std::make_pair(a.rank, a.track) < std::make_pair(b.rank, b.track);
        return std::make_pair(index.rankGroup(a.rank), a.id) < std::make_pair(index.rankGroup(b.rank), b.id);
    });
    return SQLITE_OK;
}

void TrackTable::Cursor::column(sqlite3_context* context, int column) const {
    const TrackPlace& place = m_tracks[m_next];
    const Track& track = m_context.index.trace(place.rank)->track({place.track});
    switch (column) {
    case TrackColumn::Id: return resultInteger(context, track.id.value);
    case TrackColumn::Rank: return resultInteger(context, m_context.index.rankId(place.rank));
    case TrackColumn::Process: return resultText(context, track.process);
    case TrackColumn::Thread: return resultTextOrNull(context, track.thread);
    case TrackColumn::Name: return resultText(context, track.name);
    case TrackColumn::Kind: return resultText(context, trackKindName(track.kind));
    case TrackColumn::Origin: return resultText(context, originName(track.origin));
    case TrackColumn::SortIndex: return resultInteger(context, place.track);
    default: return;
    }
}

}  // namespace altiscope
