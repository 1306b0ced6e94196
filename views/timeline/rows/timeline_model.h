#pragma once

#include "views/timeline/rows/row_layout.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// The rows of the timeline (see TrackTree and RowLayout), and what they are made from: captures, choices, what is
/// expanded, and heights. GUI thread; holds no widgets. What the user changes is kept by RowKey.
///
/// At first rows use the height of the canvas, see openingRows(). While that is not known ranks are expanded (if a
/// capture has at most kManyRanks), processes with slices too, those with counters alone collapsed; threads deeper than
/// kDeepThread are collapsed to strips, and counters with several series share one plot.
///
/// A rank whose memory was sampled has a row for it, which is collapsed at first: its curves are read when it is
/// expanded.
class TimelineModel {
public:
    /// O(tracks) each.
    void setSources(std::vector<TimelineSource> sources);
    void setContext(const ContextFilter& context);
    void setFilter(const TrackFilter& filter);
    void setArrangement(TrackArrangement arrangement);
    void setExpansion(RowExpansion expansion);
    void setMetrics(const RowMetrics& metrics);
    /// Height of the canvas, by which rows are laid out that the user has not changed: see openingRows(). 0 until it is
    /// known.
    void setRoom(int height);
    int room() const { return m_room; }
    void setExpanded(std::size_t row, bool expanded);
    void setAllExpanded(bool expanded);
    /// Expands whatever hides the track. @return whether rows changed.
    bool expandTo(std::uint32_t source, RankIndex rank, TrackIndex track);

    const TimelineSources& sources() const { return m_sources; }
    const ContextFilter& context() const { return m_choices.context; }
    const TrackFilter& filter() const { return m_choices.filter; }
    const TrackArrangement& arrangement() const { return m_choices.arrangement; }
    const RowExpansion& expansion() const { return m_expansion; }
    const RowMetrics& metrics() const { return m_metrics; }

    const RowLayout& layout() const { return m_layout; }
    const std::vector<TimelineRow>& rows() const { return m_layout.rows; }
    /// Tracks with events that the filter excludes, of ranks that are shown.
    std::size_t hiddenTracks() const { return m_tree.hiddenTracks; }
    /// nullopt if the track has no event. O(1).
    std::optional<RowLayout::Place> placeOf(std::uint32_t source, RankIndex rank, TrackIndex track) const;
    /// See siblingsOf of the tree.
    std::vector<RowKey> siblingsOf(const TimelineRow& row) const;
    /// See heightsFor of the layout.
    RowHeights heightsFor(const TimelineRow& row, int height) const;

    /// Groups that the arrangement merges and addMerged() has not been given.
    std::vector<MergedThreads::Group> toMerge() const;
    void addMerged(std::vector<std::shared_ptr<const MergedTracks>> merged);
    /// Ranks whose memory is needed and that addMemory() has not been given.
    std::vector<MemoryTraces::Samples> toSample() const;
    void addMemory(const MemoryTraces::Made& memory);

private:
    RowStyle style() const { return {m_sources, m_expansion, m_choices.arrangement.heights, m_metrics, m_opening}; }
    void eraseUnusedMemory();
    void rebuild();
    void open();
    void layOut();

    TimelineSources m_sources;
    MergedThreads m_merged;
    TreeChoices m_choices;
    RowExpansion m_expansion;
    RowMetrics m_metrics;
    int m_room = 0;
    OpeningRows m_opening;
    TrackTree m_tree;
    RowLayout m_layout;
    std::uint64_t m_revision = 0;
};

}  // namespace altiscope
