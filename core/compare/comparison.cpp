#include "core/compare/comparison.h"

#include "core/analysis/support/recordings.h"
#include "core/base/threads/parallel.h"
#include "core/compare/differences.h"
#include "core/compare/measures.h"
#include "core/compare/role_comparison.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
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
                              [&] { return measureSnapshots(side, part, to, cancel); },
                              [&] { return measureCollectives(side, part, to, cancel); },
                              [&] { return measureFindings(side, areSingleRanks, to, cancel); }};
    for (const Reader& read : readers)
        if (auto done = read(); !done.ok()) return done;
    return Done{};
}

/// Facts that the kernels of a side have beside their names; all of a side without kernels, where it hides nothing.
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

/// How often kernels run in a step of a rank, and how long they take in all, ns.
struct KernelWork {
    double count = 0, time = 0;
};

KernelWork workOf(const Measures& side, const std::string& key, std::size_t count) {
    const double steps = side.recordedSteps(Dimension::Kernel);
    double time = 0;
    const auto sums = side.all().find({.dimension = Dimension::Kernel, .unit = {}, .rankId = {}, .key = key});
    if (sums != side.all().end())
        for (const StepSum& sum : sums->second.sums) time += sum.sum;
    return {.count = static_cast<double>(count) / steps, .time = time / steps};
}

/// "name | type" of "name | type | shapes": what has other shapes does the same more or less.
std::string_view withoutShapes(std::string_view key) { return key.substr(0, std::min(key.rfind(" | "), key.size())); }

using WorkOfSides = std::map<std::string_view, std::array<KernelWork, 2>>;

/// Time of the kernels that each side runs more often than the other, whatever their shapes.
std::array<double, 2> ownWorkOf(const WorkOfSides& kernels) {
    std::array<double, 2> own{};
    for (const auto& [name, sides] : kernels) {
        const double more = sides[1].count - sides[0].count;
        const std::size_t side = more > 0 ? 1 : 0;
        if (sides[side].count > 0) own[side] += std::abs(more) * sides[side].time / sides[side].count;
    }
    return own;
}

/// Which kernels of a step and rank have a counterpart on the other side, and what those take that have none.
void addWork(const MeasuredSide& base, const MeasuredSide& current, Comparison& comparison) {
    const Measures* const sides[] = {base.measures.get(), current.measures.get()};
    if (sides[0]->kernels().empty() || sides[1]->kernels().empty()) return;
    WorkOfSides byKey, byName;
    std::array<double, 2> all{};
    for (const std::size_t side : {0, 1}) {
        for (const auto& [key, count] : sides[side]->kernels()) {
            const KernelWork work = workOf(*sides[side], key, count);
            byKey[key][side] = work;
            KernelWork& ofName = byName[withoutShapes(key)][side];
            ofName.count += work.count;
            ofName.time += work.time;
            all[side] += work.count;
        }
    }
    const bool areAlike = base.part->isOfRecording() == current.part->isOfRecording();
    // How many steps a recording without any holds is not known.
    const double scale = areAlike ? 1 : all[0] / all[1];
    double common = 0;
    for (const auto& [key, work] : byKey) common += 2 * std::min(work[0].count, work[1].count * scale);
    comparison.commonWork = common / (all[0] + all[1] * scale);
    if (areAlike) comparison.ownWork = ownWorkOf(byName);
}

/// Names what a side recorded, in the words of what rules need.
RecordedWords recordedWords(const MeasuredSide& side, const RecordedTexts& texts) {
    RecordedWords words;
    for (std::size_t i = 0; i < kDimensions; ++i)
        if (side.measures->has(static_cast<Dimension>(i))) words.emplace(dimensionName(static_cast<Dimension>(i)));
    if (words.contains("kernel") && texts.types) words.emplace("types");
    if (words.contains("kernel") && texts.shapes) words.emplace("shapes");
    if (!side.part->isOfRecording()) words.emplace("steps");
    if (side.ranks > 1) words.emplace("peers");
    for (const RankIndex index : side.part->ranks()) {
        const RankEntry& rank = side.capture->ranks[index.value];
        const auto lacks = [&rank](std::string_view what) {
            const auto& missing = rank.info.missing;
            return std::any_of(missing.begin(), missing.end(),
                               [what](const MissingData& one) { return one.what == what; });
        };
        for (const std::string_view what : {"gc", "ai_core_metrics"})
            if (rank.trace != nullptr && !lacks(what)) words.emplace(what);
        if (rank.rows != nullptr && rank.rows->find(RowKind::SnapshotEvent) != nullptr) words.emplace("snapshot");
    }
    return words;
}

