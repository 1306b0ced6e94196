#pragma once

#include "core/import/raw_files/raw_blocks.h"
#include "core/import/raw_files/raw_clock.h"
#include "core/import/raw_files/raw_dictionary.h"
#include "core/store/raw/sample_records.h"

#include <vector>

namespace altiscope::reader {

/// A record of steps or of marks on a stream, of ts_track.data; of steps also of aicpu.data.
struct RawStep {
    std::uint64_t time = 0;  ///< Device counter.
    std::uint64_t index = 0, model = 0;
    std::uint16_t stream = 0, task = 0, tag = 0;
};
/// In the order of the records; those of the AI CPU, which have no stream, after the others.
std::vector<RawStep> readRawSteps(const RawDeviceFiles& files, RawContext& context);

/// Reads additional.msproftx: first marks without a number, in the order of their records, then those with one, by the
/// first record of each. The parts of a long message are put together; "raw.cut" (lost): a part is missing.
/// "raw.bad_record" (lost): other kinds of records, and ends before their begins. "raw.bad_time" (lost): times that no
/// run has. Source: FORMAT.md.
std::vector<MarkRecord> readRawMarks(const RawFiles& files, const RawSettings& settings, const RawDictionary& texts,
                                     RawContext& context);

/// The marks on the streams of a device, by number, then time. Two records of a number are the begin and the end of
/// one; in captures of CANN 9.1 and later only where they say so, and then one without the other is dropped:
/// "raw.unpaired" (lost). Source: FORMAT.md.
std::vector<StreamMark> rawStreamMarks(const std::vector<RawStep>& steps, const RawDeviceFiles& files,
                                       const RawSettings& settings, Diagnostics& diagnostics);

/// Whether a step is a mark on a stream.
inline bool isRawStreamMark(const RawStep& step) {
    static constexpr std::uint16_t kMark = 11, kRange = 12;
    return step.tag == kMark || step.tag == kRange;
}

}  // namespace altiscope::reader
