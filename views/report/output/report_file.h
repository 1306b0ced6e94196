#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/error.h"
#include "core/report/document/report_document.h"
#include "views/report/layout/report_pages.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <memory>
#include <optional>

namespace altiscope {

class Session;

enum class ReportFormat : unsigned char { Html, Pdf, Json };

/// There was not enough memory to make or write it.
Error reportOutOfMemory(const QString& file);

/// "html", "pdf", "json"
QString reportEnding(ReportFormat format);
/// By the ending of a name; nullopt: none of them.
std::optional<ReportFormat> reportFormatOf(const QString& file);

/// The fonts of reports, in the window's where the usual ones are not installed. GUI thread.
PageFonts reportFonts();
/// Name and version of the program.
QString reportProgram();

/// The report as a file of this format; nullopt if it was cancelled. Any thread.
std::optional<QByteArray> reportContent(const Report& report, ReportFormat format, const PageFonts& fonts,
                                        const CancelToken& cancel);

/// Outcome of writing a report. Neither a problem nor cancelled: the file is complete.
struct ReportSaved {
    QString problem;
    bool isCancelled = false;
    qint64 bytes = 0;
};

/// Writes a report as a visible job, by the ending of the name; `done` runs on the GUI thread, at once if the file may
/// not be written (Session::refusedToWrite). GUI thread.
void saveReport(Session& session, std::shared_ptr<const Report> report, const QString& file,
                std::function<void(const ReportSaved&)> done);

}  // namespace altiscope
