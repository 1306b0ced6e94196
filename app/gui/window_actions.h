#pragma once

#include "views/common/support/view_list.h"

#include <QAction>
#include <QActionGroup>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>
#include <QObject>

#include <array>
#include <cstddef>
#include <map>
#include <vector>

class QToolButton;

namespace altiscope {

/// Commands of the menus of the window beside the pages, in their order: a row each in window_actions.cpp, from which
/// menus, palette, texts, keys and their reference are made. What one does: MainWindow::perform().
enum class WindowCommand : unsigned char {
    OpenFolder,
    OpenFile,
    OpenRemote,
    OpenDemo,
    Record,
    OpenWorkspace,
    SaveWorkspace,
    SaveWorkspaceAs,
    Reload,
    CloseCapture,
    ImportReport,
    Deliverables,
    AddToReport,
    Quit,
    ClearRecent,
    Undo,
    Redo,
    Copy,
    Find,
    Settings,
    ThemeSystem,
    ThemeLight,
    ThemeDark,
    LanguageEnglish,
    LanguageChinese,
    ResetLayout,
    Commands,
    FullScreen,
    UndoSelection,
    RedoSelection,
    CopyLink,
    FollowLink,
    Manual,
    GuidedTour,
    Tutorial,
    Keys,
    WhatOpens,
    About,
    AboutQt,
};

enum class WindowMenu : unsigned char { File, Recent, Edit, Export, View, Theme, Language, Panels, Go, Help };

/// A command whose key can be another one.
struct KeyedAction {
    QString name;  ///< In settings, the same in every language: "open_folder".
    QAction* action;
    const QAction* menu;  ///< In which it stands.
    QKeySequence fresh;   ///< Its key in a fresh installation; empty: none.
};

/// Everything that the menus of the window offer: actions with their keys and icons, the menus, and the quiet buttons
/// at the right end of the menu bar.
class WindowActions : public QObject {
    Q_OBJECT
public:
    explicit WindowActions(QMenuBar& menuBar);

    QAction& operator[](WindowCommand command) { return m_actions[static_cast<std::size_t>(command)]; }
    /// The window fills Export when it opens, with what can be saved of the page in sight, and puts its docks into
    /// Panels.
    QMenu& menu(WindowMenu menu) { return m_menus[static_cast<std::size_t>(menu)]; }
    const std::map<ViewId, QAction*>& views() const { return m_views; }
    /// All commands and pages but Copy, whose key belongs to what has the focus; in the order of the menus.
    const std::vector<KeyedAction>& keyed() const { return m_keyed; }

    /// Shows the paths in File > Open recent.
    void setRecent(const QStringList& paths);
    /// Sets all texts in the language of the moment.
    void retranslate();

signals:
    void triggered(altiscope::WindowCommand command);
    void recentChosen(const QString& path);
    void viewChosen(altiscope::ViewId view);

private:
    void setUpActions();
    void setUpMenus(QMenuBar& menuBar);
    void setUpKeys();

    std::array<QAction, static_cast<std::size_t>(WindowCommand::AboutQt) + 1> m_actions;
    std::array<QMenu, static_cast<std::size_t>(WindowMenu::Help) + 1> m_menus;
    std::map<ViewId, QAction*> m_views;
    std::vector<KeyedAction> m_keyed;
    QActionGroup m_themes, m_languages, m_pages;
    QToolButton* m_commandButton;
    QToolButton* m_themeButton;
    QToolButton* m_languageButton;
};

}  // namespace altiscope
