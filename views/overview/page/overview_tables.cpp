#include "views/overview/page/overview_tables.h"

#include "core/analysis/steps/step_parts.h"
#include "core/analysis/support/saturating.h"
#include "views/common/support/finding_texts.h"

#include <QCoreApplication>

#include <array>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct Tables {
    Q_DECLARE_TR_FUNCTIONS(altiscope::OverviewTables)
};

enum StepColumn : std::size_t {
    Rank,
    Device,
    Host,
    StepNumber,
    OriginColumn,
    Total,
    ComputedTotal,
    Difference,
    FirstPart,
    FirstComputedPart = FirstPart + 6
};

/// In the order of their columns. Those of kStackedStep add up to the total.
constexpr std::array<StepPart, FirstComputedPart - FirstPart> kShownParts{
    StepPart::Preparing, StepPart::ComputingAlone, StepPart::Overlapped,
    StepPart::Exposed,   StepPart::Bubble,         StepPart::Free};

}  // namespace

std::optional<std::int64_t> StepOfRank::difference(const OverviewNumbers& numbers) const {
    if (!recorded || !computed) return std::nullopt;
    const StepTime &first = numbers.steps[*recorded], &second = numbers.steps[*computed];
    std::optional<std::int64_t> largest;
    const auto look = [&](StepPart part) {
        const auto before = first.part(part), now = second.part(part);
        if (!before || !now) return;
        const std::int64_t by = saturatedDifference(*now, *before);
        if (!largest || std::abs(by) > std::abs(*largest)) largest = by;
    };
    look(StepPart::Step);
    for (const StepPart part : kWholeStep) look(part);
    return largest;
}

bool StepOfRank::isDifferent(const OverviewNumbers& numbers) const {
    const auto by = difference(numbers);
    return by && std::abs(*by) > numbers.steps[*recorded].total().value_or(0) / 100;
}

std::vector<StepOfRank> selectedSteps(const OverviewNumbers& numbers, const ContextFilter& context) {
    std::vector<StepOfRank> rows;
    // rank, device, step
    std::map<std::tuple<RankIndex, std::optional<std::int64_t>, std::optional<std::int64_t>>, std::size_t> rowOf;
    for (std::size_t i = 0; i < numbers.steps.size(); ++i) {
        const StepTime& time = numbers.steps[i];
        if (!context.onClockOf(time.rank).holds(numbers.capture->ranks[time.rank.value], time.step)) continue;
        const auto place = [&time](StepOfRank& row) -> std::optional<std::size_t>& {
            return time.origin == Origin::Recorded ? row.recorded : row.computed;
        };
        const auto [known, isNew] = rowOf.try_emplace({time.rank, time.device, time.step}, rows.size());
        // A step that a file has twice keeps both of its rows.
        if (isNew || place(rows[known->second])) known->second = rows.size();
        if (known->second == rows.size()) rows.emplace_back();
        place(rows[known->second]) = i;
    }
    return rows;
}

std::vector<std::size_t> selectedPeaks(const OverviewNumbers& numbers, const ContextFilter& context) {
    std::vector<std::size_t> selected;
    for (std::size_t i = 0; i < numbers.peaks.size(); ++i) {
        if (context.holds(numbers.capture->ranks[numbers.peaks[i].rank.value].info)) selected.push_back(i);
    }
    return selected;
}

