#pragma once

#include "core/compare/comparison.h"
#include "core/compare/rule_needs.h"
#include "core/compare/statistics.h"
#include "core/compare/step_kernels.h"
#include "core/compare/step_times.h"

#include <array>
#include <compare>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

/// Measures of a side.
struct MeasureKey {
    Dimension dimension = Dimension::Category;
    DifferenceUnit unit = DifferenceUnit::Nanoseconds;
    std::optional<std::int64_t> rankId{};
    std::string key;
    auto operator<=>(const MeasureKey&) const = default;
};

/// Keys of memory in snapshots: what the program holds at the end, in all and by call stack (this, then its frames).
inline constexpr std::string_view kEndAllocated = "end_allocated", kOfStack = "stack | ", kBetweenFrames = " < ";

/// Values of a quantity in one step on some ranks.
struct StepSum {
    std::uint32_t step = 0;   ///< Its place among those that are looked at.
    std::uint32_t ranks = 1;  ///< Summed up.
    double sum = 0;
};

/// Adds to the sums of one rank. They may come in any order, one step several times.
void addTo(std::vector<StepSum>& sums, std::size_t step, double value);

/// One quantity by step: sums over the ranks that have it. Sums of whole numbers do not depend on the order in which
/// ranks are read. Of findings, which belong to no step, one value.
struct Measure {
    std::vector<StepSum> sums;  ///< By step, only those in which it occurs.
    /// For a link: the rank whose files hold it, which thus says where it carried nothing.
    std::optional<std::int64_t> recorder{};
};

/// Values of a quantity in the steps of which it is known, in the order of the steps.
struct StepValues {
    std::vector<std::uint32_t> steps;  ///< Indexes among those that are looked at.
    std::vector<double> values;
};

/// Which ranks and steps of a capture are looked at.
class MeasuredPart {
public:
    /// @param times  Of all ranks and steps of the capture.
    MeasuredPart(const ComparisonSide& side, std::vector<StepTimes> times);

    /// Rows of the ranks and steps that are looked at.
    const std::vector<StepTimes>& times() const { return m_times; }
    std::size_t stepCount() const { return m_steps.size(); }
    std::size_t rankCount() const { return m_ranks.size(); }
    /// Place of a step among those that are looked at; nullopt if it is none of them.
    std::optional<std::size_t> step(std::optional<std::int64_t> number) const;
    bool hasRank(std::optional<std::int64_t> rank) const;
    /// The role of a rank by its metadata ("actor"); empty: they name none. O(ranks).
    std::string_view role(std::optional<std::int64_t> rank) const;
    /// Numbers of the steps, ascending; nullopt stands for the recording as a whole.
    std::vector<std::optional<std::int64_t>> stepNumbers() const;
    /// Whether nothing states steps, so that the recording counts as one.
    bool isOfRecording() const { return m_steps.size() == 1 && !m_steps.begin()->first; }
    const std::vector<RankIndex>& ranks() const { return m_ranks; }
    /// Numbers of the ranks that are looked at and that files or step times name.
    const std::set<std::int64_t>& rankIds() const { return m_rankIds; }
    /// The one of several devices of a rank that its step times are of; nullopt where it recorded one.
    std::optional<std::int64_t> device(std::optional<std::int64_t> rank) const;

private:
    const ComparisonSide& m_side;
    std::vector<StepTimes> m_times;
    std::map<std::optional<std::int64_t>, std::size_t> m_steps;
    std::vector<RankIndex> m_ranks;
    std::set<std::int64_t> m_rankIds;
    std::map<std::optional<std::int64_t>, std::int64_t> m_devices;
};

/// All quantities of one side. Adding is thread-safe.
class Measures {
public:
    explicit Measures(std::size_t steps) : m_stepCount(steps) {}

