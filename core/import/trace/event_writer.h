#pragma once

#include "core/base/values/ids.h"
#include "core/import/contracts/diagnostic_log.h"
#include "core/import/json/json_event.h"
#include "core/store/columns/segment.h"
#include "core/store/seal/trace_builder.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace altiscope::reader {

/// A fact of a metadata event; held back until its part of the file is known to be read rightly.
struct MetadataFact {
    enum class Kind : std::uint8_t { ProcessName, ProcessLabels, ProcessSort, ThreadName, ThreadSort };
    Kind kind = Kind::ProcessName;
    std::string process, thread, text;
    std::int64_t index = 0;
    SourcePos pos;
};
void note(TraceBuilder& builder, const MetadataFact& fact);

/// Everything that was read from one part of a file.
struct ReadPart {
    Segment segment;
    std::vector<MetadataFact> facts;
    DiagnosticLog problems;
    std::uint64_t records = 0;  ///< That were trace events of any kind, known or not.
    std::uint64_t rows = 0;     ///< Rows of tables that came out of them; metadata counts too.
};

/// Turns JSON events into columns, by the rules of core/import/trace/FORMAT.md section 3. One per worker and file;
/// its memory is reused from part to part.
class EventWriter {
public:
    /// @param baseTime  ns that the times of events are counted from.
    EventWriter(TraceBuilder& builder, std::uint32_t file, std::int64_t baseTime = 0)
        : m_names(builder), m_file(file), m_baseTime(baseTime) {}

    /// @param cursor  Tokens that `event` came from.
    /// @param byte    Place of the event in its file.
    void write(const JsonCursor& cursor, const JsonEvent& event, std::uint64_t byte);
    /// For faults outside of events.
    DiagnosticLog& problems() { return m_part.problems; }

    /// Takes what was written since the last call, in vectors without spare room.
    ReadPart take();
    /// Forgets what was written since the last take().
    void discard();

private:
    struct CounterValue {
        std::string_view key;
        double value;
    };
    struct TokenHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view token) const { return std::hash<std::string_view>{}(token); }
    };
    struct Identity {
        std::string_view key;
        std::string value;
    };

    /// Writes the colour of a slice, if the source requests one.
    void writeColour(const JsonEvent& event, SourcePos pos);
    void writeSlice(const JsonCursor& cursor, const JsonEvent& event, std::int64_t time, SourcePos pos);
    /// Stack of an operator's slice, if it was recorded with one.
    ProvisionalStack stackOf(const JsonCursor& cursor, const JsonEvent& event);
    ProvisionalStack readStack(std::string_view token);
    void writeOpenEnd(const JsonEvent& event, bool isBegin, std::int64_t time, SourcePos pos);
    void writeCounter(const JsonCursor& cursor, const JsonEvent& event, std::int64_t time, SourcePos pos);
    /// Fills m_values and m_suffix from the arguments of a counter. @return False if there was nothing to say.
    bool readCounter(const JsonCursor& cursor, const JsonEvent& event, SourcePos pos);
    /// An end, or a mark, of what no thread does: all of one category and id are a track.
    void writeAsync(const JsonCursor& cursor, const JsonEvent& event, char phase, std::int64_t time, SourcePos pos);
    /// The id of an asynchronous event, which may lie in `id2`; empty if it has none.
    std::string_view asyncId(const JsonCursor& cursor, const JsonEvent& event, SourcePos pos);
    void writeFlow(const JsonEvent& event, FlowPoint point, std::int64_t time, SourcePos pos);
    void writeMetadata(const JsonCursor& cursor, const JsonEvent& event, SourcePos pos);
    void writeUnknown(const JsonEvent& event, SourcePos pos);

    std::optional<std::int64_t> requiredTime(const JsonEvent& event, SourcePos pos);
    std::int64_t durationOf(const JsonEvent& event, SourcePos pos);
    ProvisionalTrack threadOf(const JsonEvent& event, SourcePos pos);
    std::string_view identifier(std::string_view token, std::string_view field, std::string& scratch, SourcePos pos);
    std::string_view inside(std::string_view stringToken, std::string& scratch, SourcePos pos);
    ProvisionalText textOf(std::string_view token, std::string_view field, SourcePos pos);
    ProvisionalText nameOf(const JsonEvent& event, SourcePos pos);
    void problem(Problem what, SourcePos pos) { m_part.problems.add(what, pos.offset()); }
    void problem(Problem what, SourcePos pos, std::string_view field) {
        m_part.problems.add(what, pos.offset(), "field", field);
    }

    TraceBuilder::Names m_names;
    std::uint32_t m_file;
    std::int64_t m_baseTime;
    ReadPart m_part;
    // Stacks by their tokens: operators are called from few places, neighbours mostly from the same.
    std::unordered_map<std::string, ProvisionalStack, TokenHash, std::equal_to<>> m_stacks;
    std::size_t m_stackBytes = 0;
    const std::pair<const std::string, ProvisionalStack>* m_lastStack = nullptr;
    std::string m_text, m_process, m_thread, m_series, m_suffix;  // scratch
    std::vector<CounterValue> m_values;                           // scratch
    std::vector<Identity> m_identities;                           // scratch
    std::unordered_set<ProvisionalTrack> m_namedTracks;           // of asynchronous events, in this part
};

}  // namespace altiscope::reader
