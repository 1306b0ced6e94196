#include "core/generate/raw/raw_host_files.h"

#include "core/generate/model/operation_names.h"
#include "core/generate/raw/raw_collective_steps.h"
#include "core/generate/raw/raw_tensor_lists.h"
#include "core/generate/records/kernel_metrics.h"
#include "core/generate/text/device_trace.h"
#include "core/generate/text/device_trace_names.h"
#include "core/trace/raw/raw_layouts.h"

#include <algorithm>
#include <array>
#include <utility>

namespace altiscope::generate {

namespace {

constexpr std::uint32_t kNoNumber = 0xffffffff;
constexpr std::uint32_t kHostPayload = 232, kTaskPayload = 32;

/// Number of a kernel's core in node_basic_info.
std::uint32_t coreNumber(CoreKind core) {
    switch (core) {
    case CoreKind::Cube: return 0;
    case CoreKind::AiCpu: return 1;
    case CoreKind::Vector: return 2;
    case CoreKind::MixCube: return 4;
    case CoreKind::MixVector: return 5;
    case CoreKind::Random: return 7;
    }
    return 0;
}
constexpr std::uint32_t kCommunicationCore = 9;

RuntimeTask runtimeTask(const RunProgram& program, const TaskSpec& task) {
    switch (task.kind) {
    case TaskKind::HostCopy:
    case TaskKind::DeviceCopy: return RuntimeTask::Copy;
    case TaskKind::EventRecord: return RuntimeTask::EventRecord;
    case TaskKind::EventWait: return RuntimeTask::EventWait;
    case TaskKind::Collective: return RuntimeTask::FftsPlus;
    case TaskKind::Kernel: break;
    }
    switch (program.kernels[task.index].core) {
    case CoreKind::Cube: return RuntimeTask::AiCore;
    case CoreKind::Vector: return RuntimeTask::AiVector;
    case CoreKind::MixCube: return RuntimeTask::MixCube;
    case CoreKind::MixVector: return RuntimeTask::MixVector;
    case CoreKind::Random: return RuntimeTask::Common;
    case CoreKind::AiCpu: return RuntimeTask::AiCpu;
    }
    return RuntimeTask::AiCore;
}

/// Kind of interface: the high half of an acl call's type.
std::uint32_t aclGroup(ApiKind kind) {
    switch (kind) {
    case ApiKind::AscendClOp: return 1;
    case ApiKind::AscendClRts: return 3;
    case ApiKind::AscendClNn: return 5;
    case ApiKind::AscendClCollective: return 7;
    case ApiKind::NodeLaunch:
    case ApiKind::HcclLaunch: break;
    }
    return 0;
}

std::uint32_t linkNumber(std::string_view link) {
    return link == "ON_CHIP" ? 0 : link == "HCCS" ? 1 : link == "ROCE" ? 3 : kNoNumber;
}
std::uint32_t transportNumber(std::string_view transport) {
    return transport == "SDMA" ? 0 : transport == "RDMA" ? 1 : 2;
}
std::uint32_t dataTypeNumber(std::string_view type) { return type == "INT32" ? 2 : type == "BFP16" ? 11 : kNoNumber; }

}  // namespace

RawHostFiles::RawHostFiles(const Run& run, const RankTracks& tracks, std::uint32_t rank, OutputTarget& target,
                           const std::filesystem::path& folder)
    : m_run(run), m_tracks(tracks), m_identity(run.plan.identities[rank]), m_clocks(run, rank), m_folder(folder),
      m_target(target), m_calls{{target, folder / "unaging.api_event.data"}, {}},
      m_tasks{{target, folder / "unaging.compact.task_track"}, {}}, m_nodes{{target,
                                                                             folder / "aging.compact.node_basic_info"},
                                                                            {}},
      m_tensors{{target, folder / "unaging.additional.tensor_info"}, {}},
      m_contexts{{target, folder / "unaging.additional.context_id_info"}, {}},
      m_collectives{{target, folder / "unaging.compact.hccl_op_info"}, {}},
      m_parts{{target, folder / "unaging.additional.hccl_info"}, {}} {}

RawHostFiles::Launches RawHostFiles::launchesOf(const UnitRecord& record) {
    Launches launches;
    launches.reserve(record.host.apis.size());
    for (const ApiSlice& api : record.host.apis) {
        Launch& launch = launches[api.connection];
        (api.kind == ApiKind::NodeLaunch   ? launch.node
         : api.kind == ApiKind::HcclLaunch ? launch.flush
                                           : launch.call) = &api;
    }
    return launches;
}

void RawHostFiles::addCalls(const UnitRecord& record, Launches& launches) {
    std::unordered_map<const ApiSlice*, std::string_view> items;
    for (const PlayedCollective& collective : record.collectives) {
        const DeviceWork& work = record.host.work[collective.work];
        if (const ApiSlice* node = launches[work.connection].node)
            items.emplace(node, namesOf(collective.view.operation).type);
    }
    for (const ApiSlice& api : record.host.apis) {
        const auto item = items.find(&api);
        addCall(api, item != items.end() ? item->second : std::string_view(m_run.program.texts[api.name]));
    }
}

void RawHostFiles::addLaunched(const UnitRecord& record, Launches& launches) {
    std::unordered_map<const DeviceWork*, const PlayedCollective*> collectives;
    for (const PlayedCollective& collective : record.collectives)
        collectives.emplace(&record.host.work[collective.work], &collective);
    std::uint64_t lastConnection = 0;
    std::int64_t ofCall = 0;
    for (const DeviceWork& work : record.host.work) {
        Launch launch = launches[work.connection];
        if (work.task->kind == TaskKind::Kernel) {
            if (launch.node != nullptr) addKernel(work, *launch.node);
            continue;
        }
        if (const auto collective = collectives.find(&work); collective != collectives.end()) {
            // HCCL's flush is the call after the node.
            launch.flush = launches[work.connection + 1].flush;
            if (launch.node != nullptr && launch.flush != nullptr) addCollective(*collective->second, work, launch);
            continue;
        }
        if (launch.call == nullptr) continue;
        // Several tasks of a call follow each other.
        ofCall = work.connection == lastConnection ? ofCall + 1 : 1;
        lastConnection = work.connection;
        addTask({runtimeTask(m_run.program, *work.task),
                 streamNumber(streamIndex(work.task->stream, work.task->groupSlot)), work.taskId,
                 threadOf(*launch.call),
                 m_clocks.host(launch.call->start + DurationNs{ofCall * RawClocks::kNsPerHostCount})});
    }
}

Result<Done> RawHostFiles::unit(const UnitRecord& record) {
    Launches launches = launchesOf(record);
    addCalls(record, launches);
    if (record.unit == 0) addMark(record, 0);
    addLaunched(record, launches);
    if (record.unit + 1 == m_run.plan.units()) addMark(record, 1);
    for (File* file : {&m_calls, &m_tasks, &m_nodes, &m_tensors, &m_contexts, &m_collectives, &m_parts}) {
        const Result<Done> done = file->slices.write(file->bytes);
        file->bytes.clear();
        if (!done.ok()) return done;
    }
    return Done{};
}

Result<Done> RawHostFiles::close() {
    RawSlices texts(m_target, m_folder / "unaging.additional.hash_dic"),
        types(m_target, m_folder / "unaging.additional.type_info_dic");
    Result<Done> done = texts.write(m_texts.hashes());
    if (done.ok()) done = types.write(m_texts.types());
    for (RawSlices* slices : {&texts, &types, &m_calls.slices, &m_tasks.slices, &m_nodes.slices, &m_tensors.slices,
                              &m_contexts.slices, &m_collectives.slices, &m_parts.slices}) {
        if (done.ok()) done = slices->close();
    }
    return done;
}

std::uint32_t RawHostFiles::threadOf(const ApiSlice& call) const {
    return m_tracks.tracks()[m_tracks.cann(call.thread)].tid;
}

void RawHostFiles::addCall(const ApiSlice& call, std::string_view item) {
    RawRecordBytes<kRawCall> bytes;
    bytes.set<"magic">(kRawHostMagic)
        .set<"thread">(threadOf(call))
        .set<"begin">(m_clocks.host(call.start))
        .set<"end">(m_clocks.host(call.start + call.duration));
    switch (call.kind) {
    case ApiKind::NodeLaunch:
        bytes.set<"level">(kNodeLevel).set<"type">(RawTexts::kLaunchType).set<"item">(m_texts.hash(item));
        break;
    case ApiKind::HcclLaunch:
        bytes.set<"level">(kHcclLevel).set<"type">(RawTexts::kMasterType).set<"item">(m_texts.hash(item));
        break;
    default:
        bytes.set<"level">(kAclLevel).set<"type">(m_texts.aclType(aclGroup(call.kind), m_run.program.texts[call.name]));
        break;
    }
    m_calls.bytes += bytes.bytes();
}

void RawHostFiles::addTask(const Task& task) {
    const auto record = [&](RuntimeTask type, std::uint32_t id, std::uint16_t batch, std::uint64_t time) {
        m_tasks.bytes += RawRecordBytes<kRawTaskTrack>()
                             .set<"magic">(kRawHostMagic)
                             .set<"level">(kRuntimeLevel)
                             .set<"thread">(task.thread)
                             .set<"length">(kTaskPayload)
                             .set<"time">(time)
                             .set<"device">(static_cast<std::uint16_t>(m_identity.device))
                             .set<"stream">(static_cast<std::uint16_t>(task.stream))
                             .set<"task">(static_cast<std::uint16_t>(id))
                             .set<"batch">(batch)
                             .set<"type">(static_cast<std::uint16_t>(type))
                             .bytes();
    };
    LastTask& last = m_last[task.stream];
    // Numbers began anew: said just before the first task of the new round.
    if (task.id < last.id) record(RuntimeTask::Flip, 0, ++last.batch, task.time - 1);
    last.id = task.id;
    record(task.type, task.id, last.batch, task.time);
}

void RawHostFiles::addKernel(const DeviceWork& work, const ApiSlice& node) {
    const KernelSpec& kernel = m_run.program.kernels[work.task->index];
    const std::uint64_t name = m_texts.hash(m_run.program.texts[kernel.name]), time = m_clocks.host(work.flowStart);
    const std::uint32_t thread = threadOf(node);
    addTask({runtimeTask(m_run.program, *work.task), streamNumber(streamIndex(work.task->stream, work.task->groupSlot)),
             work.taskId, thread, time});
    const std::uint32_t mixed = mixBlockDim(kernel);
    m_nodes.bytes += RawRecordBytes<kRawNodeInfo>()
                         .set<"magic">(kRawHostMagic)
                         .set<"thread">(thread)
                         .set<"time">(time)
                         .set<"op_name">(name)
                         .set<"task_type">(coreNumber(kernel.core))
                         .set<"op_type">(m_texts.hash(m_run.program.texts[kernel.type]))
                         .set<"blocks">(kernel.blockDim | (mixed / std::max(kernel.blockDim, 1U)) << 16U)
                         .bytes();
    addTensors(kernel, name, node, time);
    if (kernel.core != CoreKind::MixCube && kernel.core != CoreKind::MixVector) return;
    m_contexts.bytes += RawRecordBytes<kRawContexts>()
                            .set<"magic">(kRawHostMagic)
                            .set<"level">(kNodeLevel)
                            .set<"thread">(thread)
                            .set<"time">(time)
                            .set<"op_name">(name)
                            .set<"count">(1)
                            .bytes();
}

void RawHostFiles::addTensors(const KernelSpec& kernel, std::uint64_t name, const ApiSlice& node, std::uint64_t time) {
    const auto& text = m_run.program.texts;
    std::vector<RawTensor> tensors;
    addRawTensors(text[kernel.inputShapes], text[kernel.inputTypes], text[kernel.inputFormats], false, tensors);
    addRawTensors(text[kernel.outputShapes], text[kernel.outputTypes], text[kernel.outputFormats], true, tensors);
    static constexpr std::size_t kMaxOfRecord = 5;
    for (std::size_t first = 0; first < tensors.size(); first += kMaxOfRecord) {
        const std::size_t count = std::min(tensors.size() - first, kMaxOfRecord);
        RawRecordBytes<kRawTensors> bytes;
        bytes.set<"magic">(kRawHostMagic)
            .set<"thread">(threadOf(node))
            .set<"time">(time)
            .set<"op_name">(name)
            .set<"count">(static_cast<std::uint32_t>(count));
        for (std::size_t i = 0; i < count; ++i) {
            const RawTensor& tensor = tensors[first + i];
            for (std::size_t k = 0; k < tensor.size(); ++k) bytes.setAt<"tensors">(i * tensor.size() + k, tensor[k]);
        }
        m_tensors.bytes += bytes.bytes();
    }
}

void RawHostFiles::addCollective(const PlayedCollective& collective, const DeviceWork& work, const Launch& launch) {
    const std::uint32_t thread = threadOf(*launch.node);
    const std::uint64_t time = m_clocks.host(launch.flush->start) + 1;
    const PlannedGroup& group = m_run.plan.groups[collective.view.group];
    const std::uint64_t name = m_texts.hash(namesOf(collective.view.operation).type);
    const std::uint64_t groupName = m_texts.hash(group.name);
    addTask({RuntimeTask::FftsPlus, streamNumber(streamIndex(StreamRole::Collective, work.task->groupSlot)),
             work.taskId, thread, time});
    m_nodes.bytes += RawRecordBytes<kRawNodeInfo>()
                         .set<"magic">(kRawHostMagic)
                         .set<"thread">(thread)
                         .set<"time">(time)
                         .set<"op_name">(name)
                         .set<"task_type">(kCommunicationCore)
                         .set<"op_type">(name)
                         .bytes();
    m_collectives.bytes += RawRecordBytes<kRawHcclOp>()
                               .set<"magic">(kRawHostMagic)
                               .set<"thread">(thread)
                               .set<"time">(time)
                               .set<"data_type">(11)
                               .set<"algorithm">(m_texts.hash("MESH-RING"))
                               .set<"count">(collective.view.bytes / 2)
                               .set<"group">(groupName)
                               .bytes();
    const std::vector<RawCollectiveStep> steps = rawCollectiveSteps(collective);
    std::uint32_t lastContext = 0;
    for (const RawCollectiveStep& step : steps) lastContext = std::max(lastContext, step.task.context);
    // Of a task with parts: their contexts, from the first to the last.
    m_contexts.bytes += RawRecordBytes<kRawContexts>()
                            .set<"magic">(kRawHostMagic)
                            .set<"level">(kHcclLevel)
                            .set<"thread">(thread)
                            .set<"time">(time)
                            .set<"op_name">(name)
                            .set<"count">(2)
                            .setAt<"ids">(1, lastContext)
                            .bytes();
    for (const auto& [task, role] : steps)
        addCollectiveTask(collective, task, role == RawCollectiveStep::Role::RdmaNotify, {thread, time, groupName});
}

void RawHostFiles::addCollectiveTask(const PlayedCollective& collective, const PlaneTask& task, bool isNotify,
                                     const CollectiveCall& call) {
    static constexpr std::uint32_t kRdmaNotify = 0, kRdmaPayload = 1;
    const PlannedGroup& group = m_run.plan.groups[collective.view.group];
    const PlaneNames words = namesOf(task);
    const std::string_view name = isNotify ? std::string_view("RDMASend") : words.name;
    const std::uint32_t rdma = isNotify ? kRdmaNotify : name == "RDMASend" ? kRdmaPayload : kNoNumber;
    m_parts.bytes += RawRecordBytes<kRawHcclTask>()
                         .set<"magic">(kRawHostMagic)
                         .set<"thread">(call.thread)
                         .set<"time">(call.time)
                         .set<"item">(m_texts.hash(name))
                         .set<"group">(call.group)
                         .set<"local_rank">(collective.view.localRank)
                         .set<"remote_rank">(static_cast<std::uint32_t>(words.destination))
                         .set<"rank_size">(static_cast<std::uint32_t>(group.members.size()))
                         .set<"plane">(task.plane)
                         .set<"context">(task.context)
                         .set<"notify">(words.notifyId)
                         .set<"estimate">(estimatedUs(task))
                         .set<"bytes">(task.bytes)
                         .set<"data_type">(dataTypeNumber(words.dataType))
                         .set<"link">(linkNumber(words.linkType))
                         .set<"transport">(transportNumber(words.transport))
                         .set<"rdma">(rdma)
                         .bytes();
}

/// The profiler puts a task of its own on the device when it begins and when it ends.
void RawHostFiles::addMark(const UnitRecord& record, std::uint32_t index) {
    static constexpr DurationNs kBefore{5'000};
    const TimeNs time = profilingMarkTime(record, index);
    addTask({index == 0 ? RuntimeTask::ProfilingOn : RuntimeTask::ProfilingOff, 0, index + 8, m_identity.hostPid,
             m_clocks.host(TimeNs{time.value - kBefore.value})});
}

}  // namespace altiscope::generate
