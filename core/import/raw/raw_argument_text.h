#pragma once

#include "core/base/text/text_buffer.h"

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace altiscope::reader {

/// The JSON of an event's arguments, member by member, spelled as in the text export.
class RawArgumentText {
public:
    explicit RawArgumentText(TextBuffer& out) : m_out(out) { m_out.add('{'); }
    template <std::integral Number>
    void number(std::string_view name, Number value) {
        using Wide = std::conditional_t<std::is_signed_v<Number>, std::int64_t, std::uint64_t>;
        key(name);
        m_out.addNumber(static_cast<Wide>(value));
    }
    void text(std::string_view name, std::string_view value);
    /// A list whose items end with a semicolon: they stand one below the other.
    void list(std::string_view name, std::string_view items);
    void real(std::string_view name, double value);
    void numberInQuotes(std::string_view name, std::uint64_t value);
    void end() { m_out.add('}'); }

private:
    void key(std::string_view name);

    TextBuffer& m_out;
    bool m_isFirst = true;
};

}  // namespace altiscope::reader
