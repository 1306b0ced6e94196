#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope::reader {

/// Whether a text is a word that the compiler knows. Each key of each event is compared so: through the operators of
/// string_view that is a call into the library.
template <std::size_t Size>
inline bool isWord(std::string_view text, const char (&word)[Size]) {
    return text.size() == Size - 1 && std::memcmp(text.data(), word, Size - 1) == 0;
}

/// A text without JSON escapes.
struct Unescaped {
    std::string text;  ///< UTF-8. A surrogate without its partner becomes U+FFFD.
    /// There was such a surrogate, or an escape that JSON does not know: that one stays as it is.
    bool repaired = false;
};

/// @param inner  The inside of a JSON string, without its quotes; well-formed UTF-8.
Unescaped unescapedJson(std::string_view inner);

/// A record whose text is not as JSON wants it, in a form that can be read.
struct RepairedRecord {
    std::string text;                         ///< Invalid UTF-8 -> U+FFFD, control characters in strings -> \u00XX.
    std::optional<std::size_t> firstBadByte;  ///< Offset of the first byte that belongs to no character.
    std::optional<std::size_t> firstControl;  ///< Offset of the first raw control character in a string.
};
RepairedRecord repairedRecord(std::string_view record);

/// How far a JSON value reaches.
struct ValueExtent {
    enum class End : std::uint8_t {
        Complete,  ///< `length` bytes from the beginning of the text.
        NeedMore,  ///< The text ends inside the value.
        Broken,    ///< No JSON value: seen at byte `length`.
    };
    End end = End::NeedMore;
    std::size_t length = 0;
    bool isTooDeep = false;  ///< Why it is Broken: nested deeper than kMaxValueDepth.
};

/// How deep brackets of a value may be nested.
inline constexpr std::size_t kMaxValueDepth = 66;

/// Scans one JSON value byte by byte, aware of strings. Stops at the first byte that cannot continue it, so that a
/// damaged value is never looked at far beyond its damage. A scalar that touches the end of the text needs more of it.
///
/// Accepts every value that JsonCursor::skipValue accepts, with the same extent; and some more, so ask both.
/// @param text  Begins with the value's first byte.
/// @note  O(length), about 400 MB/s: for repair and odd places, not for the bulk.
ValueExtent valueExtent(std::string_view text);

/// Bytes that the pattern of findEventBorder may cover at most; blanks and keys beyond are no border.
inline constexpr std::size_t kBorderSpan = 1024;

/// The first place that looks like the border between two events: '}' ',' '{' "key" ':' with blanks between. Strings
/// and nested arrays may hold such places too, so it is a guess that reading must confirm.
///
/// @param text  Searched from `from` on; the '}' lies before `limit`, the rest may lie after it.
/// @return Offset of the '{', or nullopt.
std::optional<std::size_t> findEventBorder(std::string_view text, std::size_t from, std::size_t limit);

}  // namespace altiscope::reader
