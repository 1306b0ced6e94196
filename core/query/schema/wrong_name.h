#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope {

/// A name of a statement that nothing has.
struct WrongName {
    std::size_t begin = 0, end = 0;  ///< Bytes of the statement.
    std::string near;                ///< The name that may have been meant; empty: none is like it.
};

/// Finds the name that SQLite says not to know: "no such table: slise", "no such column: t.nam", "no such function:
/// medain". Names of columns are compared with those of the tables that the statement names, else of all;
/// where one of them is the name itself, none is suggested. Text in quotes and comments is passed over.
/// @param at  Byte that SQLite points at, if it does.
/// @return nullopt for other messages, and if the statement does not have the name.
/// Pure; any thread; O(length + names of the schema).
std::optional<WrongName> wrongNameOf(std::string_view sql, std::string_view message, std::optional<std::size_t> at);

}  // namespace altiscope
