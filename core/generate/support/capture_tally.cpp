#include "core/generate/support/capture_tally.h"

#include <algorithm>

namespace altiscope::generate {

void TraceTally::add(const TraceTally& other) {
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        tracks[i].slices += other.tracks[i].slices;
        tracks[i].durationNs += other.tracks[i].durationNs;
    }
    flows += other.flows;
    counters += other.counters;
}

void DurationSum::add(std::int64_t ns) {
    minNs = count == 0 ? ns : std::min(minNs, ns);
    maxNs = count == 0 ? ns : std::max(maxNs, ns);
    ++count;
    totalNs += ns;
    const double us = static_cast<double>(ns) / 1000.0;
    squares += us * us;
}

void DurationSum::add(const DurationSum& other) {
    if (other.count == 0) return;
    minNs = count == 0 ? other.minNs : std::min(minNs, other.minNs);
    maxNs = count == 0 ? other.maxNs : std::max(maxNs, other.maxNs);
    count += other.count;
    totalNs += other.totalNs;
    squares += other.squares;
}

}  // namespace altiscope::generate
