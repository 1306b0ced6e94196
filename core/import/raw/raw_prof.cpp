#include "core/base/threads/parallel.h"
#include "core/import/raw/raw_device_samples.h"
#include "core/import/raw/raw_import.h"
#include "core/import/raw/raw_iteration_rows.h"
#include "core/import/raw/raw_sample_rows.h"
#include "core/import/raw/raw_unread.h"
#include "core/import/raw_host/raw_fusions.h"
#include "core/import/raw_host/raw_graph_memory.h"
#include "core/import/raw_host/raw_join.h"
#include "core/import/raw_host/raw_task_counters.h"
#include "core/import/raw_records/raw_hwts.h"
#include "core/import/raw_records/raw_marks.h"
#include "core/import/raw_records/raw_overlap.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace altiscope::reader {

namespace {

/// Threads of the communication layer: each group has a row of numbers, its own first, then one per plane.
constexpr std::int64_t kThreadsOfRawGroup = 1024;

constexpr std::size_t kRecordsPerLook = 1024;

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

/// Whether a task is of a kind to which a flow leads from the call that launched it.
bool isCopyOrEvent(const RawDeviceTask& task) {
    const std::string_view type = task.isSubTask || task.isHwts ? std::string_view() : rawDeviceTypeName(task);
    return type == "SDMA_SQE" || type == "PCIE_DMA_SQE" || type == "EVENT_RECORD_SQE" || type == "EVENT_WAIT_SQE";
}

void reportUnreadMetrics(const RawDeviceFiles& files, Diagnostics& diagnostics) {
    diagnostics.add("raw.not_read", Severity::Lost, files.name + "/data", {}, {{"what", "ffts_profile.data"}});
}

}  // namespace

SourcePos rawPosition(std::uint32_t file, unsigned kind, std::uint64_t number) {
    return SourcePos::make(file, (std::uint64_t{std::min(kind, kRawKinds - 1)} << kRawNumberBits) |
                                     (number & ((std::uint64_t{1} << kRawNumberBits) - 1)));
}

struct RawProf::Device {
    const RawDeviceFiles& files;
    RawSettings settings;
    RawClock clock;
    unsigned kind;  ///< Kind of its tasks' records; parts of collectives, collectives and computed events follow.
    Diagnostics problems{};
    std::vector<RawDeviceTask> tasks{};
    RawJoined joined{};
    std::vector<RawFrequency> frequencies{};
    RawMetrics metrics{};
    DeviceSamples samples{};
    RawKernelDevice ofKernels{};
    std::size_t nextMetrics = 0;  ///< Index of the next metrics: all before it belong to tasks that have gone by.
    std::uint64_t lone = 0;       ///< Tasks so far to which no flow leads, though it does to others of their kind.
    std::uint64_t early = 0;      ///< Collectives and counters before the collection.
    Segment segment{};
    std::vector<TimeRange> computing{}, communication{};
    std::optional<TimeRange> reach{};
    std::optional<RawDeviceTimes> times{};                                        ///< While the tasks go by.
    std::map<std::tuple<bool, std::uint64_t, std::uint32_t>, RawTotal> totals{};  // by type and core of operators
    std::vector<std::pair<std::tuple<bool, std::uint64_t, std::uint32_t>, RawTotal*>> recent{};  // of them, by hash

    /// Nearly always of the same few keys.
    RawTotal& totalOf(const std::tuple<bool, std::uint64_t, std::uint32_t>& key) {
        static constexpr std::size_t kRecent = 64;
        if (recent.empty()) recent.resize(kRecent);
        auto& slot = recent[(std::get<1>(key) * 0x9E3779B97F4A7C15ULL >> 40) % kRecent];
        if (slot.second == nullptr || slot.first != key) slot = {key, &totals[key]};
        return *slot.second;
    }
    /// Number of the metrics of a task. Tasks come by their places.
    std::uint32_t metricsOf(std::size_t task) {
        if (ofKernels.metrics == nullptr) return RawKernel::kNone;
        while (nextMetrics < metrics.size() && metrics.task(nextMetrics) < task) ++nextMetrics;
        const bool isHere = nextMetrics < metrics.size() && metrics.task(nextMetrics) == task;
        return isHere ? static_cast<std::uint32_t>(nextMetrics) : RawKernel::kNone;
    }
};

