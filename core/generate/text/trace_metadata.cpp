#include "core/generate/text/trace_metadata.h"

#include <algorithm>
#include <string>

namespace altiscope::generate {

namespace {

struct MetadataEvent {
    std::string_view name;
    std::uint32_t pid;
    std::uint32_t tid;
    std::string arguments;  ///< `"name": "HBM"`
};

/// Torch_npu puts the phase first, CANN last.
enum class MetadataOrder : std::uint8_t { PhaseFirst, PhaseLast };

void addEvent(const MetadataEvent& event, MetadataOrder order, TextBuffer& out) {
    out.add(order == MetadataOrder::PhaseFirst ? ", {\"ph\": \"M\", \"name\": \"" : ", {\"name\": \"");
    out.add(event.name);
    out.add("\", \"pid\": ");
    out.addNumber(std::uint64_t{event.pid});
    out.add(", \"tid\": ");
    out.addNumber(std::uint64_t{event.tid});
    out.add(", \"args\": {");
    out.add(event.arguments);
    out.add(order == MetadataOrder::PhaseFirst ? "}}" : "}, \"ph\": \"M\"}");
}

std::string textArgument(std::string_view key, std::string_view value) {
    return "\"" + std::string(key) + "\": \"" + std::string(value) + "\"";
}

std::string sortArgument(std::uint32_t index) { return "\"sort_index\": " + std::to_string(index); }

void addThreads(const RankTracks& tracks, TraceProcess process, MetadataOrder order, TextBuffer& out) {
    const std::uint32_t pid = tracks.pid(process);
    for (const TraceTrack& track : tracks.tracks()) {
        if (track.process != process || !track.used) continue;
        addEvent({"thread_name", pid, track.tid, textArgument("name", track.name)}, order, out);
        // The lanes of the overlap analysis have no sort index of their own.
        if (process != TraceProcess::Overlap)
            addEvent({"thread_sort_index", pid, track.tid, sortArgument(track.sortIndex)}, order, out);
    }
}

}  // namespace

void addHostMetadata(const RankTracks& tracks, TextBuffer& out) {
    const std::uint32_t pid = tracks.pid(TraceProcess::Python);
    addEvent({"process_name", pid, 0, textArgument("name", processName(TraceProcess::Python))},
             MetadataOrder::PhaseFirst, out);
    addEvent({"process_labels", pid, 0, textArgument("labels", processLabel(TraceProcess::Python))},
             MetadataOrder::PhaseFirst, out);
    addEvent({"process_sort_index", pid, 0, sortArgument(0)}, MetadataOrder::PhaseFirst, out);
    addThreads(tracks, TraceProcess::Python, MetadataOrder::PhaseFirst, out);
}

void addDeviceMetadata(const RankTracks& tracks, TextBuffer& out) {
    for (std::size_t i = 1; i < kTraceProcesses; ++i) {
        const auto process = static_cast<TraceProcess>(i);
        const auto isOfProcess = [process](const TraceTrack& track) { return track.process == process; };
        // A single rank has no collectives, and few record garbage collection.
        const bool mayBeAbsent = process == TraceProcess::Hccl || process == TraceProcess::Garbage;
        if (mayBeAbsent && std::none_of(tracks.tracks().begin(), tracks.tracks().end(), isOfProcess)) continue;
        const std::uint32_t pid = tracks.pid(process);
        addEvent({"process_name", pid, 0, textArgument("name", processName(process))}, MetadataOrder::PhaseLast, out);
        addThreads(tracks, process, MetadataOrder::PhaseLast, out);
        addEvent({"process_labels", pid, 0, textArgument("labels", processLabel(process))}, MetadataOrder::PhaseLast,
                 out);
        addEvent({"process_sort_index", pid, 0, sortArgument(processLayer(process))}, MetadataOrder::PhaseLast, out);
    }
}

}  // namespace altiscope::generate