    /// Adds what one rank has, or the sums of several.
    void add(const MeasureKey& key, std::vector<StepSum> sums);
    /// Sets a value that belongs to no step.
    void set(const MeasureKey& key, double value);
    /// Says in which steps one rank recorded a dimension: what does not occur there is 0, elsewhere it is not known.
    /// Parts of a step and memory are known where they have a value.
    void addRecorded(Dimension dimension, const std::vector<bool>& steps);
    /// The same of links, which each rank records for itself.
    void addRecordedLinks(std::optional<std::int64_t> rank, const std::vector<bool>& steps);
    /// Adds what one rank waits in collectives of a type: their time in which no data moves, ns of all steps.
    void addFinding(const RankedRule& finding, bool isHigh);
    /// Says what the side recorded. @pre Nothing reads or adds meanwhile.
    void setRecorded(RecordedWords words) { m_words = std::move(words); }
    const RecordedWords& recorded() const { return m_words; }
    /// Whether a rule could find anything here.
    bool canFind(std::string_view rule) const { return canFindIn(rule, m_words); }
    /// Whether a rule found anything, on whatever rank; and what it found of high severity.
    bool hasFinding(const std::string& rule) const { return m_rules.contains(rule); }
    const std::vector<RankedRule>& highFindings() const { return m_highFindings; }
    void addWaits(const std::string& type, double sum);
    /// For a type of collectives, ns per step: the mean over the ranks and steps that recorded collectives.
    double meanWait(const std::string& type) const;
    void addLink(const std::string& key, std::optional<std::int64_t> rank, std::vector<StepSum> sums);

    const std::map<MeasureKey, Measure>& all() const { return m_measures; }
    /// The values of a quantity, each the mean over the ranks that recorded it, of links the sum.
    /// @param measure  Of this side; null: it never occurs.
    /// @param other  Of the other side. @pre One of both is not null.
    StepValues valuesOf(const MeasureKey& key, const Measure* measure, const Measure* other) const;
    /// Whether anything of a dimension was recorded.
    bool has(Dimension dimension) const;

    /// Counts kernels of a name as one rank ran them in all steps that are looked at.
    void addKernels(const std::string& key, std::size_t count);
    /// How often a kernel runs, by its key: the sum over ranks and steps.
    const std::map<std::string, std::size_t>& kernels() const { return m_kernels; }
    /// For kernels: in how many steps of ranks any is recorded.
    double recordedSteps(Dimension dimension) const;

private:
    static StepValues statedValues(const Measure& measure);
    std::vector<bool> knownSteps(Dimension dimension, std::optional<std::int64_t> recorder) const;

    std::size_t m_stepCount;
    std::mutex m_mutex;
    std::map<MeasureKey, Measure> m_measures;
    std::map<std::string, std::size_t> m_kernels;
    std::set<std::string> m_rules;
    RecordedWords m_words;
    std::vector<RankedRule> m_highFindings;
    std::map<std::string, double> m_waits;                           ///< ns of all ranks and steps
    std::array<std::vector<std::uint32_t>, kDimensions> m_recorded;  ///< Ranks by step; empty: none.
    std::map<std::optional<std::int64_t>, std::vector<bool>> m_recordedLinks;
};

// Each reads one dimension of a side into `to`; false if cancelled. Errors of SQL are returned.
void measureCategories(const MeasuredPart& part, Measures& to);
Result<Done> measureCollectives(const ComparisonSide& side, const MeasuredPart& part, Measures& to,
                                const CancelToken& cancel);
/// Findings of the rules where they know nothing but this side.
/// @param areSingleRanks  Both sides are one rank: which one says nothing.
Result<Done> measureFindings(const ComparisonSide& side, bool areSingleRanks, Measures& to, const CancelToken& cancel);
/// Kernels, operators, calls of CANN, links and memory: what a rank's own rows and slices hold. Parallel over the
/// ranks.
/// @param texts  What of kernels beside their names both sides recorded: what one of them did not would make all
/// kernels different.
Result<Done> measureRows(const ComparisonSide& side, const MeasuredPart& part, const RecordedTexts& texts, Measures& to,
                         const CancelToken& cancel);
/// Memory snapshots: peaks, and what the end has. Parallel over the ranks.
Result<Done> measureSnapshots(const ComparisonSide& side, const MeasuredPart& part, Measures& to,
                              const CancelToken& cancel);

}  // namespace altiscope
