#include "views/common/theme/theme.h"

#include "views/common/theme/meaning_look.h"

#include <QImage>
#include <QPalette>

#include <cstdint>

namespace altiscope {

namespace {

QColor rgb(unsigned value) { return QColor::fromRgb(0xff000000U | value); }

std::array<QColor, Theme::kHues> rgbs(const std::array<unsigned, Theme::kHues>& values) {
    std::array<QColor, Theme::kHues> colours;
    for (std::size_t i = 0; i < values.size(); ++i) colours[i] = rgb(values[i]);
    return colours;
}

Theme makeLight() {
    return {
        .dark = false,
        .background = rgb(0xffffff),
        .raised = rgb(0xf5f6f8),
        .sunken = rgb(0xeceef1),
        .text = rgb(0x1b1d21),
        .muted = rgb(0x5b616b),
        .accent = rgb(0x1f5fd0),
        .ok = rgb(0x1d6f42),
        .warning = rgb(0x8a5300),
        .error = rgb(0xb3261e),
        .hairLine = rgb(0xd9dce1),
        .computing = rgb(0x60aaf3),
        .communication = rgb(0xe78a45),
        .overlapped = rgb(0x39bab4),
        .free = rgb(0xa4a4a4),
        .host = rgb(0x69b678),
        .memory = rgb(0xb191ea),
        .wait = rgb(0xf47b74),
        .hues = rgbs({0x8ec3f9, 0xebaf7f, 0x91cf9d, 0xf5a69f, 0xc7b0f2, 0x6bd0d6, 0xccc076, 0xeaa5cc, 0x75cbec,
                      0xdeb775, 0x77d2ba, 0xf3a4b5, 0xacb9fb, 0xb0c985, 0xd9aae4, 0xf3a98f}),
        .label = rgb(0x1b1d21),
        .quiet = rgb(0xd3d8e0),
    };
}

Theme makeDark() {
    return {
        .dark = true,
        .background = rgb(0x16181d),
        .raised = rgb(0x1d2026),
        .sunken = rgb(0x101216),
        .text = rgb(0xe6e8ec),
        .muted = rgb(0x9aa1ad),
        .accent = rgb(0x7aa8ff),
        .ok = rgb(0x6fcf97),
        .warning = rgb(0xf0b24a),
        .error = rgb(0xff8a80),
        .hairLine = rgb(0x2c3038),
        .computing = rgb(0x4d97de),
        .communication = rgb(0xd27830),
        .overlapped = rgb(0x18a7a1),
        .free = rgb(0x929292),
        .host = rgb(0x5ea362),
        .memory = rgb(0x9f7ed6),
        .wait = rgb(0xdf6862),
        .hues = rgbs({0x649dd7, 0xc88852, 0x66ab75, 0xd17e77, 0xa289d0, 0x2eabb2, 0xa79a47, 0xc67da7, 0x41a6c9,
                      0xba9146, 0x42ad95, 0xcf7c8f, 0x8593d9, 0x89a459, 0xb583c1, 0xcf8166}),
        .label = rgb(0x0f1114),
        .quiet = rgb(0x3a404b),
    };
}

}  // namespace

std::size_t Theme::hueIndex(std::string_view name) {
    // FNV-1a, folded: names often differ in their last characters only, which the low bits alone would not mix enough.
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : name) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3U;
    }
    return static_cast<std::size_t>((hash ^ (hash >> 32)) % kHues);
}

MeaningPattern patternOf(QColor Theme::*meaning) {
    if (meaning == &Theme::free) return MeaningPattern::Rising;
    if (meaning == &Theme::wait) return MeaningPattern::Falling;
    if (meaning == &Theme::overlapped) return MeaningPattern::Lines;
    if (meaning == &Theme::memory) return MeaningPattern::Uprights;
    return MeaningPattern::Plain;
}

QBrush meaningBrush(const Theme& theme, QColor Theme::*meaning) {
    const QColor& colour = theme.*meaning;
    const MeaningPattern pattern = patternOf(meaning);
    switch (pattern) {
    case MeaningPattern::Plain: return colour;
    case MeaningPattern::Rising: return {colour, Qt::BDiagPattern};
    case MeaningPattern::Falling: return {colour, Qt::FDiagPattern};
    case MeaningPattern::Lines:
    case MeaningPattern::Uprights: break;
    }
    // A line in every fourth row or column of pixels.
    constexpr int kCell = 4, kDarker = 120;
    QImage cell(kCell, kCell, QImage::Format_RGB32);
    cell.fill(colour);
    for (int i = 0; i < kCell; ++i)
        cell.setPixelColor(pattern == MeaningPattern::Lines ? QPoint(i, 0) : QPoint(0, i), colour.darker(kDarker));
    return QBrush(cell);
}

const Theme& lightTheme() {
    static const Theme theme = makeLight();
    return theme;
}

const Theme& darkTheme() {
    static const Theme theme = makeDark();
    return theme;
}

const Theme& themeOf(const QPalette& palette) {
    const bool dark = palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
    return dark ? darkTheme() : lightTheme();
}

QPalette paletteOf(const Theme& theme) {
    QPalette palette;
    const auto all = [&palette](QPalette::ColorRole role, const QColor& colour) { palette.setColor(role, colour); };
    all(QPalette::Window, theme.raised);
    all(QPalette::WindowText, theme.text);
    all(QPalette::Base, theme.background);
    all(QPalette::AlternateBase, theme.raised);
    all(QPalette::Text, theme.text);
    all(QPalette::PlaceholderText, theme.muted);
    all(QPalette::Button, theme.raised);
    all(QPalette::ButtonText, theme.text);
    all(QPalette::BrightText, theme.error);
    all(QPalette::ToolTipBase, theme.raised);
    all(QPalette::ToolTipText, theme.text);
    all(QPalette::Highlight, theme.accent);
    all(QPalette::HighlightedText, theme.background);
    all(QPalette::Link, theme.accent);
    all(QPalette::LinkVisited, theme.accent);
    all(QPalette::Light, theme.dark ? theme.hairLine : theme.background);
    all(QPalette::Midlight, theme.hairLine);
    all(QPalette::Mid, theme.hairLine);
    all(QPalette::Dark, theme.dark ? theme.sunken : theme.muted);
    all(QPalette::Shadow, theme.dark ? theme.sunken : theme.muted);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, theme.muted);
    }
    palette.setColor(QPalette::Disabled, QPalette::Highlight, theme.hairLine);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, theme.muted);
    // Where keys do not go. Icons keep their own colours there, see ControlStyle.
    palette.setColor(QPalette::Inactive, QPalette::Highlight, theme.quiet);
    palette.setColor(QPalette::Inactive, QPalette::HighlightedText, theme.text);
    return palette;
}

}  // namespace altiscope
