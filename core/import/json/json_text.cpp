#include "core/import/json/json_text.h"

#include "core/base/text/text.h"
#include "core/base/values/digits.h"
#include "core/import/json/json_event.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace altiscope::reader {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

void appendUtf8(std::string& out, std::uint32_t c) {
    const auto byte = [&out](std::uint32_t value) { out += static_cast<char>(value); };
    if (c < 0x80) {
        byte(c);
    } else if (c < 0x800) {
        byte(0xC0 | (c >> 6));
        byte(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        byte(0xE0 | (c >> 12));
        byte(0x80 | ((c >> 6) & 0x3F));
        byte(0x80 | (c & 0x3F));
    } else {
        byte(0xF0 | (c >> 18));
        byte(0x80 | ((c >> 12) & 0x3F));
        byte(0x80 | ((c >> 6) & 0x3F));
        byte(0x80 | (c & 0x3F));
    }
}

/// The code unit of "\uXXXX" at `at`.
std::optional<std::uint32_t> codeUnit(std::string_view text, std::size_t at) {
    if (text.size() < at + 6 || text[at] != '\\' || text[at + 1] != 'u') return std::nullopt;
    std::uint32_t unit = 0;
    for (const char c : text.substr(at + 2, 4)) {
        unit <<= 4;
        if (c >= '0' && c <= '9') unit |= static_cast<std::uint32_t>(c - '0');
        else if (c >= 'a' && c <= 'f') unit |= static_cast<std::uint32_t>(c - 'a' + 10);
        else if (c >= 'A' && c <= 'F') unit |= static_cast<std::uint32_t>(c - 'A' + 10);
        else return std::nullopt;
    }
    return unit;
}

/// Reads "\uXXXX" at `at`, or a pair of them. @return Bytes read; 0 if it is malformed.
std::size_t appendCodePoint(std::string_view inner, std::size_t at, Unescaped& out) {
    const auto unit = codeUnit(inner, at);
    if (!unit) return 0;
    if (*unit < 0xD800 || *unit > 0xDFFF) {
        appendUtf8(out.text, *unit);
        return 6;
    }
    const auto low = *unit < 0xDC00 ? codeUnit(inner, at + 6) : std::nullopt;
    if (low && *low >= 0xDC00 && *low <= 0xDFFF) {
        appendUtf8(out.text, 0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00));
        return 12;
    }
    out.text += kReplacement;
    out.repaired = true;
    return 6;
}

}  // namespace

Unescaped unescapedJson(std::string_view inner) {
    static constexpr std::string_view kLetters = "\"\\/bfnrt";
    static constexpr std::string_view kValues = "\"\\/\b\f\n\r\t";
    Unescaped out;
    out.text.reserve(inner.size());
    for (std::size_t i = 0; i < inner.size();) {
        if (inner[i] != '\\') {
            out.text += inner[i++];
            continue;
        }
        const std::size_t letter = i + 1 < inner.size() ? kLetters.find(inner[i + 1]) : std::string_view::npos;
        if (letter != std::string_view::npos) {
            out.text += kValues[letter];
            i += 2;
            continue;
        }
        const std::size_t length = appendCodePoint(inner, i, out);
        if (length == 0) {
            out.text += '\\';
            out.repaired = true;
        }
        i += std::max<std::size_t>(length, 1);
    }
    return out;
}

namespace {

/// Offset of the first byte that belongs to no character; the text has one.
std::size_t firstBadByte(std::string_view text, const std::string& repaired) {
    // The first difference lies in the first replacement character, which stands where the bad byte stood.
    const auto differs = std::mismatch(text.begin(), text.end(), repaired.begin(), repaired.end()).second;
    auto first = static_cast<std::size_t>(differs - repaired.begin());
    while ((static_cast<unsigned char>(repaired[first]) & 0xC0) == 0x80) --first;
    return first;
}

}  // namespace

RepairedRecord repairedRecord(std::string_view record) {
    RepairedRecord repaired;
    repaired.text.reserve(record.size());
    bool inString = false;
    for (std::size_t i = 0; i < record.size(); ++i) {
        const char c = record[i];
        if (inString && static_cast<unsigned char>(c) < 0x20) {
            if (!repaired.firstControl) repaired.firstControl = i;
            repaired.text += c < 0x10 ? "\\u000" : "\\u001";
            repaired.text += hexDigit(static_cast<unsigned char>(c));
            continue;
        }
        repaired.text += c;
        if (c == '"') inString = !inString;
        if (c == '\\' && i + 1 < record.size() && (record[i + 1] == '"' || record[i + 1] == '\\'))
            repaired.text += record[++i];
    }
    if (!isValidUtf8(record)) {
        repaired.firstBadByte = firstBadByte(record, repairedUtf8(record));
        repaired.text = repairedUtf8(repaired.text);
    }
    return repaired;
}

namespace {

/// Tokens that may come next in a JSON value.
enum class Expect : std::uint8_t { Value, ValueOrClose, Key, KeyOrClose, Colon, AfterValue };

/// One value being scanned: where we are, and the open brackets around it.
class ValueScan {
public:
    /// @return False if `c`, which begins a token, cannot come here.
    bool token(char c) {
        switch (tokenClass(c)) {
        case TokenClass::Bad: return false;
        case TokenClass::String:
            if (m_expect == Expect::Key || m_expect == Expect::KeyOrClose) {
                m_expect = Expect::Colon;
                return true;
            }
            return scalar();
        case TokenClass::Scalar: return scalar();
        case TokenClass::OpenObject: return open('}', Expect::KeyOrClose);
        case TokenClass::OpenArray: return open(']', Expect::ValueOrClose);
        case TokenClass::CloseObject: return close(c, Expect::KeyOrClose);
        case TokenClass::CloseArray: return close(c, Expect::ValueOrClose);
        case TokenClass::Comma:
            if (m_expect != Expect::AfterValue || m_depth == 0) return false;
            m_expect = m_closers[m_depth - 1] == '}' ? Expect::Key : Expect::Value;
            return true;
        case TokenClass::Colon:
            if (m_expect != Expect::Colon) return false;
            m_expect = Expect::Value;
            return true;
        }
        return false;
    }

