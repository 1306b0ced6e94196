#include "views/cluster/data/delay_tables.h"

#include "views/cluster/data/rank_spread.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct DelayTables {
    Q_DECLARE_TR_FUNCTIONS(altiscope::DelayTables)
};

/// Delays below this share of a step are not worth a word.
constexpr double kMinDelayShare = 0.005;
constexpr qsizetype kMostNames = 8;

QString nameOfRank(const ClusterSource& source, RankIndex rank) {
    return rankAxisText(source.capture()->ranks[rank.value].info);
}

QString joined(QStringList names) {
    const qsizetype all = names.size();
    if (all > kMostNames) names = names.first(kMostNames) << u"\u2026"_s;
    return names.join(u", "_s);
}

QString namesOf(const ClusterSource& source, const GroupDelays& group, const std::vector<std::uint32_t>& places) {
    QStringList names;
    for (const std::uint32_t place : places) names << nameOfRank(source, group.ranks[place]);
    return joined(std::move(names));
}

/// ns per step from which on a delay counts.
double minDelay(const ClusterSource& source) {
    return kMinDelayShare * std::max(0.0, usualOf(source.values(RankMetric::StepTime)).median);
}

QString cellsOf(const ClusterSource& source, const GroupDelays& group, const DelayPattern& pattern) {
    QStringList names;
    for (const auto& [row, column] : pattern.cells)
        names << u"%1 \u2192 %2"_s.arg(nameOfRank(source, group.ranks[row]), nameOfRank(source, group.ranks[column]));
    return joined(std::move(names));
}

/// The one of two ranks that the other waits for, as far as that is worth a word.
QString textOfPair(const ClusterSource& source, const GroupDelays& group) {
    for (std::size_t row = 0; row < 2; ++row) {
        const double own = group.late[row * 2 + 1 - row], other = group.late[(1 - row) * 2 + row];
        if (own >= minDelay(source) && own > 2 * other)
            return DelayTables::tr("Rank %1 comes late; of two ranks nothing tells a rank from a link")
                .arg(nameOfRank(source, group.ranks[row]));
    }
    return {};
}

}  // namespace

std::vector<DelayRow> delayRows(const ClusterSource& source) {
    std::vector<DelayRow> rows;
    for (std::size_t g = 0; g < source.delays.size(); ++g) {
        for (std::size_t o = 0; o < source.delays[g].operations.size(); ++o) rows.push_back({g, o});
    }
    return rows;
}

QString delayText(const ClusterSource& source, const GroupDelays& group) {
    const double minimum = minDelay(source);
    const std::size_t n = group.ranks.size();
    QStringList said;
    const auto say = [&said](const QString& text, const QString& names) {
        if (!names.isEmpty()) said << text.arg(names);
    };
    if (!group.late.empty()) {
        const DelayPattern pattern = delayPattern(group.late, n, minimum);
        if (pattern.isPair) say(u"%1"_s, textOfPair(source, group));
        say(DelayTables::tr("Rank %1 comes late"), namesOf(source, group, pattern.rows));
        say(DelayTables::tr("Rank %1 comes early"), namesOf(source, group, pattern.columns));
        say(DelayTables::tr("Late for single ranks: %1"), cellsOf(source, group, pattern));
    }
    if (!group.slowLinks.empty() && n > 2) {
        const DelayPattern pattern = delayPattern(group.slowLinks, n, minimum);
        say(DelayTables::tr("Rank %1 sends slowly"), namesOf(source, group, pattern.rows));
        say(DelayTables::tr("Rank %1 receives slowly"), namesOf(source, group, pattern.columns));
        say(DelayTables::tr("Slow link %1"), cellsOf(source, group, pattern));
    }
    return said.join(u"; "_s);
}

