#include "core/import/raw/raw_task_records.h"

#include "core/base/values/parse.h"
#include "core/import/raw/raw_import.h"
#include "core/import/raw/raw_task_order.h"
#include "core/import/raw_records/raw_tensors.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace altiscope::reader {

namespace {

/// Once anything says how much was copied, all copies are listed.
bool isRecordedCopy(const RawHost& host, const RawHostTask& task) { return task.copy != kRawNoCopy && host.hasCopies; }

}  // namespace

std::uint32_t RawTaskRecords::id(std::string_view text) {
    if (const auto known = m_ids.find(text); known != m_ids.end()) return known->second;
    const auto number = static_cast<std::uint32_t>(m_records.texts.size());
    m_ids.emplace(text, number);
    m_records.texts.emplace_back(text);
    return number;
}

void RawTaskRecords::enter(const RawHost& host) {
    if (std::exchange(m_host, &host) == &host) return;
    m_idOfHash.clear();
    m_idOfType.clear();
}

std::uint32_t RawTaskRecords::textId(std::uint64_t hash) {
    const auto [known, isNew] = m_idOfHash.try_emplace(hash);
    std::string number;
    if (isNew) known->second = id(m_host->texts.text(hash, number));
    return known->second;
}

std::uint32_t RawTaskRecords::coreId(std::uint32_t core) {
    const auto [known, isNew] = m_idOfCore.try_emplace(core);
    if (isNew) known->second = id(rawCoreName(core));
    return known->second;
}

std::uint32_t RawTaskRecords::runtimeTypeId(std::uint64_t type) {
    const auto [known, isNew] = m_idOfType.try_emplace(type);
    if (!isNew) return known->second;
    std::string number;
    const std::string_view name = m_host->texts.type(kRawRuntime, type, number);
    return known->second = name == "FFTS_PLUS" || name == "UNKNOWN" ? TaskRecord::kNone : id(name);
}

bool RawTaskRecords::add(const RawHost& host, const RawDeviceTasks& device, const CancelToken& cancel) {
    m_records.collections.push_back({device.device, device.wallBegin, device.monotonicBegin, device.wallEnd});
    if (const auto platform = wholeNumber<std::int64_t>(device.settings.platform))
        m_records.collections.back().platform = *platform;
    m_firstOfDevice = static_cast<std::uint32_t>(m_records.tasks.size());
    enter(host);
    const RawDeviceTimes times(device.settings, device.tasks);
    const RawTasksOfDevice ofDevice = rawTasksOf(host, device.device);
    Launches launches{ofDevice, device.settings.hostClock(),
                      std::vector<std::uint32_t>(ofDevice.count, TaskRecord::kNone)};
    if (!addTasks(device, times, launches, cancel)) return false;
    if (m_isWhole && !addNotRun(device.device, launches, cancel)) return false;
    const std::vector<std::uint32_t> places = rawCollectivePlaces(host, device.device, device.joined.collectives);
    for (const std::size_t run : device.drawn.runs) {
        if (cancel.cancelled()) return false;
        addCollective(host, device, device.joined.collectives[run], places[run]);
    }
    for (std::size_t i = 0; !times.isExact() && i < device.drawn.parts.size(); ++i) {
        const RawCollectiveOrder::Part& drawn = device.drawn.parts[i];
        m_records.partLengths.emplace_back(rawPosition(device.file, device.kind + 1, i),
                                           device.joined.collectives[drawn.run].parts[drawn.part].real.length);
    }
    const std::vector<std::uint32_t> order =
        rawTaskPlaces(host, {device.device, device.tasks, device.joined, times}, cancel);
    for (std::size_t i = 0; i < order.size(); ++i) m_records.tasks[m_firstOfDevice + i].place = order[i];
    if (m_isWhole) addDetails(host, device);
    return !cancel.cancelled();
}

/// @return False if cancelled.
bool RawTaskRecords::addTasks(const RawDeviceTasks& device, const RawDeviceTimes& times, Launches& launches,
                              const CancelToken& cancel) {
    const std::vector<RawJoinedTask>& tasks = device.joined.tasks;
    m_records.tasks.reserve(m_records.tasks.size() + tasks.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        if (i % kBetweenLooks == 0 && cancel.cancelled()) return false;
        const RawJoinedTask& joined = tasks[i];
        const RawDeviceTask& task = device.tasks[joined.place];
        TaskRecord& record = m_records.tasks.emplace_back();
        record.id = m_firstOfDevice + static_cast<std::uint32_t>(i);
        if (joined.hasBar) record.pos = rawPosition(device.file, device.kind, task.number);
        record.device = device.device;
        record.collection = collection();
        record.begin = joined.begin;
        record.end = joined.end;
        record.duration = times.isExact() ? static_cast<double>(joined.end - joined.begin) : times.real(task).length;
        record.stream = task.stream;
        record.task = task.task;
        record.batch = task.batch;
        record.context = task.context;
        if (joined.host >= 0) addRun(static_cast<std::size_t>(joined.host), device.firstConnection, launches, record);
        if (record.runtimeType == TaskRecord::kNone) record.runtimeType = id(rawDeviceTypeName(task));
        record.type = record.opCore != TaskRecord::kNone ? record.opCore : record.runtimeType;
    }
    return true;
}

