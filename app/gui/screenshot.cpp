#include "app/gui/screenshot.h"

#include "app/gui/main_window.h"
#include "core/session/files/file_writing.h"

#include <QBuffer>
#include <QDir>
#include <QPixmap>

namespace altiscope {

namespace {

constexpr int kLookMs = 20;
/// A layout that changes requests new pictures a turn or two of the event loop later; five quiet looks outlast that.
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
    QBuffer content;
    content.open(QIODevice::WriteOnly);
    m_window.grab().save(&content, "PNG");
    const QString problem = writeWholeFile(m_file, content.data(), PendingFile::Access::Shared);
    emit finished(problem.isEmpty() ? QString()
                                    : tr("%1: %2", "file, reason").arg(QDir::toNativeSeparators(m_file), problem));
}

}  // namespace altiscope
