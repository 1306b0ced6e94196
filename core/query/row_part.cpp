#include "core/query/row_part.h"

#include <algorithm>

namespace altiscope {

std::pair<std::size_t, std::size_t> boundsOf(ListPart part, std::size_t size) {
    const std::size_t first = static_cast<std::size_t>(std::min<std::uint64_t>(part.offset, size));
    const std::size_t most = size - first;
    return {first, first + static_cast<std::size_t>(std::min<std::uint64_t>(part.limit.value_or(most), most))};
}

bool RowPart::row(std::span<const Value> values) {
    const std::uint64_t at = m_seen++;
    if (at < m_part.offset) return true;
    // The sum may be beyond what fits.
    if (m_part.limit && at - m_part.offset >= *m_part.limit) {
        m_next = at;
        return false;
    }
    return m_to.row(values);
}

}  // namespace altiscope
