#include "views/timeline/panels/selection_tables.h"

#include "views/common/support/formatters.h"

#include <QCoreApplication>

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct SelectionTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::SelectionTables)
};

TableColumn durationColumn(const char* name) {
    return {.name = name, .type = CellType::Integer, .unit = CellUnit::Duration};
}

/// The columns of SliceSums, after those that say what they are of.
std::vector<TableColumn> withSums(std::vector<TableColumn> columns) {
    columns.push_back({.name = "count", .type = CellType::Integer, .unit = CellUnit::Count});
    columns.push_back(durationColumn("sum"));
    columns.push_back({.name = "share", .type = CellType::Real, .unit = CellUnit::Share});
    for (const char* name : {"union", "self"}) columns.push_back(durationColumn(name));
    columns.push_back({.name = "avg", .type = CellType::Real, .unit = CellUnit::Duration});
    for (const char* name : {"min", "median", "p95", "p99", "max"}) columns.push_back(durationColumn(name));
    columns.push_back({.name = "cut", .type = CellType::Integer, .unit = CellUnit::Count});
    return columns;
}

void setSums(ColumnTableBuilder& builder, std::size_t first, const SliceSums& sums,
             const SelectionStatistics& statistics, bool knowsTogether) {
    enum : std::size_t { Count, Sum, Share, Together, Self, Average, Min, Median, P95, P99, Max, Cut };
    builder.setInteger(first + Count, static_cast<std::int64_t>(sums.count));
    builder.setInteger(first + Sum, sums.sum);
    if (statistics.all.sum > 0)
        builder.setReal(first + Share, static_cast<double>(sums.sum) / static_cast<double>(statistics.all.sum));
    if (knowsTogether) builder.setInteger(first + Together, sums.together);
    builder.setInteger(first + Self, sums.self);
    builder.setReal(first + Average, sums.average());
    builder.setInteger(first + Min, sums.min);
    builder.setInteger(first + Max, sums.max);
    builder.setInteger(first + Cut, static_cast<std::int64_t>(sums.cut));
    if (!sums.percentiles) return;
    builder.setInteger(first + Median, sums.percentiles->median);
    builder.setInteger(first + P95, sums.percentiles->p95);
    builder.setInteger(first + P99, sums.percentiles->p99);
}

std::vector<ColumnHeading> withSumHeadings(std::vector<ColumnHeading> headings) {
    const std::vector<ColumnHeading> sums{
        {SelectionTexts::tr("Slices"),
         SelectionTexts::tr(
             "Slices that touch the range: they start before its end, and end after its start or start within it.")},
        {SelectionTexts::tr("Sum"),
         SelectionTexts::tr("Time within the range, slice by slice: nested and parallel slices count twice.")},
        {SelectionTexts::tr("Share"), SelectionTexts::tr("Sum / sum of all selected slices")},
        {SelectionTexts::tr("Union"),
         SelectionTexts::tr("Time within the range in which at least one of them runs: their union.")},
        {SelectionTexts::tr("Self"), SelectionTexts::tr("Sum without the time of direct children, selected or not.")},
        {SelectionTexts::tr("Average"),
         SelectionTexts::tr("Whole durations / slices, also of slices that reach beyond the range.")},
        {SelectionTexts::tr("Shortest"), SelectionTexts::tr("By whole duration.")},
        {SelectionTexts::tr("Median"),
         SelectionTexts::tr("By whole duration; of n slices the ceil(0.50 n)-th shortest.")},
        {SelectionTexts::tr("95 %"),
         SelectionTexts::tr("By whole duration; of n slices the ceil(0.95 n)-th shortest.")},
        {SelectionTexts::tr("99 %"),
         SelectionTexts::tr("By whole duration; of n slices the ceil(0.99 n)-th shortest.")},
        {SelectionTexts::tr("Longest"), SelectionTexts::tr("By whole duration.")},
        {SelectionTexts::tr("Clipped"), SelectionTexts::tr("Slices that reach beyond the range.")}};
    headings.insert(headings.end(), sums.begin(), sums.end());
    return headings;
}

}  // namespace

std::shared_ptr<const ColumnTable> nameTable(const SelectionStatistics& statistics) {
    ColumnTableBuilder builder(withSums({{.name = "name", .type = CellType::Text}}));
    for (const NameSums& name : statistics.names) {
        builder.addRow();
        builder.setText(0, name.name);
        setSums(builder, 1, name.sums, statistics, statistics.complete);
    }
    return builder.finish();
}

