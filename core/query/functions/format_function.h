#pragma once

#include "core/base/values/digits.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace altiscope {

/// Whether printf() of SQLite would repeat a character more than `most` times for this format and these numbers of its
/// arguments: "%.*c" takes its precision from one, and nothing stops the loop, not even a result that is too long.
/// @param numberOf  numberOf(i) is argument i, from 0, as an integer.
template <class NumberOf>
bool repeatsTooOften(std::string_view format, std::int64_t most, const NumberOf& numberOf) {
    int argument = 0;
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (format[i] != '%') continue;
        bool isTooOften = false;
        for (++i; i < format.size(); ++i) {
            const char c = format[i];
            if (c == '*') {
                const std::int64_t number = numberOf(argument++);
                isTooOften = isTooOften || number > most || number < -most;
            } else if (isDigit(c)) {
                std::int64_t number = 0;
                for (; i < format.size() && isDigit(format[i]); ++i)
                    number = std::min<std::int64_t>(number * 10 + (format[i] - '0'), std::int64_t{1} << 40);
                --i;
                isTooOften = isTooOften || number > most;
            } else if (std::string_view("-+ #!,.l").find(c) == std::string_view::npos) {
                break;
            }
        }
        if (isTooOften) return true;
        if (i < format.size() && format[i] != '%' && format[i] != 'n') ++argument;
    }
    return false;
}

/// Puts functions in the place of printf and format that refuse what repeatsTooOften() finds, as a value that is too
/// long, and else give the results of SQLite's own.
/// @return An SQLite code.
int addFormatFunctions(sqlite3* connection);

}  // namespace altiscope
