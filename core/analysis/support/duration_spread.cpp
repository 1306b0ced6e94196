#include "core/analysis/support/duration_spread.h"

#include "core/base/threads/parallel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <memory>

namespace altiscope {

namespace {

// Durations are counted by keys that keep the highest bit and the five below it: 32 keys for each power of two.
constexpr unsigned kFineBits = 5;
constexpr std::size_t kKeys = (63 - kFineBits + 1) << kFineBits;
// Buckets that people see keep two bits below the highest.
constexpr unsigned kCoarseBits = 2;
constexpr std::uint64_t kFew = 4096;
constexpr std::size_t kPiece = std::size_t{1} << 18;

using Counts = std::array<std::uint32_t, kKeys>;

constexpr std::size_t keyOf(std::uint64_t value, unsigned bits) {
    if (value < std::uint64_t{1} << bits) return static_cast<std::size_t>(value);
    const unsigned above = static_cast<unsigned>(std::bit_width(value)) - 1 - bits;
    return static_cast<std::size_t>((std::uint64_t{above} << bits) + (value >> above));
}

/// The smallest value of a key.
constexpr std::int64_t lowestOf(std::size_t key, unsigned bits) {
    const std::size_t size = std::size_t{1} << bits;
    if (key < 2 * size) return static_cast<std::int64_t>(key);
    const std::size_t above = (key >> bits) - 1;
    return static_cast<std::int64_t>((key - (above << bits)) << above);
}

DurationParts piecesOf(const DurationParts& parts) {
    DurationParts pieces;
    for (std::span<const std::int64_t> part : parts) {
        for (; part.size() > kPiece; part = part.subspan(kPiece)) pieces.push_back(part.first(kPiece));
        if (!part.empty()) pieces.push_back(part);
    }
    return pieces;
}

std::uint64_t countOf(const DurationParts& parts) {
    std::uint64_t count = 0;
    for (const auto& part : parts) count += part.size();
    return count;
}

/// Calls body(group, piece) for each piece; those of one group come one after the other.
template <class Body>
void inGroups(const DurationParts& pieces, std::size_t groups, const CancelToken& cancel, Body body) {
    parallelFor(groups, [&](std::size_t g) {
        for (std::size_t p = pieces.size() * g / groups; p < pieces.size() * (g + 1) / groups && !cancel.cancelled();
             ++p)
            body(g, pieces[p]);
    });
}

std::size_t groupsFor(const DurationParts& pieces) { return std::min<std::size_t>(8, 1 + pieces.size() / 4); }

std::vector<std::uint64_t> countKeys(const DurationParts& pieces, const CancelToken& cancel) {
    const std::size_t groups = groupsFor(pieces);
    std::vector<Counts> counts(groups);
    inGroups(pieces, groups, cancel, [&](std::size_t g, std::span<const std::int64_t> piece) {
        for (const std::int64_t value : piece) ++counts[g][keyOf(static_cast<std::uint64_t>(value), kFineBits)];
    });
    std::vector<std::uint64_t> all(kKeys);
    for (const Counts& some : counts) {
        for (std::size_t key = 0; key < kKeys; ++key) all[key] += some[key];
    }
    return all;
}

/// The durations whose key is wanted.
std::vector<std::int64_t> valuesOf(const DurationParts& pieces, std::size_t key, const CancelToken& cancel) {
    const std::int64_t min = lowestOf(key, kFineBits);
    const auto width = static_cast<std::uint64_t>(lowestOf(key + 1, kFineBits) - min);
    const std::size_t groups = groupsFor(pieces);
    std::vector<std::vector<std::int64_t>> found(groups);
    inGroups(pieces, groups, cancel, [&](std::size_t g, std::span<const std::int64_t> piece) {
        for (const std::int64_t value : piece) {
            if (static_cast<std::uint64_t>(value - min) < width) found[g].push_back(value);
        }
    });
    std::vector<std::int64_t> values = std::move(found[0]);
    for (std::size_t g = 1; g < groups; ++g) values.insert(values.end(), found[g].begin(), found[g].end());
    return values;
}

/// The value at a place of the sorted values.
std::int64_t select(std::vector<std::int64_t>& values, std::uint64_t place) {
    const auto nth = values.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(values.begin(), nth, values.end());
    return *nth;
}

}  // namespace

std::optional<DurationPercentiles> percentilesOf(const DurationParts& parts, const CancelToken& cancel) {
    const std::uint64_t count = countOf(parts);
    if (count == 0) return std::nullopt;
    std::array<std::uint64_t, 3> places{50, 95, 99};
    for (std::uint64_t& place : places) place = (count * place + 99) / 100 - 1;
    std::array<std::int64_t, 3> found{};
    if (count <= kFew) {
        std::vector<std::int64_t> values;
        values.reserve(count);
        for (const auto& part : parts) values.insert(values.end(), part.begin(), part.end());
        for (std::size_t i = 0; i < 3; ++i) found[i] = select(values, places[i]);
        return DurationPercentiles{found[0], found[1], found[2]};
    }
    const DurationParts pieces = piecesOf(parts);
    const std::vector<std::uint64_t> counts = countKeys(pieces, cancel);
    if (cancel.cancelled()) return std::nullopt;
    std::uint64_t before = 0;
    std::size_t key = 0, selected = kKeys;
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < 3; ++i) {
        while (before + counts[key] <= places[i]) before += counts[key++];
        const std::int64_t min = lowestOf(key, kFineBits);
        if (lowestOf(key + 1, kFineBits) - min == 1) {
            found[i] = min;
            continue;
        }
        if (selected != key) values = valuesOf(pieces, key, cancel);
        if (cancel.cancelled()) return std::nullopt;
        selected = key;
        found[i] = select(values, places[i] - before);
    }
    return DurationPercentiles{found[0], found[1], found[2]};
}

std::vector<DurationBucket> histogramOf(const DurationParts& parts, const CancelToken& cancel) {
    std::vector<DurationBucket> buckets;
    const std::vector<std::uint64_t> counts = countKeys(piecesOf(parts), cancel);
    if (cancel.cancelled()) return buckets;
    std::size_t open = 0;
    for (std::size_t key = 0; key < kKeys; ++key) {
        if (counts[key] == 0) continue;
        const std::size_t bucket = keyOf(static_cast<std::uint64_t>(lowestOf(key, kFineBits)), kCoarseBits);
        if (buckets.empty()) open = bucket;
        for (; open <= bucket; ++open)
            buckets.push_back({lowestOf(open, kCoarseBits), lowestOf(open + 1, kCoarseBits), 0});
        buckets.back().count += counts[key];
    }
    return buckets;
}

}  // namespace altiscope
