#include "core/import/trace/event_writer.h"

#include "core/base/values/digits.h"
#include "core/base/values/parse.h"
#include "core/base/values/time.h"
#include "core/import/json/json_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace altiscope::reader {

void note(TraceBuilder& builder, const MetadataFact& fact) {
    switch (fact.kind) {
    case MetadataFact::Kind::ProcessName: return builder.setProcessName(fact.process, fact.text, fact.pos);
    case MetadataFact::Kind::ProcessLabels: return builder.setProcessLabels(fact.process, fact.text, fact.pos);
    case MetadataFact::Kind::ProcessSort: return builder.setProcessSort(fact.process, fact.index, fact.pos);
    case MetadataFact::Kind::ThreadName: return builder.setThreadName(fact.process, fact.thread, fact.text, fact.pos);
    case MetadataFact::Kind::ThreadSort: return builder.setThreadSort(fact.process, fact.thread, fact.index, fact.pos);
    }
}

namespace {

bool isString(std::string_view token) { return !token.empty() && token.front() == '"'; }
bool beginsAsNumber(std::string_view token) {
    return !token.empty() && (token.front() == '-' || isDigit(token.front()));
}
/// Absent, or present as null, which writers use for "none".
bool isAbsent(std::string_view token) { return token.empty() || isWord(token, "null"); }

std::string_view withoutQuotes(std::string_view token) { return token.substr(1, token.size() - 2); }

/// Whether a text that parseMicrosecondsAsNs refuses spells a number, which is then too large.
bool spellsNumber(std::string_view text) {
    return text.find_first_of("0123456789") != std::string_view::npos &&
           text.find_first_not_of("0123456789+-.eE \t\r\n") == std::string_view::npos;
}

/// Whether a stamp in exponent form (1.7e15) states fewer digits than microseconds of the time of day have.
bool lacksDigits(std::string_view text, std::int64_t ns) {
    static constexpr std::int64_t kDays = std::int64_t{1} << 50;  // 13: shorter times have few digits anyway
    static constexpr std::size_t kMaxLength = 4;                  // "e+15"
    if (ns < kDays || text.size() < kMaxLength) return false;
    // Each event comes here: no loop, no call.
    const auto isMark = [end = text.data() + text.size()](int before) { return (end[-before] | 0x20) == 'e'; };
    if (!(isMark(1) || isMark(2) || isMark(3) || isMark(4))) return false;
    const std::size_t mark = text.find_first_of("eE"), point = std::min(text.find('.'), mark);
    const std::size_t decimals = mark - point - (point < mark ? 1 : 0);
    const std::string_view exponent = text.substr(mark + 1 + (text.substr(mark + 1, 1) == "+" ? 1 : 0));
    const auto places = wholeNumber(exponent);
    return places && static_cast<std::int64_t>(decimals) < *places;
}

/// The inside of a time field, or an empty text if it is neither text nor number.
std::string_view timeFieldText(std::string_view token) {
    if (isString(token)) return withoutQuotes(token);
    return beginsAsNumber(token) ? token : std::string_view{};
}

/// Arguments of counters that tell series apart and are no values. Source: resources/help/reference/sql.md.
bool isIdentifying(std::string_view key) { return key.ends_with("_id") || key == "PA Link ID" || key == "PCIE ID"; }

template <class T>
std::vector<T> takeExact(std::vector<T>& scratch) {
    std::vector<T> exact(scratch.begin(), scratch.end());
    scratch.clear();
    return exact;
}

}  // namespace

std::string_view EventWriter::inside(std::string_view stringToken, std::string& scratch, SourcePos pos) {
    const std::string_view raw = withoutQuotes(stringToken);
    if (raw.find('\\') == std::string_view::npos) return raw;
    Unescaped plain = unescapedJson(raw);
    if (plain.repaired) problem(Problem::BadEscape, pos);
    scratch = std::move(plain.text);
    return scratch;
}

ProvisionalText EventWriter::textOf(std::string_view token, std::string_view field, SourcePos pos) {
    if (isString(token)) return m_names.text(inside(token, m_text, pos));
    if (isAbsent(token)) return m_names.text({});
    problem(Problem::OddType, pos, field);
    const TokenClass kind = tokenClass(token.front());
    return m_names.text(kind == TokenClass::Scalar ? token : std::string_view{});
}

