#include "app/gui/host_opening.h"

#include "app/gui/user_settings.h"
#include "core/session/cache_view.h"
#include "core/session/session.h"
#include "views/capture/hosts/remote_dialog.h"

#include <QMimeData>

#include <optional>

namespace altiscope {

HostOpening::HostOpening(const WindowServices& services, QWidget& window)
    : QObject(&window), m_services(services), m_window(window) {}

QString HostOpening::placeIn(const QMimeData& data) {
    const QString text = data.hasText() ? data.text().trimmed() : QString();
    return !text.contains(u'\n') && namesCaptureOnHost(text) ? text : QString();
}

void HostOpening::open(const QString& place) {
    if (m_dialog != nullptr) {
        if (!place.isEmpty()) m_waiting << place;
        return m_dialog->raise();
    }
    m_dialog = new RemoteDialog(m_services.settings.viewMemory(), m_services.session.jobs(), cacheFolder(std::nullopt),
                                &m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &RemoteDialog::openRequested, this, &HostOpening::fetched);
    const auto showNext = [this] {
        m_dialog.clear();
        if (!m_waiting.isEmpty()) open(m_waiting.takeFirst());
    };
    connect(m_dialog, &QDialog::finished, this, showNext, Qt::QueuedConnection);
    m_dialog->open();
    if (!place.isEmpty()) m_dialog->start(place);
}

}  // namespace altiscope