RawProf::RawProf(std::filesystem::path folder, std::string name, RawSink& sink)
    : m_folder(std::move(folder)), m_name(std::move(name)), m_sink(sink), m_noText(sink.names.text({})) {}

RawProf::~RawProf() = default;

void RawProf::readSettings() {
    m_files = listRawFiles(m_folder, m_name, m_sink.import.diagnostics, m_sink.import.cancel);
    m_settings = readRawSettings(m_files.hostFolder, m_files.hostName, {}, m_sink.import.diagnostics);
}

void RawProf::read() {
    const CancelToken& cancel = m_sink.import.cancel;
    if (m_sink.naming.hostProcess == 0) m_sink.naming.hostProcess = m_settings.process;
    m_callKind = m_sink.nextKind;
    m_sink.nextKind += kRawKindsOfHost;
    for (const RawDeviceFiles& files : m_files.devices) {
        const RawSettings settings =
            readRawSettings(files.folder, files.name, '.' + std::to_string(files.device), m_sink.import.diagnostics);
        if (!settings.hasClock) continue;
        if (m_settings.hasClock && !hasSameHostClock(settings, m_settings))
            m_sink.import.diagnostics.add("raw.clocks_differ", Severity::Repaired, files.name, {},
                                          {{"what", "host_start.log, start_info"}});
        // Positions of slices have no room for more.
        if (m_sink.nextKind + kRawKindsOfDevice > kRawKinds) {
            m_sink.import.diagnostics.add("raw.not_read", Severity::Lost, m_name, {}, {{"what", files.name}});
            continue;
        }
        m_devices.push_back(std::make_unique<Device>(Device{files, settings, settings.deviceClock(), m_sink.nextKind}));
        m_sink.nextKind += kRawKindsOfDevice;
    }
    const bool hasExpandedStreams = rawHasExpandedStreams(m_files, m_sink.context);
    // Host and devices are read apart from each other, then joined while the calls are drawn.
    parallelFor(m_devices.size() + 1, [&](std::size_t i) {
        if (i == 0) {
            m_host = readRawHost(m_files, m_settings.isLevelZero, m_sink.context);
            if (!cancel.cancelled()) sortRawTasks(m_host, cancel);
            return;
        }
        Device& device = *m_devices[i - 1];
        RawContext own{device.problems, m_sink.import.progress, cancel};
        std::vector<RawAccelerator> accelerators;
        device.tasks = readRawDevice(device.files, hasExpandedStreams, own, &accelerators);
        device.samples = readRawDeviceSamples(device.files, device.settings, hasExpandedStreams, accelerators, own);
    });
    if (cancel.cancelled()) return;
    numberReductions(m_devices, [](const auto& one) -> DeviceSamples& { return one->samples; });
    m_marks = readRawMarks(m_files, m_settings, m_host.texts, m_sink.context);
    addRawMarks(m_marks, m_callKind + 1, m_sink);
    // Files alone show them: here it is found what is wrong with them.
    readRawFusions(m_files, m_host, m_sink.context);
    if (m_sink.import.rows != nullptr)
        addRawGraphMemoryRows(readRawGraphMemory(m_files, m_settings, m_host, m_sink.context), *m_sink.import.rows,
                              cancel);
    reportMissingRawLogs(m_files, m_host, m_name, m_sink.import.diagnostics);
    m_firstConnection = m_sink.nextConnection;
    m_sink.nextConnection += m_host.connectionCount();
    parallelFor(m_devices.size() + 1, [&](std::size_t i) {
        if (i == 0) addCalls();
        else joinDevice(*m_devices[i - 1], hasExpandedStreams);
    });
    for (const auto& device : m_devices) {
        if (cancel.cancelled()) return;
        addDevice(*device);
    }
    if (m_ambiguous > 0) m_sink.import.diagnostics.add("raw.ambiguous", Severity::Lost, m_name, {}, {}, m_ambiguous);
    // Some names are written nowhere; that none is means that the list is gone.
    if (!m_unnamed.empty())
        m_sink.import.diagnostics.add("raw.nameless", m_host.texts.hasTexts() ? Severity::Repaired : Severity::Lost,
                                      m_files.hostName + "/data", {}, {}, m_unnamed.size());
    std::vector<const RawSettings*> settings;
    for (const auto& device : m_devices) settings.push_back(&device->settings);
    reportUnreadRawFiles(m_files, settings, m_name, m_sink.import.diagnostics);
    // Tables need what describes operators and collectives only.
    std::vector<RawCall>().swap(m_host.calls);
    std::vector<RawHostTask>().swap(m_host.tasks);
    std::vector<DrawnCall>().swap(m_drawn);
    std::vector<bool>().swap(m_isLaunch);
}

