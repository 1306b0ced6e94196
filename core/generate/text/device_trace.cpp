#include "core/generate/text/device_trace.h"

#include "core/generate/model/operation_names.h"
#include "core/generate/records/counter_samples.h"
#include "core/generate/text/device_trace_names.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace altiscope::generate {

namespace {

constexpr std::uint64_t kNoSubTask = 4'294'967'295;

}  // namespace

DeviceTraceWriter::DeviceTraceWriter(const Run& run, const JsonTexts& texts, const RankTracks& tracks,
                                     std::uint32_t rank)
    : m_run(run), m_texts(texts), m_tracks(tracks), m_identity(run.plan.identities[rank]),
      m_places(tracePlaces(tracks)) {
    for (std::size_t i = 0; i < kTraceProcesses; ++i) {
        m_counterTails.push_back("\", \"pid\": " + std::to_string(tracks.pid(static_cast<TraceProcess>(i))) +
                                 ", \"tid\": 0, \"args\": {\"");
    }
}

TimeNs profilingMarkTime(const UnitRecord& record, std::uint32_t index) {
    // The first window begins with the profiler.
    if (index == 0) return record.window.begin + DurationNs{kLeadIn.value * 9 / 10};
    return record.host.end + DurationNs{kLeadOut.value / 3};
}

std::uint64_t markConnection(const Run& run, std::uint32_t stage) {
    return run.program.countsBefore(stage, run.plan.steps, 0).connections + 47;
}

std::vector<DeviceTraceWriter::Item> DeviceTraceWriter::itemsOf(const UnitRecord& record) const {
    std::vector<Item> items;
    items.reserve(record.host.apis.size() + record.tasks.size() * 3 + record.overlap.size() + record.counters.size());
    const auto add = [&items](TimeNs time, Kind kind, std::size_t index, std::size_t subIndex = 0) {
        items.push_back({time, kind, static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(subIndex)});
    };
    for (std::size_t i = 0; i < record.host.apis.size(); ++i) add(record.host.apis[i].start, Kind::Api, i);
    std::uint64_t lastConnection = 0;
    for (std::size_t i = 0; i < record.tasks.size(); ++i) {
        const DeviceWork& work = record.host.work[i];
        const TaskKind kind = work.task->kind;
        if (kind != TaskKind::Collective) add(record.tasks[i].start, Kind::Task, i);
        if (kind == TaskKind::EventRecord || kind == TaskKind::EventWait) continue;
        // A copy that runs as two tasks has one start and two ends.
        if (work.connection != lastConnection) add(work.flowStart, Kind::FlowStart, i);
        lastConnection = work.connection;
        add(record.tasks[i].start, Kind::FlowEnd, i);
    }
    for (std::size_t i = 0; i < record.collectives.size(); ++i) {
        const PlayedCollective& collective = record.collectives[i];
        add(collective.view.start, Kind::Collective, i);
        for (std::size_t j = 0; j < collective.tasks.size(); ++j) {
            add(collective.tasks[j].start, Kind::PlaneHardware, i, j);
            add(collective.tasks[j].start, Kind::Plane, i, j);
        }
    }
    for (std::size_t i = 0; i < record.overlap.size(); ++i) add(record.overlap[i].range.begin, Kind::Overlap, i);
    for (std::size_t i = 0; i < record.counters.size(); ++i) add(record.counters[i].time, Kind::Counter, i);
    if (record.unit == 0) add(profilingMarkTime(record, 0), Kind::Profiling, 0);
    if (record.unit + 1 == m_run.plan.units()) add(profilingMarkTime(record, 1), Kind::Profiling, 1);
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
        return std::tie(a.time, a.kind, a.index, a.subIndex) < std::tie(b.time, b.kind, b.index, b.subIndex);
    });
    return items;
}

void DeviceTraceWriter::unit(const UnitRecord& record, TextBuffer& out, TraceTally& tally) const {
    for (const Item& item : itemsOf(record)) write(item, record, out, tally);
}

