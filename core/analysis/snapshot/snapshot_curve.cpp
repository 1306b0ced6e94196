#include "core/analysis/snapshot/snapshot_curve.h"

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

constexpr std::size_t kStatesBetweenPolls = std::size_t{1} << 15;

}  // namespace

std::shared_ptr<const SnapshotCurve> SnapshotCurve::make(std::shared_ptr<const DeviceSnapshot> snapshot,
                                                         const CancelToken& cancel) {
    auto curve = std::make_shared<SnapshotCurve>();
    curve->m_snapshot = std::move(snapshot);
    const auto states = static_cast<std::size_t>(curve->m_snapshot->events) + 1;
    for (std::size_t total = 0; total < kSnapshotTotals; ++total) {
        auto& levels = curve->m_levels[total];
        levels.emplace_back((states + (1 << kShift) - 1) >> kShift);
        for (std::size_t i = 0; i < states; ++i) {
            if (i % kStatesBetweenPolls == 0 && cancel.cancelled()) return nullptr;
            const std::int64_t value =
                curve->value(static_cast<SnapshotTotal>(total), static_cast<EventNumber>(i) + kBeforeHistory);
            levels.back()[i >> kShift].take({value, value});
        }
        while (levels.back().size() > 1) {
            std::vector<TotalExtremes> next((levels.back().size() + (1 << kShift) - 1) >> kShift);
            for (std::size_t i = 0; i < levels.back().size(); ++i) next[i >> kShift].take(levels.back()[i]);
            levels.push_back(std::move(next));
        }
    }
    return curve;
}

std::int64_t SnapshotCurve::value(SnapshotTotal total, EventNumber at) const {
    switch (total) {
    case SnapshotTotal::Allocated: return m_snapshot->allocatedAt(at);
    case SnapshotTotal::Reserved: return m_snapshot->reservedAt(at);
    case SnapshotTotal::Active: return m_snapshot->activeAt(at);
    }
    return 0;
}

template <class Take>
void SnapshotCurve::eachPiece(SnapshotTotal total, EventRange range, Take take) const {
    const auto& levels = m_levels[static_cast<std::size_t>(total)];
    const EventNumber begin = std::max(range.begin, kBeforeHistory), end = std::min(range.end, m_snapshot->events);
    if (begin >= end) return;
    std::size_t first = static_cast<std::size_t>(begin - kBeforeHistory),
                last = static_cast<std::size_t>(end - kBeforeHistory);
    for (int level = -1; first < last; ++level) {
        const bool isTop = level + 1 >= static_cast<int>(levels.size());
        constexpr std::size_t kGroup = std::size_t{1} << kShift;
        while (first < last && (isTop || first % kGroup != 0)) take(level, first++);
        while (first < last && last % kGroup != 0) take(level, --last);
        first >>= kShift;
        last >>= kShift;
    }
}

TotalExtremes SnapshotCurve::piece(SnapshotTotal total, int level, std::size_t i) const {
    if (level >= 0) return m_levels[static_cast<std::size_t>(total)][static_cast<std::size_t>(level)][i];
    const std::int64_t at = value(total, static_cast<EventNumber>(i) + kBeforeHistory);
    return {at, at};
}

TotalExtremes SnapshotCurve::extremes(SnapshotTotal total, EventRange range) const {
    TotalExtremes found;
    eachPiece(total, range, [&](int level, std::size_t i) { found.take(piece(total, level, i)); });
    return found;
}

EventNumber SnapshotCurve::maxAt(SnapshotTotal total, EventRange range) const {
    // The leftmost of the pieces that reach it, then into its parts.
    std::int64_t max = std::numeric_limits<std::int64_t>::min();
    int bestLevel = -1;
    std::size_t best = 0, bestState = std::numeric_limits<std::size_t>::max();
    eachPiece(total, range, [&](int level, std::size_t i) {
        const std::int64_t value = piece(total, level, i).max;
        const std::size_t state = i << (kShift * (level + 1));
        if (value < max || (value == max && state > bestState)) return;
        max = value;
        bestLevel = level;
        best = i;
        bestState = state;
    });
    for (; bestLevel >= 0; --bestLevel) {
        best <<= kShift;
        while (piece(total, bestLevel - 1, best).max != max) ++best;
    }
    return static_cast<EventNumber>(best) + kBeforeHistory;
}

std::int64_t columnBegin(std::int64_t begin, std::int64_t end, int columns, int column) {
    const std::int64_t length = end - begin, whole = length / columns, rest = length % columns;
    return begin + whole * column + rest * column / columns;
}

std::vector<TotalExtremes> curveColumns(const SnapshotCurve& curve, SnapshotTotal total, std::int64_t begin,
                                        std::int64_t end, int columns) {
    std::vector<TotalExtremes> parts(static_cast<std::size_t>(std::max(0, columns)));
    const EventRange all = curve.all();
    for (int column = 0; column < columns; ++column) {
        const std::int64_t first = columnBegin(begin, end, columns, column),
                           last = std::max(first + 1, columnBegin(begin, end, columns, column + 1));
        const EventRange part{static_cast<EventNumber>(std::clamp<std::int64_t>(first, all.begin, all.end)),
                              static_cast<EventNumber>(std::clamp<std::int64_t>(last, all.begin, all.end))};
        parts[static_cast<std::size_t>(column)] = curve.extremes(total, part);
    }
    return parts;
}

}  // namespace altiscope
