#include "core/query/tables/statement_sources.h"

#include "core/query/tables/summary_table.h"

#include <algorithm>
#include <iterator>

namespace altiscope {

namespace {

struct TableColumns {
    std::string_view table;
    std::vector<std::string_view> columns;
};

bool isListedColumn(const std::vector<TableColumns>& tables, std::string_view table, std::string_view column) {
    return std::any_of(tables.begin(), tables.end(), [&](const TableColumns& one) {
        return one.table == table && std::find(one.columns.begin(), one.columns.end(), column) != one.columns.end();
    });
}

/// Of summary tables: what the import takes from the timeline.
bool isFromTimeline(std::string_view table, std::string_view column) {
    static const std::vector<TableColumns> kColumns{
        {"operator", {"slice_id", "step", "thread", "ts", "self_dur", "device_dur", "input_types"}},
        {"kernel", {"slice_id", "operator_slice_id"}},
    };
    return isListedColumn(kColumns, table, column);
}

/// Of other tables: what the folders state without their timelines.
bool isFromFolders(std::string_view table, std::string_view column) {
    static const std::vector<TableColumns> kColumns{
        {"rank", {"", "rank_id", "host", "framework", "source", "path", "recording"}},
        {"metadata", {"", "rank_id", "key", "value", "recording"}},
    };
    return isListedColumn(kColumns, table, column);
}

}  // namespace

void StatementSources::addKind(RowKind kind) {
    if (std::find(m_kinds.begin(), m_kinds.end(), kind) == m_kinds.end()) m_kinds.push_back(kind);
}

void StatementSources::addColumn(std::string_view table, std::string_view column) {
    if (table == "kernel_metric") return addKind(RowKind::Kernel);
    if (const auto kind = summaryKind(table)) {
        addKind(*kind);
        // Sizes help to pair collectives.
        if (*kind == RowKind::Collective && column == "instance") addKind(RowKind::Bandwidth);
        // Whether a row counts depends on what the events say.
        if (*kind == RowKind::StepBreakdown && column == "left_out") addComputedRows();
        // Where no file states the ranks of a group, links state them.
        if (*kind == RowKind::CommGroup) addKind(RowKind::Link);
        m_needsTimelines = m_needsTimelines || isFromTimeline(table, column);
        return;
    }
    // Groups and metadata.
    if (table == "parallel_group") return addColumn("comm_group", "ranks");
    const bool isOurs = findTable(table) != nullptr;
    m_needsTimelines = m_needsTimelines || (isOurs && !isFromFolders(table, column));
}

std::optional<std::vector<RowKind>> StatementSources::summaryKinds() const {
    return m_needsTimelines || m_kinds.empty() ? std::nullopt : std::optional(m_kinds);
}

}  // namespace altiscope
