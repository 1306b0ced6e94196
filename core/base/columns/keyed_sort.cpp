#include "core/base/columns/keyed_sort.h"

#include <algorithm>
#include <array>
#include <bit>

namespace altiscope {

namespace {

constexpr unsigned kDigitBits = 11;
constexpr std::size_t kSortDigits = std::size_t{1} << kDigitBits;
/// Fewer are sorted by comparing.
constexpr std::size_t kFewKeys = 512;

bool lessKey(const KeyedNumber& a, const KeyedNumber& b) { return a.key < b.key; }

}  // namespace

void sortByKey(std::vector<KeyedNumber>& items, const CancelToken& cancel) {
    if (cancel.cancelled()) return;
    std::uint64_t min = ~std::uint64_t{0}, max = 0;
    bool isSorted = true;
    for (std::size_t i = 0; i < items.size(); ++i) {
        min = std::min(min, items[i].key);
        max = std::max(max, items[i].key);
        isSorted = isSorted && (i == 0 || items[i - 1].key <= items[i].key);
    }
    if (isSorted) return;
    if (items.size() < kFewKeys) return std::stable_sort(items.begin(), items.end(), lessKey);
    std::vector<KeyedNumber> other(items.size());
    const auto bits = static_cast<unsigned>(std::bit_width(max - min));
    for (unsigned shift = 0; shift < bits && !cancel.cancelled(); shift += kDigitBits) {
        const auto digitOf = [min, shift](const KeyedNumber& item) {
            return static_cast<std::size_t>((item.key - min) >> shift) & (kSortDigits - 1);
        };
        std::array<std::size_t, kSortDigits> places{};
        for (const KeyedNumber& item : items) ++places[digitOf(item)];
        if (places[digitOf(items.front())] == items.size()) continue;
        std::size_t before = 0;
        for (std::size_t& place : places) {
            const std::size_t count = place;
            place = before;
            before += count;
        }
        for (const KeyedNumber& item : items) other[places[digitOf(item)]++] = item;
        items.swap(other);
    }
}

}  // namespace altiscope
