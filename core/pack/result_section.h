#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/pack/pack_set.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope::pack {

/// Version of sections of kind Results. Raised when rules, formulas or tables change, so that no pack says what its
/// ranks do not.
inline constexpr std::uint32_t kResultsVersion = 2;

/// The text of the section Results of a pack that is open; no rank is read.
/// @return nullopt where there is none, or one of another version, where it is not whole, and of a pack that was cut or
///         a folder of packs; cancelled.
std::optional<std::string> resultsIn(const PackSet& set, const CancelToken& cancel);

/// Bytes of the stores of all ranks of a pack, once they are read. @return Error as PackFile::open.
Result<std::uint64_t> storeBytes(const std::filesystem::path& path);

/// Writes a pack again with a section Results before those of its ranks; one that was there is replaced.
/// @return Cancelled; Error as PackFile::open, "pack.not_written" {reason}, or "pack.too_large" (the text is larger
///         than a reader accepts). The pack is as it was then.
/// @note   Must run inside a WorkerArena. Memory: the largest section.
Result<Done> addResults(const std::filesystem::path& path, std::string_view text, const CancelToken& cancel);

}  // namespace altiscope::pack