/// Data that one side recorded and the other one did not at all.
void addLacks(const Measures& base, const Measures& current, const std::array<RecordedTexts, 2>& texts,
              Comparison& comparison) {
    const auto add = [&comparison](std::string_view what, bool isInBase, bool isInCurrent) {
        if (isInBase != isInCurrent) (isInBase ? comparison.currentLacks : comparison.baseLacks).emplace_back(what);
    };
    for (std::size_t i = 0; i < kDimensions; ++i) {
        const auto dimension = static_cast<Dimension>(i);
        const bool isOfOthers =
            dimension == Dimension::KernelType || dimension == Dimension::Finding || dimension == Dimension::Role;
        if (!isOfOthers) add(dimensionName(dimension), base.has(dimension), current.has(dimension));
    }
    add("types", texts[0].types, texts[1].types);
    add("shapes", texts[0].shapes, texts[1].shapes);
}

/// Adds high findings of rules that find nothing at all on the other side, by whether they could. Where only steps or
/// peers are missing neither is said: that the sides differ in these is said anyway.
void addOnlyOn(const Measures& side, const Measures& other, std::vector<RankedRule>& could,
               std::vector<RankedRule>& couldNot) {
    RecordedWords words = other.recorded();
    words.insert({"steps", "peers"});
    for (const RankedRule& one : side.highFindings()) {
        if (other.hasFinding(one.rule)) continue;
        if (other.canFind(one.rule)) could.push_back(one);
        else if (!canFindIn(one.rule, words)) couldNot.push_back(one);
    }
}

std::size_t doubtfulSteps(const MeasuredSide& side) {
    const auto& times = side.part->times();
    return static_cast<std::size_t>(
        std::count_if(times.begin(), times.end(), [](const StepTimes& step) { return step.isDoubtful; }));
}

/// A comparison that says which parts of which captures it compares, and nothing else yet.
Comparison comparedParts(const MeasuredSide& base, const MeasuredSide& current) {
    Comparison comparison;
    comparison.base = base.capture->path;
    comparison.current = current.capture->path;
    comparison.baseSteps = base.steps;
    comparison.currentSteps = current.steps;
    comparison.baseRanks = base.ranks;
    comparison.currentRanks = current.ranks;
    comparison.isBaseRecording = base.part->isOfRecording();
    comparison.isCurrentRecording = current.part->isOfRecording();
    comparison.doubtfulSteps = {doubtfulSteps(base), doubtfulSteps(current)};
    comparison.isOneCapture = base.capture == current.capture;
    return comparison;
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
    case Dimension::Role: return "role";
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
    if (auto roles = compareRoles(base, current, cancel)) return *std::move(roles);
    const ComparisonSide* const sides[] = {&base, &current};
    std::array<std::optional<Result<MeasuredSide>>, 2> opened;
    std::array<RecordedTexts, 2> texts;
    parallelFor(2, [&](std::size_t i) {
        opened[i] = openSide(*sides[i], cancel);
        if (opened[i]->ok()) texts[i] = kernelTextsOf(*sides[i], *opened[i]->value().part, cancel);
    });
    for (const auto& side : opened)
        if (!side->ok()) return side->as<Comparison>();
    std::array<MeasuredSide, 2> measured{std::move(*opened[0]).value(), std::move(*opened[1]).value()};
    const MeasuredSide &first = measured[0], &second = measured[1];
    const RecordedTexts common{.types = texts[0].types && texts[1].types, .shapes = texts[0].shapes && texts[1].shapes};
    const bool areSingleRanks = first.rankIds.size() < 2 && second.rankIds.size() < 2;
    std::array<std::optional<Result<Done>>, 2> done;
    parallelFor(2,
                [&](std::size_t i) { done[i] = measureSide(*sides[i], measured[i], common, areSingleRanks, cancel); });
    for (const auto& side : done)
        if (!side->ok()) return side->as<Comparison>();
    for (const std::size_t i : {0, 1})
        if (measured[i].measures->all().empty()) return Error{"compare.no_data", sides[i]->capture->path, {}, {}};
    const bool areRecordings = first.part->isOfRecording() && second.part->isOfRecording();
    for (const std::size_t i : {0, 1}) {
        RecordedWords words = recordedWords(measured[i], texts[i]);
        if (areRecordings) words.emplace("steps");  // neither is rated by the share of a step
        measured[i].measures->setRecorded(std::move(words));
    }
    Comparison comparison = comparedParts(first, second);
    addWork(first, second, comparison);
    addOnlyOn(*second.measures, *first.measures, comparison.newHigh, comparison.baseUnseen);
    addOnlyOn(*first.measures, *second.measures, comparison.goneHigh, comparison.currentUnseen);
    addLacks(*first.measures, *second.measures, texts, comparison);
    if (!addDifferences(first, second, comparison, cancel)) return Cancelled{};
    comparison.order = compareOrder(base, *first.part, current, *second.part, cancel);
    if (cancel.cancelled()) return Cancelled{};
    return comparison;
}

}  // namespace altiscope