ProvisionalText EventWriter::nameOf(const JsonEvent& event, SourcePos pos) {
    if (isAbsent(event.name)) problem(Problem::MissingName, pos);
    return textOf(event.name, "name", pos);
}

std::string_view EventWriter::identifier(std::string_view token, std::string_view field, std::string& scratch,
                                         SourcePos pos) {
    if (isString(token)) return inside(token, scratch, pos);
    if (beginsAsNumber(token) || isAbsent(token)) return isAbsent(token) ? std::string_view{} : token;
    problem(Problem::OddType, pos, field);
    return {};
}

ProvisionalTrack EventWriter::threadOf(const JsonEvent& event, SourcePos pos) {
    if (isAbsent(event.process) || isAbsent(event.thread)) problem(Problem::MissingThread, pos);
    const std::string_view process = identifier(event.process, "pid", m_process, pos);
    return m_names.thread(process, identifier(event.thread, "tid", m_thread, pos));
}

std::optional<std::int64_t> EventWriter::requiredTime(const JsonEvent& event, SourcePos pos) {
    if (isAbsent(event.time)) {
        problem(Problem::MissingField, pos, "ts");
        return std::nullopt;
    }
    const std::string_view text = timeFieldText(event.time);
    auto time = parseMicrosecondsAsNs(text);
    // Both are below 2^62.
    if (time && m_baseTime != 0) {
        *time += m_baseTime;
        if (!isTraceTime(*time)) {
            problem(Problem::OutOfRange, pos, "ts");
            return std::nullopt;
        }
    }
    if (!time) problem(spellsNumber(text) ? Problem::OutOfRange : Problem::WrongType, pos, "ts");
    else if (lacksDigits(text, *time)) problem(Problem::LowPrecision, pos);
    return time;
}

std::int64_t EventWriter::durationOf(const JsonEvent& event, SourcePos pos) {
    if (isAbsent(event.duration)) {
        problem(Problem::MissingDuration, pos);
        return 0;
    }
    const std::string_view text = timeFieldText(event.duration);
    const auto duration = parseMicrosecondsAsNs(text);
    if (!duration) {
        if (spellsNumber(text)) problem(Problem::DurationOutOfRange, pos);
        else problem(Problem::OddType, pos, "dur");
        return 0;
    }
    if (*duration < 0) {
        problem(Problem::NegativeDuration, pos);
        return 0;
    }
    return *duration;
}

void EventWriter::write(const JsonCursor& cursor, const JsonEvent& event, std::uint64_t byte) {
    const SourcePos pos = SourcePos::make(m_file, byte);
    if (event.repeats) problem(Problem::RepeatedField, pos);
    if (event.phase.size() != 3 || !isString(event.phase)) return writeUnknown(event, pos);
    ++m_part.records;
    const char phase = event.phase[1];
    if (phase == 'M') return writeMetadata(cursor, event, pos);
    static constexpr std::string_view kTimed = "XBEiICstf", kAsync = "bneSTpF";
    if (kAsync.find(phase) != std::string_view::npos) {
        if (const auto time = requiredTime(event, pos)) writeAsync(cursor, event, phase, *time, pos);
        return;
    }
    if (kTimed.find(phase) == std::string_view::npos) {
        m_part.problems.add(Problem::UnknownPhase, byte, "phase", withoutQuotes(event.phase));
        return;
    }
    const auto time = requiredTime(event, pos);
    if (!time) return;
    switch (phase) {
    case 'X': return writeSlice(cursor, event, *time, pos);
    case 'B':
    case 'E': return writeOpenEnd(event, phase == 'B', *time, pos);
    case 'C': return writeCounter(cursor, event, *time, pos);
    case 's': return writeFlow(event, FlowPoint::Start, *time, pos);
    // 't' is a step on the way, which old CANN writes where it means an end.
    case 't':
    case 'f': return writeFlow(event, FlowPoint::Finish, *time, pos);
    default: break;
    }
    ++m_part.rows;
    m_part.segment.instants.push_back({threadOf(event, pos), *time, nameOf(event, pos), pos});
}

