#include "views/cluster/data/cluster_tables.h"

#include "views/cluster/data/cluster_texts.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct ClusterTables {
    Q_DECLARE_TR_FUNCTIONS(altiscope::ClusterTables)
};

constexpr std::array kTableMetrics{RankMetric::StepTime,     RankMetric::Computing,   RankMetric::Exposed,
                                   RankMetric::Bubble,       RankMetric::Free,        RankMetric::WaitCaused,
                                   RankMetric::WaitSuffered, RankMetric::Recoverable, RankMetric::Frequency};

std::vector<RankMetric> shownMetrics(const ClusterSource& source) {
    std::vector<RankMetric> shown;
    std::copy_if(kTableMetrics.begin(), kTableMetrics.end(), std::back_inserter(shown),
                 [&](RankMetric metric) { return source.has(metric); });
    return shown;
}

bool hasLateRanks(const ClusterSource& source) { return source.has(RankMetric::WaitCaused); }

TableColumn columnOf(RankMetric metric, const char* name) {
    return isTime(metric) ? integerColumn(name, CellUnit::Duration) : realColumn(name, CellUnit::None);
}

/// Those that stand after the others: beside a base the chosen one stands before its value in the base.
std::vector<RankMetric> otherMetrics(const ClusterSource& source, const ClusterSource* base, RankMetric metric) {
    std::vector<RankMetric> metrics = shownMetrics(source);
    if (base != nullptr) std::erase(metrics, metric);
    return metrics;
}

ColumnHeading headingOf(RankMetric metric) {
    return {isTime(metric) ? metricTitle(metric) : ClusterTables::tr("%1, MHz").arg(metricTitle(metric)),
            metricFormula(metric)};
}

void setValue(ColumnTableBuilder& builder, std::size_t column, RankMetric metric, double value) {
    if (std::isnan(value)) return;
    if (isTime(metric)) builder.setInteger(column, std::int64_t{std::llround(value)});
    else builder.setReal(column, value);
}

/// Values of a metric by the number of the rank.
std::map<std::int64_t, double> valuesByNumber(const ClusterSource* source, RankMetric metric) {
    std::map<std::int64_t, double> found;
    if (source == nullptr) return found;
    const std::vector<double> values = source->values(metric);
    for (std::size_t r = 0; r < values.size(); ++r) {
        const auto& number = source->places().ranks[r].number;
        if (number && !std::isnan(values[r])) found.emplace(*number, values[r]);
    }
    return found;
}

}  // namespace

std::vector<std::uint32_t> rowsOfRanks(const ClusterSource& source) {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t r = 0; r < source.places().ranks.size(); ++r) {
        const auto& rank = source.places().ranks[r].rank;
        if (rank && source.numbers[rank->value].isInContext) rows.push_back(r);
    }
    return rows;
}

std::shared_ptr<const ColumnTable> rankTable(const ClusterSource& source, const ClusterSource* base,
                                             RankMetric metric) {
    const std::vector<RankMetric> metrics = otherMetrics(source, base, metric);
    std::vector<TableColumn> columns{integerColumn("rank_id")};
    columns.front().hasBeside = true;
    for (const RankDimension& dimension : source.places().dimensions)
        if (!dimension.kind.empty()) columns.push_back(integerColumn(dimension.kind));
    columns.push_back(realColumn("above_median", CellUnit::Share));
    columns.push_back(realColumn("robust_z", CellUnit::None));
    if (hasLateRanks(source)) {
        columns.push_back(integerColumn("came_last", CellUnit::Count));
        columns.push_back(integerColumn("compared", CellUnit::Count));
    }
    if (base != nullptr) {
        columns.push_back(columnOf(metric, metricName(metric)));
        columns.push_back(columnOf(metric, "base"));
        columns.push_back(columnOf(metric, "change"));
    }
    for (const RankMetric one : metrics) columns.push_back(columnOf(one, metricName(one)));
    const std::map<std::int64_t, double> before = valuesByNumber(base, metric);
    ColumnTableBuilder builder(std::move(columns));
    const std::vector<double> values = source.values(metric);
    const std::vector<UsualValue> usual = usualOfPeers(source.places(), values);
    for (const std::uint32_t r : rowsOfRanks(source)) {
        const PlacedRank& rank = source.places().ranks[r];
        const RankNumbers& numbers = source.numbers[rank.rank->value];
        builder.addRow();
        builder.setRank(0, source.capture()->ranks[rank.rank->value].info);
        std::size_t column = 1;
        for (std::size_t d = 0; d < source.places().dimensions.size(); ++d)
            if (!source.places().dimensions[d].kind.empty()) builder.setInteger(column++, std::int64_t{rank.at[d]});
        if (!std::isnan(values[r])) {
            if (usual[r].median > 0) builder.setReal(column, values[r] / usual[r].median - 1);
            if (const auto z = usual[r].robustZ(values[r])) builder.setReal(column + 1, *z);
        }
        column += 2;
        if (hasLateRanks(source)) {
            if (numbers.compared > 0) {
                builder.setInteger(column, static_cast<std::int64_t>(numbers.last));
                builder.setInteger(column + 1, static_cast<std::int64_t>(numbers.compared));
            }
            column += 2;
        }
        if (base != nullptr) {
            setValue(builder, column++, metric, values[r]);
            const auto was = rank.number ? before.find(*rank.number) : before.end();
            if (was != before.end()) {
                setValue(builder, column, metric, was->second);
                setValue(builder, column + 1, metric, values[r] - was->second);
            }
            column += 2;
        }
        for (const RankMetric one : metrics) setValue(builder, column++, one, numbers[one]);
    }
    return builder.finish();
}

