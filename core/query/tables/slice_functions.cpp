#include "core/query/tables/slice_functions.h"

#include "core/query/functions/sqlite_values.h"
#include "core/query/lookup/children.h"

#include <algorithm>
#include <set>

namespace altiscope {

int SliceFunctionCursor::start(std::span<sqlite3_value* const> arguments, std::string& problem) {
    m_rows.clear();
    m_next = 0;
    if (arguments[0] == nullptr) {
        problem = std::string(m_info.name) + " needs a slice: " + std::string(m_info.call);
        return SQLITE_ERROR;
    }
    IntegerSet id;
    keepMatching(id, ConditionOp::Equal, arguments[0]);
    const auto place = id.empty() ? std::nullopt : m_context.index.findSlice(id.low());
    if (!place) return SQLITE_OK;
    m_rank = place->rank;
    m_store = m_context.index.trace(m_rank);
    const SliceIndex slice{place->slice};
    if (m_info.name == "ancestors") {
        listAncestors(slice);
        return SQLITE_OK;
    }
    if (m_info.name == "descendants") return listDescendants(slice) ? SQLITE_OK : SQLITE_INTERRUPT;
    m_rows.push_back({slice.value, 0, {}});
    return listFlows(slice, 1) && listFlows(slice, -1) ? SQLITE_OK : SQLITE_INTERRUPT;
}

void SliceFunctionCursor::listAncestors(SliceIndex slice) {
    std::int64_t distance = 0;
    for (SliceIndex at = m_store->parent(slice); at != kNoSlice; at = m_store->parent(at))
        m_rows.push_back({at.value, ++distance, {}});
}

bool SliceFunctionCursor::listDescendants(SliceIndex slice) {
    const auto add = [this](SliceIndex parent, std::int64_t distance) {
        return eachChild(*m_store, parent, [&](SliceIndex child) {
            m_rows.push_back({child.value, distance, {}});
            return !m_poll.stop();
        });
    };
    if (!add(slice, 1)) return false;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row row = m_rows[i];
        if (!add({row.slice}, row.distance + 1)) return false;
    }
    return true;
}

/// Each slice once, by the way with the fewest flows.
bool SliceFunctionCursor::listFlows(SliceIndex slice, std::int64_t direction) {
    std::set<std::uint32_t> known{slice.value};
    std::vector<Row> found{{slice.value, 0, {}}};
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Row row = found[i];
        const auto flows = direction > 0 ? m_store->flowsFrom({row.slice}) : m_store->flowsTo({row.slice});
        for (const std::uint32_t flow : flows) {
            if (m_poll.stop()) return false;
            const auto& ends = direction > 0 ? m_store->columns().flowTo : m_store->columns().flowFrom;
            if (SliceIndex{ends[flow]} == kNoSlice || !known.insert(ends[flow]).second) continue;
            found.push_back({ends[flow], row.distance + direction, flow});
        }
    }
    m_rows.insert(m_rows.end(), found.begin() + 1, found.end());
    return true;
}

void SliceFunctionCursor::column(sqlite3_context* result, int column) const {
    enum : int { Id, Distance, Flow };
    const Row& row = m_rows[m_next];
    switch (column) {
    case Id: return resultInteger(result, m_store->id({row.slice}).value);
    case Distance: return resultInteger(result, row.distance);
    case Flow:
        if (row.flow) resultInteger(result, static_cast<std::int64_t>(m_store->columns().flowPos[*row.flow].packed));
        return;
    default: return;
    }
}

}  // namespace altiscope
