#pragma once

#include "core/analysis/kernels/kernel_index.h"
#include "core/analysis/kernels/operator_totals.h"
#include "core/analysis/slices/slice_details.h"
#include "core/base/values/cancel.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// Where kernels were called from. Texts are empty where nothing was recorded. Lines of Python of the backward pass are
/// those of its forward operators.
struct CallSite {
    std::string op;  ///< The framework's operator around the launch: "aten::addmm".
    /// The outermost operator of a library that the line of Python called; empty if it is the same.
    std::string outer;
    std::string python;  ///< The innermost line of Python: "torch/optim/sgd.py(266): _multi_tensor_sgd".
    /// The innermost one that is not the framework's: "main.py(375): train"; empty if it is the same.
    std::string program;
    std::string module;  ///< The innermost one: "nn.Module: Linear_3".
    TotalTime time;      ///< Of the kernels.
    SliceRef longest;    ///< The longest of them.
    SliceRef caller;     ///< Its line of Python, else its operator.
};

/// The places in the program that some kernels were called from.
struct CallSites {
    std::vector<CallSite> sites;  ///< Most time first, then by text.
    std::uint64_t kernels = 0;    ///< That were looked for.
    /// Of these were followed, evenly picked where there are very many; times and counts are of these.
    std::uint64_t looked = 0;
    TotalTime unknown;  ///< Those of them to which nothing leads from the host.
};

/// Kernels by what called them: see causesOf.
/// @param most  No more kernels are followed.
/// @return nullopt if cancelled. Parallel on the arena; some us for each kernel that is followed.
std::optional<CallSites> callSitesOf(const CaptureStore& capture, const std::vector<FilteredKernels>& kernels,
                                     std::uint64_t most, const CancelToken& cancel);

/// Of one kernel; without times. nullopt if nothing leads to it from the host.
std::optional<CallSite> callSiteOf(const TraceStore& trace, RankIndex rank, SliceIndex kernel);

}  // namespace altiscope
