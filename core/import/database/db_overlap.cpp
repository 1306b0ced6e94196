#include "core/import/database/db_overlap.h"

#include "core/import/contracts/intervals.h"
#include "core/import/database/db_device_scans.h"
#include "core/import/database/db_position.h"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>

namespace altiscope::reader {

namespace {

using Pieces = std::vector<Interval>;

void extend(Pieces& pieces, std::int64_t begin, std::int64_t end) {
    if (!pieces.empty() && begin <= pieces.back().end) pieces.back().end = std::max(pieces.back().end, end);
    else pieces.push_back({begin, end});
}

}  // namespace

void addOverlap(std::vector<DbInterval> intervals, const DbContext& context, DbTracks& tracks,
                TraceBuilder::Names& names, Segment& segment) {
    std::sort(intervals.begin(), intervals.end(), [](const DbInterval& a, const DbInterval& b) {
        return std::tie(a.device, a.begin, a.end) < std::tie(b.device, b.begin, b.end);
    });
    std::int64_t number = 0;
    for (std::size_t first = 0; first < intervals.size();) {
        const std::int64_t device = intervals[first].device;
        Pieces computing, communication, busy;
        for (; first < intervals.size() && intervals[first].device == device; ++first) {
            const DbInterval& one = intervals[first];
            if (one.begin == one.end) continue;
            extend(one.isCommunication ? communication : computing, one.begin, one.end);
            extend(busy, one.begin, one.end);
        }
        Pieces free;
        for (std::size_t i = 1; i < busy.size(); ++i) free.push_back({busy[i - 1].end, busy[i].begin});
        const std::array<Pieces, 4> byType{computing, communication, uncovered(communication, computing), free};
        for (std::size_t type = 0; type < byType.size(); ++type) {
            const auto thread = static_cast<std::int64_t>(type);
            const ProvisionalText name = names.text(overlapName(thread));
            for (const Interval& piece : byType[type]) {
                const ProvisionalTrack track = tracks.thread(DbLayer::Overlap, device, thread,
                                                             [thread] { return std::string(overlapName(thread)); });
                segment.slices.add(
                    track, piece.begin, piece.end - piece.begin, name, names.text({}),
                    dbPosition(context.file.number, static_cast<std::uint8_t>(DbTableCode::OverlapAnalysis), number++));
            }
        }
    }
}

}  // namespace altiscope::reader
