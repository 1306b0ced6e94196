#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
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

/// @param isLike  The pattern is one of LIKE, whose wildcards are % and _ and which takes A-Z and a-z for the same;
/// else of GLOB.
/// @return The longest such text; nullopt if the pattern has none that is worth looking for.
std::optional<SourceNeedle> needleOf(std::string_view pattern, bool isLike);

/// Patterns of LIKE and GLOB that the arguments of a slice must match, all of them. Follows SQLite to the letter.
class SourceFilter {
public:
    void add(std::string pattern, bool isLike) { m_patterns.push_back({std::move(pattern), isLike}); }

    bool empty() const { return m_patterns.empty(); }
    /// False too if cancelled.
    bool matches(const std::string& arguments, const CancelToken& cancel) const;
    /// The longest text that every match holds.
    std::optional<SourceNeedle> needle() const;
    /// Tells filters apart.
    std::string key() const;

private:
    struct Pattern {
        std::string text;
        bool isLike = false;
    };
    std::vector<Pattern> m_patterns;
};

/// True if records of the capture are shown in another form than that of their source, so that looking for a text in
/// the source could miss it.
bool holdsRepairedTexts(const CaptureStore& capture);

/// Which slices of a rank may have a needle in their arguments: all that have, and few others. By slice; empty if the
/// source cannot be searched, so that every slice may.
/// @note One pass over the source, on all workers of the current arena; a byte a slice.
Result<std::vector<std::uint8_t>> slicesHolding(const RankEntry& rank, const SourceNeedle& needle,
                                                const CancelToken& cancel);

/// Which slices of a rank have arguments that match. By slice. Slices whose arguments cannot be read do not; the reason
/// goes to `problems`.
/// @param isSearchable  False to look at each slice, see holdsRepairedTexts().
/// @note Reads the arguments of all slices that slicesHolding() leaves, on all workers of the current arena.
Result<std::vector<std::uint8_t>> matchingSlices(const RankEntry& rank, const SourceFilter& filter, bool isSearchable,
                                                 Diagnostics& problems, const CancelToken& cancel);

}  // namespace altiscope
