#include "app/cli/capture_driving.h"

#include "app/cli/output.h"
#include "core/base/text/catalogue.h"
#include "core/base/text/printable_text.h"
#include "core/base/threads/parallel.h"
#include "core/base/values/clock_time.h"
#include "core/session/files/write_guard.h"
#include "core/session/reading/raw_analysis.h"

#include <QCoreApplication>
#include <QProcess>
#include <QStandardPaths>

#include <optional>

namespace altiscope::cli {

using capture::Event;
using capture::State;

namespace {

/// Analyses raw data in a folder of copies in place. @return The status of the program.
int analyseHere(const std::filesystem::path& folder, const CancelToken& cancel) {
    WorkerArena arena(0);
    ProgressSlot progress;
    std::optional<Result<RawAnalysis>> done;
    arena.run([&] { done = analyseRaw({folder, {}, true, false}, progress, cancel); });
    if (done->cancelled()) return kCancelled;
    // All of it was analysed where it was recorded.
    if (done->failed() && done->error().code == "raw_analysis.nothing") return kOk;
    if (done->failed()) return reportError(done->error());
    int status = kOk;
    for (const AnalysedCapture& one : done->value().captures) {
        if (one.state != AnalysedCapture::State::Failed || !one.error) continue;
        printMessage(printableText(one.path) + ": " + printableText(errorText(*one.error, "en")));
        status = kFailed;
    }
    return status;
}

int analysisStatus(const Result<capture::CaptureRecord>& analysed) {
    if (analysed.cancelled()) return kCancelled;
    if (analysed.failed()) return reportError(analysed.error());
    return statusOf(analysed.value());
}

/// By calls that have a connection, or make one.
struct Fetcher {
    std::function<Result<capture::CaptureRecord>()> analyse, fetch;
};

int fetchBy(const Fetcher& fetcher, const std::filesystem::path& folder, const FetchOptions& options) {
    if (liesInProfilerFolder(folder / "results")) return reportError(Error{"capture.fetch.in_capture", folder, {}, {}});
    int analysed = kOk;
    if (options.analysis.where == "there") {
        analysed = analysisStatus(fetcher.analyse());
        if (analysed == kCancelled) return analysed;
    }
    const auto fetched = fetcher.fetch();
    if (fetched.cancelled()) return kCancelled;
    // Each file that could not be copied has been reported by itself.
    if (fetched.failed() && fetched.error().code == "capture.fetch.incomplete") return kFailed;
    if (fetched.failed()) return reportError(fetched.error());
    const int status = statusOf(fetched.value());
    if (options.analysis.where != "here") return status == kOk ? analysed : status;
    analysed = analyseHere(folder, options.cancel);
    return status == kOk ? analysed : status;
}

}  // namespace

int analyseThere(const capture::RecordStore& store, capture::CaptureRun& run, const FetchOptions& options) {
    return analysisStatus(capture::analyseResults(store, run, options.analysis.options, options.cancel));
}

int fetchCapture(const capture::RecordStore& store, const std::string& id, const std::filesystem::path& folder,
                 const FetchOptions& options) {
    const capture::Driver driver{options.cancel, options.print, {}};
    return fetchBy({[&] { return capture::analyseThere(store, id, options.analysis.options, driver); },
                    [&] { return capture::fetchCapture(store, id, folder, driver, options.limits); }},
                   folder, options);
}

int fetchCapture(const capture::RecordStore& store, capture::CaptureRun& run, const std::filesystem::path& folder,
                 const FetchOptions& options) {
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::absolute(folder, error);
    return fetchBy({[&] { return capture::analyseResults(store, run, options.analysis.options, options.cancel); },
                    [&] { return capture::fetchResults(run, whole, options.limits); }},
                   folder, options);
}

int statusOf(const capture::CaptureRecord& record) {
    const State state = record.state;
    if (state == State::Done) return record.steps.code == "capture.steps.differ" ? kFailed : kOk;
    return state == State::Cancelled ? kCancelled : kFailed;
}

std::string eventLine(const Event& event) {
    std::string line = utcText(event.time) + "  " + event.host;
    if (event.rank) line += "  rank " + std::to_string(*event.rank);
    line += "  " + std::string(capture::stateText(event.state));
    if (!event.message.code.empty()) line += "  " + errorText(event.message, "en");
    return printableText(line) + "\n";
}

bool openInWindow(const std::filesystem::path& folder) {
    QString program =
        QStandardPaths::findExecutable(QStringLiteral("altiscope"), {QCoreApplication::applicationDirPath()});
    if (program.isEmpty()) program = QStandardPaths::findExecutable(QStringLiteral("altiscope"));
    return !program.isEmpty() && QProcess::startDetached(program, {QString::fromStdString(folder.string())});
}

}  // namespace altiscope::cli
