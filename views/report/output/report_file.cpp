#include "views/report/output/report_file.h"

#include "core/base/text/catalogue.h"
#include "core/session/files/file_writing.h"
#include "core/session/session.h"
#include "views/common/support/formatters.h"
#include "views/report/layout/report_layout.h"
#include "views/report/layout/report_pdf.h"

#include <QCoreApplication>
#include <QGuiApplication>

#include <array>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr std::array kFormats{ReportFormat::Html, ReportFormat::Pdf, ReportFormat::Json};

}  // namespace

Error reportOutOfMemory(const QString& file) { return {"report.out_of_memory", file.toStdString(), {}, {}}; }

QString reportEnding(ReportFormat format) {
    switch (format) {
    case ReportFormat::Html: return u"html"_s;
    case ReportFormat::Pdf: return u"pdf"_s;
    case ReportFormat::Json: return u"json"_s;
    }
    return {};
}

std::optional<ReportFormat> reportFormatOf(const QString& file) {
    for (const ReportFormat format : kFormats)
        if (file.endsWith(u'.' + reportEnding(format), Qt::CaseInsensitive)) return format;
    return std::nullopt;
}

PageFonts reportFonts() { return PageFonts(QGuiApplication::font(), monospaceFont(QGuiApplication::font())); }

QString reportProgram() { return u"Altiscope "_s + QCoreApplication::applicationVersion(); }

std::optional<QByteArray> reportContent(const Report& report, ReportFormat format, const PageFonts& fonts,
                                        const CancelToken& cancel) {
    switch (format) {
    case ReportFormat::Html: return QByteArray::fromStdString(reportHtml(report));
    case ReportFormat::Json: return QByteArray::fromStdString(reportJson(report));
    case ReportFormat::Pdf: {
        const auto pages = layoutReport(report, fonts, cancel);
        if (pages == nullptr) return std::nullopt;
        QByteArray content = pdfOf(*pages, toQString(report.title), toQString(report.program), cancel);
        if (content.isEmpty()) return std::nullopt;
        return content;
    }
    }
    return std::nullopt;
}

void saveReport(Session& session, std::shared_ptr<const Report> report, const QString& file,
                std::function<void(const ReportSaved&)> done) {
    if (const auto refused = session.refusedToWrite(file)) return done({.problem = errorSentence(*refused)});
    const std::string language(catalogueLanguage());
    session.jobs().start(
        file,
        [report = std::move(report), file, language, fonts = reportFonts(),
         format = reportFormatOf(file).value_or(ReportFormat::Html)](ProgressSlot& progress,
                                                                     const CancelToken& cancel) {
            progress.setPhase(ProgressPhase::Writing);
            auto saved = std::make_shared<ReportSaved>();
            const auto content = reportContent(*report, format, fonts, cancel);
            saved->isCancelled = !content || cancel.cancelled();
            if (!saved->isCancelled) {
                saved->bytes = content->size();
                const QString reason = writeWholeFile(file, *content, PendingFile::Access::Shared, &cancel);
                saved->isCancelled = !reason.isEmpty() && cancel.cancelled();
                if (!reason.isEmpty()) {
                    const Error error{"export.not_written", file.toStdString(), {}, {{"reason", reason.toStdString()}}};
                    saved->problem = toQString(errorText(error, language));
                }
            }
            return std::shared_ptr<const void>(std::move(saved));
        },
        [done = std::move(done), file](const std::shared_ptr<const void>& result) {
            const auto* saved = static_cast<const ReportSaved*>(result.get());
            done(saved != nullptr ? *saved : ReportSaved{.problem = errorSentence(reportOutOfMemory(file))});
        });
}

}  // namespace altiscope
