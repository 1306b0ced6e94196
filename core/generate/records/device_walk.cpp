#include "core/generate/records/device_walk.h"

#include <algorithm>

namespace altiscope::generate {

DeviceWalk::DeviceWalk(std::span<const DeviceWork> work, std::uint32_t events) : m_work(work), m_events(events) {
    m_tasks.reserve(work.size());
}

bool DeviceWalk::advance() {
    while (m_tasks.size() < m_work.size()) {
        const DeviceWork& work = m_work[m_tasks.size()];
        const TaskSpec& task = *work.task;
        TimeNs& stream = m_streams[streamIndex(task.stream, task.groupSlot)];
        // The scheduler needs about a microsecond between two tasks of a stream; which part of it depends on the task.
        TimeNs start = std::max(work.ready, stream + DurationNs{900 + work.ready.value % 509});
        if (task.kind == TaskKind::Collective) {
            m_arrival = {task.groupSlot, m_collectives[task.groupSlot], start, task.bytes, task.operation};
            return true;
        }
        if (task.kind == TaskKind::EventWait) start = std::max(start, m_events[task.index]);
        m_tasks.push_back({start, work.duration});
        stream = m_tasks.back().end();
        if (task.kind == TaskKind::EventRecord) m_events[task.index] = stream;
    }
    return false;
}

void DeviceWalk::endCollective(TimeNs end) {
    ++m_collectives[m_arrival.groupSlot];
    m_tasks.push_back({m_arrival.time, {(end - m_arrival.time).value * DeviceTime::kPerNs}});
    m_streams[streamIndex(StreamRole::Collective, m_arrival.groupSlot)] = end;
}

TimeNs DeviceWalk::idle() const { return *std::max_element(m_streams.begin(), m_streams.end()); }

TimeNs DeviceWalk::lastBusy() const {
    TimeNs last;
    for (std::size_t i = 0; i < m_tasks.size(); ++i) {
        const TaskKind kind = m_work[i].task->kind;
        if (kind == TaskKind::Kernel || kind == TaskKind::Collective)
            last = std::max(last, m_tasks[i].printedRange().end);
    }
    return last;
}

}  // namespace altiscope::generate
