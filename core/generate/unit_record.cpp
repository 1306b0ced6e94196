#include "core/generate/unit_record.h"

#include "core/generate/counter_samples.h"
#include "core/generate/memory_history.h"
#include "core/generate/noise.h"
#include "core/generate/overlap_lanes.h"

#include <array>

namespace altiscope::generate {

namespace {

constexpr std::uint64_t kPlaneDomain = 22;

/// Plays the device; collectives end when the schedule says. @return When the last stream is free.
TimeNs playDevice(const Run& run, const RankIdentity& rank, const std::vector<DeviceWork>& work, UnitParts parts,
                  UnitRecord& record) {
    DeviceWalk device(work, run.program.events);
    while (device.advance()) {
        const DeviceWalk::Arrival& arrival = device.arrival();
        const Membership& place = *rank.memberships[arrival.groupSlot];
        const CollectiveTiming& timing = run.schedule.collective(place.group, record.unit, arrival.ordinal);
        CollectiveRecord collective;
        collective.work = static_cast<std::uint32_t>(device.tasks().size());
        collective.index = record.base.collectives[arrival.groupSlot] + arrival.ordinal;
        collective.view = {
            place.group,
            place.localRank,
            arrival.time,
            timing.ready + DurationNs{timing.transferNs},
            arrival.bytes,
            mixedKey({run.plan.seed, kPlaneDomain, rank.rank, place.group, record.unit, arrival.ordinal})};
        if (parts == UnitParts::Everything || parts == UnitParts::Device)
            collective.tasks = planeTasks(run.plan.groups[place.group], place, collective.view, timing);
        device.endCollective(collective.view.end);
        record.collectives.push_back(std::move(collective));
    }
    record.tasks = device.tasks();
    return device.idle();
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

UnitRecord recordUnit(const Run& run, std::uint32_t rank, std::uint64_t unit, UnitParts parts) {
    const std::uint32_t microBatches = run.program.microBatches;
    const std::uint64_t step = unit / microBatches;
    const auto microBatch = static_cast<std::uint32_t>(unit % microBatches);
    const RunSchedule::UnitTiming& timing = run.schedule.unit(rank, unit);
    const bool lastOfRun = unit + 1 == run.plan.units();
    const RankIdentity& identity = run.plan.identities[rank];

    const bool deviceOnly = parts == UnitParts::Lanes || parts == UnitParts::Device;

    UnitRecord record;
    record.unit = unit;
    record.step = run.plan.firstStep + step;
    record.window = {unit == 0 ? run.plan.start : timing.hostStart,
                     lastOfRun ? run.schedule.end(rank) + kLeadOut : run.schedule.unit(rank, unit + 1).hostStart};
    record.base = run.program.countsBefore(step, microBatch);

    HostWalk host(run.plan, run.program, identity, {step, microBatch, timing.hostStart, timing.stepStart},
                  deviceOnly ? HostWalk::Detail::WorkOnly : HostWalk::Detail::Everything);
    host.run();
    host.finish(playDevice(run, identity, host.record().work, parts, record));
    record.host = host.takeRecord();
    if (microBatch + 1 == microBatches) {
        const OpSlice& slice = record.host.ops.back();
        record.stepRange = {slice.start, slice.start + slice.duration};
    }
    if (parts == UnitParts::Memory || parts == UnitParts::Everything) recordMemory(run, record);
    if (deviceOnly || parts == UnitParts::Everything) recordOverlap(run, rank, record);
    if (parts != UnitParts::Everything) return record;
    record.counters = counterSamples(run, rank, record);
    return record;
}

}  // namespace altiscope::generate