void DeviceTraceWriter::write(const Item& item, const UnitRecord& record, TextBuffer& out, TraceTally& tally) const {
    switch (item.kind) {
    case Kind::Api: api(record.host.apis[item.index], out, tally); break;
    case Kind::FlowStart:
    case Kind::FlowEnd: flow(record, item, out, tally); break;
    case Kind::Task: task(record, item.index, out, tally); break;
    case Kind::PlaneHardware: planeHardware(record, item, out, tally); break;
    case Kind::Plane: plane(record, item, out, tally); break;
    case Kind::Collective: collective(record, record.collectives[item.index], out, tally); break;
    case Kind::Overlap: overlap(record.overlap[item.index], out, tally); break;
    case Kind::Counter: counter(record.counters[item.index], out, tally); break;
    case Kind::Profiling: profilingMark(item.index, item.time, out, tally); break;
    }
}

void DeviceTraceWriter::sliceHead(std::string_view name, std::uint32_t track, TimeNs start, TextBuffer& out) const {
    out.add(", {\"name\": \"");
    out.add(name);
    out.add(m_places[track]);
    out.addTime(start);
    out.add("\", \"dur\": ");
}

void DeviceTraceWriter::api(const ApiSlice& slice, TextBuffer& out, TraceTally& tally) const {
    const ApiNames words = namesOf(slice.kind);
    const std::uint32_t track = m_tracks.cann(slice.thread);
    const std::string& name = m_texts[slice.name];
    out.add(", {\"name\": \"");
    out.add(words.prefix);
    if (slice.kind != ApiKind::NodeLaunch) out.add(name);
    out.add(m_places[track]);
    out.addTime(slice.start);
    out.add("\", \"dur\": ");
    // This writer computes in doubles, so that some values have a tail: 5.0200000000000005.
    out.addDouble(static_cast<double>(slice.duration.value / 10) * 0.01);
    out.add(", \"args\": {\"Thread Id\": ");
    out.addNumber(std::uint64_t{m_tracks.tracks()[track].tid});
    out.add(", \"Mode\": \"");
    out.add(words.mode);
    out.add("\", \"level\": \"");
    out.add(words.level);
    out.add("\", \"id\": \"");
    const bool plain = slice.kind == ApiKind::NodeLaunch || slice.kind == ApiKind::HcclLaunch;
    out.add(plain ? std::string_view("0") : std::string_view(name));
    out.add("\", \"item_id\": \"");
    out.add(plain || slice.kind == ApiKind::AscendClCollective ? std::string_view(name) : std::string_view("0"));
    out.add("\", \"connection_id\": ");
    out.addNumber(slice.connection);
    out.add("}, \"ph\": \"X\"}");
    tally.slice(track, slice.duration.value);
}

void DeviceTraceWriter::hardwareArguments(std::string_view taskType, const DeviceWork& work, std::uint64_t subTask,
                                          TextBuffer& out) const {
    out.add(", \"args\": {\"Model Id\": 4294967295, \"Task Type\": \"");
    out.add(taskType);
    out.add("\", \"Physic Stream Id\": ");
    out.addNumber(std::uint64_t{streamNumber(streamIndex(work.task->stream, work.task->groupSlot))});
    out.add(", \"Task Id\": ");
    out.addNumber(std::uint64_t{work.taskId});
    out.add(", \"Batch Id\": 0, \"Subtask Id\": ");
    out.addNumber(subTask);
    out.add(", \"connection_id\": ");
    out.addNumber(work.connection);
    out.add("}, \"ph\": \"X\"}");
}

void DeviceTraceWriter::task(const UnitRecord& record, std::uint32_t index, TextBuffer& out, TraceTally& tally) const {
    const DeviceWork& work = record.host.work[index];
    const DeviceTask& task = record.tasks[index];
    const std::size_t stream = streamIndex(work.task->stream, work.task->groupSlot);
    const std::uint32_t track = m_tracks.stream(stream);
    const bool kernel = work.task->kind == TaskKind::Kernel;
    sliceHead(kernel ? std::string_view(m_texts[m_run.program.kernels[work.task->index].name]) : taskNameOf(*work.task),
              track, task.start, out);
    out.addTrimmed(task.duration.ticks * 3125, 8);
    const CoreKind core = kernel ? m_run.program.kernels[work.task->index].core : CoreKind::Vector;
    const bool mixed = core == CoreKind::MixCube || core == CoreKind::MixVector;
    hardwareArguments(taskTypeOf(m_run.program, *work.task), work, mixed ? 0 : kNoSubTask, out);
    tally.slice(track, task.duration.roundedNs());
}