bool RawProf::isEventCall(const RawCall& call) {
    if (call.level != kRawAcl) return false;
    const auto [known, isNew] = m_isEvent.try_emplace(call.type, false);
    if (isNew) {
        std::string number;
        const std::string_view name = m_host.texts.type(call.level, call.type, number);
        known->second = name == "aclrtRecordEvent" || name == "aclrtStreamWaitEvent";
    }
    return known->second;
}

const RawProf::TaskType& RawProf::typeOf(std::uint64_t type) {
    static constexpr std::string_view kNoReach[] = {"KERNEL_AICORE",    "KERNEL_AIVEC", "KERNEL_MIX_AIC",
                                                    "KERNEL_MIX_AIV",   "FFTS_PLUS",    "PROFILING_ENABLE",
                                                    "PROFILING_DISABLE"};
    const auto [known, isNew] = m_types.try_emplace(type);
    if (isNew) {
        TaskType& words = known->second;
        words.name = m_host.texts.type(kRawRuntime, type);
        words.title = m_sink.names.text(words.name);
        words.isCopy = words.name == "MEMCPY_ASYNC";
        words.fallsBack = words.name == "FFTS_PLUS";
        words.countsForReach = std::find(std::begin(kNoReach), std::end(kNoReach), words.name) == std::end(kNoReach);
    }
    return known->second;
}

const RawProf::OpName& RawProf::nameOf(std::uint64_t hash) {
    const auto [known, isNew] = m_texts.try_emplace(hash);
    if (isNew) {
        const std::string name = m_host.texts.text(hash);
        known->second = {m_sink.names.text(name), name.ends_with("AivKernel"), name.ends_with("AicpuKernel")};
        lookAtName(hash);
    }
    return known->second;
}

/// Remembers a hash of which no dictionary has the text.
void RawProf::lookAtName(std::uint64_t hash) {
    if (hash != 0 && !m_host.texts.contains(hash)) m_unnamed.insert(hash);
}

/// @param item  The name of a call of collectives, else its type.
std::string RawProf::callName(std::uint16_t level, std::uint64_t item) const {
    return level == kRawCommunication ? m_host.texts.text(item) : m_host.texts.type(level, item);
}

