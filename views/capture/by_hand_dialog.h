#pragma once

#include <QDialog>
#include <QString>

namespace altiscope {

/// Says what to do where the job's machine cannot be reached from here, and opens the results once they are here.
/// GUI thread.
class ByHandDialog : public QDialog {
    Q_OBJECT
public:
    /// @param preview  What is to be put in place, with what it is.
    ByHandDialog(const QString& title, const QString& preview, const QString& output, QWidget* parent = nullptr);

signals:
    void openRequested(const QString& folder);
};

}  // namespace altiscope
