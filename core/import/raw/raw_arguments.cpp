#include "core/import/raw/raw_arguments.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/import/raw/raw_folders.h"
#include "core/import/raw/raw_import.h"
#include "core/import/raw/raw_join.h"
#include "core/import/raw/raw_mark_arguments.h"
#include "core/import/raw/raw_marks.h"
#include "core/import/raw/raw_samples.h"
#include "core/import/raw/raw_task_records.h"
#include "core/import/raw/raw_torch.h"
#include "core/import/raw_files/raw_tlv.h"
#include "core/trace/raw_layouts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

namespace altiscope::reader {

namespace {

using ArgumentObject = nlohmann::ordered_json;

std::string jsonText(const ArgumentObject& object) {
    return object.dump(-1, ' ', false, ArgumentObject::error_handler_t::replace);
}

/// The JSON of an object, member by member.
class ArgumentText {
public:
    ArgumentText() { m_text.reserve(kUsualBytes); }
    template <std::integral Number>
    void number(std::string_view name, Number value) {
        key(name);
        m_text += std::to_string(value);
    }
    void text(std::string_view name, std::string_view value) {
        key(name);
        m_text += jsonQuoted(value);
    }
    void real(std::string_view name, double value) {
        key(name);
        m_text += ArgumentObject(value).dump();
    }
    std::string end() {
        m_text += '}';
        return std::move(m_text);
    }

private:
    static constexpr std::size_t kUsualBytes = 224;
    void key(std::string_view name) {
        if (m_text.size() > 1) m_text += ',';
        m_text += '"';
        m_text += name;
        m_text += "\":";
    }
    std::string m_text = "{";
};

/// Lists stand one below the other in the text export.
std::string argumentLines(std::string_view list) {
    std::string lines;
    for (const char c : list) {
        lines += c;
        if (c == ';') lines += "\r\n";
    }
    return lines;
}

std::string operatorArguments(std::string_view value) {
    const RawRecord<kRawOpRange> record(value.data());
    ArgumentText object;
    object.number("Sequence number", record.get<"sequence">());
    object.number("Fwd thread id", record.get<"forward_thread">());
    static constexpr std::pair<std::uint16_t, std::string_view> kTexts[] = {
        {4, "Input Dims"}, {3, "Input type"}, {8, "Call stack"}, {9, "Module Hierarchy"}, {10, "flops"}};
    std::array<std::optional<std::string_view>, std::size(kTexts)> texts;
    RawInnerTlvs inner(value.substr(kRawOpRange.size));
    for (RawTlv text; inner.next(text);) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (text.type == kTexts[i].first) texts[i] = text.value;
        }
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (texts[i]) object.text(kTexts[i].second, argumentLines(*texts[i]));
    }
    return object.end();
}

/// Reads records of one file of FRAMEWORK that mostly lie beside each other. One thread.
class FrameworkRecords {
public:
    explicit FrameworkRecords(const std::filesystem::path& path) : m_file(ReadOnlyFile::open(path)) {}

    const Result<ReadOnlyFile>& file() const { return m_file; }
    /// The value that begins at a byte; valid until the next call. @return False if there is none.
    bool read(std::uint64_t byte, RawTlv& tlv) {
        if (readFromWindow(byte, tlv)) return true;
        m_begin = byte - std::min<std::uint64_t>(byte, kWindow / 2);
        m_window.resize(kWindow);
        const auto got = m_file.value().read(m_begin, std::span(m_window));
        m_window.resize(got.ok() ? got.value() : 0);
        return readFromWindow(byte, tlv) || readRawTlv(m_file.value(), byte, m_long, tlv);
    }

private:
    static constexpr std::size_t kWindow = std::size_t{1} << 18;

    bool readFromWindow(std::uint64_t byte, RawTlv& tlv) const {
        if (byte < m_begin || byte - m_begin >= m_window.size()) return false;
        RawInnerTlvs values({m_window.data() + (byte - m_begin), m_window.size() - (byte - m_begin)});
        return values.next(tlv);
    }

