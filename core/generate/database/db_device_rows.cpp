#include "core/generate/database/db_rows.h"
#include "core/generate/model/operation_names.h"
#include "core/generate/records/kernel_metrics.h"
#include "core/generate/text/device_trace.h"
#include "core/generate/text/device_trace_names.h"

#include <algorithm>
#include <tuple>

namespace altiscope::generate {

namespace {

constexpr std::uint64_t kNoId = 4'294'967'295;  ///< No model, no context.

std::uint32_t typeOf(const DbRank& rank, const TaskSpec& task) {
    if (task.kind == TaskKind::Kernel) return rank.texts.kernel(task.index).task;
    return rank.texts.cann()[taskNameOf(task)];
}

bool runsMixed(const RunProgram& program, const TaskSpec& task) {
    if (task.kind != TaskKind::Kernel) return false;
    const CoreKind core = program.kernels[task.index].core;
    return core == CoreKind::MixCube || core == CoreKind::MixVector;
}

}  // namespace

DbDeviceRows::DbDeviceRows(DbRank& rank)
    : m_rank(rank), m_firstGroupName(rank.texts.cann().end()),
      m_firstOpName(m_firstGroupName + rank.run.plan.groupSlots()) {
    for (const std::string_view name : pmuNames()) m_pmuNames.push_back(rank.texts.cann()[name]);
    for (std::uint32_t slot = 0; slot < rank.identity().memberships.size(); ++slot) {
        const auto& place = rank.identity().memberships[slot];
        if (place)
            rank.file.insert(DbTable::StringIds, {m_firstGroupName + slot, rank.run.plan.groups[place->group].name});
    }
}

void DbDeviceRows::unit(const UnitRecord& record) {
    std::vector<Item> items;
    for (std::uint32_t i = 0; i < record.tasks.size(); ++i) {
        const TaskKind kind = record.host.work[i].task->kind;
        if (kind != TaskKind::Collective) items.push_back({record.tasks[i].start, Kind::Task, i, 0});
        if (kind == TaskKind::EventRecord || kind == TaskKind::EventWait) continue;
        ++m_rank.tally.flows;  // From its launch.
    }
    for (std::uint32_t i = 0; i < record.collectives.size(); ++i) {
        const PlayedCollective& collective = record.collectives[i];
        items.push_back({collective.view.start, Kind::Collective, i, 0});
        for (std::uint32_t j = 0; j < collective.tasks.size(); ++j)
            items.push_back({collective.tasks[j].start, Kind::Plane, i, j});
    }
    if (record.unit == 0) items.push_back({profilingMarkTime(record, 0), Kind::Mark, 0, 0});
    if (record.unit + 1 == m_rank.run.plan.units()) items.push_back({profilingMarkTime(record, 1), Kind::Mark, 1, 0});
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
        return std::tie(a.time, a.kind, a.index, a.subIndex) < std::tie(b.time, b.kind, b.index, b.subIndex);
    });
    m_opIds.assign(record.collectives.size(), 0);
    for (const Item& item : items) {
        switch (item.kind) {
        case Kind::Mark: mark(record, item.index); break;
        case Kind::Task: task(record, item.index); break;
        case Kind::Collective:
            m_opIds[item.index] = ++m_lastOp;
            collective(record, item.index);
            break;
        case Kind::Plane: plane(record, item.index, record.collectives[item.index].tasks[item.subIndex]); break;
        }
    }
    for (const OverlapSlice& slice : record.overlap)
        m_rank.tally.slice(m_rank.tracks.lane(slice.lane), slice.range.length().value);
}

std::uint64_t DbDeviceRows::addTask(const TaskRow& row) {
    const RankIdentity& identity = m_rank.identity();
    m_rank.file.insert(DbTable::Task,
                       {row.range.begin.value, row.range.end.value, identity.device, row.connection, m_nextTask,
                        identity.hostPid, row.type, row.context, row.stream, row.task, kNoId});
    return m_nextTask++;
}

void DbDeviceRows::mark(const UnitRecord& record, std::uint32_t index) {
    constexpr DurationNs kLength{20};
    const TimeNs time = profilingMarkTime(record, index);
    const std::uint32_t type = m_rank.texts.cann()[index == 0 ? "PROFILING_ENABLE" : "PROFILING_DISABLE"];
    addTask({{time, time + kLength}, markConnection(m_rank.run, record.stage), type, kNoId, 0, index + 8});
    m_rank.tally.slice(m_rank.tracks.defaultStream(), kLength.value);
}

void DbDeviceRows::task(const UnitRecord& record, std::uint32_t index) {
    const DeviceWork& work = record.host.work[index];
    const std::size_t stream = streamIndex(work.task->stream, work.task->groupSlot);
    const TimeRange range = record.tasks[index].printedRange();
    const std::uint64_t context = runsMixed(m_rank.run.program, *work.task) ? 0 : kNoId;
    const std::uint64_t globalTask =
        addTask({range, work.connection, typeOf(m_rank, *work.task), context, streamNumber(stream), work.taskId});
    if (isKernel(*work.task)) kernel(work, range.length(), globalTask);
    m_rank.tally.slice(m_rank.tracks.stream(stream), range.length().value);
}

