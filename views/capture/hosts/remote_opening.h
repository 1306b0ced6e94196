#pragma once

#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/remote/open_remote.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace altiscope {

/// Makes one capture on a host one that can be opened here, on a thread of its own (remote::openRemote). Signals come
/// on the GUI thread; functions are for it.
class RemoteOpening : public QObject {
    Q_OBJECT
public:
    /// Begins at once. @param request  Without `agrees` and `onMessage`, which are this one's.
    explicit RemoteOpening(remote::RemoteRequest request, QObject* parent = nullptr);
    /// Cancels, and waits for the end: 100 ms. A pack that is being made there goes on, and a later opening takes it
    /// up; only cancel() ends it.
    ~RemoteOpening() override;

    /// Ends also a pack that is being made there, while this object lives.
    void cancel();
    /// The user's decision on consentNeeded().
    void decide(bool agrees);
    ProgressValue progress() const { return m_progress.sample(); }

signals:
    /// The work waits for decide().
    void consentNeeded(const altiscope::remote::ConsentRequest& request);
    void message(const QString& text);
    void opened(const QString& path);
    void failed(const altiscope::Error& error);
    void cancelled();

private:
    bool waitForConsent(const remote::ConsentRequest& request);
    void finish(const Result<std::filesystem::path>& result);

    remote::RemoteRequest m_request;
    ProgressSlot m_progress;
    CancelToken m_cancel;
    std::atomic<bool> m_isLeft{false};  ///< Nobody waits any more.
    std::mutex m_mutex;
    std::condition_variable m_decided;
    std::optional<bool> m_decision;
    std::thread m_thread;
};

}  // namespace altiscope
