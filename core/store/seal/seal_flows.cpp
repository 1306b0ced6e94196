#include "core/store/seal/seal_flows.h"

#include "core/base/columns/keyed_sort.h"
#include "core/base/columns/raw_array.h"
#include "core/base/threads/parallel.h"
#include "core/base/threads/parallel_sort.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace altiscope {

std::vector<FlowEnd> collectFlowEnds(const SealInput& input, const std::vector<std::uint32_t>& trackIndexOf,
                                     const CancelToken& cancel) {
    std::vector<std::size_t> places{0};
    for (const auto& segment : input.segments) places.push_back(places.back() + segment->flows.size());
    std::vector<FlowEnd> ends(places.back());
    parallelFor(input.segments.size(), [&](std::size_t s) {
        if (cancel.cancelled()) return;
        std::size_t place = places[s];
        for (const auto& flow : input.segments[s]->flows)
            ends[place++] = {flow.key,   input.texts.finalId[flow.category],
                             flow.point, trackIndexOf[flow.track],
                             flow.time,  flow.pos};
    });
    return ends;
}

namespace {

/// Pairs within one group of equal category and key, ordered by time and position.
/// @return Number of points that stay without a partner.
std::size_t pairGroup(std::span<const std::uint32_t> group, const std::vector<FlowEnd>& ends,
                      std::vector<FlowPair>& pairs) {
    constexpr std::uint32_t kNone = 0xffffffffU;
    std::uint32_t firstStart = kNone;
    std::size_t starts = 0;
    for (const std::uint32_t end : group) {
        if (ends[end].point != FlowPoint::Start) continue;
        if (firstStart == kNone) firstStart = end;
        ++starts;
    }
    if (firstStart == kNone || starts == group.size()) return group.size();
    // The latest start at or before a finish; host and device clocks agree only to some us, so a finish may precede its
    // only start.
    std::vector<std::uint32_t> used;
    std::uint32_t latest = firstStart;
    auto seen = group.begin();
    for (const std::uint32_t finish : group) {
        if (ends[finish].point != FlowPoint::Finish) continue;
        for (; seen != group.end() && ends[*seen].time <= ends[finish].time; ++seen) {
            if (ends[*seen].point == FlowPoint::Start) latest = *seen;
        }
        pairs.push_back({latest, finish});
        used.push_back(latest);
    }
    std::sort(used.begin(), used.end());
    const auto usedCount = static_cast<std::size_t>(std::unique(used.begin(), used.end()) - used.begin());
    return starts - usedCount;
}

/// The pairs of one category. @param numbers  Of its ends.
std::size_t pairCategory(std::vector<KeyedNumber> numbers, const std::vector<FlowEnd>& ends,
                         std::vector<FlowPair>& pairs, const CancelToken& cancel) {
    sortByKey(numbers, cancel);
    const auto before = [&](std::uint32_t x, std::uint32_t y) {
        const FlowEnd& p = ends[x];
        const FlowEnd& q = ends[y];
        return std::tie(p.key.high, p.time, p.pos, x) < std::tie(q.key.high, q.time, q.pos, y);
    };
    const auto isStart = [&ends](std::uint32_t end) { return ends[end].point == FlowPoint::Start; };
    std::size_t lonely = 0;
    std::vector<std::uint32_t> group;
    for (std::size_t first = 0; first < numbers.size() && !cancel.cancelled();) {
        std::size_t last = first;
        group.clear();
        for (; last < numbers.size() && numbers[last].key == numbers[first].key; ++last)
            group.push_back(numbers[last].number);
        first = last;
        // Nearly always one start and its finish.
        if (group.size() == 2 && ends[group[0]].key.high == ends[group[1]].key.high &&
            isStart(group[0]) != isStart(group[1])) {
            const bool isInOrder = isStart(group[0]);
            pairs.push_back({group[isInOrder ? 0 : 1], group[isInOrder ? 1 : 0]});
            continue;
        }
        if (group.size() > 1) parallelSort(std::span(group), before, cancel);
        for (auto rest = std::span<const std::uint32_t>(group); !rest.empty();) {
            std::size_t count = 1;
            while (count < rest.size() && ends[rest[count]].key.high == ends[rest[0]].key.high) ++count;
            lonely += pairGroup(rest.first(count), ends, pairs);
            rest = rest.subspan(count);
        }
    }
    return lonely;
}

/// All pairs, by category and key. `unpaired` counts points without a partner.
std::vector<FlowPair> pairFlows(const std::vector<FlowEnd>& ends, std::uint64_t& unpaired, const CancelToken& cancel) {
    std::vector<std::size_t> counts;  // by category
    for (const FlowEnd& end : ends) {
        if (end.category.value >= counts.size()) counts.resize(end.category.value + std::size_t{1}, 0);
        ++counts[end.category.value];
    }
    std::vector<std::vector<KeyedNumber>> numbers;
    std::vector<std::size_t> placeOf(counts.size());
    for (std::size_t category = 0; category < counts.size(); ++category) {
        if (counts[category] == 0) continue;
        placeOf[category] = numbers.size();
        numbers.emplace_back().reserve(counts[category]);
    }
    for (std::uint32_t i = 0; i < ends.size() && !cancel.cancelled(); ++i)
        numbers[placeOf[ends[i].category.value]].push_back({ends[i].key.low, i});
    std::vector<std::vector<FlowPair>> pairs(numbers.size());
    std::vector<std::size_t> lonely(numbers.size(), 0);
    parallelFor(numbers.size(), [&](std::size_t c) {
        pairs[c].reserve(numbers[c].size() / 2);
        lonely[c] = pairCategory(std::move(numbers[c]), ends, pairs[c], cancel);
    });
    std::vector<FlowPair> all;
    all.reserve(std::accumulate(pairs.begin(), pairs.end(), std::size_t{0},
                                [](std::size_t sum, const auto& list) { return sum + list.size(); }));
    for (auto& list : pairs) {
        all.insert(all.end(), list.begin(), list.end());
        std::vector<FlowPair>().swap(list);
    }
    unpaired = std::accumulate(lonely.begin(), lonely.end(), std::uint64_t{0});
    return all;
}

/// First slice of the run that begins after `time`, searched upwards from `from` by doubling steps: neighbouring
/// queries have neighbouring results.
std::uint32_t gallopPast(const Column<std::int64_t>& begin, std::uint32_t from, std::uint32_t last, std::int64_t time) {
    std::uint32_t step = 1;
    std::uint32_t low = from;
    while (low < last && begin[low] <= time) {
        const std::uint32_t next = last - low > step ? low + step : last;
        if (next == last || begin[next] > time) {
            const auto* data = begin.span().data();
            return static_cast<std::uint32_t>(std::upper_bound(data + low, data + next, time) - data);
        }
        low = next;
        step *= 2;
    }
    return low;
}

/// Finds the slice of each end on one track; `wanted` are end numbers ordered by time.
void attach(std::uint32_t track, std::span<const std::uint32_t> wanted, const std::vector<FlowEnd>& ends,
            const TraceColumns& columns, std::vector<std::uint32_t>& sliceOf, const CancelToken& cancel) {
    const TrackExtent& extent = columns.extents[track];
    std::vector<bool> exact(wanted.size(), false);
    for (std::uint32_t r = extent.firstRun; r < extent.firstRun + extent.runCount && !cancel.cancelled(); ++r) {
        const DepthRun& run = columns.runs[r];
        std::uint32_t cursor = run.first;
        for (std::size_t w = 0; w < wanted.size(); ++w) {
            const std::int64_t time = ends[wanted[w]].time;
            cursor = gallopPast(columns.begin, cursor, run.first + run.count, time);
            if (cursor == run.first) continue;
            const std::uint32_t slice = cursor - 1;
            const bool startsHere = columns.begin[slice] == time;
            // Runs come from the outermost inwards, so a later match is a deeper one.
            if (startsHere || (!exact[w] && columns.begin[slice] + columns.duration[slice] >= time)) {
                sliceOf[wanted[w]] = slice;
                if (startsHere) exact[w] = true;
            }
        }
    }
}

/// Numbers from 0 of which some are taken; finds the first one from a place on that is not. About O(1).
class FreePlaces {
public:
    explicit FreePlaces(std::size_t count) : m_next(count + 1) { std::iota(m_next.begin(), m_next.end(), 0U); }
    std::size_t from(std::size_t place) {
        while (m_next[place] != place) {
            m_next[place] = m_next[m_next[place]];
            place = m_next[place];
        }
        return place;
    }
    void take(std::size_t place) { m_next[place] = static_cast<std::uint32_t>(place + 1); }

private:
    std::vector<std::uint32_t> m_next;
};

/// The same as attach() where slices lie in slices thousands deep, and each end would be looked for in each depth: from
/// the innermost run outwards, so that what is found is not looked for again. O((slices + ends) * log(ends)).
void attachDeep(std::uint32_t track, std::span<const std::uint32_t> wanted, const std::vector<FlowEnd>& ends,
                const TraceColumns& columns, std::vector<std::uint32_t>& sliceOf, const CancelToken& cancel) {
    const TrackExtent& extent = columns.extents[track];
    const auto firstFrom = [&](std::int64_t time) {
        const auto at = std::lower_bound(wanted.begin(), wanted.end(), time,
                                         [&](std::uint32_t end, std::int64_t t) { return ends[end].time < t; });
        return static_cast<std::size_t>(at - wanted.begin());
    };
    const auto timeOf = [&](std::size_t place) { return ends[wanted[place]].time; };
    FreePlaces covered(wanted.size()), exact(wanted.size());
    for (std::uint32_t r = extent.firstRun + extent.runCount; r-- > extent.firstRun && !cancel.cancelled();) {
        const DepthRun& run = columns.runs[r];
        for (std::uint32_t slice = run.first; slice < run.first + run.count && !cancel.cancelled(); ++slice) {
            const std::int64_t begin = columns.begin[slice];
            std::int64_t last = begin + columns.duration[slice];
            // Where the next one of the run has begun, that one is looked at.
            if (slice + 1 < run.first + run.count) last = std::min(last, columns.begin[slice + 1] - 1);
            if (last < begin) continue;
            const std::size_t first = firstFrom(begin);
            for (std::size_t w = covered.from(first); w < wanted.size() && timeOf(w) <= last; w = covered.from(w)) {
                covered.take(w);
                sliceOf[wanted[w]] = slice;
            }
            // One that begins just then is the one, also around inner ones.
            for (std::size_t w = exact.from(first); w < wanted.size() && timeOf(w) == begin; w = exact.from(w)) {
                exact.take(w);
                sliceOf[wanted[w]] = slice;
            }
        }
    }
}

std::vector<std::uint32_t> attachEnds(const FlowDraft& flows, const TraceColumns& columns, const CancelToken& cancel) {
    std::vector<std::uint32_t> sliceOf(flows.ends.size(), kNoSlice.value);
    if (flows.pairs.empty()) return sliceOf;
    const std::vector<std::vector<std::uint32_t>> byTrack = flowEndsByTrack(flows, columns.tracks.size(), cancel);
    parallelFor(byTrack.size(), [&](std::size_t t) {
        if (byTrack[t].empty() || cancel.cancelled()) return;
        // Deeper than calls of any program that was not made to be.
        static constexpr std::uint32_t kDeep = 256;
        const auto attachAll = columns.extents[t].runCount > kDeep ? attachDeep : attach;
        attachAll(static_cast<std::uint32_t>(t), byTrack[t], flows.ends, columns, sliceOf, cancel);
    });
    return sliceOf;
}

Column<std::uint32_t> sortedBySlice(const Column<std::uint32_t>& slice, const CancelToken& cancel) {
    const auto sorted = sortedNumbers(
        slice.size(), [&](std::size_t i) { return std::uint64_t{slice[i]}; }, cancel);
    std::vector<std::uint32_t> order(sorted.size());
    std::transform(sorted.begin(), sorted.end(), order.begin(), [](const KeyedNumber& one) { return one.number; });
    return Column(std::move(order));
}

}  // namespace

