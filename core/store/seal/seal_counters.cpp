#include "core/store/seal/seal_counters.h"

#include "core/base/text/text.h"
#include "core/base/threads/parallel.h"
#include "core/base/threads/parallel_sort.h"
#include "core/store/columns/pyramid.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace altiscope {

namespace {

struct SampleItem {
    std::int64_t time;
    double value;
    SourcePos pos;
};

MinMax merged(MinMax a, MinMax b) { return {std::min(a.minimum, b.minimum), std::max(a.maximum, b.maximum)}; }

/// Series in the order in which they are met, and the number of each sample's series.
struct Met {
    std::vector<CounterSeries> series;
    std::vector<std::vector<std::uint32_t>> seriesOf;  // by segment, sample
};

Met meetSeries(const SealInput& input, const std::vector<std::uint32_t>& trackIndexOf, const CancelToken& cancel) {
    Met met;
    std::unordered_map<std::uint64_t, std::uint32_t> numbers;
    met.seriesOf.resize(input.segments.size());
    for (std::size_t s = 0; s < input.segments.size() && !cancel.cancelled(); ++s) {
        met.seriesOf[s].reserve(input.segments[s]->samples.size());
        for (const auto& sample : input.segments[s]->samples) {
            const std::uint32_t track = trackIndexOf[sample.track];
            const StringId name = input.texts.finalId[sample.series];
            const std::uint64_t key = (std::uint64_t{track} << 32) | name.value;
            const auto [it, isNew] = numbers.try_emplace(key, static_cast<std::uint32_t>(met.series.size()));
            if (isNew) {
                CounterSeries series;
                series.track = track;
                series.name = name;
                met.series.push_back(series);
            }
            ++met.series[it->second].count;
            met.seriesOf[s].push_back(it->second);
        }
    }
    return met;
}

}  // namespace

void sealCounters(const SealInput& input, const std::vector<std::uint32_t>& trackIndexOf, TraceColumns& columns,
                  const CancelToken& cancel) {
    Met met = meetSeries(input, trackIndexOf, cancel);
    if (cancel.cancelled()) return;
    std::vector<std::uint32_t> order(met.series.size());
    std::iota(order.begin(), order.end(), 0U);
    // As people count: "Series 2" before "Series 10".
    parallelSort(
        std::span(order),
        [&](std::uint32_t a, std::uint32_t b) {
            const CounterSeries &left = met.series[a], &right = met.series[b];
            if (left.track != right.track) return left.track < right.track;
            const int byName = naturalCompare(input.texts.pool.text(left.name), input.texts.pool.text(right.name));
            return byName != 0 ? byName < 0 : left.name < right.name;
        },
        cancel);
    if (cancel.cancelled()) return;

    std::vector<CounterSeries> series;
    std::vector<std::uint64_t> cursor(met.series.size());
    std::uint64_t total = 0;
    std::uint64_t nodes = 0;
    for (const std::uint32_t number : order) {
        CounterSeries one = met.series[number];
        one.first = total;
        one.pyramid = nodes;
        cursor[number] = total;
        total += one.count;
        nodes += pyramidNodes(one.count);
        series.push_back(one);
    }

    std::vector<SampleItem> items(total);
    for (std::size_t s = 0; s < input.segments.size() && !cancel.cancelled(); ++s) {
        const auto& samples = input.segments[s]->samples;
        for (std::size_t i = 0; i < samples.size(); ++i) {
            items[cursor[met.seriesOf[s][i]]++] = {samples[i].time, samples[i].value, samples[i].pos};
        }
        met.seriesOf[s] = {};
    }

    std::vector<std::int64_t> time(total);
    std::vector<double> value(total);
    std::vector<MinMax> pyramid(nodes);
    parallelFor(series.size(), [&](std::size_t k) {
        if (cancel.cancelled()) return;
        CounterSeries& one = series[k];
        const auto mine = std::span(items).subspan(one.first, one.count);
        const auto earlier = [](const SampleItem& a, const SampleItem& b) {
            return std::tie(a.time, a.pos) < std::tie(b.time, b.pos);
        };
        parallelSort(mine, earlier, cancel);
        MinMax all{mine.front().value, mine.front().value};
        for (std::size_t i = 0; i < mine.size(); ++i) {
            time[one.first + i] = mine[i].time;
            value[one.first + i] = mine[i].value;
            all = merged(all, {mine[i].value, mine[i].value});
        }
        one.minimum = all.minimum;
        one.maximum = all.maximum;
        buildPyramid(
            one.count, pyramid.data() + one.pyramid,
            [&](std::size_t i) {
                return MinMax{mine[i].value, mine[i].value};
            },
            merged);
    });

    columns.series = Column(std::move(series));
    columns.sampleTime = Column(std::move(time));
    columns.sampleValue = Column(std::move(value));
    columns.minMax = Column(std::move(pyramid));
}

void sealInstants(const SealInput& input, const std::vector<std::uint32_t>& trackIndexOf, TraceColumns& columns,
                  const CancelToken& cancel) {
    struct Item {
        std::uint32_t track;
        Segment::Instant instant;
    };
    std::vector<Item> items;
    for (const auto& segment : input.segments) {
        if (cancel.cancelled()) return;
        for (const auto& instant : segment->instants) items.push_back({trackIndexOf[instant.track], instant});
    }
    const auto earlier = [](const Item& a, const Item& b) {
        return std::tie(a.track, a.instant.time, a.instant.pos) < std::tie(b.track, b.instant.time, b.instant.pos);
    };
    parallelSort(std::span(items), earlier, cancel);
    std::vector<std::int64_t> time;
    std::vector<StringId> name;
    std::vector<SourcePos> pos;
    std::vector<std::uint32_t> track;
    for (const Item& item : items) {
        if (cancel.cancelled()) return;
        track.push_back(item.track);
        time.push_back(item.instant.time);
        name.push_back(input.texts.finalId[item.instant.name]);
        pos.push_back(item.instant.pos);
    }
    columns.instantTrack = Column(std::move(track));
    columns.instantTime = Column(std::move(time));
    columns.instantName = Column(std::move(name));
    columns.instantPos = Column(std::move(pos));
}

}  // namespace altiscope
