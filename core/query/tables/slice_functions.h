#pragma once

#include "core/query/tables/table_function.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace altiscope {

/// Rows of ancestors, descendants and flow_chain.
class SliceFunctionCursor {
public:
    SliceFunctionCursor(sqlite3*, const TableFunctionInfo& info, const QueryContext& context)
        : m_info(info), m_context(context), m_poll(context.cancel) {}

    /// The slice; no rows where there is none of that id.
    int start(std::span<sqlite3_value* const> arguments, std::string& problem);
    int next() {
        ++m_next;
        return SQLITE_OK;
    }
    bool atEnd() const { return m_next == m_rows.size(); }
    void column(sqlite3_context* result, int column) const;

private:
    struct Row {
        std::uint32_t slice = 0;
        std::int64_t distance = 0;
        std::optional<std::uint32_t> flow{};
    };
    void listAncestors(SliceIndex slice);
    /// Both false once it was cancelled.
    bool listDescendants(SliceIndex slice);
    bool listFlows(SliceIndex slice, std::int64_t direction);

    const TableFunctionInfo& m_info;
    const QueryContext& m_context;
    CancelPoll m_poll;
    RankIndex m_rank{};
    const TraceStore* m_store = nullptr;
    std::vector<Row> m_rows;
    std::size_t m_next = 0;
};

}  // namespace altiscope
