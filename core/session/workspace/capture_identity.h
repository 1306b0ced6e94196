#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"

#include <filesystem>
#include <string>

namespace altiscope {

/// Identity of a capture, wherever it lies: 32 hexadecimal digits that a copied or moved folder has too, and one
/// with other data has not.
///
/// The first half of the SHA-256 of a text: "altiscope-identity 1", and for each file, in the order of the bytes of its
/// path, a line with the path relative to the opened folder, its size and sampleContent() of it, separated by tabs.
/// Files are those that readers look for (tables, traces, databases) and all of raw data; what an analysis adds later
/// in *cluster_analysis_output does not count, nor do links, hidden files, and what is beyond kMaxIdentityFiles. An
/// opened file, as an archive, counts as its content alone, whatever it is called; a pack has the identity of its
/// capture.
///
/// @return Error "file.missing", "capture.denied" and others of what cannot be read; Cancelled. Any thread.
/// @note   At most 192 KiB are read of each file.
Result<std::string> identifyCapture(const std::filesystem::path& path, const CancelToken& cancel);

inline constexpr std::size_t kMaxIdentityFiles = 100'000;

/// Whether a text can be an identity.
bool isCaptureIdentity(std::string_view text);

}  // namespace altiscope
