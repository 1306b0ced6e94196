#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/compare/comparison.h"
#include "core/report/gates/gate_rules.h"

#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// How one rule came out.
struct GateOutcome {
    GateRule rule;
    std::optional<double> value;  ///< In base units; nullopt: there is no data for it, and the rule is not met.
    std::optional<std::int64_t> whole = {};  ///< The same exactly, where it is a whole number of a query.
    bool met = false;
    std::string message;  ///< One line, English: the rule, the value, and by how much it is missed.
};

/// Sides that rules are checked against.
struct GateSubject {
    ComparisonSide current;
    std::optional<ComparisonSide> base;      ///< For change().
    const Comparison* comparison = nullptr;  ///< For significant.count; null without a base.
};

/// Computes the metrics of the rules, each once, as `report` in resources/help/reference/command-line.md defines them.
/// Ranks and steps that a side leaves out do not count for times and memory.
/// @return Error "gate.not_a_number" where sql() gives anything but one number or NULL, or as QueryDatabase::run.
/// @note  Any thread; parallel on the arena.
Result<std::vector<GateOutcome>> checkGate(const std::vector<GateRule>& rules, const GateSubject& subject,
                                           const CancelToken& cancel);

/// Whether all rules are met. O(rules).
bool isGateMet(const std::vector<GateOutcome>& outcomes);

/// One line for each rule, those that are not met first, then how many are.
std::string gateText(const std::vector<GateOutcome>& outcomes);
/// A JSON object: {"met":false,"rules":[{"rule","line","value","limit","unit","met","message"}]}; value and limit are
/// in base units ("ns", "bytes", "GB/s", "" for shares and counts).
std::string gateJson(const std::vector<GateOutcome>& outcomes);
/// As continuous integration shows it: a JUnit XML file with a test case for each rule.
/// Source: the schema of the Apache Ant JUnit task's report (testsuites, testsuite, testcase, failure).
std::string gateJunit(const std::vector<GateOutcome>& outcomes, const std::string& capture);

}  // namespace altiscope
