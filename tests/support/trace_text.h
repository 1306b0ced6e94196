#pragma once

#include "core/base/text/diagnostics.h"
#include "core/store/columns/trace_store.h"
#include "core/store/seal/trace_builder.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace altiscope::test {

/// A store from text that a reader can see, one line per track:
///     "p7/t1: A[0,100) B[10,40) C[20,30)"      slices of thread 1 of process 7, positions in order of appearance
///     "p7/c:Read r[5]=1.5 r[10]=2"             samples of series r of counter Read
///     "p7/t1: !mark[50]"                       an instant
///     "flow cat:9 p7/t1@12 -> p7/t2@20"        both points of a flow
/// Times are ns. `rank` tells the traces of one capture apart: ids of tracks and records depend on it.
std::shared_ptr<const TraceStore> traceFromText(std::string_view text, Diagnostics* diagnostics = nullptr,
                                                std::uint32_t rank = 0);

/// All slices, one line each in store order: "t1 0 A [0,100) self 30 parent -".
std::string dumpSlices(const TraceStore& store);

}  // namespace altiscope::test
