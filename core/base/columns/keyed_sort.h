#pragma once

#include "core/base/values/cancel.h"

#include <cstdint>
#include <span>
#include <vector>

namespace altiscope {

/// The number of an item, to be sorted by a key of it.
struct KeyedNumber {
    std::uint64_t key = 0;
    std::uint32_t number = 0;
};

/// The key of a signed value: greater values have greater keys.
constexpr std::uint64_t sortKeyOf(std::int64_t value) {
    return static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << 63);
}

/// Sorts by key; those with equal keys keep their order. Keys are cut into digits, of which only those are looked at
/// that differ. Polls between passes of some ms per million; after a cancel all are there, in any order.
/// Cost: O(n) for each 11 bits in which keys differ, O(n) in all where they are sorted; memory: the list once more.
void sortByKey(std::vector<KeyedNumber>& items, const CancelToken& cancel);

/// Numbers from 0 on, sorted by keyOf(number); equal ones in their order.
template <class KeyOf>
std::vector<KeyedNumber> sortedNumbers(std::size_t count, const KeyOf& keyOf, const CancelToken& cancel) {
    std::vector<KeyedNumber> items(count);
    for (std::size_t i = 0; i < count; ++i) items[i] = {keyOf(i), static_cast<std::uint32_t>(i)};
    sortByKey(items, cancel);
    return items;
}

}  // namespace altiscope
