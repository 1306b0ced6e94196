#include "core/analysis/flame/thread_calls.h"

#include "core/analysis/support/saturating.h"
#include "core/base/columns/interval_set.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace altiscope {

namespace {

constexpr std::uint32_t kCallsBetweenPolls = 1U << 16;

/// Finds what a track shows innermost at times that ascend.
class InnermostWalk {
public:
    InnermostWalk(const TraceStore& trace, TrackIndex track) : m_trace(trace), m_runs(trace.runs(track)) {
        m_at.assign(m_runs.size(), CallTable::kNone);
    }

    SliceIndex at(TimeNs time) {
        const TraceColumns& columns = m_trace.columns();
        for (std::size_t r = m_runs.size(); r-- > 0;) {
            const DepthRun& run = m_runs[r];
            std::uint32_t& at = m_at[r];
            if (at == CallTable::kNone) at = m_trace.firstEndingAfter(run, time);
            const std::uint32_t end = run.first + run.count;
            while (at < end && columns.begin[at] + columns.duration[at] <= time.value) ++at;
            if (at < end && columns.begin[at] <= time.value) return {at};
        }
        return kNoSlice;
    }

private:
    const TraceStore& m_trace;
    std::span<const DepthRun> m_runs;
    std::vector<std::uint32_t> m_at;
};

/// A slice of which a part lies outside of the times.
struct CutCall {
    std::uint32_t slice = 0, node = 0;
    std::vector<TimeRange> children;
};

class ThreadReader {
public:
    ThreadReader(const TraceStore& trace, const FlameThread& thread, const std::optional<std::vector<TimeRange>>& times,
                 const CancelToken& cancel)
        : m_trace(trace), m_columns(trace.columns()), m_thread(thread), m_times(times), m_cancel(cancel) {
        m_calls.sums.resize(1);
    }

    ThreadCalls read() {
        for (std::size_t t = 0; t < m_thread.tracks.size() && !m_cancel.cancelled(); ++t) readTrack(t);
        for (ThreadCalls::Sums& sums : m_calls.sums) sums.self = std::max<std::int64_t>(0, sums.self);
        return std::move(m_calls);
    }

private:
    void readTrack(std::size_t t) {
        const TrackExtent& extent = m_trace.extent(m_thread.tracks[t]);
        m_first = extent.firstSlice;
        RawArray<std::uint32_t>& nodes = m_calls.nodes.emplace_back(extent.sliceCount);
        if (m_times) std::fill(nodes.span().begin(), nodes.span().end(), CallTable::kNone);
        m_cut.clear();
        m_cutMask = 0;
        for (const DepthRun& run : m_trace.runs(m_thread.tracks[t])) {
            std::vector<InnermostWalk> outer;
            for (std::size_t o = t; o-- > 0;) outer.emplace_back(m_trace, m_thread.tracks[o]);
            std::size_t time = 0;
            for (const auto& [first, last] : stretchesOf(m_trace, run, m_times)) {
                for (std::uint32_t at = first; at < last; at += std::min(kCallsBetweenPolls, last - at)) {
                    if (m_cancel.cancelled()) return;
                    readSlices(at, at + std::min(kCallsBetweenPolls, last - at), nodes, outer, time);
                }
            }
        }
        for (CutCall& cut : m_cut) addCut(cut);
    }

