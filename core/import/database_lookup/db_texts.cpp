#include "core/import/database_lookup/db_texts.h"

#include <algorithm>
#include <utility>

namespace altiscope::reader {

DbTexts::DbTexts(std::vector<DbTextPart> parts) {
    std::vector<std::pair<std::int64_t, std::string_view>> all;
    for (DbTextPart& part : parts) {
        // The bytes move first: what lies within a short string moves with it.
        m_bytes.push_back(std::move(part.bytes));
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (const auto& [id, begin, size] : parts[i].entries)
            all.emplace_back(id, std::string_view(m_bytes[i]).substr(begin, size));
    }
    const auto byId = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (!std::is_sorted(all.begin(), all.end(), byId)) std::stable_sort(all.begin(), all.end(), byId);
    all.erase(std::unique(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
              all.end());
    std::vector<std::int64_t> ids;
    ids.reserve(all.size());
    m_texts.reserve(all.size());
    for (const auto& [id, text] : all) {
        ids.push_back(id);
        m_texts.push_back(text);
    }
    m_index = IdIndex(ids);
    m_provisional = std::make_unique<std::atomic<std::uint32_t>[]>(m_texts.size());
}

std::string_view DbTexts::text(std::int64_t id) const {
    const auto place = m_index.find(id);
    return place ? m_texts[*place] : absent(id);
}

std::string_view DbTexts::absent(std::int64_t id) const {
    static constexpr std::size_t kMax = 100'000;
    static constexpr std::int64_t kNone = 4294967295;  // "none" in columns of 32 bits
    if (id >= 0 && id != kNone) {
        const std::lock_guard lock(m_missing->mutex);
        const auto known = m_missing->ids.find(id);
        if (known != m_missing->ids.end()) {
            if (rowOfThisWorker.isBefore(known->second)) known->second = rowOfThisWorker;
        } else if (m_missing->ids.size() < kMax) {
            m_missing->ids.emplace(id, rowOfThisWorker);
        }
    }
    return "N/A";
}

void DbTexts::reportMissing(DbProblemLog& problems) const {
    const std::lock_guard lock(m_missing->mutex);
    std::vector<DbRowAt> rows;
    for (const auto& [id, row] : m_missing->ids) rows.push_back(row);
    std::stable_sort(rows.begin(), rows.end(), [](const DbRowAt& a, const DbRowAt& b) { return a.isBefore(b); });
    for (const DbRowAt& row : rows) problems.add(DbProblem::MissingText, row.table, row.row);
}

ProvisionalText DbTexts::provisional(std::int64_t id, TraceBuilder::Names& names) const {
    const auto place = m_index.find(id);
    if (!place) return names.text(absent(id));
    // Two workers may both ask: the builder gives both the same number.
    std::atomic<std::uint32_t>& known = m_provisional[*place];
    if (const std::uint32_t number = known.load(std::memory_order_relaxed); number != 0) return number - 1;
    const ProvisionalText number = names.text(m_texts[*place]);
    known.store(number + 1, std::memory_order_relaxed);
    return number;
}

}  // namespace altiscope::reader
