#include "core/capture/session/driving.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

namespace altiscope::capture {

namespace {

/// A tenth of the time goes into looking. What changes just after a look is seen at the end of the next one: within a
/// second, as long as a look takes a third of it.
constexpr auto kShortest = std::chrono::milliseconds(200), kMaxLength = std::chrono::milliseconds(900);
constexpr int kRestPerLook = 9;
constexpr auto kTick = std::chrono::milliseconds(50);
constexpr int kLockTicks = 200;

/// Until `ends` says so, or the time is over.
template <class Ends>
void waitUntil(std::chrono::milliseconds time, const Ends& ends) {
    for (auto waited = std::chrono::milliseconds(0); waited < time && !ends(); waited += kTick) {
        std::this_thread::sleep_for(kTick);
    }
}

/// False if the caller is to end.
bool waitFor(std::chrono::milliseconds time, const CancelToken& cancel) {
    waitUntil(time, [&cancel] { return cancel.cancelled(); });
    return !cancel.cancelled();
}

/// Takes the right to change a capture; waits some seconds, and as long as whoever has it comes on with its end.
/// @return Error "capture.session.busy" if another process keeps it.
Result<CaptureLock> lockCapture(const RecordStore& store, const std::string& id, const CancelToken& cancel) {
    std::int64_t lastSign = store.signOfWork(id);
    for (int i = 0; i < kLockTicks; ++i) {
        if (auto lock = CaptureLock::take(store, id)) return std::move(*lock);
        if (!CaptureLock::problem(store, id).empty()) break;
        if (const std::int64_t sign = store.signOfWork(id); std::exchange(lastSign, sign) != sign) i = 0;
        if (!waitFor(kTick, cancel)) return Cancelled{};
    }
    if (const std::string reason = CaptureLock::problem(store, id); !reason.empty())
        return Error{"capture.session.not_written", store.folderOf(id), {}, {{"reason", reason}}};
    return Error{"capture.session.busy", store.folderOf(id), {}, {{"id", id}}};
}

/// A capture that this process may change.
struct OpenRun {
    CaptureLock lock;  ///< Outlives the run.
    std::unique_ptr<CaptureRun> run;
};

Result<OpenRun> openRun(const RecordStore& store, const std::string& id, const Driver& driver) {
    auto lock = lockCapture(store, id, driver.cancel);
    if (!lock.ok()) return lock.as<OpenRun>();
    auto record = store.load(id);
    if (!record.ok()) return record.as<OpenRun>();
    auto run = std::make_unique<CaptureRun>(store, std::move(record).value(), driver.cancelCheck(), driver.askpass);
    run->setListener(driver.listener);
    run->setAbandoned(driver.abandoned);
    return OpenRun{std::move(lock).value(), std::move(run)};
}

}  // namespace

Result<Done> driveCapture(const RecordStore& store, CaptureRun& run, const CancelToken& cancel) {
    // Whoever started it did not come to its end, and did not say what it has done.
    if (run.record().state == State::Preparing) return run.cancel();
    while (true) {
        const auto begin = std::chrono::steady_clock::now();
        const auto looked = run.poll();
        if (looked.failed()) return looked.as<Done>();
        if (looked.ok() && !looked.value()) {
            store.withdrawFinish(run.record().id);
            return Done{};
        }
        const auto took =
            std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
        const auto isRequested = [&] { return store.isCancelRequested(run.record().id); };
        const auto isFinishRequested = [&] { return store.isFinishRequested(run.record().id); };
        waitUntil(std::clamp(took * kRestPerLook, kShortest, std::max(kShortest, kMaxLength - 2 * took)),
                  [&] { return cancel.cancelled() || isRequested() || isFinishRequested(); });
        // First: who requests it and goes away at once still wants everything to be put back.
        if (isRequested()) return run.cancel();
        if (cancel.cancelled()) return Cancelled{};
        if (!isFinishRequested()) continue;
        auto done = run.finish(Error{"capture.event.finish", {}, {}, {}});
        if (!done.cancelled()) store.withdrawFinish(run.record().id);
        return done;
    }
}

Result<CaptureRecord> followCapture(const RecordStore& store, const std::string& id, const Driver& driver) {
    std::size_t known = 0;
    while (true) {
        auto lock = CaptureLock::take(store, id);
        auto record = store.load(id);
        if (!record.ok()) return record;
        for (; known < record.value().events.size(); ++known) {
            if (driver.listener) driver.listener(record.value().events[known]);
        }
        // While results are copied the capture itself is over.
        if (isOver(record.value().state)) return record;
        if (lock && record.value().state != State::Fetching) {
            CaptureRun run(store, std::move(record).value(), driver.cancelCheck(), driver.askpass);
            run.setListener(driver.listener);
            run.setAbandoned(driver.abandoned);
            if (driver.timeout > 0) run.setTimeout(driver.timeout);
            const auto driven = driveCapture(store, run, driver.cancel);
            // To end the connections of many hosts takes seconds, and changes nothing any more.
            lock.reset();
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
        constexpr std::int64_t kSecond = 1'000'000'000;
        if (driver.timeout > 0 && record.value().state >= State::Armed && record.value().state < State::Fetching &&
            nowNs() - record.value().phaseBegin > driver.timeout * kSecond)
            store.requestFinish(id);
        if (!waitFor(kShortest, driver.cancel)) return Cancelled{};
    }
}

Result<CaptureRecord> finishCapture(const RecordStore& store, const std::string& id, const Driver& driver) {
    const auto before = store.load(id);
    if (!before.ok() || isOver(before.value().state)) return before;
    store.requestFinish(id);
    auto record = followCapture(store, id, driver);
    if (record.ok()) store.withdrawFinish(id);
    return record;
}

Result<CaptureRecord> fetchResults(CaptureRun& run, const std::filesystem::path& folder, const FetchLimits& limits) {
    const auto fetched = run.fetch(folder, limits);
    if (!fetched.ok()) return fetched.as<CaptureRecord>();
    if (!fetched.value()) return Error{"capture.fetch.incomplete", folder, {}, {}};
    return run.record();
}

Result<CaptureRecord> fetchCapture(const RecordStore& store, const std::string& id, const std::filesystem::path& folder,
                                   const Driver& driver, const FetchLimits& limits) {
    const auto opened = openRun(store, id, driver);
    if (!opened.ok()) return opened.as<CaptureRecord>();
    std::error_code error;
    return fetchResults(*opened.value().run, std::filesystem::absolute(folder, error), limits);
}

Result<CaptureRecord> analyseResults(const RecordStore& store, CaptureRun& run, const AnalysisOptions& options,
                                     const CancelToken& cancel) {
    const auto started = run.analyse(options);
    if (!started.ok()) return started.as<CaptureRecord>();
    if (started.value()) {
        if (const auto driven = driveCapture(store, run, cancel); !driven.ok()) return driven.as<CaptureRecord>();
    }
    return run.record();
}

Result<CaptureRecord> analyseThere(const RecordStore& store, const std::string& id, const AnalysisOptions& options,
                                   const Driver& driver) {
    const auto opened = openRun(store, id, driver);
    if (!opened.ok()) return opened.as<CaptureRecord>();
    return analyseResults(store, *opened.value().run, options, driver.cancel);
}

Result<Done> cancelCapture(const RecordStore& store, const std::string& id, const Driver& driver) {
    const auto before = store.load(id);
    if (!before.ok()) return before.as<Done>();
    // Whoever drives it ends; then what is left is put back here.
    store.requestCancel(id);
    const auto opened = openRun(store, id, driver);
    if (!opened.ok()) return opened.as<Done>();
    CaptureRun& run = *opened.value().run;
    // Whoever drove it has put everything back, by the connections that were there.
    if (!isOver(before.value().state) && run.record().state == State::Cancelled) {
        store.withdrawCancel(id);
        return Done{};
    }
    auto done = run.cancel();
    if (!done.cancelled()) store.withdrawCancel(id);
    return done;
}

}  // namespace altiscope::capture
