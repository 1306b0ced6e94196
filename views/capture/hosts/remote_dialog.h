#pragma once

#include "core/base/values/error.h"
#include "views/common/support/view_memory.h"

#include <QDialog>
#include <QString>

#include <filesystem>
#include <memory>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTimer;

namespace altiscope {

class AskpassServer;
class JobRunner;
class JobSlot;
class RemoteOpening;
class ToneLabel;
namespace remote {
struct ConsentRequest;
}

/// Whether a text names a capture on a host (HOST:PATH, ssh://), and no file here has this name.
bool namesCaptureOnHost(const QString& text);

/// Opens a capture on a host: which one, the consent to what is put and run there, progress, cancel. Nothing heavy runs
/// on the GUI thread.
class RemoteDialog : public QDialog {
    Q_OBJECT
public:
    /// @param memory       Keeps host and path that were used last.
    /// @param importCache  Folder of the import cache.
    RemoteDialog(const ViewMemory& memory, JobRunner& jobs, std::filesystem::path importCache, QWidget* parent);
    ~RemoteDialog() override;

    /// Fills in a place and begins.
    void start(const QString& place);
    void reject() override;

signals:
    /// @param path   Pack, folder or file here.
    /// @param place  What it was on its host, as namesCaptureOnHost() takes it.
    void openRequested(const QString& path, const QString& place);

private:
    QString place() const;
    void begin();
    void end();
    void showState();
    void showProgress();
    void showProblem(const QString& text);
    void requestConsent(const remote::ConsentRequest& request);

    ViewMemory m_memory;
    std::filesystem::path m_importCache;
    std::unique_ptr<JobSlot> m_hostReading;
    AskpassServer* m_askpass;
    QComboBox* m_host;
    QLineEdit* m_path;
    QLineEdit* m_ranks;
    QCheckBox* m_onlyFiles;
    ToneLabel* m_problem;
    QLabel* m_message;
    QProgressBar* m_progress;
    QPushButton* m_open;
    QPushButton* m_cancel;
    QTimer* m_timer;
    std::unique_ptr<RemoteOpening> m_opening;
    QString m_opened;  ///< The place that is being opened.
};

}  // namespace altiscope
