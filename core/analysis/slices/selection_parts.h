#pragma once

#include "core/analysis/slices/selection_statistics.h"
#include "core/analysis/support/pair_table.h"

#include <cstdint>
#include <span>
#include <vector>

namespace altiscope {

// Parts of selectionStatistics. A cancelled one leaves its results incomplete.

/// Workers that share the pieces of a selection; each has tables of its own.
inline constexpr std::size_t kSelectionWorkers = 8;

/// A piece of a span that one worker looks at in one go.
struct SlicePiece {
    std::uint32_t span = 0;
    std::uint32_t first = 0, last = 0;
    std::uint32_t worker = 0;  ///< Which one has counted it.
};
std::vector<SlicePiece> piecesOf(const std::vector<SliceSpan>& spans);

/// Count, lengths, and parts outside of the range, which are taken off later.
struct RawSums {
    std::uint64_t count = 0, cut = 0;
    std::int64_t total = 0, self = 0, min = 0, max = 0;
    std::int64_t outside = 0, selfOutside = 0;

    void add(const RawSums& other);
    SliceSums sums() const;
};

/// A selected slice that reaches beyond the range.
struct CutSlice {
    std::uint32_t span = 0;
    SliceIndex slice;
    std::int64_t outside = 0, selfOutside = 0;  ///< ns
};
/// By span. O(slices of tracks that have any).
std::vector<CutSlice> cutSlices(const SliceSelection& selection, const std::vector<SliceSpan>& spans,
                                const CancelToken& cancel);

/// Sums of slices by name, as one worker has counted them.
using WorkerNames = PairTable<RawSums>;
/// Fills the tables of the workers, the pieces' workers, and the sums of each span. `names` has kSelectionWorkers
/// tables.
void addUp(const SliceSelection& selection, const std::vector<SliceSpan>& spans, std::vector<SlicePiece>& pieces,
           std::vector<WorkerNames>& names, std::vector<RawSums>& bySpan, const CancelToken& cancel);

/// Which of a number of groups a slice belongs to.
struct GroupOf {
    enum class Kind : std::uint8_t {
        Track,  ///< 0 is all, then the selected ranks, then the tracks.
        Name,
    };
    Kind kind = Kind::Track;
    std::size_t count = 0;
    const PairTable<std::uint32_t>* names = nullptr;  ///< Number of each name.
};
/// The time within the range in which any slice of a group runs, for each group, in ns.
std::vector<std::int64_t> unionTimes(const SliceSelection& selection, const std::vector<SliceSpan>& spans,
                                     const GroupOf& group, const CancelToken& cancel);

}  // namespace altiscope
