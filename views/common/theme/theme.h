#pragma once

#include <QColor>

#include <array>
#include <cstddef>
#include <string_view>

class QPalette;

namespace altiscope {

/// The colours of one look. Everything that draws takes its colours from here, so that one meaning has one colour in
/// every view. A constant value; any thread.
///
/// Views do not keep a theme: they ask themeOf(palette()) when they paint, and drop caches of coloured pictures on
/// QEvent::PaletteChange (QWidget::changeEvent).
struct Theme {
    static constexpr std::size_t kHues = 16;

    bool dark = false;

    // Surfaces, from the page itself to what lies above and below it.
    QColor background, raised, sunken;
    QColor text, muted;
    QColor accent;              ///< Selection, focus, links.
    QColor ok, warning, error;  ///< As text on `background`, with contrast >= 6.2.
    QColor hairLine;

    // Meanings: the same in bars, tracks, legends and reports. Free time is hatched as well (Qt::BDiagPattern).
    QColor computing, communication, overlapped, free, host, memory, wait;

    std::array<QColor, kHues> hues;  ///< Slices by name: equal lightness, so that no name shouts.
    QColor label;                    ///< Text on any of `hues` and on any meaning.
    QColor quiet;                    ///< Ground of what is selected where keys do not go; with `text` on it.

    /// The colour of a slice with this name: the same on every run and machine.
    const QColor& hueOf(std::string_view name) const { return hues[hueIndex(name)]; }

    /// Place of a name's colour in `hues`; for pictures that sort rectangles by colour. O(length).
    static std::size_t hueIndex(std::string_view name);
};

/// Room beside the title of a tab, in pixels, and where there is little of it: for the style sheet, and for who has to
/// know what tabs need. Tabs that have the property "tight" take the latter.
inline constexpr int kTabPadding = 9, kTightTabPadding = 3;

const Theme& lightTheme();
const Theme& darkTheme();

/// The theme that a palette belongs to: dark if its window is darker than its text.
const Theme& themeOf(const QPalette& palette);

/// Colours of the standard roles, for QApplication::setPalette().
QPalette paletteOf(const Theme& theme);

}  // namespace altiscope
