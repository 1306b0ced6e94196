#pragma once

#include "app/gui/window_services.h"

#include <QObject>
#include <QPointer>
#include <QStringList>

class QMimeData;
class QWidget;

namespace altiscope {

class RemoteDialog;

/// Opens captures on hosts by the dialog of the window: one after the other, since each may need the user. GUI thread.
class HostOpening : public QObject {
    Q_OBJECT
public:
    HostOpening(const WindowServices& services, QWidget& window);

    /// Shows the dialog; with a place (HOST:PATH) it begins at once, or after those before it.
    void open(const QString& place);

    /// The place in a text that is dropped, as from a terminal or a browser; empty: none.
    static QString placeIn(const QMimeData& data);

signals:
    /// @param path   Where it was fetched to.
    /// @param place  Its name on the host.
    void fetched(const QString& path, const QString& place);

private:
    const WindowServices m_services;
    QWidget& m_window;
    QStringList m_waiting;
    QPointer<RemoteDialog> m_dialog;
};

}  // namespace altiscope
