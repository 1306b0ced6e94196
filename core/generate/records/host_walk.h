#pragma once

#include "core/base/values/time.h"
#include "core/generate/model/run_plan.h"
#include "core/generate/model/unit_program.h"
#include "core/generate/support/noise.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace altiscope::generate {

inline constexpr std::uint32_t kNone = 0xffffffffU;

struct PythonSlice {
    TimeNs start;
    DurationNs duration;
    TextId name;
    std::uint32_t address = 0;  ///< After a name that ends with "0x"; 0: the name is complete.
    std::uint32_t variant = 0;  ///< Number after the name; 0: none. See addPythonName().
    std::uint32_t module = 0;   ///< Number of the module + 1; 0: none.
    std::uint64_t id = 0;       ///< `Python id`
    std::uint64_t parent = 0;
};

struct OpSlice {
    TimeNs start;
    DurationNs duration;
    std::uint32_t site = 0;        ///< Into RunProgram::sites.
    std::uint32_t parent = kNone;  ///< Enclosing operator, by index.
    std::int64_t sequence = -1;
    std::uint64_t step = 0;  ///< Of ProfilerStep: its number.
};

struct QueueSlice {
    TimeNs enqueue;
    DurationNs enqueueDuration;
    TimeNs dequeue;
    DurationNs dequeueDuration;
    TextId dequeueName;
    std::uint64_t correlation = 0;
    HostThread thread = HostThread::Main;  ///< That enqueued.
};

enum class ApiThread : std::uint8_t { Main, Autograd, Queue, Cleanup };
enum class ApiKind : std::uint8_t { AscendClNn, AscendClOp, AscendClRts, AscendClCollective, NodeLaunch, HcclLaunch };

struct ApiSlice {
    TimeNs start;
    DurationNs duration;
    TextId name;  ///< API, or the item that a Node@launch launches.
    ApiKind kind = ApiKind::AscendClNn;
    ApiThread thread = ApiThread::Queue;
    std::uint64_t connection = 0;
};

/// A task on its way to the device.
struct DeviceWork {
    const TaskSpec* task = nullptr;
    std::uint32_t launch = 0;  ///< Into RunProgram::launches.
    std::uint32_t op = kNone;  ///< Operator that launched it, into HostRecord::ops.
    std::uint32_t taskId = 0;  ///< Number on its stream, 16 bits.
    TimeNs ready;              ///< The device cannot start it earlier.
    TimeNs flowStart;          ///< Point on the queue thread where its flow begins.
    DeviceTime duration;
    std::uint64_t connection = 0;
    std::uint32_t mhz = kCoreMhz;  ///< Frequency of the cores.
};

/// A pause in which Python collects garbage.
struct GarbageSlice {
    TimeNs start;
    DurationNs duration;
};

struct MemoryEvent {
    TimeNs time;
    std::uint32_t tensor = 0;  ///< Into RunProgram::tensors.
    bool allocated = false;    ///< Else released.
    HostThread thread = HostThread::Main;
};

/// What the host did in one unit.
struct HostRecord {
    std::vector<PythonSlice> python;  ///< By end, as the profiler writes them.
    std::vector<OpSlice> ops;         ///< By start.
    std::vector<std::uint32_t> opsByEnd;
    std::vector<QueueSlice> queue;
    std::vector<ApiSlice> apis;
    std::vector<DeviceWork> work;  ///< In launch order.
    std::vector<MemoryEvent> memory;
    std::vector<GarbageSlice> garbage;
    std::vector<DeviceTime> planted;  ///< What each planted fault cost here, by number of the plant.
    TimeNs end;
};

/// Where a unit of a rank begins.
struct UnitStart {
    std::uint64_t step = 0;  ///< From 0.
    std::uint32_t microBatch = 0;
    TimeNs time;      ///< Of the unit on the host.
    TimeNs stepTime;  ///< ProfilerStep began; used if this unit ends it.
};

/// Runs a unit's program on a rank's host threads. The host runs ahead of the device and waits for it once, near the
/// end: run() goes up to there, finish() does the rest. All jitter comes from (seed, rank, unit), so a unit can be made
/// again; what only a planted fault does draws from streams of its own, so that all else happens as without the fault.
class HostWalk {
public:
    enum class Detail : std::uint8_t { WorkOnly, Everything };

    /// @param detail  WorkOnly records nothing but `work` and `end`; times are the same.
    HostWalk(const RunPlan& plan, const RunProgram& program, const RankIdentity& rank, const UnitStart& start,
             Detail detail);

    void run();
    /// @param deviceIdle  When all streams of the rank are drained.
    void finish(TimeNs deviceIdle);

    const HostRecord& record() const { return m_record; }
    const UnitCounts& counts() const { return m_counts; }
    /// When the ProfilerStep of the unit began.
    TimeNs stepTime() const { return m_start.stepTime; }
    HostRecord takeRecord() { return std::move(m_record); }

private:
    struct OpenFrame {
        TimeNs start;
        TextId name;
        std::uint32_t module;
        std::uint64_t id;
    };

    void runUntil(ActionKind stop);
    void runAction(const HostAction& action);
    void exchangeNoise();
    void pythonEnter(const HostAction& action);
    void pythonLeave();
    void openOp(std::uint32_t site, std::uint32_t costNs);
    void closeOp(std::uint32_t op);
    void runLaunch(const HostAction& action);
    void queueCall(const LaunchSpec& launch, std::uint32_t launchIndex, TimeNs start);
    void compiledCall(const LaunchSpec& launch, TimeNs start);
    void cleanUp(TimeNs from, std::size_t descriptors);
    void launchKernel(const LaunchSpec& launch, DeviceWork& work, bool last);
    void launchCollective(DeviceWork& work, TimeNs apiStart);
    DeviceTime kernelDuration(const TaskSpec& task);
    void waitBeforeLaunch();
    void collectGarbage();
    void hostApi(TextId name, DurationNs duration, ApiThread thread);
    void addApi(const ApiSlice& slice) {
        if (m_full) m_record.apis.push_back(slice);
    }

    DurationNs jitter(std::int64_t typicalNs) { return {m_host.hostTime(typicalNs) / 10 * 10}; }
    void pass(std::int64_t typicalNs) { m_now = m_now + jitter(typicalNs); }

    const RunPlan& m_plan;
    const RunProgram& m_program;
    const RankIdentity& m_rank;
    const UnitProgram& m_unit;
    UnitStart m_start;
    bool m_full;
    Noise m_host;
    Noise m_device;
    Noise m_plantedHost;
    Noise m_plantedDevice;
    Noise m_addresses;
    TimeNs m_now;        ///< On the thread that runs operators.
    TimeNs m_queueFree;  ///< On the queue thread.
    TimeNs m_cleanupFree;
    HostThread m_thread = HostThread::Main;
    std::size_t m_position = 0;
    UnitCounts m_counts;         ///< Numbers used so far in the run.
    std::uint64_t m_firstFrame;  ///< Number of the unit's first Python frame.
    std::vector<OpenFrame> m_frames;
    std::vector<std::uint32_t> m_openOps;
    std::vector<std::uint32_t> m_openScopes;
    std::uint32_t m_mhz;
    std::uint64_t m_garbageFrame = std::numeric_limits<std::uint64_t>::max();  ///< In which garbage is collected.
    HostRecord m_record;
};

/// Finds out by a walk how many numbers each unit of the program uses up, and notes it in UnitProgram::counts.
void countUnits(const RunPlan& plan, RunProgram& program);

}  // namespace altiscope::generate
