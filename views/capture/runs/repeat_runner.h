#pragma once

#include "core/base/values/cancel.h"
#include "core/capture/session/capture_run.h"
#include "core/capture/session/repeats.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>

class QThread;

namespace altiscope {

/// Captures of a running job one after the other: waits, on a thread of its own, for the pause and for a slow step, and
/// says when the next one is due. The owner starts that one, and says when it has ended. GUI thread. Its
/// destructor ends the waiting, within 100 ms but for connections that end, at the same time; a capture under way is
/// not touched.
class RepeatRunner : public QObject {
    Q_OBJECT
public:
    /// @param request  Of each capture; its method can be repeated (repeatProblem).
    RepeatRunner(capture::RepeatPlan plan, capture::StartRequest request, capture::Askpass askpass, QObject* parent);
    ~RepeatRunner() override;

    /// Begins to wait for the first one.
    void begin() { wait(false); }
    /// Ends the waiting without waiting for that; then it deletes itself. Nothing is said any more.
    void stop();
    /// The capture that was due has ended.
    void takeEnd(bool isGood);

    const capture::StartRequest& request() const { return m_request; }
    /// "Capture 2 of 5: Waiting until ..."
    QString sentence() const;

signals:
    void due();
    /// Another sentence.
    void changed();
    /// No more are started. The last thing that it says.
    void ended(const QString& why);

private:
    void wait(bool pauses);
    void takeWait();
    void say(const Error& sentence);

    capture::RepeatPlan m_plan;
    capture::StartRequest m_request;
    capture::Askpass m_askpass;
    CancelToken m_cancel;
    std::int64_t m_started = 0;
    bool m_isWaiting = true;
    Error m_said;
    std::optional<Result<std::optional<capture::SlowStep>>> m_waited;  ///< Written by the thread, read after its end.
    std::unique_ptr<QThread> m_thread;
};

}  // namespace altiscope
