#pragma once

#include "views/operators/operator_numbers.h"

#include <QStringList>

namespace altiscope {

bool hasKernels(const RankEntry& rank);
/// Places of the ranks that the context holds and that have rows of kernels.
std::vector<RankIndex> ranksWithKernels(const CaptureStore& capture, const ContextFilter& context);

/// Whether a rank that the context holds has calls for a flame graph. O(tracks).
bool hasHostCalls(const CaptureStore& capture, const ContextFilter& context);

/// Any kernel's type is known; Level0 records names alone.
bool hasTypes(const KernelIndex& index);

/// Missing data, and why it is missing: ranks that the capture does not have, ranks of the context without kernels with
/// the switch that records them, types, cores, shapes and metrics that the shown kernels lack, and ranks that ran
/// different kernels. A sentence each; translated.
/// @param shown  Null: nothing is.
QStringList operatorGaps(const CaptureStore& capture, const ContextFilter& context, const OperatorNumbers* shown);

}  // namespace altiscope
