#include "core/generate/raw/raw_device_records.h"

#include "core/generate/raw/raw_collective_steps.h"
#include "core/generate/raw/raw_metric_records.h"
#include "core/generate/records/counter_samples.h"
#include "core/generate/records/rank_tracks.h"
#include "core/generate/text/device_trace.h"
#include "core/generate/text/device_trace_names.h"
#include "core/trace/raw/raw_layouts.h"

#include <algorithm>
#include <tuple>

namespace altiscope::generate {

namespace {

// Functions of STARS' records, types of tasks and of sub-tasks.
constexpr unsigned kTaskStart = 0, kTaskEnd = 1, kSubStart = 0x22, kSubEnd = 0x23;
constexpr std::uint8_t kCoreTask = 0, kCpuTask = 1, kPlaceHolder = 3, kEventRecord = 4, kEventWait = 5, kSdma = 11,
                       kRandom = 15, kPcieDma = 17;
constexpr std::uint8_t kSubNotifyWait = 3, kSubWriteValue = 5, kSubMixCube = 6, kSubMixVector = 7, kSubSdma = 8;
constexpr std::uint16_t kFftsPlus = 4U << 13U;
constexpr std::uint8_t kFlip = 0x0e;
constexpr std::int64_t kMarkNs = 20;

std::uint8_t subType(const PlaneTask& task) {
    switch (task.kind) {
    case PlaneTaskKind::NotifyRecord: return kSubWriteValue;
    case PlaneTaskKind::NotifyWait: return kSubNotifyWait;
    case PlaneTaskKind::Memcpy:
    case PlaneTaskKind::ReduceInline: break;
    }
    return kSubSdma;
}

}  // namespace

RawDeviceRecords::RawDeviceRecords(const Run& run, std::uint32_t rank, OutputTarget& target,
                                   const std::filesystem::path& folder)
    : m_run(run), m_rank(rank), m_clocks(run, rank),
      m_starsFile(target, folder / ("stars_soc.data." + std::to_string(run.plan.identities[rank].device))),
      m_trackFile(target, folder / ("ts_track.data." + std::to_string(run.plan.identities[rank].device))),
      m_frequencyFile(target, folder / ("lpmFreqConv.data." + std::to_string(run.plan.identities[rank].device))),
      m_metricFile(target, folder / ("ffts_profile.data." + std::to_string(run.plan.identities[rank].device))) {}

void RawDeviceRecords::addWork(const DeviceWork& work, const Span& span) {
    const std::size_t stream = streamNumber(streamIndex(work.task->stream, work.task->groupSlot));
    switch (work.task->kind) {
    case TaskKind::Kernel: addKernel(work, stream, span); break;
    case TaskKind::HostCopy: addTask(stream, work.taskId, kPcieDma, span); break;
    case TaskKind::DeviceCopy: addTask(stream, work.taskId, kSdma, span); break;
    case TaskKind::EventRecord: addTask(stream, work.taskId, kEventRecord, span); break;
    case TaskKind::EventWait: addTask(stream, work.taskId, kEventWait, span); break;
    case TaskKind::Collective: startOn(stream, work.taskId, span.start); break;
    }
}

Result<Done> RawDeviceRecords::unit(const UnitRecord& record) {
    if (record.unit == 0) addTask(0, 8, kPlaceHolder, {profilingMarkTime(record, 0), kMarkNs});
    for (std::size_t i = 0; i < record.tasks.size(); ++i)
        addWork(record.host.work[i], {record.tasks[i].start, record.tasks[i].duration.roundedNs()});
    for (const PlayedCollective& collective : record.collectives) {
        const DeviceWork& work = record.host.work[collective.work];
        const std::size_t stream = streamNumber(streamIndex(StreamRole::Collective, work.task->groupSlot));
        for (const auto& [task, role] : rawCollectiveSteps(collective))
            addSubTask(stream, work.taskId, subType(task), task.context, {task.start, task.duration.roundedNs()});
    }
    if (record.unit + 1 == m_run.plan.units()) addTask(0, 9, kPlaceHolder, {profilingMarkTime(record, 1), kMarkNs});
    addFrequencies(record);
    return writeFiles();
}

/// The log of STARS, by time; empty afterwards.
std::string RawDeviceRecords::logBytes() {
    std::stable_sort(m_logs.begin(), m_logs.end(), [](const Log& a, const Log& b) { return a.time < b.time; });
    std::string bytes;
    bytes.reserve(m_logs.size() * kRawStars.size);
    std::uint16_t count = 0;
    for (const Log& log : m_logs) {
        const unsigned function =
            log.isSubTask ? (log.isEnd ? kSubEnd : kSubStart) : (log.isEnd ? kTaskEnd : kTaskStart);
        const unsigned type = log.isSubTask ? 0U : log.type;
        RawRecordBytes<kRawStars> one;
        one.set<"kind">(static_cast<std::uint16_t>(function | (count++ % 16U) << 6U | type << 10U))
            .set<"magic">(kRawStarsMagic)
            .set<"stream">(log.stream)
            .set<"task">(log.task)
            .set<"time">(m_clocks.device(log.time));
        if (log.isSubTask) one.set<"subtype">(log.type).set<"context">(log.context).set<"ffts">(kFftsPlus);
        bytes += one.bytes();
    }
    m_logs.clear();
    return bytes;
}

Result<Done> RawDeviceRecords::writeFiles() {
    Result<Done> done = m_starsFile.write(logBytes());
    if (done.ok()) done = m_trackFile.write(m_track);
    if (done.ok()) done = m_frequencyFile.write(m_frequency);
    if (done.ok()) done = m_metricFile.write(m_metrics);
    m_metrics.clear();
    m_track.clear();
    m_frequency.clear();
    return done;
}

Result<Done> RawDeviceRecords::close() {
    for (RawSlices* file : {&m_starsFile, &m_trackFile, &m_frequencyFile, &m_metricFile}) {
        const Result<Done> done = file->close();
        if (!done.ok()) return done;
    }
    return Done{};
}

void RawDeviceRecords::startOn(std::size_t stream, std::uint32_t task, TimeNs time) {
    LastTask& last = m_last[stream];
    if (task < last.id) {
        // Numbers began anew: said just before the first task of the new round.
        m_track += RawRecordBytes<kRawTsTrack>()
                       .set<"kind">(kFlip)
                       .set<"time">(m_clocks.device(time) - 1)
                       .set<"stream">(static_cast<std::uint16_t>(stream))
                       .set<"flip">(++last.batch)
                       .bytes();
    }
    last.id = task;
}

void RawDeviceRecords::addTask(std::size_t stream, std::uint32_t task, std::uint8_t type, const Span& span) {
    startOn(stream, task, span.start);
    for (const bool isEnd : {false, true})
        m_logs.push_back({isEnd ? span.start + DurationNs{span.ns} : span.start, static_cast<std::uint16_t>(stream),
                          static_cast<std::uint16_t>(task), type, isEnd, false, 0});
}

void RawDeviceRecords::addSubTask(std::size_t stream, std::uint32_t task, std::uint8_t type, std::uint32_t context,
                                  const Span& span) {
    for (const bool isEnd : {false, true})
        m_logs.push_back({isEnd ? span.start + DurationNs{span.ns} : span.start, static_cast<std::uint16_t>(stream),
                          static_cast<std::uint16_t>(task), type, isEnd, true, static_cast<std::uint16_t>(context)});
}

void RawDeviceRecords::addKernel(const DeviceWork& work, std::size_t stream, const Span& span) {
    const DurationNs duration{span.ns};
    addRawMetrics(
        m_run, m_rank,
        {work, static_cast<std::uint16_t>(stream), m_clocks.device(span.start), m_clocks.device(span.start + duration)},
        duration, m_metrics);
    switch (m_run.program.kernels[work.task->index].core) {
    case CoreKind::MixCube:
    case CoreKind::MixVector: {
        const bool isCube = m_run.program.kernels[work.task->index].core == CoreKind::MixCube;
        startOn(stream, work.taskId, span.start);
        addSubTask(stream, work.taskId, isCube ? kSubMixCube : kSubMixVector, 0, span);
        break;
    }
    case CoreKind::Cube:
    case CoreKind::Vector: addTask(stream, work.taskId, kCoreTask, span); break;
    case CoreKind::Random: addTask(stream, work.taskId, kRandom, span); break;
    case CoreKind::AiCpu: addTask(stream, work.taskId, kCpuTask, span); break;
    }
}

/// One record with the changes in the unit. The last point of a run is not one: readers go on to the end.
void RawDeviceRecords::addFrequencies(const UnitRecord& record) {
    static constexpr std::uint32_t kMax = 55;
    static constexpr std::int64_t kBefore = 1'000'000;
    RawRecordBytes<kRawFrequency> bytes;
    std::uint32_t count = 0;
    for (const CounterSample& sample : record.counters) {
        if (sample.kind != CounterKind::CoreFrequency || sample.index == kLastFrequency || count == kMax) continue;
        // What holds from the begin on was so before it.
        const TimeNs time =
            record.unit == 0 && sample.time == m_clocks.start() ? TimeNs{sample.time.value - kBefore} : sample.time;
        bytes.setAt<"changes">(2 * count, m_clocks.device(time))
            .setAt<"changes">(2 * count + 1, static_cast<std::uint64_t>(sample.value));
        ++count;
    }
    if (count > 0) m_frequency += bytes.set<"count">(count).bytes();
}

}  // namespace altiscope::generate
