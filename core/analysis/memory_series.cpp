#include "core/analysis/memory_series.h"

#include "core/base/parallel.h"
#include "core/store/pyramid.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

namespace {

constexpr RowKind kSample = RowKind::MemorySample;
constexpr auto kTime = rowColumn(kSample, "ts");
constexpr auto kAllocated = rowColumn(kSample, "allocated");
constexpr auto kReserved = rowColumn(kSample, "reserved");
constexpr auto kActive = rowColumn(kSample, "active");

/// Blocks of a pyramid that one call on a worker fills.
constexpr std::size_t kBlocksTogether = 4096;

std::size_t columnOf(MemoryQuantity quantity) {
    if (quantity == MemoryQuantity::Allocated) return kAllocated;
    return quantity == MemoryQuantity::Reserved ? kReserved : kActive;
}

std::optional<std::int64_t> fragmentation(std::optional<std::int64_t> allocated, std::optional<std::int64_t> reserved) {
    if (!allocated || !reserved || *reserved <= 0) return std::nullopt;
    // By way of doubles: nobody reads a billionth of a share, and hostile values cannot overflow them.
    const double share = 1 - static_cast<double>(*allocated) / static_cast<double>(*reserved);
    constexpr double kMostShares = 1e9;
    return std::llround(std::clamp(share, -kMostShares, kMostShares) * static_cast<double>(kWholeShare));
}

}  // namespace

void MemoryExtremes::add(std::int64_t value) {
    least = std::min(least, value);
    greatest = std::max(greatest, value);
}

void MemoryExtremes::add(const MemoryExtremes& other) {
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
}

MemorySeries::MemorySeries(std::shared_ptr<const RowTables> rows, std::vector<std::uint32_t> order, std::string component,
                           std::optional<std::int64_t> stream)
    : m_rows(std::move(rows)), m_table(m_rows->find(kSample)), m_order(std::move(order)), m_component(std::move(component)),
      m_stream(stream), m_size(m_order.size()) {
    buildPyramids();
}

MemorySeries::MemorySeries(MemoryQuantity quantity, std::vector<std::int64_t> places, std::vector<std::int64_t> values)
    : m_times(std::move(places)), m_values(std::move(values)), m_quantity(quantity), m_size(m_times.size()) {
    buildPyramids();
}

TimeNs MemorySeries::time(std::size_t sample) const {
    return {m_table == nullptr ? m_times[sample] : m_table->integer(kTime, m_order[sample]).value_or(0)};
}

std::optional<std::int64_t> MemorySeries::value(MemoryQuantity quantity, std::size_t sample) const {
    if (m_table == nullptr) return quantity == m_quantity ? std::optional(m_values[sample]) : std::nullopt;
    const std::size_t row = m_order[sample];
    if (quantity != MemoryQuantity::Fragmentation) return m_table->integer(columnOf(quantity), row);
    return fragmentation(m_table->integer(kAllocated, row), m_table->integer(kReserved, row));
}

void MemorySeries::addSample(std::size_t sample, std::array<MemoryExtremes, kMemoryQuantities>& sums) const {
    const auto add = [&sums](MemoryQuantity quantity, std::optional<std::int64_t> value) {
        if (value) sums[static_cast<std::size_t>(quantity)].add(*value);
    };
    if (m_table == nullptr) return add(m_quantity, m_values[sample]);
    const std::size_t row = m_order[sample];
    const auto allocated = m_table->integer(kAllocated, row), reserved = m_table->integer(kReserved, row);
    add(MemoryQuantity::Allocated, allocated);
    add(MemoryQuantity::Reserved, reserved);
    add(MemoryQuantity::Active, m_table->integer(kActive, row));
    add(MemoryQuantity::Fragmentation, fragmentation(allocated, reserved));
}

/// Level by level; the lowest one reads each sample once for all quantities.
void MemorySeries::buildPyramids() {
    for (auto& nodes : m_nodes) nodes.resize(pyramidNodes(m_size));
    if (m_size <= kPyramidFan) return;
    std::size_t count = (m_size + kPyramidFan - 1) / kPyramidFan;
    parallelFor((count + kBlocksTogether - 1) / kBlocksTogether, [&](std::size_t part) {
        for (std::size_t block = part * kBlocksTogether; block < std::min(count, (part + 1) * kBlocksTogether); ++block) {
            std::array<MemoryExtremes, kMemoryQuantities> sums;
            for (std::size_t i = block * kPyramidFan; i < std::min(m_size, (block + 1) * kPyramidFan); ++i) addSample(i, sums);
            for (std::size_t q = 0; q < kMemoryQuantities; ++q) m_nodes[q][block] = sums[q];
        }
    });
    for (auto& nodes : m_nodes) {
        std::size_t below = 0, width = count;
        while (width > kPyramidFan) {
            for (std::size_t i = 0; i < width; ++i) nodes[below + width + i / kPyramidFan].add(nodes[below + i]);
            below += width;
            width = (width + kPyramidFan - 1) / kPyramidFan;
        }
    }
}