void DeviceTraceWriter::planeHardware(const UnitRecord& record, const Item& item, TextBuffer& out,
                                      TraceTally& tally) const {
    const PlayedCollective& collective = record.collectives[item.index];
    const PlaneTask& task = collective.tasks[item.subIndex];
    const DeviceWork& work = record.host.work[collective.work];
    const std::size_t stream = streamIndex(StreamRole::Collective, work.task->groupSlot);
    const std::uint32_t track = m_tracks.stream(stream);
    const std::string_view name = namesOf(task).hardware;
    sliceHead(name, track, task.start, out);
    if (task.duration.ticks == 0) out.add('0');
    else out.addTrimmed(task.duration.ticks * 3125, 8);
    hardwareArguments(name, work, task.context, out);
    tally.slice(track, task.duration.roundedNs());
}

void DeviceTraceWriter::plane(const UnitRecord& record, const Item& item, TextBuffer& out, TraceTally& tally) const {
    const PlayedCollective& collective = record.collectives[item.index];
    const PlaneTask& task = collective.tasks[item.subIndex];
    const DeviceWork& work = record.host.work[collective.work];
    const std::uint32_t track = m_tracks.plane(work.task->groupSlot, task.plane);
    const PlaneNames words = namesOf(task);
    sliceHead(words.name, track, task.start, out);
    out.addTrimmed(task.duration.ticks * 3125, 8);
    out.add(", \"args\": {\"notify_id\": \"");
    out.addNumber(words.notifyId);
    out.add("\", \"duration estimated(us)\": ");
    if (task.kind == PlaneTaskKind::NotifyRecord) out.add('1');
    else if (task.kind == PlaneTaskKind::NotifyWait) out.add("0.02");
    else out.addDouble(estimatedUs(task));
    out.add(", \"stream id\": ");
    out.addNumber(std::uint64_t{streamNumber(streamIndex(StreamRole::Collective, work.task->groupSlot))});
    out.add(", \"task id\": ");
    out.addNumber(std::uint64_t{work.taskId});
    out.add(", \"context id\": ");
    out.addNumber(std::uint64_t{task.context});
    out.add(", \"task type\": \"");
    out.add(words.name);
    out.add("\", \"src rank\": ");
    out.addNumber(std::uint64_t{collective.view.localRank});
    out.add(", \"dst rank\": ");
    out.addNumber(words.destination);
    out.add(", \"transport type\": \"");
    out.add(words.transport);
    out.add("\", \"size(Byte)\": ");
    out.addNumber(task.bytes);
    out.add(", \"data type\": \"");
    out.add(words.dataType);
    out.add("\", \"link type\": \"");
    out.add(words.linkType);
    out.add("\", \"bandwidth(GB/s)\": ");
    if (!movesData(task.kind) || task.duration.ticks == 0) out.add("0.0");
    else out.addDouble(static_cast<double>(task.bytes * DeviceTime::kPerNs) / static_cast<double>(task.duration.ticks));
    out.add(", \"model id\": 4294967295}, \"ph\": \"X\"}");
    tally.slice(track, task.duration.roundedNs());
}

void DeviceTraceWriter::collective(const UnitRecord& record, const PlayedCollective& collective, TextBuffer& out,
                                   TraceTally& tally) const {
    const DeviceWork& work = record.host.work[collective.work];
    const DeviceTask& task = record.tasks[collective.work];
    const std::uint32_t track = m_tracks.groupRow(work.task->groupSlot);
    sliceHead(collectiveName(m_run.plan.groups[collective.view.group], collective.view.operation, collective.index),
              track, task.start, out);
    out.addTrimmed(task.duration.ticks * 3125, 8);
    out.add(", \"args\": {\"connection_id\": ");
    out.addNumber(work.connection);
    out.add(", \"model id\": 4294967295, \"data_type\": \"BFP16\", \"alg_type\": \"MESH-RING\", \"count\": ");
    out.addNumber(collective.view.bytes / 2);
    out.add("}, \"ph\": \"X\"}");
    tally.slice(track, task.duration.roundedNs());
}

void DeviceTraceWriter::overlap(const OverlapSlice& slice, TextBuffer& out, TraceTally& tally) const {
    const std::uint32_t track = m_tracks.lane(slice.lane);
    sliceHead(m_tracks.tracks()[track].name, track, slice.range.begin, out);
    out.addTrimmed(slice.range.length().value, 3);
    out.add(", \"ph\": \"X\"}");
    tally.slice(track, slice.range.length().value);
}

