#include "core/import/raw/raw_mindspore_files.h"

#include "core/base/files/file.h"
#include "core/base/text/text.h"
#include "core/base/values/decimal.h"
#include "core/base/values/parse.h"
#include "core/base/values/time.h"
#include "core/trace/raw/raw_layouts.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::string_view kMemoryFile = "mindspore.memory_usage", kShapesFile = "mindspore.record_shapes";
constexpr std::string_view kCpuOpsBegin = "cpu_op_execute_timestamp_", kCpuOpsEnd = ".txt";
constexpr std::string_view kCpuOpProcess = "2";
/// Number of types of the values after a fixed part.
constexpr std::uint16_t kMindsporeTexts = 18;

/// The texts of a value, by type; nullopt where the bytes are no texts.
std::optional<std::array<std::string_view, kMindsporeTexts>> mindsporeTexts(std::string_view bytes) {
    std::array<std::string_view, kMindsporeTexts> texts{};
    RawInnerTlvs inner(bytes);
    for (RawTlv text; inner.next(text);) {
        if (text.type >= kMindsporeTexts) return std::nullopt;
        texts[text.type] = text.value;
    }
    return inner.isCut() ? std::nullopt : std::optional(texts);
}

std::string textOrUnknown(std::string_view text) { return isValidUtf8(text) ? std::string(text) : std::string("N/A"); }

std::int64_t cellOf(std::uint64_t value) { return static_cast<std::int64_t>(value & INT64_MAX); }

/// The part before a separator; takes it and the separator away.
std::string_view takePart(std::string_view& rest, char separator) {
    const std::string_view part = rest.substr(0, rest.find(separator));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    return part;
}

}  // namespace

bool RawMindsporeFiles::isRead(std::string_view name) {
    return name == kMemoryFile || name == kShapesFile || (name.starts_with(kCpuOpsBegin) && name.ends_with(kCpuOpsEnd));
}

void RawMindsporeFiles::read(const std::filesystem::path& folder, const std::string& name, RawContext& context) {
    std::set<std::string> found;
    std::error_code error;
    std::size_t looks = 0;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end && looks < kMaxRawFiles;
         at.increment(error), ++looks) {
        std::error_code ignored;
        std::string file = at->path().filename().string();
        if (isRead(file) && !at->is_symlink(ignored) && at->is_regular_file(ignored)) found.insert(std::move(file));
    }
    for (const std::string& file : found) {
        const RawFrameworkFile source{folder / file, name + '/' + file};
        context.diagnostics.add("reader.experimental", Severity::Info, source.name, {}, {{"kind", file}});
        if (file == kMemoryFile) readMemory(source, context);
        else if (file == kShapesFile) readShapes(source, context);
        else readCpuOps(source, context);
    }
}

std::uint32_t RawMindsporeFiles::owner(std::string_view name) {
    const auto [known, isNew] =
        m_ownerNumbers.try_emplace(std::string(name), static_cast<std::uint32_t>(m_owners.size()));
    if (isNew) m_owners.push_back(textOrUnknown(name));
    return known->second;
}

void RawMindsporeFiles::readMemory(const RawFrameworkFile& source, RawContext& context) {
    static constexpr std::size_t kOwner = 13;
    static constexpr std::uint64_t kReleased = ~std::uint64_t{0};
    RawTlvFile tlvs(source, context);
    RawProblemCounter bad("raw.bad_record"), badTimes("raw.bad_time");
    for (RawTlv tlv; tlvs.next(tlv);) {
        const auto texts = tlv.value.size() < kRawMindsporeMemory.size
                               ? std::nullopt
                               : mindsporeTexts(tlv.value.substr(kRawMindsporeMemory.size));
        if (!texts) {
            bad.add(tlv.byte);
            continue;
        }
        const RawRecord<kRawMindsporeMemory> record(tlv.value.data());
        const std::uint64_t time = record.get<"time">();
        if (time == 0 || time > static_cast<std::uint64_t>(kMaxTimeNs)) {
            badTimes.add(tlv.byte);
            continue;
        }
        m_memory.push_back({static_cast<std::int64_t>(time), record.get<"pointer">(), record.get<"bytes">(),
                            record.get<"used">(), record.get<"reserved">(), record.get<"stream_pointer">(),
                            record.get<"device">(), owner((*texts)[kOwner]), record.get<"bytes">() == kReleased});
    }
    bad.flush(source.name, context.diagnostics);
    badTimes.flush(source.name, context.diagnostics);
    std::stable_sort(m_memory.begin(), m_memory.end(),
                     [](const MemoryEvent& a, const MemoryEvent& b) { return a.time < b.time; });
}

