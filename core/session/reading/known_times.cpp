#include "core/session/reading/known_times.h"

#include <algorithm>

namespace altiscope {

namespace {

void unite(std::optional<TimeRange>& into, TimeRange range) {
    if (!into) into = range;
    else *into = {std::min(into->begin, range.begin), std::max(into->end, range.end)};
}

/// Steps of one number become the time that contains them all.
void unite(std::vector<Step>& into, const Step& step) {
    if (!step.range) return;
    const auto place = std::lower_bound(into.begin(), into.end(), step.number,
                                        [](const Step& known, std::int64_t number) { return known.number < number; });
    if (place == into.end() || place->number != step.number) into.insert(place, step);
    else unite(place->range, *step.range);
}

}  // namespace

void RankTimes::add(const CaptureStore& capture) {
    for (const RankEntry& rank : capture.ranks) {
        if (rank.trace == nullptr || rank.trace->range().empty()) continue;
        KnownTimes& known = m_ranks[rank.info.path];
        unite(known.range, rank.trace->homeRange());
        for (const Step& step : rank.steps) unite(known.steps, step);
    }
}

KnownTimes RankTimes::of(const std::string& rank) const {
    if (const auto own = m_ranks.find(rank); own != m_ranks.end()) return own->second;
    KnownTimes all;
    for (const auto& [path, known] : m_ranks) {
        if (known.range) unite(all.range, *known.range);
        for (const Step& step : known.steps) unite(all.steps, step);
    }
    return all;
}

std::optional<TimeNs> RankTimes::origin() const {
    std::optional<TimeNs> origin;
    for (const auto& [path, known] : m_ranks) {
        if (known.range) origin = origin ? std::min(*origin, known.range->begin) : known.range->begin;
    }
    return origin;
}

}  // namespace altiscope
