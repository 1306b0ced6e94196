#include "views/cluster/data/cluster_source.h"

#include "core/analysis/communication/link_comparison.h"
#include "core/analysis/communication/pipeline_blocks.h"
#include "core/base/threads/parallel.h"
#include "core/findings/claims.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace altiscope {

namespace {

/// Dimensions of the grid, the innermost first. Experts share ranks with the others.
constexpr std::array kGridKinds{Parallelism::Tensor, Parallelism::Context, Parallelism::Data, Parallelism::Pipeline};

/// The place of a rank in a kind; 0 where it is not known.
std::uint32_t placeOfRank(const ParallelLayout& layout, const PlacedRank& rank, Parallelism kind) {
    const auto at = rank.number ? layout.find(*rank.number) : std::nullopt;
    return at ? static_cast<std::uint32_t>(std::max(0, layout.places[*at][static_cast<std::size_t>(kind)])) : 0;
}

/// All ranks of a job, those that are here and those that are not.
std::vector<PlacedRank> ranksOfJob(const CaptureStore& capture, const ParallelLayout& layout,
                                   const AbsentRanks& absent) {
    std::vector<PlacedRank> ranks;
    std::set<std::int64_t> here;
    for (std::size_t r = 0; r < capture.ranks.size(); ++r) {
        ranks.push_back({capture.ranks[r].info.rankId, rankIndex(r), {}});
        if (ranks.back().number) here.insert(*ranks.back().number);
    }
    std::set<std::int64_t> missing(absent.ranks.begin(), absent.ranks.end());
    // Beside ranks without a number nobody knows who is missing.
    if (here.size() > 0) missing.insert(layout.ranks.begin(), layout.ranks.end());
    for (const std::int64_t number : missing) {
        if (!here.contains(number)) ranks.push_back({number, std::nullopt, {}});
    }
    std::stable_sort(ranks.begin(), ranks.end(),
                     [](const PlacedRank& a, const PlacedRank& b) { return a.number < b.number; });
    return ranks;
}

/// Ranks with the same places are counted in a dimension of their own.
void addOrdinals(RankPlaces& places) {
    std::map<std::vector<std::uint32_t>, std::uint32_t> counts;
    std::uint32_t most = 0;
    std::vector<std::uint32_t> order;
    for (const PlacedRank& rank : places.ranks) {
        order.push_back(counts[rank.at]++);
        most = std::max(most, order.back() + 1);
    }
    if (most < 2) return;
    places.dimensions.insert(places.dimensions.begin(), RankDimension{{}, most});
    for (std::size_t r = 0; r < places.ranks.size(); ++r)
        places.ranks[r].at.insert(places.ranks[r].at.begin(), order[r]);
}

RankGrouping groupingOf(const RankPlaces& places, const ParallelLayout& layout, Parallelism kind) {
    const auto k = static_cast<std::size_t>(kind);
    RankGrouping made;
    made.dimension.kind = parallelismName(kind);
    for (const PlacedRank& rank : places.ranks) {
        const auto at = rank.number ? layout.find(*rank.number) : std::nullopt;
        const std::uint32_t group = at ? layout.groupOf[k][*at] : ParallelLayout::kNoGroup;
        const std::int32_t place = at ? layout.places[*at][k] : kNoParallelPlace;
        made.group.push_back(group == ParallelLayout::kNoGroup ? RankGrouping::kNone : group);
        made.place.push_back(place < 0 ? RankGrouping::kNone : static_cast<std::uint32_t>(place));
        if (made.place.back() != RankGrouping::kNone)
            made.dimension.size = std::max(made.dimension.size, made.place.back() + 1);
    }
    return made;
}

/// What is computed of the collectives of ranks whose files list none.
std::vector<std::shared_ptr<const RowTables>> collectivesOf(const CaptureStore& capture,
                                                            const CaptureAnalysis& analysis,
                                                            const CancelToken& cancel) {
    std::vector<std::shared_ptr<const RowTables>> rows(capture.ranks.size());
    parallelFor(rows.size(), [&](std::size_t r) {
        const RankEntry& rank = capture.ranks[r];
        if (cancel.cancelled()) return;
        const auto has = [](const RowTables* tables) {
            return tables != nullptr && tables->find(RowKind::Collective) != nullptr;
        };
        if (has(rank.rows.get())) {
            rows[r] = rank.rows;
            return;
        }
        const auto computed = analysis.rank(rankIndex(r), cancel);
        if (computed != nullptr && has(computed->rows.get())) rows[r] = computed->rows;
    });
    return rows;
}

/// Links between the ranks of a group, of which files state no times but steps.
std::vector<double> slowLinksOf(const ClusterSource& source, const GroupDelays& group, const CancelToken& cancel) {
    const CaptureStore& capture = *source.capture();
    if (source.context.range || group.ranks.size() > GroupDelays::kMostRanks) return {};
    LinkQuery query;
    query.steps = source.context.steps;
    query.groups = {source.job->arrivals->groups[group.group].name};
    std::vector<std::optional<std::int64_t>> numbers;
    for (const RankIndex rank : group.ranks) {
        const RankEntry& entry = capture.ranks[rank.value];
        numbers.push_back(entry.info.rankId);
        if (entry.rows != nullptr && entry.rows->find(RowKind::Link) != nullptr) query.ranks.push_back(rank);
    }
    if (query.ranks.empty()) return {};
    const auto links = linkMatrix(capture, query, cancel);
    if (links == nullptr) return {};
    return slowLinkDelays(*links, numbers, stepsOfLinks(capture, query, cancel));
}

std::vector<GroupDelays> delaysOf(const ClusterSource& source, const CancelToken& cancel) {
    const CaptureStore& capture = *source.capture();
    DelayQuery query;
    query.steps = source.context.steps;
    query.range = source.context.range;
    for (RankIndex r; r.value < capture.ranks.size(); ++r.value) {
        query.isWanted.push_back(source.context.holds(capture.ranks[r.value].info));
        query.drawnLater.push_back(source.context.shiftOf(r));
    }
    std::vector<GroupDelays> all = groupDelays(*source.job->arrivals, query, cancel);
    parallelFor(all.size(), [&](std::size_t g) {
        if (!cancel.cancelled()) all[g].slowLinks = slowLinksOf(source, all[g], cancel);
    });
    std::stable_sort(all.begin(), all.end(),
                     [](const GroupDelays& a, const GroupDelays& b) { return a.largest() > b.largest(); });
    return all;
}

}  // namespace

