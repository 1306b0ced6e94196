#pragma once

#include "app/gui/window_services.h"

#include <QObject>
#include <QPointer>
#include <QWidget>

class QMenu;

namespace altiscope {

class BottomPanel;
class WindowActions;
class WindowPages;

/// What the menu Edit does: to the field, table or page that has the focus. GUI thread.
class EditMenu : public QObject {
    Q_OBJECT
public:
    /// All must outlive it.
    EditMenu(const WindowServices& services, WindowActions& actions, WindowPages& pages, BottomPanel& bottom,
             QWidget& window);

    /// What can be saved of the page in sight.
    void fillExport();
    void undo(bool again);
    void copy();
    void find();

signals:
    void statusMessage(const QString& text);
    /// The page in sight has no search of its own.
    void commandsWanted();

private:
    QWidget* concerned() const;

    const WindowServices m_services;
    WindowActions& m_actions;
    WindowPages& m_pages;
    BottomPanel& m_bottom;
    QWidget& m_window;
    QPointer<QWidget> m_focus;  // without menus, which take it while they are open
};

}  // namespace altiscope
