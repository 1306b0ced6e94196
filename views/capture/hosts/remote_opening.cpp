#include "views/capture/hosts/remote_opening.h"

#include "views/capture/support/host_texts.h"
#include "views/common/support/formatters.h"

#include <chrono>
#include <system_error>
#include <utility>

namespace altiscope {

RemoteOpening::RemoteOpening(remote::RemoteRequest request, QObject* parent)
    : QObject(parent), m_request(std::move(request)) {
    m_request.agrees = [this](const remote::ConsentRequest& wanted) { return waitForConsent(wanted); };
    m_request.onMessage = [this](const std::string& text) {
        QMetaObject::invokeMethod(
            this, [this, text = hostText(text)] { emit message(text); }, Qt::QueuedConnection);
    };
    m_request.isLeft = [this] { return m_isLeft.load(); };
    const auto work = [this] {
        const auto result = remote::openRemote(m_request, m_progress, m_cancel);
        QMetaObject::invokeMethod(
            this, [this, result] { finish(result); }, Qt::QueuedConnection);
    };
    try {
        m_thread = std::thread(work);
    } catch (const std::system_error& error) {
        const Error problem{
            "remote.no_thread", {}, {}, {{"host", m_request.place.target.name}, {"reason", error.what()}}};
        QMetaObject::invokeMethod(
            this, [this, problem] { emit failed(problem); }, Qt::QueuedConnection);
    }
}

RemoteOpening::~RemoteOpening() {
    m_isLeft = true;
    cancel();
    if (m_thread.joinable()) m_thread.join();
}

void RemoteOpening::cancel() {
    m_cancel.requestCancel();
    m_decided.notify_all();
}

void RemoteOpening::decide(bool agrees) {
    {
        const std::lock_guard lock(m_mutex);
        m_decision = agrees;
    }
    m_decided.notify_all();
}

bool RemoteOpening::waitForConsent(const remote::ConsentRequest& request) {
    std::unique_lock lock(m_mutex);
    m_decision.reset();
    QMetaObject::invokeMethod(
        this, [this, request] { emit consentNeeded(request); }, Qt::QueuedConnection);
    static constexpr std::chrono::milliseconds kTick{50};
    while (!m_decision && !m_cancel.cancelled()) m_decided.wait_for(lock, kTick);
    return m_decision.value_or(false);
}

void RemoteOpening::finish(const Result<std::filesystem::path>& result) {
    // A user who has cancelled wants no other outcome.
    if (result.cancelled() || m_cancel.cancelled()) emit cancelled();
    else if (result.failed()) emit failed(result.error());
    else emit opened(toQString(result.value().string()));
}

}  // namespace altiscope
