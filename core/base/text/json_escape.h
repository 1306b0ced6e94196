#pragma once

#include <cstddef>
#include <string_view>

namespace altiscope {

/// How many bytes at the front of a text stand in a JSON string literal as they are, UTF-8 or not.
std::size_t plainJsonBytes(std::string_view text);

/// Text that stands in a JSON string literal for a byte that is no plain one.
class JsonEscape {
public:
    explicit JsonEscape(char c);
    std::string_view text() const { return {m_text, m_size}; }

private:
    char m_text[6] = {'\\', 'u', '0', '0', '0', '0'};
    std::size_t m_size = 2;
};

}  // namespace altiscope
