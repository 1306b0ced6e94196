#pragma once

#include "core/import/raw/raw_device.h"
#include "core/import/raw/raw_frequency.h"

#include <cstdint>
#include <string>
#include <vector>

namespace altiscope::reader {

/// What the counters of a core's record say, in the words of the text export without their units.
struct RawMetricNames {
    std::vector<std::string> core, vector;  ///< Of AI core and of vector core; empty: nothing was counted.
    bool hasUse = false;                    ///< "cube_utilization(%)" behind them.
};
/// Which metrics, and how exact.
enum class RawMetricForm : std::uint8_t {
    Text,      ///< Of the text export: rounded, without those that a type of core never has.
    Database,  ///< Of its database: all, as they were computed, with names of their own for whole times.
};
RawMetricNames rawMetricNames(const RawSettings& settings, RawMetricForm form = RawMetricForm::Text);

/// The metrics of one task: times in ns, all else as the text export has it.
struct RawTaskMetrics {
    std::size_t task = 0;        ///< Place in the list of tasks.
    std::vector<double> values;  ///< By core, then vector of RawMetricNames. NaN: cannot be known.
    double coreCycles = 0;
};

/// How many blocks a task had, as its host says.
struct RawTaskBlocks {
    std::uint32_t blocks = 0, mixed = 0;
};

/// Reads ffts_profile.data and finds the task of each record. "raw.outside" (info): records of no task.
/// "raw.unknown_cores" (lost): tasks with values that need the number of cores or their frequency, which nothing says.
/// @param tasks   By begin, with the rounds of their numbers.
/// @param blocks  By place of a task.
/// Source: FORMAT.md, reference B.6.
std::vector<RawTaskMetrics> readRawMetrics(const RawDeviceFiles& files, const RawSettings& settings,
                                           const std::vector<RawFrequency>& frequencies,
                                           const std::vector<RawDeviceTask>& tasks,
                                           const std::vector<RawTaskBlocks>& blocks, bool hasExpandedStreams,
                                           RawContext& context, RawMetricForm form = RawMetricForm::Text);

/// A real as the vendor's database rounds it to three digits. Source: FORMAT.md, reference G.0.
double rawRounded(double value);

}  // namespace altiscope::reader
