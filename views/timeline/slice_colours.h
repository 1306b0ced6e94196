#pragma once

#include "core/analysis/track_frame.h"
#include "views/common/theme.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace altiscope {

/// Number of a slice's colour, whatever the theme: below Theme::kHues a hue by name, above a meaning.
using ColourIndex = std::uint8_t;

inline constexpr ColourIndex kComputingColour = Theme::kHues;
inline constexpr ColourIndex kCommunicationColour = Theme::kHues + 1;
inline constexpr ColourIndex kFreeColour = Theme::kHues + 2;
inline constexpr std::size_t kColourCount = Theme::kHues + 3;

/// The part of a name that decides its hue: without a trailing instance number ("hcom_allReduce__612_0_1",
/// "ProfilerStep#50"), so that all calls of one thing look alike. A name made of such characters alone is taken whole.
std::string_view hueName(std::string_view name);

/// Colours of one store's slices. Constant; any thread.
class SliceColours {
public:
    /// O(texts), at most kTable of them: larger pools are hashed slice by slice.
    explicit SliceColours(std::shared_ptr<const TraceStore> trace);

    /// Slices of overlap tracks have the colour of their meaning, all others a hue by name. O(1), or O(name).
    ColourIndex of(SliceIndex slice, bool overlapTrack) const;

    const std::shared_ptr<const TraceStore>& trace() const { return m_trace; }

private:
    static constexpr std::size_t kTable = std::size_t{1} << 20;

    std::shared_ptr<const TraceStore> m_trace;
    std::vector<ColourIndex> m_hueOfText;
};

/// Colours of a theme as pixels, with all shades that the canvas needs ready made.
struct LanePalette {
    QRgb background = 0, group = 0, line = 0;  ///< Behind tracks, behind rows that hold others, below rows.
    std::array<QRgb, kColourCount> fill{};     ///< By ColourIndex.
    std::array<QRgb, kColourCount> edge{};     ///< Darker: first pixel of a slice, hatching, and lines of counters.
    std::array<QRgb, kColourCount> area{};     ///< Fainter: below a counter's line.
    /// Colour of a label's pixel by its coverage (0..255), on each fill.
    std::array<std::array<QRgb, 256>, kColourCount> label{};
};

LanePalette makeLanePalette(const Theme& theme);

/// `parts` of 255 of `over` on `under`.
QRgb mixed(QRgb under, QRgb over, int parts);

} // namespace altiscope