void RawProf::addCalls() {
    Segment segment;
    m_drawn.resize(m_host.calls.size());
    m_isLaunch.resize(m_host.calls.size());
    makeRoom(segment.slices, m_host.calls.size());
    if (!m_settings.hasClock) return;
    const RawClock clock = m_settings.hostClock();
    const ProvisionalText noCategory = m_sink.names.text({});
    struct NamedCalls {
        ProvisionalText name = 0;
        RawTotal total{};
        std::pair<std::uint16_t, std::uint64_t> key{};
    };
    // By level, then by the item that names a call of collectives, else by type.
    std::map<std::pair<std::uint16_t, std::uint64_t>, NamedCalls> named;
    NamedCalls* lastNamed[64] = {};
    RawProblemCounter bad("raw.bad_time");
    std::uint64_t early = 0, nameless = 0;
    for (std::size_t i = 0; i < m_host.calls.size(); ++i) {
        if (i % kRecordsPerLook == 0 && m_sink.import.cancel.cancelled()) return;
        const RawCall& call = m_host.calls[i];
        const auto begin = clock.wall(call.begin), end = clock.wall(call.end);
        if (!begin || !end || *end < *begin) {
            bad.add(call.number);
            continue;
        }
        if (*end < m_settings.wallBegin) {
            ++early;
            continue;
        }
        const ProvisionalTrack track =
            m_sink.tracks.hostThread(DbLayer::Cann, (m_settings.process << 32) | call.thread);
        const std::uint64_t item = call.level == kRawCommunication ? call.item : call.type;
        NamedCalls*& recent = lastNamed[(item * 0x9E3779B97F4A7C15ULL >> 40) % std::size(lastNamed)];
        const std::pair key(call.level, item);
        bool isNew = false;
        if (recent == nullptr || recent->key != key) {
            const auto known = named.try_emplace(key);
            isNew = known.second;
            recent = &known.first->second;
            recent->key = key;
        }
        NamedCalls& calls = *recent;
        if (isNew) {
            calls.name = m_sink.names.text(std::string(levelPrefix(call.level)) + callName(call.level, item));
            if (call.level == kRawCommunication) lookAtName(item);
            else if (!m_host.texts.hasType(call.level, item)) ++nameless;
        }
        calls.total.add(*end - *begin);
        segment.slices.add(track, *begin, *end - *begin, calls.name, noCategory,
                           rawPosition(m_sink.file.number, m_callKind, call.number));
        m_drawn[i] = {*begin, track, true};
        ++m_sink.calls;
    }
    for (const auto& [key, calls] : named)
        m_sink.totals.addCalls(rawLevelName(key.first), callName(key.first, key.second), calls.total);
    m_sink.rows += segment.slices.size();
    bad.flush(m_name, m_sink.import.diagnostics);
    const std::string data = m_files.hostName + "/data";
    if (early > 0)
        m_sink.import.diagnostics.add("raw.early", severityOfEarly(early, m_host.calls.size()), data, {}, {}, early);
    if (nameless > 0) m_sink.import.diagnostics.add("raw.nameless_call", Severity::Repaired, data, {}, {}, nameless);
    m_sink.import.builder.commit(rawPosition(m_sink.file.number, m_callKind, 0), std::move(segment));
}

/// Connects an event of a device with the call that led to it, if that is one from which flows begin; returns whether.
bool RawProf::addLaunch(std::int64_t call, const RawLaunchEnd& end) {
    const auto number = static_cast<std::size_t>(call);
    const RawCall& start = m_host.calls[number];
    const DrawnCall& drawn = m_drawn[number];
    const std::int64_t connection = m_firstConnection + call;
    m_sink.points.push_back({DbFlowPoint::Kind::Task, connection, end.begin, end.track, end.pos});
    if (!drawn.isDrawn || (start.level != kRawNode && end.kind != RawLaunchEnd::Kind::Copy && !isEventCall(start)))
        return false;
    RawLaunchEnd& added = m_sink.launchEnds.emplace_back(end);
    added.launch = drawn.begin;
    added.call = connection;
    added.thread = start.thread;
    if (m_isLaunch[number]) return true;
    m_isLaunch[number] = true;
    m_sink.launches.push_back({connection, drawn.begin});
    m_sink.points.push_back({DbFlowPoint::Kind::Launch, connection, drawn.begin, drawn.track,
                             rawPosition(m_sink.file.number, m_callKind, start.number)});
    return true;
}