std::shared_ptr<const ColumnTable> stepTable(const OverviewNumbers& numbers, const std::vector<StepOfRank>& steps) {
    static constexpr std::array<const char*, kShownParts.size()> kParts{"preparing", "computing_only", "overlapped",
                                                                        "exposed",   "bubble",         "free"};
    static constexpr std::array<const char*, kShownParts.size()> kComputed{
        "computed_preparing", "computed_computing_only", "computed_overlapped",
        "computed_exposed",   "computed_bubble",         "computed_free"};
    std::vector<TableColumn> columns{integerColumn("rank_id"),
                                     integerColumn("device_id"),
                                     textColumn("host"),
                                     integerColumn("step"),
                                     textColumn("origin"),
                                     integerColumn("total", CellUnit::Duration),
                                     integerColumn("computed_total", CellUnit::Duration),
                                     integerColumn("difference", CellUnit::Duration)};
    for (const auto& names : {kParts, kComputed})
        for (const char* name : names) columns.push_back(integerColumn(name, CellUnit::Duration));
    ColumnTableBuilder builder(std::move(columns));
    const auto setParts = [&builder](std::size_t first, const StepTime& time) {
        for (std::size_t part = 0; part < kShownParts.size(); ++part)
            builder.setInteger(first + part, time.part(kShownParts[part]));
    };
    for (const StepOfRank& row : steps) {
        const StepTime& time = numbers.steps[row.shown()];
        const RankInfo& rank = numbers.capture->ranks[time.rank.value].info;
        builder.addRow();
        builder.setRank(Rank, rank);
        builder.setInteger(Device, time.device ? time.device : rank.deviceId);
        if (!rank.host.empty()) builder.setText(Host, rank.host);
        builder.setInteger(StepNumber, time.step);
        builder.setText(OriginColumn, time.isOfHost ? "host" : originName(time.origin));
        builder.setInteger(Total, time.total());
        builder.setInteger(Difference, row.difference(numbers));
        setParts(FirstPart, time);
        if (!row.computed) continue;
        builder.setInteger(ComputedTotal, numbers.steps[*row.computed].total());
        setParts(FirstComputedPart, numbers.steps[*row.computed]);
    }
    return builder.finish();
}

std::vector<std::size_t> computedPartColumns() {
    std::vector<std::size_t> columns(kShownParts.size());
    std::iota(columns.begin(), columns.end(), std::size_t{FirstComputedPart});
    return columns;
}

std::vector<ColumnHeading> stepHeadings() {
    std::vector<ColumnHeading> headings{
        {Tables::tr("Rank"), Tables::tr("Number of the process in the job.")},
        {Tables::tr("NPU"), Tables::tr("Number of the NPU on its host.")},
        {Tables::tr("Host"), {}},
        {Tables::tr("Step"), u"SQL: SELECT step FROM step_breakdown"_s},
        {Tables::tr("Origin"),
         Tables::tr("Of the total and its parts. recorded: from step_trace_time.csv, StepTraceTime or step_trace_raw; "
                    "computed: by Altiscope from the events; host: the time between the host's marks of the step, "
                    "since no work of a device is recorded."),
         originWord},
        {Tables::tr("Total"),
         Tables::tr("computing + not_overlapped + free, of step_breakdown: computing alone + overlapped + "
                    "exposed + bubble + free")},
        {Tables::tr("Computed total"), Tables::tr("The same sum, computed by Altiscope from the events.")},
        {Tables::tr("Difference"),
         Tables::tr(
             "Computed - recorded: of the total, computing, exposed, bubble and free the one that differs most. The "
             "profiler counts with doubles and by task start; Altiscope counts events to the nanosecond, so that small "
             "differences are its rounding. More than 1 % of the total has a mark.")}};
    const std::array<ColumnHeading, kShownParts.size()> parts{
        {{Tables::tr("Preparing"),
          Tables::tr("preparing: from the step's start on the host to the first work on the device. No part of the "
                     "total: the device works on the step before meanwhile, or is free, which counts there.")},
         {Tables::tr("Computing alone"), u"computing - overlapped"_s},
         {Tables::tr("Overlapped"), Tables::tr("overlapped: computing and communication at the same time")},
         {Tables::tr("Exposed"),
          Tables::tr("not_overlapped_excl_receive: communication alone, without waiting for other pipeline stages")},
         {Tables::tr("Bubble"),
          Tables::tr("not_overlapped - not_overlapped_excl_receive: waiting for other pipeline stages")},
         {Tables::tr("Free"), Tables::tr("free: neither computing nor communication")}}};
    headings.insert(headings.end(), parts.begin(), parts.end());
    for (const ColumnHeading& part : parts)
        headings.push_back({Tables::tr("%1, computed").arg(part.title), part.formula});
    return headings;
}

