#include "views/operators/operator_tables.h"

#include "core/analysis/support/saturating.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct OperatorTables {
    Q_DECLARE_TR_FUNCTIONS(altiscope::OperatorTables)
};

constexpr std::size_t placeOf(GroupColumn column) { return static_cast<std::size_t>(column); }
constexpr std::size_t placeOf(SiteColumn column) { return static_cast<std::size_t>(column); }

double ratioOf(std::int64_t part, std::int64_t all) {
    return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

void setKey(ColumnTableBuilder& builder, const KernelIndex& index, const KernelSignature& key) {
    const auto setText = [&](GroupColumn column, std::uint32_t text) {
        if (text != KernelSignature::kNoText) builder.setText(placeOf(column), index.text(text));
    };
    setText(GroupColumn::Name, key.name);
    setText(GroupColumn::Type, key.type);
    setText(GroupColumn::Core, key.core);
    setText(GroupColumn::Shapes, key.shapes);
}

void setChange(ColumnTableBuilder& builder, const Change& change) {
    builder.setInteger(placeOf(GroupColumn::PerStep), change.current);
    builder.setInteger(placeOf(GroupColumn::Base), change.base);
    builder.setInteger(placeOf(GroupColumn::Difference), change.change);
    if (const auto share = shareOf(change)) builder.setReal(placeOf(GroupColumn::Change), *share);
}

}  // namespace

std::shared_ptr<const ColumnTable> groupTable(const KernelGroups& groups, const OperatorBase* base) {
    constexpr CellUnit kNs = CellUnit::Duration;
    ColumnTableBuilder builder({textColumn("name"),
                                textColumn("type"),
                                textColumn("accelerator_core"),
                                textColumn("input_shapes"),
                                integerColumn("step"),
                                integerColumn("rank_id"),
                                integerColumn("device_id"),
                                integerColumn("per_step", kNs),
                                integerColumn("base", kNs),
                                integerColumn("difference", kNs),
                                realColumn("change", CellUnit::Share),
                                integerColumn("count", CellUnit::Count),
                                integerColumn("total", kNs),
                                realColumn("share", CellUnit::Share),
                                integerColumn("min", kNs),
                                integerColumn("p50", kNs),
                                realColumn("avg", kNs),
                                integerColumn("p95", kNs),
                                integerColumn("max", kNs),
                                realColumn("std", kNs),
                                integerColumn("wait", kNs),
                                realColumn("wait_avg", kNs)});
    const KernelIndex& index = *groups.index;
    for (std::size_t i = 0; i < groups.groups.size(); ++i) {
        const KernelGroup& group = groups.groups[i];
        builder.addRow();
        setKey(builder, index, groups.keys[group.key]);
        if (base != nullptr) setChange(builder, base->changes.ofGroup[i]);
        builder.setInteger(placeOf(GroupColumn::Step), group.step);
        if (groups.split == KernelSplit::Rank) {
            builder.setRank(placeOf(GroupColumn::Rank), index.rank(group.part).info);
            builder.setInteger(placeOf(GroupColumn::Device), index.selected()[group.part].device);
        }
        builder.setInteger(placeOf(GroupColumn::Count), static_cast<std::int64_t>(group.time.count));
        builder.setInteger(placeOf(GroupColumn::Total), group.time.total);
        builder.setReal(placeOf(GroupColumn::Share), ratioOf(group.time.total, groups.all.total));
        builder.setInteger(placeOf(GroupColumn::Min), group.time.min);
        builder.setReal(placeOf(GroupColumn::Average), group.time.average());
        builder.setInteger(placeOf(GroupColumn::Max), group.time.max);
        builder.setReal(placeOf(GroupColumn::Deviation), group.deviation);
        if (groups.hasPercentiles) {
            builder.setInteger(placeOf(GroupColumn::Median), group.median);
            builder.setInteger(placeOf(GroupColumn::P95), group.p95);
        }
        if (group.waits == 0) continue;
        builder.setInteger(placeOf(GroupColumn::Wait), group.wait);
        builder.setReal(placeOf(GroupColumn::AverageWait),
                        static_cast<double>(group.wait) / static_cast<double>(group.waits));
    }
    if (base == nullptr) return builder.finish();
    for (const KernelChanges::Gone& gone : base->changes.gone) {
        builder.addRow();
        setKey(builder, *base->index, base->groups->keys[gone.key]);
        setChange(builder, gone.change);
    }
    return builder.finish();
}

