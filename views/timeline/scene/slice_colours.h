#pragma once

#include "core/analysis/slices/track_window.h"
#include "core/base/values/time.h"
#include "views/common/theme/theme.h"
#include "views/timeline/rows/key_lanes.h"
#include "views/timeline/scene/named_colours.h"

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
inline constexpr ColourIndex kWaitColour = Theme::kHues + 3;
inline constexpr ColourIndex kFirstNamedColour = Theme::kHues + 4;
inline constexpr std::size_t kColourCount = kFirstNamedColour + kNamedColours.size();

/// Whether what has this colour is striped: free time and waits, in which nothing is done.
constexpr bool isHatched(ColourIndex colour) { return colour == kFreeColour || colour == kWaitColour; }

/// The part of a name that decides its hue: without a trailing instance number ("hcom_allReduce__612_0_1",
/// "ProfilerStep#50"), so that all calls of one thing look alike. A name made of such characters alone is taken whole.
std::string_view hueName(std::string_view name);

/// Property that slices of one colour have in common.
enum class ColourBy : std::uint8_t {
    Name,  ///< Or in the colour that the source requests.
    Category,
    Duration,  ///< Three steps a decade from 1 us to 1 s, from blue over green to red.
    Track,     ///< Thread or stream, by its name: the same on all ranks.
    Rank,
};
inline constexpr std::array<ColourBy, 5> kColourings{ColourBy::Name, ColourBy::Category, ColourBy::Duration,
                                                     ColourBy::Track, ColourBy::Rank};

/// The hue of a duration.
ColourIndex hueOfDuration(DurationNs duration);

class RuledColours;

/// Colours of one store's slices. Constant; any thread.
class SliceColours {
public:
    /// O(texts), at most kTable of them: larger pools are hashed slice by slice.
    /// @param ruled  What rules of the user say; null: there are none.
    explicit SliceColours(std::shared_ptr<const TraceStore> trace, ColourBy by = ColourBy::Name, RankIndex rank = {},
                          std::shared_ptr<const RuledColours> ruled = nullptr);
    ~SliceColours();

    /// Slices of overlap tracks have the colour of their meaning, and all others that of a rule, if one is about them;
    /// waits of the device that of their meaning, the rest a hue. O(1), or
    /// O(name), by track O(log runs).
    ColourIndex of(const WindowItem& item, bool overlapTrack) const;

    const std::shared_ptr<const TraceStore>& trace() const { return m_trace; }
    ColourBy by() const { return m_by; }
    /// Weights of the trace's tracks, for collapsed groups; see keyLanes().
    const std::vector<TrackWeight>& weights() const { return m_weights; }

private:
    static constexpr std::size_t kTable = std::size_t{1} << 20;

    ColourIndex hueOfText(StringId text) const;
    ColourIndex colourOfName(StringId colour) const;

    std::shared_ptr<const TraceStore> m_trace;
    std::vector<TrackWeight> m_weights;
    ColourBy m_by;
    ColourIndex m_hueOfRank = 0;
    std::shared_ptr<const RuledColours> m_ruled;
    std::vector<StringId> m_waits;  // names, a few at most
    std::vector<ColourIndex> m_hueOfText;
    std::vector<ColourIndex> m_colourOfText;  // only if the source requests colours
    std::vector<ColourIndex> m_hueOfTrack;
};

/// Colours of a theme as pixels, with all shades that the canvas needs ready made.
struct LanePalette {
    QRgb background = 0, group = 0,
         line = 0;  ///< Backgrounds of tracks and of rows with others below them; the line below a row.
    std::array<QRgb, kColourCount> fill{};  ///< By ColourIndex; of waits pale.
    std::array<QRgb, kColourCount> edge{};  ///< Darker: first pixel of a slice, hatching, and lines of counters.
    std::array<QRgb, kColourCount> area{};  ///< Fainter: below a counter's line.
    /// Colour of a label's pixel by its coverage (0..255), on each fill.
    std::array<std::array<QRgb, 256>, kColourCount> label{};
};

LanePalette makeLanePalette(const Theme& theme);

/// `parts` of 255 of `over` on `under`.
QRgb mixed(QRgb under, QRgb over, int parts);

}  // namespace altiscope
