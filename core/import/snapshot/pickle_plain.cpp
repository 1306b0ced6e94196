#include "core/import/snapshot/pickle_machine.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace altiscope::reader {

namespace {

using Byte = unsigned char;

constexpr Byte opcodeByte(PickleOpcode opcode) { return static_cast<Byte>(opcode); }

template <class Number>
Number operandAt(const Byte* at) {
    Number number = 0;
    std::memcpy(&number, at, sizeof number);
    return number;
}

/// An integer of an instruction. @return After it; null: it is another instruction.
const Byte* integerAt(const Byte* at, std::int64_t& number) {
    switch (static_cast<PickleOpcode>(*at)) {
    case PickleOpcode::BinInt1: number = at[1]; return at + 2;
    case PickleOpcode::BinInt2: number = operandAt<std::uint16_t>(at + 1); return at + 3;
    case PickleOpcode::BinInt: number = operandAt<std::int32_t>(at + 1); return at + 5;
    case PickleOpcode::Long1: {
        const std::size_t size = at[1];
        if (size == 0 || size > sizeof number) return nullptr;
        // The bytes after are shifted out, and the sign comes down.
        const auto shift = static_cast<int>(64 - 8 * size);
        number = static_cast<std::int64_t>(operandAt<std::uint64_t>(at + 2) << shift) >> shift;
        return number == std::numeric_limits<std::int64_t>::min() ? nullptr : at + 2 + size;
    }
    case PickleOpcode::NewTrue: number = 1; return at + 1;
    case PickleOpcode::NewFalse: number = 0; return at + 1;
    default: return nullptr;
    }
}

}  // namespace

/// Reads a dictionary from the buffer without the stack. Nothing is kept before its end is reached.
class PlainDict {
public:
    explicit PlainDict(PickleMachine& machine)
        : m_machine(machine), m_begin(reinterpret_cast<const Byte*>(machine.m_input.window().data())), m_at(m_begin),
          m_end(m_begin + machine.m_input.window().size()) {}

    /// False: it is none that can be read so.
    bool read() {
        if (m_machine.m_marks.size() + 2 > PickleMachine::kMaxMarks) return false;
        if (m_machine.m_objects.size() + 2 > m_machine.m_mostThings) return false;
        if (!hasRoom() || !stageMemo(PickleKind::Dict) || *m_at != opcodeByte(PickleOpcode::Mark)) return false;
        for (++m_at;;) {
            if (!hasRoom()) return false;
            if (*m_at == opcodeByte(PickleOpcode::SetItems)) break;
            if (!item()) return false;
        }
        ++m_at;
        return true;
    }
    std::size_t size() const { return static_cast<std::size_t>(m_at - m_begin); }

    /// Makes what was read. False: there is no room for it.
    bool keep(std::uint32_t& dict) {
        PickleObjects& objects = m_machine.m_objects;
        if (!objects.addDict(m_draft, dict)) return false;
        const std::uint32_t list = m_hasList ? objects.addStack(m_stack) : 0;
        for (std::size_t i = 0; i < m_memos; ++i) {
            const std::uint32_t index = m_staged[i].kind == PickleKind::Dict   ? dict
                                        : m_staged[i].kind == PickleKind::List ? list
                                                                               : m_staged[i].pair;
            m_machine.m_memo.growTo(static_cast<std::size_t>(m_staged[i].index) + 1);
            m_machine.m_memo[static_cast<std::size_t>(m_staged[i].index)] =
                PickleObjects::packed({m_staged[i].kind, {}, index, 0});
        }
        m_machine.m_memoCount += m_memos;
        return true;
    }

private:
    /// Bytes of an item at most, between two looks at the end of the buffer.
    static constexpr std::ptrdiff_t kMaxItemLength = 40;
    static constexpr std::size_t kMaxMemos = 8;

    struct Staged {
        PickleKind kind = PickleKind::Nothing;
        std::uint32_t pair = 0;
        std::uint64_t index = 0;
    };

    bool hasRoom() const { return m_end - m_at >= kMaxItemLength; }
    bool item();
    bool frames();
    bool pair(std::int64_t first, std::uint32_t& text);
    /// A memo of the value that was made last, if there is one.
    bool stageMemo(PickleKind kind, std::uint32_t pair = 0);
    /// Reads the value of a memo. False: this is no instruction that gets one, or none of a memo that is known here.
    bool memo(PickleKind& kind, std::uint32_t& value) {
        std::size_t index = 0;
        if (*m_at == opcodeByte(PickleOpcode::BinGet)) {
            index = m_at[1];
            m_at += 2;
        } else if (*m_at == opcodeByte(PickleOpcode::LongBinGet)) {
            index = operandAt<std::uint32_t>(m_at + 1);
            m_at += 5;
        } else {
            return false;
        }
        if (index >= m_machine.m_memo.size()) return false;
        kind = PickleObjects::kindOf(m_machine.m_memo[index]);
        value = PickleObjects::indexOf(m_machine.m_memo[index]);
        return kind != PickleKind::Nothing;
    }

    PickleMachine& m_machine;
    const Byte* m_begin;
    const Byte* m_at;
    const Byte* m_end;
    PickleObjects::Draft m_draft;
    Staged m_staged[kMaxMemos];
    std::size_t m_memos = 0;
    std::uint32_t m_stack = 0;  ///< Stack of the list of frames.
    bool m_hasList = false;
};

