#pragma once

#include "core/compare/comparison.h"
#include "core/compare/step_times.h"

#include <compare>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

/// What is measured of a side.
struct MeasureKey {
    Dimension dimension = Dimension::Category;
    DifferenceUnit unit = DifferenceUnit::Nanoseconds;
    std::optional<std::int64_t> rankId{};
    std::string key;
    auto operator<=>(const MeasureKey&) const = default;
};

/// Values of one quantity by step: sums over the ranks, of categories the mean. Sums of whole numbers do not depend on
/// the order in which ranks are read. Of findings, which belong to no step, one value.
struct Measure {
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
    /// Places in CaptureStore::ranks.
    const std::vector<std::size_t>& ranks() const { return m_ranks; }

private:
    const ComparisonSide& m_side;
    std::vector<StepTimes> m_times;
    std::map<std::optional<std::int64_t>, std::size_t> m_steps;
    std::vector<std::size_t> m_ranks;
};

/// All quantities of one side. Adding is thread-safe.
class Measures {
public:
    /// Adds sums, one for each step, or for each two steps that follow each other.
    void add(const MeasureKey& key, const std::vector<double>& sums);
    /// Sets a value that belongs to no step.
    void set(const MeasureKey& key, double value);

    const std::map<MeasureKey, Measure>& all() const { return m_measures; }

private:
    std::mutex m_mutex;
    std::map<MeasureKey, Measure> m_measures;
};

// Each reads one dimension of a side into `to`; false if cancelled. Errors of SQL are returned.
void measureCategories(const MeasuredPart& part, Measures& to);
Result<Done> measureCollectives(const ComparisonSide& side, const MeasuredPart& part, Measures& to,
                                const CancelToken& cancel);
Result<Done> measureFindings(const ComparisonSide& side, const MeasuredPart& part, Measures& to,
                             const CancelToken& cancel);
/// Kernels, operators, calls of CANN, links and memory: what a rank's own rows and slices hold. Parallel over the
/// ranks.
Result<Done> measureRows(const ComparisonSide& side, const MeasuredPart& part, Measures& to, const CancelToken& cancel);

}  // namespace altiscope
