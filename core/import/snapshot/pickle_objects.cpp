#include "core/import/snapshot/pickle_objects.h"

#include "core/base/values/time.h"
#include "core/store/rows/row_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace altiscope::reader {

namespace {

constexpr std::string_view kTooLarge = "snapshot.too_large";
constexpr std::string_view kChanged = "snapshot.changed";
constexpr std::int64_t kUsInNs = 1000;

/// Microseconds as nanoseconds: an Integer; Nothing for None; Opaque where it is no time.
PickleValue timeOf(const PickleValue& value) {
    constexpr std::int64_t kMaxUs = kMaxTimeNs / kUsInNs;
    std::int64_t time = kNoCell;
    if (value.kind == PickleKind::Null) return {};
    if (value.kind == PickleKind::Integer && value.number >= 0 && value.number <= kMaxUs) time = value.number * kUsInNs;
    if (value.kind == PickleKind::Real) {
        const auto us = std::bit_cast<double>(value.number);
        // The parts apart: together they are more digits than a double has. Not a number fails both comparisons.
        if (us >= 0 && us < static_cast<double>(kMaxUs)) {
            const double whole = std::floor(us);
            time = static_cast<std::int64_t>(whole) * kUsInNs + std::llround((us - whole) * kUsInNs);
        }
    }
    if (time == kNoCell) return {PickleKind::Opaque, {}, 0, 0};
    return {PickleKind::Integer, {}, 0, time};
}

/// A Text; Nothing for None and the empty one; Opaque otherwise.
PickleValue annotationOf(const PickleValue& value, const PickleTexts& texts) {
    if (value.kind == PickleKind::Null) return {};
    if (value.kind != PickleKind::Text) return {PickleKind::Opaque, {}, 0, 0};
    return texts.text(value.index).empty() ? PickleValue{} : value;
}

}  // namespace

void PickleObjects::toKept(std::uint32_t key, PickleValue& value) const {
    if (key == numberOf(SnapshotWord::TimeUs)) value = timeOf(value);
    if (key == numberOf(SnapshotWord::UserMetadata)) value = annotationOf(value, texts);
}

void PickleObjects::toKeptStack(PickleValue& value) {
    if (value.kind == PickleKind::Stack) return;
    if (value.kind == PickleKind::List) return toStack(value);
    const bool isEmpty = value.kind == PickleKind::Null || value.kind == PickleKind::Nothing ||
                         (value.kind == PickleKind::Tuple && value.first == PickleKind::Nothing);
    badFrames += isEmpty ? 0 : 1;
    value = {};
}

/// Whether it has the keys of an entry, each of its kind, and maybe a time and an annotation.
bool PickleObjects::isPlainEntry(const Draft& draft) {
    static constexpr auto bit = [](SnapshotWord key) { return 1U << numberOf(key); };
    constexpr std::uint32_t kNeeded = bit(SnapshotWord::Action) | bit(SnapshotWord::Addr) | bit(SnapshotWord::Size) |
                                      bit(SnapshotWord::Stream) | bit(SnapshotWord::Frames);
    constexpr std::uint32_t kOptional = bit(SnapshotWord::TimeUs) | bit(SnapshotWord::UserMetadata);
    if ((draft.m_present & ~kOptional) != kNeeded) return false;
    const auto is = [&draft](SnapshotWord key, PickleKind kind) { return draft.m_kinds[numberOf(key)] == kind; };
    const auto isOrLacks = [&draft, is](SnapshotWord key, PickleKind kind) {
        return (draft.m_present & bit(key)) == 0 || is(key, PickleKind::Nothing) || is(key, kind);
    };
    return is(SnapshotWord::Action, PickleKind::Text) && is(SnapshotWord::Addr, PickleKind::Integer) &&
           is(SnapshotWord::Size, PickleKind::Integer) && is(SnapshotWord::Stream, PickleKind::Integer) &&
           is(SnapshotWord::Frames, PickleKind::Stack) && isOrLacks(SnapshotWord::TimeUs, PickleKind::Integer) &&
           isOrLacks(SnapshotWord::UserMetadata, PickleKind::Text) &&
           draft.m_numbers[numberOf(SnapshotWord::Action)] < (1U << PlainEntry::kActionBits) &&
           draft.m_numbers[numberOf(SnapshotWord::Size)] < (std::uint64_t{1} << PlainEntry::kSizeBits);
}