bool PlainDict::stageMemo(PickleKind kind, std::uint32_t pair) {
    const std::uint64_t count = m_machine.m_memoCount + m_memos;
    std::uint64_t index = 0;
    if (*m_at == opcodeByte(PickleOpcode::Memoize)) {
        index = count;
        ++m_at;
    } else if (*m_at == opcodeByte(PickleOpcode::BinPut)) {
        index = m_at[1];
        m_at += 2;
    } else if (*m_at == opcodeByte(PickleOpcode::LongBinPut)) {
        index = operandAt<std::uint32_t>(m_at + 1);
        m_at += 5;
    } else {
        return true;
    }
    const bool isTaken =
        (index < m_machine.m_memo.size() && m_machine.m_memo[static_cast<std::size_t>(index)] != 0) ||
        std::any_of(m_staged, m_staged + m_memos, [index](const Staged& one) { return one.index == index; });
    if (isTaken || index >= m_machine.m_mostThings || m_memos == kMaxMemos) return false;
    m_staged[m_memos++] = {kind, pair, index};
    return true;
}

bool PlainDict::pair(std::int64_t first, std::uint32_t& text) {
    std::int64_t second = 0;
    const Byte* after = integerAt(m_at, second);
    if (after == nullptr || *after != opcodeByte(PickleOpcode::Tuple2)) return false;
    m_at = after + 1;
    const PickleValue value = m_machine.pairOf(first, second);
    text = value.index;
    return value.kind == PickleKind::Pair && stageMemo(PickleKind::Pair, text);
}

/// A list of frames that are all known.
bool PlainDict::frames() {
    const PickleObjects& objects = m_machine.m_objects;
    std::uint32_t found[PickleObjects::kMaxFrames];
    std::size_t count = 0;
    const auto frame = [&] {
        PickleKind kind{};
        std::uint32_t dict = 0;
        if (count == PickleObjects::kMaxFrames || m_end - m_at < kMaxItemLength || !memo(kind, dict)) return false;
        if (kind != PickleKind::Dict || !objects.isFrame(dict)) return false;
        found[count++] = objects.frameNumber(dict);
        return true;
    };
    ++m_at;
    if (m_hasList || !stageMemo(PickleKind::List)) return false;
    if (*m_at == opcodeByte(PickleOpcode::Mark)) {
        for (++m_at; *m_at != opcodeByte(PickleOpcode::Appends);) {
            if (!frame()) return false;
        }
        ++m_at;
    } else if (const Byte* after = m_at; frame() && *m_at == opcodeByte(PickleOpcode::Append)) {
        ++m_at;
    } else {
        count = 0;
        m_at = after;
    }
    m_stack = m_machine.m_objects.stacks.stackId({found, count});
    m_hasList = true;
    return true;
}

bool PlainDict::item() {
    PickleKind keyKind{}, kind{};
    std::uint32_t key = 0, index = 0;
    if (!memo(keyKind, key) || keyKind != PickleKind::Text) return false;
    const bool isFrames = key == numberOf(SnapshotWord::Frames);
    std::int64_t number = 0;
    if (const Byte* after = integerAt(m_at, number)) {
        m_at = after;
        kind = PickleKind::Integer;
        const bool isNext = *m_at == opcodeByte(PickleOpcode::BinGet) ||
                            *m_at == opcodeByte(PickleOpcode::LongBinGet) ||
                            *m_at == opcodeByte(PickleOpcode::SetItems);
        if (!isNext) {
            if (!pair(number, index)) return false;
            kind = PickleKind::Pair;
        }
    } else if (*m_at == opcodeByte(PickleOpcode::EmptyList)) {
        if (!isFrames || !frames()) return false;
        kind = PickleKind::Stack;
        index = m_stack;
    } else if (*m_at == opcodeByte(PickleOpcode::None)) {
        ++m_at;
        kind = PickleKind::Null;
    } else if (!memo(kind, index)) {
        return false;
    }
    const PickleObjects& objects = m_machine.m_objects;
    if (isFrames && kind == PickleKind::List) {
        // One that is no stack yet becomes it with the other items, if they can be read.
        if (!objects.isStack(index)) return false;
        kind = PickleKind::Stack;
        index = objects.stackNumber(index);
    }
    if (isFrames && kind != PickleKind::Stack) return false;
    if (key >= kSnapshotKeys) return true;
    if (key == numberOf(SnapshotWord::TimeUs) || key == numberOf(SnapshotWord::UserMetadata))
        return objects.put(m_draft, key, PickleValue{kind, PickleKind::Nothing, index, number});
    return PickleObjects::put(m_draft, key, kind,
                              kind == PickleKind::Integer ? static_cast<std::uint64_t>(number) : index);
}

bool PickleMachine::plainDict() {
    PlainDict dict(*this);
    if (!dict.read()) return false;
    std::uint32_t number = 0;
    if (!dict.keep(number)) return fail("snapshot.too_large");
    m_input.pass(dict.size());
    push(PickleKind::Dict, number);
    return true;
}

}  // namespace altiscope::reader
