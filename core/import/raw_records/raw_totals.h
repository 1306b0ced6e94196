#pragma once

#include "core/store/rows/row_builder.h"

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace altiscope::reader {

/// Durations of what is called the same, in ns.
struct RawTotal {
    __extension__ using Squares = unsigned __int128;

    std::int64_t count = 0, total = 0, min = std::numeric_limits<std::int64_t>::max(), max = 0;
    Squares squares = 0;

    void add(std::int64_t ns);
    void add(const RawTotal& other);
};

/// Statistics of a run in its text export: calls of CANN by name, tasks by the type of their operator.
/// Source: FORMAT.md.
class RawTotals {
public:
    /// @param level  Empty: one without a word.
    void addCalls(std::string_view level, std::string_view name, const RawTotal& total) {
        m_calls[{std::string(name), std::string(level)}].add(total);
    }
    /// @param core  Empty: not known.
    void addOperators(std::int64_t device, std::string_view type, std::string_view core, const RawTotal& total) {
        m_operators[{device, std::string(type), std::string(core)}].add(total);
    }
    /// Fills `op_stat` and `api_stat`.
    void addRows(RowTablesBuilder& rows) const;

private:
    std::map<std::pair<std::string, std::string>, RawTotal> m_calls;
    std::map<std::tuple<std::int64_t, std::string, std::string>, RawTotal> m_operators;
};

}  // namespace altiscope::reader
