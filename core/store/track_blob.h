#pragma once

#include "core/trace/track.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Tracks as bytes for a store file: fixed fields and length-prefixed texts, in this machine's byte order.
std::string tracksToBlob(const std::vector<Track>& tracks);

/// The reverse. nullopt if the bytes are no such list.
std::optional<std::vector<Track>> tracksFromBlob(std::string_view blob);

} // namespace altiscope
