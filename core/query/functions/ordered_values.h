#pragma once

#include "core/base/values/cancel.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// Numbers of which single ones are wanted by their place in the order. Integers are kept exactly; once a real is among
/// them, all count as reals. 8 bytes a number.
class OrderedValues {
public:
    struct Value {
        std::optional<std::int64_t> integer;  ///< Where all numbers are integers, and this is one of them.
        double real = 0;
    };

    void add(std::int64_t value);
    void add(double value);  ///< Finite.
    std::size_t size() const { return m_keys.size(); }

    /// The value at place share / 100 * (size - 1) of the order, linearly between two neighbours. There must be a
    /// number.
    /// @return nullopt if cancelled (within some ms). O(size).
    std::optional<Value> percentile(double share, const CancelToken& cancel);

private:
    /// The key at a place of the order; nullopt if cancelled.
    std::optional<std::uint64_t> keyAt(std::size_t place, const CancelToken& cancel) const;

    std::vector<std::uint64_t> m_keys;  ///< In the order of the numbers.
    bool m_areReals = false;
};

}  // namespace altiscope
