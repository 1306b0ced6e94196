#include "views/overview/page/overview_shown.h"

#include <utility>

namespace altiscope {

std::shared_ptr<const OverviewShown> overviewShown(OverviewNumbers numbers, const ContextFilter& context, bool isWhole,
                                                   const OverviewBase* base) {
    auto shown = std::make_shared<OverviewShown>();
    shown->numbers = std::move(numbers);
    shown->isWhole = isWhole;
    shown->sheet = stepSheet(shown->numbers, context);
    shown->stepRows = selectedSteps(shown->numbers, context);
    shown->steps = stepTable(shown->numbers, shown->stepRows);
    shown->peakPlaces = selectedPeaks(shown->numbers, context);
    shown->operators = consumerTable(shown->numbers);
    shown->peaks = peakTable(shown->numbers, context);
    shown->byRank = barsByRank(shown->sheet);
    shown->byStep = barsByStep(shown->sheet);
    shown->phases = phasesByStep(shown->numbers, context);
    shown->variation = variationOverSteps(shown->sheet);
    shown->heat = heatOfRanksAndSteps(shown->sheet);
    shown->boxes = boxesByRank(shown->sheet);
    shown->stepTimes = histogramOfSteps(shown->sheet);
    if (base == nullptr) return shown;
    const StepSheet beside = stepSheet(base->numbers, base->context);
    shown->hasBase = !beside.times.empty() && !shown->sheet.times.empty();
    if (!shown->hasBase) return shown;
    shown->ranksBeside = ranksBesideBase(shown->sheet, beside, base->title);
    shown->stepsBeside = stepsBesideBase(shown->sheet, beside, base->title);
    return shown;
}

}  // namespace altiscope
