#include "core/generate/records/run_schedule.h"

#include "core/base/threads/parallel.h"
#include "core/generate/model/operation_names.h"
#include "core/generate/records/device_walk.h"
#include "core/generate/records/host_walk.h"
#include "core/generate/support/noise.h"

#include <algorithm>
#include <memory>

namespace altiscope::generate {

namespace {

constexpr std::uint64_t kCollectiveDomain = 21;
/// One HCCS link of a pair of devices, and a network port between hosts, in bytes per microsecond.
constexpr std::uint64_t kLinkBytesPerUs = 18'000;
constexpr std::uint64_t kNetworkBytesPerUs = 22'000;
/// Notifications before, between and after the two phases.
constexpr std::int64_t kHandshakeNs = 42'000;

}  // namespace

DurationNs localCopyTime(std::uint64_t bytes) {
    constexpr std::uint64_t kCopyBytesPerNs = 600;
    return {static_cast<std::int64_t>(bytes / kCopyBytesPerNs) + 1'000};
}

std::uint64_t linkBytes(const PlannedGroup& group, const CollectivePayload& payload) {
    return isPointToPoint(payload.operation) ? payload.bytes : payload.bytes / group.members.size();
}

DurationNs transferTime(const PlannedGroup& group, const CollectivePayload& payload) {
    const std::uint64_t bytes = payload.bytes;
    const std::uint64_t members = group.members.size();
    if (isPointToPoint(payload.operation)) {
        // What has arrived is copied to where it belongs before both go on.
        const auto hostOf = [](std::uint32_t rank) { return rank / kDevicesPerHost; };
        const bool near = hostOf(group.members.front()) == hostOf(group.members.back());
        const std::uint64_t moving = bytes * 1000 / (near ? kLinkBytesPerUs : kNetworkBytesPerUs);
        return {static_cast<std::int64_t>(moving) + localCopyTime(bytes).value + kHandshakeNs};
    }
    const std::uint64_t inHost = std::min<std::uint64_t>(members, kDevicesPerHost);
    const std::uint64_t hosts = (members + kDevicesPerHost - 1) / kDevicesPerHost;
    // Each member sends its part of the data to every other one of its host at once; between hosts the parts travel a
    // ring.
    const std::uint64_t local = bytes / inHost * 1000 / kLinkBytesPerUs;
    const std::uint64_t ring = hosts > 1 ? bytes / members * (hosts - 1) * 1000 / kNetworkBytesPerUs : 0;
    const std::uint64_t phases = payload.operation == CollectiveOperation::AllReduce ? 2 : 1;
    return {static_cast<std::int64_t>(phases * (local + ring)) + kHandshakeNs};
}

std::uint32_t packetsOf(const RunPlan& plan, std::uint64_t bytes) {
    const auto isSmallPackets = [](const Plant& plant) { return plant.kind == FaultKind::SmallPackets; };
    if (std::none_of(plan.conditions.plants.begin(), plan.conditions.plants.end(), isSmallPackets)) return 1;
    constexpr std::uint64_t kPacketBytes = 131'072;
    constexpr std::uint64_t kMaxPackets = 512;
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(bytes / kPacketBytes, 1, kMaxPackets));
}

TransferTimes transferTimes(const RunPlan& plan, const CollectivePlace& place, const CollectivePayload& payload) {
    const PlannedGroup& group = plan.groups[place.group];
    Noise noise(mixedKey({plan.seed, kCollectiveDomain, place.group, place.unit, place.ordinal}));
    TransferTimes times;
    times.normalNs = noise.kernelTime(transferTime(group, payload).value);
    // Each packet has its own notifications, in each phase.
    constexpr std::int64_t kPacketNs = 40'000;
    const std::int64_t phases = payload.operation == CollectiveOperation::AllReduce ? 2 : 1;
    const std::uint32_t packets = packetsOf(plan, linkBytes(group, payload));
    if (packets > 1) times.packetsNs = phases * kPacketNs * packets;
    times.slowFactor = slowestLink(plan, group, place.unit / plan.model.microBatches).factor;
    return times;
}

/// Plays one unit after the other for all ranks at once.
class SchedulePlayer {
public:
    SchedulePlayer(const RunPlan& plan, const RunProgram& program, const RunSchedule::Observer& observe,
                   RunSchedule& schedule, const CancelToken& cancel)
        : m_plan(plan), m_program(program), m_observe(observe), m_schedule(schedule), m_cancel(cancel),
          m_players(plan.ranks), m_meetings(plan.groups.size()) {
        schedule.m_ranks = plan.ranks;
        schedule.m_collectives.resize(plan.groups.size());
        schedule.m_firstOfUnit.resize(plan.groups.size());
        for (std::uint32_t rank = 0; rank < plan.ranks; ++rank) schedule.m_ends.push_back(plan.startOf(rank) + kLeadIn);
    }

