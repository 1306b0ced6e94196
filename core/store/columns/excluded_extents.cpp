#include "core/store/columns/excluded_extents.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace altiscope {

namespace {

/// Collects facts, one for each track and category.
class FactList {
public:
    explicit FactList(std::vector<ExcludedExtents::Fact>& facts) : m_facts(facts) {}

    void add(ProvisionalTrack track, ProvisionalText category, bool isSlice, std::int64_t end) {
        // Neighbouring events mostly belong to one track.
        if (m_last == nullptr || m_last->track != track || m_last->category != category || m_last->isSlice != isSlice) {
            const std::uint64_t key = (std::uint64_t{track} << 32) | category;
            const auto [place, isNew] = m_places[isSlice ? 1 : 0].try_emplace(key, m_facts.size());
            if (isNew) m_facts.push_back({track, category, isSlice, end});
            m_last = &m_facts[place->second];
        }
        m_last->latest = std::max(m_last->latest, end);
    }

private:
    std::vector<ExcludedExtents::Fact>& m_facts;
    ExcludedExtents::Fact* m_last = nullptr;
    std::unordered_map<std::uint64_t, std::size_t> m_places[2];
};

void cutSlices(Segment::Slices& slices, TimeRange window, ExcludedExtents& out, FactList& facts) {
    const std::size_t count = slices.size();
    std::size_t outside = 0;
    for (std::size_t i = 0; i < count; ++i)
        outside += touchesWindow(window, slices.begin[i], slices.duration[i]) ? 0 : 1;
    if (outside == 0) return;
    out.track.reserve(outside);
    out.begin.reserve(outside);
    out.duration.reserve(outside);
    out.pos.reserve(outside);
    Segment::Slices kept;
    const auto reserve = [&](auto&... columns) { (columns.reserve(count - outside), ...); };
    reserve(kept.track, kept.begin, kept.duration, kept.name, kept.category, kept.pos);
    for (std::size_t i = 0; i < count; ++i) {
        if (touchesWindow(window, slices.begin[i], slices.duration[i])) {
            kept.add(slices.track[i], slices.begin[i], slices.duration[i], slices.name[i], slices.category[i],
                     slices.pos[i]);
            continue;
        }
        out.track.push_back(slices.track[i]);
        out.begin.push_back(slices.begin[i]);
        out.duration.push_back(slices.duration[i]);
        out.pos.push_back(slices.pos[i]);
        facts.add(slices.track[i], slices.category[i], true, slices.begin[i] + slices.duration[i]);
    }
    slices = std::move(kept);
}

}  // namespace

std::vector<Segment::Sample> lastSamples(const std::vector<Segment::Sample>& samples,
                                         const std::vector<StringId>& finalId) {
    std::vector<Segment::Sample> last;
    std::unordered_map<std::uint64_t, std::size_t> places;
    for (const Segment::Sample& sample : samples) {
        const std::uint32_t series = finalId.empty() ? sample.series : finalId[sample.series].value;
        const auto [place, isNew] = places.try_emplace((std::uint64_t{sample.track} << 32) | series, last.size());
        if (isNew) {
            last.push_back(sample);
            continue;
        }
        Segment::Sample& before = last[place->second];
        if (std::tie(before.time, before.pos) < std::tie(sample.time, sample.pos)) before = sample;
    }
    return last;
}

ExcludedExtents cutToWindow(Segment::Slices& slices, TimeRange window) {
    ExcludedExtents out;
    FactList facts(out.facts);
    cutSlices(slices, window, out, facts);
    return out;
}

ExcludedExtents cutToWindow(Segment& segment, TimeRange window) {
    ExcludedExtents out;
    FactList facts(out.facts);
    cutSlices(segment.slices, window, out, facts);

    std::vector<Segment::Sample> samples;
    std::vector<Segment::Sample> before;
    for (const Segment::Sample& sample : segment.samples) {
        if (window.contains({sample.time})) {
            samples.push_back(sample);
            continue;
        }
        ++out.samples;
        facts.add(sample.track, {}, false, sample.time);
        if (sample.time < window.begin.value) before.push_back(sample);
    }
    if (out.samples > 0) segment.samples = std::move(samples);
    out.edges = lastSamples(before, {});

    std::vector<Segment::Instant> instants;
    for (const Segment::Instant& instant : segment.instants) {
        if (window.contains({instant.time})) {
            instants.push_back(instant);
            continue;
        }
        ++out.instants;
        facts.add(instant.track, {}, false, instant.time);
    }
    if (out.instants > 0) segment.instants = std::move(instants);
    return out;
}

}  // namespace altiscope
