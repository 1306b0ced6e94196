#include "core/analysis/memory/memory_series.h"

#include "core/analysis/support/cell_reader.h"
#include "core/base/threads/parallel.h"
#include "core/store/columns/pyramid.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

namespace {

constexpr RowKind kSample = RowKind::MemorySample;
constexpr auto kTime = fixedColumn(kSample, "ts");
constexpr auto kAllocated = fixedColumn(kSample, "allocated");
constexpr auto kReserved = fixedColumn(kSample, "reserved");
constexpr auto kActive = fixedColumn(kSample, "active");

/// Blocks of a pyramid that one call on a worker fills.
constexpr std::size_t kBlocksTogether = 4096;

std::size_t columnOf(MemoryQuantity quantity) {
    if (quantity == MemoryQuantity::Allocated) return kAllocated;
    return quantity == MemoryQuantity::Reserved ? kReserved : kActive;
}

/// By way of doubles: nobody reads a billionth of a share, and hostile values cannot overflow them. @pre reserved > 0
double unusedShare(std::int64_t allocated, std::int64_t reserved) {
    return 1 - static_cast<double>(allocated) / static_cast<double>(reserved);
}

std::int64_t roundedShare(double share) {
    constexpr double kMaxShares = 1e9;
    return std::llround(std::clamp(share, -kMaxShares, kMaxShares) * static_cast<double>(kWholeShare));
}

std::optional<std::int64_t> fragmentation(std::optional<std::int64_t> allocated, std::optional<std::int64_t> reserved) {
    if (!allocated || !reserved || *reserved <= 0) return std::nullopt;
    return roundedShare(unusedShare(*allocated, *reserved));
}

}  // namespace

void MemoryExtremes::add(std::int64_t value) {
    min = std::min(min, value);
    max = std::max(max, value);
}

void MemoryExtremes::add(const MemoryExtremes& other) {
    min = std::min(min, other.min);
    max = std::max(max, other.max);
}

MemorySeries::MemorySeries(std::shared_ptr<const RowTables> rows, std::vector<std::uint32_t> order, MemoryOwner owner)
    : m_rows(std::move(rows)), m_table(m_rows->find(kSample)), m_order(std::move(order)), m_owner(std::move(owner)),
      m_size(m_order.size()) {
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

/// Blocks [first, last) of the lowest level; each sample is read once for all quantities.
void MemorySeries::sumBlocks(std::size_t first, std::size_t last) {
    const std::size_t end = std::min(m_size, last * kPyramidFan);
    if (m_table == nullptr) {
        for (std::size_t i = first * kPyramidFan; i < end; ++i)
            m_nodes[static_cast<std::size_t>(m_quantity)][i / kPyramidFan].add(m_values[i]);
        return;
    }
    const auto begin = m_order.begin();
    // Rows that jump would have a block of the table unpacked for each.
    if (std::is_sorted(begin + static_cast<std::ptrdiff_t>(first * kPyramidFan),
                       begin + static_cast<std::ptrdiff_t>(end))) {
        CellReader allocated(*m_table, kAllocated), reserved(*m_table, kReserved), active(*m_table, kActive);
        sumSamples(first, end, [&](std::size_t row) {
            return std::array{allocated.at(row), reserved.at(row), active.at(row)};
        });
    } else {
        const auto cell = [&](std::size_t column, std::size_t row) {
            return m_table->integer(column, row).value_or(kNoCell);
        };
        sumSamples(first, end, [&](std::size_t row) {
            return std::array{cell(kAllocated, row), cell(kReserved, row), cell(kActive, row)};
        });
    }
}

template <class Read>
void MemorySeries::sumSamples(std::size_t firstBlock, std::size_t end, Read read) {
    constexpr MemoryQuantity kRead[] = {MemoryQuantity::Allocated, MemoryQuantity::Reserved, MemoryQuantity::Active};
    for (std::size_t block = firstBlock; block * kPyramidFan < end; ++block) {
        std::array<MemoryExtremes, std::size(kRead)> sums;
        // Rounding keeps the order, so that shares need not be rounded before the extremes are known.
        double min = std::numeric_limits<double>::max(), max = std::numeric_limits<double>::lowest();
        for (std::size_t i = block * kPyramidFan; i < std::min(end, (block + 1) * kPyramidFan); ++i) {
            const std::array<std::int64_t, std::size(kRead)> cells = read(m_order[i]);
            for (std::size_t q = 0; q < cells.size(); ++q) {
                if (cells[q] != kNoCell) sums[q].add(cells[q]);
            }
            if (cells[0] == kNoCell || cells[1] == kNoCell || cells[1] <= 0) continue;
            const double share = unusedShare(cells[0], cells[1]);
            min = std::min(min, share);
            max = std::max(max, share);
        }
        for (std::size_t q = 0; q < sums.size(); ++q) m_nodes[static_cast<std::size_t>(kRead[q])][block] = sums[q];
        MemoryExtremes& shares = m_nodes[static_cast<std::size_t>(MemoryQuantity::Fragmentation)][block];
        if (min <= max) shares = {.min = roundedShare(min), .max = roundedShare(max)};
    }
}

/// Level by level.
void MemorySeries::buildPyramids() {
    for (auto& nodes : m_nodes) nodes.resize(pyramidNodes(m_size));
    if (m_size <= kPyramidFan) return;
    std::size_t count = (m_size + kPyramidFan - 1) / kPyramidFan;
    parallelFor((count + kBlocksTogether - 1) / kBlocksTogether, [&](std::size_t part) {
        sumBlocks(part * kBlocksTogether, std::min(count, (part + 1) * kBlocksTogether));
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
    const auto matters = [&sum](const MemoryExtremes& edge) {
        return edge.any() && (edge.min < sum.min || edge.max > sum.max);
    };
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
        if (isBlock && nodes[i / kPyramidFan].max < all.max) {
            i += kPyramidFan;
            continue;
        }
        if (value(quantity, i) == all.max) return i;
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

std::vector<MemoryExtremes> MemorySeries::envelope(MemoryQuantity quantity,
                                                   const std::vector<std::size_t>& borders) const {
    std::vector<MemoryExtremes> columns(borders.size() - 1);
    auto selected = lastBefore(quantity, 0, borders.front());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (selected) columns[i].add(*selected);
        if (borders[i] == borders[i + 1]) continue;
        columns[i].add(extremes(quantity, borders[i], borders[i + 1]));
        if (const auto newer = lastBefore(quantity, borders[i], borders[i + 1])) selected = newer;
    }
    return columns;
}

}  // namespace altiscope
