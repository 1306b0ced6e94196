#pragma once

#include "core/analysis/slices/slice_details.h"
#include "core/analysis/slices/stream_models.h"
#include "core/base/values/time.h"
#include "core/tables/scope/context_filter.h"
#include "views/timeline/rows/row_key.h"
#include "views/timeline/times/rank_shifts.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace altiscope {

class MergedTracks;

// Values that rows of the timeline are made from, and the rows.

/// Why a source stands beside a capture that is shown, on its axis: as its base, or as the user's query.
struct SourceCompanion {
    enum class Kind : std::uint8_t { Base, Query };
    Kind kind = Kind::Base;
    CaptureId of;      ///< The one that it stands beside.
    DurationNs shift;  ///< Time of that one = own time + this.
    QString title;
    /// A context of its own, in place of that which all pages show; nullopt: the same.
    std::optional<ContextFilter> context{};
    std::uint32_t track = 0;  ///< ComputedTrack::id of a track that a query gave.
};
/// TimelineSource::capture of a source that is no open capture of its own: a capture once more as its own base, or a
/// ComputedTrack. Session counts its ids from 1, so that the two highest bits are free.
constexpr CaptureId baseSource(CaptureId of) { return {of.value | 0x80000000U}; }
constexpr CaptureId querySource(std::uint32_t track) { return {track | 0xc0000000U}; }
constexpr bool isQuerySource(CaptureId source) { return source.value >= 0xc0000000U; }
constexpr bool isOpenCapture(CaptureId source) { return source.value < 0x80000000U; }
/// The open capture whose rows a source has that is no query.
constexpr CaptureId openCaptureOf(CaptureId source) { return {source.value & 0x7fffffffU}; }

/// One open capture as the timeline shows it.
struct TimelineSource {
    CaptureId capture;                          ///< OpenCapture::id, or what baseSource() and querySource() make.
    std::shared_ptr<const CaptureStore> store;  ///< Not null.
    DurationNs shift;                           ///< Axis time = trace time + shift; see alignCaptures().
    /// By what its ranks are drawn elsewhere than recorded; null: nothing. Times of the capture are then those of the
    /// ranks that stay.
    std::shared_ptr<const RankShifts> rankShifts{};
    /// As CaptureStore::ranks; shorter or null: not known (yet), and their streams are not grouped.
    std::vector<std::shared_ptr<const StreamModels>> models{};
    std::shared_ptr<const SourceCompanion> companion{};  ///< Null: it stands for itself.
    QString title{};                                     ///< OpenCapture::title; empty: it is called by its path.

    /// Name of the capture for people.
    QString name() const;
};

/// Which tracks the user wants to see. What is hidden is counted and shown.
struct TrackFilter {
    QString text;  ///< Tracks whose name or process holds it, in any case; empty: all.
    std::set<TrackKind> hiddenKinds;
    std::unordered_set<RowKey, RowKeyHash> hidden;  ///< Processes, threads and counters.

    bool operator==(const TrackFilter&) const = default;
    bool empty() const { return text.isEmpty() && hiddenKinds.empty() && hidden.empty(); }
};

/// Rows that the user has expanded or collapsed.
using RowExpansion = std::unordered_map<RowKey, bool, RowKeyHash>;

/// Heights in logical pixels, made from the user's font.
struct RowMetrics {
    int lane = 20;     ///< One depth of slices, or one line of a counter that shows each series by itself.
    int group = 22;    ///< A row that holds others.
    int counter = 44;  ///< A counter whose series share one plot.
    int strip = 3;     ///< One depth of a collapsed thread, as long as there is room.
    int gap = 4;       ///< Around the lanes of a track, half above and half below.
};

/// Subject of a row: a node of the track tree.
struct TrackNode {
    static constexpr std::int64_t kNoModel = -1;

    TimelineRowKind kind = TimelineRowKind::Capture;
    std::uint8_t level = 0;    ///< 0 for the outermost rows that are shown.
    std::uint32_t source = 0;  ///< In TimelineSources.
    RankIndex rank = kNoRank;
    std::uint32_t firstTrack = 0;  ///< Tracks of the store that lie below or in the row.
    std::uint32_t trackCount = 0;
    /// Tracks of a thread that has several: firstTrack is the first of them. Else null.
    std::shared_ptr<const MergedTracks> merged{};
    /// Tracks below a model: firstTrack is the first of all that it has. Else null.
    std::shared_ptr<const std::vector<TrackIndex>> streams{};
    std::int64_t model = kNoModel;  ///< That a stream is drawn below, or that the row is.
    bool memory = false;  ///< Curves of memory: their tracks are of a trace of their own, see memory_tracks.h.
    bool pinned = false;  ///< Stands above all rows that are not, in a part that is scrolled by itself.
};

/// One row in sight of the tree. The rows of a model are in display order, without holes.
struct TimelineRow : TrackNode {
    bool expandable = false;
    bool expanded = false;
    /// Parts of its height: depths of a thread (strips of a collapsed one), plots of a counter (1 if its
    /// series share one), lanes that a collapsed group has room for above its strips; 0 for other groups.
    std::uint32_t lanes = 0;
    static constexpr std::uint32_t kNoDepth = 0xffffffffU;
    std::uint32_t named = kNoDepth;  ///< Depth of a collapsed thread whose strip is as high as a lane, with names.
    std::int64_t top = 0;            ///< Logical pixels from the top of all rows.
    int height = 0;
    int lane = 0;  ///< Height of one lane where each has its own.
    static constexpr std::uint32_t kNoRow = 0xffffffffU;
    /// Tracks that the filter leaves of a collapsed group, where it hides some; null: all count. Ascending.
    std::shared_ptr<const std::vector<TrackIndex>> left{};
    std::uint32_t around = kNoRow;  ///< Number of the expanded row that this one lies in.
    std::int64_t end = 0;           ///< Height at which the last row within this one ends; its own, if there is none.
};

/// Whether its height can be changed: of all but groups that are expanded.
inline bool isResizable(const TimelineRow& row) {
    return row.kind >= TimelineRowKind::Thread || (row.kind >= TimelineRowKind::Rank && !row.expanded);
}

/// In display order; none of memory.
std::vector<TrackIndex> tracksIn(const TrackNode& node);
/// The same without those that a filter hides.
std::vector<TrackIndex> tracksIn(const TimelineRow& row);
/// The lane that a slice has in the row of its track, while its depths have lanes. O(log slices) for each depth of a
/// merged row.
std::uint32_t laneOf(const TrackNode& node, SliceIndex slice, std::uint32_t depth);

}  // namespace altiscope
