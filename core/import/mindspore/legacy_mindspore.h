#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/import/files/folder_listing.h"
#include "core/import/files/profiler_info.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// Files of one rank in a `profiler` folder of MindSpore up to 2.3. Source: core/import/mindspore/FORMAT.md section
/// 3.
struct LegacyRank {
    std::int64_t id = 0;          ///< In the names of its files: the rank, on GPU and CPU the device.
    ListedFolder folder;          ///< The folder with this rank's files, and those of no rank.
    std::vector<ListedFile> own;  ///< Its files.
};

/// By id; empty if the folder is no such one. A folder with the files of a current profiler is none.
/// "scan.shared_limit" (lost) counts the files of no rank that are left out as too many for so many ranks.
std::vector<LegacyRank> legacyRanks(const ListedFolder& folder, Diagnostics& diagnostics);

/// Content of a file of such a folder, by its name: "parallel_strategy" of parallel_strategy_0.json. Empty: not known.
std::string_view legacyKind(std::string_view name);

/// Whether addLegacyFacts() reads a file of that name: flops_summary_{rank}.json, {..}_timeline_summary_{rank}.json,
/// step_trace_point_info.json, minddata_pipeline_summary_{rank}.json, parallel_strategy_{rank}.json.
bool isLegacyFact(std::string_view name);

/// Adds what those of a folder say to a rank's metadata, under keys that begin with the file's kind:
/// "flops_summary.FLOPs". Faults of them go to `diagnostics` as readMetadata() says.
void addLegacyFacts(const ListedFolder& folder, Metadata& metadata, Diagnostics& diagnostics,
                    const CancelToken& cancel);

}  // namespace altiscope::reader
