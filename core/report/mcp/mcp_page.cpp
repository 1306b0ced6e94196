#include "core/report/mcp/mcp_page.h"

#include "core/base/text/table_text.h"
#include "core/base/text/text.h"
#include "core/query/results/row_sink.h"

#include <algorithm>

namespace altiscope {

namespace {

std::string valueJson(const Value& value) {
    switch (value.type) {
    case ValueType::Null: return "null";
    case ValueType::Integer: return std::to_string(value.integer);
    case ValueType::Real: return realText(value.real);
    case ValueType::Text:
    case ValueType::Blob: break;
    }
    if (value.type == ValueType::Blob) {
        const std::size_t bytes = std::min(value.bytes.size(), kMaxMcpValue / 2);
        const std::string more = " [" + std::to_string(value.bytes.size() - bytes) + " more bytes]";
        return "\"" + hexText(value.bytes.substr(0, bytes)) + (bytes < value.bytes.size() ? more : "") + "\"";
    }
    if (value.bytes.size() <= kMaxMcpValue) return jsonQuoted(value.bytes);
    const std::size_t kept = utf8Prefix(value.bytes, kMaxMcpValue);
    return jsonQuoted(std::string(value.bytes.substr(0, kept)) + " [" + std::to_string(value.bytes.size() - kept) +
                      " more bytes]");
}

class PageSink : public RowSink {
public:
    explicit PageSink(McpPage& page) : m_page(page) {}

    bool begin(std::span<const std::string> columns) override {
        for (const std::string& name : columns) m_columns += (m_columns.empty() ? "" : ",") + jsonQuoted(name);
        return true;
    }
    bool row(std::span<const Value> values) override {
        std::string row = "[";
        for (const Value& value : values) row += (row.size() > 1 ? "," : "") + valueJson(value);
        return m_page.add(row + "]");
    }
    std::string head() const { return "\"columns\":[" + m_columns + "],"; }

private:
    McpPage& m_page;
    std::string m_columns;
};

}  // namespace

bool McpPage::add(std::string row) {
    if (m_seen++ < m_offset) return true;
    const std::size_t cost = jsonQuoted(row).size() + row.size();
    if (m_taken == m_limit || m_bytes + cost > kMaxBytes) {
        m_hasMore = true;
        // A row that fits into no answer is named, so that reading goes on after it.
        if (m_taken > 0 || m_limit == 0) return false;
        row = "[\"This row is too long for an answer; select fewer columns.\"]";
    }
    m_hasMore = false;
    m_bytes += cost;
    m_rows += (m_taken++ == 0 ? "" : ",\n") + row;
    return true;
}

std::string McpPage::text(std::string_view head) const {
    const std::string next = m_hasMore ? std::to_string(m_offset + m_taken) : "null";
    return "{" + std::string(head) + "\"rows\":[" + m_rows + "],\"next_offset\":" + next + "}";
}

Result<std::string> mcpRows(const QueryDatabase& database, const McpStatement& statement, std::uint64_t offset,
                            std::uint64_t limit, const CancelToken& cancel) {
    McpPage page(offset, limit);
    PageSink sink(page);
    const auto done = database.run(statement.sql, sink, cancel, statement.parameters);
    if (!done.ok()) return done.as<std::string>();
    return page.text(sink.head());
}

}  // namespace altiscope
