#include "core/generate/raw/raw_collective_steps.h"

#include <algorithm>

namespace altiscope::generate {

std::vector<RawCollectiveStep> rawCollectiveSteps(const PlayedCollective& collective) {
    static constexpr std::uint32_t kMainPlane = 1;
    static constexpr int kNotifiesOfPair = 2, kNotifies = 4;
    using Role = RawCollectiveStep::Role;
    std::uint32_t context = 0;
    std::uint32_t peer = 0;
    for (const PlaneTask& task : collective.tasks) {
        context = std::max(context, task.context + 1);
        if (task.plane == kMainPlane) peer = task.peer;
    }
    const CollectiveOperation operation = collective.view.operation;
    const bool isPair = operation == CollectiveOperation::Send || operation == CollectiveOperation::Receive;
    std::vector<RawCollectiveStep> steps;
    const auto addNotify = [&](TimeNs time, Transport transport, std::uint32_t plane, std::uint32_t to, Role role) {
        steps.push_back({{time, {}, PlaneTaskKind::NotifyRecord, transport, plane, to, context++, 0}, role});
    };
    addNotify(collective.view.start, Transport::Hccs, kMainPlane, peer, Role::Frame);
    for (const PlaneTask& task : collective.tasks) {
        steps.push_back({task, Role::Plain});
        const bool movesData = task.kind == PlaneTaskKind::Memcpy || task.kind == PlaneTaskKind::ReduceInline;
        if (task.transport != Transport::Rdma || !movesData) continue;
        const TimeNs end = task.start + DurationNs{task.duration.roundedNs()};
        for (int i = 0; i < (isPair ? kNotifiesOfPair : kNotifies); ++i)
            addNotify(end, Transport::Rdma, task.plane, task.peer, Role::RdmaNotify);
    }
    addNotify(collective.view.end, Transport::Hccs, kMainPlane, peer, Role::Frame);
    return steps;
}

}  // namespace altiscope::generate