/// Adds what the host says of a task that a device ran. Runs of one task after the first have its id.
void RawTaskRecords::addRun(std::size_t hostTask, std::int64_t firstConnection, Launches& launches,
                            TaskRecord& record) {
    const RawHostTask& launched = m_host->tasks[hostTask];
    std::uint32_t& firstRun = launches.firstRuns[hostTask - launches.tasks.first];
    const bool isFirst = firstRun == TaskRecord::kNone;
    m_records.hasRepeats = m_records.hasRepeats || !isFirst;
    if (isFirst) firstRun = record.id;
    record.id = firstRun;
    addLaunch(launched, record);
    record.connection = m_host->connectionOf(launched, firstConnection);
    record.launched = launches.clock.wall(launched.time).value_or(0);
    record.launchThread = launched.thread;
    if (m_isWhole && isFirst && isRecordedCopy(*m_host, launched)) addCopy(m_host->copies[launched.copy], record.id);
    record.runtimeType = runtimeTypeId(launched.type);
}

/// Adds operators and copies that the host launched and the device did not run. @return False if cancelled.
bool RawTaskRecords::addNotRun(std::int64_t device, const Launches& launches, const CancelToken& cancel) {
    for (std::size_t i = 0; i < launches.tasks.count; ++i) {
        if (i % kBetweenLooks == 0 && cancel.cancelled()) return false;
        const RawHostTask& launched = m_host->tasks[launches.tasks.first + i];
        const bool isCopy = isRecordedCopy(*m_host, launched);
        if (launches.firstRuns[i] != TaskRecord::kNone || (launched.op < 0 && !isCopy)) continue;
        TaskRecord& record = m_records.notRun.emplace_back();
        record.device = device;
        addLaunch(launched, record);
        if (!isCopy) continue;
        m_copiesNotRun.emplace_back(m_records.copies.size(), m_records.notRun.size() - 1);
        addCopy(m_host->copies[launched.copy], 0);
    }
    return true;
}

/// @param id  Of its task.
void RawTaskRecords::addCopy(const RawCopy& copy, std::uint32_t id) {
    static constexpr std::uint16_t kDirections = 8;
    const std::uint16_t direction = copy.direction < kDirections ? copy.direction : CopyRecord::kOther;
    m_records.copies.push_back({id, copy.bytes, direction});
}

/// Adds what the host says of a task, and of the operator that it computes.
void RawTaskRecords::addLaunch(const RawHostTask& launched, TaskRecord& record) {
    record.model = launched.model;
    if (launched.kernelName != 0) record.kernelName = textId(launched.kernelName);
    if (launched.op < 0) return;
    const RawOp& op = m_host->ops[static_cast<std::size_t>(launched.op)];
    record.hasOp = true;
    if (op.hasDetails) record.opType = textId(op.type);
    if (op.hasCore) record.opCore = coreId(op.core);
    record.state = op.state;
    record.hf32 = op.hf32;
    record.mixedBlocks = op.mixedBlocks;
    if (m_isWhole) addOperator(op, record);
}

void RawTaskRecords::addOperator(const RawOp& op, TaskRecord& record) {
    record.opName = textId(op.name);
    record.blocks = op.blocks;
    if (op.attributes != 0) record.attributes = textId(op.attributes);
    if (op.tensors < 0) return;
    const auto [known, isNew] =
        m_tensors.try_emplace({m_host, op.tensors}, static_cast<std::uint32_t>(m_records.tensors.size()));
    if (isNew) m_records.tensors.push_back(rawTensorTexts(m_host->tensors[static_cast<std::size_t>(op.tensors)]));
    record.tensors = known->second;
}

void RawTaskRecords::addMetrics(const RawDeviceTasks& device, const RawMetricNames& names, const RawMetrics& metrics) {
    std::unordered_map<std::size_t, std::uint32_t> ids;  // by place among the tasks of the device
    for (std::size_t i = 0; i < device.joined.tasks.size(); ++i)
        ids.emplace(device.joined.tasks[i].place, m_records.tasks[m_firstOfDevice + i].id);
    MetricRecords& records = m_records.metrics.emplace_back();
    records.names = names.core;
    records.names.insert(records.names.end(), names.vector.begin(), names.vector.end());
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        const auto task = ids.find(metrics.task(i));
        if (task == ids.end()) continue;
        records.rows.push_back({task->second, {}});
        metrics.values(i, records.rows.back().values);
    }
}

