#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace altiscope::reader {

/// Class of a JSON token, by its first byte.
enum class TokenClass : std::uint8_t {
    Bad,
    String,
    Scalar,
    OpenObject,
    OpenArray,
    CloseObject,
    CloseArray,
    Comma,
    Colon
};

/// Scalars begin with a digit, '-', or the letters of true, false, null, NaN and Infinity (which Python writes);
/// nothing else.
constexpr std::array<TokenClass, 256> makeTokenClasses() {
    std::array<TokenClass, 256> classes{};
    for (const char c : {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '-', 't', 'f', 'n', 'N', 'I'})
        classes[static_cast<unsigned char>(c)] = TokenClass::Scalar;
    classes['"'] = TokenClass::String;
    classes['{'] = TokenClass::OpenObject;
    classes['['] = TokenClass::OpenArray;
    classes['}'] = TokenClass::CloseObject;
    classes[']'] = TokenClass::CloseArray;
    classes[','] = TokenClass::Comma;
    classes[':'] = TokenClass::Colon;
    return classes;
}
inline constexpr std::array<TokenClass, 256> kTokenClasses = makeTokenClasses();

constexpr TokenClass tokenClass(char c) { return kTokenClasses[static_cast<unsigned char>(c)]; }
constexpr bool isJsonBlank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Finds where the tokens of a JSON text begin (structural characters, strings, scalars), with the first stage of
/// simdjson:
/// about 4 GB/s. Keeps its memory for the next text. One object per worker.
class JsonTokens {
public:
    JsonTokens();
    ~JsonTokens();
    JsonTokens(JsonTokens&&) noexcept;
    JsonTokens& operator=(JsonTokens&&) noexcept;

    /// @param text  At most 4 GiB; kept by the caller while the tokens are used.
    /// @return False if the text is no well-formed UTF-8, has a raw control character in a string, ends inside a
    ///         string, or holds no token. There are no tokens then.
    bool find(std::string_view text);

    std::uint32_t count() const { return m_count; }
    /// Byte offsets of the tokens, ascending; entry count() is the length of the text.
    const std::uint32_t* positions() const { return m_positions; }

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
    const std::uint32_t* m_positions = nullptr;
    std::uint32_t m_count = 0;
};

}  // namespace altiscope::reader
