#pragma once

#include "core/remote/host_look.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace altiscope::remote {

/// The files of a capture that belong to some ranks, and those that belong to none, by names alone: a folder is rank
/// N's if it has profiler_info_N.json (torch_npu and MindSpore write it, core/import/scan/FORMAT.md), or begins with
/// "rank_N" or "rank-N".
///
/// @return nullopt if no folder is one of these ranks'.
std::optional<std::vector<HostFile>> filesOfRanks(const std::vector<HostFile>& files,
                                                  const std::vector<std::int64_t>& ranks);

}  // namespace altiscope::remote
