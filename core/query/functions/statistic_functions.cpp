#include "core/query/functions/statistic_functions.h"

#include "core/query/functions/ordered_values.h"
#include "core/query/functions/sqlite_values.h"

#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace altiscope {

namespace {

/// The state of a group, made at its first row; null at its end if it had none.
template <class State>
State*& stateOf(sqlite3_context* context, bool make) {
    static thread_local State* none = nullptr;
    none = nullptr;
    auto** place =
        static_cast<State**>(sqlite3_aggregate_context(context, make ? static_cast<int>(sizeof(State*)) : 0));
    if (place == nullptr) return none;
    if (*place == nullptr && make) *place = new State;
    return *place;
}

/// Whether a value counts; reports those that are no finite numbers.
bool isFiniteNumber(sqlite3_context* context, sqlite3_value* value, const char* function) {
    const int type = sqlite3_value_type(value);
    if (type == SQLITE_NULL) return false;
    if (type == SQLITE_INTEGER || (type == SQLITE_FLOAT && std::isfinite(sqlite3_value_double(value)))) return true;
    sqlite3_result_error(context, (std::string(function) + " takes finite numbers only").c_str(), -1);
    return false;
}

// --- median, percentile

struct PercentileState {
    OrderedValues values;
    std::optional<double> share;  ///< 0 to 100.
};

void addPercentile(sqlite3_context* context, int count, sqlite3_value** values) {
    try {
        const char* name = count == 1 ? "median" : "percentile";
        PercentileState* state = stateOf<PercentileState>(context, true);
        if (state == nullptr) return sqlite3_result_error_nomem(context);
        double share = 50;
        if (count == 2) {
            const int type = sqlite3_value_numeric_type(values[1]);
            share = sqlite3_value_double(values[1]);
            if ((type != SQLITE_INTEGER && type != SQLITE_FLOAT) || !(share >= 0 && share <= 100))
                return sqlite3_result_error(context, "percentile takes a second argument from 0 to 100", -1);
        }
        if (state->share && *state->share != share)
            return sqlite3_result_error(context, "percentile takes one second argument for all rows of a group", -1);
        state->share = share;
        if (!isFiniteNumber(context, values[0], name)) return;
        if (state->values.size() == kMaxPercentileValues) {
            const std::string problem =
                std::string(name) + " takes at most " + std::to_string(kMaxPercentileValues) + " values of a group";
            return sqlite3_result_error(context, problem.c_str(), -1);
        }
        if (sqlite3_value_type(values[0]) == SQLITE_INTEGER)
            state->values.add(std::int64_t{sqlite3_value_int64(values[0])});
        else state->values.add(sqlite3_value_double(values[0]));
    } catch (const std::bad_alloc&) { sqlite3_result_error_nomem(context); }
}

void endPercentile(sqlite3_context* context) {
    PercentileState*& place = stateOf<PercentileState>(context, false);
    const std::unique_ptr<PercentileState> state(std::exchange(place, nullptr));
    if (!state || state->values.size() == 0) return;
    try {
        const auto found = state->values.percentile(*state->share, tokenOf(context));
        if (!found) return sqlite3_result_error_code(context, SQLITE_INTERRUPT);
        if (found->integer) sqlite3_result_int64(context, *found->integer);
        else sqlite3_result_double(context, found->real);
    } catch (const std::bad_alloc&) { sqlite3_result_error_nomem(context); }
}

// --- variance, stddev

/// Welford's sums, with more digits than a result shows.
struct SpreadState {
    std::int64_t count = 0;
    long double mean = 0, squares = 0;
};

/// SQLite's memory for aggregates suits integers of 8 bytes, not wider types: states are copied out of it and into it.
SpreadState spreadAt(const void* memory) {
    SpreadState state;
    std::memcpy(&state, memory, sizeof state);
    return state;
}

template <bool kIsRoot>
void addSpread(sqlite3_context* context, int, sqlite3_value** values) {
    if (!isFiniteNumber(context, values[0], kIsRoot ? "stddev" : "variance")) return;
    void* memory = sqlite3_aggregate_context(context, static_cast<int>(sizeof(SpreadState)));
    if (memory == nullptr) return sqlite3_result_error_nomem(context);
    SpreadState state = spreadAt(memory);
    const long double value = sqlite3_value_type(values[0]) == SQLITE_INTEGER
                                  ? static_cast<long double>(sqlite3_value_int64(values[0]))
                                  : static_cast<long double>(sqlite3_value_double(values[0]));
    ++state.count;
    const long double apart = value - state.mean;
    state.mean += apart / static_cast<long double>(state.count);
    state.squares += apart * (value - state.mean);
    std::memcpy(memory, &state, sizeof state);
}

template <bool kIsRoot>
void endSpread(sqlite3_context* context) {
    const void* memory = sqlite3_aggregate_context(context, 0);
    if (memory == nullptr) return;
    const SpreadState state = spreadAt(memory);
    if (state.count < 2) return;
    const long double variance = state.squares / static_cast<long double>(state.count - 1);
    sqlite3_result_double(context, static_cast<double>(kIsRoot ? std::sqrt(variance) : variance));
}

}  // namespace

int addStatisticFunctions(sqlite3* connection, const CancelToken& cancel) {
    struct Aggregate {
        const char* name;
        int arguments;
        void (*step)(sqlite3_context*, int, sqlite3_value**);
        void (*end)(sqlite3_context*);
    };
    constexpr Aggregate kAggregates[] = {
        {"median", 1, addPercentile, endPercentile},
        {"percentile", 2, addPercentile, endPercentile},
        {"variance", 1, addSpread<false>, endSpread<false>},
        {"stddev", 1, addSpread<true>, endSpread<true>},
    };
    for (const Aggregate& aggregate : kAggregates) {
        constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
        const int rc = sqlite3_create_function_v2(connection, aggregate.name, aggregate.arguments, kFlags,
                                                  const_cast<CancelToken*>(&cancel), nullptr, aggregate.step,
                                                  aggregate.end, nullptr);
        if (rc != SQLITE_OK) return rc;
    }
    return SQLITE_OK;
}

}  // namespace altiscope
