#include "core/import/raw/raw_arguments.h"

#include "core/base/files/file.h"
#include "core/base/text/json_text.h"
#include "core/base/text/text.h"
#include "core/base/text/text_buffer.h"
#include "core/base/threads/parallel.h"
#include "core/base/threads/parallel_sort.h"
#include "core/import/raw/raw_device_samples.h"
#include "core/import/raw/raw_import.h"
#include "core/import/raw/raw_iteration_rows.h"
#include "core/import/raw/raw_task_records.h"
#include "core/import/raw_files/raw_tlv.h"
#include "core/import/raw_host/raw_join.h"
#include "core/import/raw_host/raw_task_counters.h"
#include "core/import/raw_records/raw_folders.h"
#include "core/import/raw_records/raw_mark_arguments.h"
#include "core/import/raw_records/raw_marks.h"
#include "core/import/raw_records/raw_torch.h"
#include "core/trace/raw/raw_layouts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <concepts>
#include <mutex>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace altiscope::reader {

namespace {

/// The JSON of an object, member by member.
class ArgumentText {
public:
    explicit ArgumentText(TextBuffer& out) : m_out(out) { m_out.add('{'); }
    template <std::integral Number>
    void number(std::string_view name, Number value) {
        using Wide = std::conditional_t<std::is_signed_v<Number>, std::int64_t, std::uint64_t>;
        key(name);
        m_out.addNumber(static_cast<Wide>(value));
    }
    void text(std::string_view name, std::string_view value) {
        key(name);
        m_out.addQuoted(value);
    }
    /// A list whose items end with a semicolon: they stand one below the other, as in the text export.
    void list(std::string_view name, std::string_view items) {
        if (!isValidUtf8(items)) return list(name, repairedUtf8(items));
        key(name);
        m_out.add('"');
        while (!items.empty()) {
            const std::size_t end = items.find(';');
            const std::size_t size = end == std::string_view::npos ? items.size() : end + 1;
            m_out.addEscaped(items.substr(0, size));
            if (end != std::string_view::npos) m_out.add("\\r\\n");
            items.remove_prefix(size);
        }
        m_out.add('"');
    }
    void real(std::string_view name, double value) {
        // The library's text has an exponent beyond these, and is slow.
        static constexpr double kSmallest = 1e-4, kMax = 1e15;
        key(name);
        if (value == 0 || (std::abs(value) >= kSmallest && std::abs(value) < kMax)) m_out.addDouble(value);
        else m_out.add(dumpJson(nlohmann::json(value)));
    }
    void numberInQuotes(std::string_view name, std::uint64_t value) {
        key(name);
        m_out.add('"');
        m_out.addNumber(value);
        m_out.add('"');
    }
    void end() { m_out.add('}'); }

private:
    void key(std::string_view name) {
        m_out.add(m_isFirst ? "\"" : ",\"");
        m_isFirst = false;
        m_out.add(name);
        m_out.add("\":");
    }
    TextBuffer& m_out;
    bool m_isFirst = true;
};

void writeOperator(std::string_view value, TextBuffer& out) {
    const RawRecord<kRawOpRange> record(value.data());
    ArgumentText object(out);
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
        if (texts[i]) object.list(kTexts[i].second, *texts[i]);
    }
    object.end();
}

/// Reads records of one file of FRAMEWORK that mostly lie beside each other. One thread.
class FrameworkRecords {
public:
    explicit FrameworkRecords(const std::filesystem::path& path) : m_file(ReadOnlyFile::open(path)) {}

