#include "views/overview/page/step_marks.h"

#include "views/common/support/formatters.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>

namespace altiscope {

namespace {

struct MarkTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::StepMarks)
};

struct StepOnAxis {
    double place = 0;
    TimeRange range;
};

/// Steps with a time by begin. Those of several ranks lie a little apart: where two overlap, the earlier one ends with
/// the begin of the other, so that each time has one place.
std::vector<StepOnAxis> stepsOnAxis(const StepSheet& sheet) {
    std::map<std::int64_t, TimeRange> hulls;
    for (const StepOwner& owner : sheet.ranks) {
        for (const Step& step : sheet.capture->ranks[owner.rank.value].steps) {
            if (!step.range) continue;
            const auto [known, fresh] = hulls.try_emplace(step.number, *step.range);
            if (!fresh)
                known->second = {std::min(known->second.begin, step.range->begin),
                                 std::max(known->second.end, step.range->end)};
        }
    }
    std::vector<StepOnAxis> steps;
    for (std::size_t place = 0; place < sheet.steps.size(); ++place) {
        const auto hull = sheet.steps[place] ? hulls.find(*sheet.steps[place]) : hulls.end();
        if (hull != hulls.end()) steps.push_back({static_cast<double>(place), hull->second});
    }
    std::sort(steps.begin(), steps.end(),
              [](const StepOnAxis& a, const StepOnAxis& b) { return a.range.begin < b.range.begin; });
    for (std::size_t i = 0; i + 1 < steps.size(); ++i)
        steps[i].range.end = std::min(steps[i].range.end, steps[i + 1].range.begin);
    return steps;
}

double placeOnAxis(const std::vector<StepOnAxis>& steps, TimeNs time) {
    const auto next = std::upper_bound(steps.begin(), steps.end(), time,
                                       [](TimeNs at, const StepOnAxis& step) { return at < step.range.begin; });
    if (next == steps.begin()) return next->place - 0.5;
    const StepOnAxis& step = *(next - 1);
    const auto length = static_cast<double>(step.range.length().value);
    const double part = length <= 0 ? 1 : static_cast<double>((time - step.range.begin).value) / length;
    return step.place - 0.5 + std::min(part, 1.0);
}

QString tipOf(const Mark& mark, TimeNs origin) {
    const QString when = formatRelativeTime(mark.range.begin, origin);
    QString tip = mark.range.empty()
                      ? MarkTexts::tr("%1: at %2").arg(mark.name, when)
                      : MarkTexts::tr("%1: from %2, %3 long").arg(mark.name, when, formatDuration(mark.range.length()));
    if (!mark.note.isEmpty()) tip += u'\n' + mark.note;
    return tip;
}

}  // namespace

std::vector<PlotRange> rangesOnSteps(const StepSheet& sheet, const std::vector<Mark>& marks,
                                     std::optional<TimeRange> marked, TimeNs origin) {
    std::vector<PlotRange> ranges;
    const std::vector<StepOnAxis> steps = sheet.capture == nullptr ? std::vector<StepOnAxis>() : stepsOnAxis(sheet);
    if (steps.empty()) return ranges;
    const auto isOutside = [&](TimeRange range) {
        return range.end < steps.front().range.begin || range.begin > steps.back().range.end;
    };
    const auto add = [&](TimeRange range, std::optional<std::size_t> hue, const QString& name, const QString& tip) {
        if (!isOutside(range))
            ranges.push_back({placeOnAxis(steps, range.begin), placeOnAxis(steps, range.end), hue, name, tip});
    };
    if (marked)
        add(*marked, std::nullopt, {},
            MarkTexts::tr("Marked time: from %1, %2 long")
                .arg(formatRelativeTime(marked->begin, origin), formatDuration(marked->length())));
    for (const Mark& mark : marks)
        add(mark.range, static_cast<std::size_t>(mark.colour), mark.name, tipOf(mark, origin));
    return ranges;
}

}  // namespace altiscope
