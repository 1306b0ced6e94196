#include "core/import/memscope/memscope_events.h"

#include "core/base/text/printable_text.h"
#include "core/base/text/text.h"
#include "core/base/values/parse.h"
#include "core/base/values/time.h"
#include "core/store/rows/row_kinds.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <optional>

namespace altiscope::reader {

namespace {

/// Places in memscopeColumns().
struct DumpColumn {
    enum : int { Event, Type, Time, Device, Address, Attributes, PythonStack, NativeStack };
};

/// More than any device has.
constexpr std::int64_t kMaxMemscopeBytes = std::int64_t{1} << 50;
/// The end of a block stays within 64 bits.
constexpr std::int64_t kMaxAddress = std::int64_t{1} << 62;
/// Kinds of memory are a dozen.
constexpr std::size_t kMaxPools = 256;
/// As long as stacks of memory snapshots may be.
constexpr std::size_t kMaxStackLength = std::size_t{1} << 20;

std::string_view bareText(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
    return text;
}

bool saysNothing(std::string_view text) { return text.empty() || text == "N/A"; }

/// Kinds of events that are not read: such as change no memory.
constexpr std::string_view kOtherKinds[] = {"SYSTEM", "OP_LAUNCH", "KERNEL_LAUNCH", "MSTX"};
void countKind(std::string_view kind, MemscopeDump::Kinds& kinds) {
    constexpr std::size_t kMaxKinds = 32;
    const std::string name = saysNothing(kind) ? std::string("N/A") : printableText(std::string(kind));
    if (kinds.size() < kMaxKinds || kinds.contains(name)) ++kinds[name];
    else ++kinds["..."];
}

/// "0x12c0" or decimal; nullopt for what is no address.
std::optional<std::int64_t> dumpAddress(std::string_view text) {
    text = bareText(text);
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    if (isHex) text.remove_prefix(2);
    std::int64_t address = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), address, isHex ? 16 : 10);
    if (error != std::errc() || end != text.data() + text.size() || address < 0 || address > kMaxAddress)
        return std::nullopt;
    return address;
}

std::optional<std::int64_t> dumpBytes(std::string_view text) {
    const auto bytes = wholeNumber(bareText(text));
    return bytes && *bytes >= 0 && *bytes <= kMaxMemscopeBytes ? bytes : std::nullopt;
}

/// "0", "npu:0"; "cpu", "host" and "N/A" are the host. nullopt for what is none of these.
std::optional<std::int32_t> dumpDevice(std::string_view text) {
    text = bareText(text);
    if (saysNothing(text) || text == "cpu" || text == "host" || text == "CPU" || text == "HOST") return kMemscopeHost;
    for (const std::string_view word : {"npu", "NPU"}) {
        if (text.starts_with(word)) text.remove_prefix(word.size());
    }
    while (!text.empty() && (text.front() == ':' || text.front() == ' ')) text.remove_prefix(1);
    const auto number = wholeNumber<std::int32_t>(text);
    return number && *number >= 0 && *number <= kMaxDevice ? number : std::nullopt;
}

void addDumpFrames(std::string_view text, std::string& stack) {
    text = bareText(text);
    if (saysNothing(text)) return;
    if (!stack.empty()) stack += '\n';
    stack.append(text);
}

}  // namespace

std::vector<const char*> memscopeColumns() {
    return {"Event", "Event Type", "Timestamp(ns)", "Device Id", "Ptr", "Attr", "Call Stack(Python)", "Call Stack(C)"};
}

std::optional<std::uint16_t> MemscopeRows::poolNumber(std::string_view name) {
    const auto known = m_pools.find(name);
    if (known != m_pools.end()) return known->second;
    if (m_dump.pools.size() >= kMaxPools) return std::nullopt;
    const auto number = static_cast<std::uint16_t>(m_dump.pools.size());
    m_dump.pools.push_back(repairedUtf8(name));
    m_pools.emplace(name, number);
    return number;
}

