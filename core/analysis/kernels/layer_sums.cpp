#include "core/analysis/kernels/layer_sums.h"

#include "core/analysis/steps/device_activity.h"
#include "core/analysis/support/pair_table.h"
#include "core/analysis/support/saturating.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace altiscope {

namespace {

constexpr std::uint32_t kSlicesOfLayerPiece = 1U << 16U;
/// Pieces that share one table of names: as many tables as keep all workers busy.
constexpr std::size_t kTablesOfNames = 16;

struct LayerName {
    std::uint64_t count = 0;
    std::int64_t total = 0, self = 0;
    std::int64_t min = std::numeric_limits<std::int64_t>::max(), max = std::numeric_limits<std::int64_t>::min();

    void add(const LayerName& other) {
        count += other.count;
        addSaturated(total, other.total);
        addSaturated(self, other.self);
        min = std::min(min, other.min);
        max = std::max(max, other.max);
    }
};

struct LayerPiece {
    RankIndex rank{};
    std::uint32_t first = 0, last = 0;
};

bool isOfLayer(const Track& track, Layer layer) { return layerOf(track) == layer; }

/// The slices that are meant, in pieces of equal work.
std::vector<LayerPiece> layerPiecesOf(const CaptureStore& capture, const std::vector<RankWindow>& ranks, Layer layer) {
    std::vector<LayerPiece> pieces;
    for (const RankWindow& selected : ranks) {
        const auto& trace = capture.ranks[selected.rank.value].trace;
        if (trace == nullptr) continue;
        for (std::uint32_t t = 0; t < trace->tracks().size(); ++t) {
            if (!isOfLayer(trace->track({t}), layer)) continue;
            for (const DepthRun& run : trace->runs(TrackIndex{t})) {
                for (const auto& [first, last] : stretchesOf(*trace, run, selected.times)) {
                    for (std::uint32_t at = first; at < last; at += std::min(kSlicesOfLayerPiece, last - at))
                        pieces.push_back({selected.rank, at, at + std::min(kSlicesOfLayerPiece, last - at)});
                }
            }
        }
    }
    return pieces;
}

void addPiece(const CaptureStore& capture, const LayerPiece& piece, PairTable<LayerName>& names) {
    const TraceColumns& columns = capture.ranks[piece.rank.value].trace->columns();
    for (std::uint32_t i = piece.first; i < piece.last; ++i) {
        const std::int64_t duration = columns.duration[i];
        names[PairTable<LayerName>::key(piece.rank.value, columns.name[i])].add(
            {1, duration, columns.selfDuration[i], duration, duration});
    }
}

using NamesByText = std::unordered_map<std::string_view, LayerName>;

/// At all times: what the stores have summed up already.
void addReadyMade(const CaptureStore& capture, const RankWindow& selected, Layer layer, NamesByText& names) {
    const auto& trace = capture.ranks[selected.rank.value].trace;
    if (trace == nullptr) return;
    for (const NameStat& stat : trace->columns().nameStats.span()) {
        if (isOfLayer(trace->track({stat.track}), layer))
            names[trace->text(stat.name)].add({stat.count, stat.total, stat.selfTotal, stat.minimum, stat.maximum});
    }
}

}  // namespace

std::optional<Layer> layerOf(const Track& track) {
    switch (track.kind) {
    case TrackKind::Python: return Layer::Python;
    case TrackKind::Stack: return Layer::Stack;
    case TrackKind::Cann: return Layer::Cann;
    case TrackKind::Hardware: return Layer::Hardware;
    case TrackKind::Communication: return isGroupTrack(track) ? Layer::Communication : Layer::CommunicationTasks;
    case TrackKind::Overlap: return Layer::Overlap;
    case TrackKind::Counter: return std::nullopt;
    case TrackKind::Mstx: return Layer::Mstx;
    case TrackKind::Scope: return Layer::Scope;
    case TrackKind::Gc: return Layer::Gc;
    case TrackKind::Other: return Layer::Other;
    }
    return std::nullopt;
}

