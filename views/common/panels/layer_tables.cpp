#include "views/common/panels/layer_tables.h"

#include "views/common/support/formatters.h"

#include <QCoreApplication>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct LayerTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::LayerTables)
};

TableColumn layerColumn(const char* name, CellUnit unit, CellType type = CellType::Integer) {
    return {.name = name, .type = type, .unit = unit};
}

double ratio(std::int64_t part, std::int64_t all) { return static_cast<double>(part) / static_cast<double>(all); }

}  // namespace

QString layerTitle(Layer layer) {
    switch (layer) {
    case Layer::Python: return LayerTexts::tr("Python and framework");
    case Layer::Stack: return LayerTexts::tr("Call stacks");
    case Layer::Cann: return LayerTexts::tr("CANN");
    case Layer::Hardware: return LayerTexts::tr("Streams of the NPU");
    case Layer::Communication: return LayerTexts::tr("Communication: collectives");
    case Layer::CommunicationTasks: return LayerTexts::tr("Communication: tasks on planes");
    case Layer::Overlap: return LayerTexts::tr("Overlap Analysis");
    case Layer::Mstx: return LayerTexts::tr("Program marks (mstx)");
    case Layer::Scope: return LayerTexts::tr("Scopes");
    case Layer::Gc: return LayerTexts::tr("Garbage collection");
    case Layer::Other: break;
    }
    return LayerTexts::tr("Other");
}

QString layerText(const LayerSums& sums) {
    return QStringList{LayerTexts::tr("%1 names").arg(formatCount(sums.names.size())),
                       LayerTexts::tr("%1 slices").arg(formatCount(sums.count)),
                       LayerTexts::tr("total %1").arg(formatDuration({sums.total})),
                       LayerTexts::tr("self %1").arg(formatDuration({sums.self}))}
        .join(u" · "_s);
}

std::shared_ptr<const ColumnTable> layerTable(const LayerSums& sums) {
    enum : std::size_t { Name, Share, Total, SelfShare, Self, Count, Average, Min, Max };
    ColumnTableBuilder builder({{.name = "name", .type = CellType::Text},
                                layerColumn("share", CellUnit::Share, CellType::Real),
                                layerColumn("total", CellUnit::Duration),
                                layerColumn("self_share", CellUnit::Share, CellType::Real),
                                layerColumn("self", CellUnit::Duration),
                                layerColumn("count", CellUnit::Count),
                                layerColumn("avg", CellUnit::Duration, CellType::Real),
                                layerColumn("min", CellUnit::Duration),
                                layerColumn("max", CellUnit::Duration)});
    for (const NameOfLayer& name : sums.names) {
        builder.addRow();
        builder.setText(Name, name.name);
        if (sums.total > 0) builder.setReal(Share, ratio(name.total, sums.total));
        builder.setInteger(Total, name.total);
        if (sums.self > 0) builder.setReal(SelfShare, ratio(name.self, sums.self));
        builder.setInteger(Self, name.self);
        builder.setInteger(Count, static_cast<std::int64_t>(name.count));
        builder.setReal(Average, static_cast<double>(name.total) / static_cast<double>(name.count));
        builder.setInteger(Min, name.min);
        builder.setInteger(Max, name.max);
    }
    return builder.finish();
}

std::vector<ColumnHeading> layerHeadings() {
    return {
        {LayerTexts::tr("Name"), {}, {}, Qt::ElideMiddle},
        {LayerTexts::tr("Share"),
         LayerTexts::tr("Total / sum of the totals of all names. A slice and its children both count, so that shares "
                        "of nested slices overlap. The sum excludes \"Communication\" of the overlap analysis, which "
                        "includes \"Communication(Not Overlapped)\".")},
        {LayerTexts::tr("Total"),
         LayerTexts::tr(
             "Sum of the whole durations of the slices, over all ranks and tracks; including their children.")},
        {LayerTexts::tr("Share of self"),
         LayerTexts::tr("Self / sum of self of all names: each moment of a track counts once.")},
        {LayerTexts::tr("Self"), LayerTexts::tr("Total without the time of direct children.")},
        {LayerTexts::tr("Slices"), LayerTexts::tr("Slices that touch the times that are shown; each counts whole.")},
        {LayerTexts::tr("Average"), LayerTexts::tr("Total / slices")},
        {LayerTexts::tr("Shortest"), {}},
        {LayerTexts::tr("Longest"), {}}};
}