bool RawTaskRecords::addHost(const RawHost& host, const RawSettings& settings, std::int64_t firstConnection,
                             const CancelToken& cancel) {
    if (m_records.hostId.empty()) m_records.hostId = settings.hostId;
    if (m_records.hostName.empty()) m_records.hostName = settings.hostName;
    if (m_records.process == 0) m_records.process = settings.process;
    if (!settings.hasClock) return true;
    const RawClock clock = settings.hostClock();
    std::string unknown;
    for (std::size_t i = 0; i < host.calls.size(); ++i) {
        if (i % kBetweenLooks == 0 && cancel.cancelled()) return false;
        const RawCall& call = host.calls[i];
        const auto begin = clock.wall(call.begin), end = clock.wall(call.end);
        if (!begin || !end || *end < *begin || *end < settings.wallBegin) continue;
        CallRecord& record = m_records.calls.emplace_back();
        record.begin = *begin;
        record.end = *end;
        record.process = settings.process;
        record.thread = call.thread;
        record.connection = firstConnection + static_cast<std::int64_t>(i);
        record.level = call.level;
        record.name = id(call.level == kRawCommunication ? host.texts.text(call.item, unknown)
                                                         : host.texts.type(call.level, call.type, unknown));
    }
    return true;
}

void RawTaskRecords::addCollective(const RawHost& host, const RawDeviceTasks& device, const RawCollectiveRun& run,
                                   std::uint32_t place) {
    static constexpr double kBytesPerMegabyte = 1e6;
    const RawCollectiveTimes times = rawCollectiveTimes(host, run, true);
    CollectiveRecord& record = m_records.collectives.emplace_back();
    record.name = run.name;
    record.group = std::to_string(run.group);
    record.device = device.device;
    record.collection = collection();
    record.begin = times.begin;
    record.place = place;
    record.length = run.real.length;
    record.planes = times.planes;
    const RawCollective& launched = host.collectives[run.collective];
    std::string unknown;
    if (launched.hasType) record.type = id(host.texts.text(launched.type, unknown));
    record.elapsed = times.elapsedMilliseconds;
    record.transit = times.transits.milliseconds;
    record.wait = times.waits.milliseconds;
    record.synchronization = times.synchronizations.milliseconds;
    record.transits = times.transits.count;
    record.waits = times.waits.count;
    record.synchronizations = times.synchronizations.count;
    static_assert(CollectiveRecord::kTransports.size() == kRawTransports);
    for (std::size_t i = 0; i < kRawTransports; ++i) {
        const RawTraffic& from = times.traffic[i];
        CollectiveTraffic& to = record.traffic[i];
        to.size = from.megabytes;
        to.time = from.milliseconds;
        to.packets = from.packets;
        to.largePackets = from.largePackets;
        to.hasOthers = i == static_cast<std::size_t>(RawTransport::Sdma) && (from.bytes > 0 || from.time > 0);
        std::vector<RawPackets> sizes = from.sizes;
        std::sort(sizes.begin(), sizes.end(),
                  [](const RawPackets& a, const RawPackets& b) { return a.first < b.first; });
        for (const RawPackets& one : sizes)
            to.sizes.push_back({static_cast<double>(one.size) / kBytesPerMegabyte, one.count, one.milliseconds});
    }
    std::vector<RawLink> links = times.links;
    std::sort(links.begin(), links.end(), [](const RawLink& a, const RawLink& b) { return a.first < b.first; });
    for (const RawLink& link : links) {
        record.links.push_back(
            {link.source, link.target, std::string(link.transport), link.megabytes, link.milliseconds, {}});
        for (const RawLink::Transfer& one : link.transfers)
            record.links.back().transfers.push_back({one.plane, one.megabytes, one.milliseconds, one.transport});
    }
}