std::vector<ColumnHeading> rankHeadings(const ClusterSource& source, const ClusterSource* base, RankMetric metric) {
    std::vector<ColumnHeading> headings{{ClusterTables::tr("Rank"), {}}};
    for (const RankDimension& dimension : source.places().dimensions)
        if (!dimension.kind.empty())
            headings.push_back(
                {toQString(dimension.kind), ClusterTables::tr("Its place in that dimension of the job.")});
    const QString peers = source.places().dimension("pp") ? ClusterTables::tr("the ranks of its stage of the pipeline")
                                                          : ClusterTables::tr("all ranks");
    headings.push_back({ClusterTables::tr("Above the median"),
                        ClusterTables::tr("%1 / median of %2 - 1").arg(metricTitle(metric), peers)});
    headings.push_back({ClusterTables::tr("Robust z"),
                        ClusterTables::tr("0.6745 * (%1 - median) / median of the distances from it, among %2. Beyond "
                                          "3.5 a rank lies apart.")
                            .arg(metricTitle(metric), peers)});
    if (hasLateRanks(source)) {
        headings.push_back(
            {ClusterTables::tr("Came last"),
             ClusterTables::tr("Collectives in which this rank was clearly the last to come, as the page "
                               "Communication counts them.")});
        headings.push_back(
            {ClusterTables::tr("Of"), ClusterTables::tr("Collectives that could be compared with those of "
                                                        "other ranks.")});
    }
    if (base != nullptr) {
        headings.push_back(headingOf(metric));
        headings.push_back(
            {ClusterTables::tr("Base"),
             ClusterTables::tr("%1 of the rank with the same number in the base.").arg(metricTitle(metric))});
        headings.push_back({ClusterTables::tr("Change"), ClusterTables::tr("%1 - base").arg(metricTitle(metric))});
    }
    for (const RankMetric one : otherMetrics(source, base, metric)) headings.push_back(headingOf(one));
    return headings;
}

std::shared_ptr<const ColumnTable> dimensionTable(const ClusterSource& source, RankMetric metric,
                                                  const std::vector<DimensionSpread>& spreads) {
    ColumnTableBuilder builder(
        {textColumn("dimension"), integerColumn("places", CellUnit::Count), integerColumn("groups", CellUnit::Count),
         textColumn("slowest_group"), columnOf(metric, "value"), columnOf(metric, "median_group"),
         columnOf(metric, "cost"), realColumn("group_z", CellUnit::None), integerColumn("slowest_place"),
         columnOf(metric, "place_value"), columnOf(metric, "median_place"), realColumn("place_z", CellUnit::None),
         textColumn("widest_group"), columnOf(metric, "width")});
    for (const DimensionSpread& spread : spreads) {
        builder.addRow();
        std::size_t column = 0;
        builder.setText(column++, spread.dimension.kind);
        builder.setInteger(column++, std::int64_t{spread.dimension.size});
        builder.setInteger(column++, static_cast<std::int64_t>(spread.groups));
        builder.setText(column++, numbersOf(source.places(), spread.slowest.ranks).toStdString());
        setValue(builder, column++, metric, spread.slowest.value);
        setValue(builder, column++, metric, spread.medianGroup);
        setValue(builder, column++, metric, spread.cost());
        if (spread.groupZ) builder.setReal(column, *spread.groupZ);
        builder.setInteger(++column, std::int64_t{spread.slowestPlace});
        setValue(builder, ++column, metric, spread.placeValue);
        setValue(builder, ++column, metric, spread.medianPlace);
        if (spread.placeZ) builder.setReal(column + 1, *spread.placeZ);
        builder.setText(column + 2, numbersOf(source.places(), spread.widest.ranks).toStdString());
        setValue(builder, column + 3, metric, spread.widest.value);
    }
    return builder.finish();
}

