#pragma once

#include "core/base/cancel.h"
#include "core/base/result.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// A text that must stand in the source of every record whose arguments match a pattern.
struct SourceNeedle {
    std::string text;
    bool ignoreCase = false;
};

/// @param isLike  The pattern is one of LIKE, whose wildcards are % and _ and which takes A-Z and a-z for the same; else of GLOB.
/// @return The longest such text; nullopt if the pattern has none that is worth looking for.
std::optional<SourceNeedle> needleOf(std::string_view pattern, bool isLike);

/// True if records of the capture are shown in another form than that of their source, so that looking for a text in the
/// source could miss it.
bool holdsRepairedTexts(const CaptureStore& capture);

/// Which slices of a rank may have a needle in their arguments: all that have, and few others. By slice; empty if the source
/// cannot be searched, so that every slice may.
/// @note One pass over the source, on all workers of the current arena; a byte a slice.
Result<std::vector<std::uint8_t>> slicesHolding(const RankEntry& rank, const SourceNeedle& needle, const CancelToken& cancel);

}  // namespace altiscope
