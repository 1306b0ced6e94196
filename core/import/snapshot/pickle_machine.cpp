#include "core/import/snapshot/pickle_machine.h"

#include "core/base/text/diagnostics.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <string>

namespace altiscope::reader {

namespace {

constexpr std::uint64_t kFreeThings = std::uint64_t{1} << 20;

/// Functions that give back their first argument, or an equal one, when they are called.
constexpr std::pair<std::string_view, std::string_view> kKnownGlobals[] = {
    {"torch.jit._pickle", "restore_type_tag"},
    {"torch.jit._pickle", "build_intlist"},
    {"torch.jit._pickle", "build_doublelist"},
    {"torch.jit._pickle", "build_boollist"},
};

}  // namespace

PickleMachine::PickleMachine(PickleInput& input, PickleObjects& objects)
    : m_input(input), m_objects(objects),
      m_mostThings(std::min<std::uint64_t>(kFreeThings + input.remaining() / 8, PickleObjects::kMax)),
      m_mostValues(kFreeThings + input.remaining() / 16) {}

bool PickleMachine::fail(std::string_view code, MessageParameters parameters) {
    if (!m_error)
        m_error = Error{std::string(code), {}, Place{PlaceUnit::Byte, m_position}.text(), std::move(parameters)};
    return false;
}

bool PickleMachine::failCut() { return fail("snapshot.cut"); }

bool PickleMachine::pushCopy(PickleValue value) {
    if (!push(value.kind, value.index, value.number)) return false;
    m_stack.back().first = value.first;
    return true;
}

PickleValue* PickleMachine::top() {
    const std::size_t fence = m_marks.empty() ? 0 : m_marks.back();
    if (m_stack.size() > fence) return &m_stack.back();
    fail("snapshot.stack");
    return nullptr;
}

bool PickleMachine::pop(PickleValue& value) {
    const PickleValue* last = top();
    if (last == nullptr) return false;
    value = *last;
    m_stack.shrinkTo(m_stack.size() - 1);
    return true;
}

bool PickleMachine::popMark(std::size_t& first) {
    if (m_marks.empty()) return fail("snapshot.stack");
    first = m_marks.back();
    m_marks.pop_back();
    return true;
}

bool PickleMachine::text(std::uint64_t size) {
    if (size > m_input.remaining()) return fail("snapshot.size", {{"size", std::to_string(size)}});
    if (size > kMaxTextLength) return fail("snapshot.too_large");
    const char* bytes = m_input.take(static_cast<std::size_t>(size));
    if (bytes == nullptr) return failCut();
    if (m_objects.size() > m_mostThings) return fail("snapshot.too_large");
    return push(PickleKind::Text, m_objects.texts.id({bytes, static_cast<std::size_t>(size)}));
}

bool PickleMachine::opaque(std::uint64_t size) {
    if (size > m_input.remaining()) return fail("snapshot.size", {{"size", std::to_string(size)}});
    if (!m_input.skip(size)) return failCut();
    return push(PickleKind::Opaque);
}

bool PickleMachine::integer(std::uint64_t size) {
    if (size > sizeof(std::int64_t)) return opaque(size);
    const char* bytes = m_input.take(static_cast<std::size_t>(size));
    if (bytes == nullptr) return failCut();
    std::uint64_t value = 0;
    std::memcpy(&value, bytes, static_cast<std::size_t>(size));
    const auto bits = static_cast<unsigned>(size * 8);
    if (bits > 0 && bits < 64 && (value >> (bits - 1) & 1U) != 0) value |= ~std::uint64_t{0} << bits;
    const auto number = static_cast<std::int64_t>(value);
    // Cells of tables cannot hold it (kNoCell).
    const bool isTooSmall = number == std::numeric_limits<std::int64_t>::min();
    return push(isTooSmall ? PickleKind::Opaque : PickleKind::Integer, 0, number);
}

bool PickleMachine::real() {
    std::uint64_t bits = 0;
    const char* bytes = m_input.take(sizeof bits);
    if (bytes == nullptr) return failCut();
    // Alone of all numbers it is big-endian.
    for (std::size_t i = 0; i < sizeof bits; ++i) bits = bits << 8 | static_cast<std::uint8_t>(bytes[i]);
    return push(PickleKind::Real, 0, static_cast<std::int64_t>(bits));
}

PickleValue PickleMachine::pairOf(std::int64_t first, std::int64_t second) {
    if (m_pair.kind == PickleKind::Pair && m_lastPair[0] == first && m_lastPair[1] == second) return m_pair;
    if (m_objects.size() > m_mostThings) return {PickleKind::Opaque, {}, 0, 0};
    const std::string text = '(' + std::to_string(first) + ", " + std::to_string(second) + ')';
    m_lastPair[0] = first;
    m_lastPair[1] = second;
    m_pair = {PickleKind::Pair, {}, m_objects.texts.id(text), 0};
    return m_pair;
}

std::optional<PickleValue> PickleMachine::frameOf(std::size_t first) {
    // (file, line, function), with the text of the line after it as Python's traceback has it; (function, file, line).
    const std::size_t count = m_stack.size() - first;
    if (count != 3 && count != 4) return std::nullopt;
    const auto is = [&](std::size_t item, PickleKind kind) { return m_stack[first + item].kind == kind; };
    const bool isInTheMiddle = is(0, PickleKind::Text) && is(1, PickleKind::Integer) && is(2, PickleKind::Text);
    const bool isLast = count == 3 && is(0, PickleKind::Text) && is(1, PickleKind::Text) && is(2, PickleKind::Integer);
    if (!isInTheMiddle && !isLast) return std::nullopt;
    if (m_objects.size() > m_mostThings) {
        fail("snapshot.too_large");
        return std::nullopt;
    }
    const auto key = [](SnapshotWord word) {
        return PickleValue{PickleKind::Text, PickleKind::Nothing, numberOf(word), 0};
    };
    const PickleValue items[] = {key(SnapshotWord::Filename), m_stack[first + (isLast ? 1 : 0)],
                                 key(SnapshotWord::Line),     m_stack[first + (isLast ? 2 : 1)],
                                 key(SnapshotWord::Name),     m_stack[first + (isLast ? 0 : 2)]};
    const std::uint32_t dict = m_objects.addDict();
    if (const std::string_view error = m_objects.setItems(dict, items); !error.empty()) fail(error);
    return PickleValue{PickleKind::Dict, PickleKind::Nothing, dict, 0};
}

std::optional<PickleValue> PickleMachine::listOf(std::size_t first) {
    const auto items = m_stack.from(first);
    const auto isContainer = [](const PickleValue& item) {
        return item.kind == PickleKind::Dict || item.kind == PickleKind::List;
    };
    // With a text after it, it is what restore_type_tag takes.
    const bool isArguments = items.size() == 2 && items[1].kind == PickleKind::Text;
    if (isArguments || std::none_of(items.begin(), items.end(), isContainer)) return std::nullopt;
    if (m_objects.size() > m_mostThings) {
        fail("snapshot.too_large");
        return std::nullopt;
    }
    const std::uint32_t list = m_objects.addList();
    if (const std::string_view error = m_objects.append(list, items); !error.empty()) fail(error);
    const PickleKind kind = isContainer(items.front()) ? items.front().kind : PickleKind::Nothing;
    return PickleValue{PickleKind::List, kind, list, items.front().index};
}

bool PickleMachine::tuple(std::size_t first) {
    PickleValue made{PickleKind::Opaque, {}, 0, 0};
    const bool isPair = m_stack.size() - first == 2 && m_stack[first].kind == PickleKind::Integer &&
                        m_stack[first + 1].kind == PickleKind::Integer;
    if (isPair) {
        made = pairOf(m_stack[first].number, m_stack[first + 1].number);
    } else if (first == m_stack.size()) {
        made.kind = PickleKind::Tuple;
    } else if (const auto frame = frameOf(first)) {
        made = *frame;
    } else if (const auto list = listOf(first)) {
        made = *list;
    } else {
        const PickleValue& item = m_stack[first];
        if (item.kind == PickleKind::Dict || item.kind == PickleKind::List)
            made = {PickleKind::Tuple, item.kind, item.index, 0};
    }
    m_stack.shrinkTo(first);
    return !m_error && pushCopy(made);
}

bool PickleMachine::appendItems(std::size_t first) {
    const std::size_t fence = m_marks.empty() ? 0 : m_marks.back();
    if (first == fence || m_stack[first - 1].kind != PickleKind::List) return fail("snapshot.stack");
    const std::string_view error = m_objects.append(m_stack[first - 1].index, m_stack.from(first));
    m_stack.shrinkTo(first);
    return error.empty() || fail(error);
}

bool PickleMachine::setItems(std::size_t first) {
    const std::size_t fence = m_marks.empty() ? 0 : m_marks.back();
    const bool isPaired = (m_stack.size() - first) % 2 == 0;
    if (first == fence || m_stack[first - 1].kind != PickleKind::Dict || !isPaired) return fail("snapshot.stack");
    const std::string_view error = m_objects.setItems(m_stack[first - 1].index, m_stack.from(first));
    m_stack.shrinkTo(first);
    return error.empty() || fail(error);
}

bool PickleMachine::setMemo(std::uint64_t index) {
    const PickleValue* value = top();
    if (value == nullptr) return false;
    if (index >= m_mostThings) return fail("snapshot.too_large");
    std::uint32_t item = PickleObjects::packed(*value);
    if (value->kind == PickleKind::Integer) {
        item = PickleObjects::packed({PickleKind::Nothing, {}, static_cast<std::uint32_t>(m_integers.size()), 0});
        ++item;  // 0 is no memo
        m_integers.push(value->number);
        if (m_integers.size() >= m_mostThings) return fail("snapshot.too_large");
    }
    m_memo.growTo(static_cast<std::size_t>(index) + 1);
    std::uint32_t& memo = m_memo[static_cast<std::size_t>(index)];
    m_memoCount += memo == 0 ? 1 : 0;
    memo = item;
    return true;
}

bool PickleMachine::getInteger(std::uint64_t index, std::uint32_t item) {
    if (item == 0) return fail("snapshot.memo", {{"index", std::to_string(index)}});
    return push(PickleKind::Integer, 0, m_integers[item - 1]);
}

bool PickleMachine::line(std::string& text) {
    for (;;) {
        const char* next = m_input.take(1);
        if (next == nullptr) return failCut();
        if (*next == '\n') return true;
        if (text.size() == kMaxNameLength) return fail("snapshot.too_large");
        text += *next;
    }
}

bool PickleMachine::global(std::string_view module, std::string_view name) {
    const std::pair wanted(module, name);
    if (std::find(std::begin(kKnownGlobals), std::end(kKnownGlobals), wanted) == std::end(kKnownGlobals)) {
        constexpr std::size_t kShown = 80;
        std::string shown = std::string(module) + '.' + std::string(name);
        shown.resize(std::min(shown.size(), kShown));
        for (char& c : shown) c = c >= ' ' && c <= '~' ? c : '?';
        return fail("snapshot.global", {{"name", std::move(shown)}});
    }
    return push(PickleKind::Global);
}

bool PickleMachine::globalOfLines() {
    std::string module, name;
    return line(module) && line(name) && global(module, name);
}

bool PickleMachine::globalOfStack() {
    PickleValue name, module;
    if (!pop(name) || !pop(module)) return false;
    if (name.kind != PickleKind::Text || module.kind != PickleKind::Text) return fail("snapshot.stack");
    return global(m_objects.texts.text(module.index), m_objects.texts.text(name.index));
}

bool PickleMachine::reduce() {
    PickleValue arguments, function;
    if (!pop(arguments) || !pop(function)) return false;
    if (function.kind != PickleKind::Global) return refused();
    // Arguments of two lists, or of one, are kept as a list.
    if (arguments.kind == PickleKind::List && arguments.first != PickleKind::Nothing)
        return push(arguments.first, static_cast<std::uint32_t>(arguments.number));
    if (arguments.kind != PickleKind::Tuple || arguments.first == PickleKind::Nothing) return push(PickleKind::Opaque);
    return push(arguments.first, arguments.index);
}

bool PickleMachine::step() {
    m_position = m_input.position();
    if (!take(m_opcode)) return false;
    std::uint8_t byte = 0;
    std::uint16_t half = 0;
    std::uint32_t word = 0;
    std::int32_t number = 0;
    std::uint64_t size = 0;
    std::size_t first = 0;
    PickleValue value;
    switch (static_cast<PickleOpcode>(m_opcode)) {
    // Opcodes of entries come first.
    case PickleOpcode::BinGet: return take(byte) && getMemo(byte);
    case PickleOpcode::LongBinGet: return take(word) && getMemo(word);
    case PickleOpcode::Memoize: return setMemo(m_memoCount);
    case PickleOpcode::BinPut: return take(byte) && setMemo(byte);
    case PickleOpcode::LongBinPut: return take(word) && setMemo(word);
    case PickleOpcode::BinInt: return take(number) && push(PickleKind::Integer, 0, number);
    case PickleOpcode::BinInt1: return take(byte) && push(PickleKind::Integer, 0, byte);
    case PickleOpcode::BinInt2: return take(half) && push(PickleKind::Integer, 0, half);
    case PickleOpcode::Long1: return take(byte) && integer(byte);
    case PickleOpcode::Long4:
        if (!take(number)) return false;
        if (number < 0) return fail("snapshot.size", {{"size", std::to_string(number)}});
        return integer(static_cast<std::uint64_t>(number));
    case PickleOpcode::Mark:
        if (m_marks.size() == kMaxMarks) return fail("snapshot.too_deep");
        m_marks.push_back(m_stack.size());
        return true;
    case PickleOpcode::EmptyDict:
        if (m_objects.size() > m_mostThings) return fail("snapshot.too_large");
        if (plainDict()) return !m_error;
        return !m_error && push(PickleKind::Dict, m_objects.addDict());
    case PickleOpcode::EmptyList:
        if (m_objects.size() > m_mostThings) return fail("snapshot.too_large");
        return push(PickleKind::List, m_objects.addList());
    case PickleOpcode::SetItems: return popMark(first) && setItems(first);
    case PickleOpcode::SetItem:
        if (m_stack.size() < 3 + (m_marks.empty() ? 0 : m_marks.back())) return fail("snapshot.stack");
        return setItems(m_stack.size() - 2);
    case PickleOpcode::Appends: return popMark(first) && appendItems(first);
    case PickleOpcode::Append:
        if (m_stack.size() < 2 + (m_marks.empty() ? 0 : m_marks.back())) return fail("snapshot.stack");
        return appendItems(m_stack.size() - 1);
    case PickleOpcode::ShortBinUnicode:
    case PickleOpcode::ShortBinString: return take(byte) && text(byte);
    case PickleOpcode::BinUnicode: return take(word) && text(word);
    case PickleOpcode::BinUnicode8: return take(size) && text(size);
    case PickleOpcode::BinString:
        if (!take(number)) return false;
        if (number < 0) return fail("snapshot.size", {{"size", std::to_string(number)}});
        return text(static_cast<std::uint64_t>(number));
    case PickleOpcode::None: return push(PickleKind::Null);
    case PickleOpcode::NewTrue: return push(PickleKind::Integer, 0, 1);
    case PickleOpcode::NewFalse: return push(PickleKind::Integer);
    case PickleOpcode::BinFloat: return real();
    case PickleOpcode::BinBytes: return take(word) && opaque(word);
    case PickleOpcode::ShortBinBytes: return take(byte) && opaque(byte);
    case PickleOpcode::BinBytes8: return take(size) && opaque(size);
    case PickleOpcode::EmptyTuple: return push(PickleKind::Tuple);
    case PickleOpcode::Tuple: return popMark(first) && tuple(first);
    case PickleOpcode::Tuple1:
    case PickleOpcode::Tuple2:
    case PickleOpcode::Tuple3: {
        const std::size_t count = m_opcode - static_cast<std::size_t>(PickleOpcode::Tuple1) + 1;
        const std::size_t fence = m_marks.empty() ? 0 : m_marks.back();
        return m_stack.size() < fence + count ? fail("snapshot.stack") : tuple(m_stack.size() - count);
    }
    case PickleOpcode::Pop:
        // As Python does it: on a mark with nothing above it, that goes.
        if (!m_marks.empty() && m_marks.back() == m_stack.size()) return popMark(first);
        return pop(value);
    case PickleOpcode::Dup: {
        const PickleValue* last = top();
        return last != nullptr && pushCopy(*last);
    }
    case PickleOpcode::Proto:
        if (!take(byte)) return false;
        return (byte >= 2 && byte <= 5) || fail("snapshot.not_pickle");
    case PickleOpcode::Frame:
        // Only a hint of how much to read at once.
        if (!take(size)) return false;
        return size <= m_input.remaining() || fail("snapshot.size", {{"size", std::to_string(size)}});
    case PickleOpcode::Global: return globalOfLines();
    case PickleOpcode::StackGlobal: return globalOfStack();
    case PickleOpcode::Reduce: return reduce();
    case PickleOpcode::Stop:
        if (!m_marks.empty() || m_stack.size() != 1) return fail("snapshot.stack");
        m_isDone = true;
        return true;
    }
    return refused();
}

Result<PickleValue> PickleMachine::run() {
    m_position = m_input.position();
    const char* start = m_input.take(2);
    const auto isProtocol = [](char version) { return version >= 2 && version <= 5; };
    if (start == nullptr) failCut();
    else if (static_cast<std::uint8_t>(start[0]) != static_cast<std::uint8_t>(PickleOpcode::Proto) ||
             !isProtocol(start[1]))
        fail("snapshot.not_pickle");
    bool goesOn = !m_error && !m_input.cancelled();
    while (goesOn) goesOn = step() && !m_isDone;
    if (m_input.cancelled()) return Cancelled{};
    if (m_input.error()) return *m_input.error();
    if (m_error) return *m_error;
    return m_stack.back();
}

}  // namespace altiscope::reader
