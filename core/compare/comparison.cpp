#include "core/compare/comparison.h"

#include "core/analysis/support/recordings.h"
#include "core/base/threads/parallel.h"
#include "core/compare/differences.h"
#include "core/compare/measures.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

/// The first number that a side chooses and its capture does not have.
std::optional<Error> unknownNumber(const ComparisonSide& side, const std::vector<StepTimes>& times) {
    std::set<std::int64_t> ranks, steps;
    for (const RankEntry& rank : side.capture->ranks)
        if (rank.info.rankId) ranks.insert(*rank.info.rankId);
    for (const StepTimes& row : times) {
        if (row.rankId) ranks.insert(*row.rankId);
        if (row.step) steps.insert(*row.step);
    }
    const std::tuple<const char*, const std::optional<std::vector<std::int64_t>>&, const std::set<std::int64_t>&>
        lists[] = {{"compare.no_rank", side.ranks, ranks}, {"compare.no_step", side.steps, steps}};
    for (const auto& [code, chosen, known] : lists) {
        if (!chosen) continue;
        for (const std::int64_t number : *chosen)
            if (!known.contains(number))
                return Error{code, side.capture->path, {}, {{"number", std::to_string(number)}}};
    }
    return std::nullopt;
}

/// Which part of a capture a side is.
Result<MeasuredSide> openSide(const ComparisonSide& side, const CancelToken& cancel) {
    auto times = readStepTimes(*side.database, cancel);
    if (!times.ok()) return times.as<MeasuredSide>();
    if (auto unknown = unknownNumber(side, times.value())) return *unknown;
    if (auto mixed = severalRecordings(side)) return *mixed;
    auto owned = std::make_unique<const MeasuredPart>(side, std::move(times).value());
    const MeasuredPart& part = *owned;
    if (part.stepCount() == 0) return Error{"compare.no_steps", side.capture->path, {}, {}};
    return MeasuredSide{.capture = side.capture.get(),
                        .steps = part.stepCount(),
                        .ranks = part.rankCount(),
                        .rankIds = part.rankIds(),
                        .part = std::move(owned),
                        .measures = std::make_unique<Measures>(part.stepCount())};
}

Result<Done> measureSide(const ComparisonSide& side, MeasuredSide& measured, const RecordedTexts& texts,
                         bool areSingleRanks, const CancelToken& cancel) {
    const MeasuredPart& part = *measured.part;
    Measures& to = *measured.measures;
    measureCategories(part, to);
    using Reader = std::function<Result<Done>()>;
    const Reader readers[] = {[&] { return measureRows(side, part, texts, to, cancel); },
                              [&] { return measureCollectives(side, part, to, cancel); },
                              [&] { return measureFindings(side, areSingleRanks, to, cancel); }};
    for (const Reader& read : readers)
        if (auto done = read(); !done.ok()) return done;
    return Done{};
}

/// What the kernels of a side have beside their names; all of a side without kernels, where it hides nothing.
RecordedTexts kernelTextsOf(const ComparisonSide& side, const MeasuredPart& part, const CancelToken& cancel) {
    RecordedTexts texts;
    bool any = false;
    for (const RankIndex rank : part.ranks()) {
        const RowTables* tables = side.capture->ranks[rank.value].rows.get();
        if (tables == nullptr || tables->find(RowKind::Kernel) == nullptr) continue;
        any = true;
        const auto ofRank = recordedTexts(side, part, rank, cancel);
        if (!ofRank) break;
        texts.types = texts.types || ofRank->types;
        texts.shapes = texts.shapes || ofRank->shapes;
        if (texts.types && texts.shapes) break;
    }
    return any ? texts : RecordedTexts{.types = true, .shapes = true};
}

/// How often a kernel runs in a step of a rank, and how long one takes, ns.
struct KernelWork {
    double count = 0, time = 0;
};

KernelWork workOf(const Measures& side, const std::string& key) {
    const auto found = side.kernels().find(key);
    if (found == side.kernels().end()) return {};
    const auto count = static_cast<double>(found->second);
    double time = 0;
    const auto sums = side.all().find({.dimension = Dimension::Kernel, .unit = {}, .rankId = {}, .key = key});
    if (sums != side.all().end())
        for (const StepSum& sum : sums->second.sums) time += sum.sum;
    return {.count = count / side.recordedSteps(Dimension::Kernel), .time = time / count};
}

/// Which kernels of a step and rank have a counterpart on the other side, and what those take that have none.
void addWork(const MeasuredSide& base, const MeasuredSide& current, Comparison& comparison) {
    const Measures &first = *base.measures, &second = *current.measures;
    const bool areAlike = base.part->isOfRecording() == current.part->isOfRecording();
    if (!areAlike || first.kernels().empty() || second.kernels().empty()) return;
    double common = 0, all = 0, added = 0;
    for (const auto& [key, count] : first.kernels()) {
        const KernelWork before = workOf(first, key), now = workOf(second, key);
        common += 2 * std::min(before.count, now.count);
        all += before.count;
        added += (now.count - before.count) * (now.count > before.count ? now.time : before.time);
    }
    for (const auto& [key, count] : second.kernels()) {
        const KernelWork now = workOf(second, key);
        all += now.count;
        if (!first.kernels().contains(key)) added += now.count * now.time;
    }
    comparison.commonWork = common / all;
    comparison.addedWork = added;
}

