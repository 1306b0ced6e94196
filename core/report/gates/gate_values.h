#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/compare/comparison.h"
#include "core/compare/step_times.h"
#include "core/report/gates/gate_rules.h"

#include <optional>
#include <vector>

namespace altiscope {

/// A value of a metric in base units.
struct GateNumber {
    double real = 0;
    std::optional<std::int64_t> whole;  ///< Where it is a whole number of a query, exactly.
};

/// The metrics of one side. Values that several rules need are read once. One thread.
class GateValues {
public:
    /// The side must outlive it.
    GateValues(const ComparisonSide& side, const CancelToken& cancel) : m_side(side), m_cancel(cancel) {}

    /// nullopt if there is no data. @return Error as checkGate.
    Result<std::optional<GateNumber>> of(const GateMetric& metric);

private:
    struct RankMemory {
        std::optional<double> reserved, allocated;  ///< Peaks, bytes.
        std::optional<double> fragmentation;        ///< At the peak of reserved.
    };

    Result<std::optional<double>> stepPart(const GateMetric& metric);
    Result<std::optional<double>> memory(const GateMetric& metric);
    Result<std::optional<GateNumber>> single(const std::string& sql);
    Result<Done> readMemory();

    const ComparisonSide& m_side;
    const CancelToken& m_cancel;
    std::optional<std::vector<StepTimes>> m_steps;
    std::optional<std::vector<RankMemory>> m_memory;
};

}  // namespace altiscope