    bool complete() const { return m_depth == 0 && m_expect == Expect::AfterValue; }
    /// Whether no further bracket may open.
    bool isFull() const { return m_depth == kMaxDepth; }

private:
    // One more than what JsonCursor allows inside a record, and the record itself.
    static constexpr std::size_t kMaxDepth = kMaxValueDepth;
    static_assert(kMaxDepth == JsonCursor::kMaxDepth + 2);

    bool valueMayCome() const { return m_expect == Expect::Value || m_expect == Expect::ValueOrClose; }
    bool scalar() {
        if (!valueMayCome()) return false;
        m_expect = Expect::AfterValue;
        return true;
    }
    bool open(char closer, Expect next) {
        if (!valueMayCome() || m_depth == kMaxDepth) return false;
        m_closers[m_depth++] = closer;
        m_expect = next;
        return true;
    }
    bool close(char closer, Expect whenEmpty) {
        if (m_depth == 0 || m_closers[m_depth - 1] != closer) return false;
        if (m_expect != Expect::AfterValue && m_expect != whenEmpty) return false;
        --m_depth;
        m_expect = Expect::AfterValue;
        return true;
    }

    std::array<char, kMaxDepth> m_closers;
    std::size_t m_depth = 0;
    Expect m_expect = Expect::Value;
};

bool isStructural(char c) {
    const TokenClass kind = tokenClass(c);
    return kind != TokenClass::Bad && kind != TokenClass::String && kind != TokenClass::Scalar;
}

/// One of eight bytes is `c`.
bool hasByte(std::uint64_t eight, char c) {
    const std::uint64_t differs = eight ^ (0x0101010101010101U * static_cast<unsigned char>(c));
    return ((differs - 0x0101010101010101U) & ~differs & 0x8080808080808080U) != 0;
}

/// Bytes that a scalar goes on with whatever stands around them.
constexpr std::array<bool, 256> kPlainInScalar = [] {
    std::array<bool, 256> plain{};
    for (const char c : std::string_view("0123456789+-.aefilnrstuyEIN")) plain[static_cast<unsigned char>(c)] = true;
    return plain;
}();

/// After the closing quote of the string that begins at `at`, or text.size() if it does not end.
std::size_t afterString(std::string_view text, std::size_t at) {
    for (++at; at < text.size(); ++at) {
        std::uint64_t eight = 0;
        for (; at + sizeof eight <= text.size(); at += sizeof eight) {
            std::memcpy(&eight, text.data() + at, sizeof eight);
            if (hasByte(eight, '"') || hasByte(eight, '\\')) break;
        }
        if (at == text.size()) break;
        if (text[at] == '"') return at + 1;
        if (text[at] == '\\') ++at;
    }
    return text.size() + 1;
}

/// After the scalar that begins at `at`. A quote within it opens a string, as the first stage of simdjson sees it.
std::size_t afterScalar(std::string_view text, std::size_t at) {
    while (at < text.size() && !isJsonBlank(text[at]) && !isStructural(text[at])) {
        if (kPlainInScalar[static_cast<unsigned char>(text[at])]) {
            do ++at;
            while (at < text.size() && kPlainInScalar[static_cast<unsigned char>(text[at])]);
            continue;
        }
        if (text[at] == '"') return afterString(text, at);
        const bool escapes = text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == '"' || text[at + 1] == '\\');
        at += escapes ? 2 : 1;
    }
    return at < text.size() ? at : text.size() + 1;
}

}  // namespace

ValueExtent valueExtent(std::string_view text) {
    ValueScan scan;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (isJsonBlank(c)) {
            ++i;
            continue;
        }
        if (!scan.token(c)) return {ValueExtent::End::Broken, i, scan.isFull() && (c == '{' || c == '[')};
        if (c == '"') i = afterString(text, i);
        else if (tokenClass(c) == TokenClass::Scalar) i = afterScalar(text, i);
        else ++i;
        if (i > text.size()) break;
        if (scan.complete()) return {ValueExtent::End::Complete, i};
    }
    return {ValueExtent::End::NeedMore, text.size()};
}

namespace {

std::size_t afterBlanks(std::string_view text, std::size_t at) {
    while (at < text.size() && isJsonBlank(text[at])) ++at;
    return at;
}

}  // namespace

std::optional<std::size_t> findEventBorder(std::string_view text, std::size_t from, std::size_t limit) {
    limit = std::min(limit, text.size());
    for (std::size_t brace = from; brace < limit; ++brace) {
        const void* found = std::memchr(text.data() + brace, '}', limit - brace);
        if (found == nullptr) return std::nullopt;
        brace = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
        const std::string_view span = text.substr(brace, kBorderSpan);
        std::size_t at = afterBlanks(span, 1);
        if (at >= span.size() || span[at] != ',') continue;
        const std::size_t open = afterBlanks(span, at + 1);
        if (open >= span.size() || span[open] != '{') continue;
        const std::size_t key = afterBlanks(span, open + 1);
        if (key >= span.size() || span[key] != '"') continue;
        at = afterString(span, key);
        if (at > span.size()) continue;
        at = afterBlanks(span, at);
        if (at < span.size() && span[at] == ':') return brace + open;
    }
    return std::nullopt;
}

}  // namespace altiscope::reader
