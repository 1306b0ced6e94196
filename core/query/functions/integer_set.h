#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace altiscope {

/// Integers that satisfy all conditions on one column: an interval, possibly cut down to a list of values.
/// Starts as all integers and only shrinks. NULL satisfies no condition, not even one that all integers satisfy.
class IntegerSet {
public:
    void keepRange(std::int64_t low, std::int64_t high) {
        m_all = false;
        m_low = std::max(m_low, low);
        m_high = std::min(m_high, high);
        if (!m_list) return;
        auto values = std::move(*m_list);
        m_list.reset();
        keepList(std::move(values));
    }
    void keepList(std::vector<std::int64_t> values) {
        m_all = false;
        std::sort(values.begin(), values.end());
        values.erase(std::unique(values.begin(), values.end()), values.end());
        std::erase_if(values, [this](std::int64_t v) { return !contains(v); });
        m_list = std::move(values);
    }
    void keepIntegers() { keepRange(kLowest, kHighest); }
    void keepNone() { keepRange(1, 0); }

    bool contains(std::int64_t value) const {
        if (value < m_low || value > m_high) return false;
        return !m_list || std::binary_search(m_list->begin(), m_list->end(), value);
    }
    bool empty() const { return m_low > m_high || (m_list && m_list->empty()); }
    /// Whether there is no condition: NULL is in the set too.
    bool all() const { return m_all; }
    std::int64_t low() const { return m_low; }    ///< Inclusive.
    std::int64_t high() const { return m_high; }  ///< Inclusive.

    /// The values one by one, ascending, where they are few: a list, or a single value. Null for a wider interval.
    const std::vector<std::int64_t>* values() {
        if (!m_list && m_low == m_high) m_list = std::vector<std::int64_t>{m_low};
        return m_list ? &*m_list : nullptr;
    }

private:
    static constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

    bool m_all = true;
    std::int64_t m_low = kLowest;
    std::int64_t m_high = kHighest;
    std::optional<std::vector<std::int64_t>> m_list;
};

}  // namespace altiscope
