#include "app/cli/capture_driving.h"

#include "core/base/catalogue.h"
#include "core/base/printable_text.h"
#include "core/session/evidence_place.h"

#include <QCoreApplication>
#include <QProcess>
#include <QStandardPaths>

#include <algorithm>
#include <chrono>
#include <thread>

namespace altiscope::cli {

namespace {

using capture::CaptureLock;
using capture::CaptureRecord;
using capture::CaptureRun;
using capture::CaptureStore;
using capture::Event;
using capture::State;

/// A tenth of the time goes into looking; a change is seen within a second.
constexpr auto kShortest = std::chrono::milliseconds(200), kLongest = std::chrono::milliseconds(900);
constexpr int kRestPerLook = 9;
constexpr auto kTick = std::chrono::milliseconds(50);
constexpr int kLockTicks = 200;

/// False if this program is to end.
bool waitFor(std::chrono::milliseconds time, const CancelToken& cancel) {
    for (auto waited = std::chrono::milliseconds(0); waited < time && !cancel.cancelled(); waited += kTick) {
        std::this_thread::sleep_for(kTick);
    }
    return !cancel.cancelled();
}

}  // namespace

Result<Done> driveCapture(const CaptureStore& store, CaptureRun& run, const CancelToken& cancel) {
    // Whoever started it did not come to its end, and did not say what it has done.
    if (run.record().state == State::Preparing) return run.cancel();
    while (true) {
        const auto begin = std::chrono::steady_clock::now();
        const auto looked = run.look();
        if (looked.failed()) return looked.as<Done>();
        if (looked.ok() && !looked.value()) return Done{};
        if (store.isCancelRequested(run.record().id)) return run.cancel();
        const auto took =
            std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
        if (!waitFor(std::clamp(took * kRestPerLook, kShortest, kLongest), cancel)) return Cancelled{};
    }
}

Result<CaptureRecord> followCapture(const CaptureStore& store, const std::string& id, const CancelToken& cancel,
                                    const EventPrinter& print) {
    std::size_t printed = 0;
    while (true) {
        auto lock = CaptureLock::take(store, id);
        auto record = store.load(id);
        if (!record.ok()) return record;
        for (; printed < record.value().events.size(); ++printed) print(record.value().events[printed]);
        // While results are copied the capture itself is over.
        if (isOver(record.value().state)) return record;
        if (lock && record.value().state != State::Fetching) {
            CaptureRun run(store, std::move(record).value(), [&cancel] { return cancel.cancelled(); });
            run.setListener(print);
            const auto driven = driveCapture(store, run, cancel);
            if (!driven.ok()) return driven.as<CaptureRecord>();
            return run.record();
        }
        if (lock) {
            // Whoever copied was ended; the recording itself had come to its end before.
            CaptureRecord settled = std::move(record).value();
            settled.state = State::Done;
            for (const auto& target : settled.targets) {
                if (target.state != State::Done) settled.state = State::Failed;
            }
            if (auto saved = store.save(settled); !saved.ok()) return saved.as<CaptureRecord>();
            return settled;
        }
        if (!waitFor(kShortest, cancel)) return Cancelled{};
    }
}

Result<CaptureLock> lockCapture(const CaptureStore& store, const std::string& id, const CancelToken& cancel) {
    for (int i = 0; i < kLockTicks; ++i) {
        if (auto lock = CaptureLock::take(store, id)) return std::move(*lock);
        if (!waitFor(kTick, cancel)) return Cancelled{};
    }
    return Error{"capture.session.busy", store.folderOf(id), {}, {{"id", id}}};
}

int fetchCapture(const CaptureStore& store, const std::string& id, const std::filesystem::path& folder,
                 const CancelToken& cancel, const EventPrinter& print) {
    if (liesInProfilerFolder(folder / "results")) return reportError(Error{"capture.fetch.in_capture", folder, {}, {}});
    const auto lock = lockCapture(store, id, cancel);
    if (lock.failed()) return reportError(lock.error());
    if (lock.cancelled()) return kCancelled;
    auto record = store.load(id);
    if (!record.ok()) return reportError(record.error());
    CaptureRun run(store, std::move(record).value(), [&cancel] { return cancel.cancelled(); });
    run.setListener(print);
    std::error_code error;
    const auto fetched = run.fetch(std::filesystem::absolute(folder, error));
    if (fetched.cancelled()) return kCancelled;
    if (fetched.failed()) return reportError(fetched.error());
    return fetched.value() ? statusOf(run.record().state) : kFailed;
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