/// The C frames are within those of Python: both have the innermost first.
template <class Row>
std::int64_t MemscopeRows::stackCell(const Row& row) {
    m_stack.clear();
    addDumpFrames(row.text(DumpColumn::NativeStack), m_stack);
    addDumpFrames(row.text(DumpColumn::PythonStack), m_stack);
    if (m_stack.empty()) return kNoCell;
    if (m_stack.size() > kMaxStackLength) {
        m_stack.resize(m_stack.rfind('\n', kMaxStackLength) == std::string::npos
                           ? kMaxStackLength
                           : m_stack.rfind('\n', kMaxStackLength));
        row.problem(DbProblem::OddType, DumpColumn::NativeStack);
    }
    return m_texts.textId(isValidUtf8(m_stack) ? std::string_view(m_stack) : std::string_view(repairedUtf8(m_stack)));
}

template <class Row>
void MemscopeRows::addRow(const Row& row) {
    MemscopeEvent event;
    const std::string_view kind = row.text(DumpColumn::Event);
    if (kind == "MALLOC") event.action = MemscopeAction::Allocate;
    else if (kind == "FREE") event.action = MemscopeAction::Free;
    else if (kind == "ACCESS") event.action = MemscopeAction::Access;
    else if (kind == "SNAPSHOT") event.action = MemscopeAction::Sample;
    else {
        const bool isOther = std::find(std::begin(kOtherKinds), std::end(kOtherKinds), kind) != std::end(kOtherKinds);
        countKind(kind, isOther ? m_dump.others : m_dump.unknown);
        return;
    }
    const auto time = row.neededTime(DumpColumn::Time);
    if (!time) return;
    event.time = *time;
    const auto device = dumpDevice(row.text(DumpColumn::Device));
    event.namesNoDevice = saysNothing(bareText(row.text(DumpColumn::Device)));
    if (device) event.device = *device;
    else row.problem(DbProblem::OddType, DumpColumn::Device);
    std::string_view pool = row.text(DumpColumn::Type);
    std::int64_t reserved = kNoCell, allocated = kNoCell;
    auto address = dumpAddress(row.text(DumpColumn::Address));
    eachMemscopeAttribute(row.text(DumpColumn::Attributes), [&](std::string_view key, std::string_view value) {
        const auto take = [&value](std::int64_t& bytes) { bytes = dumpBytes(value).value_or(kNoCell); };
        if (key == "size") take(event.size);
        else if (key == "total") take(event.total);
        else if (key == "used") take(event.used);
        else if (key == "addr" && !address) address = dumpAddress(value);
        else if (key == "reserved") take(reserved);
        else if (key == "allocated") take(allocated);
        else if (key == "type" && event.action == MemscopeAction::Access) pool = value;
        else if (key == "owner" && !saysNothing(bareText(value))) event.owner = m_texts.textId(repairedUtf8(value));
    });
    if (event.action == MemscopeAction::Sample) {
        pool = "PTA";
        event.total = reserved;
        event.used = allocated;
        if (reserved == kNoCell && allocated == kNoCell)
            return row.problem(DbProblem::MissingId, DumpColumn::Attributes);
    } else {
        if (!address) return row.problem(DbProblem::MissingId, DumpColumn::Address);
        event.address = *address;
    }
    // A release says what it releases; without a size it is that of its block.
    if (event.action == MemscopeAction::Allocate && event.size == kNoCell)
        return row.problem(DbProblem::OutOfRange, DumpColumn::Attributes);
    const auto number = poolNumber(saysNothing(pool) ? std::string_view("N/A") : pool);
    if (!number) return row.problem(DbProblem::TooManyNames, DumpColumn::Type);
    event.pool = *number;
    if (event.action != MemscopeAction::Sample) event.stack = stackCell(row);
    m_dump.events.push_back(event);
}

template void MemscopeRows::addRow(const DbRow& row);
template void MemscopeRows::addRow(const MemscopeTextRow& row);

std::optional<std::int64_t> MemscopeTextRow::neededTime(int column) const {
    const auto time = wholeNumber(bareText(text(column)));
    if (time && isTraceTime(*time)) return time;
    problem(DbProblem::OutOfRange, column);
    return std::nullopt;
}

void MemscopeTextRow::problem(DbProblem what, int column) const {
    const auto place = static_cast<std::size_t>(column);
    // An odd cell alone leaves the row.
    const CsvProblem kind = what == DbProblem::OddType ? CsvProblem::BadNumber : CsvProblem::MissingValue;
    m_problems.add(kind, m_row - 1, m_columns[place], m_cells[place]);
}

}  // namespace altiscope::reader
