#pragma once

#include "core/capture/methods/method.h"
#include "views/common/support/view_memory.h"

#include <QWidget>

#include <string>

class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace altiscope {

/// Around what a capture is made: the configuration file, the job's folder, its command, where results appear. Rows
/// that a method has no use for are hidden. What was given is remembered for each method. GUI thread.
class JobForm : public QWidget {
    Q_OBJECT
public:
    explicit JobForm(const ViewMemory& memory, QWidget* parent = nullptr);

    void setMethod(const capture::Method& method);
    /// Whether files can be chosen in a dialog: on this machine.
    void setLocal(bool local);

    std::string file() const;
    std::string workdir() const;
    std::string launch() const;
    std::string results() const;
    void fill(const std::string& file, const std::string& workdir, const std::string& launch,
              const std::string& results);

signals:
    void changed();
    /// The user wants to see what runs, to take the input from there.
    void jobsRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    enum Part { File, Workdir, Launch, Results, kParts };
    struct Row {
        QLabel* name = nullptr;
        QLineEdit* line = nullptr;
        QToolButton* browse = nullptr;
    };

    void browse(Part part);
    void take();
    void showRows();
    QString key() const;
    void retranslate();

    ViewMemory m_memory;
    const capture::Method* m_method = nullptr;
    bool m_isLocal = true;
    QPushButton* m_find = nullptr;
    Row m_rows[kParts];
};

}  // namespace altiscope
