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

/// Numbers of the series by track and name, as people count: "Series 2" before "Series 10".
std::vector<std::uint32_t> orderOf(const Met& met, const StringPool& texts, const CancelToken& cancel) {
    std::vector<std::uint32_t> order(met.series.size());
    std::iota(order.begin(), order.end(), 0U);
    parallelSort(
        std::span(order),
        [&](std::uint32_t a, std::uint32_t b) {
            const CounterSeries &left = met.series[a], &right = met.series[b];
            if (left.track != right.track) return left.track < right.track;
            const int byName = naturalCompare(texts.text(left.name), texts.text(right.name));
            return byName != 0 ? byName < 0 : left.name < right.name;
        },
        cancel);
    return order;
}

/// Writable columns while they are filled.
struct SampleDraft {
    std::vector<std::int64_t> time;
    std::vector<double> value;
    std::vector<MinMax> pyramid;
};

/// Sorts the samples of one series, and writes them and what follows from them.
void writeSeries(CounterSeries& series, std::span<SampleItem> samples, SampleDraft& draft, const CancelToken& cancel) {
    const auto earlier = [](const SampleItem& a, const SampleItem& b) {
        return std::tie(a.time, a.pos) < std::tie(b.time, b.pos);
    };
    parallelSort(samples, earlier, cancel);
    MinMax all{samples.front().value, samples.front().value};
    for (std::size_t i = 0; i < samples.size(); ++i) {
        draft.time[series.first + i] = samples[i].time;
        draft.value[series.first + i] = samples[i].value;
        all = merged(all, {samples[i].value, samples[i].value});
    }
    series.minimum = all.minimum;
    series.maximum = all.maximum;
    buildPyramid(
        series.count, draft.pyramid.data() + series.pyramid,
        [&](std::size_t i) {
            return MinMax{samples[i].value, samples[i].value};
        },
        merged);
}

}  // namespace

void sealCounters(const SealInput& input, const std::vector<std::uint32_t>& trackIndexOf, TraceColumns& columns,
                  const CancelToken& cancel) {
    Met met = meetSeries(input, trackIndexOf, cancel);
    if (cancel.cancelled()) return;
    const std::vector<std::uint32_t> order = orderOf(met, input.texts.pool, cancel);
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

    SampleDraft draft{std::vector<std::int64_t>(total), std::vector<double>(total), std::vector<MinMax>(nodes)};
    parallelFor(series.size(), [&](std::size_t k) {
        if (cancel.cancelled()) return;
        writeSeries(series[k], std::span(items).subspan(series[k].first, series[k].count), draft, cancel);
    });

    columns.series = Column(std::move(series));
    columns.sampleTime = Column(std::move(draft.time));
    columns.sampleValue = Column(std::move(draft.value));
    columns.minMax = Column(std::move(draft.pyramid));
}

}  // namespace altiscope
