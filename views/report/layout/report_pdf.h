#pragma once

#include "core/base/values/cancel.h"
#include "views/report/layout/report_pages.h"

#include <QByteArray>
#include <QString>

namespace altiscope {

/// The pages as a PDF file: text as text, fonts embedded. Empty if it was cancelled. Any thread.
/// @param program  Name and version, for the properties of the file.
QByteArray pdfOf(const ReportPages& pages, const QString& title, const QString& program, const CancelToken& cancel);

}  // namespace altiscope
