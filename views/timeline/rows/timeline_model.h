#pragma once

#include "core/analysis/slices/slice_details.h"
#include "core/analysis/slices/stream_models.h"
#include "core/base/time.h"
#include "core/tables/context_filter.h"
#include "views/timeline/rows/rank_shifts.h"
#include "views/timeline/rows/row_key.h"
#include "views/timeline/rows/track_arrangement.h"

#include <QString>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace altiscope {

class MergedTracks;

/// One open capture as the timeline shows it.
struct TimelineSource {
    std::uint32_t capture = 0;                  ///< OpenCapture::id
    std::shared_ptr<const CaptureStore> store;  ///< Not null.
    DurationNs shift;                           ///< Axis time = trace time + shift; see alignCaptures().
    /// By what its ranks are drawn elsewhere than recorded; null: nothing. Times of the capture are then those of the
    /// ranks that stay.
    std::shared_ptr<const RankShifts> rankShifts{};
    /// As CaptureStore::ranks; shorter or null: not known (yet), and their streams are not grouped.
    std::vector<std::shared_ptr<const StreamModels>> models{};
};

/// Which tracks the user wants to see. What is hidden is counted and shown.
struct TrackFilter {
    QString text;  ///< Tracks whose name or process holds it, in any case; empty: all.
    std::set<TrackKind> hiddenKinds;
    std::unordered_set<RowKey, RowKeyHash> hidden;  ///< Processes, threads and counters.

    bool operator==(const TrackFilter&) const = default;
    bool empty() const { return text.isEmpty() && hiddenKinds.empty() && hidden.empty(); }
};

/// Heights in logical pixels, made from the user's font.
struct RowMetrics {
    int lane = 20;     ///< One depth of slices, or one line of a counter that shows each series by itself.
    int group = 22;    ///< A row that holds others.
    int counter = 44;  ///< A counter whose series share one plot.
    int strip = 3;     ///< One depth of a collapsed thread, as long as there is room.
    int gap = 4;       ///< Around the lanes of a track, half above and half below.
};

/// One row in sight of the tree. The rows of a model are in display order, without holes.
struct TimelineRow {
    static constexpr std::int64_t kNoModel = -1;

    TimelineRowKind kind = TimelineRowKind::Capture;
    std::uint8_t level = 0;  ///< 0 for the outermost rows that are shown.
    bool expandable = false;
    bool expanded = false;
    bool pinned = false;       ///< Stands above all rows that are not, in a part that is scrolled by itself.
    std::uint32_t source = 0;  ///< In TimelineModel::sources().
    std::uint32_t rank = 0xffffffffU;
    std::uint32_t firstTrack = 0;  ///< Tracks of the store that lie below or in the row.
    std::uint32_t trackCount = 0;
    /// Of a thread that is several: firstTrack is the first of them. Else null.
    std::shared_ptr<const MergedTracks> merged{};
    /// Of a model: those below it; firstTrack is the first of all that it has. Else null.
    std::shared_ptr<const std::vector<TrackIndex>> streams{};
    std::int64_t model = kNoModel;  ///< That a stream is drawn below, or that the row is.
    bool memory = false;  ///< Curves of memory: their tracks are of a trace of their own, see memory_tracks.h.
    /// What its height is divided into: depths of a thread (strips of a collapsed one), plots of a counter (1 if its
    /// series share one); 0 for groups.
    std::uint32_t lanes = 0;
    std::int64_t top = 0;  ///< Logical pixels from the top of all rows.
    int height = 0;
    int lane = 0;  ///< Of one lane where each has its own.
};

/// The track tree: capture > host > rank > process > thread, stream or counter. The capture level is there with several
/// captures, the host level with several hosts; streams of a model (a graph, see StreamModels) stand below it. Tracks
/// without any event are not shown. GUI thread; holds no widgets.
///
/// At first ranks are expanded (while a capture has at most kManyRanks), processes with slices too, those with counters
/// alone collapsed; threads deeper than kDeepThread are collapsed to strips, so that one stack does not fill the
/// screen, and counters with several series share one plot. What the user changes is kept by RowKey.
///
/// A rank whose memory was sampled has a row for it, which is collapsed at first: its curves are read when it is
/// expanded.
///
/// Pinned rows come first, outside of the tree, with what is below them; each track has one row all the same.
class TimelineModel {
public:
    static constexpr std::size_t kManyRanks = 16;
    static constexpr std::uint32_t kDeepThread = 12;
    /// A collapsed thread is at most this many lanes high.
    static constexpr int kCollapsedLanes = 4;

