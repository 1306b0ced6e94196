#include "core/analysis/kernels/kernel_groups.h"

#include "core/analysis/support/cell_reader.h"
#include "core/analysis/support/saturating.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

constexpr std::uint32_t kNone = KernelSignature::kNoText;
constexpr std::size_t kRowsOfGroupPiece = std::size_t{1} << 16;
/// Cells that are kept for every key and part, whether they have kernels or not.
constexpr std::uint64_t kMaxDense = std::uint64_t{1} << 21;
/// Cells that all workers together keep of their own.
constexpr std::size_t kMaxSums = std::size_t{1} << 19;
constexpr std::size_t kCellsOfMerge = 4096;
constexpr std::size_t kMaxWorkers = 8;

constexpr std::size_t kKernelDuration = fixedColumn(RowKind::Kernel, "dur"),
                      kKernelWait = fixedColumn(RowKind::Kernel, "wait"),
                      kKernelOfStep = fixedColumn(RowKind::Kernel, "step");

/// Squares of ns exceed 64 bits.
__extension__ using Squares = unsigned __int128;

struct CellSums {
    TotalTime time;
    Squares squares = 0;
    std::int64_t wait = 0;
    std::uint64_t waits = 0;

    void add(const CellSums& other) {
        if (other.time.count == 0) return;
        time.min = time.count == 0 ? other.time.min : std::min(time.min, other.time.min);
        time.max = time.count == 0 ? other.time.max : std::max(time.max, other.time.max);
        time.count += other.time.count;
        addSaturated(time.total, other.time.total);
        squares += other.squares;
        addSaturated(wait, other.wait);
        waits += other.waits;
    }
    double deviation() const {
        const auto count = static_cast<long double>(time.count), mean = static_cast<long double>(time.total) / count;
        return static_cast<double>(std::sqrt(std::max(0.0L, static_cast<long double>(squares) / count - mean * mean)));
    }
};

/// What of a signature a grouping goes by.
KernelSignature keyIn(KernelGrouping grouping, const KernelSignature& of) {
    KernelSignature key;
    key.isCollective = of.isCollective;
    switch (grouping) {
    case KernelGrouping::NameAndShape: key.shapes = of.shapes; [[fallthrough]];
    case KernelGrouping::Name: key.name = of.name; [[fallthrough]];
    case KernelGrouping::Type: key.type = of.type; [[fallthrough]];
    case KernelGrouping::Core: key.core = of.core; break;
    case KernelGrouping::CollectiveName: key.name = of.name; [[fallthrough]];
    case KernelGrouping::CollectiveType: key.type = of.type; break;
    }
    return key;
}

void makeKeys(KernelGroups& groups) {
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> known;
    groups.keyOf.assign(groups.index->signatures().size(), kNone);
    for (std::size_t s = 0; s < groups.keyOf.size(); ++s) {
        const KernelSignature& signature = groups.index->signatures()[s];
        if (signature.isCollective != isOfCollectives(groups.grouping)) continue;
        const KernelSignature key = keyIn(groups.grouping, signature);
        const auto [at, isNew] = known.try_emplace({key.name, key.type, key.core, key.shapes},
                                                   static_cast<std::uint32_t>(groups.keys.size()));
        if (isNew) groups.keys.push_back(key);
        groups.keyOf[s] = at->second;
    }
}

/// Walks over the kernels of a piece that have a key and a length.
template <class Body>
void forKernels(const KernelGroups& groups, const IndexPiece& piece, Body body) {
    const KernelIndex& index = *groups.index;
    const RowTable& table = index.table(piece.part);
    const auto& rows = index.selected()[piece.part].rows;
    const std::span<const std::uint32_t> signatures = index.signaturesOf(piece.part);
    CellReader duration(table, kKernelDuration), step(table, kKernelOfStep);
    std::int64_t lastStep = kNoCell;
    std::size_t part = groups.split == KernelSplit::Rank   ? piece.part
                       : groups.split == KernelSplit::Step ? index.steps().size()
                                                           : 0;
    for (std::size_t i = piece.first; i < piece.last; ++i) {
        const std::uint32_t key = groups.keyOf[signatures[i]];
        if (key == kNone) continue;
        const std::int64_t length = duration.at(rows[i]);
        if (length == kNoCell) continue;
        if (groups.split == KernelSplit::Step) {
            const std::int64_t of = step.at(rows[i]);
            if (std::exchange(lastStep, of) != of) {
                const auto at = std::lower_bound(index.steps().begin(), index.steps().end(), of);
                // Those without a step stand after the others.
                part = of == kNoCell ? index.steps().size() : static_cast<std::size_t>(at - index.steps().begin());
            }
        }
        // Neighbours are mostly of the same step: what they add to lies together.
        body(i, static_cast<std::uint64_t>(part) * groups.keys.size() + key, length);
    }
}

