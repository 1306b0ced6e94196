#pragma once

#include "core/base/columns/string_pool.h"
#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/base/values/time.h"
#include "core/store/columns/call_stacks.h"
#include "core/store/columns/segment.h"
#include "core/store/columns/source_names.h"
#include "core/store/columns/track_facts.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

class TraceStore;
struct ExcludedExtents;
struct SealInput;

/// The only door into a TraceStore: collects the segments of one rank from any number of workers and seals them once.
/// The sealed store depends on the committed events and their positions only, not on threads or on the cutting.
///
/// Use: every worker keeps a Names for its lifetime, fills a Segment with it, commits it, and starts the next.
class TraceBuilder {
public:
    /// @param identity  Text that tells this rank from others of the capture (its path); goes into track ids.
    /// @param window    Only this time is kept; nullopt: everything. What is kept is the same as without a window, row
    ///                  by row: slices that touch it (excluded_extents.h), samples and instants within it, the sample
    ///                  before it of each series, and flows with an end in a slice that is kept or with a time in it.
    ///                  An end of such a flow in a slice that is not kept lies in no slice. All tracks are kept.
    explicit TraceBuilder(std::string identity, std::optional<TimeRange> window = {});
    ~TraceBuilder();
    TraceBuilder(const TraceBuilder&) = delete;
    TraceBuilder& operator=(const TraceBuilder&) = delete;

    /// One worker's access to texts and tracks. Not thread-safe itself; the builder behind it is.
    class Names {
    public:
        explicit Names(TraceBuilder& builder)
            : m_texts(builder.m_texts), m_tracks(builder.m_tracks), m_stacks(builder.m_stacks) {}

        ProvisionalText text(std::string_view value) { return m_texts.id(value); }
        /// The track of slices, instants and flow points of a thread. Ids are compared as texts: 7 and "7" are the
        /// same.
        ProvisionalTrack thread(std::string_view pid, std::string_view tid);
        /// The track of a counter.
        ProvisionalTrack counter(std::string_view pid, std::string_view name);

        /// A call stack, outermost frame first; for Segment::StackedOperator. Keep the number: this waits for others.
        ProvisionalStack stack(std::span<const std::string_view> frames) { return m_stacks.id(frames); }

    private:
        ProvisionalTrack track(std::string_view pid, std::string_view second, bool isCounter);
        SharedStringPool::Cache m_texts;
        SharedStringPool::Cache m_tracks;
        CallStackPool& m_stacks;
        std::string m_key;
        char m_lastKind = 0;  // none yet
        std::string m_lastPid, m_lastSecond;
        ProvisionalTrack m_last = 0;
    };

    /// Facts of metadata events about a process or thread. Where a source repeats itself the one with the highest
    /// position wins; of several names of a process each holds from its position on (splitReusedPids). Thread-safe.
    void setProcessName(std::string_view pid, std::string_view name, SourcePos pos);
    void setProcessLabels(std::string_view pid, std::string_view labels, SourcePos pos);
    void setProcessSort(std::string_view pid, std::int64_t index, SourcePos pos);
    void setThreadName(std::string_view pid, std::string_view tid, std::string_view name, SourcePos pos);
    void setThreadSort(std::string_view pid, std::string_view tid, std::int64_t index, SourcePos pos);

    /// Takes a finished segment. `first` is the position of its first event: segments are ordered by it. Thread-safe.
    void commit(SourcePos first, Segment segment);

    /// Number of slices, samples, instants and flow points committed so far. Thread-safe.
    std::uint64_t eventCount() const;

    /// A complete store of what has been committed so far, marked provisional; the builder stays usable. For showing a
    /// picture while the import runs; costs a seal of that much data. Thread-safe.
    Result<std::shared_ptr<const TraceStore>> snapshot(const CancelToken& cancel) const;

    /// Everything that was committed, sealed: tracks, depths, parents, self times, flows, counters, level of detail,
    /// and tracks of call stacks (seal_stacks.h), which snapshots lack.
    /// Frees segments as it goes; the builder is empty afterwards. Uses all workers of the current arena.
    /// Adds to `diagnostics` under the names of the files: "unmatched_begin" (repaired), "unmatched_end" (lost),
    /// "unpaired_flow" (info), "duplicate_track_id" (never seen, repaired), "window.left_out" (info),
    /// "stack.too_many" and "stack.cut" (info).
    Result<std::shared_ptr<const TraceStore>> seal(const SourceNames& names, Diagnostics& diagnostics,
                                                   const CancelToken& cancel);

private:
    friend class Names;

    SealInput input() const;
    std::vector<ProvisionalTrackKey> trackKeys(const CancelToken& cancel) const;
    /// Call stacks for the seal; their frames become texts. Before the texts are sealed.
    void takeStacks(SealInput& input);

    std::string m_identity;
    std::optional<TimeRange> m_window;
    SharedStringPool m_texts;
    SharedStringPool m_tracks;  // the keys of tracks, as Names::track makes them
    CallStackPool m_stacks;
    mutable std::mutex m_mutex;
    TrackFacts m_facts;
    std::map<SourcePos, std::shared_ptr<const Segment>> m_segments;
    std::map<SourcePos, std::shared_ptr<const ExcludedExtents>> m_excluded;
    std::map<SourcePos, std::vector<Segment::StackedOperator>> m_stackedOperators;
    std::uint64_t m_events = 0;
};

}  // namespace altiscope
