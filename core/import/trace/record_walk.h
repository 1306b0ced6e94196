#pragma once

#include "core/base/values/cancel.h"
#include "core/import/json/json_tokens.h"
#include "core/import/trace/event_writer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope::reader {

/// Where a walk over the records of a trace stands.
struct WalkPlace {
    enum class At : std::uint8_t {
        Record,     ///< In front of a record, or of the closing bracket.
        Separator,  ///< After a record: a comma or the closing bracket is next.
        Search,     ///< After something broken: the next border between events is looked for.
        Closed,     ///< After the closing bracket.
        End,        ///< The file ended without one; that has been logged.
    };
    At at = At::Record;
    std::uint64_t byte = 0;  ///< In the file.
};

/// A piece of a trace file in memory. The byte after the text is readable and zero.
struct TracePiece {
    std::string_view text;
    std::uint64_t byte = 0;  ///< Place of the text in the file.
    bool endsFile = false;   ///< Nothing follows in the file.
};

/// Walks over the records of a trace and hands the events to a writer. Two ways that always agree on what is a record:
/// a fast one for text without faults, and an exact one that finds its way through any text.
class RecordWalk {
public:
    /// @param cancel  Polled at each record: both ways then stop where they are, and what they yield is worthless.
    RecordWalk(EventWriter& writer, const CancelToken& cancel) : m_writer(writer), m_cancel(cancel) {}

    /// All of the piece from its first record to its end, or to the closing bracket in it.
    /// @param piece  Begins at a record and ends in front of one or at the end of the file.
    /// @return nullopt if anything is not as it should be, or on a cancel; some events may have been written then.
    std::optional<WalkPlace> walkFast(const TracePiece& piece);

    /// Goes on from `from`, which lies in the piece, until a record at or after `limit` is next, or the piece does not
    /// hold enough to decide.
    /// Faults are logged; what a fault hides is skipped up to the next place that looks like a border between events.
    WalkPlace walkExact(const TracePiece& piece, WalkPlace from, std::uint64_t limit);

    EventWriter& writer() { return m_writer; }

private:
    void readRecord(std::string_view text, std::uint64_t byte);
    void addUnreadable(std::uint64_t byte, bool isTooDeep);
    std::optional<WalkPlace> walkRecord(const TracePiece& piece, WalkPlace& place);
    std::optional<WalkPlace> walkSeparator(const TracePiece& piece, WalkPlace& place);
    std::optional<WalkPlace> search(const TracePiece& piece, WalkPlace& place) const;

    EventWriter& m_writer;
    CancelToken m_cancel;
    JsonTokens m_tokens;
    std::string m_record;  // scratch
};

}  // namespace altiscope::reader
