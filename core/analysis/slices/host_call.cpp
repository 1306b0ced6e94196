#include "core/analysis/slices/host_call.h"

#include <algorithm>
#include <cctype>

namespace altiscope {

bool isLibraryOperator(std::string_view name) {
    const std::size_t at = name.find("::");
    if (at == std::string_view::npos || at == 0 || name.starts_with("autograd::")) return false;
    return std::all_of(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(at),
                       [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
}

HostCall hostCallOf(const TraceStore& trace, SliceIndex slice) {
    const std::string_view name = trace.name(slice);
    switch (trace.track({trace.runOf(slice).track}).kind) {
    case TrackKind::Cann: return name == "Node@launch" ? HostCall::Launch : HostCall::CannCall;
    case TrackKind::Python:
        if (name.starts_with("Enqueue")) return HostCall::Enqueue;
        if (name.starts_with("Dequeue")) return HostCall::Dequeue;
        if (name.starts_with("<built-in")) return HostCall::BuiltIn;
        if (trace.category(slice) == "python_function") return HostCall::PythonFunction;
        return name.starts_with("ProfilerStep#") ? HostCall::Other : HostCall::Operator;
    case TrackKind::Stack: return name.starts_with("<built-in") ? HostCall::BuiltIn : HostCall::PythonFunction;
    case TrackKind::Hardware:
    case TrackKind::Communication:
    case TrackKind::Overlap:
    case TrackKind::Counter:
    case TrackKind::Mstx:
    case TrackKind::Scope:
    case TrackKind::Gc:
    case TrackKind::Other: break;
    }
    return HostCall::Other;
}

SliceIndex innermostAt(const TraceStore& trace, TrackIndex track, TimeNs time) {
    const auto runs = trace.runs(track);
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
        const std::uint32_t at = trace.firstEndingAfter(*run, time);
        if (at < run->first + run->count && trace.begin({at}) <= time) return {at};
    }
    return kNoSlice;
}

SliceIndex innermostAt(const TraceStore& trace, const std::vector<TrackIndex>& tracks, TimeNs time) {
    SliceIndex best = kNoSlice;
    for (const TrackIndex track : tracks) {
        const SliceIndex found = innermostAt(trace, track, time);
        if (found != kNoSlice && (best == kNoSlice || trace.begin(found) > trace.begin(best))) best = found;
    }
    return best;
}

std::vector<TrackIndex> tracksOfThread(const TraceStore& trace, TrackIndex like, TrackKind kind) {
    std::vector<TrackIndex> found;
    const std::string& tid = trace.track(like).tid;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        const Track& track = trace.tracks()[t];
        if (track.kind == kind && track.tid == tid && trace.extent({t}).sliceCount > 0) found.push_back({t});
    }
    return found;
}

TimeRange timeBeforeCall(const TraceStore& trace, const DepthRun& run, std::uint32_t slice) {
    const TimeNs end = trace.begin({slice});
    const SliceIndex parent = trace.parent({slice});
    if (parent == kNoSlice) return {end, end};
    TimeNs before = trace.begin(parent);
    if (slice > run.first && trace.parent({slice - 1}) == parent) before = std::max(before, trace.end({slice - 1}));
    return {std::min(before, end), end};
}

}  // namespace altiscope
