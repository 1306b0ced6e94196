#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/import/files/folder_listing.h"
#include "core/import/files/profiler_info.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace altiscope::reader {

/// Where the launcher's description of the job keeps the rank.
inline constexpr std::string_view kRankInLayout = "distributed_args.rank";

/// The rank that a value of the metadata states; nothing for -1, which tools write where they do not know.
std::optional<std::int64_t> knownRank(const Metadata& metadata, std::string_view key);

/// Adds the facts of a folder's profiler_info and profiler_metadata to a rank. Where name and content of the first one
/// state different ranks the name counts: "rank.id_conflict". Source: core/import/scan/FORMAT.md section 4.
/// @return The rank that profiler_info states.
std::optional<std::int64_t> readRankSettings(RankInfo& info, const ListedFolder& folder, Diagnostics& diagnostics,
                                             const CancelToken& cancel);

/// Adds the advice that CANN's analysis wrote beside its tables, prof_rule_{device}[_{time}].json: keys
/// "prof_rule.TYPE.SUBTYPE", values the sentence and the operators that it is about. Of several files of a device the
/// newest. Faults go to `diagnostics` as readMetadata() says. Source: core/import/scan/FORMAT.md section 4.
void addTuningAdvice(const ListedFolder& folder, Metadata& metadata, Diagnostics& diagnostics);

}  // namespace altiscope::reader
