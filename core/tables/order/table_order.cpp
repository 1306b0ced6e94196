#include "core/tables/order/table_order.h"

#include "core/base/columns/raw_array.h"
#include "core/base/threads/parallel.h"
#include "core/tables/filters/row_filter.h"
#include "core/tables/order/radix_sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace altiscope {

namespace {

/// Rows that a worker takes at a time.
constexpr std::size_t kPiece = 16 * RowFilter::kBlock;

std::size_t pieceCount(std::size_t rows) { return (rows + kPiece - 1) / kPiece; }

/// A cell as a number whose order is that of the cells; 0 if it is absent.
std::uint64_t orderedCell(std::int64_t cell, CellType type) {
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
    if (cell == kAbsentCell) return 0;
    const auto bits = static_cast<std::uint64_t>(cell);
    if (type != CellType::Real) return bits ^ kSign;
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

/// Keys of one column for all rows of the source.
struct KeyColumn {
    RawArray<std::uint64_t> ordered;  ///< As orderedCell gives them.
    std::uint64_t min = 0, max = 0;
    bool descending = false;
    unsigned bits = 0;  ///< That a key needs.

    /// A small number from 0, absent cells the largest.
    std::uint64_t key(std::size_t row) const {
        const std::uint64_t cell = ordered[row];
        return cell == 0 ? max - min + 1 : descending ? max - cell : cell - min;
    }
};

/// Places of a column's texts in its own order; empty if it has none.
std::vector<std::int64_t> placesOf(const TableSource& source, std::size_t column) {
    const std::vector<std::string>& order = source.columns()[column].order;
    if (order.empty()) return {};
    std::vector<std::int64_t> places(source.textCount(column));
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto number = static_cast<std::int64_t>(i);
        const auto found = std::find(order.begin(), order.end(), source.text(column, number));
        places[i] = found == order.end() ? static_cast<std::int64_t>(order.size()) + number : found - order.begin();
    }
    return places;
}

KeyColumn keysOf(const TableSource& source, SortKey sort, const CancelToken& cancel) {
    struct Extent {
        std::uint64_t min = std::numeric_limits<std::uint64_t>::max(), max = 0;
    };
    const std::size_t rows = source.rowCount();
    const CellType type = source.columns()[sort.column].type;
    KeyColumn column;
    column.ordered = RawArray<std::uint64_t>(rows);
    column.descending = sort.descending;
    std::vector<Extent> extents(pieceCount(rows));
    const std::vector<std::int64_t> places = placesOf(source, sort.column);
    parallelFor(extents.size(), [&](std::size_t piece) {
        if (cancel.cancelled()) return;
        std::vector<std::int64_t> cells(std::min(kPiece, rows - piece * kPiece));
        source.read(sort.column, piece * kPiece, cells);
        Extent extent;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::int64_t cell =
                places.empty() || cells[i] == kAbsentCell ? cells[i] : places[static_cast<std::size_t>(cells[i])];
            const std::uint64_t key = orderedCell(cell, type);
            column.ordered[piece * kPiece + i] = key;
            if (key == 0) continue;
            extent.min = std::min(extent.min, key);
            extent.max = std::max(extent.max, key);
        }
        extents[piece] = extent;
    });
    Extent all;
    for (const Extent& extent : extents) {
        all.min = std::min(all.min, extent.min);
        all.max = std::max(all.max, extent.max);
    }
    if (all.max != 0) column.min = all.min;  // else nothing but absent cells
    column.max = all.max;
    column.bits = static_cast<unsigned>(std::bit_width(column.max - column.min + 1));
    return column;
}

/// The keys of several columns in one: for each row a number whose order is that of all of them.
struct RowKeys {
    RawArray<std::uint64_t> keys;
    unsigned bits = 0;
};

