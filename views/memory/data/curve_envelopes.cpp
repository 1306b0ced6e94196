#include "views/memory/data/curve_envelopes.h"

#include "views/common/plots/view_window.h"

#include <algorithm>

namespace altiscope {

CurveEnvelopes curveEnvelopes(const std::vector<CurveLine>& lines, TimeRange window, int columns, TimeNs end) {
    CurveEnvelopes found{.window = window, .lines = std::vector<std::vector<MemoryExtremes>>(lines.size()), .all = {}};
    const int after = std::clamp(PixelScale(window, columns).column(end) + 1, 0, columns);
    const MemorySeries* known = nullptr;
    std::vector<std::size_t> borders;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!lines[i].shown || lines[i].series == nullptr) continue;
        // Lines of one series stand beside each other.
        if (lines[i].series.get() != known) {
            known = lines[i].series.get();
            borders = known->borders({window.begin - lines[i].shift, window.end - lines[i].shift}, columns);
        }
        auto& drawn = found.lines[i];
        drawn = known->envelope(lines[i].quantity, borders);
        std::fill(drawn.begin() + after, drawn.end(), MemoryExtremes());
        for (const MemoryExtremes& column : drawn) found.all.add(column);
    }
    return found;
}

}  // namespace altiscope
