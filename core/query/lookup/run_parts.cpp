#include "core/query/lookup/run_parts.h"

#include <algorithm>
#include <tuple>

namespace altiscope {

namespace {

/// The tracks that a selection allows, in display order or, where they are few and named, by id.
std::vector<TrackPlace> selectedTracks(const CaptureIndex& index, RunSelection& selection) {
    std::vector<TrackPlace> tracks;
    if (const auto* ids = selection.tracks.values()) {
        for (const std::int64_t id : *ids) {
            const TrackPlace* place = index.findTrack(id);
            if (place != nullptr && rankMatches(selection.ranks, index.rankId(place->rank))) tracks.push_back(*place);
        }
        return tracks;
    }
    for (RankIndex r; r.value < index.rankCount(); ++r.value) {
        const TraceStore* store = index.trace(r);
        if (store == nullptr || !rankMatches(selection.ranks, index.rankId(r))) continue;
        for (std::uint32_t t = 0; t < store->tracks().size(); ++t) tracks.push_back({store->tracks()[t].id, r, t});
    }
    return tracks;
}

void sortForBuckets(std::vector<TrackPlace>& tracks, const CaptureIndex& index, RunBuckets buckets) {
    const auto group = [&](const TrackPlace& t) { return index.rankGroup(t.rank); };
    switch (buckets) {
    case RunBuckets::One: return;
    case RunBuckets::ByRank:
        return std::stable_sort(tracks.begin(), tracks.end(),
                                [&](const TrackPlace& a, const TrackPlace& b) { return group(a) < group(b); });
    case RunBuckets::ByTrack:
        return std::sort(tracks.begin(), tracks.end(),
                         [](const TrackPlace& a, const TrackPlace& b) { return a.id < b.id; });
    case RunBuckets::ByRankAndTrack:
        return std::sort(tracks.begin(), tracks.end(), [&](const TrackPlace& a, const TrackPlace& b) {
            return std::make_tuple(group(a), a.id) < std::make_tuple(group(b), b.id);
        });
    }
}

/// Cuts a stretch to the wanted times.
void trim(RunPart& part, const IntegerSet& times) {
    if (times.all()) return;
    const std::int64_t* begin = part.times + part.first;
    const std::int64_t* end = part.times + part.last;
    const std::int64_t* first = std::lower_bound(begin, end, times.low());
    const std::int64_t* last = std::upper_bound(first, end, times.high());
    part.first = static_cast<std::uint64_t>(first - part.times);
    part.last = static_cast<std::uint64_t>(last - part.times);
}

}  // namespace

std::vector<RunPart> collectParts(const CaptureIndex& index, RunSelection selection, RunBuckets buckets,
                                  const RunsOfTrack& runsOfTrack) {
    std::vector<RunPart> parts;
    std::vector<RunPart> ofTrack;
    std::vector<TrackPlace> tracks = selectedTracks(index, selection);
    sortForBuckets(tracks, index, buckets);
    for (std::uint32_t number = 0; number < tracks.size(); ++number) {
        const TrackPlace& place = tracks[number];
        ofTrack.clear();
        runsOfTrack(*index.trace(place.rank), TrackIndex{place.track}, ofTrack);
        for (RunPart& part : ofTrack) {
            part.rank = place.rank;
            part.track = place.track;
            part.bucket = buckets == RunBuckets::One      ? 0
                          : buckets == RunBuckets::ByRank ? index.rankGroup(place.rank)
                                                          : number;
            trim(part, selection.times);
            if (part.first != part.last) parts.push_back(part);
        }
    }
    return parts;
}

}  // namespace altiscope