std::shared_ptr<const ColumnTable> trackTable(const SelectionStatistics& statistics) {
    ColumnTableBuilder builder(withSums({{.name = "rank_id", .type = CellType::Integer},
                                         {.name = "process", .type = CellType::Text},
                                         {.name = "track", .type = CellType::Text}}));
    for (const TrackSums& sums : statistics.tracks) {
        const RankEntry& rank = statistics.capture->ranks[sums.rank.value];
        const Track& track = rank.trace->track(sums.track);
        builder.addRow();
        builder.setRank(0, rank.info);
        builder.setText(1, track.process);
        builder.setText(2, track.name);
        setSums(builder, 3, sums.sums, statistics, true);
    }
    return builder.finish();
}

std::shared_ptr<const ColumnTable> rankTable(const SelectionStatistics& statistics) {
    ColumnTableBuilder builder(
        withSums({{.name = "rank_id", .type = CellType::Integer}, {.name = "host", .type = CellType::Text}}));
    for (const RankSums& sums : statistics.ranks) {
        const RankInfo& rank = statistics.capture->ranks[sums.rank.value].info;
        builder.addRow();
        builder.setRank(0, rank);
        if (!rank.host.empty()) builder.setText(1, rank.host);
        setSums(builder, 2, sums.sums, statistics, true);
    }
    return builder.finish();
}

std::vector<ColumnHeading> nameHeadings() {
    return withSumHeadings({{SelectionTexts::tr("Name"), {}, {}, Qt::ElideMiddle}});
}

std::vector<ColumnHeading> trackHeadings() {
    return withSumHeadings(
        {{SelectionTexts::tr("Rank"), {}}, {SelectionTexts::tr("Process"), {}}, {SelectionTexts::tr("Track"), {}}});
}

std::vector<ColumnHeading> rankHeadings() {
    return withSumHeadings({{SelectionTexts::tr("Rank"), {}}, {SelectionTexts::tr("Host"), {}}});
}

QString sumsText(const SelectionStatistics& statistics) {
    const SliceSums& sums = statistics.all;
    if (sums.count == 0) return SelectionTexts::tr("No slices");
    const auto length = [](std::int64_t ns) { return formatDuration({ns}); };
    QStringList times{SelectionTexts::tr("%1 slices", nullptr).arg(formatCount(sums.count))};
    if (sums.cut > 0)
        times.back() += u' ' + SelectionTexts::tr("(%1 reach beyond the range)").arg(formatCount(sums.cut));
    times << SelectionTexts::tr("union %1").arg(length(sums.together))
          << SelectionTexts::tr("sum %1").arg(length(sums.sum)) << SelectionTexts::tr("self %1").arg(length(sums.self));
    QStringList lengths{SelectionTexts::tr("shortest %1").arg(length(sums.min))};
    if (sums.percentiles) lengths << SelectionTexts::tr("median %1").arg(length(sums.percentiles->median));
    lengths << SelectionTexts::tr("average %1").arg(length(static_cast<std::int64_t>(sums.average())));
    if (sums.percentiles)
        lengths << SelectionTexts::tr("95 %: %1").arg(length(sums.percentiles->p95))
                << SelectionTexts::tr("99 %: %1").arg(length(sums.percentiles->p99));
    lengths << SelectionTexts::tr("longest %1").arg(length(sums.max));
    return times.join(u" · "_s) + u'\n' + lengths.join(u" · "_s);
}

QString scopeText(const SliceSelection& selection) {
    std::size_t tracks = 0;
    for (const SelectedRank& rank : selection.ranks) tracks += rank.tracks.size();
    const QString ofRanks =
        SelectionTexts::tr("%n rank(s)", "behind a number of tracks", static_cast<int>(selection.ranks.size()));
    const QString where = SelectionTexts::tr("%n track(s) of %1", nullptr, static_cast<int>(tracks)).arg(ofRanks);
    const QString scope =
        selection.range ? SelectionTexts::tr("%1, within %2").arg(where, formatDuration(selection.range->length()))
                        : where;
    const bool isShifted = std::any_of(selection.ranks.begin(), selection.ranks.end(), [](const SelectedRank& rank) {
        return std::any_of(rank.tracks.begin(), rank.tracks.end(),
                           [](const SelectedTrack& track) { return track.later.value != 0; });
    });
    // Without a range all slices count, wherever they are drawn.
    return isShifted && selection.range ? SelectionTexts::tr("%1; shifted tracks count as they are drawn").arg(scope)
                                        : scope;
}

}  // namespace altiscope
