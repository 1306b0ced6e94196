#pragma once

#include "core/base/text/text_buffer.h"
#include "core/generate/records/rank_tracks.h"
#include "core/generate/records/unit_record.h"
#include "core/generate/support/capture_tally.h"

#include <cstdint>
#include <string>
#include <vector>

namespace altiscope::generate {

/// Texts of a run as they stand in a JSON string, and the constant ends of operators' arguments. Shared by all ranks.
class JsonTexts {
public:
    explicit JsonTexts(const RunProgram& program);

    const std::string& operator[](TextId id) const { return m_texts[id.value]; }
    /// Everything after the sequence number in a cpu_op event of this site.
    const std::string& opTail(std::uint32_t site) const { return m_tails[m_tailOfSite[site]]; }

private:
    std::vector<std::string> m_texts;
    std::vector<std::string> m_tails;
    std::vector<std::uint32_t> m_tailOfSite;
};

/// Writes the Python process of a rank's trace_view.json, section by section in the order of the real files. Each event
/// is preceded by ", ". Slices are ordered by their end within a unit, as the profiler writes them.
/// Source of the format: torch_npu's text export, level 1 with stacks, shapes and modules.
class HostTraceWriter {
public:
    HostTraceWriter(const Run& run, const JsonTexts& texts, const RankTracks& tracks, std::uint32_t rank);

    void operators(const UnitRecord& record, TextBuffer& out, TraceTally& tally) const;
    void enqueues(const UnitRecord& record, TextBuffer& out, TraceTally& tally) const;
    void dequeues(const UnitRecord& record, TextBuffer& out, TraceTally& tally) const;
    void forwardBackwardFlows(const UnitRecord& record, TextBuffer& out, TraceTally& tally) const;
    void pythonFunctions(const UnitRecord& record, TextBuffer& out, TraceTally& tally) const;
    void garbageCollections(const UnitRecord& record, TextBuffer& out, TraceTally& tally) const;
    /// The frames around the training loop; they end with the run and therefore stand after all others.
    void baseFrames(TextBuffer& out, TraceTally& tally) const;
    /// Arrows from operators to what they put on the device; `record` needs its tasks.
    void deviceFlows(const UnitRecord& record, TextBuffer& out, TraceTally& tally) const;

private:
    struct FlowPoint {
        char phase;
        std::uint64_t id;
        std::uint32_t track;
        TimeNs time;
    };

    void addFlow(const FlowPoint& point, std::string_view name, std::string_view category, TextBuffer& out) const;
    void addSliceHead(std::string_view name, std::uint32_t track, TextBuffer& out) const;

    const Run& m_run;
    const JsonTexts& m_texts;
    const RankTracks& m_tracks;
    std::uint32_t m_rank;
    std::vector<std::string> m_places;  ///< `, "pid": P, "tid": T, "ts": "` by track.
};

/// Of one of the frames around the training loop.
TimeRange baseFrameRange(const Run& run, std::uint32_t rank, std::size_t frame);

/// `, "pid": P, "tid": T, "ts": "` for every track of a rank.
std::vector<std::string> tracePlaces(const RankTracks& tracks);

}  // namespace altiscope::generate