    Result<ReadOnlyFile> m_file;
    std::vector<char> m_window, m_long;
    std::uint64_t m_begin = 0;  // of the window in the file
};

std::string_view rawMode(std::uint32_t type, std::string_view typeName) {
    static constexpr std::string_view kClasses[] = {"",           "ACL_OP",   "ACL_MODEL",   "ACL_RTS",
                                                    "ACL_OTHERS", "ACL_NN",   "ACL_ASCENDC", "HOST_HCCL",
                                                    "",           "ACL_DVPP", "ACL_GRAPH",   "ACL_ATB"};
    const std::uint32_t number = type >> 16;
    return number < std::size(kClasses) && !kClasses[number].empty() ? kClasses[number] : typeName;
}

/// The joined records of one PROF folder.
struct ProfRecords {
    struct Device {
        RawDeviceFiles files;
        RawSettings settings;
        unsigned kind = 0;
        std::vector<RawDeviceTask> tasks;
        RawJoined joined;
        RawDrawn drawn;
        DeviceSamples samples;
        std::vector<std::pair<std::uint64_t, std::size_t>> byNumber;  ///< Of the record: place in joined.tasks.
    };
    RawHost host;
    RawSettings settings;
    std::vector<MarkRecord> marks;
    bool hasExpandedStreams = false;
    unsigned callKind = 0;
    std::int64_t firstConnection = 1;
    std::vector<std::pair<std::uint64_t, std::size_t>> calls;  ///< By number of the record: place in host.calls.
    std::vector<Device> devices;
};

/// What the text export says of a call of Python.
struct FrameNumbers {
    std::uint64_t number, id, parent;
    std::int64_t module;
};

std::optional<std::size_t> placeWithNumber(const std::vector<std::pair<std::uint64_t, std::size_t>>& places,
                                           std::uint64_t number) {
    const auto found = std::lower_bound(places.begin(), places.end(), std::pair(number, std::size_t{0}));
    return found == places.end() || found->first != number ? std::nullopt : std::optional(found->second);
}

class RawArguments final : public ArgumentSource {
public:
    explicit RawArguments(const SourceFile& file)
        : m_file(file), m_stamps(stamps()), m_framework(rawFolders(file).framework) {}

    Result<std::string> arguments(SourcePos pos) const override {
        FrameworkFiles files;
        return arguments(pos, files);
    }

    void each(std::span<const SourcePos> positions, const Take& take) const override {
        FrameworkFiles files;
        for (std::size_t i = 0; i < positions.size(); ++i) {
            const auto text = arguments(positions[i], files);
            take(i, text.ok() ? Result<std::string_view>(text.value()) : text.as<std::string_view>());
        }
    }

    Result<std::shared_ptr<const TaskRecords>> tasks(TaskDetail detail, const CancelToken& cancel) const override {
        if (const auto problem = provideProfs(0, cancel)) return problem->as<std::shared_ptr<const TaskRecords>>();
        const bool isWhole = detail == TaskDetail::Everything;
        RawTaskRecords records(detail);
        for (const auto& prof : m_profs) {
            if (prof->settings.isLevelZero) records.setLevelZero();
            records.addMarks(prof->marks, prof->settings);
            if (isWhole && !records.addHost(prof->host, prof->settings, prof->firstConnection, cancel))
                return Cancelled{};
            for (const ProfRecords::Device& device : prof->devices) {
                const RawDeviceRecords of{device.files.device,
                                          device.settings.wallBegin,
                                          device.settings.monotonicBegin,
                                          m_file.number,
                                          device.kind,
                                          device.tasks,
                                          device.joined,
                                          device.drawn,
                                          device.settings.wallEnd,
                                          prof->firstConnection,
                                          device.settings.deviceHertz.value_or(0)};
                if (!records.add(prof->host, of, cancel)) return Cancelled{};
                records.addSamples(device.samples);
                if (isWhole) addMetrics(*prof, device, of, records, cancel);
                if (cancel.cancelled()) return Cancelled{};
            }
        }
        return std::make_shared<const TaskRecords>(records.take());
    }

private:
    std::vector<FileStamp> stamps() const {
        std::vector<FileStamp> found;
        for (const std::filesystem::path& path : rawFilesOf(m_file)) found.push_back(stampOf(path));
        return found;
    }
    static Error changed(std::uint64_t number) {
        return {"args.source_changed", {}, Place{PlaceUnit::Byte, number}.text(), {}};
    }

