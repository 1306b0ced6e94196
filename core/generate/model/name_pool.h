#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace altiscope::generate {

struct PythonSlice;
struct RunPlan;
struct RunProgram;

/// Numbers that make names of Python functions distinct, so that a timeline shows as many slice names as requested
/// for. Calls on an object ("... object at 0x") get objects of their own until there are enough names; if the run has
/// too few such calls, functions get a number after their name too, as code generators give it. Each call of a step is
/// a place of its own, and a new one in every step.
class NamePool {
public:
    struct Numbers {
        std::uint32_t address = 0;  ///< As PythonSlice has them.
        std::uint32_t variant = 0;
    };

    /// @param stage  Of the pipeline.
    /// @param wanted  Distinct slice names of the timeline of one rank of the stage. If its fixed names are more, or
    ///                its calls fewer, the nearest number that is possible. O(actions of the program).
    NamePool(const RunPlan& plan, const RunProgram& program, std::uint32_t stage, std::uint64_t wanted);

    /// Distinct slice names of the timeline of each rank of the stage.
    std::uint64_t names() const { return m_names; }

    /// @param call  Number of the call among the Python calls of its unit.
    Numbers numbersOf(std::uint64_t step, std::uint32_t microBatch, std::uint64_t call) const;

private:
    static constexpr std::uint32_t kNoPlace = std::numeric_limits<std::uint32_t>::max();

    enum class CallKind : std::uint8_t { Plain, OnObject, Function };
    struct Call {
        CallKind kind = CallKind::Plain;
        std::uint32_t leader = kNoPlace;  ///< Of calls on objects: the first call with the same name.
        std::uint32_t place = kNoPlace;   ///< Among the calls of the kind in the unit; kNoPlace: it is a leader itself.
    };
    /// Calls of one kind that are no leaders.
    struct Places {
        std::array<std::uint64_t, 3> inUnit{};  ///< By firstMiddleLast().
        std::uint64_t inStep = 0;
    };

    struct FoundNames;
    void readUnit(const RunProgram& program, std::uint32_t stage, std::uint32_t microBatch, FoundNames& found);
    std::size_t firstMiddleLast(std::uint32_t microBatch) const;
    std::uint64_t placeInStep(const Places& places, std::uint32_t microBatch, std::uint32_t place) const;

    std::uint32_t m_microBatches = 1;
    std::array<std::vector<Call>, 3> m_calls;  ///< By firstMiddleLast().
    Places m_onObjects;
    Places m_functions;
    std::uint64_t m_leaders = 0;        ///< Names of calls on objects.
    std::uint64_t m_objects = 0;        ///< Distinct names that calls on objects shall have.
    std::uint64_t m_numberedNames = 0;  ///< Distinct numbered names that functions shall have.
    std::uint64_t m_names = 0;
};

}  // namespace altiscope::generate
