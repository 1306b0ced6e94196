#include "core/base/printable_text.h"

#include "core/base/text.h"

#include <algorithm>
#include <iterator>

namespace altiscope {

namespace {

struct Unprintable {
    std::uint32_t first, last;
};

// Controls of C0 and C1; marks, embeddings, overrides and isolates of direction; separators of lines; what has no look
// at all.
constexpr Unprintable kUnprintable[] = {
    {0x0000, 0x001f}, {0x007f, 0x009f}, {0x061c, 0x061c}, {0x200e, 0x200f},   {0x2028, 0x202e},
    {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f},
};

bool isUnprintable(std::uint32_t c) {
    return std::any_of(std::begin(kUnprintable), std::end(kUnprintable),
                       [c](const Unprintable& range) { return range.first <= c && c <= range.last; });
}

void appendEscape(std::string& text, std::uint32_t c) {
    constexpr char kDigits[] = "0123456789abcdef";
    if (c == '\n') text += "\\n";
    else if (c == '\r') text += "\\r";
    else if (c == '\t') text += "\\t";
    else {
        const int digits = c < 0x100 ? 2 : c < 0x10000 ? 4 : 8;
        text += digits == 2 ? "\\x" : digits == 4 ? "\\u" : "\\U";
        for (int i = digits - 1; i >= 0; --i) text += kDigits[c >> static_cast<unsigned>(4 * i) & 15U];
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
    for (std::string_view rest = repaired; !rest.empty();) {
        const char* begin = rest.data();
        const std::uint32_t c = takeUtf8Char(rest);
        const bool isAscii = c >= 0x20 && c < 0x7f;
        if (!isAscii && isUnprintable(c)) appendEscape(line, c);
        else line.append(begin, rest.data());
    }
    return line;
}

}  // namespace altiscope
