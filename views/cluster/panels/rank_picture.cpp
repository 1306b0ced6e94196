#include "views/cluster/panels/rank_picture.h"

#include "views/cluster/data/cluster_texts.h"
#include "views/cluster/data/rank_spread.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct Pictures {
    Q_DECLARE_TR_FUNCTIONS(altiscope::RankPictures)
};

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
/// Below and above the median by this share at least: chance differs by less.
constexpr double kLeastReach = 0.05;
/// Values whose smallest is below this share of the median begin at 0.
constexpr double kFarBelow = 0.5;

/// Values of ranks, less those of the ranks of the same number in the base.
std::vector<double> differences(const ClusterSource& source, const ClusterSource& base, RankMetric metric) {
    std::map<std::int64_t, double> before;
    const std::vector<double> ofBase = base.values(metric);
    for (std::size_t r = 0; r < ofBase.size(); ++r) {
        if (base.places().ranks[r].number) before[*base.places().ranks[r].number] = ofBase[r];
    }
    std::vector<double> values = source.values(metric);
    for (std::size_t r = 0; r < values.size(); ++r) {
        const auto& number = source.places().ranks[r].number;
        const auto known = number ? before.find(*number) : before.end();
        values[r] = known == before.end() ? kUnknown : values[r] - known->second;
    }
    return values;
}

RankPicture::State stateOf(const ClusterSource& source, const RankGrid::Cell& cell, double value) {
    if (!std::isnan(value)) return RankPicture::State::Known;
    bool isHere = false, isShown = false;
    for (const std::uint32_t r : cell.ranks) {
        const auto& rank = source.places().ranks[r].rank;
        isHere = isHere || rank.has_value();
        isShown = isShown || (rank && source.numbers[rank->value].isInContext);
    }
    return isShown ? RankPicture::State::Unknown : isHere ? RankPicture::State::Outside : RankPicture::State::Absent;
}

QString nameOf(const ClusterSource& source, const RankGrid::Cell& cell) {
    const PlacedRank& first = source.places().ranks[cell.ranks.front()];
    const QString name =
        first.number ? QString::number(*first.number) : rankAxisText(source.capture()->ranks[first.rank->value].info);
    if (cell.ranks.size() == 1) return name;
    return numbersOf(source.places(), cell.ranks);
}

/// What the tip says of one rank, after its title.
QStringList rankLines(const ClusterSource& source, std::uint32_t r, const std::vector<double>& values,
                      const std::vector<UsualValue>& usual, RankMetric metric) {
    const PlacedRank& placed = source.places().ranks[r];
    if (!placed.rank) return {Pictures::tr("Not in this capture. What others wait for it cannot be explained.")};
    const RankNumbers& numbers = source.numbers[placed.rank->value];
    if (!numbers.isInContext) return {Pictures::tr("Outside of the filter of all pages.")};
    QStringList lines;
    if (std::isnan(values[r])) {
        lines << Pictures::tr("%1: not recorded").arg(metricTitle(metric));
    } else {
        lines << u"%1: %2"_s.arg(metricTitle(metric), exactMetricText(metric, values[r]));
        if (usual[r].count > 1) {
            const auto z = usual[r].robustZ(values[r]);
            const QString median = source.places().dimension("pp") ? Pictures::tr("Median of its stage: %1")
                                                                   : Pictures::tr("Median of all ranks: %1");
            QString line = median.arg(metricText(metric, usual[r].median)) + u"; "_s +
                           metricDifference(metric, values[r] - usual[r].median);
            if (usual[r].median > 0) line += u" (%1)"_s.arg(formatPercent(values[r] / usual[r].median - 1));
            if (z) line += Pictures::tr(", robust z %1").arg(QString::number(*z, 'f', 1));
            lines << line;
        }
    }
    for (std::size_t m = 0; m < kRankMetrics; ++m) {
        const auto other = static_cast<RankMetric>(m);
        if (other != metric && !std::isnan(numbers[other]))
            lines << u"%1: %2"_s.arg(metricTitle(other), metricText(other, numbers[other]));
    }
    if (numbers.compared > 0)
        lines << Pictures::tr("Came last in %1 of %2 collectives")
                     .arg(formatCount(numbers.last), formatCount(numbers.compared));
    return lines;
}

/// Of a cell of several ranks: its value, and the ranks with the smallest and the largest.
QStringList foldedLines(const ClusterSource& source, const RankGrid::Cell& cell, const std::vector<double>& values,
                        double value, const RankPictureChoice& choice) {
    QStringList lines;
    if (std::isnan(value)) return {Pictures::tr("%1: not known").arg(metricTitle(choice.metric))};
    const QString title =
        choice.fold == RankFold::Max ? Pictures::tr("%1, the largest of them: %2") : Pictures::tr("%1, their mean: %2");
    lines << title.arg(metricTitle(choice.metric), exactMetricText(choice.metric, value));
    std::optional<std::uint32_t> low, high;
    for (const std::uint32_t r : cell.ranks) {
        if (std::isnan(values[r])) continue;
        if (!low || values[r] < values[*low]) low = r;
        if (!high || values[r] > values[*high]) high = r;
    }
    lines << Pictures::tr("Lowest: %1, %2")
                 .arg(placedRankTitle(source, source.places().ranks[*low]), metricText(choice.metric, values[*low]));
    lines << Pictures::tr("Highest: %1, %2")
                 .arg(placedRankTitle(source, source.places().ranks[*high]), metricText(choice.metric, values[*high]));
    return lines;
}