void EventWriter::writeUnknown(const JsonEvent& event, SourcePos pos) {
    // "{}" is how writers end a list whose last comma they cannot take back.
    if (!event.hasFields) return;
    if (isAbsent(event.phase)) return problem(Problem::MissingField, pos, "ph");
    if (!isString(event.phase)) return problem(Problem::WrongType, pos, "ph");
    ++m_part.records;
    m_part.problems.add(Problem::UnknownPhase, pos.offset(), "phase", withoutQuotes(event.phase));
}

void EventWriter::writeColour(const JsonEvent& event, SourcePos pos) {
    if (!isAbsent(event.colour)) m_part.segment.colours.push_back({pos, textOf(event.colour, "cname", pos)});
}

ProvisionalStack EventWriter::readStack(std::string_view token) {
    static constexpr std::string_view kBetween = ";\r\n";
    const std::string_view raw = withoutQuotes(token);
    // Faults of the text are reported where the argument is read.
    const std::string text = raw.find('\\') == std::string_view::npos ? std::string(raw) : unescapedJson(raw).text;
    std::vector<std::string_view> frames;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find(kBetween, from), text.size());
        frames.push_back(std::string_view(text).substr(from, to - from));
        from = to + kBetween.size();
    }
    std::reverse(frames.begin(), frames.end());
    return m_names.stack(frames);
}

ProvisionalStack EventWriter::stackOf(const JsonCursor& cursor, const JsonEvent& event) {
    if (!isWord(event.category, "\"cpu_op\"") || event.args == 0) return CallStackPool::kNoStack;
    std::string_view token;
    cursor.forEachMember(event.args, [&](std::string_view key, std::uint32_t value) {
        if (isWord(key, "\"Call stack\"")) token = cursor.text(value);
    });
    if (!isString(token)) return CallStackPool::kNoStack;
    if (m_lastStack != nullptr && m_lastStack->first == token) return m_lastStack->second;
    auto known = m_stacks.find(token);
    if (known == m_stacks.end()) {
        // A file in which all are different must not be in memory as a whole.
        static constexpr std::size_t kMaxBytes = std::size_t{16} << 20;
        m_stackBytes += token.size();
        if (m_stackBytes > kMaxBytes) {
            m_stacks.clear();
            m_stackBytes = token.size();
        }
        known = m_stacks.emplace(std::string(token), readStack(token)).first;
    }
    m_lastStack = &*known;
    return known->second;
}

void EventWriter::writeSlice(const JsonCursor& cursor, const JsonEvent& event, std::int64_t time, SourcePos pos) {
    ++m_part.rows;
    std::int64_t duration = durationOf(event, pos);
    if (duration > kMaxTimeNs - std::max<std::int64_t>(time, 0)) {
        problem(Problem::DurationOutOfRange, pos);
        duration = 0;
    }
    const ProvisionalTrack track = threadOf(event, pos);
    m_part.segment.slices.add(track, time, duration, nameOf(event, pos), textOf(event.category, "cat", pos), pos);
    writeColour(event, pos);
    if (const ProvisionalStack stack = stackOf(cursor, event); stack != CallStackPool::kNoStack)
        m_part.segment.stackedOperators.push_back({track, stack, time, duration, pos});
}

void EventWriter::writeOpenEnd(const JsonEvent& event, bool isBegin, std::int64_t time, SourcePos pos) {
    ++m_part.rows;
    // An end belongs to the last begin of its thread; most writers do not name it again.
    const ProvisionalText name = isBegin ? nameOf(event, pos) : textOf(event.name, "name", pos);
    m_part.segment.openEnds.push_back(
        {threadOf(event, pos), isBegin, time, name, textOf(event.category, "cat", pos), pos});
    if (isBegin) writeColour(event, pos);
}

std::string_view EventWriter::asyncId(const JsonCursor& cursor, const JsonEvent& event, SourcePos pos) {
    std::string_view token = event.id;
    if (isAbsent(token) && event.id2 != 0) {
        cursor.forEachMember(event.id2, [&](std::string_view key, std::uint32_t value) {
            if (isWord(key, "\"local\"") || isWord(key, "\"global\"")) token = cursor.text(value);
        });
    }
    return identifier(token, "id", m_text, pos);
}

