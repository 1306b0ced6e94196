#pragma once

#include "core/session/raw_analysis_job.h"

#include <QDialog>
#include <QString>

#include <cstdint>
#include <functional>

class QCheckBox;
class QDialogButtonBox;
class QLineEdit;

namespace altiscope {

/// Asks what to write of raw data, and where: text files, databases, a new or empty folder. Accepted by "Write" alone,
/// which is disabled while nothing is chosen.
class DeliverablesDialog : public QDialog {
    Q_OBJECT
public:
    /// @param name  Of the capture. @param path  Absolute; the folder that is proposed lies beside it.
    DeliverablesDialog(const QString& name, const QString& path, QWidget* parent = nullptr);

    RawAnalysisOptions options() const;

private:
    void chooseFolder();
    void refresh();

    const QString m_path;
    QCheckBox* m_text;
    QCheckBox* m_databases;
    QLineEdit* m_folder;
    QDialogButtonBox* m_buttons;
};

/// One sentence for the status bar; empty if it was cancelled.
QString deliverablesSentence(const RawAnalysisOutcome& outcome, const QString& folder);

/// Shows the dialog for an open capture and writes what it says as a job; without raw data nothing happens.
/// @param say  Called with the sentence of the outcome while `parent` lives.
void writeDeliverablesAs(Session& session, CaptureId capture, QWidget* parent, std::function<void(const QString&)> say);

}  // namespace altiscope
