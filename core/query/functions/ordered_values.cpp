#include "core/query/functions/ordered_values.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace altiscope {

namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
/// Numbers between two looks at the token, some 100 us.
constexpr std::size_t kNumbersPerLook = std::size_t{1} << 16;

std::uint64_t keyOf(std::int64_t value) { return std::bit_cast<std::uint64_t>(value) ^ kSign; }
std::int64_t integerOf(std::uint64_t key) { return std::bit_cast<std::int64_t>(key ^ kSign); }

std::uint64_t keyOf(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
}
double realOf(std::uint64_t key) { return std::bit_cast<double>((key & kSign) != 0 ? key ^ kSign : ~key); }

}  // namespace

void OrderedValues::add(std::int64_t value) {
    m_keys.push_back(m_areReals ? keyOf(static_cast<double>(value)) : keyOf(value));
}

void OrderedValues::add(double value) {
    if (!m_areReals) {
        for (std::uint64_t& key : m_keys) key = keyOf(static_cast<double>(integerOf(key)));
        m_areReals = true;
    }
    m_keys.push_back(keyOf(value));
}

std::optional<std::uint64_t> OrderedValues::keyAt(std::size_t place, const CancelToken& cancel) const {
    // Digit by digit, the largest first: how many keys have each of its values among those that share the digits found
    // so far.
    constexpr unsigned kBits = 16;
    std::uint64_t found = 0, mask = 0;
    for (unsigned shift = 64; shift > 0;) {
        shift -= kBits;
        std::vector<std::size_t> counts(std::size_t{1} << kBits);
        for (std::size_t i = 0; i < m_keys.size(); ++i) {
            if (i % kNumbersPerLook == 0 && cancel.cancelled()) return std::nullopt;
            if ((m_keys[i] & mask) == found) ++counts[(m_keys[i] >> shift) & 0xffffU];
        }
        std::uint64_t digit = 0;
        for (; place >= counts[digit]; ++digit) place -= counts[digit];
        found |= digit << shift;
        mask |= std::uint64_t{0xffff} << shift;
    }
    return found;
}

std::optional<OrderedValues::Value> OrderedValues::percentile(double share, const CancelToken& cancel) {
    constexpr std::size_t kFew = 65536;
    const double place = share / 100 * static_cast<double>(m_keys.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, m_keys.size() - 1);
    const double part = place - static_cast<double>(below);
    std::uint64_t lower = 0, upper = 0;
    if (m_keys.size() <= kFew) {
        const auto at = m_keys.begin() + static_cast<std::ptrdiff_t>(below);
        std::nth_element(m_keys.begin(), at, m_keys.end());
        lower = *at;
        upper = above == below ? lower : *std::min_element(at + 1, m_keys.end());
    } else {
        const auto first = keyAt(below, cancel);
        const auto second = part > 0 ? keyAt(above, cancel) : first;
        if (!first || !second) return std::nullopt;
        lower = *first;
        upper = *second;
    }
    if (part == 0) upper = lower;
    if (m_areReals)
        return Value{std::nullopt, lower == upper ? realOf(lower) : std::lerp(realOf(lower), realOf(upper), part)};
    if (lower == upper) return Value{integerOf(lower), 0};
    // The distance of two integers may need 64 bits.
    const auto apart = static_cast<long double>(upper - lower);
    return Value{std::nullopt, static_cast<double>(static_cast<long double>(integerOf(lower)) +
                                                   apart * static_cast<long double>(part))};
}

}  // namespace altiscope
