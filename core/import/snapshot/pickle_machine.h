#pragma once

#include "core/base/values/result.h"
#include "core/import/snapshot/pickle_input.h"
#include "core/import/snapshot/pickle_objects.h"
#include "core/import/snapshot/pickle_opcodes.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::reader {

/// Values on their way into a container.
class PickleStack {
public:
    PickleStack() : m_values(256) {}
    std::size_t size() const { return m_size; }
    PickleValue& operator[](std::size_t i) { return m_values[i]; }
    PickleValue& back() { return m_values[m_size - 1]; }
    [[gnu::always_inline]] PickleValue& add() {
        if (m_size == m_values.size()) m_values.resize(m_size * 2);
        return m_values[m_size++];
    }
    void shrinkTo(std::size_t size) { m_size = size; }
    std::span<const PickleValue> from(std::size_t first) const {
        return std::span(m_values).subspan(first, m_size - first);
    }

private:
    std::vector<PickleValue> m_values;  // those after m_size are free
    std::size_t m_size = 0;
};

/// Reads a pickle of protocol 2 to 5 without doing anything that it says: it knows only the instructions and the global
/// functions that snapshots are written with, and these as data. Whatever else comes is an error with its place, and so
/// is a size, index or depth that cannot be right. Source: core/import/snapshot/FORMAT.md section 2.
///
/// Memory: what PickleObjects keeps, 4 bytes for each memo, and 16 for each value on the stack. Each kind of thing may
/// be there once in eight bytes of the file, stack values once in sixteen, and a million of each besides.
class PickleMachine {
public:
    /// Marks that are open at a time; a snapshot has six.
    static constexpr std::size_t kMaxMarks = 64;
    /// Bytes of a text, and of a global function's name.
    static constexpr std::uint64_t kMaxTextLength = std::uint64_t{16} << 20;
    static constexpr std::size_t kMaxNameLength = 256;

    PickleMachine(PickleInput& input, PickleObjects& objects);

    /// Runs up to STOP. @return The object that is left. Errors "snapshot.*" of the catalogue with the byte of the
    /// instruction, or that of the file; Cancelled.
    Result<PickleValue> run();

private:
    friend class PlainDict;
    bool fail(std::string_view code, MessageParameters parameters = {});
    bool failCut();
    bool refused() { return fail("snapshot.opcode", {{"opcode", pickleOpcodeName(m_opcode)}}); }

    // These are most of the work: each is put into what uses it.
    [[gnu::always_inline]] inline bool step();
    template <class Number>
    [[gnu::always_inline]] bool take(Number& value) {
        const char* bytes = m_input.take(sizeof value);
        if (bytes == nullptr) return failCut();
        std::memcpy(&value, bytes, sizeof value);  // both are little-endian
        return true;
    }
    [[gnu::always_inline]] bool push(PickleKind kind, std::uint32_t index = 0, std::int64_t number = 0) {
        if (m_stack.size() >= m_mostValues) return fail("snapshot.too_large");
        PickleValue& value = m_stack.add();
        value.kind = kind;
        value.first = PickleKind::Nothing;
        value.index = index;
        value.number = number;
        return true;
    }
    [[gnu::always_inline]] bool getMemo(std::uint64_t index) {
        const std::uint32_t item = index < m_memo.size() ? m_memo[static_cast<std::size_t>(index)] : 0;
        const PickleValue value = PickleObjects::unpacked(item);
        return value.kind == PickleKind::Nothing ? getInteger(index, item) : push(value.kind, value.index);
    }
    bool pushCopy(PickleValue value);
    bool pop(PickleValue& value);
    PickleValue* top();
    /// Items above the newest mark, which is taken off.
    bool popMark(std::size_t& first);

    /// Reads and pushes a dictionary as snapshots have them by the million: keys from the memo, values that are
    /// integers or from the memo, and lists of known call frames. It does what its instructions do one by one.
    /// @return  False: it is none of these, and nothing was done, or there is an error.
    bool plainDict();
    bool text(std::uint64_t size);
    bool opaque(std::uint64_t size);
    bool integer(std::uint64_t size);
    bool real();
    bool tuple(std::size_t first);
    /// A call frame that is a tuple, as a dictionary; nullopt if the items from `first` on are none.
    std::optional<PickleValue> frameOf(std::size_t first);
    /// A tuple with lists or dictionaries, as a list; nullopt if there are none, or it is the arguments of a call.
    std::optional<PickleValue> listOf(std::size_t first);
    PickleValue pairOf(std::int64_t first, std::int64_t second);
    bool appendItems(std::size_t first);
    bool setItems(std::size_t first);
    bool setMemo(std::uint64_t index);
    /// @param item  Of the memo; 0: it was not set.
    bool getInteger(std::uint64_t index, std::uint32_t item);
    bool line(std::string& text);
    bool global(std::string_view module, std::string_view name);
    bool globalOfLines();
    bool globalOfStack();
    bool reduce();

    PickleInput& m_input;
    PickleObjects& m_objects;
    std::uint64_t m_mostThings, m_mostValues;
    PickleStack m_stack;
    std::vector<std::size_t> m_marks;    // height of the stack
    ChunkedArray<std::uint32_t> m_memo;  // packed values; 0: none
    std::uint64_t m_memoCount = 0;
    ChunkedArray<std::int64_t> m_integers;  // in the memo
    // Nearly all pairs of a file are one and the same.
    std::int64_t m_lastPair[2] = {0, 0};
    PickleValue m_pair;            // of these; Nothing: none yet
    std::uint64_t m_position = 0;  // of the instruction
    std::uint8_t m_opcode = 0;
    bool m_isDone = false;
    std::optional<Error> m_error;
};

}  // namespace altiscope::reader
