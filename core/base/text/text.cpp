#include "core/base/text/text.h"

#include "core/base/text/byte_scan.h"
#include "core/base/text/json_escape.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace altiscope {

namespace {

constexpr unsigned char kFirstPrintable = 0x20;

bool isContinuation(std::string_view text, std::size_t i) {
    return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
}

/// Length of the well-formed UTF-8 sequence at `i` (RFC 3629: no surrogates, no overlong forms), 0 if there is none.
std::size_t sequenceLength(std::string_view text, std::size_t i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) return 1;
    if (lead < 0xC2 || lead > 0xF4) return 0;
    if (!isContinuation(text, i + 1)) return 0;
    if (lead < 0xE0) return 2;
    const auto second = static_cast<unsigned char>(text[i + 1]);
    if (!isContinuation(text, i + 2)) return 0;
    if (lead < 0xF0) {
        if (lead == 0xE0 && second < 0xA0) return 0;
        if (lead == 0xED && second > 0x9F) return 0;
        return 3;
    }
    if (!isContinuation(text, i + 3)) return 0;
    if (lead == 0xF0 && second < 0x90) return 0;
    if (lead == 0xF4 && second > 0x8F) return 0;
    return 4;
}

}  // namespace

bool isValidUtf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        // Nearly all bytes are ASCII.
        std::uint64_t eight = 0;
        for (; i + sizeof eight <= text.size(); i += sizeof eight) {
            std::memcpy(&eight, text.data() + i, sizeof eight);
            if ((eight & 0x8080808080808080U) != 0) break;
        }
        if (i == text.size()) break;
        const std::size_t length = sequenceLength(text, i);
        if (length == 0) return false;
        i += length;
    }
    return true;
}

std::string repairedUtf8(std::string_view text) {
    if (isValidUtf8(text)) return std::string(text);
    std::string repaired;
    repaired.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = sequenceLength(text, i);
        if (length == 0) {
            repaired += "\xEF\xBF\xBD";
            ++i;
        } else {
            repaired.append(text, i, length);
            i += length;
        }
    }
    return repaired;
}

std::string jsonQuoted(std::string_view text) {
    if (!isValidUtf8(text)) return jsonQuoted(repairedUtf8(text));
    std::string quoted;
    quoted.reserve(text.size() + 2);
    quoted += '"';
    for (;;) {
        const std::size_t plain = plainJsonBytes(text);
        quoted += text.substr(0, plain);
        if (plain == text.size()) break;
        quoted += JsonEscape(text[plain]).text();
        text.remove_prefix(plain + 1);
    }
    quoted += '"';
    return quoted;
}

std::size_t plainJsonBytes(std::string_view text) {
    return bytesBefore(
        text,
        [](std::uint64_t eight) {
            return bytesEqualTo(eight, '"') | bytesEqualTo(eight, '\\') | bytesBelow(eight, kFirstPrintable);
        },
        [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < kFirstPrintable; });
}

JsonEscape::JsonEscape(char c) {
    static constexpr char kHex[] = "0123456789abcdef";
    static constexpr std::string_view kLetters = "\"\"\\\\\nn\rr\tt\bb\ff";
    for (std::size_t i = 0; i < kLetters.size(); i += 2) {
        if (c != kLetters[i]) continue;
        m_text[1] = kLetters[i + 1];
        return;
    }
    const auto byte = static_cast<unsigned char>(c);
    m_text[4] = kHex[byte >> 4];
    m_text[5] = kHex[byte & 15];
    m_size = sizeof m_text;
}

std::string shortestNumber(double value) {
    if (!std::isfinite(value)) return "null";
    std::array<char, 32> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), result.ptr};
}

std::size_t utf8Prefix(std::string_view text, std::size_t maxBytes) {
    if (text.size() <= maxBytes) return text.size();
    std::size_t length = maxBytes;
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
    return length;
}

namespace {

/// Takes a run of digits off the front of `text` and returns it without leading zeros.
std::string_view takeNumber(std::string_view& text) {
    std::size_t length = 0;
    while (length < text.size() && text[length] >= '0' && text[length] <= '9') ++length;
    std::string_view number = text.substr(0, length);
    text.remove_prefix(length);
    while (number.size() > 1 && number.front() == '0') number.remove_prefix(1);
    return number;
}

}  // namespace

int naturalCompare(std::string_view a, std::string_view b) {
    const std::string_view wholeA = a;
    const std::string_view wholeB = b;
    while (!a.empty() && !b.empty()) {
        const bool digits = a.front() >= '0' && a.front() <= '9' && b.front() >= '0' && b.front() <= '9';
        if (digits) {
            const std::string_view x = takeNumber(a);
            const std::string_view y = takeNumber(b);
            if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
            if (const int order = x.compare(y); order != 0) return order;
        } else {
            if (a.front() != b.front()) {
                return static_cast<unsigned char>(a.front()) < static_cast<unsigned char>(b.front()) ? -1 : 1;
            }
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    if (a.empty() != b.empty()) return a.empty() ? -1 : 1;
    return wholeA.compare(wholeB);
}

}  // namespace altiscope
