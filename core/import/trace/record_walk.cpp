#include "core/import/trace/record_walk.h"

#include "core/import/json/json_text.h"

#include <algorithm>

namespace altiscope::reader {

std::optional<WalkPlace> RecordWalk::walkFast(const TracePiece& piece) {
    if (!m_tokens.find(piece.text)) return std::nullopt;
    const JsonCursor cursor(piece.text, m_tokens);
    const std::uint64_t end = piece.byte + piece.text.size();
    JsonEvent event;
    for (std::uint32_t token = 0; token < cursor.count();) {
        // A piece of events with new names each takes as long as a cancel may.
        if (m_cancel.cancelled()) return std::nullopt;
        const std::uint64_t byte = piece.byte + cursor.position(token);
        if (cursor.kind(token) == TokenClass::CloseArray) return WalkPlace{WalkPlace::At::Closed, byte + 1};
        if (cursor.kind(token) != TokenClass::OpenObject) return std::nullopt;
        const std::uint32_t after = cursor.readEvent(token, event);
        if (after == JsonCursor::kBroken) return std::nullopt;
        m_writer.write(cursor, event, byte);
        if (after == cursor.count()) {
            token = after;
            if (!piece.endsFile) return std::nullopt;
            break;
        }
        if (cursor.kind(after) == TokenClass::Comma) {
            token = after + 1;
        } else if (cursor.kind(after) == TokenClass::CloseArray) {
            token = after;
        } else {
            return std::nullopt;
        }
    }
    if (!piece.endsFile) return WalkPlace{WalkPlace::At::Record, end};
    m_writer.problems().add(Problem::Unclosed, end);
    return WalkPlace{WalkPlace::At::End, end};
}

WalkPlace RecordWalk::walkExact(const TracePiece& piece, WalkPlace from, std::uint64_t limit) {
    for (WalkPlace place = from;;) {
        if (m_cancel.cancelled()) return place;
        std::optional<WalkPlace> stop;
        while (place.at != WalkPlace::At::Search && place.byte < piece.byte + piece.text.size() &&
               isJsonBlank(piece.text[place.byte - piece.byte]))
            ++place.byte;
        switch (place.at) {
        case WalkPlace::At::Record:
            if (place.byte >= limit) return place;
            stop = walkRecord(piece, place);
            break;
        case WalkPlace::At::Separator: stop = walkSeparator(piece, place); break;
        case WalkPlace::At::Search: stop = search(piece, place); break;
        case WalkPlace::At::Closed:
        case WalkPlace::At::End: return place;
        }
        if (stop) return *stop;
    }
}

/// Steps over the record at `place`. @return Where to stop, if it cannot.
std::optional<WalkPlace> RecordWalk::walkRecord(const TracePiece& piece, WalkPlace& place) {
    const std::string_view rest = piece.text.substr(place.byte - piece.byte);
    DiagnosticLog& problems = m_writer.problems();
    if (rest.empty()) {
        if (!piece.endsFile) return place;
        problems.add(Problem::Unclosed, place.byte);
        return WalkPlace{WalkPlace::At::End, place.byte};
    }
    if (rest.front() == ']') return WalkPlace{WalkPlace::At::Closed, place.byte + 1};
    // "[,{": some writers begin each event with a comma.
    if (rest.front() == ',') {
        problems.add(Problem::ExtraComma, place.byte);
        ++place.byte;
        return std::nullopt;
    }
    const ValueExtent extent = valueExtent(rest);
    switch (extent.end) {
    case ValueExtent::End::Complete:
        readRecord(rest.substr(0, extent.length), place.byte);
        place = {WalkPlace::At::Separator, place.byte + extent.length};
        break;
    case ValueExtent::End::Broken:
        addUnreadable(place.byte, extent.isTooDeep);
        place = {WalkPlace::At::Search, place.byte + 1};
        break;
    case ValueExtent::End::NeedMore:
        if (!piece.endsFile) return place;
        problems.add(Problem::Cut, place.byte);
        return WalkPlace{WalkPlace::At::End, place.byte};
    }
    return std::nullopt;
}

/// Steps over what stands between two records. @return Where to stop, if it cannot.
std::optional<WalkPlace> RecordWalk::walkSeparator(const TracePiece& piece, WalkPlace& place) {
    const std::string_view rest = piece.text.substr(place.byte - piece.byte);
    DiagnosticLog& problems = m_writer.problems();
    if (rest.empty()) {
        if (!piece.endsFile) return place;
        problems.add(Problem::Unclosed, place.byte);
        return WalkPlace{WalkPlace::At::End, place.byte};
    }
    switch (rest.front()) {
    case ',': place = {WalkPlace::At::Record, place.byte + 1}; break;
    case ']': return WalkPlace{WalkPlace::At::Closed, place.byte + 1};
    case '{':
        problems.add(Problem::MissingComma, place.byte);
        place.at = WalkPlace::At::Record;
        break;
    default:
        problems.add(Problem::BrokenRecord, place.byte);
        place.at = WalkPlace::At::Search;
        break;
    }
    return std::nullopt;
}

std::optional<WalkPlace> RecordWalk::search(const TracePiece& piece, WalkPlace& place) const {
    const std::size_t from = place.byte - piece.byte;
    // A border that begins near the end of the piece may not be recognised yet.
    const std::size_t open = piece.endsFile ? 0 : kBorderSpan;
    const std::size_t limit = std::max(from, piece.text.size() - std::min(open, piece.text.size()));
    if (const auto border = findEventBorder(piece.text, from, limit)) {
        place = {WalkPlace::At::Record, piece.byte + *border};
        return std::nullopt;
    }
    if (piece.endsFile) return WalkPlace{WalkPlace::At::End, piece.byte + piece.text.size()};
    return WalkPlace{WalkPlace::At::Search, piece.byte + limit};
}

void RecordWalk::addUnreadable(std::uint64_t byte, bool isTooDeep) {
    if (isTooDeep) m_writer.problems().add(Problem::TooDeep, byte, "limit", std::to_string(JsonCursor::kMaxDepth));
    else m_writer.problems().add(Problem::BrokenRecord, byte);
}

void RecordWalk::readRecord(std::string_view text, std::uint64_t byte) {
    DiagnosticLog& problems = m_writer.problems();
    if (text.front() != '{') return problems.add(Problem::NotAnEvent, byte);
    m_record = text;  // a copy, because the byte after it must be none that JSON knows
    RepairedRecord repaired;
    bool readable = m_tokens.find(m_record);
    if (!readable) {
        repaired = repairedRecord(text);
        m_record = repaired.text;
        readable = m_tokens.find(m_record);
    }
    JsonEvent event;
    const JsonCursor cursor(m_record, m_tokens);
    if (!readable || cursor.readEvent(0, event) != cursor.count())
        return addUnreadable(byte, readable && cursor.isTooDeep(0));
    if (repaired.firstBadByte) problems.add(Problem::InvalidUtf8, byte + *repaired.firstBadByte);
    if (repaired.firstControl) problems.add(Problem::ControlCharacters, byte + *repaired.firstControl);
    m_writer.write(cursor, event, byte);
}

}  // namespace altiscope::reader
