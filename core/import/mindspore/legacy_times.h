#pragma once

#include "core/base/values/result.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/contracts/table_reader.h"
#include "core/import/mindspore/legacy_clock.h"
#include "core/import/mindspore/step_phases.h"
#include "core/store/columns/trace_store.h"
#include "core/store/rows/row_table.h"
#include "core/trace/rank.h"

#include <vector>

namespace altiscope::reader {

/// The format of output_timeline_data_{rank}.txt, one of csvFormats().
inline constexpr std::string_view kLegacyKernelFormat = "output_timeline_data";

/// The steps of a rank of MindSpore up to 2.3, ascending, from its step_trace_raw file, whose unit is the 10 ns tick of
/// the system's counter; the record of means is none. They have the times of the timeline where `clock` agrees with it.
/// Beside a timeline of another clock they have numbers only: "legacy.clock_unknown" (info) where nothing states the
/// clock, "legacy.steps_elsewhere" (lost) where no step lies in the timeline.
/// Empty if there is no such file, or it cannot be read: a record that is no step is passed over.
/// @param trace  May be null: times are those of the file then.
/// Source: core/import/mindspore/FORMAT.md section 3.
std::vector<Step> legacySteps(const RankManifest& rank, const TraceStore* trace, const LegacyClock& clock,
                              Diagnostics& diagnostics);

/// Whether a rank has files whose times count from the system's start.
bool hasLegacyTimes(const RankManifest& rank);

/// The clock of a rank from all that its files list.
LegacyClock legacyClockOf(const RankManifest& rank, const LegacySlices& slices);

/// Rows in which kernels have the times of the timeline, and the slices that they are. Kernels of a file that differs
/// have no times; where nothing states the clock they stay as they are.
RowTables withLegacyKernels(const RankManifest& rank, const RowTables& tables, const LegacyClock& clock,
                            const LegacySlices& slices);

/// Steps of kernels whose time is known: the one that a kernel begins in. O(kernels * log steps).
RowTables withLegacySteps(const RowTables& tables, const std::vector<Step>& steps);

/// Phases on the clock of the timeline, where their steps are on it; times of others are left out. O(rows * log steps).
RowTables withLegacyPhases(const RowTables& tables, const LegacyClock& clock, const std::vector<Step>& steps);

/// Times of memory on the clock of the timeline, where they lie within it on that of the other files. O(rows).
RowTables withLegacyMemory(const RowTables& tables, const LegacyClock& clock, const TraceStore& trace);

/// Reports what the files list and the timeline has not: "legacy.no_slice" (info), or "legacy.clock_differs" (lost)
/// where nothing fits.
void reportLegacyClock(const LegacyClock& clock, Diagnostics& diagnostics);

}  // namespace altiscope::reader