void RawProf::joinDevice(Device& device, bool hasExpandedStreams) {
    const std::string data = device.files.name + "/data";
    RawContext context{device.problems, m_sink.import.progress, m_sink.import.cancel};
    device.joined = joinRawTasks(m_host, device.files.device, device.settings, device.tasks, m_sink.import.cancel);
    if (m_sink.import.cancel.cancelled()) return;
    nameRawTaskCounters(m_host, device.files.device, device.tasks, device.joined, device.samples);
    if (device.joined.excludedParts > 0)
        device.problems.add("raw.bad_record", Severity::Lost, data, {}, {}, device.joined.excludedParts);
    reportLoneTasks(device.joined, device.tasks.size(), !m_host.tasks.empty(), data, device.problems);
    RawProblemCounter badTimes("raw.bad_time");
    for (const std::uint64_t number : device.joined.badTimes) badTimes.add(number);
    badTimes.flush(data, device.problems);
    device.frequencies = readRawFrequencies(device.files, device.settings, context);
    const RawMetricNames names = rawMetricNames(device.settings);
    const bool hasCounters =
        std::any_of(device.files.series.begin(), device.files.series.end(), [](const RawFileSeries& series) {
            return series.stem == "ffts_profile.data" && std::any_of(series.slices.begin(), series.slices.end(),
                                                                     [](const RawSlice& one) { return one.size > 0; });
        });
    const bool areAllNamed = (!names.core.empty() || device.settings.coreMetrics.empty()) &&
                             (!names.vector.empty() || device.settings.vectorMetrics.empty());
    const bool isAnyNamed = !names.core.empty() || !names.vector.empty();
    if (hasCounters && !(areAllNamed && isAnyNamed)) reportUnreadMetrics(device.files, device.problems);
    if (!isAnyNamed) return;
    device.metrics =
        readRawMetrics(device.files, device.settings, device.frequencies, device.tasks,
                       rawTaskBlocks(m_host, device.joined, device.tasks.size()), hasExpandedStreams, context);
}

void RawProf::addDevice(Device& device) {
    m_sink.import.diagnostics.merge(device.problems);
    m_ambiguous += device.joined.ambiguous;
    device.ofKernels = {device.files.device, &m_host, &device.settings, nullptr};
    if (device.metrics.size() > 0 && takeMetricNames(device)) device.ofKernels.metrics = &device.metrics;
    const std::size_t count = device.joined.tasks.size();
    m_sink.kernels.reserve(m_sink.kernels.size() + count);
    m_sink.points.reserve(m_sink.points.size() + 2 * count);
    makeRoom(device.segment.slices, count + count / 2);
    device.times.emplace(device.settings, device.tasks);
    for (std::size_t i = 0; i < device.joined.tasks.size(); ++i) {
        if (i % kRecordsPerLook == 0 && m_sink.import.cancel.cancelled()) return;
        const RawJoinedTask& task = device.joined.tasks[i];
        addTask(device.tasks[task.place], task, device);
    }
    addTotals(device);
    addCounters(device);
    const std::string data = device.files.name + "/data";
    addRawSamples(device.samples, data, device.kind + kRawSampleKind, m_sink, device.segment);
    addRawStreamMarks(device.samples, m_marks, device.kind + kRawStreamMarkKind, m_sink, device.segment);
    addRawIterationRows(device.samples, device.kind + kRawStreamMarkKind, m_sink, device.segment);
    addCollectives(device);
    addOverlap(device);
    Diagnostics& diagnostics = m_sink.import.diagnostics;
    if (device.early > 0) diagnostics.add("raw.early", Severity::Info, data, {}, {}, device.early);
    if (device.lone > 0) diagnostics.add("raw.lone_task", Severity::Info, data, {}, {}, device.lone);
    m_sink.rows += device.segment.slices.size();
    m_sink.import.builder.commit(rawPosition(m_sink.file.number, device.kind, 0), std::move(device.segment));
    // The rest needs the collectives and the metrics only.
    std::vector<RawDeviceTask>().swap(device.tasks);
    std::vector<RawJoinedTask>().swap(device.joined.tasks);
}

