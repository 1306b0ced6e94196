#include "views/cluster/data/pipeline_picture.h"

#include "core/analysis/communication/pipeline_blocks.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace altiscope {

namespace {

TimeRange aligned(const ClusterSource& source, RankIndex rank, const TimeRange& own) {
    const auto& clocks = source.job->clocks;
    if (rank.value >= clocks.size() || !clocks[rank.value].isAligned()) return own;
    return {clocks[rank.value].aligned(own.begin), clocks[rank.value].aligned(own.end)};
}

/// Whether all stages have as many passes of both directions; how many.
std::size_t commonCount(const PipelinePicture& picture) {
    std::map<std::pair<std::uint32_t, bool>, std::size_t> counts;
    for (const PipelinePicture::Block& block : picture.blocks) ++counts[{block.lane, block.isBackward}];
    std::set<std::size_t> different;
    for (const auto& [lane, count] : counts) different.insert(count);
    return different.size() == 1 ? *different.begin() : 0;
}

}  // namespace

std::vector<PipelineRanks> pipelinesOf(const ClusterSource& source) {
    std::vector<PipelineRanks> found;
    const RankGrouping* groups = source.places().grouping("pp");
    if (groups == nullptr || source.job->pipeline == nullptr) return found;
    for (const std::vector<std::uint32_t>& members : groups->members()) {
        PipelineRanks made;
        made.stages = static_cast<std::int64_t>(members.size());
        for (const std::uint32_t member : members) {
            const auto& rank = source.places().ranks[member].rank;
            if (!rank || (*source.job->pipeline)[rank->value].empty()) continue;
            if (!source.numbers[rank->value].isInContext) continue;
            made.ranks.emplace_back(groups->place[member], *rank);
        }
        std::sort(made.ranks.begin(), made.ranks.end());
        if (!made.ranks.empty()) found.push_back(std::move(made));
    }
    return found;
}

std::vector<std::optional<std::int64_t>> pipelineSteps(const ClusterSource& source, const PipelineRanks& pipeline) {
    std::set<std::optional<std::int64_t>> steps;
    for (const auto& [stage, rank] : pipeline.ranks) {
        for (const PipelineBlock& block : (*source.job->pipeline)[rank.value]) {
            if (source.context.holdsStep(block.step)) steps.insert(block.step);
        }
    }
    return {steps.begin(), steps.end()};
}

PipelinePicture pipelinePicture(const ClusterSource& source, const PipelineRanks& pipeline,
                                std::optional<std::int64_t> step) {
    PipelinePicture picture;
    picture.pipeline = pipeline;
    picture.step = step;
    for (std::uint32_t lane = 0; lane < pipeline.ranks.size(); ++lane) {
        const RankIndex rank = pipeline.ranks[lane].second;
        for (const PipelineBlock& block : (*source.job->pipeline)[rank.value]) {
            if (block.step != step) continue;
            const TimeRange range = aligned(source, rank, block.range);
            picture.blocks.push_back({range, lane, block.microBatch, block.isBackward, block.range});
            picture.range = picture.blocks.size() == 1 ? range
                                                       : TimeRange{std::min(picture.range.begin, range.begin),
                                                                   std::max(picture.range.end, range.end)};
        }
    }
    std::stable_sort(picture.blocks.begin(), picture.blocks.end(),
                     [](const PipelinePicture::Block& a, const PipelinePicture::Block& b) {
                         return std::tuple(a.lane, a.range.begin) < std::tuple(b.lane, b.range.begin);
                     });
    picture.microBatches = commonCount(picture);
    if (picture.microBatches == 0) return picture;
    std::map<std::tuple<std::int64_t, std::uint32_t, bool>, std::uint32_t> at;  // stage, micro-batch, direction
    for (std::uint32_t b = 0; b < picture.blocks.size(); ++b) {
        const PipelinePicture::Block& block = picture.blocks[b];
        at.emplace(std::tuple(pipeline.ranks[block.lane].first, block.microBatch, block.isBackward), b);
    }
    for (const auto& [place, from] : at) {
        const auto& [stage, microBatch, isBackward] = place;
        const auto to = at.find({stage + (isBackward ? -1 : 1), microBatch, isBackward});
        if (to != at.end()) picture.arrows.push_back({from, to->second});
    }
    return picture;
}

double PipelinePicture::bubbleOf(std::uint32_t lane) const {
    if (range.empty()) return 0;
    std::int64_t busy = 0;
    TimeNs reached = range.begin;
    for (const Block& block : blocks) {
        if (block.lane != lane || block.range.end <= reached) continue;
        busy += (block.range.end - std::max(reached, block.range.begin)).value;
        reached = block.range.end;
    }
    return 1 - static_cast<double>(busy) / static_cast<double>(range.length().value);
}

double PipelinePicture::bubble() const {
    double sum = 0;
    for (std::uint32_t lane = 0; lane < pipeline.ranks.size(); ++lane) sum += bubbleOf(lane);
    return pipeline.ranks.empty() ? 0 : sum / static_cast<double>(pipeline.ranks.size());
}

std::optional<double> PipelinePicture::idealBubble() const {
    if (microBatches == 0 || static_cast<std::int64_t>(pipeline.ranks.size()) != pipeline.stages) return std::nullopt;
    const auto stages = static_cast<double>(pipeline.stages);
    return (stages - 1) / (static_cast<double>(microBatches) + stages - 1);
}

}  // namespace altiscope
