#pragma once

#include "core/import/raw_files/raw_blocks.h"

#include <cstdint>
#include <functional>
#include <string_view>

namespace altiscope::reader {

/// Begin or end of a task in the log of the hardware scheduler, which chips 1 to 4 write in place of STARS.
struct RawHwtsLog {
    std::uint64_t time = 0;    ///< Count of the device's counter.
    std::uint64_t number = 0;  ///< Number of its record; those of vector cores have kRawVectorLog, too.
    std::uint16_t stream = 0, task = 0;
    std::uint8_t type = 0;
    bool isEnd = false;
};

/// Two logs lie side by side: numbers of the records of vector cores have this bit.
inline constexpr std::uint64_t kRawVectorLog = std::uint64_t{1} << 33;

/// Whether a series is such a log: "hwts.data", "hwts.aiv_data", or by its old name "hwts.log.data.PORT.dev.TAG".
bool isRawHwtsLog(std::string_view stem);

/// Calls `take` for each begin and end in the log, in the order of the file. Adds to `context.diagnostics`, beside what
/// RawBlocks adds: "raw.log_gap" (lost) at each place where the numbers that records count show that some are missing,
/// with at least how many; "raw.other_logs" (info) for records that are neither; "reader.experimental" (info) for logs
/// that no sample proves. @return False if cancelled. Source: FORMAT.md.
bool eachRawHwtsLog(const RawFileSeries& series, RawContext& context,
                    const std::function<void(const RawHwtsLog&)>& take);

/// Where a record of such a log lies, if nothing is missing before it.
struct RawHwtsPlace {
    std::string_view slice;  ///< Name relative to the capture.
    std::uint64_t byte = 0;
};
RawHwtsPlace rawHwtsPlace(const RawFileSeries& series, std::uint64_t number);

}  // namespace altiscope::reader
