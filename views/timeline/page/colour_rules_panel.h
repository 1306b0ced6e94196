#pragma once

#include "views/timeline/scene/timeline_scene.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace altiscope {

/// Rules by which slices get a colour of the user's, a row each, in their order: the first that is about a slice
/// counts. What is written counts at once, but for patterns with a fault, which are said. GUI thread.
class ColourRulesPanel : public QWidget {
    Q_OBJECT
public:
    /// The scene must outlive it.
    explicit ColourRulesPanel(TimelineScene& scene, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Row {
        QComboBox* of;
        QLineEdit* pattern;
        QComboBox* colour;
        QToolButton* earlier;
        QToolButton* remove;
    };

    /// In the order in which the focus goes through them.
    static std::vector<QWidget*> widgetsOf(const Row& row);
    /// From the scene.
    void fill();
    void showRules(const std::vector<ColourRule>& rules);
    void addRow(const ColourRule& rule);
    void retranslate();
    void fillColours(QComboBox& box) const;
    std::vector<ColourRule> written() const;
    /// To the scene.
    void take();

    TimelineScene& m_scene;
    QLabel* m_about;
    QLabel* m_problem;
    QScrollArea* m_area;
    QWidget* m_list = nullptr;
    QGridLayout* m_grid = nullptr;
    QPushButton* m_add;
    std::vector<Row> m_rows;
    bool m_isTaking = false;
};

}  // namespace altiscope
