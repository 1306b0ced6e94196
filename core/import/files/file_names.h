#pragma once

#include "core/trace/rank.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope::reader {

/// Kinds of folders, by their names. Names are hints: users rename. Source: core/import/scan/FORMAT.md section
/// 2.
enum class FolderKind : std::uint8_t {
    TorchRank,        ///< ends in _ascend_pt
    MindSporeRank,    ///< ends in _ascend_ms
    RawCann,          ///< PROF_...
    FrameworkOutput,  ///< ASCEND_PROFILER_OUTPUT
    CannOutput,       ///< mindstudio_profiler_output
    ClusterOutput,    ///< ends in cluster_analysis_output
    Other,
};
FolderKind folderKind(std::string_view name);

/// Content of a file by its name, in the words of MissingData; empty if the name says nothing.
/// "timeline" for trace JSON, "database" for profiler databases, "kernels", "memory", ...
std::string_view fileContent(std::string_view name);

/// Whether a name is that of one JSON file packed by gzip, as PyTorch and users pack timelines: "trace_view.json.gz".
bool isPackedJson(std::string_view name);
/// The name without the ending of a packed JSON file; any other as it is.
std::string_view unpackedName(std::string_view name);

/// Whether readers look for files of such a name: by its ending (tables, traces, databases and what lies beside these),
/// or because fileContent() knows it.
bool isDataFileName(std::string_view name);

/// Whether a file of such a content makes its folder a rank's, whatever that is called. Files that nothing reads do
/// not.
bool isDeliverable(std::string_view content);

/// "msprof_20260101120000.json", "msprof_slice_0_20260101120000.json": one export of a CANN timeline, perhaps cut in
/// slices.
struct CannTimelineName {
    std::optional<std::int64_t> slice;
    std::string numbers;  ///< The rest, without ".json".
};
std::optional<CannTimelineName> cannTimelineName(std::string_view name);

/// The number in "profiler_info_3.json", "timeline_display_3.json", "rank_3", "rank3_ascend_pt",
/// "rank-3_2024..._ascend_ms".
std::optional<std::int64_t> rankInInfoName(std::string_view name);
std::optional<std::int64_t> rankInLegacyTimelineName(std::string_view name);
/// "ascend_pytorch_profiler_3.db", "msmonitor_4711_20260301101500123_3.db": 3. The number in other names of CANN is a
/// time, not a rank.
std::optional<std::int64_t> rankInDatabaseName(std::string_view name);
std::optional<std::int64_t> rankInFolderName(std::string_view name);

/// The time stamp of "PROF_{number}_{stamp}_{text}", the second part from the end; empty for other names.
std::string_view rawFolderStamp(std::string_view name);

/// The parts of "{worker}_{pid}_{yyyymmddHHMMSSmmm}_ascend_pt".
struct RankFolderName {
    std::string_view worker, stamp;
};
std::optional<RankFolderName> rankFolderName(std::string_view name);

}  // namespace altiscope::reader
