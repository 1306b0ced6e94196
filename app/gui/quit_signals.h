#pragma once

#include <QObject>

class QSocketNotifier;

namespace altiscope {

/// Ends the program as its menu would when SIGINT, SIGTERM or SIGHUP requests it, so that jobs stop and take away what
/// they have begun; at once the second time. One object at a time; GUI thread.
class QuitSignals : public QObject {
    Q_OBJECT
public:
    explicit QuitSignals(QObject* parent = nullptr);
    ~QuitSignals() override;

signals:
    /// The program ends now; no dialog may come.
    void quitting();

private:
    int m_pipe[2] = {-1, -1};
    QSocketNotifier* m_notifier = nullptr;
};

}  // namespace altiscope