void RawProf::addTask(const RawDeviceTask& task, const RawJoinedTask& joined, Device& device) {
    const std::int64_t number = device.files.device, begin = joined.begin, end = joined.end;
    // Computing and free time go by lengths that were cut, unlike the ends of bars.
    const std::int64_t cutEnd = device.times && !device.times->isExact()
                                    ? begin + static_cast<std::int64_t>(device.times->real(task).length)
                                    : end;
    const RawHostTask* host = joined.host < 0 ? nullptr : &m_host.tasks[static_cast<std::size_t>(joined.host)];
    const TaskType* type = host == nullptr ? nullptr : &typeOf(host->type);
    if (type == nullptr || type->countsForReach)
        device.reach = device.reach
                           ? TimeRange{std::min(device.reach->begin, {begin}), std::max(device.reach->end, {cutEnd})}
                           : TimeRange{{begin}, {cutEnd}};
    const RawOp* op = host != nullptr && host->op >= 0 ? &m_host.ops[static_cast<std::size_t>(host->op)] : nullptr;
    if (op != nullptr) {
        const OpName& name = nameOf(op->name);
        const bool isAiv = name.isAiv;
        if (!isAiv && !name.isAicpu) device.computing.push_back({{begin}, {cutEnd}});
        const bool isOther = op->hasCore && isRawOtherCore(op->core);
        // A task that began before the collection is in no sum.
        if (!isOther && begin > device.settings.wallBegin)
            device.totalOf({op->hasDetails, op->type, op->hasCore ? op->core : kRawNoContext}).add(end - begin);
        if (!isOther || (isAiv && isRawCommunicationCore(op->core))) {
            const std::int64_t connection = host->connection < 0 ? -1 : m_firstConnection + host->connection;
            RawKernel kernel{begin, end - begin, connection, &device.ofKernels};
            kernel.op = static_cast<std::uint32_t>(host->op);
            kernel.stream = task.stream;
            kernel.metrics = device.metricsOf(joined.place);
            m_sink.kernels.push_back(kernel);
        }
    }
    if (!joined.hasBar) return;
    const bool saysDevice = type == nullptr || type->fallsBack;
    const ProvisionalText name = op != nullptr ? nameOf(op->name).text
                                 : saysDevice  ? m_sink.names.text(rawDeviceTypeName(task))
                                               : type->title;
    const std::uint16_t stream = task.stream;
    const ProvisionalTrack track = m_sink.tracks.thread(DbLayer::Hardware, number, stream,
                                                        [stream] { return "Stream " + std::to_string(stream); });
    const SourcePos pos = rawPosition(m_sink.file.number, device.kind, task.number);
    device.segment.slices.add(track, begin, end - begin, name, m_noText, pos);
    ++m_sink.tasks;
    if (host == nullptr) return;
    const auto kind = type->isCopy ? RawLaunchEnd::Kind::Copy : RawLaunchEnd::Kind::Task;
    const bool hasLaunch =
        host->connection >= 0 &&
        (op != nullptr || type->isCopy || isEventCall(m_host.calls[static_cast<std::size_t>(host->connection)])) &&
        addLaunch(host->connection, {0, 0, kind, begin, track, pos});
    if (!hasLaunch && (op != nullptr || isCopyOrEvent(task))) ++device.lone;
}

void RawProf::addTotals(const Device& device) {
    if (m_settings.isLevelZero) return;
    for (const auto& [key, total] : device.totals) {
        const auto& [hasType, type, core] = key;
        const std::string name = hasType ? m_host.texts.text(type) : std::string();
        if (hasType) lookAtName(type);
        if (!name.empty() && name != "N/A")
            m_sink.totals.addOperators(device.files.device, name,
                                       core == kRawNoContext ? std::string() : rawCoreName(core), total);
    }
}

