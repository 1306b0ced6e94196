#pragma once

#include "app/cli/command_context.h"
#include "app/cli/command_line.h"
#include "core/base/threads/parallel.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace altiscope::cli {

/// Says what is wrong with the options of pack about units of work; empty if nothing is.
std::string unitsProblem(const CommandArguments& words);

/// pack --engine: packs a capture by units of ranks into a folder.
/// @param ranks  Numbers; nullopt: all.
int runUnits(const CommandArguments& words, const std::optional<std::vector<std::int64_t>>& ranks,
             CommandContext& context, WorkerArena& arena);

}  // namespace altiscope::cli
