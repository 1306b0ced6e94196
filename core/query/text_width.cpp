#include "core/query/text_width.h"

#include "core/base/text.h"

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

/// Takes one character off the front of valid UTF-8.
std::uint32_t takeChar(std::string_view& text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    std::uint32_t c = length == 1 ? lead : lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) c = c << 6U | (static_cast<unsigned char>(text[i]) & 0x3fU);
    text.remove_prefix(length);
    return c;
}

void appendEscape(std::string& text, std::uint32_t c) {
    constexpr char kDigits[] = "0123456789abcdef";
    if (c == '\n') text += "\\n";
    else if (c == '\r') text += "\\r";
    else if (c == '\t') text += "\\t";
    else if (c > 0xff) {
        text += "\\u";
        for (const unsigned shift : {12U, 8U, 4U, 0U}) text += kDigits[c >> shift & 15U];
    } else {
        text += "\\x";
        text += kDigits[c >> 4U & 15U];
        text += kDigits[c & 15U];
    }
}

}  // namespace

std::size_t textWidth(std::string_view text) {
    std::size_t width = 0;
    while (!text.empty()) {
        const std::uint32_t c = takeChar(text);
        if (!isWithin(kMarks, c)) width += isWithin(kWideChars, c) ? 2 : 1;
    }
    return width;
}

std::string printableText(std::string_view text) {
    const std::string repaired = isValidUtf8(text) ? std::string(text) : repairedUtf8(text);
    std::string line;
    for (std::string_view rest = repaired; !rest.empty();) {
        const char* begin = rest.data();
        const std::uint32_t c = takeChar(rest);
        if (c < 0x20 || (c >= 0x7f && c < 0xa0) || isWithin(kDirectionMarks, c)) appendEscape(line, c);
        else line.append(begin, rest.data());
    }
    return line;
}

}  // namespace altiscope
