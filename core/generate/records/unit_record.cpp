#include "core/generate/records/unit_record.h"

#include "core/generate/model/stage_emitter.h"
#include "core/generate/records/counter_samples.h"
#include "core/generate/records/memory_history.h"
#include "core/generate/records/overlap_lanes.h"
#include "core/generate/support/noise.h"

#include <algorithm>

namespace altiscope::generate {

namespace {

constexpr std::uint64_t kPlaneDomain = 22;

/// Collectives of a group that were counted before the first recorded one.
std::uint64_t firstCollective(const Run& run, const RankIdentity& rank, std::uint32_t groupSlot) {
    return rank.warmupSteps == 0 ? 0 : run.program.countsBefore(rank.stage, rank.warmupSteps, 0).collectives[groupSlot];
}

std::vector<std::uint32_t> peerFactors(const RunPlan& plan, const PlannedGroup& group, const Membership& place,
                                       std::uint64_t step) {
    std::vector<std::uint32_t> factors;
    for (const std::uint32_t peer : place.peers)
        factors.push_back(linkFactor(plan, group.members[place.localRank], group.members[peer], step));
    return factors;
}

/// What planted faults of communication cost in one collective.
void addPlantedTransfer(const RunPlan& plan, const RankIdentity& rank, const CollectivePlace& where,
                        const CollectiveView& view, std::vector<DeviceTime>& planted) {
    for (std::size_t i = 0; i < planted.size(); ++i) {
        const Plant& plant = plan.conditions.plants[i];
        const PlannedGroup& group = plan.groups[where.group];
        const CollectivePayload payload{view.operation, view.bytes};
        const bool reducesGradients = group.slot == kDataParallelSlot || group.slot == kExpertDataSlot;
        std::int64_t ns = 0;
        if (plant.kind == FaultKind::SmallPackets) ns = transferTimes(plan, where, payload).packetsNs;
        if (plant.kind == FaultKind::NoOverlap && reducesGradients) ns = (view.end - view.start).value;
        // All wait for the slowest link of the group; that another one is slow too costs nothing more.
        const bool isEnd = plant.rank == rank.rank || (plant.kind == FaultKind::SlowLink && plant.peer == rank.rank);
        if (isEnd && slowestLink(plan, group, where.unit / plan.model.microBatches).plant == i) {
            const TransferTimes times = transferTimes(plan, where, payload);
            ns = (times.normalNs + times.packetsNs) * static_cast<std::int64_t>(plant.amount - 1);
        }
        planted[i].ticks += ns * DeviceTime::kPerNs;
    }
}

/// Plays the device; collectives end when the schedule says. @param planted  Gets what faults of communication cost.
/// @return When the last stream is free.
TimeNs playDevice(const Run& run, const RankIdentity& rank, const std::vector<DeviceWork>& work, UnitParts parts,
                  UnitRecord& record, std::vector<DeviceTime>& planted) {
    DeviceWalk device(work, run.program.events);
    while (device.advance()) {
        const DeviceWalk::Arrival& arrival = device.arrival();
        const Membership& place = *rank.memberships[arrival.groupSlot];
        const CollectiveTiming& timing = run.schedule.collective(place.group, record.unit, arrival.ordinal);
        const SimulatedClock& clock = rank.clock;
        const CollectiveTiming local{clock.local(timing.ready), timing.transferNs, timing.lastMember};
        const PlannedGroup& group = run.plan.groups[place.group];
        const std::uint64_t step = record.unit / run.program.microBatches;
        const std::uint32_t slowest = slowestLink(run.plan, group, step).factor;
        PlayedCollective collective;
        collective.work = static_cast<std::uint32_t>(device.tasks().size());
        collective.index = firstCollective(run, rank, arrival.groupSlot) + record.base.collectives[arrival.groupSlot] +
                           arrival.ordinal;
        collective.view = {
            place.group,
            place.localRank,
            arrival.time,
            clock.local(timing.ready + DurationNs{timing.transferNs}),
            arrival.bytes,
            mixedKey({run.plan.seed, kPlaneDomain, rank.rank, place.group, record.unit, arrival.ordinal}),
            packetsOf(run.plan, linkBytes(group, {arrival.operation, arrival.bytes})),
            slowest,
            slowest > 1 ? peerFactors(run.plan, group, place, step) : std::vector<std::uint32_t>{},
            arrival.operation};
        if (parts == UnitParts::Everything || parts == UnitParts::Device)
            collective.tasks = planeTasks(group, place, collective.view, local);
        const CollectivePlace where{place.group, record.unit, arrival.ordinal};
        addPlantedTransfer(run.plan, rank, where, collective.view, planted);
        device.endCollective(collective.view.end);
        record.collectives.push_back(std::move(collective));
    }
    record.tasks = device.tasks();
    return device.idle();
}

/// A step's last unit closes it after all other operators.
TimeRange stepRangeOf(const HostRecord& host) {
    const OpSlice& slice = host.ops.back();
    return {slice.start, slice.start + slice.duration};
}

void recordOverlap(const Run& run, std::uint32_t rank, UnitRecord& record) {
    std::vector<TimeRange> computing;
    std::vector<TimeRange> communication;
    for (std::size_t i = 0; i < record.tasks.size(); ++i) {
        const TaskKind kind = record.host.work[i].task->kind;
        if (kind == TaskKind::Kernel) computing.push_back(record.tasks[i].printedRange());
        if (kind == TaskKind::Collective) communication.push_back(record.tasks[i].printedRange());
    }
    const TimeNs before = record.unit == 0 ? TimeNs{} : run.schedule.unit(rank, record.unit - 1).lastBusy;
    record.overlap = overlapLanes(std::move(computing), std::move(communication), before);
}

}  // namespace

UnitRecord recordPlayed(const Run& run, std::uint32_t rank, std::uint64_t unit, HostWalk& host,
                        const DeviceWalk& device) {
    const RankIdentity& identity = run.plan.identities[rank];
    UnitRecord record;
    record.stage = identity.stage;
    record.unit = unit;
    record.step = run.plan.firstStep + unit / run.program.microBatches;
    record.host = host.takeRecord();
    record.tasks = device.tasks();
    std::array<std::uint32_t, kMaxGroupSlots> ordinals{};
    for (std::size_t i = 0; i < record.tasks.size() && !record.host.planted.empty(); ++i) {
        const TaskSpec& task = *record.host.work[i].task;
        if (task.kind != TaskKind::Collective) continue;
        CollectiveView view;
        view.start = record.tasks[i].start;
        view.end = record.tasks[i].end();
        view.bytes = task.bytes;
        view.operation = task.operation;
        const CollectivePlace where{identity.memberships[task.groupSlot]->group, unit, ordinals[task.groupSlot]++};
        addPlantedTransfer(run.plan, identity, where, view, record.host.planted);
    }
    if ((unit + 1) % run.program.microBatches == 0) record.stepRange = stepRangeOf(record.host);
    recordOverlap(run, rank, record);
    return record;
}

UnitRecord recordUnit(const Run& run, std::uint32_t rank, std::uint64_t unit, UnitParts parts) {
    const std::uint32_t microBatches = run.program.microBatches;
    const std::uint64_t step = unit / microBatches;
    const auto microBatch = static_cast<std::uint32_t>(unit % microBatches);
    const RunSchedule::UnitTiming& timing = run.schedule.unit(rank, unit);
    const bool lastOfRun = unit + 1 == run.plan.units();
    const RankIdentity& identity = run.plan.identities[rank];

    const bool deviceOnly = parts == UnitParts::Lanes || parts == UnitParts::Device;

    UnitRecord record;
    record.stage = identity.stage;
    record.unit = unit;
    record.step = run.plan.firstStep + step;
    record.window = {unit == 0 ? run.plan.startOf(rank) : timing.hostStart,
                     lastOfRun ? run.schedule.end(rank) + kLeadOut : run.schedule.unit(rank, unit + 1).hostStart};
    record.base = run.program.countsBefore(identity.stage, step, microBatch);

    HostWalk host(run.plan, run.program, identity, {step, microBatch, timing.hostStart, timing.stepStart},
                  deviceOnly ? HostWalk::Detail::WorkOnly : HostWalk::Detail::Everything);
    host.run();
    std::vector<DeviceTime> transfers(run.plan.conditions.plants.size());
    host.finish(playDevice(run, identity, host.record().work, parts, record, transfers));
    record.host = host.takeRecord();
    for (std::size_t i = 0; i < transfers.size(); ++i) record.host.planted[i].ticks += transfers[i].ticks;
    if (microBatch + 1 == microBatches) record.stepRange = stepRangeOf(record.host);
    if (parts == UnitParts::Memory || parts == UnitParts::Everything) recordMemory(run, record);
    if (deviceOnly || parts == UnitParts::Everything) recordOverlap(run, rank, record);
    if (parts != UnitParts::Everything) return record;
    record.counters = counterSamples(run, rank, record);
    return record;
}

}  // namespace altiscope::generate