QString titleOf(const ClusterSource& source, const RankGrid::Cell& cell) {
    const PlacedRank& first = source.places().ranks[cell.ranks.front()];
    if (cell.ranks.size() > 1)
        return Pictures::tr("%n rank(s): %1", nullptr, static_cast<int>(cell.ranks.size()))
            .arg(numbersOf(source.places(), cell.ranks));
    QStringList parts{placedRankTitle(source, first)};
    const QString place = placeText(source.places(), cell.ranks.front());
    if (!place.isEmpty()) parts << place;
    if (first.rank) {
        const RankInfo& info = source.capture()->ranks[first.rank->value].info;
        if (!info.host.empty()) parts << toQString(info.host);
        if (const QString device = deviceTitle(info); !device.isEmpty()) parts << device;
    }
    return parts.join(u" \u00b7 "_s);
}

QString legendTitle(const RankPictureChoice& choice, bool isDifference) {
    QString title = metricTitle(choice.metric);
    if (!choice.folded.empty())
        title = choice.fold == RankFold::Max ? Pictures::tr("%1, the largest of each cell").arg(title)
                                             : Pictures::tr("%1, mean of each cell").arg(title);
    else if (isTime(choice.metric) && choice.metric != RankMetric::StepTime)
        title = Pictures::tr("%1 per step").arg(title);
    return isDifference ? Pictures::tr("%1, difference from the base").arg(title) : title;
}

}  // namespace

RankColours rankColours(const std::vector<double>& values, bool isDifference) {
    RankColours colours;
    double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
    for (const double value : values) {
        if (std::isnan(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    if (low > high) return colours;
    if (isDifference) {
        const double reach = std::max({std::abs(low), std::abs(high), 1.0});
        return {-reach, reach, std::nullopt};
    }
    const double median = usualOf(values).median;
    if (low < kFarBelow * median || median <= 0) return {std::min(0.0, low), std::max(high, 1.0), median};
    return {std::min(low, median * (1 - kLeastReach)), std::max(high, median * (1 + kLeastReach)), median};
}

std::shared_ptr<const RankPicture> rankPicture(const std::shared_ptr<const ClusterSource>& source,
                                               const std::shared_ptr<const ClusterSource>& base,
                                               const RankPictureChoice& choice) {
    auto picture = std::make_shared<RankPicture>();
    const bool isDifference = base != nullptr;
    picture->grid = RankGrid::make(source->places(), choice.folded);
    const RankGrid& grid = picture->grid;
    auto values = std::make_shared<const std::vector<double>>(isDifference ? differences(*source, *base, choice.metric)
                                                                           : source->values(choice.metric));
    auto folded = std::make_shared<const std::vector<double>>(cellValues(grid, *values, choice.fold));
    auto usual = std::make_shared<const std::vector<UsualValue>>(usualOfPeers(source->places(), *values));
    const RankGrouping* frames = choice.frames.empty() ? nullptr : source->places().grouping(choice.frames);
    picture->hasFrames = frames != nullptr && !choice.folded.contains(choice.frames);
    for (std::size_t i = 0; i < grid.cells().size(); ++i) {
        const RankGrid::Cell& cell = grid.cells()[i];
        RankPicture::Cell& made = picture->cells.emplace_back();
        made.value = (*folded)[i];
        made.state = stateOf(*source, cell, made.value);
        made.name = nameOf(*source, cell);
        if (frames != nullptr) made.group = frames->group[cell.ranks.front()];
        if (isDifference) continue;
        made.isApart = std::any_of(cell.ranks.begin(), cell.ranks.end(), [&](std::uint32_t r) {
            return !std::isnan((*values)[r]) && isApart((*usual)[r], (*values)[r]);
        });
    }
    const RankColours colours = rankColours(*folded, isDifference);
    picture->low = colours.low;
    picture->high = colours.high;
    picture->median = colours.median;
    picture->isDifference = isDifference;
    picture->title = legendTitle(choice, isDifference);
    QStringList across;
    for (const std::string& kind : grid.columnKinds()) across << dimensionTitle(kind);
    if (!across.isEmpty()) picture->columnTitle = u"%1 \u2192"_s.arg(across.join(u", "_s));
    else if (grid.blocks().empty()) picture->columnTitle = Pictures::tr("Ranks by number");
    picture->valueText = [metric = choice.metric, isDifference](double value) {
        return isDifference ? metricDifference(metric, value) : metricText(metric, value);
    };
    // The picture itself holds the grid for as long as the tip is asked for.
    picture->tip = [source, base, values, folded, usual, choice, grid = &picture->grid](std::size_t i) {
        const RankGrid::Cell& cell = grid->cells()[i];
        QStringList lines{titleOf(*source, cell)};
        const std::vector<double>& own = base == nullptr ? *values : source->values(choice.metric);
        if (cell.ranks.size() == 1)
            lines << rankLines(*source, cell.ranks.front(), own,
                               base == nullptr ? *usual : usualOfPeers(source->places(), own), choice.metric);
        else lines << foldedLines(*source, cell, *values, (*folded)[i], choice);
        if (base != nullptr && !std::isnan((*folded)[i]))
            lines << Pictures::tr("Difference from the base: %1").arg(metricDifference(choice.metric, (*folded)[i]));
        return lines.join(u'\n');
    };
    return picture;
}

}  // namespace altiscope
