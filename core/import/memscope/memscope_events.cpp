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
constexpr std::string_view kOtherKinds[] = {"SYSTEM", "OP_LAUNCH", "KERNEL_LAUNCH", "MSTX", "OOM_DETAIL"};
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

/// Modules of CANN by the number that the driver has for them.
constexpr std::string_view kModules[] = {
    "SLOG",     "IDEDD",     "IDEDH",      "HCCL",       "FMK",        "HIAIENGINE",  "DVPP",
    "RUNTIME",  "CCE",       "HDC",        "DRV",        "MDCFUSION",  "MDCLOCATION", "MDCPERCEPTION",
    "MDCFSM",   "MDCCOMMON", "MDCMONITOR", "MDCBSWP",    "MDCDEFAULT", "MDCSC",       "MDCPNC",
    "MLL",      "DEVMM",     "KERNEL",     "LIBMEDIA",   "CCECPU",     "ASCENDDK",    "ROS",
    "HCCP",     "ROCE",      "TEFUSION",   "PROFILING",  "DP",         "APP",         "TS",
    "TSDUMP",   "AICPU",     "LP",         "TDT",        "FE",         "MD",          "MB",
    "ME",       "IMU",       "IMP",        "GE",         "MDCFUSA",    "CAMERA",      "ASCENDCL",
    "TEEOS",    "ISP",       "SIS",        "HSM",        "DSS",        "PROCMGR",     "BBOX",
    "AIVECTOR", "TBE",       "FV",         "MDCMAP",     "TUNE",       "HSS",         "FFTS",
    "OP",       "UDF",       "HICAID",     "TSYNC",      "AUDIO",      "TPRT",        "ASCENDCKERNEL",
    "ASYS",     "ATRACE",    "RTC",        "SYSMONITOR", "AML"};

bool isSameWord(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// The owner with the pool before it, where it does not begin with one: labels of users stand alone in dumps whose
/// memory was not decomposed.
std::string ownerFrom(std::string_view labels, std::string_view pool) {
    while (labels.starts_with('@')) labels.remove_prefix(1);
    if (labels.empty()) return {};
    const std::string_view first = labels.substr(0, labels.find('@'));
    for (const std::string_view known :
         {pool, std::string_view("CANN"), std::string_view("PTA"), std::string_view("PTA_WORKSPACE"),
          std::string_view("ATB"), std::string_view("MINDSPORE")}) {
        // One spelling of a pool: its kind's.
        if (isSameWord(first, known))
            return std::string(isSameWord(first, pool) ? pool : first) + std::string(labels.substr(first.size()));
    }
    return std::string(pool) + '@' + std::string(labels);
}

/// Owner of memory of the driver by the module that dumps without owners name.
std::string ownerOfModule(std::string_view number) {
    const auto module = wholeNumber(bareText(number));
    const bool isKnown = module && *module >= 0 && *module < std::ssize(kModules);
    return "CANN@" + std::string(isKnown ? kModules[*module] : std::string_view("UNKNOWN"));
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

void MemscopeRows::setOwner(MemscopeEvent& event, std::string_view labels, std::optional<std::string_view> module) {
    const std::string& pool = m_dump.pools[event.pool];
    std::string owner = ownerFrom(labels, pool);
    if (owner.empty() && module && pool == "HAL") owner = ownerOfModule(*module);
    if (!owner.empty()) event.owner = m_texts.textId(repairedUtf8(owner));
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
    std::string_view pool = row.text(DumpColumn::Type), owner;
    std::optional<std::string_view> module;
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
        else if (key == "owner" && !saysNothing(bareText(value))) owner = value;
        else if (key == "MID") module = value;
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
    if (event.action == MemscopeAction::Allocate) setOwner(event, owner, module);
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
