#pragma once

#include "core/analysis/slices/slice_details.h"
#include "core/analysis/slices/slice_selection.h"
#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"
#include "core/trace/track.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// What a slice is a part of: the kinds of tracks, but that the collectives as a whole stand apart from their tasks on
/// planes.
enum class Layer : std::uint8_t {
    Python,
    Stack,
    Cann,
    Hardware,
    Communication,
    CommunicationTasks,
    Overlap,
    Mstx,
    Scope,
    Gc,
    Other
};
inline constexpr std::array kLayers{
    Layer::Python,  Layer::Stack, Layer::Cann,  Layer::Hardware, Layer::Communication, Layer::CommunicationTasks,
    Layer::Overlap, Layer::Mstx,  Layer::Scope, Layer::Gc,       Layer::Other};

/// nullopt for counters.
std::optional<Layer> layerOf(const Track& track);

/// A rank that is to be looked at, and when; nullopt: always. Times are on its own clock, by begin, disjoint. A slice
/// belongs if it touches one of them: it begins before its end, and ends after its begin or begins within it.
struct RankWindow {
    RankIndex rank{};
    std::optional<std::vector<TimeRange>> times{};
    bool operator==(const RankWindow&) const = default;
};

/// The slices of one name in a layer, in ns. Lengths are whole also where a slice reaches beyond the times.
struct NameOfLayer {
    std::string_view name;  ///< Text of a store of the capture.
    std::uint64_t count = 0;
    std::int64_t total = 0;  ///< Nested slices count in their own name and in that of each slice around them.
    std::int64_t self = 0;   ///< Without direct children: each moment of a track counts once.
    std::int64_t min = 0, max = 0;
};

/// The slices of a layer by name.
struct LayerSums {
    std::shared_ptr<const CaptureStore> capture;  ///< Keeps the names.
    std::vector<NameOfLayer> names;               ///< Most time first, then by name; over all ranks.
    std::uint64_t count = 0;
    /// What shares are parts of. Of the overlap analysis without "Communication", which holds "Communication(Not
    /// Overlapped)".
    std::int64_t total = 0;
    std::int64_t self = 0;
};

/// Layers with slices, in the order of kLayers. O(tracks).
std::vector<Layer> layersOf(const CaptureStore& capture, const std::vector<RankWindow>& ranks);

/// @return nullopt if cancelled.
/// @note  Any thread; parallel on the arena. At all times: O(names by track); else O(slices within the times).
std::optional<LayerSums> layerSums(std::shared_ptr<const CaptureStore> capture, const std::vector<RankWindow>& ranks,
                                   Layer layer, const CancelToken& cancel);

/// Some slices of a capture, by depth of a track: slices of spansOf(selection) that are meant.
struct ChosenOfLayer {
    SliceSelection selection;
    std::vector<SliceSpan> spans;
    std::shared_ptr<const std::vector<std::vector<std::uint32_t>>> slices;  ///< Of each span, ascending.
};

/// The slices of a layer that have a name. nullopt if cancelled. O(slices of the layer).
std::optional<ChosenOfLayer> slicesOfLayer(std::shared_ptr<const CaptureStore> capture,
                                           const std::vector<RankWindow>& ranks, Layer layer, std::string_view name,
                                           const CancelToken& cancel);

/// Slices [first, last) of a run that touch the times: stretches, ascending and disjoint. O(times * log slices).
std::vector<std::pair<std::uint32_t, std::uint32_t>> stretchesOf(const TraceStore& trace, const DepthRun& run,
                                                                 const std::optional<std::vector<TimeRange>>& times);

}  // namespace altiscope