std::shared_ptr<const ColumnTable> delayTable(const ClusterSource& source, const std::vector<DelayRow>& rows) {
    ColumnTableBuilder builder(
        {textColumn("dimension"), textColumn("ranks"), textColumn("operation"), integerColumn("count", CellUnit::Count),
         textColumn("stands_out"), integerColumn("skew", CellUnit::Duration),
         integerColumn("largest_skew", CellUnit::Duration), integerColumn("transfer", CellUnit::Duration),
         integerColumn("bytes", CellUnit::Bytes), realColumn("algorithm_bandwidth", CellUnit::Rate),
         realColumn("bus_bandwidth", CellUnit::Rate), textColumn("group_name")});
    constexpr double kPerSecond = 1e9;  // bytes per ns
    std::vector<std::string> texts;
    for (const GroupDelays& group : source.delays) texts.push_back(delayText(source, group).toStdString());
    for (const DelayRow& row : rows) {
        const GroupDelays& group = source.delays[row.group];
        const OperationPace& pace = group.operations[row.operation];
        const GroupArrivals::Group& named = source.job->arrivals->groups[group.group];
        QStringList ranks;
        for (const RankIndex rank : group.ranks) ranks << nameOfRank(source, rank);
        builder.addRow();
        builder.setText(0, named.kind);
        builder.setText(1, joined(std::move(ranks)).toStdString());
        builder.setText(2, source.job->arrivals->operations[pace.operation]);
        builder.setInteger(3, static_cast<std::int64_t>(pace.count));
        builder.setText(4, texts[row.group]);
        builder.setInteger(5, pace.skew);
        builder.setInteger(6, pace.largestSkew);
        if (pace.complete > 0) builder.setInteger(7, pace.transfer);
        if (pace.sized > 0) {
            builder.setInteger(8, pace.bytes);
            builder.setReal(9, *pace.algorithmBandwidth * kPerSecond);
            builder.setReal(10, *pace.busBandwidth * kPerSecond);
        }
        builder.setText(11, named.name);
    }
    return builder.finish();
}

std::vector<ColumnHeading> delayHeadings() {
    return {
        {DelayTables::tr("Dimension"), DelayTables::tr("What the group is for, where the capture states it.")},
        {DelayTables::tr("Ranks"), DelayTables::tr("Ranks of the group that are here.")},
        {DelayTables::tr("Operation"), {}},
        {DelayTables::tr("Collectives"), DelayTables::tr("Those to which two ranks or more came.")},
        {DelayTables::tr("Stands out"),
         DelayTables::tr("In the matrices of the group: a cell 3.5 robust deviations above the median and 0.5 % of a "
                         "step at least. Three quarters of a row: its rank comes late, or sends slowly. Of a column: "
                         "it comes early, or receives slowly. Other cells: a link.")},
        {DelayTables::tr("Skew"),
         DelayTables::tr("From the first arrival to the last: longest - shortest time in the collective. Median.")},
        {DelayTables::tr("Largest skew"), {}},
        {DelayTables::tr("Transfer"),
         DelayTables::tr("From the last arrival to the end, where all ranks of the group are here. Median.")},
        {DelayTables::tr("Bytes"),
         DelayTables::tr("Mean volume of a collective, by the count and data type of its arguments; of all-gather, "
                         "reduce-scatter and all-to-all times the ranks of the group.")},
        {DelayTables::tr("Algorithm bandwidth"), DelayTables::tr("bytes / transfer, over all of them")},
        {DelayTables::tr("Bus bandwidth"),
         DelayTables::tr("algorithm bandwidth * 2 (n - 1) / n of an all-reduce, (n - 1) / n of all-gather, "
                         "reduce-scatter, scatter and all-to-all, 1 of all others, with n ranks: as nccl-tests has "
                         "it. It can be compared between groups of any size.")},
        {DelayTables::tr("Group"), {}}};
}

HeatMap delayMap(const ClusterSource& source, const GroupDelays& group, DelayMatrix which) {
    HeatMap map;
    const bool isLate = which == DelayMatrix::Late;
    map.values = isLate ? group.late : group.slowLinks;
    for (const RankIndex rank : group.ranks) map.columns << nameOfRank(source, rank);
    map.rows = map.columns;
    map.bottomTitle = isLate ? DelayTables::tr("Rank that waits") : DelayTables::tr("Rank that receives");
    map.leftTitle = isLate ? DelayTables::tr("Rank that comes late") : DelayTables::tr("Rank that sends");
    map.valueTitle = isLate ? DelayTables::tr("Wait per step") : DelayTables::tr("Lost per step");
    map.tip = [values = map.values, names = map.columns, isLate](std::size_t row, std::size_t column) {
        const double value = values[row * static_cast<std::size_t>(names.size()) + column];
        const QString from = names[static_cast<qsizetype>(row)], to = names[static_cast<qsizetype>(column)];
        if (row == column) return QString();
        if (std::isnan(value))
            return isLate ? DelayTables::tr("Ranks %1 and %2 were in no collective together").arg(from, to)
                          : DelayTables::tr("No link from rank %1 to rank %2 is recorded").arg(from, to);
        const QString text = isLate ? DelayTables::tr("Rank %2 waited %3 a step for rank %1")
                                    : DelayTables::tr("Data from rank %1 to rank %2 took %3 a step longer than at the "
                                                      "median bandwidth of the group's links");
        return text.arg(from, to, formatExactNs({std::llround(value)}));
    };
    return map;
}

}  // namespace altiscope
