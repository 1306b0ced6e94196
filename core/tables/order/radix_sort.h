#pragma once

#include "core/base/columns/raw_array.h"
#include "core/base/threads/parallel.h"
#include "core/base/values/cancel.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace altiscope {

/// Sorts by digits of the low `bits` bits of digitsOf(item), lowest digit first; items with equal digits keep their
/// order. Uses all workers. After a cancel the items are in any order, some perhaps lost.
/// Cost: O(n · bits / 11), memory for as many items; digits in which all items agree cost a count only.
template <class Item, class DigitsOf>
void radixSort(RawArray<Item>& items, unsigned bits, DigitsOf digitsOf, const CancelToken& cancel) {
    constexpr unsigned kDigit = 11;
    constexpr std::size_t kValues = std::size_t{1} << kDigit;
    constexpr std::size_t kParts = 8;
    using Counts = std::array<std::size_t, kValues>;
    std::vector<Counts> counts(kParts);
    RawArray<Item> spare(items.size());
    for (unsigned shift = 0; shift < bits && !cancel.cancelled(); shift += kDigit) {
        const auto digit = [&](const Item& item) {
            return static_cast<std::size_t>(digitsOf(item) >> shift) & (kValues - 1);
        };
        const auto eachOfPart = [&](std::size_t part, auto body) {
            const std::size_t end = items.size() * (part + 1) / kParts;
            for (std::size_t i = items.size() * part / kParts; i < end; ++i) body(items[i]);
        };
        parallelFor(kParts, [&](std::size_t part) {
            counts[part].fill(0);
            eachOfPart(part, [&](const Item& item) { ++counts[part][digit(item)]; });
        });
        bool allAgree = false;
        std::size_t place = 0;
        for (std::size_t value = 0; value < kValues; ++value) {
            const std::size_t before = place;
            for (Counts& count : counts) place += std::exchange(count[value], place);
            allAgree = allAgree || place - before == items.size();
        }
        if (allAgree) continue;
        parallelFor(kParts, [&](std::size_t part) {
            if (cancel.cancelled()) return;
            eachOfPart(part, [&](const Item& item) { spare[counts[part][digit(item)]++] = item; });
        });
        std::swap(items, spare);
    }
}

}  // namespace altiscope
