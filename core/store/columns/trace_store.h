#pragma once

#include "core/base/columns/column.h"
#include "core/base/columns/string_pool.h"
#include "core/base/values/ids.h"
#include "core/base/values/time.h"
#include "core/store/columns/slice_blocks.h"
#include "core/trace/track.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace altiscope {

/// Slices of one track and depth: a contiguous part of the slice columns, disjoint in time and ascending, so that both
/// begins and ends are sorted and every query is a binary search.
struct DepthRun {
    std::uint32_t track = 0;  ///< TrackIndex
    std::uint32_t depth = 0;
    std::uint32_t first = 0;  ///< SliceIndex of the first slice
    /// At least 1; in a store of a window it may be 0, but not at the largest depth of a track.
    std::uint32_t count = 0;
    std::uint64_t firstBlock = 0;  ///< Where this run's blocks begin (slice_blocks.h).
};

/// Where the parts of one track are.
struct TrackExtent {
    std::uint32_t firstRun = 0, runCount = 0;          ///< In runs(), by depth.
    std::uint32_t firstSlice = 0, sliceCount = 0;      ///< All depths of a track are neighbours.
    std::uint32_t firstSeries = 0, seriesCount = 0;    ///< In series().
    std::uint64_t firstInstant = 0, instantCount = 0;  ///< In instants(), by time.
};

/// One counter line: the samples of one track with the same series text, by time.
struct CounterSeries {
    std::uint32_t track = 0;
    StringId name;                       ///< e.g. "Read(MB/s)" or "value acc_id=3"
    std::uint64_t first = 0, count = 0;  ///< In the sample columns.
    std::uint64_t pyramid = 0;           ///< Where this series' levels begin in the min-max pyramid (pyramid.h).
    double minimum = 0, maximum = 0;
};

/// How often and how long a name occurs on a track.
struct NameStat {
    std::uint32_t track = 0;
    StringId name;
    std::uint64_t count = 0;
    std::int64_t total = 0, selfTotal = 0, minimum = 0, maximum = 0;  ///< ns
};

/// Extremes of samples, in the unit of their counter.
struct MinMax {
    double minimum = 0, maximum = 0;
};

/// The colour of slices for which the source asks for none.
inline constexpr StringId kNoColour{0xffffffffU};

/// Columns of a store, in the order in which they are kept. Slices are sorted by (track, depth, begin).
struct TraceColumns {
    // slices, 47 bytes each
    Column<std::int64_t> begin, duration, selfDuration;  // ns
    Column<StringId> name, category;
    Column<std::uint32_t> parent;  // SliceIndex, kNoSlice if none
    Column<SourcePos> pos;
    // what leads to slices
    Column<DepthRun> runs;        // by (track, depth)
    Column<TrackExtent> extents;  // by track
    Column<SliceBlock> blocks;    // levels of detail, by run
    // by slice: name of the colour that the source requests, or kNoColour; empty if it requests none at all
    Column<StringId> colour;
    Column<SourcePos> blockPosMin, blockPosMax;  // of each kPosBlock slices; finds a slice by its id
    Column<NameStat> nameStats;                  // by (track, name)
    // counters, by (series, time)
    Column<CounterSeries> series;
    Column<std::int64_t> sampleTime;
    Column<double> sampleValue;
    Column<MinMax> minMax;  // pyramid over series
    // instants, by (track, time)
    Column<std::uint32_t> instantTrack;
    Column<std::int64_t> instantTime;
    Column<StringId> instantName;
    Column<SourcePos> instantPos;
    // flows, by position of their finish
    Column<SourcePos> flowPos;
    Column<std::uint32_t> flowFrom, flowTo;  // SliceIndex, kNoSlice if the end lies in no slice
    Column<std::int64_t> flowFromTime, flowToTime;
    Column<StringId> flowCategory;
    Column<std::uint32_t> flowsByFrom, flowsByTo;  // permutations, sorted by slice; ends in no slice last
    Column<std::uint32_t> flowNumber;  // of a window: each one's number among all flows; else empty, they are all here
    std::uint64_t allFlows = 0;        // of a window: flows of the whole trace; else 0
    std::optional<TimeRange> excludedSlices;  // of a window: time of the slices outside of it, on the window's clock
    StringPool texts;
    std::vector<Track> tracks;  // in display order
};

/// The imported events of one rank: constant, so any thread may read without locks.
/// All times are on the trace's own clock, in ns. SliceIndex order is (track, depth, begin).
class TraceStore {
public:
    static constexpr std::size_t kPosBlock = 1024;

    /// @param provisional  True for a picture of an import that still runs.
    TraceStore(TraceColumns columns, bool provisional);

