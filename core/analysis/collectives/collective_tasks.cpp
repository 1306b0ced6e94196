#include "core/analysis/collectives/collective_tasks.h"

#include "core/analysis/steps/device_activity.h"

#include <algorithm>
#include <string>

namespace altiscope {

std::vector<GroupTracks> groupTracks(const TraceStore& trace) {
    std::vector<GroupTracks> groups;
    const std::string* process = nullptr;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        const Track& track = trace.tracks()[t];
        if (isGroupTrack(track)) {
            groups.push_back({t, {}});
            process = &track.pid;
        } else if (track.kind == TrackKind::Communication && !groups.empty() && *process == track.pid) {
            groups.back().planes.push_back(t);
        }
    }
    return groups;
}

TaskKinds::TaskKinds(const TraceStore& trace) {
    const auto know = [&](std::string_view name, TaskKind word) {
        if (const auto id = trace.texts().find(name)) m_words.push_back({*id, word});
    };
    know("Notify_Wait", TaskKind::Wait);
    know("Memcpy", TaskKind::Transit);
    know("Reduce_Inline", TaskKind::Transit);
    know("RDMASend", TaskKind::Remote);
}

GroupCollectives::GroupCollectives(const TraceStore& trace, std::uint32_t track) {
    const TrackExtent& extent = trace.extent({track});
    for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) slices.push_back({i});
    std::stable_sort(slices.begin(), slices.end(), [&](SliceIndex a, SliceIndex b) {
        return trace.begin(a) != trace.begin(b) ? trace.begin(a) < trace.begin(b) : trace.end(b) < trace.end(a);
    });
    for (const SliceIndex slice : slices) ranges.push_back({trace.begin(slice), trace.end(slice)});
}

std::optional<std::size_t> RunningCollective::at(TimeNs time) {
    while (m_next < m_ranges.size() && m_ranges[m_next].begin <= time) m_begun.push_back(m_next++);
    while (!m_begun.empty() && m_ranges[m_begun.back()].end <= time) m_begun.pop_back();
    return m_begun.empty() ? std::nullopt : std::optional(m_begun.back());
}

}  // namespace altiscope