void RawMindsporeFiles::readShapes(const RawFrameworkFile& source, RawContext& context) {
    enum : std::size_t { kName, kShapes, kTypes };
    RawTlvFile tlvs(source, context);
    RawProblemCounter bad("raw.bad_record");
    for (RawTlv tlv; tlvs.next(tlv);) {
        const auto texts = mindsporeTexts(tlv.value);
        if (!texts || (*texts)[kName].empty()) {
            bad.add(tlv.byte);
            continue;
        }
        m_shapes.push_back(
            {textOrUnknown((*texts)[kName]), textOrUnknown((*texts)[kShapes]), textOrUnknown((*texts)[kTypes])});
    }
    bad.flush(source.name, context.diagnostics);
}

ProvisionalTrack RawMindsporeFiles::track(std::int64_t thread) {
    const auto [known, isNew] = m_tracks.try_emplace(thread);
    if (!isNew) return known->second;
    const std::string number = std::to_string(thread);
    const SourcePos pos = rawPosition(m_file.number, 0, 0);
    TraceBuilder& builder = m_import.builder;
    builder.setProcessName(kCpuOpProcess, "CPU OP", pos);
    builder.setProcessLabels(kCpuOpProcess, "CPU", pos);
    builder.setProcessSort(kCpuOpProcess, 2, pos);
    builder.setThreadName(kCpuOpProcess, number, "Thread " + number, pos);
    builder.setThreadSort(kCpuOpProcess, number, thread, pos);
    return known->second = m_names.thread(kCpuOpProcess, number);
}

void RawMindsporeFiles::readCpuOps(const RawFrameworkFile& source, RawContext& context) {
    static constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;
    static constexpr std::int64_t kNsOfMillisecond = 1'000'000;
    static constexpr std::size_t kBetweenLooks = 1024;
    const auto text = readSmallFile(source.path, kMaxBytes);
    if (!text.ok()) {
        context.diagnostics.add(text.error().code, Severity::Lost, source.name, {}, text.error().parameters);
        return;
    }
    // NAME;TYPE;...;BEGIN,LENGTH,THREAD BEGIN,LENGTH,THREAD: ns since 1970, and ms.
    RawProblemCounter bad("raw.bad_record");
    Segment segment;
    std::string_view rest = text.value();
    std::size_t looks = 0;
    while (!rest.empty()) {
        const auto byte = static_cast<std::uint64_t>(rest.data() - text.value().data());
        std::string_view line = takePart(rest, '\n');
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.empty()) continue;
        const auto last = line.rfind(';');
        const std::string_view name = takePart(line, ';');
        if (last == std::string_view::npos || last == name.size() || !isValidUtf8(name)) {
            bad.add(byte);
            continue;
        }
        std::string_view runs = line.substr(line.rfind(';') + 1);
        const ProvisionalText title = m_names.text(name), category = m_names.text(takePart(line, ';'));
        while (!runs.empty()) {
            if (++looks % kBetweenLooks == 0 && context.cancel.cancelled()) return;
            std::string_view run = takePart(runs, ' ');
            if (run.empty()) continue;
            const auto place = static_cast<std::uint64_t>(run.data() - text.value().data());
            const auto begin = parseScaled(takePart(run, ','), 1);
            const auto length = parseScaled(takePart(run, ','), kNsOfMillisecond);
            const auto thread = wholeNumber(run);
            if (!begin || !length || !thread || *begin <= 0 || *begin > kMaxTimeNs || *length < 0 ||
                *length > kMaxTimeNs - *begin) {
                bad.add(place);
                continue;
            }
            segment.slices.add(track(*thread), *begin, *length, title, category,
                               rawPosition(m_file.number, static_cast<unsigned>(RawRecordKind::MindsporeCpu), place));
        }
    }
    bad.flush(source.name, context.diagnostics);
    m_rows += segment.slices.size();
    m_import.builder.commit(rawPosition(m_file.number, static_cast<unsigned>(RawRecordKind::MindsporeCpu), 0),
                            std::move(segment));
}

namespace {

bool isBatchCancelled(const RowBatch& batch, const CancelToken& cancel) {
    static constexpr std::size_t kRowsPerLook = 4096;
    return batch.size() % kRowsPerLook == 0 && cancel.cancelled();
}

}  // namespace

