#pragma once

#include "core/session/selection.h"
#include "core/session/session.h"

#include <QWidget>

#include <optional>

class QMenu;
class QToolButton;

namespace altiscope {

/// The base that pages compare with, for all of them: another open capture, or other ranks or steps. A button with a
/// menu; a dialog takes lists of numbers. Changes the shared selection and follows it. GUI thread.
class BaseChooser : public QWidget {
    Q_OBJECT
public:
    /// Both must outlive it.
    BaseChooser(Session& session, Selection& selection, QWidget* parent = nullptr);

    /// Whether there is anything to choose: another capture, rank or step; or a base.
    bool isOffered() const;
    QString text() const;
    /// The entries, as the menu has them now.
    void fill(QMenu& menu);

signals:
    /// isOffered() may be another.
    void changed();

protected:
    void changeEvent(QEvent* event) override;

private:
    const OpenCapture* shown() const;
    void choose(std::optional<BaseChoice> base);
    void fillNumbers(QMenu& menu, std::vector<std::int64_t> BaseChoice::*numbers,
                     const std::vector<std::int64_t>& known);
    void promptRanks();
    void refresh();

    Session& m_session;
    Selection& m_selection;
    QToolButton *m_button, *m_clear;
    QMenu* m_menu;
};

}  // namespace altiscope
