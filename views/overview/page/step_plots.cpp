#include "views/overview/page/step_plots.h"

#include "core/analysis/steps/step_parts.h"
#include "core/compare/change.h"
#include "core/tables/overview/counted_steps.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct Plots {
    Q_DECLARE_TR_FUNCTIONS(altiscope::StepPlots)
};

/// In the order of kStackedStep, then what nobody divides into parts.
constexpr std::size_t kUndivided = kStackedStep.size();
constexpr std::size_t kBarParts = kUndivided + 1;
using Parts = std::array<double, kBarParts>;

struct Mean {
    Parts sum{};
    std::size_t count = 0;
    void add(const StepTime& time) {
        bool isDivided = false;
        for (std::size_t part = 0; part < kUndivided; ++part) {
            isDivided = isDivided || time.part(kStackedStep[part]);
            sum[part] += static_cast<double>(std::max<std::int64_t>(0, time.part(kStackedStep[part]).value_or(0)));
        }
        if (!isDivided) sum[kUndivided] += static_cast<double>(std::max<std::int64_t>(0, time.total().value_or(0)));
        ++count;
    }
    double part(std::size_t which) const { return count == 0 ? 0 : sum[which] / static_cast<double>(count); }
};

std::array<QString, kBarParts> partNames() {
    return {Plots::tr("Computing alone"), Plots::tr("Overlapped"), Plots::tr("Exposed communication"),
            Plots::tr("Bubble"),          Plots::tr("Free"),       Plots::tr("Step, its parts are not recorded")};
}

QString rankLabel(const StepSheet& sheet, std::size_t place) {
    const StepOwner& owner = sheet.ranks[place];
    const RankInfo& info = sheet.capture->ranks[owner.rank.value].info;
    if (!owner.device) return rankAxisText(info);
    const QString device = u"NPU %1"_s.arg(*owner.device);
    const QString rank = rankAxisText(info);
    if (rank.endsWith(device)) return rank;
    return info.rankId ? u"%1, %2"_s.arg(rank, device) : device;
}

/// @param text  Of an axis.
QString withDoubtful(const QString& text, std::size_t doubtful) {
    return doubtful == 0 ? text : Plots::tr("%1; left out, as their events are not whole: %2").arg(text).arg(doubtful);
}

QString stepLabel(const StepSheet& sheet, std::size_t place) {
    return sheet.steps[place] ? QString::number(*sheet.steps[place]) : Plots::tr("all");
}

/// Parts of bars [first, last) as lines, exact where it is one bar.
QString partsTip(const QString& title, const std::vector<Mean>& means, std::size_t first, std::size_t last) {
    QStringList lines{title};
    const auto names = partNames();
    Parts values{};
    for (std::size_t part = 0; part < kBarParts; ++part) {
        for (std::size_t i = first; i < last; ++i) values[part] += means[i].part(part);
        values[part] /= static_cast<double>(last - first);
    }
    const double total = std::accumulate(values.begin(), values.end(), 0.0);
    const auto time = [](double ns) {
        return u"%1 (%2)"_s.arg(formatDuration({std::llround(ns)}), formatExactNs({std::llround(ns)}));
    };
    lines << Plots::tr("Total: %1").arg(time(total));
    for (std::size_t part = 0; part < kBarParts; ++part) {
        if (values[part] > 0)
            lines << u"%1: %2, %3"_s.arg(names[part], time(values[part]), formatPercent(values[part] / total));
    }
    if (last - first > 1)
        lines
            << Plots::tr("Mean of %1 bars that share this pixel; the line spans minimum to maximum.").arg(last - first);
    return lines.join(u'\n');
}

StackedBars stacked(std::vector<Mean> means, QStringList labels, const QString& bottom, const QString& what) {
    static constexpr std::array<QColor Theme::*, kBarParts> kColours{
        &Theme::computing, &Theme::overlapped, &Theme::communication, &Theme::wait, &Theme::free, &Theme::host};
    StackedBars bars;
    const auto names = partNames();
    for (std::size_t part = 0; part < kBarParts; ++part) {
        BarSeries series{.name = names[part], .colour = kColours[part], .values = {}};
        for (const Mean& mean : means) series.values.push_back(mean.part(part));
        // A part that no rank has needs no place in the legend.
        if (std::any_of(series.values.begin(), series.values.end(), [](double value) { return value > 0; }))
            bars.series.push_back(std::move(series));
    }
    bars.labels = labels;
    bars.bottomTitle = bottom;
    bars.tip = [means = std::move(means), labels = std::move(labels), what](std::size_t first, std::size_t last) {
        const QString& from = labels[static_cast<qsizetype>(first)];
        const QString name =
            last - first == 1 ? what.arg(from) : what.arg(from + u" – "_s + labels[static_cast<qsizetype>(last - 1)]);
        return partsTip(name, means, first, last);
    };
    return bars;
}