    /// @return False if cancelled; the schedule is then of no use.
    bool playUnit(std::uint64_t step, std::uint32_t microBatch) {
        for (std::size_t group = 0; group < m_plan.groups.size(); ++group) {
            m_schedule.m_firstOfUnit[group].push_back(
                static_cast<std::uint32_t>(m_schedule.m_collectives[group].size()));
        }
        const std::size_t first = m_schedule.m_units.size();
        m_schedule.m_units.resize(first + m_plan.ranks);
        parallelFor(m_plan.ranks, [&](std::size_t rank) {
            if (m_cancel.cancelled()) return;
            RunSchedule::UnitTiming& timing = m_schedule.m_units[first + rank];
            timing.hostStart = m_schedule.m_ends[rank];
            timing.stepStart =
                microBatch == 0 ? timing.hostStart : m_schedule.m_units[first + rank - m_plan.ranks].stepStart;
            Player& player = m_players[rank];
            player.host = std::make_unique<HostWalk>(m_plan, m_program, m_plan.identities[rank],
                                                     UnitStart{step, microBatch, timing.hostStart, timing.stepStart},
                                                     HostWalk::Detail::WorkOnly);
            player.host->run();
            player.device = std::make_unique<DeviceWalk>(player.host->record().work, m_program.events);
        });
        if (m_cancel.cancelled()) return false;
        meet(step * m_program.microBatches + microBatch);
        parallelFor(m_plan.ranks, [&](std::size_t rank) {
            RunSchedule::UnitTiming& timing = m_schedule.m_units[first + rank];
            Player& player = m_players[rank];
            timing.lastBusy = player.device->lastBusy();
            player.host->finish(player.device->idle());
            timing.stepStart = player.host->stepTime();
            m_schedule.m_ends[rank] = player.host->record().end;
            if (m_observe)
                m_observe(static_cast<std::uint32_t>(rank), first / m_plan.ranks, *player.host, *player.device);
            player.device.reset();
            player.host.reset();
        });
        return true;
    }

private:
    struct Player {
        std::unique_ptr<HostWalk> host;
        std::unique_ptr<DeviceWalk> device;
    };

    /// Members of a group that stand at its next collective.
    struct Meeting {
        std::uint32_t arrived = 0;
        TimeNs last;
        std::uint32_t lastMember = 0;
        CollectivePayload payload;
    };

    void meet(std::uint64_t unit) {
        std::vector<std::uint32_t> runnable(m_plan.ranks);
        for (std::uint32_t rank = 0; rank < m_plan.ranks; ++rank) runnable[rank] = rank;
        while (!runnable.empty()) {
            const std::uint32_t rank = runnable.back();
            runnable.pop_back();
            if (!m_players[rank].device->advance()) continue;
            const DeviceWalk::Arrival& arrival = m_players[rank].device->arrival();
            const Membership& place = *m_plan.identities[rank].memberships[arrival.groupSlot];
            const PlannedGroup& group = m_plan.groups[place.group];
            Meeting& meeting = m_meetings[place.group];
            // Of two that arrive at the same time the one with the lower number counts, whoever was played first.
            const TimeNs time = m_plan.identities[rank].clock.job(arrival.time);
            const bool later = meeting.arrived == 0 || time > meeting.last ||
                               (time == meeting.last && place.localRank < meeting.lastMember);
            if (later) {
                meeting.last = time;
                meeting.lastMember = place.localRank;
            }
            meeting.payload = {arrival.operation, arrival.bytes};
            if (++meeting.arrived < group.members.size()) continue;
            endMeeting(place.group, unit, arrival.ordinal, runnable);
        }
    }

    void endMeeting(std::uint32_t groupIndex, std::uint64_t unit, std::uint32_t ordinal,
                    std::vector<std::uint32_t>& runnable) {
        const PlannedGroup& group = m_plan.groups[groupIndex];
        const Meeting meeting = m_meetings[groupIndex];
        m_meetings[groupIndex] = {};
        constexpr std::int64_t kMaxLength = 4'000'000'000;  // CollectiveTiming holds 32 bits.
        const std::int64_t transfer =
            std::min(transferTimes(m_plan, {groupIndex, unit, ordinal}, meeting.payload).total(), kMaxLength);
        m_schedule.m_collectives[groupIndex].push_back(
            {meeting.last, static_cast<std::uint32_t>(transfer), meeting.lastMember});
        for (const std::uint32_t member : group.members) {
            const SimulatedClock& clock = m_plan.identities[member].clock;
            m_players[member].device->endCollective(clock.local(meeting.last + DurationNs{transfer}));
            runnable.push_back(member);
        }
    }

    const RunPlan& m_plan;
    const RunProgram& m_program;
    const RunSchedule::Observer& m_observe;
    RunSchedule& m_schedule;
    const CancelToken& m_cancel;
    std::vector<Player> m_players;
    std::vector<Meeting> m_meetings;
};

Result<Done> RunSchedule::play(const RunPlan& plan, const RunProgram& program, const Observer& observe,
                               const CancelToken& cancel) {
    SchedulePlayer player(plan, program, observe, *this, cancel);
    for (std::uint32_t step = 0; step < plan.steps; ++step) {
        for (std::uint32_t microBatch = 0; microBatch < program.microBatches; ++microBatch) {
            if (cancel.cancelled() || !player.playUnit(step, microBatch)) return Cancelled{};
        }
    }
    return Done{};
}

}  // namespace altiscope::generate
