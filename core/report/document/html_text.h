#pragma once

#include "core/report/document/report_document.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// A text as content of an element or value of an attribute, of HTML and XML alike: markup characters as references,
/// what is invisible or turns the direction as printableText() shows it.
std::string htmlText(std::string_view text);

/// The text cut to so many characters, with an ellipsis then.
std::string shortened(std::string_view text, std::size_t characters);

/// A column's name for people, in their language where the catalogue has a word for it; statements have the name
/// itself.
std::string headingOf(const ReportColumn& column, std::string_view language);

/// A value for people: times, sizes and shares in their units, NULL as nothing. Without a language as parameters of
/// catalogueText() are.
std::string valueText(const ReportValue& value, std::string_view unit, std::string_view language = "en");
/// A cell for people: as valueText(); words of the program, as severities, dimensions and kinds, in their language
/// where the catalogue has a word for it. @pre The row has a value for each column.
std::string cellText(const ReportTable& table, const std::vector<ReportValue>& row, std::size_t column,
                     std::string_view language);

/// No cell of the column is a text.
bool isNumeric(const ReportTable& table, std::size_t column);

/// A value as it is: whole numbers exactly, NULL as nothing.
std::string exactText(const ReportValue& value);

/// A number with so many decimals, whatever the locale of the program. @pre Finite.
std::string decimalText(double value, int decimals);

/// Bytes as text of RFC 4648, section 4.
std::string base64Text(std::string_view bytes);

/// A number as a length, 0 of everything else.
double numberOf(const ReportValue& value);

}  // namespace altiscope
