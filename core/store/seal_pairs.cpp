#include "core/store/seal_slices.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace altiscope {

namespace {

/// Latest time of any event on each of the given tracks.
void findTrackEnds(const SealInput& input, std::map<ProvisionalTrack, std::int64_t>& ends) {
    const auto raise = [&](ProvisionalTrack track, std::int64_t time) {
        if (const auto end = ends.find(track); end != ends.end()) end->second = std::max(end->second, time);
    };
    for (const auto& segment : input.segments) {
        const Segment::Slices& slices = segment->slices;
        for (std::size_t i = 0; i < slices.size(); ++i) raise(slices.track[i], slices.begin[i] + slices.duration[i]);
        for (const auto& end : segment->openEnds) raise(end.track, end.time);
        for (const auto& instant : segment->instants) raise(instant.track, instant.time);
    }
}

} // namespace

Segment::Slices pairOpenEnds(const SealInput& input, std::string_view file, Diagnostics& diagnostics) {
    std::vector<Segment::OpenEnd> ends;
    for (const auto& segment : input.segments) ends.insert(ends.end(), segment->openEnds.begin(), segment->openEnds.end());
    std::sort(ends.begin(), ends.end(), [](const auto& a, const auto& b) {
        return std::tie(a.track, a.time, a.pos) < std::tie(b.track, b.time, b.pos);
    });

    Segment::Slices slices;
    std::vector<Segment::OpenEnd> unmatched;
    std::vector<Segment::OpenEnd> open;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const Segment::OpenEnd& end = ends[i];
        if (end.isBegin) {
            open.push_back(end);
        } else if (open.empty()) {
            diagnostics.add("unmatched_end", Severity::Lost, file, {PlaceUnit::Byte, end.pos.offset()});
        } else {
            const Segment::OpenEnd& begin = open.back();
            slices.add(begin.track, begin.time, end.time - begin.time, begin.name, begin.category, begin.pos);
            open.pop_back();
        }
        if (i + 1 == ends.size() || ends[i + 1].track != end.track) {
            unmatched.insert(unmatched.end(), open.begin(), open.end());
            open.clear();
        }
    }
    if (unmatched.empty()) return slices;

    std::map<ProvisionalTrack, std::int64_t> trackEnds;
    for (const auto& begin : unmatched) trackEnds.emplace(begin.track, begin.time);
    findTrackEnds(input, trackEnds);
    for (const auto& begin : unmatched) {
        diagnostics.add("unmatched_begin", Severity::Repaired, file, {PlaceUnit::Byte, begin.pos.offset()});
        slices.add(begin.track, begin.time, trackEnds.at(begin.track) - begin.time, begin.name, begin.category, begin.pos);
    }
    return slices;
}

} // namespace altiscope
