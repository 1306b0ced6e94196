#pragma once

#include "core/generate/records/device_walk.h"
#include "core/generate/records/host_walk.h"
#include "core/generate/records/plane_tasks.h"
#include "core/generate/records/run_schedule.h"

#include <array>
#include <cstdint>
#include <vector>

namespace altiscope::generate {

/// What the allocators hold when a unit begins, in blocks of kBlockBytes; the same for all ranks of a pipeline stage.
struct MemoryLevels {
    std::uint64_t frameworkBase = 0;
    std::uint64_t graphReserved = 0;
    std::uint64_t process = 0;  ///< Held by the process beside both allocators.
    std::uint64_t leakedPerStep = 0;
    std::uint64_t sideSegments = 0;  ///< Segments of a side stream with one block each (FaultKind::Fragmentation).
    /// By unitVariant(): most that such a unit holds at once, above what it found.
    std::array<std::uint64_t, 4> peakOf{};
};

/// What a run consists of; shared by all writers, never changed.
struct Run {
    RunPlan plan;
    RunProgram program;
    RunSchedule schedule;
    std::vector<MemoryLevels> memory;  ///< By pipeline stage.

    std::uint32_t stageOf(std::uint32_t rank) const { return plan.identities[rank].stage; }
};

struct PlayedCollective {
    CollectiveView view;
    std::uint32_t work = 0;   ///< Into HostRecord::work.
    std::uint64_t index = 0;  ///< Number within its group in the whole run.
    std::vector<PlaneTask> tasks;
};

/// Computing, Communication, Communication(Not Overlapped), Free.
enum class OverlapLane : std::uint8_t { Computing, Communication, NotOverlapped, Free };
inline constexpr std::size_t kOverlapLanes = 4;

struct OverlapSlice {
    TimeRange range;
    OverlapLane lane = OverlapLane::Computing;
};

enum class CounterKind : std::uint8_t {
    CoreFrequency,
    HbmRead,
    HbmWrite,
    CacheThroughput,
    CacheHitRate,
    AppMemory,
    DeviceMemory,
    Qos,
    AccReadBandwidth,
    AccWriteBandwidth,
    AccReadOutstanding,
    AccWriteOutstanding,
    MataLevel,
    BufferLevel
};

struct CounterSample {
    TimeNs time;
    CounterKind kind = CounterKind::Qos;
    std::uint32_t index = 0;  ///< Of the unit that is measured; AppMemory and DeviceMemory: 0 DDR, 1 HBM, 2 Memory.
    std::int64_t value = 0;   ///< In the resolution that the writer prints, see counter_samples.h.
};

/// What happens to a block: without a second stream it is free as soon as it is not used any more.
enum class MemoryChange : std::uint8_t { Allocate, ReleaseActive, Release };

/// State of the allocators after an event.
struct MemoryRow {
    TimeNs time;
    MemoryPool pool = MemoryPool::Framework;
    std::uint64_t allocated = 0;  ///< Blocks of kBlockBytes, as below.
    std::uint64_t reserved = 0;
    std::uint64_t active = 0;
    bool secondStream = false;
    MemoryChange change = MemoryChange::Allocate;
    std::uint32_t tensor = 0;              ///< Whose block it was.
    HostThread thread = HostThread::Main;  ///< That allocated or released it.
};

/// Life of one block. Times that did not come are 0.
struct AllocationRow {
    std::uint32_t tensor = 0;
    TimeNs allocated, released, activeReleased;
    MemoryRow atAllocation, atRelease;
};

/// Everything that happened on one rank in one unit, ready to be written.
struct UnitRecord {
    std::uint32_t stage = 0;  ///< Of the pipeline.
    std::uint64_t unit = 0;
    std::uint64_t step = 0;  ///< Number of the step, as ProfilerStep shows it.
    TimeRange window;        ///< Share of the run's time: windows of units follow each other without gaps.
    TimeRange stepRange;     ///< ProfilerStep; end is 0 unless this unit ends the step.
    UnitCounts base;         ///< Numbers used up before.
    HostRecord host;
    std::vector<DeviceTask> tasks;  ///< One per host.work.
    std::vector<PlayedCollective> collectives;
    std::vector<OverlapSlice> overlap;       ///< By start, then lane.
    std::vector<CounterSample> counters;     ///< By time.
    std::vector<MemoryRow> memory;           ///< By time; both pools.
    std::vector<AllocationRow> allocations;  ///< Framework pool, by allocation.
    std::vector<AllocationRow> graphAllocations;
};

/// Host: only `host`, `tasks` and what stands above them. Memory: also what the allocators did.
/// Lanes: `tasks`, `collectives` without their small operations and `overlap`; of the host only what it launched and
/// the step. Device: the same with the small operations.
enum class UnitParts : std::uint8_t { Lanes, Device, Host, Memory, Everything };

/// Plays a unit again for writing it. Pure function of (run, rank, unit); O(events of the unit).
UnitRecord recordUnit(const Run& run, std::uint32_t rank, std::uint64_t unit, UnitParts parts);

/// The unit as it was just played for the schedule of the run, which knows it already: `Lanes` but for `collectives`,
/// the window and the base.
/// @param host  Has finished; its record is taken.
UnitRecord recordPlayed(const Run& run, std::uint32_t rank, std::uint64_t unit, HostWalk& host,
                        const DeviceWalk& device);

/// True for the tasks that count as computing: those with a row of their own in kernel_details.csv.
inline bool isKernel(const TaskSpec& task) { return task.kind == TaskKind::Kernel; }

}  // namespace altiscope::generate
