#include "views/memory/data/memory_tables.h"

#include <QCoreApplication>

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct MemoryTables {
    Q_DECLARE_TR_FUNCTIONS(altiscope::MemoryTables)
};

constexpr const char* kPool = "pool";
constexpr const char* kModuleSource = "module";

TableColumn shareColumn(const char* name) { return realColumn(name, CellUnit::Share); }
TableColumn clockColumn(const char* name, TimeNs origin) { return integerColumn(name, CellUnit::Time, origin.value); }

bool hasDevices(const std::vector<ComponentPeak>& peaks) {
    return std::any_of(peaks.begin(), peaks.end(), [](const ComponentPeak& peak) { return peak.owner.device; });
}

ColumnHeading deviceHeading() { return {MemoryTables::tr("NPU"), MemoryTables::tr("Number of the NPU on its host.")}; }

double asShare(std::int64_t value) { return static_cast<double>(value) / static_cast<double>(kWholeShare); }

}  // namespace

std::shared_ptr<const ColumnTable> componentPeakTable(const std::vector<ComponentPeak>& peaks, TimeNs origin) {
    std::vector<TableColumn> columns{textColumn("component"),
                                     integerColumn("stream"),
                                     textColumn("source"),
                                     integerColumn("samples", CellUnit::Count),
                                     integerColumn("reserved", CellUnit::Bytes),
                                     clockColumn("reserved_at", origin),
                                     integerColumn("allocated_then", CellUnit::Bytes),
                                     shareColumn("unused_then"),
                                     integerColumn("allocated", CellUnit::Bytes),
                                     clockColumn("allocated_at", origin),
                                     integerColumn("active", CellUnit::Bytes),
                                     clockColumn("active_at", origin),
                                     shareColumn("unused_share"),
                                     clockColumn("unused_share_at", origin)};
    const bool byDevice = hasDevices(peaks);
    if (byDevice) columns.push_back(integerColumn("device_id"));
    ColumnTableBuilder builder(std::move(columns));
    const auto at = [](PeakColumn column) { return static_cast<std::size_t>(column); };
    for (const ComponentPeak& peak : peaks) {
        builder.addRow();
        builder.setText(at(PeakColumn::Component), peak.owner.component);
        builder.setInteger(at(PeakColumn::Stream), peak.owner.stream);
        if (byDevice) builder.setInteger(at(PeakColumn::Device), peak.owner.device);
        builder.setText(at(PeakColumn::Source), peak.isModule ? kModuleSource : kPool);
        builder.setInteger(at(PeakColumn::Samples), static_cast<std::int64_t>(peak.samples));
        builder.setInteger(at(PeakColumn::AllocatedThen), peak.allocatedThen);
        if (peak.allocatedThen && peak.reserved && peak.reserved->value > 0)
            builder.setReal(at(PeakColumn::UnusedThen),
                            1 - static_cast<double>(*peak.allocatedThen) / static_cast<double>(peak.reserved->value));
        const auto set = [&](PeakColumn value, PeakColumn time, const std::optional<MemoryPeakPoint>& point) {
            if (!point) return;
            builder.setInteger(at(value), point->value);
            builder.setInteger(at(time), point->at.value);
        };
        set(PeakColumn::Reserved, PeakColumn::ReservedAt, peak.reserved);
        set(PeakColumn::Allocated, PeakColumn::AllocatedAt, peak.allocated);
        set(PeakColumn::Active, PeakColumn::ActiveAt, peak.active);
        if (!peak.fragmentation) continue;
        builder.setReal(at(PeakColumn::Fragmentation), asShare(peak.fragmentation->value));
        builder.setInteger(at(PeakColumn::FragmentationAt), peak.fragmentation->at.value);
    }
    return builder.finish();
}

std::vector<ColumnHeading> componentPeakHeadings(const std::vector<ComponentPeak>& peaks) {
    const auto sourceWord = [](const QString& source) {
        return source == QLatin1String(kPool) ? MemoryTables::tr("pool") : MemoryTables::tr("module");
    };
    const QString first = MemoryTables::tr("Of the first sample that has it.");
    std::vector<ColumnHeading> headings{
        {MemoryTables::tr("Component"), MemoryTables::tr("What the memory belongs to: the framework's pool (PTA), GE, "
                                                         "the whole process (APP), or a module of the system.")},
        {MemoryTables::tr("Stream"), {}},
        {MemoryTables::tr("Source"), MemoryTables::tr("pool: memory_record; module: npu_module_mem."), sourceWord},
        {MemoryTables::tr("Samples"), {}},
        {MemoryTables::tr("Peak reserved"),
         u"SQL: SELECT max(reserved) FROM memory_sample GROUP BY component; max(reserved) FROM module_memory"_s},
        {MemoryTables::tr("Reserved at"), first},
        {MemoryTables::tr("Allocated then"), MemoryTables::tr("allocated of the same sample")},
        {MemoryTables::tr("Unused then"),
         MemoryTables::tr("(reserved - allocated) / reserved at the peak of reserved")},
        {MemoryTables::tr("Peak allocated"), u"SQL: SELECT max(allocated) FROM memory_sample GROUP BY component"_s},
        {MemoryTables::tr("Allocated at"), first},
        {MemoryTables::tr("Peak active"), u"SQL: SELECT max(active) FROM memory_sample GROUP BY component"_s},
        {MemoryTables::tr("Active at"), first},
        {MemoryTables::tr("Most unused"), u"max((reserved - allocated) / reserved)"_s},
        {MemoryTables::tr("Unused at"), first}};
    if (hasDevices(peaks)) headings.push_back(deviceHeading());
    return headings;
}

