#pragma once

#include "core/report/document/report_document.h"

#include <set>
#include <string>
#include <vector>

namespace altiscope {

/// Parts of a report that the user wants, and additions of the user.
struct ReportChoices {
    std::string title;               ///< Empty: the report's own.
    std::string notes;               ///< Paragraphs, a line each.
    std::set<std::string> unwanted;  ///< ids of sections.
    std::vector<ReportPicture> pictures;
};

/// The report with the sections that are wanted, and with what the user adds.
Report chosenReport(Report report, const ReportChoices& choices);

}  // namespace altiscope
