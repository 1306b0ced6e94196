#pragma once

#include "core/generate/raw/raw_clocks.h"
#include "core/generate/raw/raw_output.h"
#include "core/generate/records/unit_record.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace altiscope::generate {

/// What a device of generation 5 says of its tasks, in the files of `device_N/data`: the log of STARS, the rounds of
/// task numbers, the frequency and the counters of its cores. Mixed kernels and the small operations of collectives are
/// sub-tasks of FFTS+. Source: core/import/raw_records/FORMAT.md.
class RawDeviceRecords {
public:
    RawDeviceRecords(const Run& run, std::uint32_t rank, OutputTarget& target, const std::filesystem::path& folder);

    /// Units in their order.
    Result<Done> unit(const UnitRecord& record);
    Result<Done> close();

private:
    struct Log {
        TimeNs time;
        std::uint16_t stream, task;
        std::uint8_t type;  ///< Of the task, or of the sub-task.
        bool isEnd, isSubTask;
        std::uint16_t context;
    };
    struct Span {
        TimeNs start;
        std::int64_t ns;
    };

    void addWork(const DeviceWork& work, const Span& span);
    void addTask(std::size_t stream, std::uint32_t task, std::uint8_t type, const Span& span);
    void addSubTask(std::size_t stream, std::uint32_t task, std::uint8_t type, std::uint32_t context, const Span& span);
    void addKernel(const DeviceWork& work, std::size_t stream, const Span& span);
    void startOn(std::size_t stream, std::uint32_t task, TimeNs time);
    void addFrequencies(const UnitRecord& record);
    std::string logBytes();
    Result<Done> writeFiles();

    const Run& m_run;
    const std::uint32_t m_rank;
    const RawClocks m_clocks;
    std::vector<Log> m_logs;
    struct LastTask {
        std::uint32_t id = 0;
        std::uint16_t batch = 0;
    };
    std::map<std::size_t, LastTask> m_last;  // by stream
    RawSlices m_starsFile, m_trackFile, m_frequencyFile, m_metricFile;
    std::string m_track, m_frequency, m_metrics;
};

}  // namespace altiscope::generate