std::shared_ptr<const ColumnTable> holderTable(const AliveMemory& alive, TimeNs origin) {
    ColumnTableBuilder builder({textColumn("name"), integerColumn("size", CellUnit::Bytes), shareColumn("share"),
                                integerColumn("count", CellUnit::Count), integerColumn("largest", CellUnit::Bytes),
                                integerColumn("not_released", CellUnit::Count), clockColumn("oldest", origin)});
    const auto at = [](HolderColumn column) { return static_cast<std::size_t>(column); };
    for (const MemoryHolder& holder : alive.holders) {
        builder.addRow();
        builder.setText(at(HolderColumn::Name), holder.name);
        builder.setInteger(at(HolderColumn::Bytes), holder.bytes);
        if (alive.bytes > 0)
            builder.setReal(at(HolderColumn::Share),
                            static_cast<double>(holder.bytes) / static_cast<double>(alive.bytes));
        builder.setInteger(at(HolderColumn::Count), static_cast<std::int64_t>(holder.count));
        builder.setInteger(at(HolderColumn::Largest), holder.largest);
        builder.setInteger(at(HolderColumn::Unreleased), static_cast<std::int64_t>(holder.unreleased));
        builder.setInteger(at(HolderColumn::Oldest), holder.oldest.value);
    }
    return builder.finish();
}

std::vector<ColumnHeading> holderHeadings() {
    return {
        {MemoryTables::tr("Operator"),
         MemoryTables::tr("Allocations are grouped by the name under which they were recorded.")},
        {MemoryTables::tr("Alive"), MemoryTables::tr("Sum of the sizes of its allocations that are alive: allocated at "
                                                     "or before the moment, and not released until then.")},
        {MemoryTables::tr("Share"), MemoryTables::tr("Of all that is alive.")},
        {MemoryTables::tr("Allocations"), {}},
        {MemoryTables::tr("Largest"), {}},
        {MemoryTables::tr("Not released"), MemoryTables::tr("How many of them the recording never sees released.")},
        {MemoryTables::tr("Oldest"), MemoryTables::tr("When the first of them was allocated.")}};
}

std::shared_ptr<const ColumnTable> staticTable(const RowTables& rows, const StaticGraph& graph) {
    constexpr RowKind kKind = RowKind::StaticMemory;
    constexpr std::int64_t kToTheEnd = 4294967295;
    ColumnTableBuilder builder({textColumn("name"), integerColumn("node_start"), integerColumn("node_end"),
                                integerColumn("size", CellUnit::Bytes)});
    const RowTable* table = rows.find(kKind);
    for (const std::uint32_t row : graph.rows) {
        builder.addRow();
        if (const auto name = table->text(fixedColumn(kKind, "name"), row)) builder.setText(0, rows.text(*name));
        builder.setInteger(1, table->integer(fixedColumn(kKind, "node_start"), row));
        const auto last = table->integer(fixedColumn(kKind, "node_end"), row);
        if (last != kToTheEnd) builder.setInteger(2, last);
        builder.setInteger(3, table->integer(fixedColumn(kKind, "size"), row));
    }
    return builder.finish();
}

std::vector<ColumnHeading> staticHeadings() {
    return {{MemoryTables::tr("Operator"), {}},
            {MemoryTables::tr("First node"), {}},
            {MemoryTables::tr("Last node"), MemoryTables::tr("Empty: to the end of the graph.")},
            {MemoryTables::tr("Size"), {}}};
}

std::vector<ColumnHeading> allocationHeadings(const AllocationRows& rows) {
    const QString pool = MemoryTables::tr("Of the pool at that moment, as the framework counts it.");
    std::vector<ColumnHeading> headings{
        {MemoryTables::tr("Operator"), {}},
        {MemoryTables::tr("Size"), {}},
        {MemoryTables::tr("Allocated at"), MemoryTables::tr("Empty: before the recording.")},
        {MemoryTables::tr("Released at"), MemoryTables::tr("Empty: not while it was recorded.")},
        {MemoryTables::tr("Free at"),
         MemoryTables::tr(
             "When the last stream stopped using the block; may be before or after its release on the host.")},
        {MemoryTables::tr("Lifetime"), u"release_ts - alloc_ts"_s},
        {MemoryTables::tr("In use"), u"active_release_ts - alloc_ts"_s},
        {MemoryTables::tr("Allocated, at allocation"), pool},
        {MemoryTables::tr("Reserved, at allocation"), pool},
        {MemoryTables::tr("Active, at allocation"), pool},
        {MemoryTables::tr("Allocated, at release"), pool},
        {MemoryTables::tr("Reserved, at release"), pool},
        {MemoryTables::tr("Active, at release"), pool},
        {MemoryTables::tr("Stream"), MemoryTables::tr("The stream's number or pointer, as recorded.")}};
    if (rows.hasDevices()) headings.push_back(deviceHeading());
    if (rows.hasUses()) {
        headings.push_back({MemoryTables::tr("Unused before first use"),
                            MemoryTables::tr("first_use: from the allocation to the first use of the memory.")});
        headings.push_back(
            {MemoryTables::tr("Longest idle"), MemoryTables::tr("longest_idle: the longest time between two uses.")});
        headings.push_back({MemoryTables::tr("Unused after last use"),
                            MemoryTables::tr("unused_end: from the last use to the release.")});
    }
    return headings;
}

}  // namespace altiscope
