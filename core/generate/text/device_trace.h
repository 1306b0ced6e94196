#pragma once

#include "core/generate/text/host_trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace altiscope::generate {

/// Writes what CANN adds to a rank's trace_view.json: runtime calls, device tasks, collectives, overlap lanes, counters
/// and the flows between them, all of a unit by time. Each event is preceded by ", ".
/// Source of the format: torch_npu's text export at level 1 (CANN 7/8.0: process HCCL, labels without device number).
class DeviceTraceWriter {
public:
    DeviceTraceWriter(const Run& run, const JsonTexts& texts, const RankTracks& tracks, std::uint32_t rank);

    void unit(const UnitRecord& record, TextBuffer& out, TraceTally& tally) const;

private:
    enum class Kind : std::uint8_t {
        Api,
        FlowStart,
        Task,
        FlowEnd,
        PlaneHardware,
        Plane,
        Collective,
        Overlap,
        Counter,
        Profiling
    };
    struct Item {
        TimeNs time;
        Kind kind;
        std::uint32_t index;     ///< Into the list of the kind; of plane tasks: the collective.
        std::uint32_t subIndex;  ///< Of plane tasks.
    };

    std::vector<Item> itemsOf(const UnitRecord& record) const;
    void write(const Item& item, const UnitRecord& record, TextBuffer& out, TraceTally& tally) const;
    void api(const ApiSlice& slice, TextBuffer& out, TraceTally& tally) const;
    void task(const UnitRecord& record, std::uint32_t index, TextBuffer& out, TraceTally& tally) const;
    void hardwareArguments(std::string_view taskType, const DeviceWork& work, std::uint64_t subTask,
                           TextBuffer& out) const;
    void plane(const UnitRecord& record, const Item& item, TextBuffer& out, TraceTally& tally) const;
    void planeHardware(const UnitRecord& record, const Item& item, TextBuffer& out, TraceTally& tally) const;
    void collective(const UnitRecord& record, const PlayedCollective& collective, TextBuffer& out,
                    TraceTally& tally) const;
    void overlap(const OverlapSlice& slice, TextBuffer& out, TraceTally& tally) const;
    void flow(const UnitRecord& record, const Item& item, TextBuffer& out, TraceTally& tally) const;
    void counter(const CounterSample& sample, TextBuffer& out, TraceTally& tally) const;
    void profilingMark(std::uint32_t index, TimeNs time, TextBuffer& out, TraceTally& tally) const;
    void sliceHead(std::string_view name, std::uint32_t track, TimeNs start, TextBuffer& out) const;

    const Run& m_run;
    const JsonTexts& m_texts;
    const RankTracks& m_tracks;
    const RankIdentity& m_identity;
    std::vector<std::string> m_places;
    std::vector<std::string> m_counterTails;  ///< `", "pid": P, "tid": 0, "args": {` by process.
};

/// When the profiler switches the device's profiling on (index 0, in the first unit) or off (1, in the last one).
TimeNs profilingMarkTime(const UnitRecord& record, std::uint32_t index);
/// Connection of both marks: a call that the profiler did not record.
std::uint64_t markConnection(const Run& run, std::uint32_t stage);

}  // namespace altiscope::generate