void DbDeviceRows::kernel(const DeviceWork& work, DurationNs duration, std::uint64_t globalTask) {
    const KernelSpec& spec = m_rank.run.program.kernels[work.task->index];
    const CommonTexts::Kernel& ids = m_rank.texts.kernel(work.task->index);
    m_rank.file.insert(DbTable::ComputeTaskInfo,
                       {ids.name, globalTask, spec.blockDim, mixBlockDim(spec), ids.core, ids.type, ids.inputFormats,
                        ids.inputTypes, ids.inputShapes, ids.outputFormats, ids.outputTypes, ids.outputShapes,
                        m_rank.texts.cann()["N/A"]});
    const auto metrics = kernelMetrics(m_rank.run, m_rank.rank, work, duration);
    if (!metrics) return;
    auto name = m_pmuNames.begin();
    const auto add = [&](DbValue value) { m_rank.file.insert(DbTable::TaskPmuInfo, {globalTask, *name++, value}); };
    const auto addRatio = [&](std::int64_t thousandths) {
        if (thousandths == 0) add(0);
        else add(static_cast<double>(thousandths) / 1000.0);
    };
    const auto addPipe = [&](const PipeMetric& pipe) {
        add(pipe.ns);
        addRatio(pipe.share);
    };
    for (const CoreMetrics* core : {&metrics->cube, &metrics->vector}) {
        add(core->ns);
        add(core->cycles);
        // The database has two pipes of vector cores that do nothing and that the text export leaves out.
        for (std::size_t i = 0; i < core->pipes.size(); ++i) {
            if (core == &metrics->vector && (i == 1 || i == 2)) addPipe({});
            addPipe(core->pipes[i]);
        }
        addRatio(core->cacheMisses);
    }
}

void DbDeviceRows::collective(const UnitRecord& record, std::uint32_t index) {
    const PlayedCollective& collective = record.collectives[index];
    const std::uint64_t op = m_opIds[index];
    const DeviceWork& work = record.host.work[collective.work];
    const TimeRange range = record.tasks[collective.work].printedRange();
    const std::uint32_t slot = work.task->groupSlot;
    const std::uint64_t name = opName(op);
    m_rank.file.insert(DbTable::StringIds, {name, collectiveName(m_rank.run.plan.groups[collective.view.group],
                                                                 collective.view.operation, collective.index)});
    m_rank.file.insert(DbTable::CommunicationOp,
                       {name, range.begin.value, range.end.value, work.connection, m_firstGroupName + slot, op, 0, 0,
                        enumerationId(DbTable::EnumHcclDataType, "BFP16"), m_rank.texts.cann()["MESH-RING"],
                        collective.view.bytes / 2, m_rank.texts.cann()[namesOf(collective.view.operation).type]});
    m_rank.tally.slice(m_rank.tracks.groupRow(slot), range.length().value);
}

void DbDeviceRows::plane(const UnitRecord& record, std::uint32_t index, const PlaneTask& task) {
    const PlayedCollective& collective = record.collectives[index];
    const std::uint64_t op = m_opIds[index];
    const DeviceWork& work = record.host.work[collective.work];
    const std::uint32_t slot = work.task->groupSlot;
    const std::size_t stream = streamIndex(StreamRole::Collective, slot);
    const PlaneNames words = namesOf(task);
    const TimeRange range{task.start, task.start + DurationNs{task.duration.roundedNs()}};
    const std::uint64_t globalTask = addTask(
        {range, work.connection, m_rank.texts.cann()[words.hardware], task.context, streamNumber(stream), work.taskId});
    // Old files cut the number that means "none" to what a signed one can hold.
    const std::uint64_t notify = std::min<std::uint64_t>(words.notifyId, 9'223'372'036'854'775'807ULL);
    constexpr std::uint32_t kNoRdma = 65'535;
    m_rank.file.insert(DbTable::CommunicationTaskInfo,
                       {opName(op), globalTask, m_rank.texts.cann()[words.name], task.plane, m_firstGroupName + slot,
                        notify, kNoRdma, collective.view.localRank, words.destination,
                        enumerationId(DbTable::EnumHcclTransportType, words.transport), task.bytes,
                        enumerationId(DbTable::EnumHcclDataType, words.dataType),
                        enumerationId(DbTable::EnumHcclLinkType, words.linkType), op});
    m_rank.tally.slice(m_rank.tracks.stream(stream), range.length().value);
    m_rank.tally.slice(m_rank.tracks.plane(slot, task.plane), range.length().value);
}

}  // namespace altiscope::generate