    /// O(tracks).
    void setSources(std::vector<TimelineSource> sources);
    /// Ranks that the context does not hold are not shown. O(tracks).
    void setContext(const ContextFilter& context);
    const ContextFilter& context() const { return m_context; }
    /// O(tracks).
    void setFilter(const TrackFilter& filter);
    const TrackFilter& filter() const { return m_filter; }
    /// Tracks with events that the filter leaves out, of ranks that are shown.
    std::size_t hiddenTracks() const { return m_hiddenTracks; }
    /// The rows of the same process and thread, or counter, as a row below ranks, on all ranks.
    std::vector<RowKey> sameOnAllRanks(const TimelineRow& row) const;
    /// O(tracks).
    void setArrangement(TrackArrangement arrangement);
    const TrackArrangement& arrangement() const { return m_arrangement; }
    /// Groups that the arrangement merges and addMerged() has not been given: until then they are shown one by one.
    struct ToMerge {
        std::shared_ptr<const TraceStore> trace;
        std::vector<TrackIndex> tracks;
    };
    std::vector<ToMerge> toMerge() const;
    void addMerged(std::vector<std::shared_ptr<const MergedTracks>> merged);
    /// Ranks whose row of memory is expanded, or has pinned curves, and that addMemory() has not been given.
    struct ToSample {
        std::uint32_t capture, rank;
        std::shared_ptr<const RowTables> rows;
        bool operator==(const ToSample&) const = default;
    };
    std::vector<ToSample> toSample() const;
    /// Null traces: there is nothing to show.
    void addMemory(const std::vector<std::pair<ToSample, std::shared_ptr<const TraceStore>>>& memory);
    /// Traces of memory that are in use.
    std::vector<std::shared_ptr<const TraceStore>> memoryTraces() const;
    /// As withPinned() and its like want them: keys of a merged row or of a model are those of its threads, the first
    /// one's first.
    std::vector<RowKey> keysOf(const TimelineRow& row) const;
    /// The row above in the tree, whose children `row` is one of: what TrackArrangement::order is by.
    RowKey parentKeyOf(const TimelineRow& row) const;
    /// What `row` can be moved among: pinned rows, streams of the same model, or children of the same parent, in
    /// display order; models stand where their first stream does. O(tracks).
    std::vector<RowKey> siblingsOf(const TimelineRow& row) const;
    /// In display order; none of memory.
    std::vector<TrackIndex> tracksIn(const TimelineRow& row) const;
    /// The lane that a slice has in the row of its track, while its depths have lanes. O(log slices) for each depth of
    /// a merged row.
    std::uint32_t laneOf(const TimelineRow& row, SliceIndex slice, std::uint32_t depth) const;
    /// Whether its height can be changed: of all but groups that are expanded.
    static bool isResizable(const TimelineRow& row) {
        return row.kind >= TimelineRowKind::Thread || (row.kind >= TimelineRowKind::Rank && !row.expanded);
    }
    /// What is to be kept of a row that the user makes so high. @pre it is resizable.
    RowHeights heightsFor(const TimelineRow& row, int height) const;
    std::size_t pinnedRows() const { return m_pinnedRows; }
    /// Height of the pinned rows: tops of the others begin there.
    std::int64_t pinnedHeight() const { return m_pinnedHeight; }
    /// What the user has expanded or collapsed.
    using Expansion = std::unordered_map<RowKey, bool, RowKeyHash>;
    const Expansion& expansion() const { return m_expanded; }
    void setExpansion(Expansion expansion);
    void setMetrics(const RowMetrics& metrics);
    const RowMetrics& metrics() const { return m_metrics; }
    const std::vector<TimelineSource>& sources() const { return m_sources; }

    const std::vector<TimelineRow>& rows() const { return m_rows; }
    std::int64_t height() const;
    /// The row that holds this height; the nearest one for heights outside. O(log rows). @pre there are rows.
    std::size_t rowAt(std::int64_t y) const;

    /// O(tracks) each.
    void setExpanded(std::size_t row, bool expanded);
    void setAllExpanded(bool expanded);