    /// Files of FRAMEWORK that are open.
    struct FrameworkFiles {
        std::optional<FrameworkRecords> operators, marks;
    };

    Result<std::string> arguments(SourcePos pos, FrameworkFiles& files) const {
        const auto kind = static_cast<unsigned>(pos.offset() >> kRawNumberBits);
        const std::uint64_t number = pos.offset() & ((std::uint64_t{1} << kRawNumberBits) - 1);
        if (kind == static_cast<unsigned>(RawRecordKind::TorchOp))
            return frameworkArguments("torch.op_range", number, files.operators);
        if (kind == static_cast<unsigned>(RawRecordKind::QueueMark))
            return frameworkArguments("torch.op_mark", number, files.marks);
        if (kind == static_cast<unsigned>(RawRecordKind::PythonCall)) return frameArguments(number);
        if (kind < static_cast<unsigned>(RawRecordKind::FirstProf) || m_file.size > kMaxRawArguments)
            return std::string();
        if (const auto problem = provideProfs(number, {})) return problem->as<std::string>();
        for (const auto& prof : m_profs) {
            if (kind == prof->callKind) return callArguments(*prof, number);
            if (kind == prof->callKind + 1 && number < prof->marks.size()) return rawMarkArguments(prof->marks[number]);
            for (const ProfRecords::Device& device : prof->devices) {
                if (kind == device.kind) return taskArguments(*prof, device, number);
                if (kind == device.kind + 1) return partArguments(*prof, device, number);
                if (kind == device.kind + 2) return collectiveArguments(*prof, device, number);
                if (kind == device.kind + kRawStreamMarkKind && number < device.samples.marks.size())
                    return rawStreamMarkArguments(device.samples.marks[number]);
            }
        }
        return std::string("{}");
    }

    /// Reads the PROF folders if they are not yet; they are constant from then on. @return What prevented it.
    std::optional<Result<Done>> provideProfs(std::uint64_t number, const CancelToken& cancel) const {
        const std::lock_guard lock(m_mutex);
        if (m_isRead) return std::nullopt;
        if (stamps() != m_stamps) return Result<Done>(changed(number));
        if (!readProfs(cancel)) return Result<Done>(Cancelled{});
        return std::nullopt;
    }

    Result<std::string> frameworkArguments(const char* name, std::uint64_t byte,
                                           std::optional<FrameworkRecords>& file) const {
        if (!m_framework) return changed(byte);
        if (!file) file.emplace(m_framework->first / name);
        if (!file->file().ok()) return file->file().error();
        const bool isOperator = name == std::string_view("torch.op_range");
        const std::uint32_t size = isOperator ? kRawOpRange.size : kRawOpMark.size;
        const std::uint16_t type = isOperator ? 1 : 2;
        RawTlv tlv;
        if (!file->read(byte, tlv) || tlv.type != type || tlv.value.size() < size) return changed(byte);
        if (isOperator) return operatorArguments(tlv.value);
        ArgumentText object;
        object.number("correlation_id", RawRecord<kRawOpMark>(tlv.value.data()).get<"correlation">());
        return object.end();
    }

    Result<std::string> frameArguments(std::uint64_t number) const;
    bool readProfs(const CancelToken& cancel) const;
    static void addMetrics(const ProfRecords& prof, const ProfRecords::Device& device, const RawDeviceRecords& of,
                           RawTaskRecords& records, const CancelToken& cancel);
    static std::string callArguments(const ProfRecords& prof, std::uint64_t number);
    static std::string taskArguments(const ProfRecords& prof, const ProfRecords::Device& device, std::uint64_t number);
    static std::string partArguments(const ProfRecords& prof, const ProfRecords::Device& device, std::uint64_t number);
    static std::string collectiveArguments(const ProfRecords& prof, const ProfRecords::Device& device,
                                           std::uint64_t number);