bool PickleObjects::setPlainEntry(std::uint32_t dict, const Draft& draft) {
    if (!isPlainEntry(draft)) return false;
    const auto number = [&draft](SnapshotWord key) { return draft.m_numbers[numberOf(key)]; };
    const auto has = [&draft](SnapshotWord key) {
        return (draft.m_present >> numberOf(key) & 1U) != 0 && draft.m_kinds[numberOf(key)] != PickleKind::Nothing;
    };
    PlainEntry entry{};
    entry.address = static_cast<std::int64_t>(number(SnapshotWord::Addr));
    entry.time = has(SnapshotWord::TimeUs) ? static_cast<std::int64_t>(number(SnapshotWord::TimeUs)) : kNoCell;
    entry.size = number(SnapshotWord::Size) & ((std::uint64_t{1} << PlainEntry::kSizeBits) - 1);
    entry.action = number(SnapshotWord::Action) & ((1U << PlainEntry::kActionBits) - 1);
    entry.stream = static_cast<std::int64_t>(number(SnapshotWord::Stream));
    entry.stack = static_cast<std::uint32_t>(number(SnapshotWord::Frames));
    entry.hasAnnotation = has(SnapshotWord::UserMetadata) ? 1 : 0;
    if (entry.hasAnnotation != 0) entry.annotation = static_cast<std::uint32_t>(number(SnapshotWord::UserMetadata));
    m_dicts[dict] = kEntry | static_cast<std::uint32_t>(m_entries.size());
    m_entries.push(entry);
    return true;
}

bool PickleObjects::setValues(std::uint32_t dict, const Draft& draft) {
    if (setPlainEntry(dict, draft)) return true;
    std::uint32_t words[kMaxDictWords];
    std::uint32_t* end = words + 1;
    for (std::uint32_t left = draft.m_present; left != 0; left &= left - 1) {
        const auto key = static_cast<std::uint32_t>(std::countr_zero(left));
        if (draft.m_kinds[key] != PickleKind::Nothing)
            end = writeValue(key, draft.m_kinds[key], draft.m_numbers[key], end);
    }
    const auto size = static_cast<std::size_t>(end - words);
    if (size == 1) return true;
    words[0] = static_cast<std::uint32_t>(size | size << kRoomShift);
    const std::size_t offset = m_words.add(words, size);
    if (offset == WordArena::kMax) return false;
    m_dicts[dict] = static_cast<std::uint32_t>(offset) + 1;
    return true;
}

bool PickleObjects::setAllItems(std::uint32_t dict, std::span<const PickleValue> items, std::string_view& error) {
    std::uint32_t present = 0;
    for (std::size_t i = 0; i < items.size(); i += 2) {
        const std::uint32_t key = items[i].index;
        if (items[i].kind != PickleKind::Text) return false;
        if (key >= kSnapshotKeys) continue;
        if ((present >> key & 1U) != 0) return false;
        present |= 1U << key;
    }
    Draft draft;
    for (std::size_t i = 0; i < items.size(); i += 2) {
        const std::uint32_t key = items[i].index;
        if (key >= kSnapshotKeys) continue;
        PickleValue value = items[i + 1];
        if (key == numberOf(SnapshotWord::Frames)) toKeptStack(value);
        put(draft, key, value);
    }
    // It may be a frame of its own stack.
    if (m_dicts[dict] != 0) error = kChanged;
    else if (!setValues(dict, draft)) error = kTooLarge;
    return true;
}

std::string_view PickleObjects::setItems(std::uint32_t dict, std::span<const PickleValue> items) {
    if ((m_dicts[dict] & kFrozen) != 0) return kChanged;
    std::string_view error;
    if (m_dicts[dict] == 0 && setAllItems(dict, items, error)) return error;
    std::array<PickleValue, kSnapshotKeys> values;
    std::uint32_t present = 0;
    std::array<std::uint8_t, kSnapshotKeys> order{};  // in which they are written
    std::size_t count = 0;
    const auto set = [&](std::uint32_t key, const PickleValue& value) {
        const bool isNew = (present >> key & 1U) == 0;
        if (isNew && value.kind == PickleKind::Nothing) return;
        if (isNew) order[count++] = static_cast<std::uint8_t>(key);
        present |= 1U << key;
        values[key] = value;
    };
    if (m_dicts[dict] != 0)
        eachValue(dict, [&](SnapshotWord key, const PickleValue& value) { set(numberOf(key), value); });
    for (std::size_t i = 0; i < items.size(); i += 2) {
        if (items[i].kind != PickleKind::Text) return "snapshot.key";
        const std::uint32_t key = items[i].index;
        if (key >= kSnapshotKeys) continue;
        PickleValue value = items[i + 1];
        if (key == numberOf(SnapshotWord::Frames)) toKeptStack(value);
        toKept(key, value);
        set(key, value);
    }
    // It may have become a frame of its own stack.
    if ((m_dicts[dict] & kFrozen) != 0) return kChanged;
    if (count == 0) return {};
    std::uint32_t words[kMaxDictWords];
    std::uint32_t* end = words + 1;
    for (std::size_t i = 0; i < count; ++i) {
        const PickleValue& value = values[order[i]];
        end = writeValue(order[i], value.kind, numberIn(value), end);
    }
    const auto size = static_cast<std::size_t>(end - words);
    std::uint32_t& node = m_dicts[dict];
    std::size_t room = node == 0 || isPlainEntry(node) ? 0 : m_words.at(node - 1)[0] >> kRoomShift;
    if (size > room) {
        // One that gets its items one by one moves a few times only.
        room = room == 0 ? size : std::min(2 * size, kMaxDictWords);
        const std::size_t offset = m_words.reserve(room);
        if (offset == WordArena::kMax) return kTooLarge;
        node = static_cast<std::uint32_t>(offset) + 1;
    }
    words[0] = static_cast<std::uint32_t>(size | room << kRoomShift);
    std::memcpy(m_words.at(node - 1), words, size * sizeof *words);
    return {};
}

