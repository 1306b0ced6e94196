#include "core/analysis/support/matrix_kernels.h"

#include "core/base/text/ascii.h"
#include "core/store/recording_parts.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace altiscope {

namespace {

bool holdsMatMul(std::string_view name) { return asciiLower(name).find("matmul") != std::string::npos; }

}  // namespace

MatrixKernels::MatrixKernels(const RankEntry& rank) {
    static constexpr auto kName = fixedColumn(RowKind::Kernel, "name"), kBegin = fixedColumn(RowKind::Kernel, "ts"),
                          kDuration = fixedColumn(RowKind::Kernel, "dur");
    const RowTable* table = kernelsOfTimeline(rank);
    if (table == nullptr) return;
    std::vector<signed char> isMatrix(rank.rows->texts().size(), -1);
    std::vector<TimeRange> ranges;
    for (std::size_t row = 0; row < table->size(); ++row) {
        const auto name = table->text(kName, row);
        const auto begin = table->integer(kBegin, row), length = table->integer(kDuration, row);
        if (!name || !begin || !length) continue;
        m_isKnown = true;
        signed char& known = isMatrix[name->value];
        if (known < 0) known = holdsMatMul(rank.rows->text(*name)) ? 1 : 0;
        if (known == 1) ranges.push_back({TimeNs{*begin}, TimeNs{*begin} + DurationNs{*length}});
    }
    std::sort(ranges.begin(), ranges.end(), [](TimeRange a, TimeRange b) { return a.begin < b.begin; });
    for (const TimeRange range : ranges) {
        m_begins.push_back(range.begin);
        m_lastEnds.push_back(m_lastEnds.empty() ? range.end : std::max(m_lastEnds.back(), range.end));
    }
}

bool MatrixKernels::ranWithin(TimeRange range) const {
    const auto after = std::lower_bound(m_begins.begin(), m_begins.end(), range.end) - m_begins.begin();
    return after > 0 && range.begin < m_lastEnds[static_cast<std::size_t>(after) - 1];
}

}  // namespace altiscope
