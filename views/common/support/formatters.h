#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/error.h"
#include "core/base/values/time.h"

#include <QFont>
#include <QString>

#include <cstdint>
#include <optional>
#include <string_view>

namespace altiscope {

// Numbers for people: how values read in the window. Pure functions of the GUI thread; the decimal point
// is always '.', groups of three are set apart by ','. Rounded texts have three significant digits.

/// UTF-8 of the core as Qt's text.
QString toQString(std::string_view utf8);

/// "en" or "zh_CN": the language that the window speaks at the moment; for core/base/text/catalogue.h and
/// Diagnostic::message(). Call again on QEvent::LanguageChange.
std::string_view catalogueLanguage();

/// Meaning of an error, in the language of the window.
QString errorSentence(const Error& error);

/// "840 ns", "1.25 µs", "18.4 ms", "123 s", "12.5 min", "3.20 h".
QString formatDuration(DurationNs duration);

/// "1,250,000 ns": every digit, for tooltips and details.
QString formatExactNs(DurationNs duration);

/// "1.25ms", "350us", "12min" as typed, in lower case and without blanks: exact. nullopt without one of the units ns,
/// us (µs), ms, s, min and h, or if there is no number before it.
std::optional<DurationNs> parseDuration(const QString& text);

/// "1250000": for the clipboard.
QString formatPlainNs(DurationNs duration);

/// Time since `origin` (start of the capture) with every digit, groups after the point set apart by thin blanks:
/// "1.234 567 890 s".
QString formatRelativeTime(TimeNs time, TimeNs origin);

/// The time on the trace's own clock: "2024-05-14 12:34:56.123456789 UTC" if it can be a date after 2000, else (a clock
/// since boot) seconds with every digit.
QString formatAbsoluteTime(TimeNs time);

/// A label of a time axis: time since the origin with as many decimals as `tick`, the distance of two labels, needs:
/// "0 s", "1.25 ms", "1.234567 s". One unit for the whole axis, chosen by the larger of |time| at its ends: `extent`.
QString formatAxisTime(DurationNs sinceOrigin, DurationNs tick, DurationNs extent);

/// A place in a file: "byte 17", "row 3"; empty for the whole file.
QString formatPlace(const Place& place);

/// Bytes by powers of two: "0 B", "840 B", "1.25 KiB", "18.4 MiB".
QString formatBytes(std::uint64_t bytes);
/// "12,345,678 B".
QString formatExactBytes(std::uint64_t bytes);
/// Hexadecimal: "0x7f1200004e00".
QString formatAddress(std::int64_t address);
/// By powers of ten, as links are sold: "18.4 GB/s".
QString formatRate(double bytesPerSecond);

/// "12,345,678".
QString formatCount(std::uint64_t count);
/// A count for the plural form of a translation, which takes an int: beyond a thousand million that many.
int pluralCount(std::uint64_t count);
/// A sentence that was made for the plural form of a count, with every figure of it and as formatCount() writes it;
/// before further arguments are put in.
QString withCount(const QString& sentence, std::uint64_t count);
/// "840", "12.3 k", "12.4 M".
QString formatCountShort(std::uint64_t count);
/// A counter's value or another plain number: "0.1235", "12.5", "1,234,567", "1.2e+18" when huge; at least four
/// significant digits, no trailing zeros.
QString formatNumber(double value);
/// "41 %", "0.4 %" below one.
QString formatPercent(double fraction);

/// The same sentence with numbers and their units kept on one line ("20.2 %", "1.25 ms"), for texts that wrap.
QString withUnbrokenUnits(const QString& sentence);
/// An HTML link that shows a plain text.
QString htmlLink(const QString& target, const QString& text);

/// Code, stacks, paths: the system's monospace font at the size of `body`.
QFont monospaceFont(const QFont& body);
/// `factor` times the size of `body`: 0.9 for labels on slices and axes, 1.2 for page titles.
QFont scaledFont(const QFont& body, double factor);

}  // namespace altiscope
