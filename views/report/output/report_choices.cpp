#include "views/report/output/report_choices.h"

#include <utility>

namespace altiscope {

Report chosenReport(Report report, const ReportChoices& choices) {
    if (!choices.title.empty()) report.title = choices.title;
    report.notes = choices.notes;
    report.pictures = choices.pictures;
    std::erase_if(report.sections,
                  [&choices](const ReportSection& section) { return choices.unwanted.contains(section.id); });
    return report;
}

}  // namespace altiscope
