#pragma once

#include "core/base/values/cancel.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace altiscope {

/// Finds the places of a part within a text, one after the other. Looks at the token after some 256 KB.
class TextScan {
public:
    /// @param part  Not empty. Both must outlive the scan.
    TextScan(std::string_view text, std::string_view part, const CancelToken& cancel)
        : m_text(text), m_part(part), m_cancel(cancel) {}

    /// The first place from where the scan stands; nullopt if there is none, or if cancelled.
    std::optional<std::size_t> next();
    void goOnAt(std::size_t place) { m_at = place; }
    bool cancelled() const { return m_cancelled; }

private:
    std::string_view m_text, m_part;
    const CancelToken& m_cancel;
    std::size_t m_at = 0;
    bool m_cancelled = false;
};

/// Whether a byte of UTF-8 continues a character.
constexpr bool isWithinChar(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80; }
/// Characters of a text: bytes that continue none.
std::size_t charCount(std::string_view text);

/// The text without the characters at its ends that stand in `characters`, as SQLite's trim does it: at each place the
/// first of them that is there is taken off.
/// @return nullopt if cancelled. O(text + characters).
std::optional<std::string_view> trimmed(std::string_view text, std::string_view characters, bool left, bool right,
                                        const CancelToken& cancel);

}  // namespace altiscope
