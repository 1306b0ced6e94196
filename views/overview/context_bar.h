#pragma once

#include "core/session/selection.h"
#include "core/session/session.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QToolButton;

namespace altiscope {

class BaseChooser;

/// Which ranks, NPUs, steps and times all pages show: lists that are chosen from or written ("0-3, 8"), and the marked
/// time; and the base that they compare with. Changes the shared selection's context and follows it, so that undo and
/// clicks in plots show here as well. After a choice, or Escape, the page has the focus again: letters are
/// its keys. GUI thread.
class ContextBar : public QWidget {
    Q_OBJECT
public:
    ContextBar(Session& session, Selection& selection, QWidget* parent = nullptr);

    /// Whether the page that is shown keeps to the context; if not, the bar says so while there is one.
    void setPageFollows(bool follows);
    /// Whether the page has a list of ranks or steps of its own: there are no two beside each other, unless all pages
    /// are limited to some.
    void setPageChooses(bool ranks, bool steps);
    BaseChooser& base() { return *m_base; }

signals:
    /// The page is to have the focus again.
    void left();

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Part {
        QLabel* label = nullptr;
        QComboBox* box = nullptr;
        std::vector<std::int64_t> ContextFilter::*numbers = nullptr;
        bool isThere = false;      ///< There is more than one.
        bool isOnThePage = false;  ///< See setPageChooses().
    };

    void setUp(Part& part, std::vector<std::int64_t> ContextFilter::*numbers);
    void take(const Part& part);
    std::optional<std::vector<std::int64_t>> numbersIn(const Part& part) const;
    QString shownText(const Part& part) const;
    void refresh();
    void refreshRange();
    void fillLists();
    void retranslate();

    Session& m_session;
    Selection& m_selection;
    Part m_ranks, m_devices, m_steps;
    QCheckBox* m_range;  ///< Checked: the context has a range. There while a range is marked or chosen.
    QToolButton* m_clear;
    QLabel* m_note;
    BaseChooser* m_base;
    bool m_follows = true;
};

}  // namespace altiscope
