#include "core/base/text/text_buffer.h"

#include "core/base/text/byte_scan.h"
#include "core/base/text/json_escape.h"
#include "core/base/text/text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace altiscope {

namespace {

constexpr std::size_t kMaxDigits = 20;
constexpr std::size_t kMaxDoubleChars = 64;

constexpr auto kPowersOfTen = [] {
    std::array<std::uint64_t, 20> powers{};
    std::uint64_t power = 1;
    for (std::uint64_t& entry : powers) {
        entry = power;
        power *= 10;
    }
    return powers;
}();

}  // namespace

void TextBuffer::grow(std::size_t bytes) {
    constexpr std::size_t kSmallest = std::size_t{1} << 14;
    const std::size_t capacity = std::max({kSmallest, m_capacity * 2, m_size + bytes});
    std::unique_ptr<char[]> data(new char[capacity]);
    if (m_size > 0) std::memcpy(data.get(), m_data.get(), m_size);
    m_data = std::move(data);
    m_capacity = capacity;
}

void TextBuffer::addNumber(std::uint64_t value) {
    char* begin = room(kMaxDigits);
    m_size += static_cast<std::size_t>(std::to_chars(begin, begin + kMaxDigits, value).ptr - begin);
}

void TextBuffer::addNumber(std::int64_t value) {
    char* begin = room(kMaxDigits + 1);
    m_size += static_cast<std::size_t>(std::to_chars(begin, begin + kMaxDigits + 1, value).ptr - begin);
}

void TextBuffer::addPadded(std::uint64_t value, unsigned digits) {
    char* begin = room(digits);
    for (unsigned i = digits; i-- > 0; value /= 10) begin[i] = static_cast<char>('0' + value % 10);
    m_size += digits;
}

void TextBuffer::addTrimmed(std::int64_t value, unsigned decimals) {
    const auto unit = static_cast<std::int64_t>(kPowersOfTen[decimals]);
    addNumber(value / unit);
    add('.');
    auto fraction = static_cast<std::uint64_t>(value % unit);
    unsigned digits = decimals;
    while (digits > 1 && fraction % 10 == 0) {
        fraction /= 10;
        --digits;
    }
    addPadded(fraction, digits);
}

void TextBuffer::addMicroseconds(std::int64_t ns) {
    if (ns < 0) add('-');
    const std::uint64_t size = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    addNumber(size / 1000);
    add('.');
    addPadded(size % 1000, 3);
}

void TextBuffer::addDouble(double value) {
    char* begin = room(kMaxDoubleChars);
    char* limit = begin + kMaxDoubleChars - 2;
    auto written = std::to_chars(begin, limit, value, std::chars_format::fixed);
    if (written.ec != std::errc{}) written = std::to_chars(begin, limit, value, std::chars_format::scientific);
    const std::string_view text(begin, static_cast<std::size_t>(written.ptr - begin));
    const bool whole = text.find_first_of(".e") == std::string_view::npos;
    m_size += text.size();
    if (whole) add(".0");
}

void TextBuffer::addQuoted(std::string_view text) {
    // Nearly all texts are ASCII and need no escape.
    const std::size_t plain = bytesBefore(
        text,
        [](std::uint64_t eight) {
            return bytesEqualTo(eight, '"') | bytesEqualTo(eight, '\\') | bytesBelow(eight, ' ') |
                   (eight & kHighBitOfEach);
        },
        [](char c) { return c < ' ' || c > '~' || c == '"' || c == '\\'; });
    if (plain != text.size() && !isValidUtf8(text.substr(plain))) return add(jsonQuoted(text));
    char* out = room(text.size() + 2);
    *out++ = '"';
    std::memcpy(out, text.data(), plain);
    m_size += plain + 1;
    if (plain != text.size()) addEscaped(text.substr(plain));
    add('"');
}

void TextBuffer::addEscaped(std::string_view text) {
    for (;;) {
        const std::size_t plain = plainJsonBytes(text);
        add(text.substr(0, plain));
        if (plain == text.size()) return;
        add(JsonEscape(text[plain]).text());
        text.remove_prefix(plain + 1);
    }
}

}  // namespace altiscope
