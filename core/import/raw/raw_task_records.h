#pragma once

#include "core/base/values/cancel.h"
#include "core/import/raw_host/raw_fusions.h"
#include "core/import/raw_host/raw_graph_memory.h"
#include "core/import/raw_host/raw_host.h"
#include "core/import/raw_host/raw_join.h"
#include "core/import/raw_records/raw_device.h"
#include "core/store/raw/task_records.h"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope::reader {

/// Tasks of a device on their way to TaskRecords.
struct RawDeviceTasks {
    std::int64_t device = 0;
    /// When the collection began, ns.
    std::int64_t wallBegin = 0, monotonicBegin = 0;
    std::uint32_t file = 0;  ///< Number of the source.
    unsigned kind = 0;       ///< Kind in the positions of its tasks, see rawPosition.
    std::span<const RawDeviceTask> tasks;
    const RawJoined& joined;
    const RawCollectiveOrder& drawn;
    std::int64_t wallEnd = 0;          ///< 0: nothing says it.
    std::int64_t firstConnection = 1;  ///< Connection of its host's first call.
    const RawSettings& settings;       ///< Settings of the device.
};

/// Makes records of the joined tasks of devices. Source: core/import/raw_records/FORMAT.md (shown type),
/// G.3 and G.6.
class RawTaskRecords {
public:
    explicit RawTaskRecords(TaskDetail detail) : m_isWhole(detail == TaskDetail::Everything) {}

    /// @return False if cancelled.
    bool add(const RawHost& host, const RawDeviceTasks& device, const CancelToken& cancel);
    /// With TaskDetail::Everything; of the device that was added last.
    void addMetrics(const RawDeviceTasks& device, const RawMetricNames& names, const RawMetrics& metrics);
    /// With TaskDetail::Everything: what a host says beside its tasks. @return False if cancelled.
    bool addHost(const RawHost& host, const RawSettings& settings, std::int64_t firstConnection,
                 const CancelToken& cancel);
    /// All of them, by device and begin.
    TaskRecords take();
    void setLevelZero() { m_records.isLevelZero = true; }
    /// Adds facts of the program that a host states.
    void addMarks(const std::vector<MarkRecord>& marks, const RawSettings& settings);
    void addFusions(const std::vector<RawFusion>& fusions, const RawHost& host);
    void addGraphMemory(const RawGraphMemory& memory);
    void addSamples(const DeviceSamples& samples) { m_records.samples.push_back(samples); }

private:
    static constexpr std::size_t kBetweenLooks = 1024;

    /// The tasks that a host launched on one device.
    struct Launches {
        RawTasksOfDevice tasks;
        RawClock clock;                        // of the host
        std::vector<std::uint32_t> firstRuns;  // ids, by task; kNone: not run
    };
    bool addTasks(const RawDeviceTasks& device, const RawDeviceTimes& times, Launches& launches,
                  const CancelToken& cancel);
    void addRun(std::size_t hostTask, std::int64_t firstConnection, Launches& launches, TaskRecord& record);
    bool addNotRun(std::int64_t device, const Launches& launches, const CancelToken& cancel);
    std::uint32_t id(std::string_view text);
    /// Ids of texts by what stands for them, looked for once each.
    void enter(const RawHost& host);
    std::uint32_t textId(std::uint64_t hash);
    std::uint32_t coreId(std::uint32_t core);
    /// kNone: the device has the better word.
    std::uint32_t runtimeTypeId(std::uint64_t type);
    /// That of the device that was added last.
    std::uint32_t collection() const { return static_cast<std::uint32_t>(m_records.collections.size()) - 1; }
    void addCollective(const RawHost& host, const RawDeviceTasks& device, const RawCollectiveRun& run,
                       std::uint32_t place);
    void addDetails(const RawHost& host, const RawDeviceTasks& device);
    void addPart(const RawHost& host, const RawCollectiveRun& run, const RawPartRun& part, CollectivePart& record);
    void addLaunch(const RawHostTask& launched, TaskRecord& record);
    void addCopy(const RawCopy& copy, std::uint32_t id);
    void addOperator(const RawOp& op, TaskRecord& record);

    /// Finds texts without making a copy of what is looked up.
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };

    const bool m_isWhole;
    TaskRecords m_records;
    std::uint32_t m_firstOfDevice = 0;  // id of the first task of the device that was added last
    std::map<std::pair<const RawHost*, std::int64_t>, std::uint32_t> m_tensors;  // by number in the host
    std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> m_ids;
    std::vector<std::pair<std::size_t, std::size_t>> m_copiesNotRun;  // places in `copies` and `notRun`
    const RawHost* m_host = nullptr;                                  // of the next ones
    std::unordered_map<std::uint64_t, std::uint32_t> m_idOfHash, m_idOfType;
    std::unordered_map<std::uint32_t, std::uint32_t> m_idOfCore;
};

}  // namespace altiscope::reader
