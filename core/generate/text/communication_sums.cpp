#include "core/generate/model/operation_names.h"
#include "core/generate/text/communication_json.h"
#include "core/generate/text/device_trace_names.h"

#include <algorithm>
#include <iterator>

namespace altiscope::generate {

namespace {

/// Times on the plane of the first peer.
void addMainPlane(const PlayedCollective& collective, CollectiveSummary& summary) {
    bool transferred = false;
    for (const PlaneTask& task : collective.tasks) {
        if (task.plane != 1) continue;
        if (movesData(task.kind)) {
            summary.transit += task.duration.ticks;
            transferred = true;
        } else if (task.kind == PlaneTaskKind::NotifyWait) {
            summary.wait += task.duration.ticks;
            if (!transferred) summary.synchronization += task.duration.ticks;
        }
    }
}

}  // namespace

void CollectiveSummary::add(const CollectiveSummary& other) {
    elapsed += other.elapsed;
    transit += other.transit;
    wait += other.wait;
    synchronization += other.synchronization;
    for (std::size_t i = 0; i < transports.size(); ++i) {
        transports[i].bytes += other.transports[i].bytes;
        transports[i].ticks += other.transports[i].ticks;
        for (const auto& [bytes, sum] : other.transports[i].packets) {
            transports[i].packets[bytes].count += sum.count;
            transports[i].packets[bytes].ticks += sum.ticks;
        }
    }
}

void StepCommunication::add(StepCommunication&& other) {
    std::move(other.collectives.begin(), other.collectives.end(), std::back_inserter(collectives));
    for (auto& [link, calls] : other.links) {
        auto& known = links[link];
        std::move(calls.begin(), calls.end(), std::back_inserter(known));
    }
}

StepCommunication communicationOf(const Run& run, const UnitRecord& record) {
    StepCommunication communication;
    for (const PlayedCollective& collective : record.collectives) {
        const PlannedGroup& group = run.plan.groups[collective.view.group];
        const std::string opName = collectiveName(group, collective.view.operation, collective.index);
        CollectiveSummary summary;
        summary.operation = collective.view.operation;
        summary.name = opName + "@" + std::to_string(group.hash);
        summary.start = collective.view.start;
        summary.elapsed = (collective.view.end - collective.view.start).value * DeviceTime::kPerNs;
        addMainPlane(collective, summary);
        std::map<LinkKey, LinkTransfer> calls;
        for (const PlaneTask& task : collective.tasks) {
            if (!movesData(task.kind)) continue;
            TransportTally& sum = summary.transports[static_cast<std::size_t>(task.transport)];
            sum.bytes += task.bytes;
            sum.ticks += task.duration.ticks;
            PacketTally& packet = sum.packets[task.bytes];
            ++packet.count;
            packet.ticks += task.duration.ticks;
            LinkTransfer& call = calls[{collective.view.group, collective.view.operation, collective.view.localRank,
                                        task.peer, task.transport}];
            call.opName = opName;
            call.bytes += task.bytes;
            call.ticks += task.duration.ticks;
        }
        for (auto& [link, call] : calls) communication.links[link].push_back(std::move(call));
        communication.collectives.push_back(std::move(summary));
    }
    return communication;
}

}  // namespace altiscope::generate
