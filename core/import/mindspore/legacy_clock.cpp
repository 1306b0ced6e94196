#include "core/import/mindspore/legacy_clock.h"

#include "core/base/values/median.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace altiscope::reader {

namespace {

/// Pairs of an event and a slice of its name that are looked at; far more than it takes, and few enough to be sorted at
/// once.
constexpr std::size_t kMaxPairs = std::size_t{1} << 18;

/// The differences between events and slices of their names that occur most often, best first. Rare names come first:
/// their pairs are the ones that tell most.
std::vector<std::int64_t> likelyOrigins(const LegacyEvents& file, const LegacySlices& slices) {
    static constexpr std::size_t kWanted = 4;
    std::vector<const LegacyEvent*> byName;
    for (const LegacyEvent& event : file.events) byName.push_back(&event);
    std::stable_sort(byName.begin(), byName.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
    struct Named {
        std::size_t first, count;
        std::vector<LegacySlices::Slice> slices;
    };
    std::vector<Named> names;
    for (std::size_t i = 0; i < byName.size();) {
        std::size_t end = i;
        while (end < byName.size() && byName[end]->name == byName[i]->name) ++end;
        if (auto named = slices.named(byName[i]->name); !named.empty()) names.push_back({i, end - i, std::move(named)});
        i = end;
    }
    std::stable_sort(names.begin(), names.end(), [](const Named& a, const Named& b) {
        return a.count * a.slices.size() < b.count * b.slices.size();
    });
    std::vector<std::int64_t> differences;
    for (const Named& name : names) {
        const std::size_t left = kMaxPairs - differences.size();
        if (left < name.slices.size()) break;
        // A name with too many gives events from all over the file.
        const std::size_t taken = std::min(name.count, left / name.slices.size());
        for (std::size_t i = 0; i < taken; ++i) {
            const LegacyEvent& event = *byName[name.first + i * name.count / taken];
            for (const auto& slice : name.slices) differences.push_back(event.ts - slice.first);
        }
    }
    std::sort(differences.begin(), differences.end());
    struct Cluster {
        std::size_t count;
        std::int64_t origin;
    };
    std::vector<Cluster> clusters;
    std::size_t end = 0;
    for (std::size_t first = 0; first < differences.size(); ++first) {
        while (end < differences.size() && differences[end] - differences[first] <= 2 * file.tolerance) ++end;
        clusters.push_back({end - first, differences[first + (end - first - 1) / 2]});
    }
    std::stable_sort(clusters.begin(), clusters.end(),
                     [](const Cluster& a, const Cluster& b) { return a.count > b.count; });
    std::vector<std::int64_t> origins;
    for (const Cluster& cluster : clusters) {
        const bool isNew = std::none_of(origins.begin(), origins.end(), [&](std::int64_t known) {
            return std::abs(known - cluster.origin) <= 2 * file.tolerance;
        });
        if (isNew) origins.push_back(cluster.origin);
        if (origins.size() == kWanted) break;
    }
    return origins;
}

/// How an origin fits what all files list.
struct OriginFit {
    std::uint64_t found = 0;   ///< Events on a slice.
    std::uint64_t inside = 0;  ///< Events whose name the timeline has, and that lie within its time.
    /// The median distance of the file that is exact to the least; what rounding leaves is spread evenly around it.
    std::int64_t correction = 0;
    std::vector<LegacyClock::Unmatched> unmatched;
};

OriginFit fitOf(std::int64_t origin, const std::vector<LegacyEvents>& files,
                const std::vector<std::vector<bool>>& isNamed, const LegacySlices& slices) {
    const TraceStore& trace = slices.trace();
    const TimeRange all = trace.range();
    OriginFit fit;
    std::int64_t finest = 0;
    for (std::size_t f = 0; f < files.size(); ++f) {
        const LegacyEvents& file = files[f];
        LegacyClock::Unmatched unmatched{file.file, 0, 0, false};
        std::size_t insideHere = 0;
        std::vector<std::int64_t> distances;
        for (std::size_t i = 0; i < file.events.size(); ++i) {
            const LegacyEvent& event = file.events[i];
            const std::int64_t begin = event.ts - origin;
            const bool isInside = begin >= all.begin.value - file.tolerance && begin <= all.end.value + file.tolerance;
            const auto slice =
                isNamed[f][i] && isInside ? slices.nearest(event.name, begin, event.dur, file.tolerance) : std::nullopt;
            insideHere += isNamed[f][i] && isInside ? 1 : 0;
            if (slice) distances.push_back(begin - trace.begin({*slice}).value);
            else if (unmatched.count++ == 0) unmatched.row = event.row;
        }
        fit.found += distances.size();
        fit.inside += insideHere;
        unmatched.differs = insideHere > 0 && distances.size() * 2 <= insideHere;
        if (unmatched.count > 0) fit.unmatched.push_back(std::move(unmatched));
        if (distances.empty() || (finest != 0 && finest <= file.tolerance)) continue;
        finest = file.tolerance;
        fit.correction = upperMedian(distances);
    }
    return fit;
}

}  // namespace

bool LegacyClock::differs(std::string_view file) const {
    return fit == Fit::Differs || std::any_of(unmatched.begin(), unmatched.end(),
                                              [file](const Unmatched& one) { return one.differs && one.file == file; });
}

LegacySlices::LegacySlices(const TraceStore& trace) : m_trace(trace) {
    m_entries.reserve(trace.sliceCount());
    for (std::uint32_t i = 0; i < trace.sliceCount(); ++i)
        m_entries.push_back({trace.nameId({i}), {trace.begin({i}).value, i}});
    std::sort(m_entries.begin(), m_entries.end(), [](const Entry& a, const Entry& b) {
        return std::tie(a.name.value, a.slice) < std::tie(b.name.value, b.slice);
    });
}

std::optional<StringId> LegacySlices::idOf(std::string_view name) const {
    const auto whole = m_trace.texts().find(name);
    return whole ? whole : m_trace.texts().find(lastPathPart(name));
}

std::pair<std::vector<LegacySlices::Entry>::const_iterator, std::vector<LegacySlices::Entry>::const_iterator>
LegacySlices::entriesOf(StringId name) const {
    const auto first = std::lower_bound(m_entries.begin(), m_entries.end(), name,
                                        [](const Entry& entry, StringId id) { return entry.name.value < id.value; });
    const auto end = std::upper_bound(first, m_entries.end(), name,
                                      [](StringId id, const Entry& entry) { return id.value < entry.name.value; });
    return {first, end};
}

std::vector<LegacySlices::Slice> LegacySlices::named(std::string_view name) const {
    std::vector<Slice> found;
    const auto id = idOf(name);
    if (!id) return found;
    const auto [first, end] = entriesOf(*id);
    for (auto entry = first; entry != end; ++entry) found.push_back(entry->slice);
    return found;
}

std::optional<std::uint32_t> LegacySlices::nearest(std::string_view name, std::int64_t begin, std::int64_t duration,
                                                   std::int64_t tolerance) const {
    const auto id = idOf(name);
    if (!id) return std::nullopt;
    const auto [first, end] = entriesOf(*id);
    auto entry = std::lower_bound(first, end, begin - tolerance,
                                  [](const Entry& one, std::int64_t time) { return one.slice.first < time; });
    std::optional<std::uint32_t> best;
    std::pair<std::int64_t, std::int64_t> bestDistance;
    for (; entry != end && entry->slice.first <= begin + tolerance; ++entry) {
        const std::pair distance{std::abs(entry->slice.first - begin),
                                 std::abs(m_trace.duration({entry->slice.second}).value - duration)};
        if (best && bestDistance <= distance) continue;
        best = entry->slice.second;
        bestDistance = distance;
    }
    return best;
}

namespace {

/// The events of files whose names the timeline has.
struct NamedEvents {
    std::vector<std::vector<bool>> isNamed;  // by file and event
    std::uint64_t count = 0;
    std::uint64_t slices = 0;  // of the names of all events
};

NamedEvents namedEvents(const std::vector<LegacyEvents>& files, const LegacySlices& slices) {
    NamedEvents named;
    std::map<std::string_view, std::size_t> sliceCounts;
    for (const LegacyEvents& file : files) {
        auto& flags = named.isNamed.emplace_back();
        for (const LegacyEvent& event : file.events) {
            const auto [known, isNew] = sliceCounts.try_emplace(event.name, 0);
            if (isNew) {
                known->second = slices.named(event.name).size();
                named.slices += known->second;
            }
            flags.push_back(known->second > 0);
            named.count += known->second > 0 ? 1 : 0;
        }
    }
    return named;
}

/// The origin with which most events lie on a slice, and how they do; the first of equal ones.
std::optional<std::pair<std::int64_t, OriginFit>> bestFit(const std::vector<LegacyEvents>& files,
                                                          const std::vector<std::int64_t>& hints,
                                                          const NamedEvents& named, const LegacySlices& slices) {
    std::vector<std::int64_t> origins;
    for (const LegacyEvents& file : files) {
        const auto likely = likelyOrigins(file, slices);
        origins.insert(origins.end(), likely.begin(), likely.end());
    }
    origins.insert(origins.end(), hints.begin(), hints.end());
    std::optional<std::pair<std::int64_t, OriginFit>> best;
    for (const std::int64_t origin : origins) {
        OriginFit fit = fitOf(origin, files, named.isNamed, slices);
        if (!best || best->second.found < fit.found) best.emplace(origin, std::move(fit));
    }
    return best;
}

}  // namespace

LegacyClock legacyClock(const std::vector<LegacyEvents>& files, const std::vector<std::int64_t>& hints,
                        const LegacySlices& slices) {
    LegacyClock clock;
    for (const LegacyEvents& file : files) {
        if (file.isKernels) clock.kernelTolerance = file.tolerance;
    }
    const NamedEvents named = namedEvents(files, slices);
    if (named.count == 0) {
        if (hints.empty() || slices.trace().sliceCount() == 0) return clock;
        clock.fit = LegacyClock::Fit::Agrees;
        clock.origin = hints.front();
        return clock;
    }
    auto best = bestFit(files, hints, named, slices);
    // Either side may lack a part of the other, but what one has must lie in the other for the most part.
    const std::uint64_t comparable = std::min(named.count, named.slices);
    const bool agrees = best && best->second.found * 2 > best->second.inside && best->second.inside * 2 > comparable;
    if (!agrees) {
        clock.fit = LegacyClock::Fit::Differs;
        for (const LegacyEvents& file : files) {
            if (!file.events.empty())
                clock.unmatched.push_back({file.file, file.events.front().row, file.events.size(), true});
        }
        return clock;
    }
    auto& [origin, fit] = *best;
    clock.fit = LegacyClock::Fit::Agrees;
    clock.origin = origin;
    // In the middle of what rounding leaves, if nothing loses its slice there.
    OriginFit corrected = fitOf(origin + fit.correction, files, named.isNamed, slices);
    if (fit.correction != 0 && corrected.found >= fit.found) {
        clock.origin += fit.correction;
        fit = std::move(corrected);
    }
    clock.unmatched = std::move(fit.unmatched);
    return clock;
}

}  // namespace altiscope::reader
