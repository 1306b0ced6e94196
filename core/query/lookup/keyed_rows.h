#pragma once

#include "core/base/columns/keyed_sort.h"
#include "core/base/values/cancel.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace altiscope {

/// The rows of a list by a number that each may have, for look-ups. 16 bytes a row that has one.
class KeyedRows {
public:
    /// @param valueOf  Gives an optional<std::int64_t> for each row from 0 on.
    /// @return nullopt if cancelled.
    template <class ValueOf>
    static std::optional<KeyedRows> build(std::size_t rows, const ValueOf& valueOf, const CancelToken& cancel) {
        static constexpr std::size_t kPoll = 4096;
        KeyedRows keyed;
        for (std::size_t row = 0; row < rows; ++row) {
            if (row % kPoll == 0 && cancel.cancelled()) return std::nullopt;
            if (const std::optional<std::int64_t> value = valueOf(row))
                keyed.m_rows.push_back({sortKeyOf(*value), static_cast<std::uint32_t>(row)});
        }
        sortByKey(keyed.m_rows, cancel);
        if (cancel.cancelled()) return std::nullopt;
        return keyed;
    }

    /// The rows with a number, ascending. O(log rows).
    std::span<const KeyedNumber> of(std::int64_t value) const {
        const auto [first, last] =
            std::equal_range(m_rows.begin(), m_rows.end(), KeyedNumber{sortKeyOf(value), 0},
                             [](const KeyedNumber& a, const KeyedNumber& b) { return a.key < b.key; });
        return {first, last};
    }

private:
    std::vector<KeyedNumber> m_rows;
};

}  // namespace altiscope
