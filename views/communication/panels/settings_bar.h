#pragma once

#include "core/analysis/communication/communication_choices.h"
#include "core/analysis/communication/link_matrix.h"
#include "views/common/support/view_memory.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QToolButton;

namespace altiscope {

/// Settings of the communication page: matrix or times, and of which step, group and operators. Remembered. GUI
/// thread.
class SettingsBar : public QWidget {
    Q_OBJECT
public:
    enum class Mode : unsigned char { Matrix, Time };

    explicit SettingsBar(const ViewMemory& memory, QWidget* parent = nullptr);

    /// Choices stay as far as they are still offered.
    void setChoices(const CommunicationChoices& choices);
    Mode mode() const { return m_mode; }
    void setMode(Mode mode);
    std::optional<std::int64_t> step() const;
    std::vector<std::string> groups() const;  ///< Empty: all.
    LinkCalls calls() const;
    void showAll();  ///< All steps, groups and operators.

signals:
    void changed();  ///< Step, group or operators.
    void modeChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    void fill();
    void fillGroups();
    void fillOperators();
    void choose(QComboBox& box, const QString& key, const QString& name);
    void retranslate();

    ViewMemory m_memory;
    CommunicationChoices m_choices;
    Mode m_mode = Mode::Matrix;
    QToolButton *m_matrix, *m_time;
    QLabel *m_stepLabel, *m_groupLabel, *m_operatorLabel;
    QComboBox *m_step, *m_group, *m_operator;
};

/// How a selection of matrix files reads: "top1" -> "best call of each link".
QString selectionWord(const std::string& selection);

}  // namespace altiscope
