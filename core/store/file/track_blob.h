#pragma once

#include "core/base/values/cancel.h"
#include "core/trace/track.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Tracks as bytes for a store file: fixed fields and length-prefixed texts, in this machine's byte order. Cancelled,
/// not to be used.
std::string tracksToBlob(const std::vector<Track>& tracks, const CancelToken& cancel = {});

/// The reverse. nullopt if the bytes are no such list, or it was cancelled.
std::optional<std::vector<Track>> tracksFromBlob(std::string_view blob, const CancelToken& cancel);

}  // namespace altiscope
