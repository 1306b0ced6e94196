#pragma once

#include "core/analysis/memory/memory_series.h"
#include "views/memory/data/curve_envelopes.h"

#include <QString>

#include <vector>

namespace altiscope {

/// By what the curves of a rank differ.
enum class MemoryGrouping : unsigned char { Overall, Component, Stream };

/// "PTA", "PTA, stream 7"; of a rank that recorded several devices "PTA, NPU 1".
QString seriesTitle(const MemorySeries& series);
QString quantityTitle(MemoryQuantity quantity);

/// The curves of a grouping. Overall: the sum of the framework's pools where it is recorded, else the pools, and what
/// is no part of it (APP, WORKSPACE); by component and by stream: everything but sums. Only what has values; the first
/// few are shown.
std::vector<CurveLine> memoryLines(const MemorySeriesSet& set, MemoryGrouping grouping);
/// How much of what is reserved is not used, of the same series.
std::vector<CurveLine> fragmentationLines(const MemorySeriesSet& set, MemoryGrouping grouping);

}  // namespace altiscope
