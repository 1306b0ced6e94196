#include "app/cli/capture_driving.h"

#include "core/base/catalogue.h"
#include "core/base/printable_text.h"
#include "core/session/evidence_place.h"

#include <QCoreApplication>
#include <QProcess>
#include <QStandardPaths>

namespace altiscope::cli {

using capture::CaptureStore;
using capture::Event;
using capture::State;

int fetchCapture(const CaptureStore& store, const std::string& id, const std::filesystem::path& folder,
                 const CancelToken& cancel, const EventPrinter& print) {
    if (liesInProfilerFolder(folder / "results")) return reportError(Error{"capture.fetch.in_capture", folder, {}, {}});
    const auto fetched = capture::fetchCapture(store, id, folder, {cancel, print, {}});
    if (fetched.cancelled()) return kCancelled;
    // What could not be copied has been said, each for itself.
    if (fetched.failed() && fetched.error().code == "capture.fetch.incomplete") return kFailed;
    if (fetched.failed()) return reportError(fetched.error());
    return statusOf(fetched.value().state);
}

int statusOf(State state) {
    if (state == State::Done) return kOk;
    return state == State::Cancelled ? kCancelled : kFailed;
}

std::string eventLine(const Event& event) {
    std::string line = capture::utcSecond(event.time) + "  " + event.host;
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
