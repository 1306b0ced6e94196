#include "core/import/raw_records/raw_rounds.h"

#include "core/base/threads/parallel_sort.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::uint64_t kFlip = 98, kMaintenance = 6;
constexpr std::size_t kRoundsPollEvery = 4096;

struct PlacedTrack {
    RawTrack track;
    std::size_t place;  // in the file
};
using PlacedTracks = std::vector<PlacedTrack>;

/// Tasks before a flip that have numbers of the round after it.
struct EarlyTasks {
    std::size_t first, last;
    std::uint16_t batch;
};

/// The tasks of one stream, by time.
void numberStream(PlacedTracks& tracks, const PlacedTracks& flips, const CancelToken& cancel) {
    static constexpr std::uint16_t kDestroyed = 0xffff;
    std::vector<EarlyTasks> early;
    RawLastNumbers before;
    std::uint16_t batch = 0;
    std::size_t next = 0;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        if (i % kRoundsPollEvery == 0 && cancel.cancelled()) return;
        while (next < flips.size() && tracks[i].track.time > flips[next].track.time) {
            if (next % kRoundsPollEvery == 0 && cancel.cancelled()) return;
            const RawTrack& flip = flips[next++].track;
            ++batch;
            if (flip.batch == kDestroyed) continue;
            // Threads race for the first number of a round.
            const auto last = before.lastFrom(flip.task);
            const std::size_t first = last ? *last + 1 : 0;
            if (first < i) early.push_back({first, i, batch});
        }
        tracks[i].track.batch = batch;
        before.add(tracks[i].track.task);
    }
    // Where several flips claim a task it is the last one's; from the last one on each task is set once.
    std::size_t begin = tracks.size();
    for (std::size_t i = early.size(); i-- > 0;) {
        if (i % kRoundsPollEvery == 0 && cancel.cancelled()) return;
        const std::size_t end = std::min(early[i].last, begin);
        for (std::size_t k = early[i].first; k < end; ++k) tracks[k].track.batch = early[i].batch;
        begin = std::min(begin, early[i].first);
    }
}

}  // namespace

std::optional<std::size_t> RawLastNumbers::lastFrom(std::uint32_t min) const {
    const auto after =
        std::partition_point(m_kept.begin(), m_kept.end(), [min](const Kept& one) { return one.number >= min; });
    return after == m_kept.begin() ? std::nullopt : std::optional((after - 1)->place);
}

void numberRawTracks(std::vector<RawTrack>& tracks, const CancelToken& cancel) {
    std::map<std::pair<std::uint16_t, std::uint16_t>, PlacedTracks> flips, streams;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        if (i % kRoundsPollEvery == 0 && cancel.cancelled()) return;
        const RawTrack& track = tracks[i];
        if (track.type == kMaintenance) continue;
        (track.type == kFlip ? flips : streams)[{track.device, track.stream}].push_back({track, i});
    }
    tracks.clear();
    for (auto& [key, own] : streams) {
        parallelSort(
            std::span(own),
            [](const PlacedTrack& a, const PlacedTrack& b) {
                return std::tie(a.track.time, a.place) < std::tie(b.track.time, b.place);
            },
            cancel);
        if (cancel.cancelled()) return;
        numberStream(own, flips[key], cancel);
        for (const PlacedTrack& one : own) tracks.push_back(one.track);
    }
}

}  // namespace altiscope::reader