std::vector<ColumnHeading> groupHeadings() {
    const QString from = OperatorTables::tr("From kernel_details.csv, op_summary or COMPUTE_TASK_INFO; SQL: kernel.");
    const QString nearest = OperatorTables::tr("Nearest rank: of n durations the ceil(n * p / 100)-th smallest.");
    return {
        {OperatorTables::tr("Name"), from, {}, Qt::ElideMiddle},
        {OperatorTables::tr("Type"), from},
        {OperatorTables::tr("Core"), OperatorTables::tr("Which kind of core it ran on.")},
        {OperatorTables::tr("Input shapes"), from},
        {OperatorTables::tr("Step"), from},
        {OperatorTables::tr("Rank"), {}},
        {OperatorTables::tr("NPU"), OperatorTables::tr("Number of the NPU on its host.")},
        {OperatorTables::tr("Per step"),
         OperatorTables::tr("Time in a step: of each step the mean over the ranks that recorded kernels in it, of "
                            "these the mean over the steps; as on the page Compare.")},
        {OperatorTables::tr("Base"), OperatorTables::tr("The same of the base, 0 if it does not occur there.")},
        {OperatorTables::tr("Difference"), u"per_step - base"_s},
        {OperatorTables::tr("Change"), OperatorTables::tr("difference / base; empty where the base has none of it.")},
        {OperatorTables::tr("Count"), OperatorTables::tr("How many kernels of the group have a duration.")},
        {OperatorTables::tr("Total"), OperatorTables::tr("Sum of their durations. Kernels of several streams may run "
                                                         "at once: sums are work, not time that has passed.")},
        {OperatorTables::tr("Share"),
         OperatorTables::tr("total / sum of the totals of all groups of this table, before any filter; collectives "
                            "and other kernels are never in one table.")},
        {OperatorTables::tr("Min"), {}},
        {OperatorTables::tr("P50"), nearest},
        {OperatorTables::tr("Avg"), u"total / count"_s},
        {OperatorTables::tr("P95"), nearest},
        {OperatorTables::tr("Max"), {}},
        {OperatorTables::tr("Std"),
         OperatorTables::tr("Standard deviation of all durations: sqrt(sum((duration - avg)^2) / count).")},
        {OperatorTables::tr("Wait"),
         OperatorTables::tr(
             "Sum of the waits as recorded (Wait Time): from the end of the previous task on the device to the "
             "kernel's start. What it waited for was not recorded: the host, another stream, or another rank.")},
        {OperatorTables::tr("Avg wait"), OperatorTables::tr("wait / number of kernels whose wait is recorded")}};
}

std::vector<GroupColumn> columnsWithout(const KernelGroups& groups) {
    const KernelGrouping grouping = groups.grouping;
    std::vector<GroupColumn> without;
    const bool byName = grouping == KernelGrouping::Name || grouping == KernelGrouping::NameAndShape ||
                        grouping == KernelGrouping::CollectiveName;
    if (!byName) without.push_back(GroupColumn::Name);
    if (grouping == KernelGrouping::Core) without.push_back(GroupColumn::Type);
    if (isOfCollectives(grouping)) without.push_back(GroupColumn::Core);
    if (grouping != KernelGrouping::NameAndShape) without.push_back(GroupColumn::Shapes);
    if (groups.split != KernelSplit::Step) without.push_back(GroupColumn::Step);
    if (groups.split != KernelSplit::Rank) without.push_back(GroupColumn::Rank);
    const auto& parts = groups.index->selected();
    const bool byDevice =
        std::any_of(parts.begin(), parts.end(), [](const FilteredKernels& part) { return part.device.has_value(); });
    if (groups.split != KernelSplit::Rank || !byDevice) without.push_back(GroupColumn::Device);
    return without;
}

