#include "core/compare/sequence_alignment.h"

#include <algorithm>

namespace altiscope {

namespace {

using Sequence = std::span<const std::uint32_t>;

/// How far paths with some number of edits reach in `first`, by diagonal (place in first - place in second).
struct Frontier {
    std::vector<std::int64_t> reach;  ///< Reach of the diagonals -edits, -edits + 2, ..., edits.

    std::int64_t& at(std::int64_t diagonal) {
        const auto edits = static_cast<std::int64_t>(reach.size()) - 1;
        return reach[static_cast<std::size_t>((diagonal + edits) / 2)];
    }
};

constexpr std::int64_t kUnreached = -1;

/// Whether the best path to a diagonal comes from the one above it, that is by an insertion.
bool comesByInsertion(Frontier& before, std::int64_t edits, std::int64_t diagonal) {
    if (diagonal == -edits) return true;
    return diagonal != edits && before.at(diagonal - 1) < before.at(diagonal + 1);
}

struct PathEnd {
    std::int64_t edits = 0, diagonal = 0;
};

/// Extends paths edit by edit until one has reached both ends, or there were too many.
class Round {
public:
    Round(Sequence first, Sequence second) : m_first(first), m_second(second) {}

    /// @return False if cancelled.
    bool run(std::size_t mostEdits, const CancelToken& cancel) {
        const auto most = static_cast<std::int64_t>(mostEdits);
        for (std::int64_t edits = 0; edits <= most; ++edits) {
            if (cancel.cancelled()) return false;
            m_frontiers.push_back({std::vector<std::int64_t>(static_cast<std::size_t>(edits) + 1, kUnreached)});
            if (extend(edits)) return true;
        }
        takeFurthest(most);
        return true;
    }
    bool reachedEnds() const { return m_reachedEnds; }

    /// Same elements on the path, in descending order. @return Where the path ends, in both.
    AlignedPair collect(std::vector<AlignedPair>& same) {
        std::int64_t edits = m_end.edits, diagonal = m_end.diagonal;
        std::int64_t x = m_frontiers[static_cast<std::size_t>(edits)].at(diagonal);
        const AlignedPair end{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(x - diagonal)};
        while (true) {
            const std::int64_t from = startOf(edits, diagonal);
            for (std::int64_t at = x; at > from; --at)
                same.push_back({static_cast<std::uint32_t>(at - 1), static_cast<std::uint32_t>(at - 1 - diagonal)});
            if (edits == 0) return end;
            Frontier& before = m_frontiers[static_cast<std::size_t>(edits - 1)];
            diagonal += comesByInsertion(before, edits, diagonal) ? 1 : -1;
            --edits;
            x = before.at(diagonal);
        }
    }

private:
    std::int64_t firstSize() const { return static_cast<std::int64_t>(m_first.size()); }
    std::int64_t secondSize() const { return static_cast<std::int64_t>(m_second.size()); }

    /// Where a path enters a diagonal, before it follows same elements.
    std::int64_t startOf(std::int64_t edits, std::int64_t diagonal) {
        if (edits == 0) return 0;
        Frontier& before = m_frontiers[static_cast<std::size_t>(edits - 1)];
        return comesByInsertion(before, edits, diagonal) ? before.at(diagonal + 1) : before.at(diagonal - 1) + 1;
    }

    /// @return Whether both ends are reached.
    bool extend(std::int64_t edits) {
        for (std::int64_t diagonal = -edits; diagonal <= edits; diagonal += 2) {
            std::int64_t x = startOf(edits, diagonal);
            while (x < firstSize() && x - diagonal < secondSize() && x - diagonal >= 0 &&
                   m_first[static_cast<std::size_t>(x)] == m_second[static_cast<std::size_t>(x - diagonal)])
                ++x;
            m_frontiers.back().at(diagonal) = x;
            if (x < firstSize() || x - diagonal < secondSize()) continue;
            m_end = {edits, diagonal};
            m_reachedEnds = x == firstSize() && x - diagonal == secondSize();
            if (m_reachedEnds) return true;
        }
        return false;
    }

    void takeFurthest(std::int64_t edits) {
        std::int64_t best = kUnreached;
        for (std::int64_t diagonal = -edits; diagonal <= edits; diagonal += 2) {
            const std::int64_t x = m_frontiers.back().at(diagonal), y = x - diagonal;
            // Paths may step out of the sequences while others are still inside.
            if (x > firstSize() || y > secondSize() || y < 0 || x + y <= best) continue;
            best = x + y;
            m_end = {edits, diagonal};
        }
    }

    Sequence m_first, m_second;
    std::vector<Frontier> m_frontiers;
    PathEnd m_end;
    bool m_reachedEnds = false;
};

}  // namespace

std::optional<SequenceAlignment> alignSequences(Sequence first, Sequence second, std::size_t mostEdits,
                                                const CancelToken& cancel) {
    SequenceAlignment alignment;
    std::size_t x = 0, y = 0;
    while (x < first.size() && y < second.size()) {
        Round round(first.subspan(x), second.subspan(y));
        if (!round.run(mostEdits, cancel)) return std::nullopt;
        std::vector<AlignedPair> same;
        const AlignedPair end = round.collect(same);
        for (auto pair = same.rbegin(); pair != same.rend(); ++pair)
            alignment.same.push_back(
                {pair->first + static_cast<std::uint32_t>(x), pair->second + static_cast<std::uint32_t>(y)});
        if (round.reachedEnds()) break;
        alignment.isLongest = false;
        x += end.first;
        y += end.second;
    }
    return alignment;
}

}  // namespace altiscope
