#pragma once

#include "core/base/text/diagnostics.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/contracts/trace_reader.h"
#include "core/import/files/folder_listing.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace altiscope::reader {

// minddata_cpu_utilization_{rank}.json: samples of processors and memory while MindSpore's data pipeline runs. Their
// times are those of the host's steady clock, which no other file of a capture tells: they are a timeline of their own.
// Source: core/import/mindspore/FORMAT.md section 5.

/// The rank in such a name; nullopt: it is another file.
std::optional<std::int64_t> rankInCpuUsageName(std::string_view name);

/// Makes a timeline of counters: of the host, of the process and of each operator of the pipeline. A list that is
/// shorter than the time stamps lacks the first samples; one that is twice as long has each sample twice. Reports
/// "table.broken" (lost): what is no list of numbers, or fits no time stamps.
/// @return Error of readSmallText(), or "csv.no_column" without `time_stamp`.
std::unique_ptr<TraceReader> makeCpuUsageReader();

/// Offers the samples of a rank in a folder as its timeline: the only one, or an alternative ("source_not_taken"). Of a
/// folder that is not listed only the rank's own number is looked for.
/// @param corrections  An alternative that the user wants is taken.
/// @return They are the timeline.
bool addCpuUsage(RankManifest& rank, const ListedFolder& folder, const RankCorrections& corrections,
                 Diagnostics& diagnostics);

}  // namespace altiscope::reader
