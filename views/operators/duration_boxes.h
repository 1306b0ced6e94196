#pragma once

#include "core/analysis/kernels/kernel_groups.h"
#include "views/common/plots/plot_data.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// How the lengths of kernels spread. Constant; made on a worker.
struct DurationBoxes {
    std::optional<std::uint32_t> key;  ///< Whose kernels by rank; nullopt: those of the first keys.
    std::vector<std::uint32_t>
        places;  ///< Whose durations each box shows: the index of a rank in KernelIndex::selected(), or a key.
    std::vector<BoxValues> boxes;
};

/// Boxes of a key, one for each rank that has it; without a key a box for each of the `most` keys with the most time
/// (0: of as many as fit). Empty if cancelled. O(kernels + lengths * log).
DurationBoxes durationBoxes(const KernelGroups& groups, std::optional<std::uint32_t> key, std::size_t most,
                            const CancelToken& cancel);

/// With labels and tooltips in the present language.
BoxPlot boxPlotOf(DurationBoxes boxes, const KernelGroups& groups);

}  // namespace altiscope