std::shared_ptr<const ColumnTable> callSiteTable(const CallSites& sites) {
    ColumnTableBuilder builder({textColumn("python"), textColumn("program"), textColumn("module"),
                                textColumn("operator"), integerColumn("total", CellUnit::Duration),
                                realColumn("share", CellUnit::Share), integerColumn("count", CellUnit::Count),
                                realColumn("avg", CellUnit::Duration), integerColumn("max", CellUnit::Duration),
                                textColumn("outer")});
    std::int64_t all = sites.unknown.total;
    for (const CallSite& site : sites.sites) all = saturatedSum(all, site.time.total);
    for (const CallSite& site : sites.sites) {
        builder.addRow();
        const auto setText = [&](SiteColumn column, const std::string& text) {
            if (!text.empty()) builder.setText(placeOf(column), text);
        };
        setText(SiteColumn::Python, site.python);
        setText(SiteColumn::Program, site.program);
        setText(SiteColumn::Operator, site.op);
        setText(SiteColumn::Outer, site.outer);
        setText(SiteColumn::Module, site.module);
        builder.setInteger(placeOf(SiteColumn::Count), static_cast<std::int64_t>(site.time.count));
        builder.setInteger(placeOf(SiteColumn::Total), site.time.total);
        builder.setReal(placeOf(SiteColumn::Share), ratioOf(site.time.total, all));
        builder.setReal(placeOf(SiteColumn::Average), site.time.average());
        builder.setInteger(placeOf(SiteColumn::Max), site.time.max);
    }
    return builder.finish();
}

std::vector<ColumnHeading> callSiteHeadings() {
    return {
        {OperatorTables::tr("Line of Python"),
         OperatorTables::tr("Where the program called the operator: the innermost frame that is neither a module nor a "
                            "built-in; of the backward pass that of the forward operator. Recorded with with_stack."),
         {},
         Qt::ElideLeft},
        {OperatorTables::tr("Line of the program"),
         OperatorTables::tr("The innermost line that is not the framework's own; empty if it is the same."),
         {},
         Qt::ElideLeft},
        // It tells those apart that one line of a layer calls.
        {OperatorTables::tr("Module"),
         OperatorTables::tr("The innermost nn.Module. Recorded with with_modules or with_stack.")},
        {OperatorTables::tr("Operator"),
         OperatorTables::tr(
             "The framework's operator around the launch of the kernel, over the flows between host and device.")},
        {OperatorTables::tr("Total"), OperatorTables::tr("Sum of the durations of these kernels.")},
        {OperatorTables::tr("Share"), OperatorTables::tr("Of the kernels that were followed.")},
        {OperatorTables::tr("Count"), OperatorTables::tr("How many kernels came from there.")},
        {OperatorTables::tr("Avg"), u"total / count"_s},
        {OperatorTables::tr("Max"), {}},
        {OperatorTables::tr("Called by"),
         OperatorTables::tr("The outermost operator of a library around that one; empty if it is the same.")}};
}

QString keyTitle(const KernelGroups& groups, std::uint32_t key) {
    const KernelSignature& of = groups.keys[key];
    QStringList parts;
    for (const std::uint32_t text : {of.name, of.type, of.core, of.shapes}) {
        const QString word = toQString(groups.index->text(text));
        if (!word.isEmpty() && !parts.contains(word)) parts << word;
    }
    return parts.isEmpty() ? OperatorTables::tr("(not recorded)") : parts.join(u", "_s);
}

QString partTitle(const KernelIndex& index, std::size_t part) {
    const QString rank = rankTitle(index.rank(part).info);
    const auto device = index.selected()[part].device;
    return device ? OperatorTables::tr("%1, NPU %2", "rank").arg(rank).arg(*device) : rank;
}

QString groupTitle(const KernelGroups& groups, std::size_t group) {
    const KernelGroup& of = groups.groups[group];
    const QString key = keyTitle(groups, of.key);
    if (groups.split == KernelSplit::Rank) return key + u", "_s + partTitle(*groups.index, of.part);
    if (groups.split == KernelSplit::Step)
        return key + u", "_s +
               (of.step ? OperatorTables::tr("step %1").arg(*of.step) : OperatorTables::tr("without step"));
    return key;
}

}  // namespace altiscope