/// The same over a whole part.
template <class Body>
void forKernelsOfPart(const KernelGroups& groups, std::size_t part, const CancelToken& cancel, Body body) {
    const std::size_t rows = groups.index->selected()[part].rows.size();
    for (std::size_t first = 0; first < rows && !cancel.cancelled(); first += kRowsOfGroupPiece)
        forKernels(groups, {part, first, std::min(rows, first + kRowsOfGroupPiece)}, body);
}

/// The kernels in about equal shares, each for one worker after the other.
std::vector<std::vector<IndexPiece>> sharesOf(const KernelIndex& index, std::size_t most) {
    const std::vector<IndexPiece> pieces = piecesOf(index.selected(), kRowsOfGroupPiece);
    std::vector<std::vector<IndexPiece>> shares(
        std::clamp<std::size_t>(pieces.size() / 2, 1, std::max<std::size_t>(1, most)));
    for (std::size_t s = 0; s < shares.size(); ++s)
        shares[s].assign(pieces.begin() + static_cast<std::ptrdiff_t>(pieces.size() * s / shares.size()),
                         pieces.begin() + static_cast<std::ptrdiff_t>(pieces.size() * (s + 1) / shares.size()));
    return shares;
}

/// Numbers cells where key * part would be far more than there are.
void makeSparse(KernelGroups& groups, const CancelToken& cancel) {
    if (static_cast<std::uint64_t>(groups.keys.size()) * groups.parts <= kMaxDense || groups.split == KernelSplit::None)
        return;
    for (const IndexPiece& piece : piecesOf(groups.index->selected(), kRowsOfGroupPiece)) {
        if (cancel.cancelled()) return;
        forKernels(groups, piece, [&](std::size_t, std::uint64_t cell, std::int64_t) {
            groups.sparse.try_emplace(cell, static_cast<std::uint32_t>(groups.sparse.size()));
        });
    }
}

std::size_t cellsOf(const KernelGroups& groups) {
    return groups.sparse.empty() ? groups.keys.size() * groups.parts : groups.sparse.size();
}
std::size_t placeOf(const KernelGroups& groups, std::uint64_t cell) {
    return groups.sparse.empty() ? static_cast<std::size_t>(cell) : groups.sparse.at(cell);
}

std::vector<CellSums> sumCells(const KernelGroups& groups, const CancelToken& cancel) {
    const std::size_t cells = cellsOf(groups);
    const auto shares = sharesOf(*groups.index, std::min(kMaxWorkers, kMaxSums / std::max<std::size_t>(1, cells)));
    std::vector<std::vector<CellSums>> sums(shares.size());
    parallelFor(shares.size(), [&](std::size_t s) {
        sums[s].resize(cells);
        for (const IndexPiece& piece : shares[s]) {
            if (cancel.cancelled()) return;
            CellReader wait(groups.index->table(piece.part), kKernelWait);
            const auto& rows = groups.index->selected()[piece.part].rows;
            forKernels(groups, piece, [&](std::size_t i, std::uint64_t at, std::int64_t length) {
                CellSums& cell = sums[s][placeOf(groups, at)];
                cell.time.add(length);
                const auto size = static_cast<std::uint64_t>(std::abs(length));
                cell.squares += Squares{size} * size;
                const std::int64_t waited = wait.at(rows[i]);
                if (waited == kNoCell) return;
                addSaturated(cell.wait, waited);
                ++cell.waits;
            });
        }
    });
    parallelFor((cells + kCellsOfMerge - 1) / kCellsOfMerge, [&](std::size_t part) {
        const std::size_t last = std::min(cells, (part + 1) * kCellsOfMerge);
        for (std::size_t s = 1; s < sums.size() && !sums[s].empty() && !sums[0].empty(); ++s) {
            for (std::size_t cell = part * kCellsOfMerge; cell < last; ++cell) sums[0][cell].add(sums[s][cell]);
        }
    });
    return std::move(sums[0]);
}

