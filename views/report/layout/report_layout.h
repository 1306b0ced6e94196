#pragma once

#include "core/base/values/cancel.h"
#include "core/report/document/report_document.h"
#include "views/report/layout/report_pages.h"

#include <memory>

namespace altiscope {

/// A report on pages: the first one with the essentials (how long a step takes and where its time goes, what to
/// do first, notes of the user, contents), pictures, the sections, and the statements of all tables.
/// @return Null if it was cancelled.
/// @note  Any thread. O(cells); 1 s for some thousand rows.
std::shared_ptr<const ReportPages> layoutReport(const Report& report, const PageFonts& fonts,
                                                const CancelToken& cancel);

}  // namespace altiscope
