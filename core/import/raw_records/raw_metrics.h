#pragma once

#include "core/import/raw_records/raw_device.h"
#include "core/import/raw_records/raw_frequency.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace altiscope::reader {

/// Names of the metrics of a core's record, in the words of the text export without their units.
struct RawMetricNames {
    std::vector<std::string> core, vector;  ///< Those of AI core and of vector core; empty: nothing was counted.
    bool hasUse = false;                    ///< "cube_utilization(%)" after them.
};
/// Which metrics, and how exact.
enum class RawMetricForm : std::uint8_t {
    Text,      ///< Those of the text export: rounded, without those that a type of core never has.
    Database,  ///< Those of its database: all, as they were computed, with names of their own for whole times.
};
RawMetricNames rawMetricNames(const RawSettings& settings, RawMetricForm form = RawMetricForm::Text);

/// Counts of one type of core for a task.
struct RawCoreCount {
    static constexpr std::size_t kSlots = 8;
    double cycles = 0;
    std::array<double, kSlots> counters{};
};

/// How the metrics of a type of core are computed from what it counted: the table of its group, by the slots of this
/// run.
struct RawMetricPlan {
    enum class Formula : std::uint8_t {
        TimeAndRatio,  ///< Two columns: the share of the cycles, and of the time.
        Ratio,
        Miss,       ///< One share over another.
        Bandwidth,  ///< Bytes per cycle.
        Operations,
        Count,
        Amount,  ///< KB.
    };
    struct Term {
        std::size_t slot = 0;
        double weight = 0;  ///< 0: not counted.
    };
    struct Metric {
        Formula formula{};
        std::array<Term, 5> terms;
    };
    bool isCounted = false;
    std::vector<Metric> metrics;
    std::int64_t cores = 0;
};

/// The counters of the tasks of a device, from which their metrics are computed when they are wanted: as numbers they
/// would take twice the memory.
class RawMetrics {
public:
    struct OfTask {
        std::size_t task = 0;  ///< Place in the list of tasks.
        RawCoreCount own;
        std::int64_t other = -1;  ///< Place among the counts of the other type of core; -1: it had no part.
        bool isVector = false;    ///< Whose core the task's own is.
        std::uint32_t blocks = 0, otherBlocks = 0;
        double hertz = 0;
    };
    std::size_t size() const { return m_tasks.size(); }
    /// Ascending.
    std::size_t task(std::size_t number) const { return m_tasks[number].task; }
    /// The metrics of one: times in ns, all else as the text export has it. By core, then vector of RawMetricNames.
    /// NaN: cannot be known.
    void values(std::size_t number, std::vector<double>& values) const;
    /// Cycles of the AI core.
    double coreCycles(std::size_t number) const { return count(number, false).cycles; }

private:
    friend class RawMetricsReader;
    const RawCoreCount& count(std::size_t number, bool isVector) const;

    RawMetricPlan m_core, m_vector;
    double m_nominalHertz = 0;
    bool m_isText = true;
    std::vector<OfTask> m_tasks;
    std::vector<RawCoreCount> m_others;
};

/// How many blocks a task had, as its host says.
struct RawTaskBlocks {
    std::uint32_t blocks = 0, mixed = 0;
};

/// Reads ffts_profile.data and finds the task of each record. "raw.outside" (repaired): records of no task.
/// "raw.unknown_cores" (lost): tasks with values that need the number of cores or their frequency, which nothing says.
/// @param tasks   By begin, with the rounds of their numbers.
/// @param blocks  By place of a task.
/// Source: FORMAT.md.
RawMetrics readRawMetrics(const RawDeviceFiles& files, const RawSettings& settings,
                          const std::vector<RawFrequency>& frequencies, const std::vector<RawDeviceTask>& tasks,
                          const std::vector<RawTaskBlocks>& blocks, bool hasExpandedStreams, RawContext& context,
                          RawMetricForm form = RawMetricForm::Text);

/// A real as the vendor's database rounds it to three digits. Source: FORMAT.md.
double rawRounded(double value);

}  // namespace altiscope::reader