    const SourceFile m_file;
    const std::vector<FileStamp> m_stamps;
    const std::optional<RawFolder> m_framework;
    mutable std::mutex m_mutex;  // guards the next two until they are read
    mutable bool m_isRead = false;
    mutable std::vector<std::unique_ptr<ProfRecords>> m_profs;
    mutable std::optional<std::vector<FrameNumbers>> m_frames;  // by number of the record; guarded likewise
};

Result<std::string> RawArguments::frameArguments(std::uint64_t number) const {
    const std::lock_guard lock(m_mutex);
    if (!m_frames) {
        if (!m_framework || stamps() != m_stamps) return changed(number);
        Diagnostics unused;
        ProgressSlot progress;
        const CancelToken never;
        RawContext context{unused, progress, never};
        std::optional<RawSettings> host;
        if (const auto profs = rawFolders(m_file).profs; !profs.empty()) {
            const RawFiles files = listRawFiles(profs.front().first, profs.front().second, unused, never);
            host = readRawSettings(files.hostFolder, files.hostName, {}, unused);
        }
        const RawTorchClock clock = rawTorchClock(m_file.path, m_file.name, host ? &*host : nullptr, unused);
        const RawTorch torch = readRawTorch(m_framework->first, m_framework->second, clock.clock, context);
        std::vector<FrameNumbers>& frames = m_frames.emplace();
        for (const RawPythonFrame& frame : torch.frames)
            frames.push_back({frame.number, frame.id, frame.parent, frame.module});
        std::sort(frames.begin(), frames.end(),
                  [](const FrameNumbers& a, const FrameNumbers& b) { return a.number < b.number; });
    }
    const auto frame =
        std::lower_bound(m_frames->begin(), m_frames->end(), number,
                         [](const FrameNumbers& one, std::uint64_t wanted) { return one.number < wanted; });
    if (frame == m_frames->end() || frame->number != number) return changed(number);
    ArgumentObject object{{"Python id", frame->id}, {"Python parent id", frame->parent}};
    if (frame->module >= 0) object["Python module id"] = frame->module;
    return jsonText(object);
}

/// Once more what the import did, in the same order: kinds of positions follow from it. @return False if cancelled.
bool RawArguments::readProfs(const CancelToken& cancel) const {
    Diagnostics unused;
    ProgressSlot progress;
    RawContext context{unused, progress, cancel};
    std::vector<std::unique_ptr<ProfRecords>> profs;
    auto nextKind = static_cast<unsigned>(RawRecordKind::FirstProf);
    std::int64_t nextConnection = 1;
    for (const auto& [path, name] : rawFolders(m_file).profs) {
        const RawFiles files = listRawFiles(path, name, unused, cancel);
        const RawSettings settings = readRawSettings(files.hostFolder, files.hostName, {}, unused);
        auto prof = std::make_unique<ProfRecords>();
        prof->settings = settings;
        prof->hasExpandedStreams = rawHasExpandedStreams(files, context);
        prof->host = readRawHost(files, settings.isLevelZero, context);
        if (cancel.cancelled()) return false;
        sortRawTasks(prof->host, cancel);
        if (cancel.cancelled()) return false;
        prof->callKind = nextKind;
        nextKind += kRawKindsOfHost;
        prof->marks = readRawMarks(files, settings, prof->host.texts, context);
        for (std::size_t i = 0; i < prof->marks.size(); ++i)
            prof->marks[i].pos = rawPosition(m_file.number, prof->callKind + 1, i);
        prof->firstConnection = nextConnection;
        nextConnection += static_cast<std::int64_t>(prof->host.calls.size());
        for (std::size_t i = 0; i < prof->host.calls.size(); ++i)
            prof->calls.emplace_back(prof->host.calls[i].number, i);
        std::sort(prof->calls.begin(), prof->calls.end());
        for (const RawDeviceFiles& one : files.devices) {
            const RawSettings own = readRawSettings(one.folder, one.name, '.' + std::to_string(one.device), unused);
            if (!own.hasClock || nextKind + kRawKindsOfDevice > kRawKinds) continue;
            ProfRecords::Device& device = prof->devices.emplace_back();
            device.files = one;
            device.settings = own;
            device.kind = nextKind;
            nextKind += kRawKindsOfDevice;
            device.tasks = readRawDevice(one, prof->hasExpandedStreams, context);
            if (cancel.cancelled()) return false;
            device.joined = joinRawTasks(prof->host, one.device, own, device.tasks, cancel);
            if (cancel.cancelled()) return false;
            device.drawn = drawnCollectives(prof->host, device.joined.collectives, own.wallBegin);
            device.samples = readRawSamples(one, own, context);
            device.samples.marks = rawStreamMarks(readRawSteps(one, context), one, own, unused);
            for (std::size_t i = 0; i < device.samples.marks.size(); ++i)
                device.samples.marks[i].pos = rawPosition(m_file.number, device.kind + kRawStreamMarkKind, i);
            for (std::size_t i = 0; i < device.joined.tasks.size(); ++i)
                device.byNumber.emplace_back(device.tasks[device.joined.tasks[i].place].number, i);
            std::sort(device.byNumber.begin(), device.byNumber.end());
        }
        if (cancel.cancelled()) return false;
        profs.push_back(std::move(prof));
    }
    m_profs = std::move(profs);
    return m_isRead = true;
}

