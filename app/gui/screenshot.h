#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

namespace altiscope {

class MainWindow;

/// Saves a picture of the window as soon as nothing runs and the layout has come to rest. Made for --screenshot.
class Screenshot : public QObject {
    Q_OBJECT
public:
    /// Starts to wait. The window must be shown and outlive this.
    Screenshot(MainWindow& window, QString file, QObject* parent = nullptr);

signals:
    /// Emitted once. @param problem  Empty if the picture was written.
    void finished(const QString& problem);

private:
    void look();

    MainWindow& m_window;
    QString m_file;
    QTimer m_timer;
    int m_quiet = 0;  ///< Looks in a row at which nothing ran.
};

}  // namespace altiscope
