#pragma once

#include "core/analysis/clock_alignment.h"
#include "core/analysis/slice_details.h"
#include "core/base/time.h"
#include "core/session/context_filter.h"

#include <QCoreApplication>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace altiscope {

/// One open capture as the timeline shows it.
struct TimelineSource {
    std::uint32_t capture = 0;                  ///< OpenCapture::id
    std::shared_ptr<const CaptureStore> store;  ///< Not null.
    DurationNs shift;                           ///< Axis time = trace time + shift; see alignCaptures().
    /// Where the clocks of its ranks lie, while they are drawn aligned; times of the capture are then those of the reference.
    std::shared_ptr<const ClockAlignment> clocks{};
};

enum class TimelineRowKind : std::uint8_t { Capture, Host, Rank, Process, Thread, Counter };

/// Names a row whatever is read, opened or closed meanwhile.
struct RowKey {
    std::uint32_t capture = 0;
    std::uint32_t rank = 0xffffffffU;  ///< Place in CaptureStore::ranks; all ones above ranks.
    TimelineRowKind kind = TimelineRowKind::Capture;
    std::int64_t id = 0;               ///< TrackId of a thread or counter, the first track's of a process, a hash of a host.
    bool operator==(const RowKey&) const = default;
};

struct RowKeyHash {
    std::size_t operator()(const RowKey& key) const noexcept;
};

/// Which tracks the user wants to see. What is left out is counted and told.
struct TrackFilter {
    QString text;                                   ///< Tracks whose name or process holds it, in any case; empty: all.
    std::set<TrackKind> hiddenKinds;
    std::unordered_set<RowKey, RowKeyHash> hidden;  ///< Processes, threads and counters.

    bool operator==(const TrackFilter&) const = default;
    bool empty() const { return text.isEmpty() && hiddenKinds.empty() && hidden.empty(); }
};

/// Heights in logical pixels, made from the user's font.
struct RowMetrics {
    int lane = 20;    ///< One depth of slices, or one line of a counter that shows each series by itself.
    int group = 22;   ///< A row that holds others.
    int counter = 44; ///< A counter whose series share one plot.
    int strip = 3;    ///< One depth of a collapsed thread, as long as there is room.
    int gap = 4;      ///< Around the lanes of a track, half above and half below.
};

/// One row in sight of the tree. The rows of a model are in display order, without holes.
struct TimelineRow {
    TimelineRowKind kind = TimelineRowKind::Capture;
    std::uint8_t level = 0;        ///< 0 for the outermost rows that are shown.
    bool expandable = false;
    bool expanded = false;
    std::uint32_t source = 0;      ///< In TimelineModel::sources().
    std::uint32_t rank = 0xffffffffU;
    std::uint32_t firstTrack = 0;  ///< Tracks of the store that lie below or in the row.
    std::uint32_t trackCount = 0;
    std::uint32_t lanes = 0;       ///< What its height is divided into: depths of a thread (strips of a collapsed one), plots of a
                                   ///< counter (1 if its series share one); 0 for groups.
    std::int64_t top = 0;          ///< Logical pixels from the top of all rows.
    int height = 0;
};

/// The track tree: capture > host > rank > process > thread, stream or counter. The capture level is there with several
/// captures, the host level with several hosts. Tracks without any event are left out. GUI thread; holds no widgets.
///
/// At first ranks are expanded (while a capture has at most kManyRanks), processes with slices too, those with counters
/// alone collapsed; threads deeper than kDeepThread are collapsed to strips, so that one stack does not fill the screen, and
/// counters with several series share one plot. What the user changes is kept by RowKey.
class TimelineModel {
    Q_DECLARE_TR_FUNCTIONS(altiscope::TimelineModel)
public:
    static constexpr std::size_t kManyRanks = 16;
    static constexpr std::uint32_t kDeepThread = 12;
    /// A collapsed thread is at most this many lanes high.
    static constexpr int kCollapsedLanes = 4;

    /// O(tracks).
    void setSources(std::vector<TimelineSource> sources);
    /// Ranks that the context does not hold are left out. O(tracks).
    void setContext(const ContextFilter& context);
    const ContextFilter& context() const { return m_context; }
    /// O(tracks).
    void setFilter(const TrackFilter& filter);
    const TrackFilter& filter() const { return m_filter; }
    /// Tracks with events that the filter leaves out, of ranks that are shown.
    std::size_t hiddenTracks() const { return m_hiddenTracks; }
    /// What a process, thread or counter is called by its key, also while it is hidden: "Python", "Python / Thread 1". Empty if it is gone.
    QString titleOf(const RowKey& key) const;
    /// The rows of the same process and thread, or counter, as a row below ranks, on all ranks.
    std::vector<RowKey> sameOnAllRanks(const TimelineRow& row) const;
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
    struct Place { std::size_t row = 0; bool hidden = false; };
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

    /// What the row is called, in the present language.
    QString title(const TimelineRow& row) const;
    /// What else is to be said in a few words, e.g. why a rank has no tracks; often empty.
    QString note(const TimelineRow& row) const;

private:
    struct Node {
        TimelineRowKind kind;
        std::uint8_t level;
        std::uint32_t source, rank, firstTrack, trackCount;
        std::uint32_t behind = 0;  ///< The node after all nodes below this one.
        std::uint32_t row = 0;     ///< Its row, or the row that hides it.
        bool hidden = false;
    };

    void buildNodes();
    /// Whether texts hold that of the filter, by text: thousands of ranks have the same few.
    using TextMatches = std::unordered_map<std::string_view, bool>;
    bool isFilteredOut(std::uint32_t source, std::uint32_t rank, std::uint32_t process, std::uint32_t track, TextMatches& matches) const;
    void addRank(std::uint32_t source, std::uint32_t rank, std::uint8_t level, TextMatches& matches);
    void layOut();
    TimelineRow describe(const Node& node) const;
    bool startsExpanded(const TimelineRow& row) const;

    RowMetrics m_metrics;
    ContextFilter m_context;
    TrackFilter m_filter;
    std::size_t m_hiddenTracks = 0;
    std::vector<TimelineSource> m_sources;
    std::vector<Node> m_nodes;                               // display order
    std::vector<std::vector<std::vector<std::uint32_t>>> m_nodeOfTrack;  // [source][rank][track]; kNoNode if left out
    std::vector<TimelineRow> m_rows;
    std::unordered_map<RowKey, bool, RowKeyHash> m_expanded; // what the user changed
};

} // namespace altiscope
