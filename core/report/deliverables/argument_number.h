#pragma once

#include "core/base/text/text_buffer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope {

/// The whole number that stands under a key of JSON without spaces, as arguments of slices are; nullopt: there is none.
std::optional<std::int64_t> numberInArguments(std::string_view json, std::string_view key);

/// Goes through the members of JSON without spaces, as arguments of slices are, one by one. O(length).
class ArgumentMembers {
public:
    explicit ArgumentMembers(std::string_view json) : m_rest(json) {}
    /// @return False after the last one, or where a value is neither a text nor a number or word.
    bool next();
    std::string_view key() const { return m_key; }
    bool isText() const { return m_isText; }
    /// A text as it stands between its quotes, see plainArgument.
    std::string_view value() const { return m_value; }
    /// nullopt: it is no whole number of 64 bits. From 2^63 on they are negative.
    std::optional<std::int64_t> number() const;

private:
    std::string_view m_rest, m_key, m_value;
    bool m_isText = false;
};

/// A text of JSON without its escapes; empty if they are wrong.
std::string plainArgument(std::string_view value);

/// JSON of one line with a space after each comma and colon outside of texts, as Python writes it.
void addSpacedJson(TextBuffer& out, std::string_view json);

}  // namespace altiscope
