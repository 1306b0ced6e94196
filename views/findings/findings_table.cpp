#include "views/findings/findings_table.h"

#include <QCoreApplication>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct FindingsTable {
    Q_DECLARE_TR_FUNCTIONS(altiscope::FindingsTable)
};

}  // namespace

std::shared_ptr<const ColumnTable> findingTable(const CaptureFindings& found, const std::vector<FindingItem>& items,
                                                std::span<const std::size_t> shown) {
    ColumnTableBuilder builder(
        {{.name = "severity", .type = CellType::Text, .order = {"missing", "low", "medium", "high"}},
         {.name = "recoverable", .unit = CellUnit::Duration},
         {.name = "title", .type = CellType::Text},
         {.name = "rule", .type = CellType::Text},
         {.name = "rank_id"},
         {.name = "step"},
         {.name = "ts", .unit = CellUnit::Time, .origin = found.origin.value},
         {.name = "dur", .unit = CellUnit::Duration}});
    const auto at = [](FindingColumn column) { return static_cast<std::size_t>(column); };
    for (const std::size_t place : shown) {
        const Finding& finding = found.findings[place];
        builder.addRow();
        // Missing data is no fault, and is not rated.
        const bool isRated = items[place].weight != FindingItem::Weight::Missing;
        builder.setText(at(FindingColumn::Severity), isRated ? findingSeverityName(finding.severity) : "missing");
        builder.setInteger(at(FindingColumn::Recoverable), finding.recoverable);
        builder.setText(at(FindingColumn::Title), items[place].title.toStdString());
        builder.setText(at(FindingColumn::Rule), finding.rule);
        if (finding.rank && found.capture != nullptr)
            builder.setRank(at(FindingColumn::Rank), found.capture->ranks[finding.rank->value].info);
        else builder.setInteger(at(FindingColumn::Rank), finding.rankId);
        builder.setInteger(at(FindingColumn::Step), finding.step);
        if (!finding.range) continue;
        builder.setInteger(at(FindingColumn::Ts), finding.range->begin.value);
        builder.setInteger(at(FindingColumn::Dur), finding.range->length().value);
    }
    return builder.finish();
}

std::vector<ColumnHeading> findingHeadings() {
    return {{FindingsTable::tr("Severity"),
             FindingsTable::tr(
                 "By the recoverable time as a share of the step; see the thresholds high_share and medium_share."),
             severityWord},
            {FindingsTable::tr("Recoverable"),
             FindingsTable::tr("Recoverable time of a step: the mean over the steps in which the cause occurs. The "
                               "formula of each rule is in the details.")},
            {FindingsTable::tr("Finding"), {}},
            {FindingsTable::tr("Rule"), u"SQL: SELECT rule FROM finding"_s, ruleWord},
            {FindingsTable::tr("Rank"), FindingsTable::tr("Number of the process in the job.")},
            {FindingsTable::tr("Step"), FindingsTable::tr("If it concerns a single step.")},
            {FindingsTable::tr("Time"), FindingsTable::tr("First occurrence, since the start of the capture.")},
            {FindingsTable::tr("Duration"), FindingsTable::tr("Of the slice or range of its first occurrence.")}};
}

}  // namespace altiscope
