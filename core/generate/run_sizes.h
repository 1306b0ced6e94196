#pragma once

#include "core/base/cancel.h"
#include "core/base/result.h"
#include "core/generate/generate_options.h"
#include "core/generate/unit_record.h"

namespace altiscope::generate {

/// Plans and plays a run. @return Cancelled if asked to stop.
Result<Run> makeRun(const RunSizes& sizes, std::uint64_t seed, const RunConditions& conditions,
                    const CancelToken& cancel);

/// Number of steps, layers and micro-batches that the options ask for. With a size, what is left open is chosen so that a
/// rank's folder comes out about as large: the steps, else the layers, else the micro-batches of a step. Small runs are
/// written to nowhere for it and counted.
/// @return Error generate.too_small {minimum} if the smallest such run is more than half as large again as asked.
Result<RunSizes> chooseSizes(const GenerateOptions& options, const CancelToken& cancel);

}  // namespace altiscope::generate
