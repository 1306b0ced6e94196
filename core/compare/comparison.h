#pragma once

#include "core/analysis/steps/step_parts.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/compare/change.h"
#include "core/compare/kernel_order.h"
#include "core/query/database.h"
#include "core/store/capture_store.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// One side of a comparison: a capture, or some ranks or steps of it.
struct ComparisonSide {
    std::shared_ptr<const CaptureStore> capture;
    const QueryDatabase* database = nullptr;              ///< Database of the same capture; must outlive the call.
    std::optional<std::vector<std::int64_t>> ranks = {};  ///< Numbers; nullopt: all.
    std::optional<std::vector<std::int64_t>> steps = {};  ///< Numbers; nullopt: all.
};

/// Whether a number is among those of a side; without a number it is only where all are.
bool isChosen(const std::optional<std::vector<std::int64_t>>& numbers, std::optional<std::int64_t> number);

/// "compare.recordings" (file, how many and which) where the chosen ranks are of several recordings: a mean over them
/// says nothing. nullopt: they are of one.
std::optional<Error> severalRecordings(const ComparisonSide& side);

/// Kind of quantity of a difference; core/compare/README.md has key and value of each.
enum class Dimension : std::uint8_t {
    Category,
    Operator,
    Kernel,
    KernelType,
    Api,
    Collective,
    Link,
    Memory,
    Finding,
    Role
};
inline constexpr std::size_t kDimensions = static_cast<std::size_t>(Dimension::Role) + 1;
std::string_view dimensionName(Dimension dimension);  ///< "category", "operator", ...

/// Unit of the numbers of a difference.
enum class DifferenceUnit : std::uint8_t { Nanoseconds, Bytes, Count };
std::string_view differenceUnitName(DifferenceUnit unit);  ///< "ns", "bytes", "count"

/// Steps of one side that lie beyond all noise of the other, where the rest of them does not.
struct StepsApart {
    bool isCurrent = true;             ///< The side whose steps these are.
    std::size_t count = 0, steps = 0;  ///< Steps apart, and those of the side.
    std::int64_t change = 0;           ///< Their mean - the mean of the other side, ns or bytes.
};

/// One quantity that is not the same on both sides.
struct Difference {
    enum class Side : std::uint8_t { Both, Base, Current };

    Dimension dimension = Dimension::Category;
    /// Subject: "computing", a name, of kernels "name | type | shapes", of links "0-1 HCCS"; repaired UTF-8 is
    /// the writer's concern.
    std::string key;
    std::optional<std::int64_t> rankId;  ///< nullopt: mean of the ranks (of memory and links: see comparison.cpp).
    /// Ranks of a finding that each side has on other ones, ascending. It is one difference without a rank, whose
    /// values are the sums over the ranks.
    std::vector<std::int64_t> baseRanks = {}, currentRanks = {};
    DifferenceUnit unit = DifferenceUnit::Nanoseconds;
    Change change;
    /// Where it occurs; of what does not, though it is recorded there, the value is 0.
    Side onlyIn = Side::Both;
    /// Place in Comparison::differences of the one that explains it, where it would be significant by itself.
    std::optional<std::size_t> cause = {};
    /// Outliers of a part of a step.
    std::optional<StepsApart> apart = {};
};

/// "2, 5 -> 3" of a finding that is on other ranks; empty for everything else.
std::string otherRanksText(const Difference& difference);

/// A rule of findings, and the rank that it is about; nullopt: all.
struct RankedRule {
    std::string rule;
    std::optional<std::int64_t> rankId;
    bool operator==(const RankedRule&) const = default;
};

struct Comparison;

/// One of several recordings of the same ranks on both sides.
struct RoleComparison {
    std::string name;  ///< See Recordings.
    std::shared_ptr<const Comparison> comparison;
};

/// Differences between two sides. Constant; holds no reference to them.
struct Comparison {
    /// Differences of a dimension that are kept: those that changed most.
    static constexpr std::size_t kMaxOfDimension = 5000;

