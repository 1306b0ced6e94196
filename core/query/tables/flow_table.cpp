#include "core/query/tables/flow_table.h"

#include "core/query/functions/sqlite_values.h"

#include <algorithm>

namespace altiscope {

namespace {

struct FlowColumn {
    enum : int { Id, Category, From, To };
};

constexpr Lookup kFlowLookups[] = {Lookup::Id, Lookup::None, Lookup::Id, Lookup::Id};

std::size_t flowsOf(const CaptureIndex& index, RankIndex rank) {
    const TraceStore* store = index.trace(rank);
    return store == nullptr ? 0 : store->flowCount();
}

std::optional<std::int64_t> sliceId(const TraceStore& store, std::uint32_t slice) {
    if (SliceIndex{slice} == kNoSlice) return std::nullopt;
    return store.id({slice}).value;
}

}  // namespace

FlowTable::FlowTable(const TableInfo&, const QueryContext& context) : m_context(context) {
    for (RankIndex r; r.value < context.index.rankCount(); ++r.value)
        m_rows += static_cast<double>(flowsOf(context.index, r));
}

std::span<const Lookup> FlowTable::lookups() const { return kFlowLookups; }

void FlowTable::plan(IndexRequest& request) const {
    double rows = m_rows;
    for (const AcceptedCondition& condition : request.accepted()) {
        // A flow id names one flow; a slice has a few.
        const double each = condition.column == FlowColumn::Id || condition.column == -1 ? 1 : 2;
        rows = std::min(rows, condition.op == ConditionOp::In ? each * 25 : each);
    }
    request.promise(0, rows, request.accepted().empty() ? rows : rows * 20);
}

int FlowTable::Cursor::filter(int, const Conditions& conditions) {
    m_list.clear();
    m_next = 0;
    m_rank = {};
    m_listed = true;
    if (conditions.impossible()) return SQLITE_OK;
    IntegerSet ids = conditions.integers(FlowColumn::Id);
    IntegerSet rowids = conditions.integers(-1);
    IntegerSet from = conditions.integers(FlowColumn::From);
    IntegerSet to = conditions.integers(FlowColumn::To);
    if (const auto* byId = ids.values()) listById(*byId);
    else if (const auto* byRowid = rowids.values()) listById(*byRowid);
    else if (const auto* byFrom = from.values()) listBySlice(*byFrom, FlowColumn::From);
    else if (const auto* byTo = to.values()) listBySlice(*byTo, FlowColumn::To);
    else m_listed = false;
    if (!m_listed) skipEmptyRanks();
    std::erase_if(m_list, [&](const Place& place) {
        const TraceStore& store = *m_context.index.trace(place.rank);
        const auto id = static_cast<std::int64_t>(store.columns().flowPos[place.flow].packed);
        const auto holds = [](const IntegerSet& set, std::optional<std::int64_t> value) {
            return set.all() || (value && set.contains(*value));
        };
        return !ids.contains(id) || !rowids.contains(id) ||
               !holds(from, sliceId(store, store.columns().flowFrom[place.flow])) ||
               !holds(to, sliceId(store, store.columns().flowTo[place.flow]));
    });
    return SQLITE_OK;
}

void FlowTable::Cursor::listById(const std::vector<std::int64_t>& ids) {
    for (const std::int64_t id : ids) {
        const SourcePos pos{static_cast<std::uint64_t>(id)};
        for (RankIndex r; r.value < m_context.index.rankCount(); ++r.value) {
            if (flowsOf(m_context.index, r) == 0) continue;
            const auto positions = m_context.index.trace(r)->columns().flowPos.span();
            const auto found = std::lower_bound(positions.begin(), positions.end(), pos);
            if (found != positions.end() && *found == pos)
                m_list.push_back({r, static_cast<std::uint32_t>(found - positions.begin())});
        }
    }
}

void FlowTable::Cursor::listBySlice(const std::vector<std::int64_t>& slices, int column) {
    for (const std::int64_t id : slices) {
        const auto place = m_context.index.findSlice(id);
        if (!place) continue;
        const TraceStore& store = *m_context.index.trace(place->rank);
        const SliceIndex slice{place->slice};
        for (const std::uint32_t flow : column == FlowColumn::From ? store.flowsFrom(slice) : store.flowsTo(slice))
            m_list.push_back({place->rank, flow});
    }
}

void FlowTable::Cursor::skipEmptyRanks() {
    while (m_rank.value < m_context.index.rankCount() && m_next == flowsOf(m_context.index, m_rank)) {
        ++m_rank.value;
        m_next = 0;
    }
}

int FlowTable::Cursor::next() {
    ++m_next;
    if (!m_listed) skipEmptyRanks();
    return SQLITE_OK;
}

std::int64_t FlowTable::Cursor::rowid() const {
    const Place at = place();
    return static_cast<std::int64_t>(m_context.index.trace(at.rank)->columns().flowPos[at.flow].packed);
}

void FlowTable::Cursor::column(sqlite3_context* context, int column) const {
    const Place at = place();
    const TraceStore& store = *m_context.index.trace(at.rank);
    switch (column) {
    case FlowColumn::Id: return resultInteger(context, rowid());
    case FlowColumn::Category: return resultTextOrNull(context, store.flowCategory(at.flow));
    case FlowColumn::From: return resultInteger(context, sliceId(store, store.columns().flowFrom[at.flow]));
    case FlowColumn::To: return resultInteger(context, sliceId(store, store.columns().flowTo[at.flow]));
    default: return;
    }
}

}  // namespace altiscope
