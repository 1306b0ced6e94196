#pragma once

#include "core/analysis/slices/slice_details.h"
#include "core/base/values/cancel.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

/// The row of the SQL table `kernel` that belongs to a slice, with its metrics, as recorded.
struct SliceKernel {
    std::string type, core;
    std::optional<std::int64_t> step, wait, blocks;  ///< `wait` in ns.
    /// As recorded: tensors divided by semicolons, shapes perhaps in quotation marks.
    std::string inputShapes, inputTypes, inputFormats, outputShapes, outputTypes, outputFormats;
    std::vector<std::pair<std::string, double>> metrics;  ///< By name of `kernel_metric`; times in ns.
};

/// nullopt if no row belongs to the slice, or when cancelled. O(blocks of rows, and rows of those that may hold it).
/// Any thread.
std::optional<SliceKernel> kernelFactsOf(const RankEntry& rank, SliceIndex slice, const CancelToken& cancel = {});

/// One tensor of a kernel, as far as all is known of it: "4096,1024 · DT_BF16 · ND".
std::vector<QString> tensorTexts(const std::string& shapes, const std::string& types, const std::string& formats);

/// Facts about a kernel: titles and values, in the present language.
std::vector<std::pair<QString, QString>> kernelLines(const SliceKernel& facts);

/// The collective whose call sent this task to the device: the one on a track of communication that was running
/// meanwhile and names the same `connection_id` in its arguments. nullopt if there is none, or the slice is no task of
/// the device. Reads the source: on a worker.
/// @param details  Of the task.
std::optional<SliceIndex> collectiveOfTask(const CaptureStore& capture, const SliceDetails& details);

}  // namespace altiscope
