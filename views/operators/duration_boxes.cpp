#include "views/operators/duration_boxes.h"

#include "core/base/threads/parallel.h"
#include "views/common/support/formatters.h"
#include "views/operators/operator_numbers.h"
#include "views/operators/operator_tables.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct BoxTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::DurationBoxes)
};

/// More boxes have no room for their names.
constexpr std::size_t kMaxBoxes = 50;

std::vector<std::int64_t> joined(const std::vector<std::vector<std::int64_t>>& parts) {
    std::vector<std::int64_t> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

}  // namespace

DurationBoxes durationBoxes(const KernelGroups& groups, std::optional<std::uint32_t> key, std::size_t most,
                            const CancelToken& cancel) {
    DurationBoxes made{.key = key, .places = {}, .boxes = {}};
    if (key) {
        const auto durations = durationsOfKeys(groups, {*key}, cancel);
        if (durations.empty()) return {};
        const auto& parts = durations.front();
        for (std::uint32_t part = 0; part < parts.size(); ++part) {
            if (!parts[part].empty()) made.places.push_back(part);
        }
        made.boxes.resize(made.places.size());
        parallelFor(made.places.size(), [&](std::size_t i) { made.boxes[i] = boxOf(parts[made.places[i]]); });
    } else {
        const std::vector<KeyTime> times = timeByKey(groups);
        for (std::size_t i = 0; i < std::min({times.size(), most == 0 ? kMaxBoxes : most, kMaxBoxes}); ++i)
            made.places.push_back(times[i].key);
        const auto durations = durationsOfKeys(groups, made.places, cancel);
        made.boxes.resize(durations.size());
        parallelFor(durations.size(), [&](std::size_t i) { made.boxes[i] = boxOf(joined(durations[i])); });
    }
    if (cancel.cancelled()) return {};
    return made;
}

BoxPlot boxPlotOf(DurationBoxes boxes, const KernelGroups& groups) {
    BoxPlot plot;
    for (const std::uint32_t place : boxes.places)
        plot.labels << (boxes.key ? partTitle(*groups.index, place) : keyTitle(groups, place));
    plot.bottomTitle =
        boxes.key ? keyTitle(groups, *boxes.key) : BoxTexts::tr("Groups with the most time, all ranks together");
    plot.boxes = std::move(boxes.boxes);
    plot.tip = [labels = plot.labels, values = plot.boxes](std::size_t shown, std::size_t, std::size_t) {
        const BoxValues& box = values[shown];
        const auto time = [](double ns) { return formatDuration({static_cast<std::int64_t>(std::llround(ns))}); };
        return labels[static_cast<qsizetype>(shown)] + u'\n' +
               withCount(BoxTexts::tr("%n kernel(s): %1 to %2, half of them %3 to %4, median %5", nullptr,
                                      pluralCount(box.count)),
                         box.count)
                   .arg(time(box.min), time(box.max), time(box.lowerQuartile), time(box.upperQuartile),
                        time(box.median));
    };
    return plot;
}

}  // namespace altiscope