std::shared_ptr<const ColumnTable> copyTable(const CaptureStore& capture, const std::vector<CopySums>& sums) {
    enum : std::size_t {
        Rank,
        Stream,
        Direction,
        Count,
        Total,
        Average,
        Min,
        Max,
        Bytes,
        AverageBytes,
        MinBytes,
        MaxBytes,
        Rate
    };
    ColumnTableBuilder builder({{.name = "rank_id", .type = CellType::Integer},
                                {.name = "stream", .type = CellType::Text},
                                {.name = "direction", .type = CellType::Text},
                                layerColumn("count", CellUnit::Count),
                                layerColumn("total", CellUnit::Duration),
                                layerColumn("avg", CellUnit::Duration, CellType::Real),
                                layerColumn("min", CellUnit::Duration),
                                layerColumn("max", CellUnit::Duration),
                                layerColumn("size", CellUnit::Bytes),
                                layerColumn("avg_size", CellUnit::Bytes, CellType::Real),
                                layerColumn("min_size", CellUnit::Bytes),
                                layerColumn("max_size", CellUnit::Bytes),
                                layerColumn("rate", CellUnit::Rate, CellType::Real)});
    for (const CopySums& sum : sums) {
        const RankEntry& rank = capture.ranks[sum.rank.value];
        builder.addRow();
        builder.setRank(Rank, rank.info);
        builder.setText(Stream, rank.trace->track(sum.track).name);
        if (!sum.direction.empty()) builder.setText(Direction, sum.direction);
        builder.setInteger(Count, static_cast<std::int64_t>(sum.count));
        builder.setInteger(Total, sum.total);
        builder.setReal(Average, static_cast<double>(sum.total) / static_cast<double>(sum.count));
        builder.setInteger(Min, sum.min);
        builder.setInteger(Max, sum.max);
        if (sum.sized == 0) continue;
        builder.setInteger(Bytes, sum.bytes);
        builder.setReal(AverageBytes, static_cast<double>(sum.bytes) / static_cast<double>(sum.sized));
        builder.setInteger(MinBytes, sum.minBytes);
        builder.setInteger(MaxBytes, sum.maxBytes);
        if (sum.sizedTime > 0) builder.setReal(Rate, ratio(sum.bytes, sum.sizedTime) * 1e9);
    }
    return builder.finish();
}

std::vector<ColumnHeading> copyHeadings() {
    const QString sized = LayerTexts::tr("From the arguments of MEMCPY_ASYNC, or MEMCPY_INFO; recorded at Level2.");
    return {{LayerTexts::tr("Rank"), {}},
            {LayerTexts::tr("Stream"), {}},
            {LayerTexts::tr("Direction"), sized},
            {LayerTexts::tr("Copies"),
             LayerTexts::tr("Slices MEMCPY_ASYNC that touch the times that are shown; each counts whole.")},
            {LayerTexts::tr("Total"), LayerTexts::tr("Sum of their durations.")},
            {LayerTexts::tr("Average"), LayerTexts::tr("Total / copies")},
            {LayerTexts::tr("Shortest"), {}},
            {LayerTexts::tr("Longest"), {}},
            {LayerTexts::tr("Size"), sized},
            {LayerTexts::tr("Average size"), LayerTexts::tr("Size / copies whose size is recorded")},
            {LayerTexts::tr("Smallest"), sized},
            {LayerTexts::tr("Largest"), sized},
            {LayerTexts::tr("Rate"), LayerTexts::tr("Size / total time of the copies whose size is recorded")}};
}

}  // namespace altiscope
