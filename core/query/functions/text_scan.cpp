#include "core/query/functions/text_scan.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <vector>

namespace altiscope {

namespace {

/// The characters that a trim takes off, with their places in its list.
class TrimSet {
public:
    explicit TrimSet(std::string_view characters) {
        for (std::size_t begin = 0, number = 0; begin < characters.size(); ++number) {
            std::size_t end = begin + 1;
            if (static_cast<unsigned char>(characters[begin]) >= 0xc0)
                while (end < characters.size() && isWithinChar(characters[end])) ++end;
            const std::string_view character = characters.substr(begin, end - begin);
            if (m_numbers.emplace(character, number).second) m_lengths.push_back(character.size());
            begin = end;
        }
        std::sort(m_lengths.begin(), m_lengths.end());
        m_lengths.erase(std::unique(m_lengths.begin(), m_lengths.end()), m_lengths.end());
    }

    /// Length of the first character of the list that stands at this end of the text; 0 if none does.
    std::size_t atEnd(std::string_view text, bool left) const {
        std::size_t length = 0, min = static_cast<std::size_t>(-1);
        for (const std::size_t size : m_lengths) {
            if (size > text.size()) break;
            const auto found = m_numbers.find(left ? text.substr(0, size) : text.substr(text.size() - size));
            if (found == m_numbers.end() || found->second >= min) continue;
            min = found->second;
            length = size;
        }
        return length;
    }

private:
    std::unordered_map<std::string_view, std::size_t> m_numbers;
    std::vector<std::size_t> m_lengths;  // ascending
};

}  // namespace

std::optional<std::size_t> TextScan::next() {
    // Bytes that are searched between two looks; a longer part is looked for in pieces of its own length, so that it is
    // not looked at too often.
    constexpr std::size_t kPiece = std::size_t{1} << 18;
    while (m_at + m_part.size() <= m_text.size()) {
        if (m_cancel.cancelled()) {
            m_cancelled = true;
            return std::nullopt;
        }
        const std::size_t starts = std::min(std::max(kPiece, m_part.size()), m_text.size() - m_part.size() + 1 - m_at);
        const void* found = ::memmem(m_text.data() + m_at, starts + m_part.size() - 1, m_part.data(), m_part.size());
        if (found != nullptr) return static_cast<std::size_t>(static_cast<const char*>(found) - m_text.data());
        m_at += starts;
    }
    return std::nullopt;
}

std::size_t charCount(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !isWithinChar(c); }));
}

std::optional<std::string_view> trimmed(std::string_view text, std::string_view characters, bool left, bool right,
                                        const CancelToken& cancel) {
    const TrimSet set(characters);
    for (const bool atLeft : {true, false}) {
        if (atLeft ? !left : !right) continue;
        for (std::size_t steps = 1;; ++steps) {
            if ((steps & 4095U) == 0 && cancel.cancelled()) return std::nullopt;
            const std::size_t length = set.atEnd(text, atLeft);
            if (length == 0) break;
            if (atLeft) text.remove_prefix(length);
            else text.remove_suffix(length);
        }
    }
    return text;
}

}  // namespace altiscope
