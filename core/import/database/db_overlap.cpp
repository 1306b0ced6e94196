#include "core/import/database/db_overlap.h"

#include "core/base/columns/interval_set.h"
#include "core/import/database/db_device_scans.h"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>

namespace altiscope::reader {

void addOverlap(std::vector<DbInterval> intervals, const std::function<SourcePos(std::int64_t)>& position,
                DbTracks& tracks, TraceBuilder::Names& names, Segment& segment) {
    std::sort(intervals.begin(), intervals.end(), [](const DbInterval& a, const DbInterval& b) {
        return std::tie(a.device, a.begin, a.end) < std::tie(b.device, b.begin, b.end);
    });
    std::int64_t number = 0;
    for (std::size_t first = 0; first < intervals.size();) {
        const std::int64_t device = intervals[first].device;
        std::vector<TimeRange> computing, communication;
        for (; first < intervals.size() && intervals[first].device == device; ++first) {
            const DbInterval& one = intervals[first];
            (one.isCommunication ? communication : computing).push_back({{one.begin}, {one.end}});
        }
        const IntervalSet computed = unionOf(std::move(computing), {}),
                          communicated = unionOf(std::move(communication), {});
        const std::array<IntervalSet, 4> byType{computed, communicated, differenceOf(communicated, computed),
                                                gapsOf(unionOf(computed, communicated))};
        for (std::size_t type = 0; type < byType.size(); ++type) {
            const auto thread = static_cast<std::int64_t>(type);
            const ProvisionalText name = names.text(overlapName(thread));
            for (const TimeRange& piece : byType[type]) {
                const ProvisionalTrack track = tracks.thread(DbLayer::Overlap, device, thread,
                                                             [thread] { return std::string(overlapName(thread)); });
                segment.slices.add(track, piece.begin.value, piece.length().value, name, names.text({}),
                                   position(number++));
            }
        }
    }
}

}  // namespace altiscope::reader
