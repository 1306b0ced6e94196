#pragma once

#include "core/analysis/capture_analysis.h"
#include "core/analysis/collectives/clock_alignment.h"
#include "core/analysis/support/lazy.h"
#include "core/analysis/support/recordings.h"
#include "core/base/values/cancel.h"
#include "core/findings/finding.h"
#include "core/query/lookup/keyed_rows.h"
#include "core/query/lookup/name_index.h"
#include "core/store/capture_store.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace altiscope {

/// A track of a capture: its rank and its place within that rank's store.
struct TrackPlace {
    TrackId id;
    RankIndex rank{};
    std::uint32_t track = 0;
};

/// A slice of a capture.
struct IndexedSlice {
    RankIndex rank{};
    std::uint32_t slice = 0;
};

/// Lookups over the ranks of one capture that queries share. Thread-safe.
class CaptureIndex {
public:
    explicit CaptureIndex(std::shared_ptr<const CaptureStore> capture);

    const CaptureStore& capture() const { return *m_capture; }
    std::uint32_t rankCount() const { return static_cast<std::uint32_t>(m_capture->ranks.size()); }
    const RankEntry& rank(RankIndex rank) const { return m_capture->ranks[rank.value]; }
    /// Null while nothing of the rank is read.
    const TraceStore* trace(RankIndex rank) const { return m_capture->ranks[rank.value].trace.get(); }
    std::optional<std::int64_t> rankId(RankIndex rank) const { return m_capture->ranks[rank.value].info.rankId; }
    /// Name of the recording of a rank; empty where the capture has one (recordingsOf()), and of kNoRank.
    std::string_view recording(RankIndex rank) const {
        return m_recordings.areSeveral() && rank != kNoRank
                   ? std::string_view(m_recordings.names[m_recordings.ofRank[rank.value]])
                   : std::string_view();
    }
    /// Equal for ranks of equal id (and for all without one), ascending with it.
    std::uint32_t rankGroup(RankIndex rank) const { return m_groups[rank.value]; }
    /// The ranks [first, last) with this id.
    std::pair<RankIndex, RankIndex> ranksWithId(std::int64_t id) const;

    /// All tracks of the capture, by id.
    std::span<const TrackPlace> tracks() const { return m_tracks; }
    const TrackPlace* findTrack(std::int64_t id) const;
    std::optional<IndexedSlice> findSlice(std::int64_t id) const;

    /// True if the lookup by name exists for all ranks.
    bool namesReady() const;

    std::uint64_t sliceCount() const { return m_sliceCount; }
    /// From the first to the last event of any rank, without events absurdly far away. For estimates.
    TimeRange range() const { return m_range; }

    /// The slices of a rank (which has a trace) by name; made at the first call. Null if cancelled meanwhile.
    std::shared_ptr<const NameIndex> nameIndex(RankIndex rank, const CancelToken& cancel) const;

    /// Rows of a list that lives as long as this object, by what stands in one of its columns; made at the first call
    /// by `make`, which gives an optional<KeyedRows>. Null if cancelled meanwhile.
    template <class Make>
    std::shared_ptr<const KeyedRows> keyedRows(const void* list, int column, const Make& make,
                                               const CancelToken& cancel) const {
        return keyedSlot(list, column).get(make, cancel);
    }

    /// Computed rows beside the recorded ones; each part at its first use.
    const CaptureAnalysis& analysis() const { return m_analysis; }
    /// Findings of all rules, with their default thresholds; made at the first call. Null if cancelled meanwhile.
    std::shared_ptr<const std::vector<Finding>> findings(const CancelToken& cancel) const;
    /// Where the clocks of the ranks lie; made at the first call. Null if cancelled meanwhile.
    std::shared_ptr<const ClockAlignment> clocks(const CancelToken& cancel) const;

private:
    /// Slices of a rank.
    struct IdSpan {
        std::int64_t low = 0, high = -1;
        RankIndex rank{};
    };
    Lazy<KeyedRows>& keyedSlot(const void* list, int column) const;

    std::shared_ptr<const CaptureStore> m_capture;
    CaptureAnalysis m_analysis;
    mutable Lazy<std::vector<Finding>> m_findings;
    mutable Lazy<ClockAlignment> m_clocks;
    Recordings m_recordings;
    std::vector<std::uint32_t> m_groups;
    std::vector<TrackPlace> m_tracks;
    std::vector<IdSpan> m_sliceIds;  // of ranks with slices, by low
    bool m_areIdsApart = true;       // no two spans overlap
    std::uint64_t m_sliceCount = 0;
    TimeRange m_range;
    std::unique_ptr<Lazy<NameIndex>[]> m_names;  // by rank
    mutable std::mutex m_keyedMutex;
    mutable std::map<std::pair<const void*, int>, Lazy<KeyedRows>> m_keyed;  // guarded by m_keyedMutex; none goes
    std::uint32_t m_stores = 0;                                              // ranks with a trace
    mutable std::atomic<std::uint32_t> m_namesReady{0};
};

}  // namespace altiscope
