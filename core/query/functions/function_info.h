#pragma once

namespace altiscope {

/// Arguments and result of our functions, for help texts.
struct FunctionInfo {
    const char* call;
    const char* meaning;
};
/// The aggregates of statistic_functions.h.
inline constexpr FunctionInfo kStatisticFunctions[] = {
    {"median(x)", "Middle value of a group; percentile(x, 50)"},
    {"percentile(x, p)", "Value below which p of 100 lie, p from 0 to 100; linear between two neighbours"},
    {"stddev(x)", "Standard deviation of a sample (n - 1); NULL for fewer than two values"},
    {"variance(x)", "Variance of a sample (n - 1); NULL for fewer than two values"},
};

}  // namespace altiscope
