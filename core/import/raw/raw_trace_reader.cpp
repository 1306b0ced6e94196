#include "core/import/raw/raw_trace_reader.h"

#include "core/import/database/db_flows.h"
#include "core/import/database/db_kernels.h"
#include "core/import/database/db_tracks.h"
#include "core/import/raw/raw_clock.h"
#include "core/import/raw/raw_device.h"
#include "core/import/raw/raw_host.h"
#include "core/import/raw/raw_tensors.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace altiscope::reader {

namespace {

/// What the position of an event counts; part of slice ids, so that it never changes. Above the number of the record.
enum class RawRecordKind : std::uint8_t { None = 0, Call = 1, FirstDevice = 2 };
constexpr unsigned kRawNumberBits = 36;

SourcePos rawPosition(std::uint32_t file, unsigned kind, std::uint64_t number) {
    return SourcePos::make(file, (std::uint64_t{kind} << kRawNumberBits) |
                                     (number & ((std::uint64_t{1} << kRawNumberBits) - 1)));
}

std::string_view levelPrefix(std::uint16_t level) {
    switch (level) {
    case kRawAcl: return "AscendCL@";
    case kRawModel: return "Model@";
    case kRawNode: return "Node@";
    case kRawCommunication: return "Communication@";
    case kRawRuntime: return "Runtime@";
    default: return "Api@";
    }
}

using TaskKey = std::tuple<std::uint16_t, std::uint16_t, std::uint16_t, std::uint16_t, std::uint32_t>;
TaskKey keyOf(const RawHostTask& task) { return {task.device, task.stream, task.batch, task.task, task.context}; }

/// Puts what the files of one PROF folder hold into a store.
class RawImport {
public:
    RawImport(const SourceFile& file, ImportContext& import)
        : m_file(file), m_import(import), m_names(import.builder), m_tracks(import.builder, m_names, m_naming) {
        m_naming.file = file.number;
    }

    Result<ReadSummary> read();

private:
    struct Kernel {
        DbKernel times;
        std::int64_t op = -1;
    };
    void addCalls(const RawSettings& settings);
    void addDevice(const RawDeviceFiles& files, unsigned kind);
    void addKernels();
    void addLaunch(std::int64_t call, bool isCopy);
    void tellUnread(const RawFiles& files);
    std::pair<const RawHostTask*, bool> hostTask(const TaskKey& key) const;
    bool isEventCall(const RawCall& call) const;