RowKeys keysFrom(KeyColumn column) {
    parallelFor(pieceCount(column.ordered.size()), [&](std::size_t piece) {
        const std::size_t end = std::min(column.ordered.size(), (piece + 1) * kPiece);
        for (std::size_t i = piece * kPiece; i < end; ++i) column.ordered[i] = column.key(i);
    });
    return {std::move(column.ordered), column.bits};
}

/// Puts a weightier column before the keys where 64 bits hold both. @return Whether they do.
bool combine(RowKeys& rows, const KeyColumn& weightier) {
    if (rows.bits + weightier.bits > 64) return false;
    parallelFor(pieceCount(rows.keys.size()), [&](std::size_t piece) {
        const std::size_t end = std::min(rows.keys.size(), (piece + 1) * kPiece);
        for (std::size_t i = piece * kPiece; i < end; ++i) rows.keys[i] |= weightier.key(i) << rows.bits;
    });
    rows.bits += weightier.bits;
    return true;
}

/// Rows of each piece that pass, in order.
using Pieces = std::vector<std::vector<std::uint32_t>>;

void filterPiece(const RowFilter& filter, std::size_t rows, std::size_t piece, std::vector<std::uint32_t>& passed) {
    std::array<std::uint8_t, RowFilter::kBlock> mask;
    const std::size_t end = std::min(rows, (piece + 1) * kPiece);
    for (std::size_t first = piece * kPiece; first < end; first += RowFilter::kBlock) {
        const std::size_t count = std::min(RowFilter::kBlock, end - first);
        filter.match(first, {mask.data(), count});
        const std::size_t before = passed.size();
        passed.resize(before + count);
        std::size_t used = before;
        for (std::size_t i = 0; i < count; ++i) {
            passed[used] = static_cast<std::uint32_t>(first + i);
            used += mask[i];
        }
        passed.resize(used);
    }
}

std::vector<std::uint32_t> joined(const Pieces& pieces) {
    std::vector<std::size_t> begins(pieces.size() + 1, 0);
    for (std::size_t i = 0; i < pieces.size(); ++i) begins[i + 1] = begins[i] + pieces[i].size();
    std::vector<std::uint32_t> rows(begins.back());
    parallelFor(pieces.size(), [&](std::size_t i) {
        std::copy(pieces[i].begin(), pieces[i].end(), rows.begin() + static_cast<std::ptrdiff_t>(begins[i]));
    });
    return rows;
}

/// Finds the rows that pass; tells the first ones as soon as there are enough, if nothing has to be sorted.
std::vector<std::uint32_t> filteredRows(const RowFilter& filter, std::size_t rows, std::size_t enough,
                                        const std::function<void(std::vector<std::uint32_t>)>& report,
                                        const CancelToken& cancel) {
    // A few pieces at a time at first, so that the beginning is known before the end is looked at.
    Pieces pieces(pieceCount(rows));
    std::size_t found = 0;
    bool reported = !report;
    for (std::size_t first = 0, step = 8; first < pieces.size() && !cancel.cancelled(); first += step, step *= 2) {
        const std::size_t count = std::min(step, pieces.size() - first);
        parallelFor(count, [&](std::size_t i) {
            if (!cancel.cancelled()) filterPiece(filter, rows, first + i, pieces[first + i]);
        });
        for (std::size_t i = first; i < first + count; ++i) found += pieces[i].size();
        if (reported || found < enough || first + count == pieces.size()) continue;
        reported = true;
        std::vector<std::uint32_t> begin;
        for (std::size_t i = 0; begin.size() < enough; ++i)
            begin.insert(begin.end(), pieces[i].begin(), pieces[i].end());
        begin.resize(enough);
        report(std::move(begin));
    }
    return joined(pieces);
}

struct KeyedRow {
    std::uint64_t key = 0;
    std::uint32_t row = 0;
    bool operator<(const KeyedRow& other) const { return key != other.key ? key < other.key : row < other.row; }
};