/// Whether the metrics of a device can be columns of `kernel`: devices of one run count the same, and columns of
/// another set would have the wrong names.
bool RawProf::takeMetricNames(const Device& device) {
    const RawMetricNames names = rawMetricNames(device.settings);
    if (!m_sink.metricNames) m_sink.metricNames = names;
    if (m_sink.metricNames->core == names.core && m_sink.metricNames->vector == names.vector) return true;
    reportUnreadMetrics(device.files, m_sink.import.diagnostics);
    return false;
}

/// The frequency of the cores, and how much memory was read and written.
void RawProf::addCounters(Device& device) {
    const std::int64_t number = device.files.device;
    std::uint64_t count = 0;
    const auto add = [&](DbLayer layer, const std::string& name, std::string_view series, std::int64_t time,
                         double value, unsigned kind) {
        device.segment.samples.push_back({m_sink.tracks.counter(layer, number, name), m_sink.names.text(series), time,
                                          value, rawPosition(m_sink.file.number, device.kind + kind, count++)});
    };
    static constexpr unsigned kFrequencyKind = 4, kBandwidthKind = 5;
    static constexpr double kHertzOfMegahertz = 1e6;
    // The vendor's program reads none of older chips.
    const bool isStars = rawTaskLog(device.settings.platform) == RawTaskLog::Stars;
    const auto points = isStars ? frequencyPoints(device.frequencies, device.settings)
                                : decltype(frequencyPoints(device.frequencies, device.settings))();
    // As of the small files, see differingClocks(): clocks drift, and counters are emptied after the end.
    static constexpr std::int64_t kMaxLate = 10'000'000'000;  // ns
    if (!points.empty() && device.settings.wallEnd > 0 && points.back().first - device.settings.wallEnd > kMaxLate)
        m_sink.import.diagnostics.add("raw.clocks_differ", Severity::Repaired, device.files.name, {},
                                      {{"what", "start_info, end_info"}});
    for (const auto& [time, hertz] : points)
        add(DbLayer::CoreFrequency, "AI Core Freq", "MHz", time, static_cast<double>(hertz) / kHertzOfMegahertz,
            kFrequencyKind);
    // The first one is of no record, and the last one before the begin is the one at it.
    const auto before =
        std::count_if(device.frequencies.begin(), device.frequencies.end(), [&device](const RawFrequency& frequency) {
            return device.clock.wall(frequency.time).value_or(INT64_MAX) <= device.settings.wallBegin;
        });
    device.early += static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(before - 2, 0));
    count = 0;
    for (const RawBandwidth& one : readRawBandwidths(device.files, device.settings, m_sink.context)) {
        if (one.time < device.settings.wallBegin) {
            ++device.early;
            continue;
        }
        const std::string memory = "HBM " + std::to_string(one.memory);
        add(DbLayer::Hbm, memory + (one.isWrite ? "/Write" : "/Read"), one.isWrite ? "Write(MB/s)" : "Read(MB/s)",
            one.time, one.megabytesPerSecond, kBandwidthKind);
    }
}

