#pragma once

#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace altiscope::pack {

/// What goes into a pack.
struct PackOptions {
    std::optional<std::vector<std::int64_t>> ranks{};  ///< By number in the job; nullopt: all.
    bool withArguments = true;                         ///< Else the column args is NULL, and what follows from it.
    std::string identity{};                            ///< Of the capture, PackedRanks::identity.
    std::string program{};                             ///< Version of the program.
};

struct PackSummary {
    std::uint64_t ranks = 0;
    std::uint64_t bytes = 0;          ///< Of the pack.
    std::uint64_t argumentBytes = 0;  ///< Of these, for arguments.
    std::string missingRanks;         ///< Numbers of PackOptions::ranks that the capture does not have; the first ten.
};

/// Writes a capture as one file (core/pack/FORMAT.md). An existing file is replaced once the new one is complete. The
/// same capture gives the same bytes. Must run inside a WorkerArena.
///
/// @param capture  Sealed, and read whole: no rank has a window.
/// @return Cancelled; Error "pack.empty" (a capture without ranks), "pack.no_ranks" {ranks} (none of the numbers),
///         "pack.too_large" {megabytes} (more than a reader takes), "pack.not_written" {reason}, or why arguments could
///         not be read from the capture's files, such as "args.source_changed".
/// @note   Memory beside the capture: the store of one rank twice, and its arguments compressed. Progress counts bytes
///         of sources.
Result<PackSummary> writePack(const CaptureStore& capture, const PackOptions& options,
                              const std::filesystem::path& path, ProgressSlot& progress, const CancelToken& cancel);

}  // namespace altiscope::pack
