#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace altiscope {

// How the vendor's files print numbers. Source: core/report/deliverables/FORMAT.md section 1.

/// ns as microseconds with three decimals: 1500 -> "1.500". Negative numbers keep their sign.
std::string microsecondsText(std::int64_t ns);
/// The same with a TAB after it, as columns of times have it so that spreadsheets keep all digits.
std::string timeCell(std::int64_t ns);
/// A real rounded to three digits as the vendor's database rounds, with one decimal at least: 3.3599999 -> "3.36".
std::string roundedText(double value);
/// A real as the vendor's database prints it: up to 15 digits, with one decimal at least.
std::string databaseText(double value);
/// The whole number of thousandths that it rounds to.
double roundedThousandths(double value);
/// Three decimals without zeros at the end: 90.0 -> "90".
std::string trimmedText(double value);
std::string fixedText(double value, int decimals);
/// Three digits as Python rounds: of the nearest decimal of the double.
double pythonRounded(double value);
/// Shortest text that reads back as the same double, with one decimal at least: "90.0".
std::string exactText(double value);
/// ns that the vendor adds to the monotonic clock to get wall time: the digits of a difference of doubles in us.
std::int64_t printedOffset(std::int64_t wall, std::int64_t monotonic);
/// Whether that text has no exponent.
bool isPlainExact(double value);
/// ns as the double of microseconds that exactText prints.
/// Exact for durations; for times of today see printedMicroseconds.
inline double microseconds(std::int64_t ns) { return static_cast<double>(ns) / 1000; }

/// The double nearest to a number of decimal digits, whatever the locale; 0 for what is none.
double numberOf(std::string_view text);
/// The double nearest to a time of today's in microseconds, as what reads a printed time gets it: to 0.25 us.
double printedMicroseconds(std::int64_t ns);

}  // namespace altiscope
