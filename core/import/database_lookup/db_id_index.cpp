#include "core/import/database_lookup/db_id_index.h"

namespace altiscope::reader {

IdIndex::IdIndex(std::span<const std::int64_t> ascending) {
    for (std::size_t place = 0; place < ascending.size(); ++place) {
        const std::int64_t id = ascending[place];
        // The previous id is smaller, so id - 1 cannot overflow.
        if (!m_runs.empty() && m_runs.back().last == id - 1) m_runs.back().last = id;
        else m_runs.push_back({id, id, place});
    }
}

std::optional<std::size_t> IdIndex::find(std::int64_t id) const {
    const auto after = std::upper_bound(m_runs.begin(), m_runs.end(), id,
                                        [](std::int64_t wanted, const Run& run) { return wanted < run.first; });
    if (after == m_runs.begin()) return std::nullopt;
    const Run& run = *(after - 1);
    if (id > run.last) return std::nullopt;
    return run.place + static_cast<std::size_t>(id - run.first);
}

}  // namespace altiscope::reader
