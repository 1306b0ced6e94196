#pragma once

#include "core/base/text/diagnostics.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// Faults of a record of a trace, or of the trace around its records. Codes and severities:
/// diagnostic_log.cpp.
enum class Problem : std::uint8_t {
    BrokenRecord,        ///< No JSON object; skipped up to the next border between events.
    TooLarge,            ///< A record above the limit of size; skipped as a broken one.
    TooDeep,             ///< A record nested deeper than is read; skipped as a broken one.
    NotAnEvent,          ///< JSON, but no object.
    ExtraComma,          ///< A comma where a record would begin; nothing is missing there.
    MissingComma,        ///< Two records without a comma between them; both kept.
    InvalidUtf8,         ///< Record kept; bad bytes became U+FFFD.
    ControlCharacters,   ///< Record kept, with raw control characters in its texts.
    BadEscape,           ///< Record kept; an escape sequence that JSON does not know stays as text.
    MissingField,        ///< Record dropped: a field without which it says nothing is not there.
    MissingName,         ///< Record without a name; kept under an empty one.
    MissingDuration,     ///< Complete event without "dur"; kept with 0.
    MissingThread,       ///< Record without pid or tid; kept under an empty one.
    WrongType,           ///< Record dropped: a field that it needs has another type.
    OddType,             ///< Record kept: a field that it can do without has another type.
    OutOfRange,          ///< Record dropped: a number beyond what can be kept.
    DurationOutOfRange,  ///< Slice kept with duration 0.
    NegativeDuration,    ///< Slice kept with duration 0.
    UnknownPhase,        ///< Record dropped.
    UnknownMetadata,     ///< Metadata that no table shows.
    CounterText,         ///< Argument of a counter that is no number; the others are kept.
    Cut,                 ///< The file ends inside a record.
    Unclosed,            ///< The file ends between records, without the closing bracket.
    UnclosedObject,      ///< The list of events is complete, the object around it is not.
    TrailingData,        ///< Something stands after the end of the trace.
    TailTooLarge,        ///< The text after the end of the trace is too large to be looked at.
    NoEvents,            ///< The list of events is empty.
    RepeatedField,       ///< Record kept with the last value of a field: what stood between two records was lost.
    LowPrecision,        ///< Record kept: a time of day in exponent form, without its last digits.
};
inline constexpr std::size_t kProblemCount = static_cast<std::size_t>(Problem::LowPrecision) + 1;

/// Counts problems of one part of one file cheaply; what is kept goes into the capture's Diagnostics later.
class DiagnosticLog {
public:
    /// @param byte   Where in the file.
    /// @param name, value  Parameter of the sentence. It lists the first kValues different values; long ones are cut.
    void add(Problem problem, std::uint64_t byte, std::string_view name = {}, std::string_view value = {});
    /// Appends a later part of the same file.
    void append(const DiagnosticLog& later);

    std::uint64_t count(Problem problem) const { return m_entries[static_cast<std::size_t>(problem)].count; }
    void addTo(Diagnostics& diagnostics, std::string_view file) const;

private:
    struct Entry {
        std::uint64_t count = 0;
        std::vector<std::uint64_t> bytes;
        std::string name;
        std::vector<std::string> values;  ///< One more than kValues if there were others.
    };
    static constexpr std::size_t kValues = 5;
    static void addValue(Entry& entry, std::string value);
    static MessageParameters parametersOf(const Entry& entry);
    std::array<Entry, kProblemCount> m_entries;
};

}  // namespace altiscope::reader
