#pragma once

#include "core/import/snapshot/chunked_array.h"
#include "core/import/snapshot/pickle_texts.h"
#include "core/import/snapshot/pickle_value.h"
#include "core/import/snapshot/snapshot_words.h"
#include "core/import/snapshot/stack_table.h"
#include "core/store/rows/row_table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// The dictionary of an entry that has these keys and no other, as nearly all have: read without a look at each value.
struct PlainEntry {
    static constexpr int kSizeBits = 40, kActionBits = 8;

    std::int64_t address = 0, stream = 0;
    std::int64_t time = kNoCell;                           ///< ns; kNoCell: it has none.
    std::uint64_t size : kSizeBits, action : kActionBits;  ///< Action: number of its text.
    std::uint64_t hasAnnotation : 1;
    std::uint32_t stack = 0, annotation = 0;  ///< Annotation: number of its text, if it has one.
};

/// Objects that a pickle made, as small as a snapshot of many million entries needs it: dictionaries keep the values
/// of the keys of kSnapshotWords only, 40 bytes for nearly each entry, and lists of call frames become numbers of
/// stacks as soon as a dictionary takes them. From then on such a list, and its frames, cannot change any more. Times
/// become nanoseconds. A value that is no time, or no annotation, becomes Opaque; one that is no stack is left out.
class PickleObjects {
public:
    /// Frames of a stack that are kept, from the innermost one on.
    static constexpr std::size_t kMaxFrames = 512;
    /// Numbers of texts, dictionaries and lists are below it.
    static constexpr std::uint32_t kMax = std::uint32_t{1} << 28;
    static constexpr std::size_t kMaxDictWords = 1 + 3 * kSnapshotKeys;

    std::uint32_t addDict() {
        m_dicts.push(0);
        return static_cast<std::uint32_t>(m_dicts.size() - 1);
    }
    std::uint32_t addList() {
        m_lists.push({});
        return static_cast<std::uint32_t>(m_lists.size() - 1);
    }
    /// A list that is a stack.
    std::uint32_t addStack(std::uint32_t stack) {
        m_lists.push({stack | kFrozen, 0});
        return static_cast<std::uint32_t>(m_lists.size() - 1);
    }
    std::size_t size() const { return m_dicts.size() + m_lists.size() + texts.size() + stacks.size(); }

    // The next functions return the code of an error; empty: none.
    /// @param items  Keys and values in turn; an even number.
    std::string_view setItems(std::uint32_t dict, std::span<const PickleValue> items);
    std::string_view append(std::uint32_t list, std::span<const PickleValue> items);

    /// The value of a key; Nothing if the dictionary has none.
    PickleValue value(std::uint32_t dict, SnapshotWord key) const;
    /// Calls take(key, value) for each kept key of a dictionary, in no particular order. Nothing for frames of stacks.
    template <class Take>
    void eachValue(std::uint32_t dict, Take&& take) const;
    /// Whether a list has become a stack, and which.
    bool isStack(std::uint32_t list) const { return (m_lists[list].first & kFrozen) != 0; }
    std::uint32_t stackNumber(std::uint32_t list) const { return m_lists[list].first & ~kFrozen; }
    /// Whether a dictionary has become a frame, and which.
    bool isFrame(std::uint32_t dict) const { return (m_dicts[dict] & kFrozen) != 0; }
    std::uint32_t frameNumber(std::uint32_t dict) const { return m_dicts[dict] & ~kFrozen; }
    /// Offsets of the runs of a list, in order; for items().
    std::vector<std::uint32_t> runsOf(std::uint32_t list) const;
    /// Items of a run, packed: see unpacked().
    std::span<const std::uint32_t> items(std::uint32_t run) const {
        const std::uint32_t* words = m_words.at(run);
        return {words + kRunHead, words[0]};
    }
    static PickleKind kindOf(std::uint32_t item) { return static_cast<PickleKind>(item >> kItemBits); }
    static std::uint32_t indexOf(std::uint32_t item) { return item & (kMax - 1); }
    static PickleValue unpacked(std::uint32_t item) { return {kindOf(item), PickleKind::Nothing, indexOf(item), 0}; }
    /// Numbers, other tuples and None become Opaque.
    static std::uint32_t packed(const PickleValue& value) {
        const bool isIndexed = value.kind < PickleKind::Tuple && value.kind != PickleKind::Integer;
        const PickleKind kind = isIndexed ? value.kind : PickleKind::Opaque;
        return static_cast<std::uint32_t>(kind) << kItemBits | (isIndexed ? value.index : 0);
    }

