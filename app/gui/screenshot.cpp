#include "app/gui/screenshot.h"

#include "app/gui/main_window.h"

#include <QDir>
#include <QImageWriter>
#include <QPixmap>

namespace altiscope {

namespace {

constexpr int kLookMs = 20;
/// A layout that changes asks for new pictures a turn or two of the event loop later; five quiet looks outlast that.
constexpr int kQuietLooks = 5;

}  // namespace

Screenshot::Screenshot(MainWindow& window, QString file, QObject* parent)
    : QObject(parent), m_window(window), m_file(std::move(file)) {
    m_timer.setInterval(kLookMs);
    connect(&m_timer, &QTimer::timeout, this, &Screenshot::look);
    m_timer.start();
}

void Screenshot::look() {
    m_quiet = m_window.idle() ? m_quiet + 1 : 0;
    if (m_quiet < kQuietLooks) return;
    m_timer.stop();
    QImageWriter writer(m_file, "png");
    const bool written = writer.write(m_window.grab().toImage());
    emit finished(written ? QString()
                          : tr("%1: %2", "file, reason").arg(QDir::toNativeSeparators(m_file), writer.errorString()));
}

}  // namespace altiscope