/// The tracks of communication: each group has one for its collectives and one for each of its planes.
void RawProf::addCollectives(Device& device) {
    const std::vector<RawCollectiveRun>& runs = device.joined.collectives;
    if (runs.empty()) return;
    const std::int64_t number = device.files.device;
    std::map<std::uint64_t, std::int64_t> groups;
    const auto groupOf = [&groups](std::uint64_t hash) {
        return groups.try_emplace(hash, static_cast<std::int64_t>(groups.size())).first->second;
    };
    const ProvisionalText noCategory = m_sink.names.text({});
    const RawCollectiveOrder drawn = rawCollectiveOrder(m_host, runs, device.settings.wallBegin);
    for (const RawCollectiveRun& run : runs) {
        if (run.hasGroup) lookAtName(run.group);
        if (run.hasMaster && run.begin < device.settings.wallBegin) ++device.early;
        for (const RawPartRun& part : run.parts) device.early += part.begin < device.settings.wallBegin ? 1 : 0;
    }
    const auto masterless = static_cast<std::uint64_t>(
        std::count_if(runs.begin(), runs.end(), [](const RawCollectiveRun& run) { return !run.hasMaster; }));
    if (masterless > 0)
        m_sink.import.diagnostics.add("raw.no_master", Severity::Repaired, device.files.name + "/data", {}, {},
                                      masterless);
    for (std::size_t i = 0; i < drawn.parts.size(); ++i) {
        const RawCollectiveRun& run = runs[drawn.parts[i].run];
        const RawPartRun& part = run.parts[drawn.parts[i].part];
        const auto info = static_cast<std::size_t>(m_host.collectiveParts[part.part].info);
        const RawHcclTask& task = m_host.hcclTasks[info];
        const std::uint32_t plane = task.plane;
        const bool isPlane = plane < kThreadsOfRawGroup - 2;
        const std::int64_t thread =
            groupOf(run.group) * kThreadsOfRawGroup + (isPlane ? plane + 1 : kThreadsOfRawGroup - 1);
        const ProvisionalTrack track = m_sink.tracks.thread(DbLayer::Communication, number, thread, [plane, isPlane] {
            return isPlane ? "Plane " + std::to_string(plane) : std::string("Plane N/A");
        });
        device.segment.slices.add(track, part.begin, part.duration(), nameOf(task.item).text, noCategory,
                                  rawPosition(m_sink.file.number, device.kind + 1, i));
    }
    for (std::size_t i = 0; i < drawn.runs.size(); ++i) {
        const RawCollectiveRun& run = runs[drawn.runs[i]];
        device.communication.push_back({run.begin, run.end});
        const ProvisionalTrack track = m_sink.tracks.thread(
            DbLayer::Communication, number, groupOf(run.group) * kThreadsOfRawGroup, [&]() -> std::string {
                return run.hasGroup ? "Group " + m_host.texts.text(run.group) + " Communication" : "Communication";
            });
        const SourcePos pos = rawPosition(m_sink.file.number, device.kind + 2, i);
        device.segment.slices.add(track, run.begin, run.end - run.begin, m_sink.names.text(run.name), noCategory, pos);
        const std::int64_t call = m_host.collectives[run.collective].call;
        m_sink.kernels.push_back({run.begin, run.end - run.begin, m_firstConnection + call, &device.ofKernels, &run});
        addLaunch(call, {0, 0, RawLaunchEnd::Kind::Collective, run.begin, track, pos});
    }
}

void RawProf::addOverlap(Device& device) {
    if (!device.reach && device.computing.empty() && device.communication.empty()) return;
    TimeRange reach;
    if (device.reach) {
        reach = *device.reach;
    } else {
        const auto& any = device.computing.empty() ? device.communication : device.computing;
        reach = any.front();
    }
    const RawOverlap overlap = rawOverlap(std::move(device.computing), std::move(device.communication), reach);
    const std::pair<std::string_view, const IntervalSet*> tracks[] = {
        {"Computing", &overlap.computing},
        {"Communication", &overlap.communication},
        {"Communication(Not Overlapped)", &overlap.notOverlapped},
        {"Free", &overlap.free}};
    std::uint64_t count = 0;
    std::int64_t thread = 0;
    const ProvisionalText noCategory = m_sink.names.text({});
    for (const auto& one : tracks) {
        const std::string_view title = one.first;
        const ProvisionalText name = m_sink.names.text(title);
        for (const TimeRange& interval : *one.second) {
            const ProvisionalTrack track = m_sink.tracks.thread(DbLayer::Overlap, device.files.device, thread,
                                                                [title] { return std::string(title); });
            device.segment.slices.add(track, interval.begin.value, interval.length().value, name, noCategory,
                                      rawPosition(m_sink.file.number, device.kind + 3, count++));
        }
        ++thread;
    }
}

}  // namespace altiscope::reader
