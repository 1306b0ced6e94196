#include "views/compare/comparison_file.h"

#include "core/report/comparison_json.h"
#include "core/report/document/make_report.h"
#include "core/session/files/file_writing.h"
#include "core/session/session.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>

#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct ComparisonFile {
    Q_DECLARE_TR_FUNCTIONS(altiscope::ComparisonFile)
};

struct Written {
    QString reason;  ///< Reason of the system; empty: the file is there.
    bool isCancelled = false;
    std::uint64_t bytes = 0;
};

QString outcomeOf(const Written& written, const QString& file) {
    if (written.isCancelled) return ComparisonFile::tr("Cancelled: nothing was written.");
    if (written.reason.isEmpty())
        return ComparisonFile::tr("%1: %2", "file, size").arg(file, formatBytes(written.bytes));
    return errorSentence({"export.not_written", file.toStdString(), {}, {{"reason", written.reason.toStdString()}}});
}

}  // namespace

void saveComparison(Session& session, std::shared_ptr<const Comparison> comparison, const QString& file,
                    std::function<void(const QString& outcome)> done) {
    const bool isJson = file.endsWith(u".json"_s, Qt::CaseInsensitive);
    if (!isJson && !file.endsWith(u".html"_s, Qt::CaseInsensitive))
        return done(ComparisonFile::tr("Not written: the name of a comparison must end with .html or .json."));
    if (const auto refused = session.refusedToWrite(file)) return done(errorSentence(*refused));
    const ReportRequest request{.capture = comparison->current,
                                .language = std::string(catalogueLanguage()),
                                .program = "Altiscope " + QCoreApplication::applicationVersion().toStdString(),
                                .generated = reportTime(),
                                .sections = {},
                                .compare = comparison.get()};
    session.jobs().start(
        file,
        [comparison = std::move(comparison), request, file, isJson](ProgressSlot& progress, const CancelToken& cancel) {
            progress.setPhase(ProgressPhase::Writing);
            const std::string content =
                isJson ? comparisonJson(*comparison) : reportHtml(makeComparisonReport(*comparison, request));
            auto written = std::make_shared<Written>();
            written->bytes = content.size();
            written->isCancelled = cancel.cancelled();
            if (!written->isCancelled)
                written->reason =
                    writeWholeFile(file, QByteArray::fromStdString(content), PendingFile::Access::Shared, &cancel);
            // A complete file is no longer taken back.
            if (!written->reason.isEmpty()) written->isCancelled = cancel.cancelled();
            return std::shared_ptr<const void>(std::move(written));
        },
        [done = std::move(done), file](const std::shared_ptr<const void>& result) {
            if (const auto* written = static_cast<const Written*>(result.get())) done(outcomeOf(*written, file));
        });
}

}  // namespace altiscope