void makeGroups(KernelGroups& groups, const std::vector<CellSums>& sums) {
    const KernelIndex& index = *groups.index;
    std::vector<std::uint64_t> cells(groups.sparse.size());  // of places; without these a place is its cell
    for (const auto& [cell, place] : groups.sparse) cells[place] = cell;
    const auto groupOf = [&](std::uint32_t place) {
        const std::uint64_t cell = cells.empty() ? place : cells[place];
        const auto part = static_cast<std::size_t>(cell / groups.keys.size());
        const CellSums& of = sums[place];
        KernelGroup group{.key = static_cast<std::uint32_t>(cell % groups.keys.size()),
                          .step = {},
                          .part = 0,
                          .time = of.time,
                          .deviation = of.deviation(),
                          .wait = of.wait,
                          .waits = of.waits};
        if (groups.split == KernelSplit::Rank) group.part = static_cast<std::uint32_t>(part);
        if (groups.split == KernelSplit::Step && part < index.steps().size()) group.step = index.steps()[part];
        return group;
    };
    // Totals alone decide nearly always, and lie together here.
    std::vector<std::pair<std::int64_t, std::uint32_t>> order;
    CellSums all;
    for (std::uint32_t place = 0; place < sums.size(); ++place) {
        if (sums[place].time.count == 0) continue;
        all.add(sums[place]);
        order.emplace_back(sums[place].time.total, place);
    }
    groups.all = all.time;
    const auto texts = [&](std::uint32_t place) {
        const KernelGroup group = groupOf(place);
        const KernelSignature& key = groups.keys[group.key];
        return std::tuple(index.text(key.name), index.text(key.type), index.text(key.core), index.text(key.shapes),
                          group.step, group.part);
    };
    std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
        if (a.first != b.first) return a.first > b.first;
        return texts(a.second) < texts(b.second);
    });
    groups.groupOf.assign(sums.size(), kNone);
    groups.groups.resize(order.size());
    parallelFor((order.size() + kCellsOfMerge - 1) / kCellsOfMerge, [&](std::size_t piece) {
        for (std::size_t i = piece * kCellsOfMerge; i < std::min(order.size(), (piece + 1) * kCellsOfMerge); ++i) {
            groups.groups[i] = groupOf(order[i].second);
            groups.groupOf[order[i].second] = static_cast<std::uint32_t>(i);
        }
    });
}

/// The places in between are those of values between these two.
std::int64_t selectNearest(std::int64_t* first, std::int64_t* last, std::uint64_t place, std::uint64_t percent,
                           std::uint64_t count) {
    std::int64_t* nth = first + static_cast<std::ptrdiff_t>((count * percent + 99) / 100 - 1 - place);
    std::nth_element(first, nth, last);
    return *nth;
}

}  // namespace

std::optional<KernelGroups> groupKernels(std::shared_ptr<const KernelIndex> index, KernelGrouping grouping,
                                         KernelSplit split, const CancelToken& cancel) {
    KernelGroups groups;
    groups.index = std::move(index);
    groups.grouping = grouping;
    groups.split = split;
    groups.parts = split == KernelSplit::Rank   ? groups.index->selected().size()
                   : split == KernelSplit::Step ? groups.index->steps().size() + 1
                                                : 1;
    makeKeys(groups);
    makeSparse(groups, cancel);
    const std::vector<CellSums> sums = sumCells(groups, cancel);
    if (cancel.cancelled()) return std::nullopt;
    makeGroups(groups, sums);
    return groups;
}

std::optional<KernelGroups> withPercentiles(const KernelGroups& groups, const CancelToken& cancel) {
    const std::size_t count = groups.groups.size();
    // Where the lengths of each share of the kernels begin within those of their group, so that each is written once
    // and by one worker.
    const auto shares = sharesOf(*groups.index, std::min(kMaxWorkers, kMaxSums / std::max<std::size_t>(1, count)));
    std::vector<std::vector<std::uint64_t>> begins(shares.size(), std::vector<std::uint64_t>(count));
    const auto walk = [&](std::size_t s, auto body) {
        for (const IndexPiece& piece : shares[s]) {
            if (cancel.cancelled()) return;
            forKernels(groups, piece, [&](std::size_t, std::uint64_t cell, std::int64_t length) {
                body(groups.groupOf[placeOf(groups, cell)], length);
            });
        }
    };
    parallelFor(shares.size(),
                [&](std::size_t s) { walk(s, [&](std::uint32_t group, std::int64_t) { ++begins[s][group]; }); });
    std::vector<std::uint64_t> ofGroup(count + 1);
    std::uint64_t before = 0;
    for (std::size_t group = 0; group < count; ++group) {
        ofGroup[group] = before;
        for (auto& begin : begins) before += std::exchange(begin[group], before);
    }
    ofGroup[count] = before;
    std::vector<std::int64_t> lengths(before);
    parallelFor(shares.size(), [&](std::size_t s) {
        walk(s, [&](std::uint32_t group, std::int64_t length) { lengths[begins[s][group]++] = length; });
    });
    if (cancel.cancelled()) return std::nullopt;
    KernelGroups result = groups;
    parallelFor(count, [&](std::size_t group) {
        if (cancel.cancelled()) return;
        std::int64_t *first = lengths.data() + ofGroup[group], *last = lengths.data() + ofGroup[group + 1];
        const auto size = static_cast<std::uint64_t>(last - first), middle = (size * 50 + 99) / 100 - 1;
        result.groups[group].median = selectNearest(first, last, 0, 50, size);
        result.groups[group].p95 = selectNearest(first + middle, last, middle, 95, size);
    });
    result.hasPercentiles = true;
    return cancel.cancelled() ? std::nullopt : std::optional(std::move(result));
}