std::shared_ptr<const ColumnTable> consumerTable(const OverviewNumbers& numbers) {
    ColumnTableBuilder builder({textColumn("name"),
                                textColumn("core_type"),
                                textColumn("origin"),
                                integerColumn("count", CellUnit::Count),
                                integerColumn("total", CellUnit::Duration),
                                {.name = "share", .type = CellType::Real, .unit = CellUnit::Share},
                                {.name = "avg", .type = CellType::Real, .unit = CellUnit::Duration},
                                integerColumn("max", CellUnit::Duration),
                                integerColumn("ranks", CellUnit::Count)});
    std::map<Origin, std::int64_t> all;
    for (const TopConsumer& consumer : numbers.top) all[consumer.origin] += consumer.total;
    for (const TopConsumer& consumer : numbers.top) {
        builder.addRow();
        builder.setText(0, consumer.name);
        builder.setText(1, consumer.core);
        builder.setText(2, originName(consumer.origin));
        builder.setInteger(3, consumer.count);
        builder.setInteger(4, consumer.total);
        if (all[consumer.origin] > 0)
            builder.setReal(5, static_cast<double>(consumer.total) / static_cast<double>(all[consumer.origin]));
        if (consumer.count > 0)
            builder.setReal(6, static_cast<double>(consumer.total) / static_cast<double>(consumer.count));
        builder.setInteger(7, consumer.max);
        builder.setInteger(8, std::int64_t{consumer.ranks});
    }
    return builder.finish();
}

std::vector<ColumnHeading> consumerHeadings() {
    const QString sum = Tables::tr("Over all ranks. SQL: SELECT name, core_type, sum(count), sum(total), max(max) FROM "
                                   "op_stat GROUP BY name, core_type, origin");
    return {{Tables::tr("Operator"), sum, {}, Qt::ElideMiddle},
            {Tables::tr("Core"), sum},
            {Tables::tr("Origin"),
             Tables::tr("recorded: from op_statistic.csv; computed: by Altiscope from the kernels."), originWord},
            {Tables::tr("Calls"), sum},
            {Tables::tr("Time"), sum},
            {Tables::tr("Share"), Tables::tr("Of the time of all operators of the same origin.")},
            {Tables::tr("Mean"), u"total / count"_s},
            {Tables::tr("Longest"), sum},
            {Tables::tr("Ranks"), Tables::tr("How many ranks have it.")}};
}

std::shared_ptr<const ColumnTable> peakTable(const OverviewNumbers& numbers, const ContextFilter& context) {
    ColumnTableBuilder builder({integerColumn("rank_id"), integerColumn("device_id"), textColumn("component"),
                                integerColumn("reserved", CellUnit::Bytes), integerColumn("allocated", CellUnit::Bytes),
                                integerColumn("ts", CellUnit::None)});
    for (const std::size_t place : selectedPeaks(numbers, context)) {
        const MemoryPeak& peak = numbers.peaks[place];
        const RankInfo& rank = numbers.capture->ranks[peak.rank.value].info;
        builder.addRow();
        builder.setRank(0, rank);
        builder.setInteger(1, peak.device ? peak.device : rank.deviceId);
        builder.setText(2, peak.component);
        builder.setInteger(3, peak.reserved);
        builder.setInteger(4, peak.allocated);
        builder.setInteger(5, peak.at);
    }
    return builder.finish();
}

std::vector<ColumnHeading> peakHeadings() {
    return {
        {Tables::tr("Rank"), {}},
        {Tables::tr("NPU"), {}},
        {Tables::tr("Component"),
         Tables::tr("What the memory belongs to: the framework's pool (PTA), GE, or the whole process (APP).")},
        {Tables::tr("Peak reserved"), u"SQL: SELECT max(reserved) FROM memory_sample GROUP BY rank_id, component"_s},
        {Tables::tr("Allocated then"), Tables::tr("allocated of the same sample")},
        {Tables::tr("At"), Tables::tr("Time of the sample on the trace's own clock, ns.")}};
}

}  // namespace altiscope
