#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Order of the bytes of a text in UTF-16.
enum class Utf16Order : std::uint8_t { Little, Big };

/// A text in UTF-16, as its first bytes show it.
struct Utf16Form {
    Utf16Order order = Utf16Order::Little;
    std::size_t mark = 0;  ///< Bytes of the byte order mark in front; 0: there is none.
};

/// Goes by the byte order mark; without one by the first four characters, which must all be ASCII.
/// @return nullopt for all other bytes.
std::optional<Utf16Form> utf16FormOf(std::string_view head);

/// The code unit whose two bytes begin at `at`.
char16_t utf16UnitAt(std::string_view bytes, std::size_t at, Utf16Order order);

/// Appends UTF-8. Surrogates without their partner, and half a character at the end, become U+FFFD.
/// @param before, after  The code units around the bytes, so that a pair that stands across their border belongs to
///        its first half; nullopt at the ends of the text.
/// @note  O(length), some 100 MB/s.
void appendUtf8OfUtf16(std::string_view bytes, Utf16Order order, std::optional<char16_t> before,
                       std::optional<char16_t> after, std::string& out);

/// Where each block of a text in UTF-16 lies in its UTF-8 form, so that this can be read at any place without being
/// kept.
class Utf16Index {
public:
    static constexpr std::size_t kBlock = std::size_t{64} << 10;  ///< Bytes of the source.

    explicit Utf16Index(Utf16Form form) : m_form(form) {}
    const Utf16Form& form() const { return m_form; }

    /// Appends the next block.
    void add(std::size_t utf8Bytes) { m_begins.push_back(size() + utf8Bytes); }
    std::uint64_t size() const { return m_begins.back(); }
    std::size_t blocks() const { return m_begins.size() - 1; }
    /// Offset in the UTF-8 form where a block begins.
    std::uint64_t begin(std::size_t block) const { return m_begins[block]; }
    /// The block that holds a byte of the UTF-8 form; the byte must lie before size().
    std::size_t blockOf(std::uint64_t byte) const;

private:
    Utf16Form m_form;
    std::vector<std::uint64_t> m_begins{0};  ///< One more than there are blocks.
};

}  // namespace altiscope
