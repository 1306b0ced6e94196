#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/error.h"
#include "core/capture/session/driving.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

class QThread;

namespace altiscope {

/// One thing that is done with a capture, on a thread of its own and by the same session files as the command line:
/// start and watch it, follow it, fetch its results, or put everything back. GUI thread. Its destructor leaves the
/// capture as it is and waits until the thread has noticed that (100 ms; a connection that ends takes up to 5 s). What
/// is being put back goes on for a few seconds; hosts that do not respond until then are left to the next
/// program that drives the capture.
class CaptureActivity : public QObject {
    Q_OBJECT
public:
    enum class Kind { Start, Follow, Analyse, Fetch, Cancel };

    /// Places a capture in the folder of all captures and watches it to its end.
    /// @param fetches  Then copies its results into RecordStore::resultsOf(), as the next three do.
    ///                 nullopt: it does not.
    static CaptureActivity* start(const std::filesystem::path& folder, capture::StartRequest request,
                                  std::optional<capture::FetchLimits> fetches, capture::Askpass askpass,
                                  QObject* parent);
    /// Watches one that is there.
    static CaptureActivity* follow(const std::filesystem::path& folder, const std::string& id,
                                   const capture::FetchLimits& limits, capture::Askpass askpass, QObject* parent);
    /// Has the tools of the targets analyse what is raw, then copies the results.
    static CaptureActivity* analyse(const std::filesystem::path& folder, const std::string& id,
                                    const capture::FetchLimits& limits, capture::Askpass askpass, QObject* parent);
    static CaptureActivity* fetch(const std::filesystem::path& folder, const std::string& id,
                                  const capture::FetchLimits& limits, capture::Askpass askpass, QObject* parent);
    static CaptureActivity* cancel(const std::filesystem::path& folder, const std::string& id, capture::Askpass askpass,
                                   QObject* parent);
    ~CaptureActivity() override;
    /// Begins what the destructor waits for, so that several can end at the same time.
    void leave();

    Kind kind() const { return m_kind; }
    /// Ends what it does and puts everything back, by the connection that it has.
    void requestCancel() const;
    /// Not yet armed: nobody knows whether it can be.
    bool isStarting() const { return m_isStarting; }
    /// Empty until the capture has one.
    std::string id() const;

    // Once it has ended:
    /// Why it failed; without a code if it did not.
    const Error& error() const { return m_error; }
    const capture::SettingProblems& problems() const { return m_problems; }
    /// Where results are now, if there are any that can be opened.
    const std::filesystem::path& fetched() const { return m_fetched; }
    /// State at the end; nullopt if it is not over.
    std::optional<capture::State> state() const { return m_state; }

signals:
    /// The session file is newer; several changes at once are one.
    void changed();
    void ended();

private:
    using Work = std::function<void(CaptureActivity&)>;
    CaptureActivity(const std::filesystem::path& folder, Kind kind, std::string id, capture::Askpass askpass, Work work,
                    QObject* parent);

    void runStart(const capture::StartRequest& request, const std::optional<capture::FetchLimits>& fetches);
    void runFollow(const capture::FetchLimits& limits);
    void runAnalyse(const capture::FetchLimits& limits);
    void runFetch(const capture::FetchLimits& limits);
    void runCancel();
    /// @param run  Has a connection already; null: a new one.
    void fetchResults(capture::CaptureRun* run, const capture::FetchLimits& limits);
    void announce();
    capture::Driver driver();

    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

    capture::RecordStore m_store;
    Kind m_kind;
    capture::Askpass m_askpass;
    CancelToken m_cancel;
    std::atomic<std::int64_t> m_abandonAt = kNever;  ///< ns of the steady clock.
    std::atomic<bool> m_isAnnounced = false, m_isStarting = false;
    mutable std::mutex m_mutex;  ///< Guards m_id while the thread runs.
    std::string m_id;
    // Written by the thread, read after its end.
    Error m_error;
    capture::SettingProblems m_problems;
    std::filesystem::path m_fetched;
    std::optional<capture::State> m_state;
    std::unique_ptr<QThread> m_thread;
};

}  // namespace altiscope