    /// Values of a dictionary that is not there yet.
    class Draft {
        friend class PickleObjects;
        // Values of the keys that are there.
        std::uint64_t m_numbers[kSnapshotKeys];
        PickleKind m_kinds[kSnapshotKeys];
        std::uint32_t m_present = 0;  // bits of keys
    };
    /// @param key  Below kSnapshotKeys. @return False: it has a value already.
    static bool put(Draft& draft, std::uint32_t key, PickleKind kind, std::uint64_t number) {
        if ((draft.m_present >> key & 1U) != 0) return false;
        draft.m_present |= 1U << key;
        draft.m_kinds[key] = kind;
        draft.m_numbers[key] = number;
        return true;
    }
    /// The same of times and annotations too, of which not all are kept as they are.
    bool put(Draft& draft, std::uint32_t key, PickleValue value) const {
        toKept(key, value);
        return put(draft, key, value.kind, numberIn(value));
    }
    /// The number that keeps a value of a dictionary: the integer, or the index of its thing.
    static std::uint64_t numberIn(const PickleValue& value) {
        return value.kind == PickleKind::Integer ? static_cast<std::uint64_t>(value.number) : value.index;
    }
    /// The dictionary of a draft. @return False: there is no room for it.
    bool addDict(const Draft& draft, std::uint32_t& dict) {
        dict = addDict();
        return setValues(dict, draft);
    }
    /// A dictionary that is kept as a plain entry; null if it is not.
    const PlainEntry* plainEntry(std::uint32_t dict) const {
        const std::uint32_t node = m_dicts[dict];
        return isPlainEntry(node) ? &m_entries[node & ~kEntry] : nullptr;
    }

    PickleTexts texts;
    StackTable stacks;
    std::uint64_t cutStacks = 0;  ///< Lists that had more frames than are kept.
    std::uint64_t badFrames = 0;  ///< Values of `frames` that are no list, and items of these lists that are no frame.

private:
    static constexpr std::uint32_t kFrozen = std::uint32_t{1} << 31, kEntry = std::uint32_t{1} << 30;
    static_assert(WordArena::kMax < kEntry);
    static bool isPlainEntry(std::uint32_t node) { return (node & (kFrozen | kEntry)) == kEntry; }
    static constexpr int kItemBits = 28;
    static constexpr std::size_t kRunHead = 2;  ///< Words before the items of a run: how many, and the next run.

    // A value of a dictionary is a word: key, kind, form and a small number, with one or two more where that is large.
    static constexpr int kKindShift = 6, kFormShift = 9, kNumberShift = 11;
    static constexpr std::uint32_t kSmallNumbers = std::uint32_t{1} << (32 - kNumberShift);
    enum class Form : std::uint32_t { Small, Word, TwoWords };
    // The first word of a dictionary: words, and words that there is room for.
    static constexpr std::uint32_t kSizeMask = 0xFFFF;
    static constexpr int kRoomShift = 16;

    struct List {
        std::uint32_t first = 0;  ///< Offset of the first run plus 1; kFrozen with the number of a stack.
        std::uint32_t last = 0;   ///< Offset of the last run.
    };

    /// A value as words. @return After them.
    static std::uint32_t* writeValue(std::uint32_t key, PickleKind kind, std::uint64_t number, std::uint32_t* out);
    static const std::uint32_t* readValue(const std::uint32_t* words, std::uint32_t& key, PickleValue& value);
    /// Values of an empty dictionary. @return False: there is no room for them.
    bool setValues(std::uint32_t dict, const Draft& draft);
    static bool isPlainEntry(const Draft& draft);
    /// The same as a plain entry. @return False: it is none, nothing was done.
    bool setPlainEntry(std::uint32_t dict, const Draft& draft);
    /// Turns a time or an annotation into its kept form.
    void toKept(std::uint32_t key, PickleValue& value) const;
    /// Turns a list of frames into its stack; a value that is none is left out.
    void toKeptStack(PickleValue& value);
    /// Fills an empty dictionary that gets each key once, as writers do it. False if it is none: nothing was done.
    bool setAllItems(std::uint32_t dict, std::span<const PickleValue> items, std::string_view& error);
    void toStack(PickleValue& value);
    /// The number of a frame; nullopt: the item is none.
    std::optional<std::uint32_t> frameOf(std::uint32_t item);

