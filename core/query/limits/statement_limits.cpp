#include "core/query/limits/statement_limits.h"

#include <algorithm>
#include <iterator>

namespace altiscope {

namespace {

struct FunctionCost {
    std::string_view name;
    double nsPerByte;
};

/// Costs of functions of SQLite 3.40 on values of 16 MB, and of what adds its arguments to a result. Functions of ours
/// (text_functions.h, REGEXP) look at the token themselves; those that take numbers, or hand values on, take no time
/// for long ones.
constexpr FunctionCost kFunctionCosts[] = {
    {"abs", 0},
    {"avg", 0},
    {"coalesce", 0},
    {"count", 0},
    {"dense_rank", 0},
    {"first_value", 0},
    {"glob", 0},
    {"ifnull", 0},
    {"iif", 0},
    {"instr", 0},
    {"lag", 0},
    {"last_value", 0},
    {"lead", 0},
    {"like", 0},
    {"likelihood", 0},
    {"likely", 0},
    {"max", 0.5},
    {"median", 0},
    {"min", 0.5},
    {"nth_value", 0},
    {"ntile", 0},
    {"nullif", 0.5},
    {"percentile", 0},
    {"rank", 0},
    {"regexp", 0},
    {"replace", 0},
    {"round", 0},
    {"row_number", 0},
    {"sign", 0},
    {"stddev", 0},
    {"sum", 0},
    {"total", 0},
    {"typeof", 0},
    {"unlikely", 0},
    {"variance", 0},
    {"group_concat", 1.5},
    {"length", 1.5},
    {"unicode", 1.5},
    {"date", 1.5},
    {"datetime", 1.5},
    {"format", 3},
    {"json_array", 3},
    {"json_group_array", 3},
    {"json_group_object", 3},
    {"json_object", 3},
    {"json_quote", 3},
    {"julianday", 1.5},
    {"ltrim", 3},
    {"printf", 3},
    {"quote", 3},
    {"randomblob", 3},
    {"rtrim", 3},
    {"strftime", 1.5},
    {"substr", 3},
    {"substring", 3},
    {"time", 1.5},
    {"trim", 3},
    {"unixepoch", 1.5},
    {"zeroblob", 1},
};
constexpr double kOtherFunctions = 8, kJson = 30;

double costOf(std::string_view name) {
    const auto* known = std::find_if(std::begin(kFunctionCosts), std::end(kFunctionCosts),
                                     [name](const FunctionCost& cost) { return cost.name == name; });
    if (known != std::end(kFunctionCosts)) return known->nsPerByte;
    return name.starts_with("json") || name.starts_with("->") ? kJson : kOtherFunctions;
}

}  // namespace

void StatementLimits::addFunction(std::string_view name) {
    m_nsPerByte += costOf(name);
    m_patches = m_patches || name == "json_patch";
}

void StatementLimits::addTable(std::string_view name) {
    if (m_tables.insert(std::string(name)).second) addFunction(name);
}

std::size_t StatementLimits::valueBytes() const {
    if (m_patches) return kPatchBytes;
    constexpr double kRound = 30e6;  // ns
    const double most = m_nsPerByte > 0 ? kRound / m_nsPerByte : kRound;
    return std::clamp(static_cast<std::size_t>(most), kFewestBytes, kMaxBytes);
}

}  // namespace altiscope
