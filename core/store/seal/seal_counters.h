#pragma once

#include "core/base/values/cancel.h"
#include "core/store/columns/trace_store.h"
#include "core/store/seal/seal.h"

#include <cstdint>
#include <vector>

namespace altiscope {

/// Samples of all segments by (series, time, position), their series by (track, name), and the min-max pyramid.
/// Parallel over segments and series.
void sealCounters(const SealInput& input, const std::vector<std::uint32_t>& trackIndexOf, TraceColumns& columns,
                  const CancelToken& cancel);

/// Instants of all segments by (track, time, position).
void sealInstants(const SealInput& input, const std::vector<std::uint32_t>& trackIndexOf, TraceColumns& columns,
                  const CancelToken& cancel);

}  // namespace altiscope
