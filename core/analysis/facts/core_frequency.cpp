#include "core/analysis/facts/core_frequency.h"

#include <algorithm>
#include <string>

namespace altiscope {

double CoreFrequency::at(TimeNs time) const {
    if (samples.empty()) return 0;
    const auto after = std::upper_bound(samples.begin(), samples.end(), time,
                                        [](TimeNs t, const auto& sample) { return t < sample.first; });
    return after == samples.begin() ? samples.front().second : (after - 1)->second;
}

double CoreFrequency::lossAt(TimeNs time, double best) const {
    const double mhz = at(time);
    return best <= 0 || mhz <= 0 || mhz >= best ? 0 : 1 - mhz / best;
}

CoreFrequency coreFrequency(const TraceStore& trace, std::optional<std::int64_t> device) {
    CoreFrequency frequency;
    for (const CounterSeries& series : trace.series()) {
        const std::string& label = trace.tracks()[series.track].labels;
        if (device && !label.empty() && label != "NPU " + std::to_string(*device)) continue;
        // Chips of several dies have one series each; the first one stands for all.
        if (!trace.tracks()[series.track].name.starts_with("AI Core Freq") || !frequency.samples.empty()) continue;
        for (std::uint64_t i = series.first; i < series.first + series.count; ++i)
            frequency.samples.emplace_back(TimeNs{trace.columns().sampleTime[i]}, trace.columns().sampleValue[i]);
        frequency.highest = series.maximum;
        frequency.lowest = series.minimum;
    }
    return frequency;
}

}  // namespace altiscope