void DeviceTraceWriter::flow(const UnitRecord& record, const Item& item, TextBuffer& out, TraceTally& tally) const {
    const DeviceWork& work = record.host.work[item.index];
    out.add(", {\"name\": \"HostToDevice");
    addFlowId(work, out);
    if (item.kind == Kind::FlowStart) {
        out.add("\", \"ph\": \"s\", \"cat\": \"HostToDevice\", \"id\": \"");
        addFlowId(work, out);
        out.add(m_places[m_tracks.cann(ApiThread::Queue)]);
        out.addTime(item.time);
        out.add("\"}");
        return;
    }
    const bool collective = work.task->kind == TaskKind::Collective;
    const std::uint32_t track = collective ? m_tracks.groupRow(work.task->groupSlot)
                                           : m_tracks.stream(streamIndex(work.task->stream, work.task->groupSlot));
    out.add("\", \"ph\": \"f\", \"id\": \"");
    addFlowId(work, out);
    out.add("\", \"ts\": \"");
    out.addTime(item.time);
    out.add("\", \"cat\": \"HostToDevice\", \"pid\": ");
    out.addNumber(std::uint64_t{m_tracks.pid(m_tracks.tracks()[track].process)});
    out.add(", \"tid\": ");
    out.addNumber(std::uint64_t{m_tracks.tracks()[track].tid});
    out.add(", \"bp\": \"e\"}");
    ++tally.flows;
}

void DeviceTraceWriter::counter(const CounterSample& sample, TextBuffer& out, TraceTally& tally) const {
    const CounterNames words = namesOf(sample.kind);
    out.add(", {\"name\": \"");
    out.add(words.before);
    const bool memory = sample.kind == CounterKind::AppMemory || sample.kind == CounterKind::DeviceMemory;
    const bool numbered = !words.after.empty();
    if (memory) {
        static constexpr std::array<std::string_view, 3> kMemories{"DDR", "HBM", "Memory"};
        out.add(kMemories[sample.index]);
    }
    if (numbered) out.addNumber(std::uint64_t{sample.index});
    out.add(words.after);
    out.add("\", \"ts\": \"");
    // The last frequency point of a file is written without decimals.
    const bool lastFrequency = sample.kind == CounterKind::CoreFrequency && sample.index == kLastFrequency;
    if (lastFrequency) out.addNumber(sample.time.value / 1000);
    else out.addTime(sample.time);
    out.add(m_counterTails[static_cast<std::size_t>(words.process)]);
    out.add(words.key);
    out.add("\": ");
    const bool hbm = sample.kind == CounterKind::HbmRead || sample.kind == CounterKind::HbmWrite;
    if (hbm) out.addDouble(static_cast<double>(sample.value) / static_cast<double>(kHbmResolution));
    else if (words.decimals == 3) out.addTrimmed(sample.value, 3);
    else if (words.decimals == 1) out.addTrimmed(sample.value * 10, 1);
    else out.addNumber(sample.value);
    if (words.process == TraceProcess::Accelerator) {
        out.add(", \"acc_id\": ");
        out.addNumber(std::uint64_t{sample.index});
    }
    out.add("}, \"ph\": \"C\"}");
    ++tally.counters;
}

void DeviceTraceWriter::profilingMark(std::uint32_t index, TimeNs time, TextBuffer& out, TraceTally& tally) const {
    const std::uint32_t track = m_tracks.defaultStream();
    sliceHead(index == 0 ? "PROFILING_ENABLE" : "PROFILING_DISABLE", track, time, out);
    out.add("0.02, \"args\": {\"Model Id\": 4294967295, \"Task Type\": \"PLACE_HOLDER_SQE\", \"Physic Stream Id\": 0, "
            "\"Task Id\": ");
    out.addNumber(std::uint64_t{index} + 8);
    out.add(", \"Batch Id\": 0, \"Subtask Id\": 4294967295, \"connection_id\": ");
    out.addNumber(markConnection(m_run, m_identity.stage));
    out.add("}, \"ph\": \"X\"}");
    tally.slice(track, 20);
}

}  // namespace altiscope::generate