    const SourceFile& m_file;
    ImportContext& m_import;
    DbNaming m_naming;
    TraceBuilder::Names m_names;
    DbTracks m_tracks;
    RawContext m_context{m_import.diagnostics, m_import.progress, m_import.cancel};
    RawHost m_host;
    struct DrawnCall {
        std::int64_t begin = 0;
        ProvisionalTrack track = 0;
        bool isDrawn = false;
    };
    std::vector<DrawnCall> m_drawn;  // by call
    std::unordered_set<std::int64_t> m_launches;
    std::vector<DbFlowPoint> m_points;
    std::vector<Kernel> m_kernels;
    std::uint64_t m_rows = 0, m_tasks = 0, m_calls = 0, m_ambiguous = 0;
};

bool RawImport::isEventCall(const RawCall& call) const {
    if (call.level != kRawAcl) return false;
    const std::string name = m_host.texts.type(call.level, call.type);
    return name == "aclrtRecordEvent" || name == "aclrtStreamWaitEvent";
}

void RawImport::addCalls(const RawSettings& settings) {
    Segment segment;
    m_drawn.resize(m_host.calls.size());
    if (!settings.hasClock) return;
    const RawClock clock = settings.hostClock();
    std::unordered_map<std::uint64_t, ProvisionalText> names;
    RawTrouble bad("raw.bad_time");
    for (std::size_t i = 0; i < m_host.calls.size(); ++i) {
        const RawCall& call = m_host.calls[i];
        const auto begin = clock.wall(call.begin), end = clock.wall(call.end);
        if (!begin || !end || *end < *begin) {
            bad.add(call.number);
            continue;
        }
        if (*end < settings.wallBegin) continue;
        const ProvisionalTrack track = m_tracks.hostThread(DbLayer::Cann, (settings.process << 32) | call.thread);
        const bool saysItem = call.level == kRawCommunication;
        const std::uint64_t id = saysItem ? call.item : (std::uint64_t{call.level} << 48) ^ call.type;
        const auto [name, isNew] = names.try_emplace(id, 0);
        if (isNew || saysItem)
            name->second =
                m_names.text(std::string(levelPrefix(call.level)) +
                             (saysItem ? m_host.texts.text(call.item) : m_host.texts.type(call.level, call.type)));
        segment.slices.add(track, *begin, *end - *begin, name->second, m_names.text({}),
                           rawPosition(m_file.number, static_cast<unsigned>(RawRecordKind::Call), call.number));
        m_drawn[i] = {*begin, track, true};
        ++m_calls;
    }
    m_rows += segment.slices.size();
    bad.flush(m_file.name, m_import.diagnostics);
    m_import.builder.commit(rawPosition(m_file.number, static_cast<unsigned>(RawRecordKind::Call), 0),
                            std::move(segment));
}

std::pair<const RawHostTask*, bool> RawImport::hostTask(const TaskKey& key) const {
    const auto first = std::lower_bound(m_host.tasks.begin(), m_host.tasks.end(), key,
                                        [](const RawHostTask& task, const TaskKey& k) { return keyOf(task) < k; });
    if (first == m_host.tasks.end() || keyOf(*first) != key) return {nullptr, false};
    const auto next = first + 1;
    return {&*first, next != m_host.tasks.end() && keyOf(*next) == key};
}

void RawImport::addLaunch(std::int64_t call, bool isCopy) {
    const auto number = static_cast<std::size_t>(call);
    const RawCall& start = m_host.calls[number];
    if (!m_drawn[number].isDrawn || (start.level != kRawNode && !isCopy && !isEventCall(start))) return;
    if (!m_launches.insert(call).second) return;
    m_points.push_back({DbFlowPoint::Kind::Launch, call + 1, m_drawn[number].begin, m_drawn[number].track,
                        rawPosition(m_file.number, static_cast<unsigned>(RawRecordKind::Call), start.number)});
}

void RawImport::addDevice(const RawDeviceFiles& files, unsigned kind) {
    const RawSettings settings =
        readRawSettings(files.folder, files.name, '.' + std::to_string(files.device), m_import.diagnostics);
    if (!settings.hasClock || m_import.cancel.cancelled()) return;
    const std::vector<RawDeviceTask> tasks = readRawDevice(files, m_host.hasExpandedStreams, m_context);
    const RawClock clock = settings.deviceClock();
    std::set<std::tuple<std::uint16_t, std::uint16_t, std::uint16_t>> groups;
    for (const RawDeviceTask& task : tasks) {
        if (task.context != kRawNoContext) groups.emplace(task.stream, task.batch, task.task);
    }
    Segment segment;
    RawTrouble bad("raw.bad_time");
    for (const RawDeviceTask& task : tasks) {
        const auto begin = clock.wall(task.begin), end = clock.wall(task.end);
        if (!begin || !end) {
            bad.add(task.number);
            continue;
        }
        const std::string_view deviceType = rawDeviceTypeName(task);
        if (*end < settings.wallBegin || deviceType == "UNKNOWN") continue;
        const TaskKey key{static_cast<std::uint16_t>(files.device), task.stream, task.batch, task.task, task.context};
        const auto [host, isAmbiguous] = hostTask(key);
        if (isAmbiguous) {
            ++m_ambiguous;
            continue;
        }
        const std::string hostType = host == nullptr ? "UNKNOWN" : m_host.texts.type(kRawRuntime, host->type);
        const RawOp* op = host != nullptr && host->op >= 0 ? &m_host.ops[static_cast<std::size_t>(host->op)] : nullptr;
        if (op != nullptr) {
            const std::string core = rawCoreName(op->core);
            const bool isOther = op->hasCore && (core == "WRITE_BACK" || core == "INVALID" || core == "HCCL_AI_CPU" ||
                                                 core == "COMMUNICATION");
            if (!isOther || m_host.texts.text(op->name).ends_with("AivKernel"))
                m_kernels.push_back(
                    {{*begin, *end - *begin, files.device, task.stream, host->connection, kNoCell, 0, 0}, host->op});
        }
        // The group of sub-tasks that have bars of their own has none.
        if (task.context == kRawNoContext && groups.contains({task.stream, task.batch, task.task})) continue;
        const std::string name = op != nullptr                                      ? m_host.texts.text(op->name)
                                 : hostType == "FFTS_PLUS" || hostType == "UNKNOWN" ? std::string(deviceType)
                                                                                    : hostType;
        const std::uint16_t stream = task.stream;
        const ProvisionalTrack track = m_tracks.thread(DbLayer::Hardware, files.device, stream,
                                                       [stream] { return "Stream " + std::to_string(stream); });
        const SourcePos pos = rawPosition(m_file.number, kind, task.number);
        segment.slices.add(track, *begin, *end - *begin, m_names.text(name), m_names.text({}), pos);
        ++m_tasks;
        if (host == nullptr || host->connection < 0) continue;
        const bool isCopy = hostType == "MEMCPY_ASYNC";
        if (op == nullptr && !isCopy && !isEventCall(m_host.calls[static_cast<std::size_t>(host->connection)]))
            continue;
        addLaunch(host->connection, isCopy);
        m_points.push_back({DbFlowPoint::Kind::Task, host->connection + 1, *begin, track, pos});
    }
    m_rows += segment.slices.size();
    bad.flush(files.name + "/data", m_import.diagnostics);
    m_import.builder.commit(rawPosition(m_file.number, kind, 0), std::move(segment));
}

void RawImport::addKernels() {
    static constexpr auto kKind = RowKind::Kernel;
    static constexpr std::array<std::size_t, 6> kLists{
        rowColumn(kKind, "input_shapes"),  rowColumn(kKind, "input_types"),  rowColumn(kKind, "input_formats"),
        rowColumn(kKind, "output_shapes"), rowColumn(kKind, "output_types"), rowColumn(kKind, "output_formats")};
    std::stable_sort(m_kernels.begin(), m_kernels.end(), [](const Kernel& a, const Kernel& b) {
        return std::tie(a.times.device, a.times.begin) < std::tie(b.times.device, b.times.begin);
    });
    std::vector<DbKernel> times;
    for (const Kernel& kernel : m_kernels) times.push_back(kernel.times);
    const std::vector<std::int64_t> waits = waitsOfKernels(times, true);
    RowBatch batch = m_import.rows->batch(kKind);
    std::unordered_map<std::int64_t, std::array<std::string, 6>> tensorTexts;
    for (std::size_t i = 0; i < m_kernels.size(); ++i) {
        const Kernel& kernel = m_kernels[i];
        const RawOp& op = m_host.ops[static_cast<std::size_t>(kernel.op)];
        batch.addRow();
        batch.setText(rowColumn(kKind, "kind"), "compute");
        batch.setText(rowColumn(kKind, "name"), m_host.texts.text(op.name));
        if (op.hasDetails) batch.setText(rowColumn(kKind, "type"), m_host.texts.text(op.type));
        if (op.hasCore) batch.setText(rowColumn(kKind, "accelerator_core"), rawCoreName(op.core));
        batch.setInteger(rowColumn(kKind, "stream"), kernel.times.stream);
        batch.setInteger(rowColumn(kKind, "ts"), kernel.times.begin);
        batch.setInteger(rowColumn(kKind, "dur"), kernel.times.duration);
        // Collectives are rows between which a kernel waits, too.
        if (!m_host.hasCollectives) batch.setInteger(rowColumn(kKind, "wait"), waits[i]);
        batch.setInteger(rowColumn(kKind, "block_num"), op.blocks);
        if (op.tensors < 0) continue;
        const auto [texts, isNew] = tensorTexts.try_emplace(op.tensors);
        if (isNew) texts->second = rawTensorTexts(m_host.tensors[static_cast<std::size_t>(op.tensors)]);
        for (std::size_t k = 0; k < kLists.size(); ++k) {
            if (!texts->second[k].empty()) batch.setText(kLists[k], texts->second[k]);
        }
    }
    m_import.rows->commit(batch);
    m_rows += m_kernels.size();
}

void RawImport::tellUnread(const RawFiles& files) {
    static constexpr std::string_view kRead[] = {
        "api_event.data",         "compact.task_track",         "compact.node_basic_info",
        "additional.tensor_info", "additional.context_id_info", "compact.expand_stream_spec",
        "additional.hash_dic",    "additional.type_info_dic",   "stars_soc.data",
        "ts_track.data"};
    std::set<std::string> unread;
    const auto look = [&unread](const std::vector<RawFamily>& families) {
        for (const RawFamily& family : families) {
            if (std::find(std::begin(kRead), std::end(kRead), family.stem) == std::end(kRead))
                unread.insert(family.stem);
        }
    };
    look(files.host);
    for (const RawDeviceFiles& device : files.devices) look(device.families);
    std::string what;
    for (const std::string& stem : unread) what += (what.empty() ? "" : ", ") + stem;
    if (!what.empty())
        m_import.diagnostics.add("raw.not_read", Severity::Info, m_file.name, {}, {{"what", what}}, unread.size());
}

Result<ReadSummary> RawImport::read() {
    const RawFiles files = listRawFiles(m_file.path, m_file.name, m_import.diagnostics, m_import.cancel);
    const RawSettings settings = readRawSettings(files.hostFolder, files.hostName, {}, m_import.diagnostics);
    m_naming.hostProcess = settings.process;
    m_host = readRawHost(files, settings.isLevelZero, m_context);
    if (m_import.cancel.cancelled()) return Cancelled{};
    std::stable_sort(m_host.tasks.begin(), m_host.tasks.end(),
                     [](const RawHostTask& a, const RawHostTask& b) { return keyOf(a) < keyOf(b); });
    addCalls(settings);
    unsigned kind = static_cast<unsigned>(RawRecordKind::FirstDevice);
    for (const RawDeviceFiles& device : files.devices) addDevice(device, std::min(kind++, 63U));
    if (m_import.cancel.cancelled()) return Cancelled{};
    m_import.builder.commit(rawPosition(m_file.number, 0, 0), connectRows(std::move(m_points), m_names));
    if (m_import.rows != nullptr) addKernels();
    if (m_ambiguous > 0) m_import.diagnostics.add("raw.ambiguous", Severity::Info, m_file.name, {}, {}, m_ambiguous);
    tellUnread(files);
    if (m_host.hasCollectives) m_import.diagnostics.add("raw.no_collectives", Severity::Info, m_file.name, {});
    m_import.diagnostics.add("raw.read", Severity::Info, m_file.name, {},
                             {{"calls", std::to_string(m_calls)},
                              {"tasks", std::to_string(m_tasks)},
                              {"kernels", std::to_string(m_kernels.size())}});
    return ReadSummary{m_file.size, m_rows, false};
}

class RawReader final : public TraceReader {
public:
    Result<ReadSummary> read(const SourceFile& file, ImportContext& context) override {
        return RawImport(file, context).read();
    }
};

class RawArguments final : public ArgumentSource {
public:
    Result<std::string> arguments(SourcePos) const override { return std::string(); }
};

}  // namespace

std::optional<SourceFile> rawSource(const ListedFolder& prof) {
    Diagnostics unused;
    const RawFiles files = listRawFiles(prof.path, prof.relative, unused, {});
    const auto has = [](const std::vector<RawFamily>& families, std::string_view stem) {
        return std::any_of(families.begin(), families.end(),
                           [stem](const RawFamily& family) { return family.stem == stem; });
    };
    const bool hasTasks = std::any_of(files.devices.begin(), files.devices.end(), [&](const RawDeviceFiles& device) {
        return has(device.families, "stars_soc.data") &&
               isReadableChip(
                   readRawSettings(device.folder, device.name, '.' + std::to_string(device.device), unused).platform);
    });
    if (!hasTasks) return std::nullopt;
    return SourceFile{prof.path, prof.relative, SourceFormat::Raw, files.bytes(), 0, {}};
}

std::unique_ptr<TraceReader> makeRawReader() { return std::make_unique<RawReader>(); }

std::shared_ptr<const ArgumentSource> makeRawArguments(const SourceFile&) { return std::make_shared<RawArguments>(); }

}  // namespace altiscope::reader