void RawArguments::addMetrics(const ProfRecords& prof, const ProfRecords::Device& device, const RawDeviceRecords& of,
                              RawTaskRecords& records, const CancelToken& cancel) {
    const RawMetricNames names = rawMetricNames(device.settings, RawMetricForm::Database);
    if (names.core.empty() && names.vector.empty()) return;
    // The import has reported what is wrong with them.
    Diagnostics unused;
    ProgressSlot progress;
    RawContext context{unused, progress, cancel};
    records.addMetrics(of, names,
                       readRawMetrics(device.files, device.settings,
                                      readRawFrequencies(device.files, device.settings, context), device.tasks,
                                      rawTaskBlocks(prof.host, device.joined, device.tasks.size()),
                                      prof.hasExpandedStreams, context, RawMetricForm::Database));
}

std::string RawArguments::callArguments(const ProfRecords& prof, std::uint64_t number) {
    const auto place = placeWithNumber(prof.calls, number);
    if (!place) return "{}";
    const RawCall& call = prof.host.calls[*place];
    std::string unknownType, unknownItem;
    const std::string_view type = prof.host.texts.type(call.level, call.type, unknownType);
    const bool isAcl = call.level == kRawAcl;
    ArgumentText object;
    object.number("Thread Id", call.thread);
    object.text("Mode", isAcl ? rawMode(call.type, type) : type);
    object.text("level", rawLevelName(call.level));
    object.text("id", isAcl ? type : "0");
    object.text("item_id", call.item == 0 ? "0" : prof.host.texts.text(call.item, unknownItem));
    object.number("connection_id", prof.firstConnection + static_cast<std::int64_t>(*place));
    return object.end();
}

std::string RawArguments::taskArguments(const ProfRecords& prof, const ProfRecords::Device& device,
                                        std::uint64_t number) {
    const auto place = placeWithNumber(device.byNumber, number);
    if (!place) return "{}";
    const RawJoinedTask& joined = device.joined.tasks[*place];
    const RawDeviceTask& task = device.tasks[joined.place];
    const RawHostTask* host = joined.host < 0 ? nullptr : &prof.host.tasks[static_cast<std::size_t>(joined.host)];
    const RawOp* op = host != nullptr && host->op >= 0 ? &prof.host.ops[static_cast<std::size_t>(host->op)] : nullptr;
    std::string unknown;
    const std::string_view hostType =
        host == nullptr ? std::string_view() : prof.host.texts.type(kRawRuntime, host->type, unknown);
    const bool saysDevice =
        host == nullptr || hostType == "FFTS_PLUS" || hostType == "UNKNOWN" || hostType == "MEMCPY_ASYNC";
    ArgumentText object;
    object.number("Model Id", host == nullptr ? kRawNoModel : host->model);
    if (op != nullptr && op->hasCore) object.text("Task Type", rawCoreName(op->core));
    else object.text("Task Type", saysDevice ? rawDeviceTypeName(task) : hostType);
    object.number("Physic Stream Id", task.stream);
    object.number("Task Id", task.task);
    object.number("Batch Id", task.batch);
    object.number("Subtask Id", task.context);
    if (host != nullptr && host->connection >= 0)
        object.number("connection_id", prof.firstConnection + host->connection);
    if (hostType == "MEMCPY_ASYNC" && prof.host.hasCopies) {
        const RawCopy copy = host->copy == kRawNoCopy ? RawCopy{} : prof.host.copies[host->copy];
        const std::int64_t duration = joined.end - joined.begin;
        object.number("size(B)", copy.bytes);
        object.real("bandwidth(GB/s)",
                    duration <= 0 ? 0.0 : static_cast<double>(copy.bytes) / static_cast<double>(duration));
        object.text("operation", rawCopyDirection(copy.direction));
    }
    return object.end();
}

