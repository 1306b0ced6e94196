#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace altiscope {

/// How long the values of a statement may be, by the functions that it calls, as SQLite's planner names them.
///
/// SQLite looks at the wish to stop between the rounds of its loops, never within a function of its own, and calls all
/// functions of a row without a look. So what all of them may take in a round, at their measured cost per byte, is kept
/// to 30 ms by the length of values.
class StatementLimits {
public:
    /// Longest value of any statement, in bytes: as long as the longest record that is read from a file.
    static constexpr std::size_t kMaxBytes = std::size_t{16} << 20;
    /// That much is allowed however many functions there are.
    static constexpr std::size_t kFewestBytes = std::size_t{1} << 20;
    /// Limit of a statement with json_patch, which takes the square of its arguments.
    static constexpr std::size_t kPatchBytes = std::size_t{32} << 10;
    /// Memory that sorting and grouping take before they go to temporary files.
    static constexpr std::size_t kSortBytes = std::size_t{64} << 20;
    /// Steps of SQLite's machine between looks where a step may take long, and where it may not. A round has some ten.
    static constexpr int kStepsWithFunctions = 8, kSteps = 32;

    void addFunction(std::string_view name);
    /// A table-valued function of JSON; counts once.
    void addTable(std::string_view name);

    std::size_t valueBytes() const;
    int stepsPerLook() const { return m_nsPerByte > 0 ? kStepsWithFunctions : kSteps; }

private:
    double m_nsPerByte = 0;
    bool m_patches = false;
    std::set<std::string, std::less<>> m_tables;
};

}  // namespace altiscope