std::string_view PickleObjects::append(std::uint32_t list, std::span<const PickleValue> items) {
    if (isStack(list)) return kChanged;
    while (!items.empty()) {
        const std::size_t count = std::min(items.size(), WordArena::kMaxRunLength - kRunHead);
        const std::size_t offset = m_words.reserve(kRunHead + count);
        if (offset == WordArena::kMax) return kTooLarge;
        std::uint32_t* words = m_words.at(offset);
        words[0] = static_cast<std::uint32_t>(count);
        words[1] = 0;
        for (std::size_t i = 0; i < count; ++i) words[kRunHead + i] = packed(items[i]);
        List& node = m_lists[list];
        const auto run = static_cast<std::uint32_t>(offset) + 1;
        if (node.first == 0) node.first = run;
        else m_words.at(node.last - 1)[1] = run;
        node.last = run;
        items = items.subspan(count);
    }
    return {};
}

std::vector<std::uint32_t> PickleObjects::runsOf(std::uint32_t list) const {
    std::vector<std::uint32_t> runs;
    if (isStack(list)) return runs;
    for (std::uint32_t run = m_lists[list].first; run != 0; run = m_words.at(run - 1)[1]) runs.push_back(run - 1);
    return runs;
}

PickleValue PickleObjects::value(std::uint32_t dict, SnapshotWord key) const {
    PickleValue found;
    eachValue(dict, [&](SnapshotWord one, const PickleValue& value) {
        if (one == key) found = value;
    });
    return found;
}

std::optional<std::uint32_t> PickleObjects::frameOf(std::uint32_t item) {
    const PickleValue value = unpacked(item);
    if (value.kind != PickleKind::Dict) return std::nullopt;
    std::uint32_t& node = m_dicts[value.index];
    if ((node & kFrozen) != 0) return node & ~kFrozen;
    const std::uint32_t none = texts.id({});
    SnapshotFrame made{none, none, 0};
    eachValue(value.index, [&](SnapshotWord key, const PickleValue& one) {
        if (key == SnapshotWord::Filename && one.kind == PickleKind::Text) made.file = one.index;
        if (key == SnapshotWord::Name && one.kind == PickleKind::Text) made.name = one.index;
        if (key == SnapshotWord::Line && one.kind == PickleKind::Integer) made.line = one.number;
    });
    const std::uint32_t frame = stacks.frameId(made);
    node = frame | kFrozen;
    return frame;
}

void PickleObjects::toStack(PickleValue& value) {
    List& list = m_lists[value.index];
    if (!isStack(value.index)) {
        m_frames.clear();
        bool isCut = false;
        for (std::uint32_t run = list.first; run != 0 && !isCut; run = m_words.at(run - 1)[1]) {
            for (const std::uint32_t item : items(run - 1)) {
                isCut = m_frames.size() == kMaxFrames;
                if (isCut) break;
                const auto frame = frameOf(item);
                if (frame) m_frames.push_back(*frame);
                else ++badFrames;
            }
        }
        cutStacks += isCut ? 1 : 0;
        // Most lists are the newest thing made, and of few different stacks.
        if (list.first != 0 && list.first == list.last)
            m_words.takeBack(list.first - 1, kRunHead + items(list.first - 1).size());
        list.first = stacks.stackId(m_frames) | kFrozen;
    }
    value = {PickleKind::Stack, PickleKind::Nothing, list.first & ~kFrozen, 0};
}

}  // namespace altiscope::reader
