#pragma once

#include "core/session/selection.h"
#include "core/session/session.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QToolButton;

namespace altiscope {

class BaseChooser;

/// Which ranks, NPUs, steps and times all pages show: lists that are chosen from or written ("0-3, 8"), and the marked
/// time; and the base that they compare with. Changes the shared selection's context and follows it, so that undo and
/// clicks in plots show here as well. GUI thread.
class ContextBar : public QWidget {
    Q_OBJECT
public:
    ContextBar(Session& session, Selection& selection, QWidget* parent = nullptr);

    /// Whether the page that is shown keeps to the context; if not, the bar says so while there is one.
    void setPageFollows(bool follows);
    BaseChooser& base() { return *m_base; }

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Part {
        QLabel* label = nullptr;
        QComboBox* box = nullptr;
        std::vector<std::int64_t> ContextFilter::*numbers = nullptr;
    };

    void setUp(Part& part, std::vector<std::int64_t> ContextFilter::*numbers);
    void take(const Part& part);
    void refresh();
    void refreshRange();
    void fillLists();
    void retranslate();

    Session& m_session;
    Selection& m_selection;
    Part m_ranks, m_devices, m_steps;
    QToolButton* m_range;  ///< Checked: the context has a range. There while a range is marked or chosen.
    QToolButton* m_clear;
    QLabel* m_note;
    BaseChooser* m_base;
    bool m_follows = true;
};

}  // namespace altiscope
