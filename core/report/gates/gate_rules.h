#pragma once

#include "core/base/values/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Quantity of a metric; a number without unit is in its base unit.
enum class GateQuantity : std::uint8_t {
    Time,       ///< ns
    Size,       ///< bytes
    Bandwidth,  ///< GB/s, 10^9 bytes
    Share,      ///< 0 to 1
    Count,
    Any,  ///< Quantity of sql(): as the unit says.
};

/// How values of several steps or ranks become one; Default: that of the metric.
enum class GateStatistic : std::uint8_t { Default, Mean, P50, P95, Max };

/// How a value is compared with its limit.
enum class GateComparison : std::uint8_t { Less, LessOrEqual, Greater, GreaterOrEqual, Equal, NotEqual };

/// Metric that a rule looks at.
struct GateMetric {
    enum class Kind : std::uint8_t {
        StepPart,            ///< A part of step_breakdown by step and rank; `name` without "_ratio".
        PeakReserved,        ///< By rank.
        PeakAllocated,       ///< By rank.
        Fragmentation,       ///< By rank.
        SlowLinkMin,         ///< The slowest of all links.
        FindingCount,        ///< `name` is the rule.
        FindingRecoverable,  ///< As above.
        Lost,                ///< Diagnostics of that severity.
        Sql,                 ///< `name` is the statement.
        SignificantCount,    ///< Count of a comparison.
    };
    Kind kind = Kind::StepPart;
    std::string name;
    bool isRatio = false;   ///< Share of the step.
    bool isChange = false;  ///< change(...): current - base.
    GateStatistic statistic = GateStatistic::Default;
    GateQuantity quantity = GateQuantity::Time;

    /// Whether it needs a base.
    bool isOfComparison() const { return isChange || kind == Kind::SignificantCount; }
};

/// One line of a gate file.
struct GateRule {
    std::size_t line = 0;  ///< From 1.
    std::string text;      ///< Without comment and outer blanks.
    std::string metricText;
    GateMetric metric;
    GateComparison comparison = GateComparison::Less;
    double number = 0;               ///< As it stands in the file, in `unit`.
    std::string unit;                ///< As it stands there; may be empty.
    double factor = 1, divisor = 1;  ///< Base units of one `unit`: factor / divisor, both whole.
    /// The same as `number`, where it is whole and in base units: larger ones do not fit into a double.
    std::optional<std::int64_t> whole;
    /// A change in percent of the base's value: `number` is in percent.
    bool isRelative = false;
};

/// Longest gate file, in bytes.
inline constexpr std::size_t kMaxGateBytes = 1'000'000;

/// Reads the rules of a gate file, see `report` in resources/help/reference/command-line.md. `#` begins a comment, but
/// not within sql( ).
/// @param file  For its name in errors.
/// @param withBase  Whether there is a comparison that change() and significant.count can look at.
/// @return Error "gate.syntax" (line, problem) at the first wrong line, "gate.no_rules" where there is none: all
/// of these are wrong usage.
Result<std::vector<GateRule>> readGateRules(std::string_view text, const std::string& file, bool withBase);

/// The limit with which a value is compared, in base units.
double limitOf(const GateRule& rule);

/// A value of a metric as people read it, in the unit of the rule where it has one.
std::string gateValueText(const GateRule& rule, double value);

}  // namespace altiscope
