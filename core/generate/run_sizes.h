#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/generate/options/generate_options.h"
#include "core/generate/records/unit_record.h"

#include <cstdint>
#include <functional>

namespace altiscope::generate {

/// Gets what recordPlayed() says of each unit while a run is planned. On any thread; a rank's units come in order.
using UnitObserver = std::function<void(const Run& run, std::uint32_t rank, const UnitRecord& record)>;

/// Plans and plays a run. @param observe  May be empty. @return Cancelled if cancelled meanwhile.
Result<Run> makeRun(const RunSizes& sizes, std::uint64_t seed, const RunConditions& conditions,
                    const CancelToken& cancel, const UnitObserver& observe = {});

/// Number of steps, layers and micro-batches that the options request. With a size, what is left open is chosen so that
/// a rank's folder comes out about as large: the steps, else the layers, else the micro-batches of a step. Small runs
/// are written to nowhere for it and counted.
/// @return Error generate.too_small {minimum} if the smallest such run is more than half as large again as requested.
Result<RunSizes> chooseSizes(const GenerateOptions& options, const CancelToken& cancel);

}  // namespace altiscope::generate
