#include "core/analysis/slices/stream_models.h"

#include "core/analysis/slices/slice_details.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace altiscope {

namespace {

constexpr std::int64_t kNoModel = 4294967295;
constexpr std::size_t kStreamsBetweenPolls = 32;

std::optional<std::int64_t> modelIn(const std::string& arguments) {
    for (const Argument& argument : splitArguments(arguments)) {
        if (argument.key != "Model Id") continue;
        const auto id = wholeNumber(argument.text);
        return id && *id >= 0 && *id != kNoModel ? id : std::nullopt;
    }
    return std::nullopt;
}

/// By slice; nullopt also where its arguments cannot be read.
std::vector<std::optional<std::int64_t>> modelsOf(const RankEntry& rank, const std::vector<SliceIndex>& slices) {
    std::vector<SourcePos> positions;
    for (const SliceIndex slice : slices) positions.push_back(rank.trace->pos(slice));
    std::vector<std::optional<std::int64_t>> models(slices.size());
    rank.arguments->each(positions, [&](std::size_t i, const Result<std::string_view>& text) {
        if (text.ok()) models[i] = modelIn(std::string(text.value()));
    });
    return models;
}

}  // namespace

StreamModels streamModels(const RankEntry& rank, const CancelToken& cancel) {
    StreamModels models;
    if (rank.trace == nullptr || rank.arguments == nullptr) return models;
    const TraceStore& trace = *rank.trace;
    std::size_t streams = 0;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (trace.track({t}).kind != TrackKind::Hardware || trace.extent({t}).sliceCount == 0) continue;
        if (++streams % kStreamsBetweenPolls == 0 && cancel.cancelled()) return models;
        // The tasks of a stream do not overlap: nearly all are of the outermost depth.
        const DepthRun& run = trace.runs(TrackIndex{t}).front();
        const auto first = modelsOf(rank, {{run.first}}).front();
        if (!first) continue;
        const auto others = modelsOf(rank, {{run.first + run.count / 2}, {run.first + run.count - 1}});
        if (std::all_of(others.begin(), others.end(), [&](const auto& other) { return other == first; }))
            models.emplace(t, *first);
    }
    std::set<std::int64_t> known;
    for (const auto& [track, model] : models) known.insert(model);
    if (known.size() == 1 && models.size() == streams) models.clear();
    return models;
}

}  // namespace altiscope
