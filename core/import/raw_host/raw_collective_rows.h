#pragma once

#include "core/import/raw_host/raw_collectives.h"
#include "core/store/rows/row_builder.h"

#include <cstdint>
#include <span>
#include <string>

namespace altiscope::reader {

/// A collective with its numbers, on the way into tables.
struct RawCollectiveFacts {
    const RawCollectiveRun* run = nullptr;
    RawCollectiveTimes times;
    std::string group;       ///< Its text, or its hash.
    std::int64_t step = -1;  ///< Number; kNoCell: none.
};

/// Fills `collective`, `bandwidth`, `packet` and `link`, as the communication files of the same run would.
/// @param isFramework  Links are ranked by bandwidth among the calls of a kind, as a framework's profiler does it; else
///                     each call has its own. Source: FORMAT.md.
void addRawCollectives(std::span<const RawCollectiveFacts> collectives, bool isFramework, RowTablesBuilder& rows);

}  // namespace altiscope::reader
