#include "core/analysis/slices/task_owners.h"

#include "core/analysis/slices/host_call.h"
#include "core/analysis/steps/device_activity.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <span>

namespace altiscope {

namespace {

constexpr std::size_t kFlowsOfOwnerPiece = std::size_t{1} << 15;

class OwnerFinder {
public:
    OwnerFinder(const TraceStore& trace, const std::vector<bool>& isMeant) : m_trace(trace), m_isMeant(isMeant) {
        for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
            const TrackExtent& extent = trace.extent({t});
            if (extent.sliceCount > 0) {
                m_firsts.push_back(extent.firstSlice);
                m_tracks.push_back(t);
            }
            if (trace.track({t}).kind != TrackKind::Cann) m_hosts.emplace_back();
            else m_hosts.push_back(tracksOfThread(trace, {t}, TrackKind::Python));
        }
    }

    /// What flows to one task lead from.
    SliceIndex ownerOf(std::span<const std::uint32_t> flows) const {
        SliceIndex call = kNoSlice;
        for (const std::uint32_t flow : flows) {
            const SliceIndex from{m_trace.columns().flowFrom[flow]};
            if (from == kNoSlice) continue;
            const std::uint32_t track = trackOf(from);
            const TrackKind kind = m_trace.track({track}).kind;
            if (kind == TrackKind::Python && m_isMeant[track]) return from;
            if (kind == TrackKind::Cann && call == kNoSlice) call = from;
        }
        if (call == kNoSlice) return kNoSlice;
        const std::uint32_t track = trackOf(call);
        const SliceIndex queued = queuedBy(call, track);
        if (queued != kNoSlice && m_isMeant[trackOf(queued)]) return queued;
        if (m_isMeant[track]) return call;
        // Without the queue: what the framework was doing on the thread.
        const SliceIndex around = innermostAt(m_trace, m_hosts[track], m_trace.begin(call));
        return around != kNoSlice && m_isMeant[trackOf(around)] ? around : kNoSlice;
    }

    bool isTask(SliceIndex slice) const {
        const Track& track = m_trace.track({trackOf(slice)});
        return track.kind == TrackKind::Hardware || isGroupTrack(track);
    }

private:
    std::uint32_t trackOf(SliceIndex slice) const {
        const auto after = std::upper_bound(m_firsts.begin(), m_firsts.end(), slice.value);
        return m_tracks[static_cast<std::size_t>(after - m_firsts.begin()) - 1];
    }

    /// The slice that put into the queue what a call of CANN is a part of.
    SliceIndex queuedBy(SliceIndex call, std::uint32_t track) const {
        for (SliceIndex at = innermostAt(m_trace, m_hosts[track], m_trace.begin(call)); at != kNoSlice;
             at = m_trace.parent(at)) {
            if (!m_trace.name(at).starts_with("Dequeue")) continue;
            for (const std::uint32_t flow : m_trace.flowsTo(at)) {
                const SliceIndex from{m_trace.columns().flowFrom[flow]};
                if (from != kNoSlice && m_trace.name(from).starts_with("Enqueue")) return from;
            }
        }
        return kNoSlice;
    }

    const TraceStore& m_trace;
    const std::vector<bool>& m_isMeant;
    std::vector<std::uint32_t> m_firsts, m_tracks;  // tracks with slices, by first slice
    std::vector<std::vector<TrackIndex>> m_hosts;   // by track of CANN: the framework's of the same thread
};

}  // namespace

std::vector<OwnedTask> ownedTasks(const TraceStore& trace, const std::vector<bool>& isMeant,
                                  const CancelToken& cancel) {
    const OwnerFinder finder(trace, isMeant);
    const TraceColumns& columns = trace.columns();
    const std::span<const std::uint32_t> order = columns.flowsByTo.span();
    const auto to = [&](std::size_t at) { return columns.flowTo[order[at]]; };
    // Flows to one task are neighbours, and stay in one piece.
    std::vector<std::size_t> borders{0};
    while (borders.back() < order.size() && to(borders.back()) != kNoSlice.value) {
        std::size_t next = std::min(borders.back() + kFlowsOfOwnerPiece, order.size());
        while (next < order.size() && to(next) == to(next - 1)) ++next;
        borders.push_back(next);
    }
    std::vector<std::vector<OwnedTask>> pieces(borders.size() - 1);
    parallelFor(pieces.size(), [&](std::size_t p) {
        if (cancel.cancelled()) return;
        for (std::size_t at = borders[p]; at < borders[p + 1];) {
            const std::size_t first = at;
            const SliceIndex task{to(first)};
            while (at < borders[p + 1] && to(at) == task.value) ++at;
            if (task == kNoSlice || !finder.isTask(task)) continue;
            const SliceIndex call = finder.ownerOf(order.subspan(first, at - first));
            if (call != kNoSlice) pieces[p].push_back({task, call});
        }
    });
    std::vector<OwnedTask> all;
    for (const auto& piece : pieces) all.insert(all.end(), piece.begin(), piece.end());
    return all;
}

}  // namespace altiscope