FlowDraft pairFlowEnds(std::vector<FlowEnd> ends, std::string_view file, Diagnostics& diagnostics,
                       const CancelToken& cancel) {
    std::uint64_t unpaired = 0;
    FlowDraft flows;
    flows.ends = std::move(ends);
    flows.pairs = pairFlows(flows.ends, unpaired, cancel);
    if (cancel.cancelled()) return flows;
    if (unpaired > 0) diagnostics.add("unpaired_flow", Severity::Info, file, {}, {}, unpaired);
    const auto sorted = sortedNumbers(
        flows.pairs.size(), [&](std::size_t i) { return flows.ends[flows.pairs[i].finish].pos.packed; }, cancel);
    std::vector<FlowPair> inOrder(sorted.size());
    std::transform(sorted.begin(), sorted.end(), inOrder.begin(),
                   [&](const KeyedNumber& one) { return flows.pairs[one.number]; });
    flows.pairs = std::move(inOrder);
    return flows;
}

std::vector<std::vector<std::uint32_t>> flowEndsByTrack(const FlowDraft& flows, std::size_t tracks,
                                                        const CancelToken& cancel) {
    const std::vector<FlowEnd>& ends = flows.ends;
    std::vector<std::vector<std::uint32_t>> byTrack(tracks);
    std::vector<bool> listed(ends.size(), false);
    for (const FlowPair& pair : flows.pairs) {
        if (cancel.cancelled()) break;
        for (const std::uint32_t end : {pair.start, pair.finish}) {
            if (ends[end].track >= byTrack.size() || listed[end]) continue;
            listed[end] = true;
            byTrack[ends[end].track].push_back(end);
        }
    }
    parallelFor(byTrack.size(), [&](std::size_t t) {
        std::vector<std::uint32_t>& own = byTrack[t];
        std::vector<KeyedNumber> sorted;
        sorted.reserve(own.size());
        for (const std::uint32_t end : own) sorted.push_back({sortKeyOf(ends[end].time), end});
        sortByKey(sorted, cancel);
        std::transform(sorted.begin(), sorted.end(), own.begin(), [](const KeyedNumber& one) { return one.number; });
    });
    return byTrack;
}

