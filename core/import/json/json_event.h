#pragma once

#include "core/import/json/json_tokens.h"

#include <cstdint>
#include <string_view>

namespace altiscope::reader {

/// The fields of one trace event as they stand in the source: texts of tokens, strings with their quotes and escapes;
/// of an object or array only the bracket. Empty: the field is absent. Where a key repeats, the last one counts.
struct JsonEvent {
    std::string_view phase, name, category, process, thread, time, duration, id, colour;
    std::uint32_t args = 0;  ///< Token number of the value of "args"; 0: absent.
    std::uint32_t id2 = 0;   ///< The same of "id2", which says where an id holds.
    bool hasFields = false;  ///< False for "{}".
    bool repeats = false;    ///< One of these keys does.
};

/// Reads JSON objects from the tokens of a text. Checks the order of tokens strictly, everywhere, down to
/// kMaxDepth; the spelling of a scalar beyond its first byte is left to its user.
///
/// The byte after the text is looked at. It must be readable, and a '{' or a byte that begins no token.
class JsonCursor {
public:
    /// Values nested deeper than this are refused: real arguments have a depth of 3, and recursion needs a limit.
    static constexpr int kMaxDepth = 64;
    static constexpr std::uint32_t kBroken = 0;

    JsonCursor(std::string_view text, const JsonTokens& tokens)
        : m_text(text.data()), m_positions(tokens.positions()), m_count(tokens.count()) {}

    std::uint32_t count() const { return m_count; }
    std::uint32_t position(std::uint32_t token) const { return m_positions[token]; }
    /// Class of a token; of the byte after the text for count().
    TokenClass kind(std::uint32_t token) const { return tokenClass(m_text[m_positions[token]]); }
    /// Text of a token without the blanks after it.
    std::string_view text(std::uint32_t token) const {
        const std::uint32_t begin = m_positions[token];
        std::uint32_t end = m_positions[token + 1];
        while (end > begin + 1 && isJsonBlank(m_text[end - 1])) --end;
        return {m_text + begin, end - begin};
    }

    /// Reads the event whose '{' is token `at`.
    /// @return Number of the token after its '}', or kBroken if the tokens make no JSON object.
    std::uint32_t readEvent(std::uint32_t at, JsonEvent& event) const;

    /// Number of the token after the value that begins at `at`, or kBroken.
    std::uint32_t skipValue(std::uint32_t at, int depth = 0) const {
        switch (kind(at)) {
        case TokenClass::String: return at + 1;
        case TokenClass::Scalar: return isScalar(at) ? at + 1 : kBroken;
        default: return skipNested(at, depth);
        }
    }

    /// Whether a value that begins at `at`, and could not be skipped, is nested too deep for that.
    bool isTooDeep(std::uint32_t at) const;

    /// Calls visit(key with quotes, token number of the value) for each member of the object at `at`, which must have
    /// been skipped successfully before. Does nothing if it is no object.
    template <class Visit>
    void forEachMember(std::uint32_t at, const Visit& visit) const {
        if (kind(at) != TokenClass::OpenObject || kind(at + 1) == TokenClass::CloseObject) return;
        for (std::uint32_t key = at + 1;;) {
            visit(text(key), key + 2);
            const std::uint32_t after = skipValue(key + 2);
            if (kind(after) != TokenClass::Comma) return;
            key = after + 1;
        }
    }

private:
    /// Zeros that a disk returns for what was never written are no border to a token: after them may be the rest of
    /// another event. A shorter token has no room for its begin.
    bool isScalar(std::uint32_t at) const {
        static constexpr std::uint32_t kShort = 24;
        return m_positions[at + 1] - m_positions[at] <= kShort || hasNoZero(at);
    }
    bool hasNoZero(std::uint32_t at) const;
    std::uint32_t skipNested(std::uint32_t at, int depth) const;
    std::uint32_t skipObject(std::uint32_t at, int depth) const;
    std::uint32_t skipArray(std::uint32_t at, int depth) const;
    void assign(JsonEvent& event, std::string_view key, std::uint32_t value) const;

    const char* m_text;
    const std::uint32_t* m_positions;
    std::uint32_t m_count;
};

}  // namespace altiscope::reader