std::vector<FilteredKernels> kernelsOf(const KernelGroups& groups, std::optional<std::size_t> group,
                                       const CancelToken& cancel) {
    const KernelIndex& index = *groups.index;
    std::vector<FilteredKernels> found(index.selected().size());
    parallelFor(found.size(), [&](std::size_t part) {
        std::vector<std::uint32_t> rows;
        forKernelsOfPart(groups, part, cancel, [&](std::size_t i, std::uint64_t cell, std::int64_t) {
            if (!group || groups.groupOf[placeOf(groups, cell)] == *group)
                rows.push_back(index.selected()[part].rows[i]);
        });
        const FilteredKernels& of = index.selected()[part];
        found[part] = {of.rank, FilteredRows(std::move(rows)), of.device};
    });
    std::erase_if(found, [](const FilteredKernels& selected) { return selected.rows.empty(); });
    return cancel.cancelled() ? std::vector<FilteredKernels>() : found;
}

std::vector<std::vector<std::vector<std::int64_t>>> durationsOfKeys(const KernelGroups& groups,
                                                                    const std::vector<std::uint32_t>& keys,
                                                                    const CancelToken& cancel) {
    const KernelIndex& index = *groups.index;
    std::vector<std::uint32_t> placeOfKey(groups.keys.size(), kNone);
    for (std::uint32_t place = 0; place < keys.size(); ++place) placeOfKey[keys[place]] = place;
    using ByKey = std::vector<std::vector<std::int64_t>>;
    const std::vector<IndexPiece> pieces = piecesOf(index.selected(), kRowsOfGroupPiece);
    std::vector<ByKey> found(pieces.size(), ByKey(keys.size()));
    parallelFor(pieces.size(), [&](std::size_t p) {
        if (cancel.cancelled()) return;
        const IndexPiece& piece = pieces[p];
        const FilteredRows& rows = index.selected()[piece.part].rows;
        const std::span<const std::uint32_t> signatures = index.signaturesOf(piece.part);
        CellReader lengths(index.table(piece.part), kKernelDuration);
        for (std::size_t i = piece.first; i < piece.last; ++i) {
            const std::uint32_t key = groups.keyOf[signatures[i]], place = key == kNone ? kNone : placeOfKey[key];
            if (place == kNone) continue;
            const std::int64_t length = lengths.at(rows[i]);
            if (length != kNoCell) found[p][place].push_back(length);
        }
    });
    if (cancel.cancelled()) return {};
    std::vector<std::vector<std::vector<std::int64_t>>> durations(keys.size(), ByKey(index.selected().size()));
    parallelFor(keys.size(), [&](std::size_t place) {
        for (std::size_t p = 0; p < pieces.size(); ++p) {
            auto& all = durations[place][pieces[p].part];
            all.insert(all.end(), found[p][place].begin(), found[p][place].end());
            found[p][place] = {};
        }
    });
    return durations;
}

std::optional<UnequalCounts> unequalCounts(const KernelGroups& groups, const CancelToken& cancel) {
    const KernelIndex& index = *groups.index;
    if (index.selected().size() < 2) return std::nullopt;
    // How often each signature comes; a signature is of one rank.
    std::vector<std::uint64_t> ofSignature(index.signatures().size());
    parallelFor(index.selected().size(), [&](std::size_t part) {
        if (cancel.cancelled()) return;
        for (const std::uint32_t signature : index.signaturesOf(part)) ++ofSignature[signature];
    });
    std::vector<std::map<std::uint32_t, std::uint64_t>> byKey(groups.keys.size());
    std::vector<std::uint64_t> byPart(index.selected().size());
    for (std::size_t s = 0; s < ofSignature.size(); ++s) {
        if (groups.keyOf[s] == kNone) continue;
        byKey[groups.keyOf[s]][index.signatures()[s].part] += ofSignature[s];
        byPart[index.signatures()[s].part] += ofSignature[s];
    }
    if (cancel.cancelled()) return std::nullopt;
    UnequalCounts unequal;
    const auto min = std::min_element(byPart.begin(), byPart.end()),
               max = std::max_element(byPart.begin(), byPart.end());
    unequal.min = *min;
    unequal.max = *max;
    unequal.minPart = static_cast<std::uint32_t>(min - byPart.begin());
    unequal.maxPart = static_cast<std::uint32_t>(max - byPart.begin());
    for (const auto& ranks : byKey) {
        const bool differs = ranks.size() != byPart.size() ||
                             std::any_of(ranks.begin(), ranks.end(),
                                         [&](const auto& rank) { return rank.second != ranks.begin()->second; });
        if (differs && !ranks.empty()) ++unequal.keys;
    }
    return unequal;
}

}  // namespace altiscope
