#pragma once

#include "core/tables/scope/context_filter.h"
#include "views/timeline/rows/merged_threads.h"
#include "views/timeline/rows/timeline_sources.h"
#include "views/timeline/rows/track_arrangement.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// Capture > host > rank > process > thread, stream or counter, whatever is expanded. The capture level is there with
/// several captures, the host level with several hosts; streams of a model (a graph, see StreamModels) stand below it.
/// Tracks without any event are excluded. Pinned nodes come first, outside of the tree, with what is below them; each
/// track has one node all the same.
struct TrackTree {
    struct Node : TrackNode {
        std::uint32_t after = 0;  ///< The node after all nodes below this one.
    };
    std::vector<Node> nodes;       ///< In display order.
    std::size_t hiddenTracks = 0;  ///< With events, of ranks that are shown, that the filter excludes.

    /// nullopt for a track that has none.
    std::optional<std::uint32_t> nodeOf(std::uint32_t source, RankIndex rank, TrackIndex track) const;

    static constexpr std::uint32_t kNoNode = 0xffffffffU;
    std::vector<std::vector<std::vector<std::uint32_t>>> nodeOfTrack;  ///< [source][rank][track]
};

/// The parts of the captures that are shown, and how.
struct TreeChoices {
    ContextFilter context;  ///< Ranks that it does not have are excluded.
    TrackFilter filter;
    TrackArrangement arrangement;
};

/// Pure; O(tracks).
TrackTree buildTrackTree(const TimelineSources& sources, const TreeChoices& choices,
                         const MergedThreads::ByThread& merged);

/// Rows among which a row can be moved: pinned rows, streams of the same model, or children of the same parent, in
/// display order; models stand where their first stream does. O(tracks).
std::vector<RowKey> siblingsOf(const TrackTree& tree, const TimelineSources& sources, const TrackNode& row);

}  // namespace altiscope