/// Sorts rows by one key; rows with equal keys keep their order.
void sortRows(std::vector<std::uint32_t>& rows, const RowKeys& column, std::size_t sourceRows,
              const CancelToken& cancel) {
    const auto rowBits = static_cast<unsigned>(std::bit_width(sourceRows));
    if (column.bits + rowBits <= 64) {
        RawArray<std::uint64_t> items(rows.size());
        parallelFor(pieceCount(rows.size()), [&](std::size_t piece) {
            const std::size_t end = std::min(rows.size(), (piece + 1) * kPiece);
            for (std::size_t i = piece * kPiece; i < end; ++i) items[i] = column.keys[rows[i]] << rowBits | rows[i];
        });
        radixSort(
            items, column.bits, [rowBits](std::uint64_t item) { return item >> rowBits; }, cancel);
        const std::uint64_t mask = (std::uint64_t{1} << rowBits) - 1;
        parallelFor(pieceCount(rows.size()), [&](std::size_t piece) {
            const std::size_t end = std::min(rows.size(), (piece + 1) * kPiece);
            for (std::size_t i = piece * kPiece; i < end; ++i) rows[i] = static_cast<std::uint32_t>(items[i] & mask);
        });
        return;
    }
    RawArray<KeyedRow> items(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) items[i] = {column.keys[rows[i]], rows[i]};
    radixSort(
        items, column.bits, [](const KeyedRow& item) { return item.key; }, cancel);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = items[i].row;
}

/// The first rows by one key, found in one pass: each worker keeps the best ones of its part.
std::vector<std::uint32_t> lowestRows(const std::vector<std::uint32_t>& rows, const KeyColumn& column,
                                      std::size_t enough, const CancelToken& cancel) {
    std::vector<std::vector<KeyedRow>> best(pieceCount(rows.size()));
    const auto keepBest = [enough](std::vector<KeyedRow>& items) {
        if (items.size() <= enough) return;
        std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(enough) - 1, items.end());
        items.resize(enough);
    };
    parallelFor(best.size(), [&](std::size_t piece) {
        if (cancel.cancelled()) return;
        std::vector<KeyedRow>& items = best[piece];
        // Greater keys than this one are not among the best.
        std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
        const std::size_t end = std::min(rows.size(), (piece + 1) * kPiece);
        for (std::size_t i = piece * kPiece; i < end; ++i) {
            const std::uint64_t key = column.key(rows[i]);
            if (key > limit) continue;
            items.push_back({key, rows[i]});
            if (items.size() < 4 * enough) continue;
            keepBest(items);
            limit = items.back().key;
        }
        keepBest(items);
    });
    std::vector<KeyedRow> all;
    for (const auto& items : best) all.insert(all.end(), items.begin(), items.end());
    keepBest(all);
    std::sort(all.begin(), all.end());
    std::vector<std::uint32_t> first(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) first[i] = all[i].row;
    return first;
}

