#include "core/generate/records/host_walk.h"

#include <algorithm>
#include <utility>

namespace altiscope::generate {

namespace {

/// Python objects whose addresses show up in names of built-in calls: live objects of one kind come and go in few
/// places.
constexpr std::uint32_t kObjectPlaces = 256;

enum NoiseDomain : std::uint64_t {
    kHostDomain = 11,
    kDeviceDomain = 12,
    kAddressDomain = 13,
    kGarbageDomain = 14,
    kPlantedHostDomain = 15,
    kPlantedDeviceDomain = 16
};

std::uint64_t unitKey(const RunPlan& plan, const RankIdentity& rank, const UnitStart& start, NoiseDomain domain) {
    return mixedKey({plan.seed, rank.rank, start.step, start.microBatch, domain});
}

ApiKind kindOf(ApiMode mode) {
    switch (mode) {
    case ApiMode::Nn: return ApiKind::AscendClNn;
    case ApiMode::Op: return ApiKind::AscendClOp;
    case ApiMode::Rts: return ApiKind::AscendClRts;
    case ApiMode::Collective: return ApiKind::AscendClCollective;
    }
    return ApiKind::AscendClNn;
}

}  // namespace

HostWalk::HostWalk(const RunPlan& plan, const RunProgram& program, const RankIdentity& rank, const UnitStart& start,
                   Detail detail)
    : m_plan(plan), m_program(program), m_rank(rank), m_unit(program.unit(rank.stage, start.microBatch)),
      m_start(start), m_full(detail == Detail::Everything), m_host(unitKey(plan, rank, start, kHostDomain)),
      m_device(unitKey(plan, rank, start, kDeviceDomain)),
      m_plantedHost(unitKey(plan, rank, start, kPlantedHostDomain)),
      m_plantedDevice(unitKey(plan, rank, start, kPlantedDeviceDomain)),
      m_addresses(unitKey(plan, rank, start, kAddressDomain)), m_now(start.time), m_queueFree(start.time),
      m_cleanupFree(start.time), m_counts(program.countsBefore(rank.stage, start.step, start.microBatch)),
      m_firstFrame(m_counts.pythonFrames + program.baseFrames.size()), m_mhz(coreMhz(plan, rank.rank, start.step)) {
    m_record.planted.resize(plan.conditions.plants.size());
    // Interpreters collect at moments of their own, so a rank's peers wait for it.
    if (rank.recordsGarbageCollection && start.microBatch == 0 && m_unit.counts.pythonFrames > 0) {
        Noise noise(unitKey(plan, rank, start, kGarbageDomain));
        m_garbageFrame = noise.below(static_cast<std::uint32_t>(m_unit.counts.pythonFrames));
    }
}

void HostWalk::run() { runUntil(ActionKind::WaitForDevice); }

void HostWalk::finish(TimeNs deviceIdle) {
    const HostAction& wait = m_unit.actions[m_position++];
    const TimeNs start = m_now;
    pass(4'000);
    // The wake-up reaches the thread some microseconds after the device has finished.
    const TimeNs woken = deviceIdle + jitter(14'000);
    m_now = TimeNs{std::max(m_now.value, woken.value) / 10 * 10};
    const ApiThread thread = m_thread == HostThread::Main ? ApiThread::Main : ApiThread::Autograd;
    addApi({start, m_now - start, wait.name, ApiKind::AscendClRts, thread, ++m_counts.connections});
    runUntil(ActionKind::WaitForDevice);
    m_record.end = m_now;
}

void HostWalk::runUntil(ActionKind stop) {
    while (m_position < m_unit.actions.size() && m_unit.actions[m_position].kind != stop) {
        const HostAction& action = m_unit.actions[m_position++];
        if (action.planted) exchangeNoise();
        runAction(action);
        if (action.planted) exchangeNoise();
    }
}

void HostWalk::exchangeNoise() {
    std::swap(m_host, m_plantedHost);
    std::swap(m_device, m_plantedDevice);
}

void HostWalk::runAction(const HostAction& action) {
    switch (action.kind) {
    case ActionKind::PythonEnter: pythonEnter(action); break;
    case ActionKind::PythonLeave: pythonLeave(); break;
    case ActionKind::PythonLeaf:
        pythonEnter(action);
        pass(action.costNs);
        pythonLeave();
        break;
    case ActionKind::OpEnter: openOp(action.detail, action.costNs); break;
    case ActionKind::OpLeave:
        pass(1'500);
        closeOp(m_openOps.back());
        m_openOps.pop_back();
        break;
    case ActionKind::ScopeOpen:
        pass(12'000);
        openOp(action.detail, 2'000);
        m_openScopes.push_back(m_openOps.back());
        m_openOps.pop_back();
        break;
    case ActionKind::ScopeClose:
        pass(2'000);
        closeOp(m_openScopes.back());
        m_openScopes.pop_back();
        break;
    case ActionKind::StepOpen:
        // Only the time: the slice is written by the unit that ends the step.
        pass(20'000);
        m_start.stepTime = m_now;
        break;
    case ActionKind::StepClose:
        pass(2'000);
        openOp(action.detail, 0);
        m_record.ops.back().start = m_start.stepTime;
        m_record.ops.back().step = m_plan.firstStep + m_start.step;
        closeOp(m_openOps.back());
        m_openOps.pop_back();
        break;
    case ActionKind::Launch: runLaunch(action); break;
    case ActionKind::HostApi:
        hostApi(action.name, jitter(action.costNs),
                m_thread == HostThread::Main ? ApiThread::Main : ApiThread::Autograd);
        break;
    case ActionKind::Allocate:
        pass(1'500);
        if (m_full) m_record.memory.push_back({m_now, action.detail, true, m_thread});
        break;
    case ActionKind::Release:
        pass(900);
        if (m_full) m_record.memory.push_back({m_now, action.detail, false, m_thread});
        break;
    case ActionKind::UseThread:
        m_thread = static_cast<HostThread>(action.detail);
        pass(25'000);
        break;
    case ActionKind::Pause: pass(action.costNs); break;
    case ActionKind::WaitForDevice: break;  // run() and finish() stop here.
    }
}

void HostWalk::pythonEnter(const HostAction& action) {
    pass(1'400);
    m_frames.push_back({m_now, action.name, action.detail, ++m_counts.pythonFrames + m_program.baseFrames.size() - 1});
    pass(700);
    if (m_frames.back().id - m_firstFrame == m_garbageFrame) collectGarbage();
}

void HostWalk::collectGarbage() {
    for (std::size_t i = 0; i < m_plan.conditions.plants.size(); ++i) {
        const Plant& plant = m_plan.conditions.plants[i];
        if (plant.kind != FaultKind::GcPause) continue;
        const DurationNs pause{static_cast<std::int64_t>(plant.amount) * 1'000'000};
        if (m_full) m_record.garbage.push_back({m_now, pause});
        m_record.planted[i].ticks += pause.value * DeviceTime::kPerNs;
        m_now = m_now + pause;
    }
}

void HostWalk::waitBeforeLaunch() {
    for (std::size_t i = 0; i < m_plan.conditions.plants.size(); ++i) {
        const Plant& plant = m_plan.conditions.plants[i];
        const bool isSlow = plant.rank == m_rank.rank && isSlowIn(m_plan, plant, SlowPart::Host, m_start.step);
        if (plant.kind != FaultKind::HostBound && !isSlow) continue;
        const DurationNs more{static_cast<std::int64_t>(plant.amount) * 1'000};
        m_record.planted[i].ticks += more.value * DeviceTime::kPerNs;
        m_now = m_now + more;
    }
}

DeviceTime HostWalk::kernelDuration(const TaskSpec& task) {
    std::int64_t ticks = m_device.kernelTime(task.typicalNs * DeviceTime::kPerNs);
    // One fault after the other, each on what the ones before left; always in this order, in whatever order they come.
    if (task.slowedBy > 0) m_record.planted[task.slowedBy - 1].ticks += ticks - ticks * task.normalNs / task.typicalNs;
    const auto slowDown = [&](FaultKind kind, const auto& more) {
        for (std::size_t i = 0; i < m_plan.conditions.plants.size(); ++i) {
            const Plant& plant = m_plan.conditions.plants[i];
            if (plant.kind != kind) continue;
            const std::int64_t added = more(plant);
            m_record.planted[i].ticks += added;
            ticks += added;
        }
    };
    slowDown(FaultKind::SlowRank, [&](const Plant& plant) {
        return plant.rank == m_rank.rank ? ticks * static_cast<std::int64_t>(plant.amount) / 100 : 0;
    });
    const auto isSlow = [&](const Plant& plant, SlowPart part) {
        return plant.rank == m_rank.rank && isSlowIn(m_plan, plant, part, m_start.step);
    };
    slowDown(FaultKind::FailSlow, [&](const Plant& plant) {
        return isSlow(plant, SlowPart::Neighbour) ? ticks * static_cast<std::int64_t>(plant.amount) / 100 : 0;
    });
    // A lower frequency slows down what runs on the cores.
    const CoreKind core = m_program.kernels[task.index].core;
    if (core == CoreKind::Random || core == CoreKind::AiCpu) return {ticks};
    std::int64_t mhz = commonMhz(m_plan, m_start.step);
    slowDown(FaultKind::FrequencyDrop, [&](const Plant&) { return ticks * std::int64_t{kCoreMhz} / mhz - ticks; });
    slowDown(FaultKind::FailSlow, [&](const Plant& plant) {
        if (!isSlow(plant, SlowPart::Clock)) return std::int64_t{0};
        const std::int64_t before = mhz;
        mhz = loweredMhz(static_cast<std::uint32_t>(mhz), plant.amount);
        return ticks * before / mhz - ticks;
    });
    return {ticks};
}

void HostWalk::pythonLeave() {
    pass(500);
    const OpenFrame frame = m_frames.back();
    m_frames.pop_back();
    if (!m_full) return;
    const std::string& name = m_program.texts[frame.name];
    NamePool::Numbers numbers;
    if (const auto& names = m_program.stages[m_rank.stage].namePool)
        numbers = names->numbersOf(m_start.step, m_start.microBatch, frame.id - m_firstFrame);
    else if (name.ends_with("0x")) numbers.address = 1 + m_addresses.below(kObjectPlaces);
    const std::uint64_t parent = m_frames.empty() ? m_program.baseFrames.size() - 1 : m_frames.back().id;
    m_record.python.push_back({frame.start, m_now - frame.start, frame.name, numbers.address, numbers.variant,
                               frame.module, frame.id, parent});
}

void HostWalk::openOp(std::uint32_t site, std::uint32_t costNs) {
    pass(m_thread == HostThread::Main ? 3'000 : 1'800);
    const OpSite& place = m_program.sites[site];
    OpSlice slice;
    slice.start = m_now;
    slice.site = site;
    // A user range encloses what runs before it closes, although its frame has ended.
    if (!m_openOps.empty()) slice.parent = m_openOps.back();
    else if (!m_openScopes.empty() && m_thread == HostThread::Main) slice.parent = m_openScopes.back();
    if (place.sequence != SequenceUse::None)
        slice.sequence = static_cast<std::int64_t>(m_counts.sequences + place.sequenceIndex);
    m_openOps.push_back(static_cast<std::uint32_t>(m_record.ops.size()));
    m_record.ops.push_back(slice);
    pass(costNs);
}

void HostWalk::closeOp(std::uint32_t op) {
    OpSlice& slice = m_record.ops[op];
    slice.duration = m_now - slice.start;
    if (m_full) m_record.opsByEnd.push_back(op);
}

void HostWalk::hostApi(TextId name, DurationNs duration, ApiThread thread) {
    pass(1'000);
    const std::string& text = m_program.texts[name];
    const ApiKind kind = text.starts_with("aclrt")   ? ApiKind::AscendClRts
                         : text.starts_with("aclnn") ? ApiKind::AscendClNn
                                                     : ApiKind::AscendClOp;
    addApi({m_now, duration, name, kind, thread, ++m_counts.connections});
    m_now = m_now + duration;
}

void HostWalk::runLaunch(const HostAction& action) {
    const LaunchSpec& launch = m_program.launches[action.detail];
    waitBeforeLaunch();
    QueueSlice slice;
    slice.enqueue = m_now;
    slice.enqueueDuration = jitter(action.costNs);
    slice.dequeueName = launch.dequeue;
    slice.correlation = ++m_counts.launches;
    slice.thread = m_thread;
    m_now = m_now + slice.enqueueDuration;
    // Draws have an order: that of arguments is the compiler's.
    const TimeNs free = m_queueFree + jitter(2'200);
    const TimeNs start = std::max(m_now + jitter(5'000), free);
    slice.dequeue = start;
    queueCall(launch, action.detail, start);
    slice.dequeueDuration = m_queueFree - start;
    if (m_full) m_record.queue.push_back(slice);
}

void HostWalk::queueCall(const LaunchSpec& launch, std::uint32_t launchIndex, TimeNs start) {
    const TimeNs apiStart = start + jitter(2'600);
    m_queueFree = apiStart + jitter(1'600);
    const std::uint64_t connection = ++m_counts.connections;
    if (launch.mode == ApiMode::Op) compiledCall(launch, apiStart);
    for (const TaskSpec& task : launch.tasks) {
        DeviceWork work;
        constexpr std::uint64_t kTaskIds = 65'536;
        work.taskId = static_cast<std::uint32_t>(++m_counts.tasks[streamIndex(task.stream, task.groupSlot)] % kTaskIds);
        work.task = &task;
        work.launch = launchIndex;
        work.op = m_openOps.empty() ? kNone : m_openOps.back();
        switch (launch.mode) {
        case ApiMode::Nn:
        case ApiMode::Op: launchKernel(launch, work, &task == &launch.tasks.back()); break;
        case ApiMode::Rts:
            work.connection = connection;
            work.flowStart = apiStart;
            break;
        case ApiMode::Collective: launchCollective(work, apiStart); break;
        }
        // The clocks of host and device agree to some microseconds only: a task may seem to start before its launch
        // ended.
        work.ready = m_queueFree + DurationNs{4'000 + static_cast<std::int64_t>(m_device.below(9'000))};
        work.mhz = m_mhz;
        work.duration = {20 * DeviceTime::kPerNs};
        if (task.kind == TaskKind::Kernel) work.duration = kernelDuration(task);
        else if (task.typicalNs > 0) work.duration = {m_device.kernelTime(task.typicalNs * DeviceTime::kPerNs)};
        m_record.work.push_back(work);
    }
    if (launch.mode == ApiMode::Rts) m_queueFree = m_queueFree + jitter(launch.tasks.empty() ? 1'500 : 6'000);
    const DurationNs duration = m_queueFree - apiStart;
    addApi({apiStart, duration, launch.api, kindOf(launch.mode), ApiThread::Queue, connection});
    if (launch.mode == ApiMode::Collective) {
        // The node begins and ends with the call.
        addApi(
            {apiStart, duration, launch.api, ApiKind::NodeLaunch, ApiThread::Queue, m_record.work.back().connection});
    }
    if (launch.mode == ApiMode::Op) cleanUp(m_queueFree, launch.tasks.size() + 2);
    m_queueFree = m_queueFree + jitter(1'800);
}

void HostWalk::launchKernel(const LaunchSpec& launch, DeviceWork& work, bool last) {
    if (last && launch.tiling != kNoText) {
        const DurationNs tiling = jitter(8'000);
        addApi({m_queueFree, tiling, launch.tiling, ApiKind::AscendClNn, ApiThread::Queue, ++m_counts.connections});
        m_queueFree = m_queueFree + tiling + jitter(2'500);
    }
    work.connection = ++m_counts.connections;
    const DurationNs node = jitter(5'500);
    addApi({m_queueFree, node, m_program.kernels[work.task->index].name, ApiKind::NodeLaunch, ApiThread::Queue,
            work.connection});
    // The flow starts inside the node, not at its begin.
    work.flowStart = m_queueFree + DurationNs{node.value * 6 / 100 * 10};
    m_queueFree = m_queueFree + node + jitter(1'900);
}

void HostWalk::launchCollective(DeviceWork& work, TimeNs apiStart) {
    ++m_counts.collectives[work.task->groupSlot];
    work.connection = ++m_counts.connections;
    work.flowStart = apiStart;
    m_queueFree = m_queueFree + jitter(180'000);
    const DurationNs flush = jitter(90'000);
    addApi({m_queueFree, flush, m_program.names.flush, ApiKind::HcclLaunch, ApiThread::Queue, ++m_counts.connections});
    m_queueFree = m_queueFree + flush + jitter(30'000);
}

void HostWalk::compiledCall(const LaunchSpec& launch, TimeNs start) {
    m_queueFree = start + jitter(4'000);
    const DurationNs compiling = jitter(16'000);
    addApi({m_queueFree, compiling, m_program.names.compile, ApiKind::AscendClOp, ApiThread::Queue,
            ++m_counts.connections});
    m_queueFree = m_queueFree + compiling + jitter(30'000);
    if (!m_full) return;
    // The graph engine takes its blocks for the time of the call.
    TimeNs time = m_queueFree;
    for (const std::uint32_t tensor : launch.workspaces) {
        m_record.memory.push_back({time, tensor, true, m_thread});
        time = time + DurationNs{2'500};
    }
    time = time + DurationNs{18'000};
    for (const std::uint32_t tensor : launch.workspaces) {
        m_record.memory.push_back({time, tensor, false, m_thread});
        time = time + DurationNs{1'500};
    }
}

void HostWalk::cleanUp(TimeNs from, std::size_t descriptors) {
    const TimeNs free = m_cleanupFree + jitter(1'000);
    m_cleanupFree = std::max(from + jitter(3'000), free);
    for (std::size_t i = 0; i <= descriptors; ++i) {
        const DurationNs duration = jitter(i == 0 ? 4'000 : 900);
        const TextId name = i == 0 ? m_program.names.destroyAttribute : m_program.names.destroyDescriptor;
        addApi({m_cleanupFree, duration, name, ApiKind::AscendClOp, ApiThread::Cleanup, ++m_counts.connections});
        m_cleanupFree = m_cleanupFree + duration + jitter(600);
    }
}

namespace {

void countStageUnits(const RunPlan& plan, RunProgram& program, const RankIdentity& rank) {
    for (std::uint32_t microBatch = 0; microBatch < program.microBatches; ++microBatch) {
        // All units between the first and the last of a step are the same program.
        if (microBatch == 2 && microBatch + 1 < program.microBatches) microBatch = program.microBatches - 1;
        const std::size_t variant = RunProgram::unitVariant(microBatch == 0, microBatch + 1 == program.microBatches);
        UnitProgram& unit = program.stages[rank.stage].units[variant];
        const std::uint64_t sequences = unit.counts.sequences;
        HostWalk walk(plan, program, rank, {0, microBatch, plan.start, plan.start}, HostWalk::Detail::WorkOnly);
        const UnitCounts before = walk.counts();
        walk.run();
        walk.finish(plan.start);
        UnitCounts used = walk.counts();
        used.pythonFrames -= before.pythonFrames;
        used.launches -= before.launches;
        used.connections -= before.connections;
        for (std::size_t i = 0; i < used.collectives.size(); ++i) used.collectives[i] -= before.collectives[i];
        for (std::size_t i = 0; i < used.tasks.size(); ++i) used.tasks[i] -= before.tasks[i];
        used.sequences = sequences;
        unit.counts = used;
    }
}

}  // namespace

void countUnits(const RunPlan& plan, RunProgram& program) {
    for (std::uint32_t rank = 0; rank < plan.ranks; rank += plan.ranksOfStage())
        countStageUnits(plan, program, plan.identities[rank]);
}

}  // namespace altiscope::generate
