#include "views/report/output/report_run.h"

#include "core/query/capture_summary.h"
#include "core/session/session.h"
#include "views/common/support/formatters.h"
#include "views/report/output/report_file.h"

#include <QTimer>

#include <limits>
#include <utility>

namespace altiscope {

namespace {

/// Why nothing of a capture could be read.
QString whyUnreadable(const CaptureStore& store) {
    QStringList lines;
    for (const Diagnostic& diagnostic : diagnosticsOf(store)) lines << toQString(diagnosticText(diagnostic));
    return lines.join(QChar(u'\n'));
}

}  // namespace

ReportRun::ReportRun(Session& session, const QString& capture, QString file, QObject* parent)
    : QObject(parent), m_session(session), m_file(std::move(file)) {
    session.setAutoLoadLimit(std::numeric_limits<std::uint64_t>::max());
    m_capture = session.open(capture);
    connect(&session, &Session::captureChanged, this, &ReportRun::follow);
    // The caller has time to connect to the signal of the end.
    QTimer::singleShot(0, this, &ReportRun::follow);
}

void ReportRun::follow() {
    const OpenCapture* open = m_session.capture(m_capture);
    if (open == nullptr || open->job != 0 || m_isMaking) return;
    m_isMaking = true;
    if (open->error) return emit finished(errorSentence(*open->error));
    if (const auto refused = m_session.refusedToWrite(m_file)) return emit finished(errorSentence(*refused));
    if (open->store == nullptr || isUnreadable(*open->store))
        return emit finished(open->store == nullptr ? QString() : whyUnreadable(*open->store));
    make();
}

void ReportRun::make() {
    const OpenCapture& open = *m_session.capture(m_capture);
    const ReportSource source{
        reportCapture(open.path, open.store), {}, {}, std::string(catalogueLanguage()), reportProgram().toStdString()};
    m_session.jobs().start(
        m_file,
        [source](ProgressSlot& progress, const CancelToken& cancel) {
            progress.setPhase(ProgressPhase::Querying);
            return std::make_shared<const Result<MadeReport>>(makeWholeReport(source, cancel));
        },
        [this](const std::shared_ptr<const void>& made) {
            if (made == nullptr) return emit finished(errorSentence(reportOutOfMemory(m_file)));
            take(*static_cast<const Result<MadeReport>*>(made.get()));
        });
}

void ReportRun::take(const Result<MadeReport>& made) {
    if (made.cancelled()) return;
    if (made.failed()) return emit finished(errorSentence(made.error()));
    saveReport(m_session, made.value().report, m_file, [this](const ReportSaved& saved) {
        if (!saved.isCancelled) emit finished(saved.problem);
    });
}

}  // namespace altiscope