std::vector<Layer> layersOf(const CaptureStore& capture, const std::vector<RankWindow>& ranks) {
    std::array<bool, kLayers.size()> known{};
    for (const RankWindow& selected : ranks) {
        const auto& trace = capture.ranks[selected.rank.value].trace;
        for (std::uint32_t t = 0; trace != nullptr && t < trace->tracks().size(); ++t) {
            const auto layer = layerOf(trace->track({t}));
            if (layer && trace->extent({t}).sliceCount > 0) known[static_cast<std::size_t>(*layer)] = true;
        }
    }
    std::vector<Layer> layers;
    for (const Layer layer : kLayers) {
        if (known[static_cast<std::size_t>(layer)]) layers.push_back(layer);
    }
    return layers;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> stretchesOf(const TraceStore& trace, const DepthRun& run,
                                                                 const std::optional<std::vector<TimeRange>>& times) {
    if (!times) return {{run.first, run.first + run.count}};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stretches;
    std::uint32_t after = run.first;  // a slice over several times counts once
    for (const TimeRange& time : *times) {
        const std::uint32_t first =
            std::max(after, std::min(trace.firstEndingAfter(run, time.begin), trace.firstBeginningAt(run, time.begin)));
        const std::uint32_t last = trace.firstBeginningAt(run, time.end);
        if (first >= last) continue;
        stretches.emplace_back(first, last);
        after = last;
    }
    return stretches;
}

std::optional<LayerSums> layerSums(std::shared_ptr<const CaptureStore> capture, const std::vector<RankWindow>& ranks,
                                   Layer layer, const CancelToken& cancel) {
    NamesByText names;
    std::vector<RankWindow> timed;
    for (const RankWindow& selected : ranks) {
        if (cancel.cancelled()) return std::nullopt;
        selected.times ? timed.push_back(selected) : addReadyMade(*capture, selected, layer, names);
    }
    const std::vector<LayerPiece> pieces = layerPiecesOf(*capture, timed, layer);
    std::vector<PairTable<LayerName>> tables(std::min(pieces.size(), kTablesOfNames));
    parallelFor(tables.size(), [&](std::size_t t) {
        for (std::size_t p = t; p < pieces.size() && !cancel.cancelled(); p += tables.size())
            addPiece(*capture, pieces[p], tables[t]);
    });
    if (cancel.cancelled()) return std::nullopt;
    for (const PairTable<LayerName>& table : tables) {
        for (const auto& entry : table.entries())
            names[capture->ranks[entry.first()].trace->text(StringId{entry.second()})].add(entry.value);
    }

    LayerSums sums{.capture = std::move(capture), .names = {}};
    for (const auto& [name, sum] : names) {
        sums.names.push_back({name, sum.count, sum.total, sum.self, sum.min, sum.max});
        sums.count += sum.count;
        if (layer != Layer::Overlap || name != "Communication") {
            addSaturated(sums.total, sum.total);
            addSaturated(sums.self, sum.self);
        }
    }
    std::sort(sums.names.begin(), sums.names.end(), [](const NameOfLayer& a, const NameOfLayer& b) {
        return a.total != b.total ? a.total > b.total : a.name < b.name;
    });
    return sums;
}

std::optional<ChosenOfLayer> slicesOfLayer(std::shared_ptr<const CaptureStore> capture,
                                           const std::vector<RankWindow>& ranks, Layer layer, std::string_view name,
                                           const CancelToken& cancel) {
    ChosenOfLayer chosen{
        .selection = {.capture = std::move(capture), .range = {}, .ranks = {}}, .spans = {}, .slices = {}};
    std::vector<const RankWindow*> requested;
    for (const RankWindow& selected : ranks) {
        const auto& trace = chosen.selection.capture->ranks[selected.rank.value].trace;
        if (trace == nullptr || !trace->texts().find(name)) continue;
        SelectedRank rank{.rank = selected.rank, .shift = {}, .tracks = {}};
        for (std::uint32_t t = 0; t < trace->tracks().size(); ++t) {
            if (isOfLayer(trace->track({t}), layer) && trace->extent({t}).sliceCount > 0)
                rank.tracks.push_back({.track = {t}});
        }
        if (rank.tracks.empty()) continue;
        chosen.selection.ranks.push_back(std::move(rank));
        requested.push_back(&selected);
    }
    chosen.spans = spansOf(chosen.selection);
    std::vector<std::vector<std::uint32_t>> slices(chosen.spans.size());
    parallelFor(slices.size(), [&](std::size_t s) {
        const SliceSpan& span = chosen.spans[s];
        const TraceStore& trace = storeOf(chosen.selection, span.selected);
        const StringId wanted = *trace.texts().find(name);
        for (const auto& [first, last] :
             stretchesOf(trace, trace.runOf({span.first}), requested[span.selected]->times)) {
            for (std::uint32_t i = first; i < last; ++i) {
                if ((i - first) % kSlicesOfLayerPiece == 0 && cancel.cancelled()) return;
                if (trace.columns().name[i] == wanted) slices[s].push_back(i);
            }
        }
    });
    if (cancel.cancelled()) return std::nullopt;
    chosen.slices = std::make_shared<const std::vector<std::vector<std::uint32_t>>>(std::move(slices));
    return chosen;
}

}  // namespace altiscope