/// Adds facts of the added collectives that only databases hold.
void RawTaskRecords::addDetails(const RawHost& host, const RawDeviceTasks& device) {
    const std::vector<RawCollectiveRun>& runs = device.joined.collectives;
    const auto first = static_cast<std::uint32_t>(m_records.collectives.size() - device.drawn.runs.size());
    std::vector<std::uint32_t> places(runs.size(), TaskRecord::kNone);
    for (std::size_t i = 0; i < device.drawn.runs.size(); ++i) {
        const RawCollectiveRun& run = runs[device.drawn.runs[i]];
        const RawCollective& collective = host.collectives[run.collective];
        places[device.drawn.runs[i]] = first + static_cast<std::uint32_t>(i);
        CollectiveDetail& detail = m_records.collectiveDetails.emplace_back();
        detail.pos = rawPosition(device.file, device.kind + 2, i);
        detail.end = run.end;
        detail.connection = device.firstConnection + collective.call;
        detail.group = textId(run.group);
        if (collective.hasType) detail.type = textId(collective.type);
        detail.rankSize = collective.rankSize;
        detail.count = collective.count;
        detail.isRelayed = (collective.flags & 1) != 0;
        detail.isRetried = (collective.flags & 2) != 0;
        detail.hasInfo = collective.hasInfo;
        detail.dataType = collective.dataType;
        if (collective.hasInfo) detail.algorithm = textId(collective.algorithm);
    }
    std::unordered_map<std::uint64_t, std::uint32_t> tasks;  // ids by number of the record
    if (!runs.empty()) {
        for (std::size_t i = 0; i < device.joined.tasks.size(); ++i)
            tasks.emplace(device.tasks[device.joined.tasks[i].place].number, m_records.tasks[m_firstOfDevice + i].id);
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        for (const RawPartRun& part : runs[i].parts) {
            if (part.begin < device.settings.wallBegin) continue;
            CollectivePart& record = m_records.collectiveParts.emplace_back();
            const auto task = tasks.find(part.number);
            record.task = task == tasks.end() ? TaskRecord::kNone : task->second;
            record.collective = places[i];
            addPart(host, runs[i], part, record);
        }
    }
}

void RawTaskRecords::addPart(const RawHost& host, const RawCollectiveRun& run, const RawPartRun& part,
                             CollectivePart& record) {
    const RawCollectivePart& launched = host.collectiveParts[part.part];
    record.name = id(run.name);
    record.isMaster = launched.isMaster;
    record.isDescribed = launched.info >= 0;
    if (!record.isDescribed) {
        if (run.hasGroup) record.group = textId(run.group);
        record.plane = record.source = record.target = TaskRecord::kNone;
        record.rate = part.real.length > 0 ? -1 / part.real.length : 0;
        return;
    }
    const RawHcclTask& info = host.hcclTasks[static_cast<std::size_t>(launched.info)];
    record.type = textId(info.item);
    record.group = textId(run.group);
    record.plane = info.plane;
    record.source = info.localRank;
    record.target = info.remoteRank;
    record.rdma = info.rdma;
    record.transport = info.transport;
    record.dataType = info.dataType;
    record.link = info.link;
    record.notify = info.notify;
    record.bytes = info.bytes;
    record.rate = part.rate;
}

void RawTaskRecords::addMarks(const std::vector<MarkRecord>& marks, const RawSettings& settings) {
    if (m_records.processName.empty()) m_records.processName = settings.processName;
    if (m_records.host.wall == 0) m_records.host = {-1, settings.wallBegin, settings.monotonicBegin, settings.wallEnd};
    m_records.marks.insert(m_records.marks.end(), marks.begin(), marks.end());
}

void RawTaskRecords::addFusions(const std::vector<RawFusion>& fusions, const RawHost& host) {
    for (const RawFusion& one : fusions) {
        FusionRecord& record = m_records.fusions.emplace_back();
        record.model = one.model;
        if (one.modelName) record.modelName = *one.modelName == 0 ? "0" : host.texts.text(*one.modelName);
        record.name = host.texts.text(one.name);
        for (const std::uint64_t op : one.ops) {
            if (!record.ops.empty()) record.ops += ';';
            record.ops += host.texts.text(op);
        }
        record.bytes = one.bytes;
    }
}

void RawTaskRecords::addGraphMemory(const RawGraphMemory& memory) {
    m_records.graphMemory.insert(m_records.graphMemory.end(), memory.events.begin(), memory.events.end());
    m_records.staticMemory.insert(m_records.staticMemory.end(), memory.planned.begin(), memory.planned.end());
}

TaskRecords RawTaskRecords::take() {
    const auto earlier = [](const TaskRecord& a, const TaskRecord& b) {
        return std::tie(a.device, a.begin) < std::tie(b.device, b.begin);
    };
    if (!std::is_sorted(m_records.tasks.begin(), m_records.tasks.end(), earlier))
        std::stable_sort(m_records.tasks.begin(), m_records.tasks.end(), earlier);
    for (std::size_t i = 0; i < m_records.notRun.size(); ++i)
        m_records.notRun[i].id = static_cast<std::uint32_t>(m_records.tasks.size() + i);
    for (const auto& [copy, task] : m_copiesNotRun) m_records.copies[copy].task = m_records.notRun[task].id;
    // As folders of devices stand in a list of names.
    std::stable_sort(m_records.samples.begin(), m_records.samples.end(),
                     [](const DeviceSamples& a, const DeviceSamples& b) {
                         return std::to_string(a.device) < std::to_string(b.device);
                     });
    return std::move(m_records);
}

}  // namespace altiscope::reader