/// The first rows by several columns: those that the first column alone puts there, and all that equal the last of them
/// in it, in the order of the others. nullopt if those are too many for that to be quick.
std::optional<std::vector<std::uint32_t>> lowestRows(const TableSource& source, const std::vector<std::uint32_t>& rows,
                                                     const KeyColumn& column, std::span<const SortKey> others,
                                                     std::size_t enough, const CancelToken& cancel) {
    constexpr std::size_t kMaxEqual = std::size_t{1} << 18;
    std::vector<std::uint32_t> first = lowestRows(rows, column, enough, cancel);
    if (others.empty() || first.empty()) return first;
    const std::uint64_t limit = column.key(first.back());
    Pieces pieces(pieceCount(rows.size()));
    parallelFor(pieces.size(), [&](std::size_t piece) {
        const std::size_t end = std::min(rows.size(), (piece + 1) * kPiece);
        for (std::size_t i = piece * kPiece; i < end; ++i) {
            if (column.key(rows[i]) <= limit && pieces[piece].size() <= kMaxEqual) pieces[piece].push_back(rows[i]);
        }
    });
    std::vector<std::uint32_t> candidates = joined(pieces);
    if (candidates.size() > kMaxEqual || cancel.cancelled()) return std::nullopt;
    // By the least weighty column first, as equal rows keep their order.
    for (std::size_t k = others.size(); k-- > 0;) {
        const std::size_t which = others[k].column;
        const std::vector<std::int64_t> places = placesOf(source, which);
        std::vector<std::pair<std::uint64_t, std::uint32_t>> keyed;
        keyed.reserve(candidates.size());
        for (const std::uint32_t row : candidates) {
            const std::int64_t cell = source.cell(which, row);
            const std::int64_t placed =
                places.empty() || cell == kAbsentCell ? cell : places[static_cast<std::size_t>(cell)];
            const std::uint64_t key = orderedCell(placed, source.columns()[which].type);
            keyed.emplace_back(key == 0               ? std::numeric_limits<std::uint64_t>::max()
                               : others[k].descending ? ~key
                                                      : key,
                               row);
        }
        std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t i = 0; i < keyed.size(); ++i) candidates[i] = keyed[i].second;
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return column.key(a) < column.key(b); });
    candidates.resize(std::min(enough, candidates.size()));
    return candidates;
}

void findPlace(TableRows& result, const TableQuery& query) {
    if (!query.follow) return;
    if (result.rows.empty()) {
        if (*query.follow < result.count) result.place = *query.follow;
        return;
    }
    const auto found = std::find(result.rows.begin(), result.rows.end(), *query.follow);
    if (found != result.rows.end()) result.place = static_cast<std::size_t>(found - result.rows.begin());
}

}  // namespace

std::optional<TableRows> orderRows(const TableSource& source, const TableQuery& query,
                                   const std::function<void(TableRows)>& publish, const CancelToken& cancel) {
    const std::size_t all = source.rowCount();
    const bool costly = all > kPiece;  // else the first rows are not known any sooner
    const auto report = [&](std::vector<std::uint32_t> first) {
        if (cancel.cancelled() || !publish) return;
        TableRows result{.total = all, .count = first.size(), .rows = std::move(first), .complete = false, .place = {}};
        publish(std::move(result));
    };
    TableRows result{.total = all, .count = all, .rows = {}, .place = {}};
    if (query.filter) {
        std::function<void(std::vector<std::uint32_t>)> early;
        if (query.sort.empty() && costly) early = report;
        result.rows = filteredRows(*query.filter, all, query.firstRows, early, cancel);
        result.count = result.rows.size();
        result.tooCostly = query.filter->tooCostly();
    } else if (!query.sort.empty()) {
        result.rows.resize(all);
        std::iota(result.rows.begin(), result.rows.end(), std::uint32_t{0});
    }
    if (!query.sort.empty() && !cancel.cancelled()) {
        KeyColumn first = keysOf(source, query.sort.front(), cancel);
        if (costly && publish) {
            auto min =
                lowestRows(source, result.rows, first, std::span(query.sort).subspan(1), query.firstRows, cancel);
            if (min) report(*std::move(min));
        }
        // From the least weighty column on, as many at a time as fit into one key.
        for (std::size_t i = query.sort.size(); i > 0 && !cancel.cancelled();) {
            const auto columnOf = [&](std::size_t place) {
                return place == 0 ? std::move(first) : keysOf(source, query.sort[place], cancel);
            };
            KeyColumn column = columnOf(--i);
            RowKeys keys = keysFrom(std::move(column));
            while (i > 0 && !cancel.cancelled()) {
                KeyColumn weightier = columnOf(i - 1);
                if (!combine(keys, weightier)) {
                    if (i == 1) first = std::move(weightier);
                    break;
                }
                --i;
            }
            sortRows(result.rows, keys, all, cancel);
        }
    }
    if (cancel.cancelled()) return std::nullopt;
    findPlace(result, query);
    return result;
}

}  // namespace altiscope