/// How many lie between which times, exactly; a histogram counts whole ns.
std::function<QString(std::size_t, std::size_t)> intervalTip(const Histogram& histogram, std::size_t all) {
    return [histogram, all](std::size_t first, std::size_t last) {
        const auto count = histogram.count(first, last);
        return Plots::tr("%1 of %2 (%3)\nfrom %4 to %5")
            .arg(formatCount(count), formatCount(all),
                 formatPercent(static_cast<double>(count) / static_cast<double>(all)),
                 formatExactNs({histogram.edge(first)}), formatExactNs({histogram.edge(last) - 1}));
    };
}

template <class T>
std::size_t positionIn(const std::vector<T>& sorted, const T& value) {
    return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
}

// --- beside a base ------------------------------------------------------------------------------------------------

struct Bar {
    QString label;
    Mean mean;
};
struct BarPair {
    std::optional<Bar> shown, base;
};

/// Those of one name belong together; where none is the same, the first to the first.
std::vector<BarPair> pairsOf(const std::vector<Bar>& shown, const std::vector<Bar>& base) {
    const auto find = [&base](const QString& label) -> std::optional<Bar> {
        for (const Bar& bar : base)
            if (bar.label == label) return bar;
        return std::nullopt;
    };
    const bool anySame = std::any_of(shown.begin(), shown.end(), [&](const Bar& bar) { return find(bar.label); });
    std::vector<BarPair> pairs;
    for (std::size_t i = 0; i < std::min(shown.size(), kMaxPairs); ++i) {
        BarPair pair{.shown = shown[i], .base = {}};
        if (anySame) pair.base = find(shown[i].label);
        else if (i < base.size()) pair.base = base[i];
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

/// The mean over the ranks of each step, and of those means the mean.
Mean meanOfSteps(const StepSheet& sheet) {
    std::vector<Mean> ofSteps(sheet.steps.size());
    for (const StepTime& time : sheet.times) ofSteps[positionIn(sheet.steps, time.step)].add(time);
    Mean mean;
    for (const Mean& step : ofSteps) {
        if (step.count == 0) continue;
        for (std::size_t part = 0; part < kBarParts; ++part) mean.sum[part] += step.part(part);
        ++mean.count;
    }
    return mean;
}

/// How much each part changed, as lines; empty without a partner.
QStringList changeLines(const BarPair& pair) {
    if (!pair.shown || !pair.base) return {};
    QStringList lines;
    const auto names = partNames();
    double before = 0, now = 0;
    const auto add = [&lines](const QString& name, const Change& change) {
        const auto share = shareOf(change);
        lines << u"%1: %2%3%4"_s.arg(name, change.change > 0 ? u"+"_s : QString(), formatDuration({change.change}),
                                     share ? u" (%1)"_s.arg(formatPercent(*share)) : QString());
    };
    for (std::size_t part = 0; part < kBarParts; ++part) {
        const double base = pair.base->mean.part(part), shown = pair.shown->mean.part(part);
        before += base;
        now += shown;
        if (base > 0 || shown > 0) add(names[part], changeBetween(base, shown));
    }
    lines.prepend(Plots::tr("Difference from the base:"));
    add(Plots::tr("Total"), changeBetween(before, now));
    return lines;
}

StackedBars besideBase(std::vector<BarPair> pairs, const StepSheet& sheet, const StepSheet& base,
                       const QString& baseTitle, const QString& bottom, const QString& what) {
    const QString mean = Plots::tr("mean");
    pairs.insert(pairs.begin(), BarPair{.shown = Bar{mean, meanOfSteps(sheet)}, .base = Bar{mean, meanOfSteps(base)}});
    // Shown, base, a gap.
    constexpr std::size_t kPlaces = 3;
    std::vector<Mean> means;
    QStringList labels;
    for (const BarPair& pair : pairs) {
        means.push_back(pair.shown ? pair.shown->mean : Mean());
        means.push_back(pair.base ? pair.base->mean : Mean());
        means.push_back({});
        // One name for both, so that all of them find room.
        labels << (pair.shown ? pair.shown->label : pair.base ? pair.base->label : QString()) << QString() << QString();
    }
    means.pop_back();
    labels.pop_back();
    StackedBars bars = stacked(means, labels, bottom, what);
    bars.tip = [pairs = std::move(pairs), means = std::move(means), what, mean, baseTitle](std::size_t first,
                                                                                           std::size_t last) {
        const BarPair& pair = pairs[first / kPlaces];
        const bool isBase = first % kPlaces == 1;
        const std::optional<Bar>& bar = isBase ? pair.base : pair.shown;
        if (first % kPlaces == 2 || last - first > 1 || !bar) return QString();
        const QString name = bar->label == mean ? Plots::tr("Mean of the steps") : what.arg(bar->label);
        const QString title = isBase ? Plots::tr("Base, %1: %2").arg(baseTitle, name) : name;
        return (QStringList{partsTip(title, means, first, last)} + changeLines(pair)).join(u'\n');
    };
    return bars;
}

}  // namespace

StepSheet stepSheet(const OverviewNumbers& numbers, const ContextFilter& context) {
    StepSheet sheet;
    sheet.capture = numbers.capture;
    CountedSteps counted = countedSteps(numbers, context);
    sheet.doubtful = counted.doubtful;
    sheet.times = std::move(counted.times);
    std::set<std::optional<std::int64_t>> steps;
    std::set<StepOwner> ranks;
    for (const StepTime& time : sheet.times) {
        steps.insert(time.step);
        ranks.insert({time.rank, time.device});
    }
    sheet.ranks.assign(ranks.begin(), ranks.end());
    sheet.steps.assign(steps.begin(), steps.end());
    return sheet;
}

StackedBars barsByRank(const StepSheet& sheet) {
    std::vector<Mean> means(sheet.ranks.size());
    for (const StepTime& time : sheet.times)
        means[positionIn(sheet.ranks, StepOwner{time.rank, time.device})].add(time);
    QStringList labels;
    for (std::size_t i = 0; i < sheet.ranks.size(); ++i) labels << rankLabel(sheet, i);
    return stacked(std::move(means), labels, withDoubtful(Plots::tr("Rank (mean of its steps)"), sheet.doubtful),
                   Plots::tr("Rank %1"));
}

StackedBars barsByStep(const StepSheet& sheet) {
    std::vector<Mean> means(sheet.steps.size());
    for (const StepTime& time : sheet.times) means[positionIn(sheet.steps, time.step)].add(time);
    QStringList labels;
    for (std::size_t i = 0; i < sheet.steps.size(); ++i) labels << stepLabel(sheet, i);
    const QString bottom = sheet.ranks.size() == 1 ? Plots::tr("Step of rank %1").arg(rankLabel(sheet, 0))
                                                   : Plots::tr("Step (mean of the ranks)");
    return stacked(std::move(means), labels, withDoubtful(bottom, sheet.doubtful), Plots::tr("Step %1"));
}

StackedBars ranksBesideBase(const StepSheet& sheet, const StepSheet& base, const QString& baseTitle) {
    const auto barsOf = [](const StepSheet& of) {
        std::vector<Bar> bars(of.ranks.size());
        for (const StepTime& time : of.times)
            bars[positionIn(of.ranks, StepOwner{time.rank, time.device})].mean.add(time);
        for (std::size_t i = 0; i < bars.size(); ++i) bars[i].label = rankLabel(of, i);
        return bars;
    };
    return besideBase(
        pairsOf(barsOf(sheet), barsOf(base)), sheet, base, baseTitle,
        withDoubtful(Plots::tr("Rank (mean of its steps); right: the base"), sheet.doubtful + base.doubtful),
        Plots::tr("Rank %1"));
}

StackedBars stepsBesideBase(const StepSheet& sheet, const StepSheet& base, const QString& baseTitle) {
    const auto barsOf = [](const StepSheet& of) {
        std::vector<Bar> bars(of.steps.size());
        for (const StepTime& time : of.times) bars[positionIn(of.steps, time.step)].mean.add(time);
        for (std::size_t i = 0; i < bars.size(); ++i) bars[i].label = stepLabel(of, i);
        return bars;
    };
    return besideBase(
        pairsOf(barsOf(sheet), barsOf(base)), sheet, base, baseTitle,
        withDoubtful(Plots::tr("Step (mean of the ranks); right: the base"), sheet.doubtful + base.doubtful),
        Plots::tr("Step %1"));
}

StackedBars phasesByStep(const OverviewNumbers& numbers, const ContextFilter& context) {
    struct PhaseMean {
        std::array<double, kStepPhases> sum{};
        double count = 0;
    };
    std::map<std::int64_t, PhaseMean> steps;
    for (const StepPhases& one : numbers.phases) {
        if (!one.step || !context.onClockOf(one.rank).holds(numbers.capture->ranks[one.rank.value], one.step)) continue;
        PhaseMean& mean = steps[*one.step];
        for (std::size_t phase = 0; phase < kStepPhases; ++phase)
            mean.sum[phase] += static_cast<double>(one.durations[phase].value_or(0));
        ++mean.count;
    }
    constexpr auto kReduce = static_cast<std::size_t>(StepPhase::Reduce);
    StackedBars bars;
    if (steps.empty()) return bars;
    const std::array<QString, kStepPhases> names{Plots::tr("Iteration interval"), Plots::tr("Forward and backward"),
                                                 Plots::tr("Tail"), Plots::tr("Reduces")};
    static constexpr std::array<QColor Theme::*, kStepPhases> kColours{&Theme::free, &Theme::computing, &Theme::wait,
                                                                       &Theme::communication};
    const bool hasReduces =
        std::any_of(steps.begin(), steps.end(), [](const auto& step) { return step.second.sum[kReduce] > 0; });
    // Phases, reduces, a gap.
    const std::size_t places = hasReduces && steps.size() <= kMaxPairs ? 3 : 1;
    std::vector<std::pair<QString, std::array<double, kStepPhases>>> means;
    for (const auto& [step, mean] : steps) {
        auto& [label, values] = means.emplace_back(QString::number(step), mean.sum);
        for (double& value : values) value /= mean.count;
    }
    for (std::size_t phase = 0; phase < kStepPhases; ++phase) {
        if (phase == kReduce && places == 1) continue;
        BarSeries series{.name = names[phase], .colour = kColours[phase], .values = {}};
        for (const auto& [label, values] : means) {
            series.values.push_back(phase == kReduce ? 0 : values[phase]);
            if (places == 1) continue;
            series.values.push_back(phase == kReduce ? values[phase] : 0);
            series.values.push_back(0);
        }
        bars.series.push_back(std::move(series));
    }
    for (const auto& [label, values] : means) {
        bars.labels << label;
        for (std::size_t i = 1; i < places; ++i) bars.labels << QString();
    }
    bars.bottomTitle = places == 1 ? Plots::tr("Step (mean of the ranks)")
                                   : Plots::tr("Step (mean of the ranks); right: its reduces, which run meanwhile");
    bars.tip = [means = std::move(means), names, places](std::size_t first, std::size_t last) {
        const std::size_t from = first / places, to = std::max(from + 1, (last + places - 1) / places);
        QStringList lines{to - from == 1
                              ? Plots::tr("Step %1").arg(means[from].first)
                              : Plots::tr("Step %1").arg(means[from].first + u" – "_s + means[to - 1].first)};
        for (std::size_t phase = 0; phase < kStepPhases; ++phase) {
            double sum = 0;
            for (std::size_t i = from; i < to; ++i) sum += means[i].second[phase];
            const std::int64_t ns = std::llround(sum / static_cast<double>(to - from));
            if (ns > 0) lines << u"%1: %2 (%3)"_s.arg(names[phase], formatDuration({ns}), formatExactNs({ns}));
        }
        return lines.join(u'\n');
    };
    return bars;
}

EnvelopeLine variationOverSteps(const StepSheet& sheet) {
    struct Spread {
        double min = std::numeric_limits<double>::max(), max = 0, sum = 0;
        std::size_t count = 0;
    };
    std::vector<Spread> spreads(sheet.steps.size());
    for (const StepTime& time : sheet.times) {
        if (!time.total()) continue;
        Spread& spread = spreads[positionIn(sheet.steps, time.step)];
        const auto total = static_cast<double>(*time.total());
        spread.min = std::min(spread.min, total);
        spread.max = std::max(spread.max, total);
        spread.sum += total;
        ++spread.count;
    }
    EnvelopeLine line;
    line.name = Plots::tr("Mean of the ranks");
    line.bottomTitle = Plots::tr("Step (line: mean of the ranks; band: fastest to slowest)");
    for (std::size_t i = 0; i < spreads.size(); ++i) {
        line.labels << stepLabel(sheet, i);
        line.min.push_back(spreads[i].min);
        line.max.push_back(spreads[i].max);
        line.mean.push_back(spreads[i].sum / static_cast<double>(spreads[i].count));
    }
    line.tip = [spreads, labels = line.labels](std::size_t first, std::size_t) {
        const Spread& spread = spreads[first];
        return Plots::tr("Step %1\nMean: %2\nFastest: %3\nSlowest: %4")
            .arg(labels[static_cast<qsizetype>(first)],
                 formatExactNs({std::llround(spread.sum / static_cast<double>(spread.count))}),
                 formatExactNs({std::llround(spread.min)}), formatExactNs({std::llround(spread.max)}));
    };
    return line;
}

HeatMap heatOfRanksAndSteps(const StepSheet& sheet) {
    HeatMap map;
    const std::size_t columns = sheet.steps.size();
    map.values.assign(sheet.ranks.size() * columns, std::numeric_limits<double>::quiet_NaN());
    for (const StepTime& time : sheet.times) {
        const std::size_t row = positionIn(sheet.ranks, StepOwner{time.rank, time.device});
        if (time.total())
            map.values[row * columns + positionIn(sheet.steps, time.step)] = static_cast<double>(*time.total());
    }
    for (std::size_t i = 0; i < columns; ++i) map.columns << stepLabel(sheet, i);
    for (std::size_t i = 0; i < sheet.ranks.size(); ++i) map.rows << rankLabel(sheet, i);
    map.bottomTitle = Plots::tr("Step");
    map.leftTitle = Plots::tr("Rank");
    map.valueTitle = Plots::tr("Step time");
    map.tip = [values = map.values, rows = map.rows, labels = map.columns, columns](std::size_t row,
                                                                                    std::size_t column) {
        const double value = values[row * columns + column];
        const QString time = std::isnan(value) ? Plots::tr("not recorded") : formatExactNs({std::llround(value)});
        return Plots::tr("Rank %1, step %2: %3")
            .arg(rows[static_cast<qsizetype>(row)], labels[static_cast<qsizetype>(column)], time);
    };
    return map;
}

BoxPlot boxesByRank(const StepSheet& sheet) {
    std::vector<std::vector<std::int64_t>> times(sheet.ranks.size());
    for (const StepTime& time : sheet.times)
        if (time.total()) times[positionIn(sheet.ranks, StepOwner{time.rank, time.device})].push_back(*time.total());
    BoxPlot plot;
    plot.bottomTitle = Plots::tr("Rank (box: middle half of its steps; line: median; ends: fastest and slowest)");
    for (std::size_t i = 0; i < times.size(); ++i) {
        plot.labels << rankLabel(sheet, i);
        plot.boxes.push_back(boxOf(std::move(times[i])));
    }
    plot.tip = [boxes = plot.boxes, labels = plot.labels](std::size_t shown, std::size_t first, std::size_t last) {
        const BoxValues& box = boxes[shown];
        const auto exact = [](double value) { return formatExactNs({std::llround(value)}); };
        QString text =
            Plots::tr(
                "Rank %1: %n step(s)\nFastest: %2\nLower quartile: %3\nMedian: %4\nUpper quartile: %5\nSlowest: %6",
                nullptr, static_cast<int>(box.count))
                .arg(labels[static_cast<qsizetype>(shown)], exact(box.min), exact(box.lowerQuartile), exact(box.median),
                     exact(box.upperQuartile), exact(box.max));
        if (last - first > 1)
            text += u'\n' + Plots::tr("Of %1 ranks that share this pixel it has the largest median.").arg(last - first);
        return text;
    };
    return plot;
}

Histogram histogramOfSteps(const StepSheet& sheet) {
    std::vector<std::int64_t> times;
    for (const StepTime& time : sheet.times)
        if (time.total()) times.push_back(*time.total());
    Histogram histogram = histogramOf(times);
    histogram.bottomTitle = Plots::tr("Step time");
    histogram.leftTitle = Plots::tr("Steps of all ranks");
    histogram.tip = intervalTip(histogram, times.size());
    return histogram;
}

Histogram histogramOfKernels(const QString& type, const std::vector<std::int64_t>& durations) {
    Histogram histogram = histogramOf(durations);
    histogram.bottomTitle = Plots::tr("Duration of %1").arg(type);
    histogram.leftTitle = Plots::tr("Kernels");
    histogram.tip = intervalTip(histogram, durations.size());
    return histogram;
}

}  // namespace altiscope
