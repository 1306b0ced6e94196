#pragma once

#include "views/findings/threshold_model.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTableView;

namespace altiscope {

/// Every threshold that rules decide by, to be changed in place and reset; what is changed counts at once. GUI thread.
class ThresholdsPanel : public QWidget {
    Q_OBJECT
public:
    /// The settings must outlive it.
    explicit ThresholdsPanel(FindingSettings& settings, QWidget* parent = nullptr);

    /// Brings a threshold into sight and makes it current.
    void showThreshold(const QString& name);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void retranslate();

    FindingSettings& m_settings;
    ThresholdModel* m_model;
    QTableView* m_table;
    QLabel* m_hint;
    QPushButton* m_reset;
    QPushButton* m_resetAll;
};

}  // namespace altiscope
