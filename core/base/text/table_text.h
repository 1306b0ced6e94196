#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace altiscope {

// Cells of tables as files have them: the window's and the command line's are the same.

/// A text as a field of RFC 4180. Quoted if it is empty, since an empty field means NULL, or has blanks at its ends,
/// which some readers strip. Bytes that are no UTF-8 become U+FFFD.
std::string csvField(std::string_view text);
/// Text between the quotes of such a field.
std::string csvQuotedPart(std::string_view text);

/// Whether a spreadsheet may run a cell of this text as a formula: it begins with = + - @, a tab or the end of a line.
bool isFormula(std::string_view text);
/// Sign before such a text where a spreadsheet shall take it for what it is.
inline constexpr char kFormulaGuard = '\'';

/// The shortest decimals that read back as the same double; an infinity, which JSON has no word for, is 1e999.
std::string realText(double value);

/// The bytes as hexadecimal digits, two of each.
std::string hexText(std::string_view bytes);
/// The number as sixteen hexadecimal digits.
std::string hexNumber(std::uint64_t number);

}  // namespace altiscope
