#pragma once

#include "app/cli/command_context.h"
#include "core/base/threads/parallel.h"

#include <string>

namespace altiscope::cli {

/// info --sums: what a pack, or a folder of packs, says of its ranks without reading one.
int runInfoSums(const std::string& path, CommandContext& context, WorkerArena& arena);

}  // namespace altiscope::cli
