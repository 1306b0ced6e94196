#pragma once

#include "views/common/pages/message_page.h"

#include <QDockWidget>

#include <functional>

class QMainWindow;

namespace altiscope {

class Selection;
class UserSettings;
class WindowPages;

/// A dock that says when it takes the focus away with it: Qt would give it to whatever comes next.
class WindowDock : public QDockWidget {
public:
    WindowDock(QWidget* parent, std::function<void()> focusGone);
    void setVisible(bool visible) override;

private:
    std::function<void()> m_focusGone;
};

/// The dock of the lower panel: whether it is shown is chosen page by page, its height once for all pages. Both are
/// kept in the settings.
class LowerDock : public WindowDock {
public:
    /// The window and the others have to outlive this; the window becomes the parent.
    LowerDock(QMainWindow& window, UserSettings& settings, WindowPages& pages, const Selection& selection,
              std::function<void()> focusGone);
    ~LowerDock() override;

    void setVisible(bool visible) override;

    /// Shows it, which is not remembered as a wish of the user.
    void present() { setShown(true); }
    /// Shows or hides it as the user wants it on the current page. If the user has not chosen: the timeline needs it
    /// once something is selected, most other pages have tables of their own.
    void followPage();
    /// Shows it, if something is selected and the current page wants it then.
    void followSelection();
    /// Runs what lays out the docks: neither the height nor what is shown counts as a wish of the user.
    void layOut(const std::function<void()>& restore);
    /// Remembers the height, if it is shown.
    void keepHeight();
    /// Forgets height and choices of all pages.
    void forget();

private:
    void setShown(bool shown);
    void storeHeight();
    void restoreHeight();
    bool isWantedBySelection() const;
    bool heightCounts() const;

    QMainWindow& m_window;
    UserSettings& m_settings;
    WindowPages& m_pages;
    const Selection& m_selection;
    bool m_follows = false;    // shown or hidden by the program, not by the user
    bool m_hasHeight = false;  // shown with a height of its own
};

}  // namespace altiscope