std::vector<ColumnHeading> dimensionHeadings(RankMetric metric, RankFold fold) {
    const QString title = metricTitle(metric);
    const QString ofGroup = fold == RankFold::Max ? ClusterTables::tr("%1: the largest of the group's ranks").arg(title)
                                                  : ClusterTables::tr("%1: mean of the group's ranks").arg(title);
    return {
        {ClusterTables::tr("Dimension"), {}},
        {ClusterTables::tr("Places"), ClusterTables::tr("Ranks of a group.")},
        {ClusterTables::tr("Groups"), ClusterTables::tr("That have a value.")},
        {ClusterTables::tr("Highest group"),
         ClusterTables::tr("Its ranks: the group that lies farthest above the median of the groups, of the same "
                           "stage of the pipeline where there are stages.")},
        {ClusterTables::tr("Its value"), ofGroup},
        {ClusterTables::tr("Median group"), ClusterTables::tr("Median of the values of these groups.")},
        {ClusterTables::tr("Above it"), ClusterTables::tr("its value - median group")},
        {ClusterTables::tr("Robust z"), ClusterTables::tr("Of the group among these; beyond 3.5 it lies apart.")},
        {ClusterTables::tr("Highest place"),
         ClusterTables::tr("In the dimension, of 0 to places - 1: the one whose ranks have the highest mean over all "
                           "groups.")},
        {ClusterTables::tr("Mean there"), title},
        {ClusterTables::tr("Median place"), ClusterTables::tr("Median of the means of all places.")},
        {ClusterTables::tr("Robust z of the place"), ClusterTables::tr("Of the place among all places.")},
        {ClusterTables::tr("Widest group"), ClusterTables::tr("Its ranks: the group whose ranks differ the most.")},
        {ClusterTables::tr("Its width"), ClusterTables::tr("Largest - smallest value of its ranks.")}};
}

BoxPlot spreadBoxes(const ClusterSource& source, RankMetric metric, const RankGrouping* grouping) {
    const std::vector<double> values = source.values(metric);
    constexpr std::size_t kBefore = 2;  // all ranks, and those that do not lie apart
    std::vector<std::vector<std::int64_t>> samples(kBefore +
                                                   (grouping == nullptr ? 0 : std::size_t{grouping->dimension.size}));
    const std::vector<UsualValue> usual = usualOfPeers(source.places(), values);
    for (std::size_t r = 0; r < values.size(); ++r) {
        if (std::isnan(values[r])) continue;
        samples[0].push_back(std::llround(values[r]));
        if (!isApart(usual[r], values[r])) samples[1].push_back(std::llround(values[r]));
        if (grouping != nullptr && grouping->place[r] != RankGrouping::kNone)
            samples[kBefore + grouping->place[r]].push_back(std::llround(values[r]));
    }
    BoxPlot plot;
    plot.bottomTitle =
        ClusterTables::tr("%1 (box: middle half of the ranks; line: median; ends: lowest and highest rank)")
            .arg(metricTitle(metric));
    for (std::size_t i = 0; i < samples.size(); ++i) {
        plot.labels << (i == 0   ? ClusterTables::tr("all ranks")
                        : i == 1 ? ClusterTables::tr("without those apart")
                                 : u"%1 %2"_s.arg(toQString(grouping->dimension.kind)).arg(i - kBefore));
        plot.boxes.push_back(boxOf(std::move(samples[i])));
    }
    plot.tip = [boxes = plot.boxes, labels = plot.labels](std::size_t shown, std::size_t, std::size_t) {
        const BoxValues& box = boxes[shown];
        const auto exact = [](double value) { return formatExactNs({std::llround(value)}); };
        return ClusterTables::tr("%1: %n rank(s)\nLowest: %2\nLower quartile: %3\nMedian: %4\nUpper quartile: %5\n"
                                 "Highest: %6",
                                 nullptr, static_cast<int>(box.count))
            .arg(labels[static_cast<qsizetype>(shown)], exact(box.min), exact(box.lowerQuartile), exact(box.median),
                 exact(box.upperQuartile), exact(box.max));
    };
    return plot;
}

}  // namespace altiscope
