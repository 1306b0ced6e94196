#include "core/base/text/utf16.h"

#include <algorithm>

namespace altiscope {

char16_t utf16UnitAt(std::string_view bytes, std::size_t at, Utf16Order order) {
    const auto first = static_cast<unsigned char>(bytes[at]), second = static_cast<unsigned char>(bytes[at + 1]);
    return static_cast<char16_t>(order == Utf16Order::Little ? first | (second << 8) : second | (first << 8));
}

namespace {

bool isHigh(char16_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool isLow(char16_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

void appendCharacter(char32_t c, std::string& out) {
    const auto byte = [&out](char32_t value) { out += static_cast<char>(value); };
    const auto further = [&byte](char32_t value) { byte(0x80 | (value & 0x3F)); };
    if (c < 0x800) {
        byte(0xC0 | (c >> 6));
    } else if (c < 0x10000) {
        byte(0xE0 | (c >> 12));
        further(c >> 6);
    } else {
        byte(0xF0 | (c >> 18));
        further(c >> 12);
        further(c >> 6);
    }
    further(c);
}

/// Whether the first characters are ASCII, and none of them is zero.
bool looksLikeAscii(std::string_view head, Utf16Order order) {
    static constexpr std::size_t kMin = 2, kMax = 4;
    const std::size_t units = std::min(kMax, head.size() / 2);
    for (std::size_t i = 0; i < units; ++i) {
        const char16_t unit = utf16UnitAt(head, 2 * i, order);
        if (unit == 0 || unit >= 0x80) return false;
    }
    return units >= kMin;
}

}  // namespace

std::optional<Utf16Form> utf16FormOf(std::string_view head) {
    using namespace std::string_view_literals;
    static constexpr std::size_t kMark = 2;
    // With two zeros after it the mark is one of UTF-32.
    if (head.starts_with("\xFF\xFE"sv) && !head.starts_with("\xFF\xFE\0\0"sv))
        return Utf16Form{Utf16Order::Little, kMark};
    if (head.starts_with("\xFE\xFF"sv)) return Utf16Form{Utf16Order::Big, kMark};
    for (const Utf16Order order : {Utf16Order::Little, Utf16Order::Big}) {
        if (looksLikeAscii(head, order)) return Utf16Form{order, 0};
    }
    return std::nullopt;
}

void appendUtf8OfUtf16(std::string_view bytes, Utf16Order order, std::optional<char16_t> before,
                       std::optional<char16_t> after, std::string& out) {
    static constexpr char32_t kReplacement = 0xFFFD;
    const std::size_t units = bytes.size() / 2;
    // The second half of a pair that the block before has taken.
    const bool isTaken = units > 0 && before && isHigh(*before) && isLow(utf16UnitAt(bytes, 0, order));
    for (std::size_t i = isTaken ? 1 : 0; i < units; ++i) {
        const char16_t unit = utf16UnitAt(bytes, 2 * i, order);
        if (unit < 0x80) {
            out += static_cast<char>(unit);
        } else if (!isHigh(unit)) {
            appendCharacter(isLow(unit) ? kReplacement : unit, out);
        } else {
            const auto next = i + 1 < units ? std::optional(utf16UnitAt(bytes, 2 * (i + 1), order)) : after;
            const bool isPair = next && isLow(*next);
            appendCharacter(isPair ? 0x10000 + ((char32_t{unit} - 0xD800) << 10) + (*next - 0xDC00) : kReplacement,
                            out);
            i += isPair ? 1 : 0;
        }
    }
    if (bytes.size() % 2 != 0) appendCharacter(kReplacement, out);
}

std::size_t Utf16Index::blockOf(std::uint64_t byte) const {
    return static_cast<std::size_t>(std::upper_bound(m_begins.begin(), m_begins.end(), byte) - m_begins.begin()) - 1;
}

}  // namespace altiscope
