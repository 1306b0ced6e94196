#pragma once

#include "app/cli/command_context.h"
#include "app/cli/command_line.h"
#include "core/base/threads/parallel.h"
#include "core/base/values/result.h"
#include "core/base/values/time.h"
#include "core/query/results/row_part.h"
#include "core/query/statement_kinds.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {
struct CaptureStore;
struct RankEntry;
}  // namespace altiscope

namespace altiscope::cli {

/// Which part of a capture's traces is read.
struct CapturePart {
    std::optional<TimeRange> range{};  ///< nullopt: all times.
    /// All that the cache holds will do as well as the range.
    bool acceptsWhole = false;
    /// Summary rows of these kinds alone, see reader::RankChoice.
    std::optional<std::vector<RowKind>> onlyTables{};
    /// Ranks with these numbers alone, see reader::RankChoice.
    std::optional<std::vector<std::int64_t>> onlyNumbers{};
    /// No rank at all: who they are, and what was found.
    bool onlyList = false;
    /// No rank of a pack either, but all that it says of them, see LoadOptions.
    bool onlySums = false;
    /// Takes each rank once it is complete, see LoadOptions.
    std::function<void(std::size_t, RankEntry&)> onRank{};
};

/// Reads the option --range of a command. @return What is wrong with it; empty if nothing is.
std::string readRange(const CommandArguments& words, std::optional<TimeRange>& range);
/// The same for --limit and --offset.
std::string readListPart(const CommandArguments& words, ListPart& part);

/// Opens a capture with the common options: worker threads, cache, progress on stderr if that is a terminal.
Result<std::shared_ptr<const CaptureStore>> openCapture(const std::string& path, CommandContext& context,
                                                        WorkerArena& arena, const CapturePart& part = {});

/// Prints the capture's diagnostics to stderr, one line each, if --diagnostics requested them.
void printDiagnostics(const CaptureStore& capture, const CommandContext& context);

/// As openCapture, for commands that need something to work on: diagnostics are printed. The pointer is null if nothing
/// of the capture could be read; that is reported then.
Result<std::shared_ptr<const CaptureStore>> openReadable(const std::string& path, CommandContext& context,
                                                         WorkerArena& arena, const CapturePart& part = {});

/// kOk, or kPartialData if --strict was given and data was lost, or kFailed if nothing could be read.
int statusOf(const CaptureStore& capture, const CommandContext& context);
/// The first of the captures' statuses that is not kOk.
int worstStatusOf(const std::vector<std::shared_ptr<const CaptureStore>>& captures, const CommandContext& context);

}  // namespace altiscope::cli