    /// The row that shows a track, or the collapsed row that hides it; nullopt if the track has no event. O(1).
    struct Place {
        std::size_t row = 0;
        bool hidden = false;
    };
    std::optional<Place> placeOf(std::uint32_t source, std::uint32_t rank, TrackIndex track) const;
    /// Expands whatever hides the track. @return whether rows changed.
    bool expandTo(std::uint32_t source, std::uint32_t rank, TrackIndex track);

    RowKey keyOf(const TimelineRow& row) const;
    /// Null where a rank has no events (yet), and above ranks.
    const TraceStore* traceOf(const TimelineRow& row) const;
    const RankEntry* rankOf(const TimelineRow& row) const;
    /// Axis time = the rank's own time + this.
    DurationNs shiftOf(std::uint32_t source, std::uint32_t rank) const;
    /// Place in sources(); nullopt if that capture is not shown.
    std::optional<std::uint32_t> sourceOf(std::uint32_t capture) const;
    /// The model that a stream runs, or TimelineRow::kNoModel.
    std::int64_t modelOf(std::uint32_t source, std::uint32_t rank, TrackIndex track) const;
    /// Curves of a rank's memory; null while they are not there.
    const TraceStore* memoryOf(std::uint32_t source, std::uint32_t rank) const;
    /// Of the process row that holds a rank's curves.
    static constexpr std::int64_t kMemoryId = 0x6d656d6f7279;

private:
    struct Node {
        TimelineRowKind kind;
        std::uint8_t level;
        std::uint32_t source, rank, firstTrack, trackCount;
        std::uint32_t behind = 0;  ///< The node after all nodes below this one.
        std::shared_ptr<const MergedTracks> merged{};
        std::shared_ptr<const std::vector<TrackIndex>> streams{};
        std::int64_t model = TimelineRow::kNoModel;
        bool pinned = false;
        std::uint32_t row = 0;  ///< Its row, or the row that hides it.
        bool hidden = false;
        bool memory = false;
    };
    /// What memory is drawn from.
    struct Memory {
        std::shared_ptr<const RowTables> rows;
        std::shared_ptr<const TraceStore> trace;
    };
    /// Whether texts hold that of the filter, by text: thousands of ranks have the same few.
    using TextMatches = std::unordered_map<std::string_view, bool>;
    struct Build;  ///< What is known while nodes are built.

    void buildNodes();
    bool isFilteredOut(const Node& process, std::uint32_t track, TextMatches& matches) const;
    bool isMemoryFilteredOut(const Node& process) const;
    void addRank(std::uint32_t source, std::uint32_t rank, std::uint8_t level, Build& build);
    void addProcess(const Node& process, Build& build);
    void addChildren(std::vector<Node>& nodes, const std::vector<Node>& children, std::uint8_t level) const;
    void finishNodes(Build& build);
    /// nullopt unless at least two of a group's threads are there.
    std::optional<ToMerge> found(const std::vector<RowKey>& group) const;
    std::shared_ptr<const MergedTracks> mergedOf(const ToMerge& group) const;
    void dropUnusedMerged();
    void dropUnusedMemory();
    const TraceStore* traceOf(const Node& node) const;
    bool needsMemory(std::uint32_t source, std::uint32_t rank) const;
    std::vector<RowKey> memoryOnAllRanks(const TimelineRow& row) const;
    static Node nodeFor(const TimelineRow& row);
    void findMerged(Build& build) const;
    RowKey keyOf(const Node& node) const;
    RowKey parentKeyOf(const Node& node) const;
    void layOut();
    TimelineRow describe(const Node& node) const;
    bool startsExpanded(const TimelineRow& row) const;

    RowMetrics m_metrics;
    ContextFilter m_context;
    TrackFilter m_filter;
    TrackArrangement m_arrangement;
    // those that the arrangement names, and perhaps earlier ones
    std::vector<std::shared_ptr<const MergedTracks>> m_merged;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Memory> m_memory;  // by capture and rank
    std::size_t m_hiddenTracks = 0;
    std::size_t m_pinnedRows = 0;
    std::int64_t m_pinnedHeight = 0;
    std::vector<TimelineSource> m_sources;
    std::vector<Node> m_nodes;                                           // display order
    std::vector<std::vector<std::vector<std::uint32_t>>> m_nodeOfTrack;  // [source][rank][track]; kNoNode if left out
    std::vector<TimelineRow> m_rows;
    Expansion m_expanded;
};

}  // namespace altiscope
