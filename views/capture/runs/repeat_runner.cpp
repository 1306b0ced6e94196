#include "views/capture/runs/repeat_runner.h"

#include "views/capture/support/host_texts.h"

#include <QMetaObject>
#include <QThread>

#include <algorithm>
#include <utility>

namespace altiscope {

RepeatRunner::RepeatRunner(capture::RepeatPlan plan, capture::StartRequest request, capture::Askpass askpass,
                           QObject* parent)
    : QObject(parent), m_plan(std::move(plan)), m_request(std::move(request)), m_askpass(std::move(askpass)) {}

RepeatRunner::~RepeatRunner() {
    m_cancel.requestCancel();
    if (m_thread) m_thread->wait();
}

void RepeatRunner::stop() {
    m_cancel.requestCancel();
    disconnect();
    if (!m_thread) deleteLater();  // else once that has ended
}

QString RepeatRunner::sentence() const {
    const std::int64_t number = std::min(m_started + (m_isWaiting ? 1 : 0), m_plan.times);
    const QString count = tr("Capture %1 of %2: %3").arg(number).arg(m_plan.times);
    if (!m_isWaiting) return count.arg(tr("it runs, see below."));
    return count.arg(m_said.code.empty() ? tr("it is about to start.") : hostSentence(m_said));
}

void RepeatRunner::wait(bool pauses) {
    m_isWaiting = true;
    m_said = {};
    if (pauses) m_said = {"capture.repeat.pauses", {}, {}, {{"seconds", std::to_string(m_plan.pause.count())}}};
    m_waited.reset();
    m_thread.reset(QThread::create([this, pauses] {
        const auto cancelCheck = [this] { return m_cancel.cancelled(); };
        if (pauses && !capture::pauseFor(m_plan.pause, cancelCheck)) return m_waited.emplace(Cancelled{}), void();
        m_waited.emplace(capture::waitForSlowStep(m_plan, m_request.targets, cancelCheck, m_askpass,
                                                  [this](const Error& sentence) { say(sentence); }));
    }));
    connect(m_thread.get(), &QThread::finished, this, &RepeatRunner::takeWait);
    m_thread->start();
    emit changed();
}

/// From the thread.
void RepeatRunner::say(const Error& sentence) {
    QMetaObject::invokeMethod(
        this,
        [this, sentence] {
            m_said = sentence;
            emit changed();
        },
        Qt::QueuedConnection);
}

void RepeatRunner::takeWait() {
    m_thread->wait();
    m_thread.reset();
    if (m_cancel.cancelled()) return deleteLater();
    if (!m_waited || m_waited->cancelled()) return;
    if (m_waited->failed()) return emit ended(hostSentence(m_waited->error()));
    ++m_started;
    m_isWaiting = false;
    emit changed();
    emit due();
}

void RepeatRunner::takeEnd(bool isGood) {
    const QString count = tr("Capture %1 of %2: %3").arg(m_started).arg(m_plan.times);
    if (!isGood) return emit ended(count.arg(tr("it failed or was cancelled, so no more are started.")));
    if (m_started >= m_plan.times) return emit ended(count.arg(tr("done.")));
    wait(true);
}

}  // namespace altiscope