    /// Offset of its words plus 1; kEntry with the number of a plain entry, kFrozen with that of a frame; 0: empty.
    ChunkedArray<std::uint32_t> m_dicts;
    ChunkedArray<PlainEntry> m_entries;
    ChunkedArray<List> m_lists;
    WordArena m_words;
    std::vector<std::uint32_t> m_frames;  // of one stack
};

template <class Take>
void PickleObjects::eachValue(std::uint32_t dict, Take&& take) const {
    const std::uint32_t node = m_dicts[dict];
    if (node == 0 || (node & kFrozen) != 0) return;
    if (isPlainEntry(node)) {
        const PlainEntry& entry = m_entries[node & ~kEntry];
        const auto integer = [](std::int64_t number) { return PickleValue{PickleKind::Integer, {}, 0, number}; };
        const auto indexed = [](PickleKind kind, std::uint32_t index) { return PickleValue{kind, {}, index, 0}; };
        take(SnapshotWord::Action, indexed(PickleKind::Text, static_cast<std::uint32_t>(entry.action)));
        take(SnapshotWord::Addr, integer(entry.address));
        take(SnapshotWord::Size, integer(static_cast<std::int64_t>(entry.size)));
        take(SnapshotWord::Stream, integer(entry.stream));
        take(SnapshotWord::Frames, indexed(PickleKind::Stack, entry.stack));
        if (entry.time != kNoCell) take(SnapshotWord::TimeUs, integer(entry.time));
        if (entry.hasAnnotation != 0) take(SnapshotWord::UserMetadata, indexed(PickleKind::Text, entry.annotation));
        return;
    }
    const std::uint32_t* words = m_words.at(node - 1);
    const std::uint32_t* end = words + (words[0] & kSizeMask);
    for (++words; words < end;) {
        std::uint32_t key = 0;
        PickleValue value;
        words = readValue(words, key, value);
        take(static_cast<SnapshotWord>(key), value);
    }
}

inline std::uint32_t* PickleObjects::writeValue(std::uint32_t key, PickleKind kind, std::uint64_t number,
                                                std::uint32_t* out) {
    constexpr std::uint32_t kKept =
        1U << static_cast<unsigned>(PickleKind::Integer) | 1U << static_cast<unsigned>(PickleKind::Text) |
        1U << static_cast<unsigned>(PickleKind::Dict) | 1U << static_cast<unsigned>(PickleKind::List) |
        1U << static_cast<unsigned>(PickleKind::Stack) | 1U << static_cast<unsigned>(PickleKind::Pair);
    if ((kKept >> static_cast<unsigned>(kind) & 1U) == 0) {
        number = 0;
        kind = kind == PickleKind::Nothing ? kind : PickleKind::Opaque;
    }
    const Form form = number < kSmallNumbers ? Form::Small : number >> 32 == 0 ? Form::Word : Form::TwoWords;
    const auto low = static_cast<std::uint32_t>(number);
    *out++ = key | static_cast<std::uint32_t>(kind) << kKindShift | static_cast<std::uint32_t>(form) << kFormShift |
             (form == Form::Small ? low << kNumberShift : 0);
    if (form != Form::Small) *out++ = low;
    if (form == Form::TwoWords) *out++ = static_cast<std::uint32_t>(number >> 32);
    return out;
}

inline const std::uint32_t* PickleObjects::readValue(const std::uint32_t* words, std::uint32_t& key,
                                                     PickleValue& value) {
    const std::uint32_t head = *words++;
    key = head & ((1U << kKindShift) - 1);
    value.kind = static_cast<PickleKind>(head >> kKindShift & 7U);
    std::uint64_t number = head >> kNumberShift;
    switch (static_cast<Form>(head >> kFormShift & 3U)) {
    case Form::Small: break;
    case Form::Word: number = *words++; break;
    case Form::TwoWords:
        number = words[0] | std::uint64_t{words[1]} << 32;
        words += 2;
        break;
    }
    if (value.kind == PickleKind::Integer) value.number = static_cast<std::int64_t>(number);
    else value.index = static_cast<std::uint32_t>(number);
    return words;
}

}  // namespace altiscope::reader