    void readSlices(std::uint32_t first, std::uint32_t last, RawArray<std::uint32_t>& nodes,
                    std::vector<InnermostWalk>& outer, std::size_t& time) {
        m_calls.slices += last - first;
        for (std::uint32_t i = first; i < last; ++i) {
            const std::uint32_t parent = m_columns.parent[i];
            std::uint32_t above = parent == kNoSlice.value ? CallTable::kNone : nodes[parent - m_first];
            if (above == CallTable::kNone) above = outer.empty() ? 0 : attach(i, outer);
            else if ((m_cutMask >> (parent & 63U) & 1U) != 0) addChild(parent, i);
            std::uint32_t node = m_calls.table.depth(above) < FlameCalls::kMaxDepth
                                     ? m_calls.table.child(above, m_columns.name[i].value, FlameCalls::kMaxNodes)
                                     : CallTable::kNone;
            const bool isFolded = node == CallTable::kNone;
            if (isFolded) {
                node = above;
                ++m_calls.folded;
            } else if (node == m_calls.sums.size()) {
                m_calls.sums.emplace_back();
            }
            nodes[i - m_first] = node;
            ThreadCalls::Sums& sums = m_calls.sums[node];
            const std::int64_t duration = m_columns.duration[i];
            if (!isFolded) {
                ++sums.calls;
                if (duration > sums.longestTime) {
                    sums.longestTime = duration;
                    sums.longest = {i};
                }
            }
            if (!m_times || isWhole(i, time)) addSaturated(sums.self, m_columns.selfDuration[i]);
            else {
                m_cut.push_back({i, node, {}});
                m_cutMask |= std::uint64_t{1} << (i & 63U);
            }
        }
    }

    TimeRange rangeOf(std::uint32_t slice) const {
        return {{m_columns.begin[slice]}, {m_columns.begin[slice] + m_columns.duration[slice]}};
    }

    /// @param time  Place of the first of the times that does not end before the slices so far.
    bool isWhole(std::uint32_t slice, std::size_t& time) const {
        const TimeRange range = rangeOf(slice);
        while (time < m_times->size() && (*m_times)[time].end <= range.begin) ++time;
        return time < m_times->size() && (*m_times)[time].begin <= range.begin && range.end <= (*m_times)[time].end;
    }

    std::int64_t lengthWithinTimes(TimeRange range) const {
        return m_times ? lengthWithin(*m_times, range).value : range.length().value;
    }

    /// What no slice of the track holds is called by what the outer tracks show then.
    std::uint32_t attach(std::uint32_t slice, std::vector<InnermostWalk>& outer) {
        const TimeRange range = rangeOf(slice);
        for (std::size_t o = 0; o < outer.size(); ++o) {
            const std::size_t track = outer.size() - 1 - o;
            const SliceIndex around = outer[o].at(range.begin);
            if (around == kNoSlice) continue;
            const std::uint32_t first = m_trace.extent(m_thread.tracks[track]).firstSlice;
            const std::uint32_t node = m_calls.nodes[track][around.value - first];
            if (node == CallTable::kNone) continue;
            const std::int64_t taken = lengthWithinTimes({range.begin, std::min(range.end, m_trace.end(around))});
            m_calls.sums[node].self = saturatedDifference(m_calls.sums[node].self, taken);
            return node;
        }
        return 0;
    }

    void addChild(std::uint32_t parent, std::uint32_t slice) {
        const auto found = std::lower_bound(m_cut.begin(), m_cut.end(), parent,
                                            [](const CutCall& cut, std::uint32_t at) { return cut.slice < at; });
        if (found != m_cut.end() && found->slice == parent) found->children.push_back(rangeOf(slice));
    }

    void addCut(CutCall& cut) {
        const IntervalSet children = unionOf(std::move(cut.children), m_cancel);
        const std::int64_t within = lengthOf(intersectionOf(children, *m_times)).value;
        addSaturated(m_calls.sums[cut.node].self, saturatedDifference(lengthWithinTimes(rangeOf(cut.slice)), within));
    }

    const TraceStore& m_trace;
    const TraceColumns& m_columns;
    const FlameThread& m_thread;
    const std::optional<std::vector<TimeRange>>& m_times;
    const CancelToken& m_cancel;
    ThreadCalls m_calls;
    std::uint32_t m_first = 0;    // slice of the track that is read
    std::vector<CutCall> m_cut;   // of it, by slice
    std::uint64_t m_cutMask = 0;  // most parents are seen at a glance to be none of these
};

}  // namespace

ThreadCalls threadCalls(const TraceStore& trace, const FlameThread& thread,
                        const std::optional<std::vector<TimeRange>>& times, const CancelToken& cancel) {
    return ThreadReader(trace, thread, times, cancel).read();
}

}  // namespace altiscope