void sealFlows(const FlowDraft& flows, TraceColumns& columns, const CancelToken& cancel) {
    const std::vector<std::uint32_t> sliceOf = attachEnds(flows, columns, cancel);
    if (!cancel.cancelled()) writeFlows(flows, sliceOf, {}, columns, cancel);
}

void writeFlows(const FlowDraft& flows, const std::vector<std::uint32_t>& sliceOf,
                const std::optional<TimeRange>& window, TraceColumns& columns, const CancelToken& cancel) {
    static constexpr std::size_t kPairsAtOnce = std::size_t{1} << 14;
    const std::vector<FlowEnd>& ends = flows.ends;
    std::vector<std::uint32_t> number;  // of a window: pairs that are kept
    for (std::uint32_t i = 0; window && i < flows.pairs.size(); ++i) {
        if (cancel.cancelled()) return;
        const auto isKept = [&](std::uint32_t end) {
            return sliceOf[end] != kNoSlice.value || window->contains({ends[end].time});
        };
        if (isKept(flows.pairs[i].start) || isKept(flows.pairs[i].finish)) number.push_back(i);
    }
    const std::size_t count = window ? number.size() : flows.pairs.size();
    RawArray<SourcePos> pos(count);
    RawArray<std::uint32_t> from(count), to(count);
    RawArray<std::int64_t> fromTime(count), toTime(count);
    RawArray<StringId> category(count);
    parallelFor((count + kPairsAtOnce - 1) / kPairsAtOnce, [&](std::size_t part) {
        if (cancel.cancelled()) return;
        for (std::size_t i = part * kPairsAtOnce; i < std::min(count, (part + 1) * kPairsAtOnce); ++i) {
            const FlowPair& pair = flows.pairs[window ? number[i] : i];
            pos[i] = ends[pair.finish].pos;
            from[i] = sliceOf[pair.start];
            to[i] = sliceOf[pair.finish];
            fromTime[i] = ends[pair.start].time;
            toTime[i] = ends[pair.finish].time;
            category[i] = ends[pair.finish].category;
        }
    });
    if (cancel.cancelled()) return;
    columns.flowPos = std::move(pos).toColumn();
    columns.flowFrom = std::move(from).toColumn();
    columns.flowTo = std::move(to).toColumn();
    columns.flowFromTime = std::move(fromTime).toColumn();
    columns.flowToTime = std::move(toTime).toColumn();
    columns.flowCategory = std::move(category).toColumn();
    parallelFor(2, [&](std::size_t i) {
        if (i == 0) columns.flowsByFrom = sortedBySlice(columns.flowFrom, cancel);
        else columns.flowsByTo = sortedBySlice(columns.flowTo, cancel);
    });
    columns.flowNumber = Column(std::move(number));
    if (window) columns.allFlows = flows.pairs.size();
}

}  // namespace altiscope
