#pragma once

#include "core/analysis/kernels/kernel_groups.h"
#include "core/base/values/cancel.h"
#include "core/compare/change.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// Time of kernels per step, ns, as compareSides() has it: of each step the mean over the ranks (of a rank that
/// recorded several devices: over these) that recorded any kernel in it, of these the mean over all steps with any
/// kernel. Kernels without a step count only where none has one: then all of them are one step.
struct KernelStepTimes {
    std::vector<double> ofKey;    ///< By KernelGroups::keys; 0: occurs in no step.
    std::vector<double> ofGroup;  ///< By KernelGroups::groups: of its rank, or in its step; without a split ofKey.
    std::size_t steps = 0;        ///< With any kernel.
};

/// @return nullopt if cancelled.
/// @note  Any thread; parallel on the arena. O(kernels).
std::optional<KernelStepTimes> kernelStepTimes(const KernelGroups& groups, const CancelToken& cancel);

/// A key of the base as well, and how much it changed: by the texts of keys, which equal kernels share.
struct KernelChanges {
    std::vector<Change> ofGroup;  ///< By KernelGroups::groups of the current side.
    /// Keys of the base that the current side does not have, with the time of a step there; most time first.
    struct Gone {
        std::uint32_t key = 0;  ///< Index in KernelGroups::keys of the base.
        Change change;
    };
    std::vector<Gone> gone;
    std::size_t baseSteps = 0, currentSteps = 0;
};

/// One side: its groups with their times.
struct KernelSide {
    std::shared_ptr<const KernelGroups> groups;
    KernelStepTimes times;
};

/// Each group beside the base's mean of its key. @pre Both are grouped alike. O(keys + groups).
KernelChanges kernelChanges(const KernelSide& base, const KernelSide& current);

}  // namespace altiscope