    const Result<ReadOnlyFile>& file() const { return m_file; }
    /// The value that begins at a byte; valid until the next call. @return False if there is none.
    bool read(std::uint64_t byte, RawTlv& tlv) {
        if (readFromWindow(byte, tlv)) return true;
        // Records are looked up in about their order: who goes back goes back some more.
        m_begin = byte < m_begin ? byte - std::min<std::uint64_t>(byte, kWindow / 2) : byte;
        m_window.resize(kWindow);
        const auto got = m_file.value().read(m_begin, std::span(m_window));
        m_window.resize(got.ok() ? got.value() : 0);
        return readFromWindow(byte, tlv) || readRawTlv(m_file.value(), byte, m_long, tlv);
    }

private:
    static constexpr std::size_t kWindow = std::size_t{1} << 16;

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
    std::vector<RawFusion> fusions;
    RawGraphMemory graphMemory;
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
    if (places.empty() || number < places.front().first || number > places.back().first) return std::nullopt;
    // Records are about as dense everywhere, mostly without any gap.
    const double share = static_cast<double>(number - places.front().first) /
                         static_cast<double>(std::max<std::uint64_t>(places.back().first - places.front().first, 1));
    const auto guess = static_cast<std::size_t>(share * static_cast<double>(places.size() - 1) + 0.5);
    if (places[guess].first == number) return places[guess].second;
    const auto found = std::lower_bound(places.begin(), places.end(), std::pair(number, std::size_t{0}));
    return found == places.end() || found->first != number ? std::nullopt : std::optional(found->second);
}

/// Places of records by their numbers.
template <class NumberOf>
std::vector<std::pair<std::uint64_t, std::size_t>> placesByNumber(std::size_t count, const NumberOf& numberOf) {
    std::vector<std::pair<std::uint64_t, std::size_t>> places;
    places.reserve(count);
    for (std::size_t i = 0; i < count; ++i) places.emplace_back(numberOf(i), i);
    parallelSort(std::span(places), [](const auto& a, const auto& b) { return a < b; }, {});
    return places;
}

class RawArguments final : public ArgumentSource {
public:
    explicit RawArguments(const SourceFile& file)
        : m_file(file), m_stamps(stamps()), m_framework(rawFolders(file).framework) {}

    Result<std::string> arguments(SourcePos pos) const override {
        FrameworkFiles files;
        TextBuffer text;
        if (const auto problem = write(pos, files, text)) return *problem;
        return std::string(text.view());
    }

    void prepare(SourcePos pos, const CancelToken& cancel) const override {
        const auto kind = static_cast<unsigned>(pos.offset() >> kRawNumberBits);
        if (kind == static_cast<unsigned>(RawRecordKind::PythonCall)) provideFrames(pos.offset(), cancel);
        else if (kind >= static_cast<unsigned>(RawRecordKind::FirstProf) && m_file.size <= kMaxRawArguments)
            provideProfs(pos.offset(), cancel);
    }

    void each(std::span<const SourcePos> positions, const Take& take) const override {
        FrameworkFiles files;
        TextBuffer text;
        for (std::size_t i = 0; i < positions.size(); ++i) {
            text.clear();
            const auto problem = write(positions[i], files, text);
            take(i, problem ? Result<std::string_view>(*problem) : Result<std::string_view>(text.view()));
        }
    }