    std::string base, current;  ///< Paths, as the user gave them.
    std::size_t baseSteps = 0, currentSteps = 0, baseRanks = 0, currentRanks = 0;
    std::optional<Change> step;            ///< nullopt where a side does not state all parts of a step.
    std::optional<StepsApart> stepsApart;  ///< Outliers of the time of a step.
    /// That a change of the step as large as this is noise, by itself.
    std::optional<double> stepProbability;
    /// Nothing states steps on this side: its recording counts as one step. Where only one side has steps, neither
    /// their times nor their counts are compared.
    bool isBaseRecording = false, isCurrentRecording = false;
    /// Steps of ranks of the base, the current side whose events do not add up to what the profiler recorded: their
    /// times are left out.
    std::array<std::size_t, 2> doubtfulSteps{};
    bool isOneCapture = false;  ///< Ranks or steps of one capture.
    /// Share of the kernels of a step on both sides, without collectives, that have a counterpart of the same name,
    /// type and shapes, as far as both sides recorded those; where only one side has steps, of how often each runs
    /// beside the others. nullopt where a side has no kernels.
    std::optional<double> commonWork;
    /// Time in a step of the kernels that the base, the current side runs more often, whatever their shapes, ns: by how
    /// much more often each runs, times how long one lasts. nullopt where commonWork is, or where only one side has
    /// steps.
    std::optional<std::array<double, 2>> ownWork;
    /// Bytes that the program holds at the end of memory snapshots, mean over the ranks; nullopt where a side has none.
    std::optional<std::array<std::int64_t, 2>> atEnd;
    /// Data that one side recorded and the other one did not at all: names of dimensions, "types" and "shapes" of
    /// kernels.
    std::vector<std::string> baseLacks, currentLacks;
    /// High findings of rules that find nothing on the base, on the current side, though it recorded what they look
    /// at; the worst first.
    std::vector<RankedRule> newHigh, goneHigh;
    /// High findings in what the base, the current side did not record: of the other side; the worst first.
    std::vector<RankedRule> baseUnseen, currentUnseen;
    /// Means over ranks and steps of the base and the current side, ns, in the order of kWholeStep; nullopt: not known.
    std::array<std::optional<std::array<std::int64_t, 2>>, kWholeStep.size()> parts{};
    /// The largest change first: times by their share of a step, bytes by their share of the memory, counts last. What
    /// is equal on both sides is left out.
    std::vector<Difference> differences;
    std::array<std::size_t, kDimensions> omitted{};  ///< By dimension: further ones beyond kMaxOfDimension.
    std::size_t significant = 0;                     ///< Differences that are significant, with those omitted.
    /// By dimension: quantities that are left out since the base, the current side did not record them.
    std::array<std::array<std::size_t, 2>, kDimensions> unrecorded{};
    /// Where both sides have several recordings of the same ranks: those of equal names, the largest change of a step
    /// first. Then all differences are of Dimension::Role, and `step` is not known.
    std::vector<RoleComparison> roles;
    /// The kernels of a step of each side in their order; nullopt where a side has none.
    std::optional<OrderComparison> order;
};

/// Compares two runs, ranks or steps. Each quantity has one value per step, the mean over the ranks that recorded it in
/// this step (or that of one rank); base and current are the means over the steps of which it is known. What a side did
/// not record has no difference, and is no finding of the other side's. Where both sides have several recordings of the
/// same ranks, those of equal names are compared, each by itself. Intervals: differenceOfMeans(). Significance:
/// significantOnes() by itself for the time of a step, its parts, its parts by rank, each at a fifth of kFalseRate, and
/// at two fifths for all other differences together; of the time of a step and its parts valuesApart() counts too. What
/// another difference explains is not significant by itself and names it (explainByCauses()). Operators count with
/// their own time on the host (self_dur) without collections of garbage, which count as operators of their own, and
/// without waiting for the device; kernels with their time on the device, calls of CANN with their own time,
/// collectives by type with `elapsed`, links with the time of their transfers, memory with the highest value in a step,
/// of snapshots also with that at the end, findings with their recoverable time. Steps are those of step_breakdown.
/// @return Error as QueryDatabase::run; "compare.no_rank" or "compare.no_step" (file, number) where a side chooses what
/// its capture does not have; severalRecordings() where both sides have none of one name in common; "compare.no_steps"
/// (file) where the chosen ranks have none of the chosen steps.
/// @note  Parallel on the arena. O(kernels + operators + calls of CANN).
Result<Comparison> compareSides(const ComparisonSide& base, const ComparisonSide& current, const CancelToken& cancel);

/// Share of comparisons without any change in which something is called significant nevertheless.
inline constexpr double kFalseRate = 0.02;

/// "4 of 8 steps take 14.3 ms longer.", in the language "en" or "zh_CN".
std::string stepsApartText(const StepsApart& apart, std::string_view language);

/// Verdict on the time of a step. The sentence follows the step's own interval.
enum class StepVerdict : std::uint8_t {
    None,         ///< Its time is not known on both sides, or only one side has steps.
    Equal,        ///< To the ns.
    Same,         ///< The interval holds 0, and no change of weight.
    Unclear,      ///< The interval holds 0 and changes of weight: too few steps for how much they vary.
    Slower,       ///< Significant; also where one side has a single step, so that nothing is known about noise.
    Faster,       ///< As Slower.
    AboutSlower,  ///< The interval holds no 0, but by chance it may be so, or the steps are too few to be sure.
    AboutFaster,  ///< As AboutSlower.
};
std::string_view stepVerdictName(StepVerdict verdict);  ///< "none", "equal", ..., "about_slower"
StepVerdict stepVerdict(const Comparison& comparison);
/// Share of common work below which both sides do different work: less is one operator more or less.
inline constexpr double kSameWork = 0.95;
/// With fewer steps on a side nobody can see whether their noise is what the test assumes.
inline constexpr std::size_t kFewestSureSteps = 4;

/// The result in some short sentences: what differs in the work itself, how much slower or faster a step is, which part
/// of it on which ranks and what made that, how sure this is, memory, high findings that came or went, and what one
/// side did not record. The same text everywhere.
/// @param language  "en" or "zh_CN".
std::string comparisonSentence(const Comparison& comparison, std::string_view language);

}  // namespace altiscope