std::string RawArguments::partArguments(const ProfRecords& prof, const ProfRecords::Device& device,
                                        std::uint64_t number) {
    if (number >= device.drawn.parts.size()) return "{}";
    const RawDrawn::Part& drawn = device.drawn.parts[number];
    const RawPartRun& run = device.joined.collectives[drawn.run].parts[drawn.part];
    const auto info = static_cast<std::size_t>(prof.host.collectiveParts[run.part].info);
    const RawHcclTask& task = prof.host.hcclTasks[info];
    const auto joined = placeWithNumber(device.byNumber, run.number);
    ArgumentObject object;
    object["notify_id"] = std::to_string(task.notify);
    object["duration estimated(us)"] = task.estimate;
    std::uint32_t model = kRawNoModel;
    if (joined) {
        const RawJoinedTask& one = device.joined.tasks[*joined];
        const RawDeviceTask& own = device.tasks[one.place];
        object["stream id"] = own.stream;
        object["task id"] = own.task;
        object["context id"] = own.context;
        if (one.host >= 0) model = prof.host.tasks[static_cast<std::size_t>(one.host)].model;
    }
    object["task type"] = prof.host.texts.text(task.item);
    object["src rank"] = task.localRank;
    object["dst rank"] = task.remoteRank;
    object["transport type"] = rawTransportWord(task.transport);
    object["size(Byte)"] = task.bytes;
    object["data type"] = rawHcclType(task.dataType);
    object["link type"] = rawLinkName(task.link);
    object["bandwidth(GB/s)"] = run.rate;
    object["model id"] = model;
    return jsonText(object);
}

std::string RawArguments::collectiveArguments(const ProfRecords& prof, const ProfRecords::Device& device,
                                              std::uint64_t number) {
    if (number >= device.drawn.runs.size()) return "{}";
    const RawCollectiveRun& run = device.joined.collectives[device.drawn.runs[number]];
    const RawCollective& collective = prof.host.collectives[run.collective];
    std::uint32_t model = kRawNoModel;
    if (const auto joined = placeWithNumber(device.byNumber, run.parts.front().number)) {
        const std::int64_t host = device.joined.tasks[*joined].host;
        if (host >= 0) model = prof.host.tasks[static_cast<std::size_t>(host)].model;
    }
    ArgumentObject object;
    object["rank_size"] = collective.rankSize;
    object["connection_id"] = prof.firstConnection + collective.call;
    object["model id"] = model;
    object["data_type"] = collective.hasInfo ? rawHcclType(collective.dataType) : "N/A";
    object["alg_type"] = collective.hasInfo ? prof.host.texts.text(collective.algorithm) : "N/A";
    object["count"] = collective.count;
    object["relay"] = (collective.flags & 1) != 0 ? "yes" : "no";
    object["retry"] = (collective.flags & 2) != 0 ? "yes" : "no";
    return jsonText(object);
}

}  // namespace

std::shared_ptr<const ArgumentSource> makeRawArguments(const SourceFile& file) {
    return std::make_shared<RawArguments>(file);
}

}  // namespace altiscope::reader