void EventWriter::writeAsync(const JsonCursor& cursor, const JsonEvent& event, char phase, std::int64_t time,
                             SourcePos pos) {
    const std::string_view id = asyncId(cursor, event, pos);
    if (id.empty()) return problem(Problem::MissingField, pos, "id");
    m_series = identifier(event.category, "cat", m_process, pos);
    if (!m_series.empty()) m_series += ' ';
    m_series += id;
    ++m_part.rows;
    if (isAbsent(event.process)) problem(Problem::MissingThread, pos);
    const std::string_view process = identifier(event.process, "pid", m_process, pos);
    // No thread has such an id.
    m_thread = "async " + m_series;
    const ProvisionalTrack track = m_names.thread(process, m_thread);
    const bool isBegin = phase == 'b' || phase == 'S', isEnd = phase == 'e' || phase == 'F';
    if (isBegin && m_namedTracks.insert(track).second)
        m_part.facts.push_back({MetadataFact::Kind::ThreadName, std::string(process), m_thread, m_series, 0, pos});
    const ProvisionalText name = isEnd ? textOf(event.name, "name", pos) : nameOf(event, pos);
    if (isBegin || isEnd)
        m_part.segment.openEnds.push_back({track, isBegin, time, name, textOf(event.category, "cat", pos), pos, true});
    else m_part.segment.instants.push_back({track, time, name, pos});
}

bool EventWriter::readCounter(const JsonCursor& cursor, const JsonEvent& event, SourcePos pos) {
    m_values.clear();
    m_identities.clear();
    bool hasProblem = false;
    const auto leaveOut = [&](Problem what, std::string_view key) {
        problem(what, pos, key);
        hasProblem = true;
    };
    const auto identify = [&](std::string_view key, std::string_view token) {
        if (isString(token)) m_identities.push_back({key, std::string(inside(token, m_text, pos))});
        else if (tokenClass(token.front()) == TokenClass::Scalar) m_identities.push_back({key, std::string(token)});
        else leaveOut(Problem::OddType, key);
    };
    cursor.forEachMember(event.args, [&](std::string_view quotedKey, std::uint32_t value) {
        const std::string_view key = withoutQuotes(quotedKey);
        const std::string_view token = cursor.text(value);
        if (isIdentifying(key)) return identify(key, token);
        if (token.front() != '-' && token.front() != 'N' && token.front() != 'I' && !beginsAsNumber(token))
            return leaveOut(Problem::CounterText, key);
        double number = 0;
        const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), number);
        if (error == std::errc::invalid_argument || end != token.data() + token.size())
            return leaveOut(Problem::WrongType, key);
        if (error != std::errc{} || !std::isfinite(number)) return leaveOut(Problem::OutOfRange, key);
        m_values.push_back({key, number});
    });
    if (m_values.empty()) {
        if (!hasProblem) problem(Problem::MissingField, pos, "args");
        return false;
    }
    // The last of a repeated key counts. Keys point into one text, so their places tell their order.
    std::sort(m_values.begin(), m_values.end(), [](const CounterValue& a, const CounterValue& b) {
        return a.key != b.key ? a.key < b.key : a.key.data() > b.key.data();
    });
    m_values.erase(std::unique(m_values.begin(), m_values.end(),
                               [](const CounterValue& a, const CounterValue& b) { return a.key == b.key; }),
                   m_values.end());
    // Writers do not keep to one order of keys, but the series is the same.
    std::stable_sort(m_identities.begin(), m_identities.end(),
                     [](const Identity& a, const Identity& b) { return a.key < b.key; });
    if (!isAbsent(event.id)) identify("id", event.id);
    m_suffix.clear();
    for (const Identity& identity : m_identities) {
        (m_suffix += ' ') += identity.key;
        (m_suffix += '=') += identity.value;
    }
    return true;
}

void EventWriter::writeCounter(const JsonCursor& cursor, const JsonEvent& event, std::int64_t time, SourcePos pos) {
    if (event.args == 0) return problem(Problem::MissingField, pos, "args");
    if (cursor.kind(event.args) != TokenClass::OpenObject) return problem(Problem::WrongType, pos, "args");
    if (!readCounter(cursor, event, pos)) return;
    if (isAbsent(event.process)) problem(Problem::MissingThread, pos);
    if (isAbsent(event.name)) problem(Problem::MissingName, pos);
    const std::string_view process = identifier(event.process, "pid", m_process, pos);
    const ProvisionalTrack track = m_names.counter(process, identifier(event.name, "name", m_thread, pos));
    for (const CounterValue& value : m_values) {
        m_series =
            value.key.find('\\') == std::string_view::npos ? std::string(value.key) : unescapedJson(value.key).text;
        m_series += m_suffix;
        m_part.segment.samples.push_back({track, m_names.text(m_series), time, value.value, pos});
        ++m_part.rows;
    }
}