/// What one side recorded and the other one did not at all.
void addLacks(const Measures& base, const Measures& current, const std::array<RecordedTexts, 2>& texts,
              Comparison& comparison) {
    const auto add = [&comparison](std::string_view what, bool isInBase, bool isInCurrent) {
        if (isInBase != isInCurrent) (isInBase ? comparison.currentLacks : comparison.baseLacks).emplace_back(what);
    };
    for (std::size_t i = 0; i < kDimensions; ++i) {
        const auto dimension = static_cast<Dimension>(i);
        const bool isOfKernels = dimension == Dimension::KernelType || dimension == Dimension::Finding;
        if (!isOfKernels) add(dimensionName(dimension), base.has(dimension), current.has(dimension));
    }
    add("types", texts[0].types, texts[1].types);
    add("shapes", texts[0].shapes, texts[1].shapes);
}

/// High findings of rules that find nothing at all on the other side.
std::vector<RankedRule> onlyOn(const Measures& side, const Measures& other) {
    std::vector<RankedRule> found;
    for (const RankedRule& one : side.highFindings())
        if (!other.hasFinding(one.rule)) found.push_back(one);
    return found;
}

}  // namespace

std::optional<Error> severalRecordings(const ComparisonSide& side) {
    const Recordings all = recordingsOf(*side.capture);
    std::set<std::uint32_t> chosen;
    for (std::size_t r = 0; r < all.ofRank.size(); ++r)
        if (isChosen(side.ranks, side.capture->ranks[r].info.rankId)) chosen.insert(all.ofRank[r]);
    if (chosen.size() < 2) return std::nullopt;
    return Error{"compare.recordings",
                 side.capture->path,
                 {},
                 {{"count", std::to_string(all.names.size())}, {"recordings", recordingNames(all)}}};
}

bool isChosen(const std::optional<std::vector<std::int64_t>>& numbers, std::optional<std::int64_t> number) {
    return !numbers || (number && std::find(numbers->begin(), numbers->end(), *number) != numbers->end());
}

std::string otherRanksText(const Difference& difference) {
    std::string text;
    for (const std::int64_t rank : difference.baseRanks) text += (text.empty() ? "" : ", ") + std::to_string(rank);
    if (text.empty()) return text;
    text += " -> ";
    for (std::size_t i = 0; i < difference.currentRanks.size(); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(difference.currentRanks[i]);
    return text;
}

std::string_view dimensionName(Dimension dimension) {
    switch (dimension) {
    case Dimension::Category: return "category";
    case Dimension::Operator: return "operator";
    case Dimension::Kernel: return "kernel";
    case Dimension::KernelType: return "kernel_type";
    case Dimension::Api: return "api";
    case Dimension::Collective: return "collective";
    case Dimension::Link: return "link";
    case Dimension::Memory: return "memory";
    case Dimension::Finding: return "finding";
    }
    return {};
}

std::string_view differenceUnitName(DifferenceUnit unit) {
    switch (unit) {
    case DifferenceUnit::Nanoseconds: return "ns";
    case DifferenceUnit::Bytes: return "bytes";
    case DifferenceUnit::Count: return "count";
    }
    return {};
}

Result<Comparison> compareSides(const ComparisonSide& base, const ComparisonSide& current, const CancelToken& cancel) {
    const ComparisonSide* const sides[] = {&base, &current};
    std::array<std::optional<Result<MeasuredSide>>, 2> opened;
    std::array<RecordedTexts, 2> texts;
    parallelFor(2, [&](std::size_t i) {
        opened[i] = openSide(*sides[i], cancel);
        if (opened[i]->ok()) texts[i] = kernelTextsOf(*sides[i], *opened[i]->value().part, cancel);
    });
    for (const auto& side : opened)
        if (!side->ok()) return side->as<Comparison>();
    MeasuredSide first = std::move(*opened[0]).value(), second = std::move(*opened[1]).value();
    const RecordedTexts common{.types = texts[0].types && texts[1].types, .shapes = texts[0].shapes && texts[1].shapes};
    const bool areSingleRanks = first.rankIds.size() < 2 && second.rankIds.size() < 2;
    std::array<std::optional<Result<Done>>, 2> measured;
    parallelFor(2, [&](std::size_t i) {
        measured[i] = measureSide(*sides[i], i == 0 ? first : second, common, areSingleRanks, cancel);
    });
    for (const auto& side : measured)
        if (!side->ok()) return side->as<Comparison>();
    for (const std::size_t i : {0, 1})
        if ((i == 0 ? first : second).measures->all().empty())
            return Error{"compare.no_data", sides[i]->capture->path, {}, {}};
    Comparison comparison;
    comparison.base = base.capture->path;
    comparison.current = current.capture->path;
    comparison.baseSteps = first.steps;
    comparison.currentSteps = second.steps;
    comparison.baseRanks = first.ranks;
    comparison.currentRanks = second.ranks;
    comparison.isBaseRecording = first.part->isOfRecording();
    comparison.isCurrentRecording = second.part->isOfRecording();
    comparison.isOneCapture = base.capture == current.capture;
    addWork(first, second, comparison);
    comparison.newHigh = onlyOn(*second.measures, *first.measures);
    comparison.goneHigh = onlyOn(*first.measures, *second.measures);
    addLacks(*first.measures, *second.measures, texts, comparison);
    if (!addDifferences(first, second, comparison, cancel)) return Cancelled{};
    comparison.order = compareOrder(base, *first.part, current, *second.part, cancel);
    if (cancel.cancelled()) return Cancelled{};
    return comparison;
}

}  // namespace altiscope
