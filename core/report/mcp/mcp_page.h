#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/query/database.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace altiscope {

/// Longest answer to a call, in bytes of the line that is sent.
inline constexpr std::size_t kMaxMcpAnswer = 100'000;

/// Collects rows of JSON until an answer is full. A row is a JSON text, which an answer holds twice: within
/// a text, and as it is.
class McpPage {
public:
    /// @param offset  Rows to leave out first.
    /// @param limit   Rows to take at most.
    McpPage(std::uint64_t offset, std::uint64_t limit) : m_offset(offset), m_limit(limit) {}

    /// @return False once no further row is taken.
    bool add(std::string row);

    /// {"rows":[...],"next_offset":N} with `head`, members of an object ("\"columns\":[..],"), before. next_offset is
    /// null where there is no more.
    std::string text(std::string_view head) const;

private:
    /// Bytes of rows; the text around them has room beside them.
    static constexpr std::size_t kMaxBytes = kMaxMcpAnswer - 12'000;

    std::uint64_t m_offset, m_limit, m_seen = 0, m_taken = 0;
    std::size_t m_bytes = 0;
    bool m_hasMore = false;
    std::string m_rows;
};

struct McpStatement {
    std::string_view sql;
    std::span<const QueryParameter> parameters;
};

/// Rows of a statement as arrays, with the names of the columns: {"columns":[..],"rows":[[..]],"next_offset":N}. Longer
/// values than kMaxMcpValue are cut and end with how many bytes are missing.
/// @return Error as QueryDatabase::run.
Result<std::string> mcpRows(const QueryDatabase& database, const McpStatement& statement, std::uint64_t offset,
                            std::uint64_t limit, const CancelToken& cancel);
inline constexpr std::size_t kMaxMcpValue = 4'000;

}  // namespace altiscope