void EventWriter::writeFlow(const JsonEvent& event, FlowPoint point, std::int64_t time, SourcePos pos) {
    if (isAbsent(event.id)) return problem(Problem::MissingField, pos, "id");
    if (!isString(event.id) && !beginsAsNumber(event.id)) return problem(Problem::WrongType, pos, "id");
    const ProvisionalText category = textOf(event.category, "cat", pos);
    const ProvisionalTrack track = threadOf(event, pos);
    const FlowKey key = makeFlowKey(isString(event.id) ? inside(event.id, m_text, pos) : event.id);
    m_part.segment.flows.push_back({track, point, category, time, key, pos});
    ++m_part.rows;
}

void EventWriter::writeMetadata(const JsonCursor& cursor, const JsonEvent& event, SourcePos pos) {
    struct Known {
        std::string_view name, argument;
        MetadataFact::Kind kind;
    };
    static constexpr Known kKnown[] = {
        {"\"process_name\"", "\"name\"", MetadataFact::Kind::ProcessName},
        {"\"process_labels\"", "\"labels\"", MetadataFact::Kind::ProcessLabels},
        {"\"process_sort_index\"", "\"sort_index\"", MetadataFact::Kind::ProcessSort},
        {"\"thread_name\"", "\"name\"", MetadataFact::Kind::ThreadName},
        {"\"thread_sort_index\"", "\"sort_index\"", MetadataFact::Kind::ThreadSort},
    };
    const Known* known = nullptr;
    for (const Known& one : kKnown) {
        if (event.name == one.name) known = &one;
    }
    if (known == nullptr)
        return problem(Problem::UnknownMetadata, pos, isString(event.name) ? withoutQuotes(event.name) : "");
    std::string_view value;
    if (event.args != 0) {
        cursor.forEachMember(event.args, [&](std::string_view key, std::uint32_t token) {
            if (key == known->argument) value = cursor.text(token);
        });
    }
    const std::string_view argument = withoutQuotes(known->argument);
    if (isAbsent(value)) return problem(Problem::MissingField, pos, argument);

    MetadataFact fact{known->kind,
                      std::string(identifier(event.process, "pid", m_process, pos)),
                      std::string(identifier(event.thread, "tid", m_thread, pos)),
                      {},
                      0,
                      pos};
    if (known->kind == MetadataFact::Kind::ProcessSort || known->kind == MetadataFact::Kind::ThreadSort) {
        const std::string_view digits = isString(value) ? withoutQuotes(value) : value;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), fact.index);
        if (error == std::errc::result_out_of_range) return problem(Problem::OutOfRange, pos, argument);
        if (error != std::errc{} || end != digits.data() + digits.size())
            return problem(Problem::WrongType, pos, argument);
    } else if (isString(value)) {
        fact.text = inside(value, m_text, pos);
    } else {
        problem(Problem::OddType, pos, argument);
        if (tokenClass(value.front()) != TokenClass::Scalar) return;
        fact.text = value;
    }
    m_part.facts.push_back(std::move(fact));
    ++m_part.rows;
}

ReadPart EventWriter::take() {
    ReadPart part;
    Segment& from = m_part.segment;
    Segment& to = part.segment;
    to.slices = {takeExact(from.slices.track), takeExact(from.slices.begin),    takeExact(from.slices.duration),
                 takeExact(from.slices.name),  takeExact(from.slices.category), takeExact(from.slices.pos)};
    to.openEnds = takeExact(from.openEnds);
    to.instants = takeExact(from.instants);
    to.samples = takeExact(from.samples);
    to.flows = takeExact(from.flows);
    to.colours = takeExact(from.colours);
    to.stackedOperators = takeExact(from.stackedOperators);
    part.facts = std::exchange(m_part.facts, {});
    m_namedTracks.clear();
    part.problems = std::exchange(m_part.problems, {});
    part.records = std::exchange(m_part.records, 0);
    part.rows = std::exchange(m_part.rows, 0);
    return part;
}

void EventWriter::discard() { static_cast<void>(take()); }

}  // namespace altiscope::reader
