#pragma once

#include "core/query/results/row_sink.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace altiscope {

/// Which elements of a long list are wanted.
struct ListPart {
    std::uint64_t offset = 0;
    std::optional<std::uint64_t> limit{};  ///< nullopt: all that follow.

    bool isAll() const { return offset == 0 && !limit; }
};

/// The first index of the part in a list, and the one after its last.
inline std::pair<std::size_t, std::size_t> boundsOf(ListPart part, std::size_t size) {
    const std::size_t first = static_cast<std::size_t>(std::min<std::uint64_t>(part.offset, size));
    const std::size_t most = size - first;
    return {first, first + static_cast<std::size_t>(std::min<std::uint64_t>(part.limit.value_or(most), most))};
}

/// Passes a part of the rows on to another sink, and ends the query once it has that part and knows whether more
/// follow.
class RowPart : public RowSink {
public:
    /// The sink must outlive it.
    RowPart(RowSink& to, ListPart part) : m_to(to), m_part(part) {}

    void describe(std::span<const ColumnInfo* const> columns) override { m_to.describe(columns); }
    bool begin(std::span<const std::string> columns) override { return m_to.begin(columns); }
    bool row(std::span<const Value> values) override {
        const std::uint64_t at = m_seen++;
        if (at < m_part.offset) return true;
        // The sum of both may be beyond what fits.
        if (m_part.limit && at - m_part.offset >= *m_part.limit) {
            m_next = at;
            return false;
        }
        return m_to.row(values);
    }

    /// Where the next part begins; nullopt if there is none.
    std::optional<std::uint64_t> next() const { return m_next; }

private:
    RowSink& m_to;
    ListPart m_part;
    std::uint64_t m_seen = 0;
    std::optional<std::uint64_t> m_next;
};

}  // namespace altiscope