    Result<std::shared_ptr<const TaskRecords>> tasks(TaskDetail detail, const CancelToken& cancel) const override {
        if (const auto problem = provideProfs(0, cancel)) return problem->as<std::shared_ptr<const TaskRecords>>();
        const bool isWhole = detail == TaskDetail::Everything;
        RawTaskRecords records(detail);
        for (const auto& prof : m_profs) {
            if (prof->settings.isLevelZero) records.setLevelZero();
            records.addMarks(prof->marks, prof->settings);
            records.addFusions(prof->fusions, prof->host);
            records.addGraphMemory(prof->graphMemory);
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
                                          device.settings};
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

    using Problem = std::optional<Error>;

    Problem write(SourcePos pos, FrameworkFiles& files, TextBuffer& out) const {
        const auto kind = static_cast<unsigned>(pos.offset() >> kRawNumberBits);
        const std::uint64_t number = pos.offset() & ((std::uint64_t{1} << kRawNumberBits) - 1);
        if (kind == static_cast<unsigned>(RawRecordKind::TorchOp))
            return writeFramework("torch.op_range", number, files.operators, out);
        if (kind == static_cast<unsigned>(RawRecordKind::QueueMark))
            return writeFramework("torch.op_mark", number, files.marks, out);
        if (kind == static_cast<unsigned>(RawRecordKind::PythonCall)) return writeFrame(number, out);
        if (kind < static_cast<unsigned>(RawRecordKind::FirstProf) || m_file.size > kMaxRawArguments)
            return std::nullopt;
        if (const auto problem = provideProfs(number, {})) return problem->error();
        for (const auto& prof : m_profs) {
            if (kind == prof->callKind) return writeCall(*prof, number, out), std::nullopt;
            if (kind == prof->callKind + 1 && number < prof->marks.size())
                return out.add(rawMarkArguments(prof->marks[number])), std::nullopt;
            for (const ProfRecords::Device& device : prof->devices) {
                if (kind == device.kind) return writeTask(*prof, device, number, out), std::nullopt;
                if (kind == device.kind + 1) return writePart(*prof, device, number, out), std::nullopt;
                if (kind == device.kind + 2) return writeCollective(*prof, device, number, out), std::nullopt;
                if (kind == device.kind + kRawStreamMarkKind && number < device.samples.marks.size())
                    return out.add(rawStreamMarkArguments(device.samples.marks[number])), std::nullopt;
                if (kind == device.kind + kRawStreamMarkKind)
                    return out.add(rawIterationArguments(device.samples, number)), std::nullopt;
            }
        }
        out.add("{}");
        return std::nullopt;
    }

    /// Reads the PROF folders if they are not yet; they are constant from then on. @return What prevented it.
    std::optional<Result<Done>> provideProfs(std::uint64_t number, const CancelToken& cancel) const {
        if (m_isRead.load(std::memory_order_acquire)) return std::nullopt;
        const std::lock_guard lock(m_mutex);
        if (m_isRead.load(std::memory_order_relaxed)) return std::nullopt;
        if (stamps() != m_stamps) return Result<Done>(changed(number));
        if (!readProfs(cancel)) return Result<Done>(Cancelled{});
        return std::nullopt;
    }

    Problem writeFramework(const char* name, std::uint64_t byte, std::optional<FrameworkRecords>& file,
                           TextBuffer& out) const {
        if (!m_framework) return changed(byte);
        if (!file) file.emplace(m_framework->first / name);
        if (!file->file().ok()) return file->file().error();
        const bool isOperator = name == std::string_view("torch.op_range");
        const std::uint32_t size = isOperator ? kRawOpRange.size : kRawOpMark.size;
        const std::uint16_t type = isOperator ? 1 : 2;
        RawTlv tlv;
        if (!file->read(byte, tlv) || tlv.type != type || tlv.value.size() < size) return changed(byte);
        if (isOperator) {
            writeOperator(tlv.value, out);
            return std::nullopt;
        }
        ArgumentText object(out);
        object.number("correlation_id", RawRecord<kRawOpMark>(tlv.value.data()).get<"correlation">());
        object.end();
        return std::nullopt;
    }

    Problem writeFrame(std::uint64_t number, TextBuffer& out) const;
    std::optional<Result<Done>> provideFrames(std::uint64_t number, const CancelToken& cancel) const;
    bool readProfs(const CancelToken& cancel) const;
    static void addMetrics(const ProfRecords& prof, const ProfRecords::Device& device, const RawDeviceRecords& of,
                           RawTaskRecords& records, const CancelToken& cancel);
    static void writeCall(const ProfRecords& prof, std::uint64_t number, TextBuffer& out);
    static void writeTask(const ProfRecords& prof, const ProfRecords::Device& device, std::uint64_t number,
                          TextBuffer& out);
    static void writePart(const ProfRecords& prof, const ProfRecords::Device& device, std::uint64_t number,
                          TextBuffer& out);
    static void writeCollective(const ProfRecords& prof, const ProfRecords::Device& device, std::uint64_t number,
                                TextBuffer& out);

    const SourceFile m_file;
    const std::vector<FileStamp> m_stamps;
    const std::optional<RawFolder> m_framework;
    mutable std::mutex m_mutex;                                     // of those who read what is not read yet
    mutable std::atomic<bool> m_isRead{false}, m_hasFrames{false};  // the next two are constant from then on
    mutable std::vector<std::unique_ptr<ProfRecords>> m_profs;
    mutable std::vector<FrameNumbers> m_frames;  // by number of the record
};

/// Reads the calls of Python if they are not yet; they are constant from then on. @return What prevented it.
std::optional<Result<Done>> RawArguments::provideFrames(std::uint64_t number, const CancelToken& cancel) const {
    if (m_hasFrames.load(std::memory_order_acquire)) return std::nullopt;
    const std::lock_guard lock(m_mutex);
    if (m_hasFrames.load(std::memory_order_relaxed)) return std::nullopt;
    if (!m_framework || stamps() != m_stamps) return Result<Done>(changed(number));
    Diagnostics unused;
    ProgressSlot progress;
    RawContext context{unused, progress, cancel};
    std::optional<RawSettings> host;
    if (const auto profs = rawFolders(m_file).profs; !profs.empty()) {
        const RawFiles files = listRawFiles(profs.front().first, profs.front().second, unused, cancel);
        host = readRawSettings(files.hostFolder, files.hostName, {}, unused);
    }
    const RawTorchClock clock = rawTorchClock(m_file.path, m_file.name, host ? &*host : nullptr, unused);
    const auto frames = readRawFrames(m_framework->first, m_framework->second, clock.clock, context);
    if (cancel.cancelled()) return Result<Done>(Cancelled{});
    for (const RawPythonFrame& frame : frames) m_frames.push_back({frame.number, frame.id, frame.parent, frame.module});
    std::sort(m_frames.begin(), m_frames.end(),
              [](const FrameNumbers& a, const FrameNumbers& b) { return a.number < b.number; });
    m_hasFrames.store(true, std::memory_order_release);
    return std::nullopt;
}

RawArguments::Problem RawArguments::writeFrame(std::uint64_t number, TextBuffer& out) const {
    if (const auto problem = provideFrames(number, {})) return problem->error();
    const auto frame =
        std::lower_bound(m_frames.begin(), m_frames.end(), number,
                         [](const FrameNumbers& one, std::uint64_t wanted) { return one.number < wanted; });
    if (frame == m_frames.end() || frame->number != number) return changed(number);
    ArgumentText object(out);
    object.number("Python id", frame->id);
    object.number("Python parent id", frame->parent);
    if (frame->module >= 0) object.number("Python module id", frame->module);
    object.end();
    return std::nullopt;
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
        auto prof = std::make_unique<ProfRecords>();
        prof->settings = readRawSettings(files.hostFolder, files.hostName, {}, unused);
        prof->hasExpandedStreams = rawHasExpandedStreams(files, context);
        prof->callKind = nextKind;
        nextKind += kRawKindsOfHost;
        for (const RawDeviceFiles& one : files.devices) {
            RawSettings own = readRawSettings(one.folder, one.name, '.' + std::to_string(one.device), unused);
            if (!own.hasClock || nextKind + kRawKindsOfDevice > kRawKinds) continue;
            ProfRecords::Device& device = prof->devices.emplace_back();
            device.files = one;
            device.settings = std::move(own);
            device.kind = nextKind;
            nextKind += kRawKindsOfDevice;
        }
        // Host and devices are read apart from each other, then joined. Who waits for the lock meanwhile is not needed.
        parallelFor(prof->devices.size() + 1, [&](std::size_t i) {
            Diagnostics ofThread;
            RawContext ownContext{ofThread, progress, cancel};
            if (i > 0) {
                ProfRecords::Device& device = prof->devices[i - 1];
                std::vector<RawAccelerator> accelerators;
                device.tasks = readRawDevice(device.files, prof->hasExpandedStreams, ownContext, &accelerators);
                device.samples = readRawDeviceSamples(device.files, device.settings, prof->hasExpandedStreams,
                                                      accelerators, ownContext);
                for (std::size_t mark = 0; mark < device.samples.marks.size(); ++mark)
                    device.samples.marks[mark].pos = rawPosition(m_file.number, device.kind + kRawStreamMarkKind, mark);
                return;
            }
            prof->host = readRawHost(files, prof->settings.isLevelZero, ownContext);
            if (!cancel.cancelled()) sortRawTasks(prof->host, cancel);
        });
        if (cancel.cancelled()) return false;
        numberReductions(prof->devices, [](ProfRecords::Device& one) -> DeviceSamples& { return one.samples; });
        prof->firstConnection = nextConnection;
        nextConnection += static_cast<std::int64_t>(prof->host.calls.size());
        parallelFor(prof->devices.size() + 1, [&](std::size_t i) {
            if (i == 0) {
                prof->calls = placesByNumber(prof->host.calls.size(),
                                             [&](std::size_t call) { return prof->host.calls[call].number; });
                prof->marks = readRawMarks(files, prof->settings, prof->host.texts, context);
                for (std::size_t mark = 0; mark < prof->marks.size(); ++mark)
                    prof->marks[mark].pos = rawPosition(m_file.number, prof->callKind + 1, mark);
                prof->fusions = readRawFusions(files, prof->host, context);
                prof->graphMemory = readRawGraphMemory(files, prof->settings, prof->host, context);
                return;
            }
            ProfRecords::Device& device = prof->devices[i - 1];
            device.joined = joinRawTasks(prof->host, device.files.device, device.settings, device.tasks, cancel);
            if (cancel.cancelled()) return;
            nameRawTaskCounters(prof->host, device.files.device, device.tasks, device.joined, device.samples);
            device.drawn = drawnCollectives(prof->host, device.joined.collectives, device.settings.wallBegin);
            device.byNumber = placesByNumber(device.joined.tasks.size(), [&](std::size_t task) {
                return device.tasks[device.joined.tasks[task].place].number;
            });
        });
        if (cancel.cancelled()) return false;
        profs.push_back(std::move(prof));
    }
    m_profs = std::move(profs);
    m_isRead.store(true, std::memory_order_release);
    return true;
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

void RawArguments::writeCall(const ProfRecords& prof, std::uint64_t number, TextBuffer& out) {
    const auto place = placeWithNumber(prof.calls, number);
    if (!place) return out.add("{}");
    const RawCall& call = prof.host.calls[*place];
    std::string unknownType, unknownItem;
    const std::string_view type = prof.host.texts.type(call.level, call.type, unknownType);
    const bool isAcl = call.level == kRawAcl;
    ArgumentText object(out);
    object.number("Thread Id", call.thread);
    object.text("Mode", isAcl ? rawMode(call.type, type) : type);
    object.text("level", rawLevelName(call.level));
    object.text("id", isAcl ? type : "0");
    object.text("item_id", call.item == 0 ? "0" : prof.host.texts.text(call.item, unknownItem));
    object.number("connection_id", prof.firstConnection + static_cast<std::int64_t>(*place));
    object.end();
}

void RawArguments::writeTask(const ProfRecords& prof, const ProfRecords::Device& device, std::uint64_t number,
                             TextBuffer& out) {
    const auto place = placeWithNumber(device.byNumber, number);
    if (!place) return out.add("{}");
    const RawJoinedTask& joined = device.joined.tasks[*place];
    const RawDeviceTask& task = device.tasks[joined.place];
    const RawHostTask* host = joined.host < 0 ? nullptr : &prof.host.tasks[static_cast<std::size_t>(joined.host)];
    const RawOp* op = host != nullptr && host->op >= 0 ? &prof.host.ops[static_cast<std::size_t>(host->op)] : nullptr;
    std::string unknown;
    const std::string_view hostType =
        host == nullptr ? std::string_view() : prof.host.texts.type(kRawRuntime, host->type, unknown);
    const bool saysDevice =
        host == nullptr || hostType == "FFTS_PLUS" || hostType == "UNKNOWN" || hostType == "MEMCPY_ASYNC";
    ArgumentText object(out);
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
    object.end();
}

void RawArguments::writePart(const ProfRecords& prof, const ProfRecords::Device& device, std::uint64_t number,
                             TextBuffer& out) {
    if (number >= device.drawn.parts.size()) return out.add("{}");
    const RawDrawn::Part& drawn = device.drawn.parts[number];
    const RawPartRun& run = device.joined.collectives[drawn.run].parts[drawn.part];
    const auto info = static_cast<std::size_t>(prof.host.collectiveParts[run.part].info);
    const RawHcclTask& task = prof.host.hcclTasks[info];
    const auto joined = placeWithNumber(device.byNumber, run.number);
    ArgumentText object(out);
    object.numberInQuotes("notify_id", task.notify);
    object.real("duration estimated(us)", task.estimate);
    std::uint32_t model = kRawNoModel;
    if (joined) {
        const RawJoinedTask& one = device.joined.tasks[*joined];
        const RawDeviceTask& own = device.tasks[one.place];
        object.number("stream id", own.stream);
        object.number("task id", own.task);
        object.number("context id", own.context);
        if (one.host >= 0) model = prof.host.tasks[static_cast<std::size_t>(one.host)].model;
    }
    std::string unknown;
    object.text("task type", prof.host.texts.text(task.item, unknown));
    object.number("src rank", task.localRank);
    object.number("dst rank", task.remoteRank);
    object.text("transport type", rawTransportWord(task.transport));
    object.number("size(Byte)", task.bytes);
    object.text("data type", rawHcclType(task.dataType));
    object.text("link type", rawLinkName(task.link));
    object.real("bandwidth(GB/s)", run.rate);
    object.number("model id", model);
    object.end();
}

void RawArguments::writeCollective(const ProfRecords& prof, const ProfRecords::Device& device, std::uint64_t number,
                                   TextBuffer& out) {
    if (number >= device.drawn.runs.size()) return out.add("{}");
    const RawCollectiveRun& run = device.joined.collectives[device.drawn.runs[number]];
    const RawCollective& collective = prof.host.collectives[run.collective];
    std::uint32_t model = kRawNoModel;
    if (const auto joined = placeWithNumber(device.byNumber, run.parts.front().number)) {
        const std::int64_t host = device.joined.tasks[*joined].host;
        if (host >= 0) model = prof.host.tasks[static_cast<std::size_t>(host)].model;
    }
    ArgumentText object(out);
    object.number("rank_size", collective.rankSize);
    object.number("connection_id", prof.firstConnection + collective.call);
    object.number("model id", model);
    object.text("data_type", collective.hasInfo ? rawHcclType(collective.dataType) : "N/A");
    object.text("alg_type", collective.hasInfo ? prof.host.texts.text(collective.algorithm) : "N/A");
    object.number("count", collective.count);
    object.text("relay", (collective.flags & 1) != 0 ? "yes" : "no");
    object.text("retry", (collective.flags & 2) != 0 ? "yes" : "no");
    object.end();
}

}  // namespace

std::shared_ptr<const ArgumentSource> makeRawArguments(const SourceFile& file) {
    return std::make_shared<RawArguments>(file);
}

}  // namespace altiscope::reader
