#include "views/memory/data/memory_lines.h"

#include "core/analysis/memory/memory_peaks.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>

namespace altiscope {

namespace {

struct MemoryTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::MemoryTexts)
};

/// More lines than these are for those who choose them.
constexpr std::size_t kFirstShown = 12;
/// The first lines of a plot have the hues that differ most; purple is that of memory.
constexpr std::size_t kHueOrder[] = {0, 1, 2, 4, 3, 5, 7, 6, 8, 9, 10, 12, 11, 13, 15, 14};
static_assert(std::size(kHueOrder) == Theme::kHues);

bool isPart(const std::string& component) {
    return component == "PTA" || component == "GE" || component == "MindSpore";
}

/// Series of a grouping, in the order of the set.
std::vector<std::shared_ptr<const MemorySeries>> seriesOf(const MemorySeriesSet& set, MemoryGrouping grouping) {
    const auto isSum = [](const auto& series) { return isSumComponent(series->component()); };
    const bool hasSum = std::any_of(set.series.begin(), set.series.end(), isSum);
    std::vector<std::shared_ptr<const MemorySeries>> chosen;
    for (const auto& series : set.series) {
        const bool left = grouping == MemoryGrouping::Overall ? hasSum && isPart(series->component()) : isSum(series);
        if (!left) chosen.push_back(series);
    }
    // A capture may hold nothing but sums.
    return chosen.empty() ? set.series : chosen;
}

}  // namespace

QString seriesTitle(const MemorySeries& series) {
    const QString component =
        series.component().empty() ? MemoryTexts::tr("no component") : toQString(series.component());
    const QString ofDevice =
        series.device() ? MemoryTexts::tr("%1, NPU %2").arg(component).arg(*series.device()) : component;
    return series.stream() ? MemoryTexts::tr("%1, stream %2").arg(ofDevice).arg(*series.stream()) : ofDevice;
}

QString quantityTitle(MemoryQuantity quantity) {
    switch (quantity) {
    case MemoryQuantity::Allocated: return MemoryTexts::tr("allocated");
    case MemoryQuantity::Reserved: return MemoryTexts::tr("reserved");
    case MemoryQuantity::Active: return MemoryTexts::tr("active");
    case MemoryQuantity::Fragmentation: return MemoryTexts::tr("unused share");
    }
    return {};
}

std::vector<CurveLine> memoryLines(const MemorySeriesSet& set, MemoryGrouping grouping) {
    std::vector<CurveLine> lines;
    for (const auto& series : seriesOf(set, grouping)) {
        // Where two are equal, only the later one is seen.
        for (const MemoryQuantity quantity :
             {MemoryQuantity::Reserved, MemoryQuantity::Active, MemoryQuantity::Allocated}) {
            if (!series->has(quantity)) continue;
            const QString name = MemoryTexts::tr("%1 %2", "component, then allocated or reserved")
                                     .arg(seriesTitle(*series), quantityTitle(quantity));
            lines.push_back({.name = name,
                             .series = series,
                             .quantity = quantity,
                             .hue = kHueOrder[lines.size() % Theme::kHues],
                             .shown = lines.size() < kFirstShown});
        }
    }
    return lines;
}

std::vector<CurveLine> fragmentationLines(const MemorySeriesSet& set, MemoryGrouping grouping) {
    std::vector<CurveLine> lines;
    const std::vector<CurveLine> memory = memoryLines(set, grouping);
    for (const CurveLine& line : memory) {
        if (line.quantity != MemoryQuantity::Allocated || !line.series->has(MemoryQuantity::Fragmentation)) continue;
        CurveLine share = line;
        share.name = MemoryTexts::tr("%1 %2", "component, then allocated or reserved")
                         .arg(seriesTitle(*line.series), quantityTitle(MemoryQuantity::Fragmentation));
        share.quantity = MemoryQuantity::Fragmentation;
        lines.push_back(share);
    }
    return lines;
}

}  // namespace altiscope
