#pragma once

#include "core/base/values/result.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/contracts/table_reader.h"
#include "core/import/mindspore/legacy_clock.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// TableFile::format of the lists of AI CPU operators of MindSpore up to 2.3, aicpu_intermediate_{rank}.csv and
/// output_data_preprocess_aicpu_{rank}.txt, which hold the same.
inline constexpr std::string_view kLegacyAiCpuFormat = "aicpu_intermediate";
/// TableFile::format of min_cycle_counter_{rank}.txt.
inline constexpr std::string_view kMinCycleFormat = "min_cycle_counter";

/// How exactly lists of AI CPU operators state their times, which they print in whole us, in ns.
inline constexpr std::int64_t kAiCpuTolerance = 501;
/// The accelerator_core of their rows of `kernel`.
inline constexpr std::string_view kAiCpuCore = "AI_CPU";

/// Reads a list of AI CPU operators: a row of `kernel` each, run_start to run_end (us since the system's start), or
/// where both are ms from run_start for as long as it was executed.
/// "table.broken" (lost) names records that are none. @return Error of ReadOnlyFile.
Result<Done> readLegacyAiCpu(const SourceFile& file, TableContext& context);

/// Reads min_cycle_counter: one number, in ticks of 10 ns. "table.broken" (lost) if it is none.
/// @return Error of ReadOnlyFile.
Result<Done> readMinCycle(const SourceFile& file, TableContext& context);

/// Events in the files of a rank that its timeline may have too: kernels, AI CPU operators, and those that
/// step_trace_raw times by name. Files that cannot be read are passed over; the readers of the tables report them.
std::vector<LegacyEvents> legacyEvents(const RankManifest& rank);

/// Origins that the rank's files state, in ns.
std::vector<std::int64_t> legacyOriginHints(const RankManifest& rank);

}  // namespace altiscope::reader