MemoryExtremes MemorySeries::whole(MemoryQuantity quantity) const { return extremes(quantity, 0, m_size); }

MemoryExtremes MemorySeries::extremes(MemoryQuantity quantity, std::size_t from, std::size_t to) const {
    const std::vector<MemoryExtremes>& nodes = m_nodes[static_cast<std::size_t>(quantity)];
    MemoryExtremes sum;
    const auto addLeaves = [&](std::size_t begin, std::size_t end) {
        for (; begin < end; ++begin) {
            if (const auto known = value(quantity, begin)) sum.add(*known);
        }
    };
    const std::size_t firstBlock = (from + kPyramidFan - 1) / kPyramidFan, lastBlock = to / kPyramidFan;
    if (nodes.empty() || firstBlock + 2 > lastBlock) {
        addLeaves(from, to);
        return sum;
    }
    const auto block = [&nodes](std::size_t i) { return nodes[i]; };
    const auto merge = [](MemoryExtremes a, const MemoryExtremes& b) {
        a.add(b);
        return a;
    };
    // The blocks are the leaves of the levels above them.
    const std::size_t blocks = (m_size + kPyramidFan - 1) / kPyramidFan;
    sum = foldPyramid<MemoryExtremes>(blocks, nodes.data() + blocks, firstBlock, lastBlock, block, merge);
    const std::size_t begin = firstBlock * kPyramidFan, end = lastBlock * kPyramidFan;
    // A block at the edge is looked into only if any of it could make a difference: mostly it could not.
    const auto matters = [&sum](const MemoryExtremes& edge) { return edge.any() && (edge.least < sum.least || edge.greatest > sum.greatest); };
    if (from < begin && matters(nodes[firstBlock - 1])) addLeaves(from, begin);
    if (end < to && matters(nodes[lastBlock])) addLeaves(end, to);
    return sum;
}

std::size_t MemorySeries::firstAt(TimeNs time, std::size_t from, std::size_t to) const {
    while (from < to) {
        const std::size_t middle = from + (to - from) / 2;
        if (this->time(middle) < time) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

/// The last value of samples [from, to).
std::optional<std::int64_t> MemorySeries::lastBefore(MemoryQuantity quantity, std::size_t from, std::size_t to) const {
    const auto& nodes = m_nodes[static_cast<std::size_t>(quantity)];
    while (to > from) {
        if (to % kPyramidFan == 0 && to - from >= kPyramidFan && !nodes.empty() && !nodes[to / kPyramidFan - 1].any()) {
            to -= kPyramidFan;
            continue;
        }
        if (const auto known = value(quantity, --to)) return known;
    }
    return std::nullopt;
}

std::optional<std::int64_t> MemorySeries::valueAt(MemoryQuantity quantity, TimeNs time) const {
    return lastBefore(quantity, 0, firstAt({time.value + 1}));
}

std::optional<std::size_t> MemorySeries::peak(MemoryQuantity quantity, std::size_t from, std::size_t to) const {
    const MemoryExtremes all = extremes(quantity, from, to);
    if (!all.any()) return std::nullopt;
    const auto& nodes = m_nodes[static_cast<std::size_t>(quantity)];
    for (std::size_t i = from; i < to;) {
        const bool isBlock = i % kPyramidFan == 0 && i + kPyramidFan <= to && !nodes.empty();
        if (isBlock && nodes[i / kPyramidFan].greatest < all.greatest) {
            i += kPyramidFan;
            continue;
        }
        if (value(quantity, i) == all.greatest) return i;
        ++i;
    }
    return std::nullopt;
}

std::vector<std::size_t> MemorySeries::borders(TimeRange window, int columns) const {
    std::vector<std::size_t> places;
    places.reserve(static_cast<std::size_t>(columns) + 1);
    const std::int64_t length = window.length().value, whole = length / columns, rest = length % columns;
    std::size_t at = firstAt(window.begin);
    const std::size_t last = firstAt(window.end, at, m_size);
    for (std::int64_t column = 0; column <= columns; ++column) {
        // The first time of a column, exact: ceil(column * length / columns).
        const TimeNs begin = window.begin + DurationNs{column * whole + (column * rest + columns - 1) / columns};
        // The next border is rarely far away; steps that double find it without a search through all.
        std::size_t low = at, step = 1;
        while (low + step < last && time(low + step) < begin) {
            low += step;
            step *= 2;
        }
        at = firstAt(begin, low, std::min(last, low + step));
        places.push_back(at);
    }
    return places;
}

std::vector<MemoryExtremes> MemorySeries::envelope(MemoryQuantity quantity, const std::vector<std::size_t>& borders) const {
    std::vector<MemoryExtremes> columns(borders.size() - 1);
    auto held = lastBefore(quantity, 0, borders.front());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (held) columns[i].add(*held);
        if (borders[i] == borders[i + 1]) continue;
        columns[i].add(extremes(quantity, borders[i], borders[i + 1]));
        if (const auto newer = lastBefore(quantity, borders[i], borders[i + 1])) held = newer;
    }
    return columns;
}

}  // namespace altiscope
