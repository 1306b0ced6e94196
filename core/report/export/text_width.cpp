#include "core/report/export/text_width.h"

#include "core/base/text/printable_text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace altiscope {

namespace {

struct CharRange {
    std::uint32_t first, last;
};

// Ascending. From EastAsianWidth.txt (W and F) and the combining marks (Mn, Me) that occur in practice.
constexpr CharRange kWideChars[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},   {0x25fd, 0x25fe},
    {0x2614, 0x2615},   {0x2648, 0x2653},   {0x26a1, 0x26a1},   {0x26bd, 0x26be},   {0x2705, 0x2705},
    {0x270a, 0x270b},   {0x274c, 0x274c},   {0x2753, 0x2755},   {0x2795, 0x2797},   {0x2e80, 0x303e},
    {0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0xa4cf},   {0xa960, 0xa97f},   {0xac00, 0xd7a3},
    {0xf900, 0xfaff},   {0xfe10, 0xfe19},   {0xfe30, 0xfe6f},   {0xff01, 0xff60},   {0xffe0, 0xffe6},
    {0x16fe0, 0x18aff}, {0x1b000, 0x1b2ff}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff},
    {0x20000, 0x3fffd},
};
constexpr CharRange kMarks[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x0610, 0x061a}, {0x064b, 0x065f}, {0x1ab0, 0x1aff},
    {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x20d0, 0x20f0}, {0x302a, 0x302d}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
};

/// They change in which order a terminal shows what stands around them.
constexpr CharRange kDirectionMarks[] = {{0x061c, 0x061c}, {0x200e, 0x200f}, {0x202a, 0x202e}, {0x2066, 0x2069}};

template <std::size_t N>
bool isWithin(const CharRange (&ranges)[N], std::uint32_t c) {
    const auto* range = std::lower_bound(std::begin(ranges), std::end(ranges), c,
                                         [](const CharRange& r, std::uint32_t value) { return r.last < value; });
    return range != std::end(ranges) && range->first <= c;
}

}  // namespace

std::size_t textWidth(std::string_view text) {
    std::size_t width = 0;
    while (!text.empty()) {
        const std::uint32_t c = takeUtf8Char(text);
        if (!isWithin(kMarks, c)) width += isWithin(kWideChars, c) ? 2 : 1;
    }
    return width;
}

}  // namespace altiscope
