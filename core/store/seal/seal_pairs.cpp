#include "core/store/seal/seal_slices.h"

#include "core/base/threads/parallel_sort.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

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
    for (const auto& excluded : input.excluded) {
        for (const ExcludedExtents::Fact& fact : excluded->facts) raise(fact.track, fact.latest);
    }
}

/// The begins of one track that wait for their ends, by time.
class OpenBegins {
public:
    explicit OpenBegins(const SealInput& input) : m_input(input) {}

    bool empty() const { return m_open.empty(); }
    void push(const Segment::OpenEnd& begin) {
        m_placesOf[nameOf(begin).value].push_back(m_open.size());
        m_open.push_back({begin});
    }
    /// Takes the begin that an end closes: the last one of its name, which leaves those after it without an end
    /// (`unmatched`) unless they may overlap. An end without a name, or with one that none of them has, closes the last
    /// begin.
    Segment::OpenEnd close(const Segment::OpenEnd& end, std::vector<Segment::OpenEnd>& unmatched) {
        const auto places = m_placesOf.find(nameOf(end).value);
        const bool isNamed =
            places != m_placesOf.end() && !places->second.empty() && !m_input.texts.pool.text(nameOf(end)).empty();
        const std::size_t place = isNamed ? places->second.back() : m_open.size() - 1;
        const Segment::OpenEnd begin = m_open[place].end;
        if (end.mayOverlap) {
            m_open[place].isClosed = true;
            m_placesOf[nameOf(begin).value].pop_back();
        } else {
            while (m_open.size() > place + 1) unmatched.push_back(pop());
            pop();
        }
        while (!m_open.empty() && m_open.back().isClosed) m_open.pop_back();
        return begin;
    }
    void clear(std::vector<Segment::OpenEnd>& unmatched) {
        for (const Open& open : m_open) {
            if (!open.isClosed) unmatched.push_back(open.end);
        }
        m_open.clear();
        m_placesOf.clear();
    }

private:
    /// The last one is never closed.
    struct Open {
        Segment::OpenEnd end;
        bool isClosed = false;
    };

    StringId nameOf(const Segment::OpenEnd& end) const { return m_input.texts.finalId[end.name]; }
    Segment::OpenEnd pop() {
        const Segment::OpenEnd last = m_open.back().end;
        m_placesOf[nameOf(last).value].pop_back();
        m_open.pop_back();
        return last;
    }

    const SealInput& m_input;
    std::vector<Open> m_open;
    std::unordered_map<std::uint32_t, std::vector<std::size_t>> m_placesOf;  // in m_open, by name
};

}  // namespace

Segment::Slices pairOpenEnds(const SealInput& input, const SourceNames& names, Diagnostics& diagnostics,
                             const CancelToken& cancel) {
    std::vector<Segment::OpenEnd> ends;
    for (const auto& segment : input.segments)
        ends.insert(ends.end(), segment->openEnds.begin(), segment->openEnds.end());
    const auto before = [](const Segment::OpenEnd& a, const Segment::OpenEnd& b) {
        return std::tie(a.track, a.time, a.pos) < std::tie(b.track, b.time, b.pos);
    };
    parallelSort(std::span(ends), before, cancel);

    Segment::Slices slices;
    std::vector<Segment::OpenEnd> unmatched;
    OpenBegins open(input);
    for (std::size_t i = 0; i < ends.size() && !cancel.cancelled(); ++i) {
        const Segment::OpenEnd& end = ends[i];
        if (end.isBegin) {
            open.push(end);
        } else if (open.empty()) {
            diagnostics.add("unmatched_end", Severity::Lost, names.of(end.pos), {PlaceUnit::Byte, end.pos.offset()});
        } else {
            const Segment::OpenEnd begin = open.close(end, unmatched);
            slices.add(begin.track, begin.time, end.time - begin.time, begin.name, begin.category, begin.pos);
        }
        if (i + 1 == ends.size() || ends[i + 1].track != end.track) open.clear(unmatched);
    }
    if (unmatched.empty() || cancel.cancelled()) return slices;

    std::map<ProvisionalTrack, std::int64_t> trackEnds;
    for (const auto& begin : unmatched) trackEnds.emplace(begin.track, begin.time);
    findTrackEnds(input, trackEnds);
    for (const auto& begin : unmatched) {
        if (cancel.cancelled()) break;
        diagnostics.add("unmatched_begin", Severity::Repaired, names.of(begin.pos),
                        {PlaceUnit::Byte, begin.pos.offset()});
        slices.add(begin.track, begin.time, trackEnds.at(begin.track) - begin.time, begin.name, begin.category,
                   begin.pos);
    }
    return slices;
}

}  // namespace altiscope
