#include "views/timeline/overlay/veils.h"

#include "core/base/columns/interval_set.h"
#include "views/timeline/scene/timeline_scene.h"

#include <algorithm>
#include <span>
#include <utility>

namespace altiscope {

std::vector<TimeRange> outsideOf(const std::optional<std::vector<TimeRange>>& times, TimeRange all) {
    return times ? differenceOf(std::span(&all, 1), *times) : std::vector<TimeRange>();
}

std::vector<Veil> veilsOf(const TimelineScene& scene) {
    if (!scene.times()) return {};
    const TimeRange window = scene.window().range();
    const RowViewport& viewport = scene.viewport();
    std::vector<Veil> veils;
    bool isSame = true;
    for (const std::size_t number : viewport.rowsInSight(viewport.height())) {
        if (number >= scene.model().rows().size()) continue;
        const TimelineRow& row = scene.model().rows()[number];
        if (row.rank == kNoRank) continue;
        const auto [first, after] = viewport.partOf(row);
        const auto top = static_cast<double>(viewport.yOf(row, row.top));
        Veil veil{std::max<double>(top, first), std::min<double>(top + row.height, after),
                  outsideOf(scene.times({row.source, row.rank}), window)};
        if (veil.top >= veil.bottom) continue;
        isSame = isSame && (veils.empty() || veils.front().ranges == veil.ranges);
        veils.push_back(std::move(veil));
    }
    if (isSame && !veils.empty()) return {{0, static_cast<double>(viewport.height()), std::move(veils.front().ranges)}};
    return veils;
}

}  // namespace altiscope