    bool provisional() const { return m_provisional; }

    std::span<const Track> tracks() const { return m_columns.tracks; }
    const Track& track(TrackIndex index) const { return m_columns.tracks[index.value]; }
    const TrackExtent& extent(TrackIndex index) const { return m_columns.extents[index.value]; }
    std::span<const DepthRun> runs() const { return m_columns.runs.span(); }
    /// Runs of one track; the position in the span is not the depth where a depth is empty (it never is).
    std::span<const DepthRun> runs(TrackIndex index) const;
    std::uint32_t depthCount(TrackIndex index) const { return extent(index).runCount; }
    /// O(log tracks) by id.
    std::optional<TrackIndex> findTrack(TrackId id) const;

    std::size_t sliceCount() const { return m_columns.begin.size(); }
    TimeNs begin(SliceIndex i) const { return {m_columns.begin[i.value]}; }
    DurationNs duration(SliceIndex i) const { return {m_columns.duration[i.value]}; }
    TimeNs end(SliceIndex i) const { return {m_columns.begin[i.value] + m_columns.duration[i.value]}; }
    DurationNs selfDuration(SliceIndex i) const { return {m_columns.selfDuration[i.value]}; }
    StringId nameId(SliceIndex i) const { return m_columns.name[i.value]; }
    std::string_view name(SliceIndex i) const { return text(nameId(i)); }
    std::string_view category(SliceIndex i) const { return text(m_columns.category[i.value]); }
    /// Name of the colour that the source requests ("cname" of trace events); mostly empty.
    std::string_view colourName(SliceIndex i) const {
        return m_columns.colour.size() == 0 || m_columns.colour[i.value] == kNoColour ? std::string_view()
                                                                                      : text(m_columns.colour[i.value]);
    }
    SliceIndex parent(SliceIndex i) const { return {m_columns.parent[i.value]}; }
    SourcePos pos(SliceIndex i) const { return m_columns.pos[i.value]; }
    SliceId id(SliceIndex i) const { return {static_cast<std::int64_t>(pos(i).packed)}; }
    /// The run that holds a slice: its track and depth. O(log runs).
    const DepthRun& runOf(SliceIndex i) const;
    /// The slice with this id. Usually some microseconds; at worst one pass over the positions.
    std::optional<SliceIndex> findSlice(SliceId id) const;
    /// First slice of the run whose end lies after `time` (so that it is visible at or after it); run.first +
    /// run.count if there is none. O(log run).
    std::uint32_t firstEndingAfter(const DepthRun& run, TimeNs time) const;
    /// First slice of the run that begins at or after `time`. O(log run).
    std::uint32_t firstBeginningAt(const DepthRun& run, TimeNs time) const;

    std::span<const CounterSeries> series() const { return m_columns.series.span(); }
    /// Exact min and max value of samples [from, to) of a series (absolute sample numbers). from < to. O(log).
    MinMax minMax(const CounterSeries& series, std::uint64_t from, std::uint64_t to) const;

    std::size_t flowCount() const { return m_columns.flowPos.size(); }
    /// Flows of the whole trace, and the number of one among them: the same however much of the trace is kept.
    std::uint64_t allFlowCount() const { return flowCount() > m_columns.allFlows ? flowCount() : m_columns.allFlows; }
    std::uint64_t flowNumber(std::size_t flow) const {
        return m_columns.flowNumber.size() == 0 ? flow : m_columns.flowNumber[flow];
    }
    std::string_view flowCategory(std::size_t flow) const { return text(m_columns.flowCategory[flow]); }
    /// Flow numbers that start (finish) at a slice. O(log flows).
    std::span<const std::uint32_t> flowsFrom(SliceIndex i) const;
    std::span<const std::uint32_t> flowsTo(SliceIndex i) const;

    std::string_view text(StringId id) const { return m_columns.texts.text(id); }
    const StringPool& texts() const { return m_columns.texts; }

    /// Everything that is kept, for queries that walk whole columns.
    const TraceColumns& columns() const { return m_columns; }

    /// From the first to the end of the last event of any kind; empty store: [0, 0).
    TimeRange range() const { return m_range; }
    /// The part of range() that a view opens on: without events that lie absurdly far from the rest (a stamp of 0
    /// beside stamps of today). Equal to range() for sane data. See home_range.h for the rule.
    TimeRange homeRange() const { return m_home; }

private:
    TraceColumns m_columns;
    bool m_provisional;
    TimeRange m_range;
    TimeRange m_home;
    std::vector<std::pair<TrackId, TrackIndex>> m_trackById;  // sorted
};

}  // namespace altiscope
