#include "core/base/text/printable_text.h"

#include "core/base/text/text.h"
#include "core/base/values/digits.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace altiscope {

namespace {

struct PrintableRange {
    std::uint32_t first, last;
};

// Controls of C0 and C1; marks, embeddings, overrides and isolates of direction; separators of lines; what has no look
// at all.
constexpr PrintableRange kUnprintable[] = {
    {0x0000, 0x001f}, {0x007f, 0x009f}, {0x00ad, 0x00ad},   {0x034f, 0x034f}, {0x061c, 0x061c},
    {0x180e, 0x180e}, {0x200b, 0x200b}, {0x200e, 0x200f},   {0x2028, 0x202e}, {0x2060, 0x206f},
    {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f},
};
/// Marks that stand above or below the letter before them, each further one farther from it.
constexpr PrintableRange kStackedMarks[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05c7}, {0x0610, 0x061a}, {0x064b, 0x065f},
    {0x0e31, 0x0e31}, {0x0e34, 0x0e3a}, {0x0e47, 0x0e4e}, {0x0eb4, 0x0ebc}, {0x0ec8, 0x0ecd},
    {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0x302a, 0x302d}, {0xfe20, 0xfe2f},
};
/// No language writes more on one letter; further ones would cover the lines above and below.
constexpr int kMaxStackedMarks = 3;

template <std::size_t N>
bool isInRanges(const PrintableRange (&ranges)[N], std::uint32_t c) {
    return std::any_of(std::begin(ranges), std::end(ranges),
                       [c](const PrintableRange& range) { return range.first <= c && c <= range.last; });
}

void appendEscape(std::string& text, std::uint32_t c) {
    if (c == '\n') text += "\\n";
    else if (c == '\r') text += "\\r";
    else if (c == '\t') text += "\\t";
    else {
        const int digits = c < 0x100 ? 2 : c < 0x10000 ? 4 : 8;
        text += digits == 2 ? "\\x" : digits == 4 ? "\\u" : "\\U";
        for (int i = digits - 1; i >= 0; --i) text += hexDigit(c >> static_cast<unsigned>(4 * i));
    }
}

}  // namespace

std::uint32_t takeUtf8Char(std::string_view& text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    std::uint32_t c = length == 1 ? lead : lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) c = c << 6U | (static_cast<unsigned char>(text[i]) & 0x3fU);
    text.remove_prefix(length);
    return c;
}

std::string printableText(std::string_view text) {
    const std::string repaired = isValidUtf8(text) ? std::string(text) : repairedUtf8(text);
    std::string line;
    int marks = 0;
    for (std::string_view rest = repaired; !rest.empty();) {
        const char* begin = rest.data();
        const std::uint32_t c = takeUtf8Char(rest);
        const bool isAscii = c >= 0x20 && c < 0x7f;
        marks = !isAscii && isInRanges(kStackedMarks, c) ? marks + 1 : 0;
        if (marks > kMaxStackedMarks || (!isAscii && isInRanges(kUnprintable, c))) appendEscape(line, c);
        else line.append(begin, rest.data());
    }
    return line;
}

}  // namespace altiscope