std::vector<double> ClusterSource::values(RankMetric metric) const {
    std::vector<double> found;
    found.reserve(places().ranks.size());
    for (const PlacedRank& rank : places().ranks)
        found.push_back(rank.rank ? numbers[rank.rank->value][metric] : std::numeric_limits<double>::quiet_NaN());
    return found;
}

std::int64_t minRanks(const CaptureStore& capture) {
    std::int64_t fewest = 1;
    for (const RankEntry& rank : capture.ranks) fewest = std::max(fewest, rank.info.rankId.value_or(0) + 1);
    return fewest;
}

bool ClusterSource::has(RankMetric metric) const {
    return std::any_of(numbers.begin(), numbers.end(),
                       [metric](const RankNumbers& rank) { return !std::isnan(rank[metric]); });
}

RankPlaces rankPlaces(const CaptureStore& capture, const ParallelLayout& layout, const AbsentRanks& absent) {
    RankPlaces places;
    places.ranks = ranksOfJob(capture, layout, absent);
    for (const Parallelism kind : kGridKinds) {
        std::uint32_t size = 1;
        for (const PlacedRank& rank : places.ranks) size = std::max(size, placeOfRank(layout, rank, kind) + 1);
        if (size < 2) continue;
        places.dimensions.push_back({std::string(parallelismName(kind)), size});
        for (PlacedRank& rank : places.ranks) rank.at.push_back(placeOfRank(layout, rank, kind));
    }
    if (!places.dimensions.empty()) addOrdinals(places);
    for (std::size_t k = 0; k < kParallelisms; ++k) {
        RankGrouping made = groupingOf(places, layout, static_cast<Parallelism>(k));
        const bool isKnown = std::any_of(made.group.begin(), made.group.end(),
                                         [](std::uint32_t group) { return group != RankGrouping::kNone; });
        if (isKnown) places.groupings.push_back(std::move(made));
    }
    return places;
}

std::shared_ptr<const ClusterJob> clusterJob(const std::shared_ptr<const CaptureStore>& capture,
                                             const CaptureAnalysis& analysis, const std::optional<ParallelSizes>& typed,
                                             const CancelToken& cancel) {
    auto job = std::make_shared<ClusterJob>();
    job->capture = capture;
    job->facts = analysis.facts(cancel);
    if (job->facts == nullptr) return nullptr;
    auto numbers = recordedOverview(capture, {}, cancel);
    if (!numbers || !addComputed(*numbers, analysis, cancel)) return nullptr;
    job->steps.capture = capture;
    job->steps.steps = std::move(numbers->steps);
    const auto layout = typed ? std::make_shared<const ParallelLayout>(typedLayout(*typed)) : analysis.layout(cancel);
    if (layout == nullptr) return nullptr;
    job->typed = typed;
    job->arePlacesComputed = layout->sizes && layout->source == ParallelSource::Computed;
    job->places = rankPlaces(*capture, *layout, absentRanks(*capture));
    job->collectives = collectivesOf(*capture, analysis, cancel);
    const auto instances = analysis.allCollectives(cancel);
    if (instances == nullptr) return nullptr;
    job->arrivals = groupArrivals(*capture, job->collectives, *instances, cancel);
    job->pipeline = analysis.pipeline(cancel);
    if (job->pipeline == nullptr) return nullptr;
    const bool anyPass = std::any_of(job->pipeline->begin(), job->pipeline->end(),
                                     [](const std::vector<PipelineBlock>& blocks) { return !blocks.empty(); });
    if (anyPass) {
        auto clocks = alignClocks(*capture, cancel);
        if (!clocks) return nullptr;
        job->clocks = std::move(clocks->ranks);
    }
    return cancel.cancelled() ? nullptr : job;
}

std::shared_ptr<const ClusterSource> clusterSource(std::shared_ptr<const ClusterJob> job, const ContextFilter& context,
                                                   const CancelToken& cancel) {
    auto source = std::make_shared<ClusterSource>();
    source->job = std::move(job);
    source->context = context;
    const CountedSteps counted = countedSteps(source->job->steps, context);
    source->doubtful = counted.doubtful;
    std::set<std::optional<std::int64_t>> steps;
    for (const StepTime& time : counted.times) steps.insert(time.step);
    source->steps.assign(steps.begin(), steps.end());
    source->absent =
        static_cast<std::size_t>(std::count_if(source->places().ranks.begin(), source->places().ranks.end(),
                                               [](const PlacedRank& rank) { return !rank.rank.has_value(); }));
    source->numbers = rankNumbers(
        {*source->capture(), context, counted, source->job->collectives, replayedJob(*source->facts())}, cancel);
    source->delays = delaysOf(*source, cancel);
    return cancel.cancelled() ? nullptr : source;
}

}  // namespace altiscope
