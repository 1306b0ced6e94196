#pragma once

#include "views/common/support/view_list.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <QObject>

#include <map>

class QToolButton;

namespace altiscope {

/// Everything that the menus of the window offer: actions with their keys and icons, the menus, and the quiet buttons
/// at the right end of the menu bar. The owner connects what an action does.
class WindowActions : public QObject {
    Q_OBJECT
public:
    explicit WindowActions(QMenuBar& menuBar);

    /// Shows the paths in File > Open recent.
    void setRecent(const QStringList& paths);
    /// Sets all texts in the language of the moment.
    void retranslate();

    QAction openFolder, openFile, openWorkspace, saveWorkspace, saveWorkspaceAs, openDemo, record, clearRecent, reload,
        closeCapture, importReport, deliverables, addToReport, quit;
    QAction themeSystem, themeLight, themeDark, languageEnglish, languageChinese;
    QAction undo, redo, copy, find;
    QAction resetLayout, fullScreen, commands;
    QAction undoSelection, redoSelection, copyLink, followLink, keys, manual, guidedTour, tutorial, whatOpens, about,
        aboutQt;
    std::map<ViewId, QAction*> views;
    QMenu panels;      ///< The window puts its docks here.
    QMenu exportMenu;  ///< Filled by the window when it opens: what can be saved of the page in sight.

signals:
    void recentChosen(const QString& path);

private:
    void setUpActions();
    void setUpMenus(QMenuBar& menuBar);

    QMenu m_file, m_edit, m_view, m_go, m_help, m_recent, m_theme, m_language;
    QActionGroup m_themes, m_languages, m_views;
    QToolButton* m_commandButton;
    QToolButton* m_themeButton;
    QToolButton* m_languageButton;
};

}  // namespace altiscope
