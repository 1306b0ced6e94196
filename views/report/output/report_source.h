#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/compare/comparison.h"
#include "core/query/database.h"
#include "core/report/document/report_document.h"
#include "core/report/document/report_scope.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>

namespace altiscope {

/// A capture, and SQL over it.
struct ReportCapture {
    std::string path;
    std::shared_ptr<const CaptureStore> store;
    std::shared_ptr<const QueryDatabase> database;

    bool operator==(const ReportCapture&) const = default;
};
ReportCapture reportCapture(const QString& path, const std::shared_ptr<const CaptureStore>& store);

/// Sources of a report: constant data for a worker.
struct ReportSource {
    ReportCapture capture;
    std::optional<ReportCapture> base;  ///< The base of a comparison.
    ReportScope scope;
    std::string language;
    std::string program;

    bool operator==(const ReportSource&) const = default;
};

/// A report with all sections. Of a comparison that is not possible the error is returned beside the report without it.
struct MadeReport {
    ReportSource source;
    std::shared_ptr<const Report> report;
    std::shared_ptr<const Comparison> comparison;
    std::optional<Error> problem;
};

/// @return Error as QueryDatabase::run.
/// @note  Any thread; parallel on the arena. The first one of a capture takes seconds for many ranks.
Result<MadeReport> makeWholeReport(const ReportSource& source, const CancelToken& cancel);

}  // namespace altiscope