void RawMindsporeFiles::addRows(RowTablesBuilder& rows, const CancelToken& cancel) const {
    if (!m_shapes.empty()) addOperators(rows, cancel);
    if (m_memory.empty() || cancel.cancelled()) return;
    addMemorySamples(rows, cancel);
    if (!cancel.cancelled()) addAllocations(rows, cancel);
}

void RawMindsporeFiles::addOperators(RowTablesBuilder& rows, const CancelToken& cancel) const {
    static constexpr RowKind kKind = RowKind::Operator;
    RowBatch batch = rows.batch(kKind);
    for (const Shapes& one : m_shapes) {
        if (isBatchCancelled(batch, cancel)) return;
        batch.addRow();
        batch.setText(fixedColumn(kKind, "name"), one.name);
        if (!one.shapes.empty()) batch.setText(fixedColumn(kKind, "input_shapes"), one.shapes);
        if (!one.types.empty()) batch.setText(fixedColumn(kKind, "input_types"), one.types);
    }
    rows.commit(batch);
}

void RawMindsporeFiles::addMemorySamples(RowTablesBuilder& rows, const CancelToken& cancel) const {
    static constexpr RowKind kSample = RowKind::MemorySample;
    RowBatch samples = rows.batch(kSample);
    for (const MemoryEvent& one : m_memory) {
        if (isBatchCancelled(samples, cancel)) return;
        samples.addRow();
        samples.setText(fixedColumn(kSample, "component"), "MindSpore");
        samples.setInteger(fixedColumn(kSample, "ts"), one.time);
        samples.setInteger(fixedColumn(kSample, "allocated"), cellOf(one.used));
        samples.setInteger(fixedColumn(kSample, "reserved"), cellOf(one.reserved));
        samples.setInteger(fixedColumn(kSample, "active"), cellOf(one.used));
        samples.setInteger(fixedColumn(kSample, "stream"), cellOf(one.stream));
        if (one.device <= kMaxDevice) samples.setInteger(fixedColumn(kSample, "device_id"), one.device);
    }
    rows.commit(samples);
}

void RawMindsporeFiles::addAllocations(RowTablesBuilder& rows, const CancelToken& cancel) const {
    static constexpr RowKind kAllocation = RowKind::Allocation;
    // An allocation ends with the next release of its address.
    std::vector<std::pair<const MemoryEvent*, const MemoryEvent*>> lives;
    std::unordered_map<std::uint64_t, std::size_t> open;  // places in `lives`, by address
    for (const MemoryEvent& one : m_memory) {
        if (!one.isRelease) {
            open[one.pointer] = lives.size();
            lives.emplace_back(&one, nullptr);
        } else if (const auto life = open.find(one.pointer); life != open.end()) {
            lives[life->second].second = &one;
            open.erase(life);
        }
    }
    RowBatch batch = rows.batch(kAllocation);
    for (const auto& [allocated, released] : lives) {
        if (isBatchCancelled(batch, cancel)) return;
        batch.addRow();
        const std::string& name = m_owners[allocated->owner];
        if (!name.empty()) batch.setText(fixedColumn(kAllocation, "name"), name);
        batch.setInteger(fixedColumn(kAllocation, "size"), cellOf(allocated->bytes));
        batch.setInteger(fixedColumn(kAllocation, "alloc_ts"), allocated->time);
        batch.setInteger(fixedColumn(kAllocation, "alloc_allocated"), cellOf(allocated->used));
        batch.setInteger(fixedColumn(kAllocation, "alloc_reserved"), cellOf(allocated->reserved));
        batch.setInteger(fixedColumn(kAllocation, "alloc_active"), cellOf(allocated->used));
        batch.setInteger(fixedColumn(kAllocation, "stream"), cellOf(allocated->stream));
        if (allocated->device <= kMaxDevice) batch.setInteger(fixedColumn(kAllocation, "device_id"), allocated->device);
        if (released == nullptr) continue;
        batch.setInteger(fixedColumn(kAllocation, "release_ts"), released->time);
        batch.setInteger(fixedColumn(kAllocation, "release_allocated"), cellOf(released->used));
        batch.setInteger(fixedColumn(kAllocation, "release_reserved"), cellOf(released->reserved));
        batch.setInteger(fixedColumn(kAllocation, "release_active"), cellOf(released->used));
    }
    rows.commit(batch);
}

}  // namespace altiscope::reader
