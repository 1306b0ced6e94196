#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace altiscope::reader {

/// Finds the place of an id among ascending ids. Profilers number their rows, so ids come in few unbroken runs: a run
/// costs 24 bytes, an id nothing, and a look-up is a binary search over the runs.
class IdIndex {
public:
    IdIndex() = default;
    /// @param ascending  Without repetitions.
    explicit IdIndex(std::span<const std::int64_t> ascending);

    /// The place of an id in the list; nullopt if it is not in it.
    std::optional<std::size_t> find(std::int64_t id) const;
    bool contains(std::int64_t id) const { return find(id).has_value(); }
    bool empty() const { return m_runs.empty(); }

private:
    struct Run {
        std::int64_t first = 0, last = 0;
        std::size_t place = 0;
    };
    std::vector<Run> m_runs;
};

/// Rows of a table by an id that several of them may share.
template <class Value>
class IdGroups {
public:
    struct Row {
        std::int64_t id;
        Value value;
    };

    IdGroups() = default;
    /// Rows of one id keep their order.
    explicit IdGroups(std::vector<Row> rows);

    bool empty() const { return m_values.empty(); }
    bool contains(std::int64_t id) const { return m_index.contains(id); }
    /// How many different ids there are.
    std::size_t size() const { return m_first.empty() ? 0 : m_first.size() - 1; }
    /// All rows of an id; empty if it has none.
    std::span<const Value> of(std::int64_t id) const {
        const auto place = m_index.find(id);
        if (!place) return {};
        return std::span(m_values).subspan(m_first[*place], m_first[*place + 1] - m_first[*place]);
    }
    /// The first row of an id, or null.
    const Value* first(std::int64_t id) const {
        const auto rows = of(id);
        return rows.empty() ? nullptr : &rows.front();
    }

private:
    IdIndex m_index;
    std::vector<std::size_t> m_first;  // by place of the id; one more at the end
    std::vector<Value> m_values;
};

}  // namespace altiscope::reader

#include <algorithm>

template <class Value>
altiscope::reader::IdGroups<Value>::IdGroups(std::vector<Row> rows) {
    const auto byId = [](const Row& a, const Row& b) { return a.id < b.id; };
    if (!std::is_sorted(rows.begin(), rows.end(), byId)) std::stable_sort(rows.begin(), rows.end(), byId);
    std::vector<std::int64_t> ids;
    m_values.reserve(rows.size());
    for (const Row& row : rows) {
        if (ids.empty() || ids.back() != row.id) {
            ids.push_back(row.id);
            m_first.push_back(m_values.size());
        }
        m_values.push_back(row.value);
    }
    m_first.push_back(m_values.size());
    m_index = IdIndex(ids);
}
