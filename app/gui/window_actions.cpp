#include "app/gui/window_actions.h"

#include "views/common/theme/icons.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace altiscope {

using namespace Qt::StringLiterals;

WindowActions::WindowActions(QMenuBar& menuBar)
    : m_themes(this), m_languages(this), m_views(this), m_commandButton(new QToolButton),
      m_themeButton(new QToolButton), m_languageButton(new QToolButton) {
    setUpActions();
    setUpMenus(menuBar);
    retranslate();
}

void WindowActions::setUpActions() {
    const auto set = [](QAction& action, const QString& icon, const QKeySequence& shortcut = {}) {
        if (!icon.isEmpty()) action.setIcon(themedIcon(icon));
        action.setShortcut(shortcut);
    };
    set(openFolder, u"open_folder"_s, QKeySequence::Open);
    set(openFile, u"open_file"_s, Qt::CTRL | Qt::SHIFT | Qt::Key_O);
    set(openWorkspace, u"open_file"_s, Qt::CTRL | Qt::ALT | Qt::Key_O);
    set(saveWorkspace, u"save"_s, QKeySequence::Save);
    set(saveWorkspaceAs, {}, Qt::CTRL | Qt::SHIFT | Qt::Key_S);
    set(copyLink, u"copy"_s, Qt::CTRL | Qt::SHIFT | Qt::Key_C);
    set(followLink, {}, Qt::CTRL | Qt::SHIFT | Qt::Key_G);
    set(openDemo, u"demo"_s);
    set(record, u"view_capture"_s, Qt::CTRL | Qt::Key_R);
    set(reload, u"reload"_s, Qt::Key_F5);
    set(closeCapture, u"close"_s, Qt::CTRL | Qt::Key_W);
    set(importReport, u"report"_s, Qt::CTRL | Qt::Key_I);
    set(addToReport, u"view_report"_s, Qt::CTRL | Qt::SHIFT | Qt::Key_R);
    set(quit, {}, Qt::CTRL | Qt::Key_Q);
    set(undo, u"undo"_s, QKeySequence::Undo);
    set(redo, u"redo"_s, QKeySequence::Redo);
    // Without a key of its own: it would take it from every table. Menus show it all the same.
    set(copy, u"copy"_s);
    set(find, u"search"_s, QKeySequence::Find);
    find.setProperty("synonyms", u"search slices filter 搜索 查找 过滤"_s);
    openFolder.setProperty("synonyms", u"load import profile directory 加载 导入 目录"_s);
    openFile.setProperty("synonyms", u"load import trace json db zip 加载 导入"_s);
    reload.setProperty("synonyms", u"reload refresh 刷新 重新加载"_s);
    themeDark.setProperty("synonyms", u"night black mode 夜间 黑色"_s);
    themeLight.setProperty("synonyms", u"day white mode 白色"_s);
    firstWalk.setProperty("synonyms", u"tour introduction guide onboarding 导览 入门 向导"_s);
    keys.setProperty("synonyms", u"keyboard keys help hotkeys 快捷键 键盘"_s);
    resetLayout.setProperty("synonyms", u"docks panels default 面板 默认"_s);
    set(fullScreen, {}, Qt::Key_F11);
    set(commands, u"search"_s, Qt::CTRL | Qt::SHIFT | Qt::Key_P);
    set(undoSelection, u"undo"_s, Qt::ALT | Qt::Key_Left);
    set(redoSelection, u"redo"_s, Qt::ALT | Qt::Key_Right);
    set(keys, u"keys"_s, Qt::Key_Question);
    set(manual, u"report"_s, QKeySequence::HelpContents);
    quit.setMenuRole(QAction::QuitRole);
    fullScreen.setCheckable(true);
    for (QAction* action : {&themeSystem, &themeLight, &themeDark}) {
        action->setCheckable(true);
        m_themes.addAction(action);
    }
    for (QAction* action : {&languageEnglish, &languageChinese}) {
        action->setCheckable(true);
        m_languages.addAction(action);
    }
    int digit = Qt::Key_1;
    for (const ViewId view : allViews()) {
        auto* action = new QAction(themedIcon(viewIcon(view)), {}, this);
        if (digit <= Qt::Key_9) action->setShortcut(Qt::CTRL | static_cast<Qt::Key>(digit++));
        action->setCheckable(true);
        action->setProperty("synonyms", viewSynonyms(view));
        m_views.addAction(action);
        views[view] = action;
    }
}

void WindowActions::setUpMenus(QMenuBar& menuBar) {
    m_file.addActions({&openFolder, &openFile});
    m_file.addMenu(&m_recent);
    m_file.addActions({&openDemo, &record});
    m_file.addSeparator();
    m_file.addActions({&openWorkspace, &saveWorkspace, &saveWorkspaceAs});
    m_file.addSeparator();
    m_file.addActions({&reload, &closeCapture, &importReport, &deliverables, &addToReport});
    m_file.addSeparator();
    m_file.addAction(&quit);

    m_edit.addActions({&undo, &redo});
    m_edit.addSeparator();
    m_edit.addActions({&copy, &find});
    m_edit.addSeparator();
    m_edit.addMenu(&exportation);

    m_theme.addActions(m_themes.actions());
    m_language.addActions(m_languages.actions());
    m_view.addMenu(&m_theme);
    m_view.addMenu(&m_language);
    m_view.addMenu(&panels);
    m_view.addAction(&resetLayout);
    m_view.addSeparator();
    m_view.addActions({&commands, &fullScreen});

    m_go.addActions({&undoSelection, &redoSelection});
    m_go.addSeparator();
    m_go.addActions({&copyLink, &followLink});
    m_go.addSeparator();
    m_go.addActions(m_views.actions());

    m_help.addActions({&manual, &firstWalk, &tutorial, &keys, &whatOpens, &about, &aboutQt});
    for (QMenu* menu : {&m_file, &m_edit, &m_view, &m_go, &m_help}) menuBar.addMenu(menu);

    auto* corner = new QWidget(&menuBar);
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(0, 0, 8, 0);
    row->setSpacing(4);
    m_commandButton->setDefaultAction(&commands);
    m_themeButton->setIcon(themedIcon(u"theme"_s));
    m_themeButton->setMenu(&m_theme);
    m_languageButton->setIcon(themedIcon(u"language"_s));
    m_languageButton->setMenu(&m_language);
    for (QToolButton* button : {m_commandButton, m_languageButton, m_themeButton}) {
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setPopupMode(QToolButton::InstantPopup);
        row->addWidget(button);
    }
    menuBar.setCornerWidget(corner);
}

void WindowActions::setRecent(const QStringList& paths) {
    m_recent.clear();
    for (const QString& path : paths) {
        // Paths may hold the sign of access keys.
        QAction* action = m_recent.addAction(QString(path).replace(u'&', u"&&"_s));
        connect(action, &QAction::triggered, this, [this, path] { emit recentChosen(path); });
    }
    m_recent.addSeparator();
    m_recent.addAction(&clearRecent);
    m_recent.setEnabled(!paths.isEmpty());
}

void WindowActions::retranslate() {
    m_file.setTitle(tr("&File"));
    openFolder.setText(tr("&Open folder…"));
    openFile.setText(tr("Open &file…"));
    m_recent.setTitle(tr("Open &recent"));
    openWorkspace.setText(tr("Open &workspace…"));
    saveWorkspace.setText(tr("&Save workspace"));
    saveWorkspace.setToolTip(tr("Saves what is open and how it is viewed to a file that others can open"));
    saveWorkspaceAs.setText(tr("Save workspace &as…"));
    openDemo.setText(tr("Open &demo"));
    openDemo.setToolTip(tr("Makes a small synthetic capture and opens it"));
    record.setText(tr("Record a &job…"));
    record.setToolTip(tr("Starts a recording, here or over SSH, and opens its result"));
    clearRecent.setText(tr("&Clear this list"));
    reload.setText(tr("R&ead again"));
    closeCapture.setText(tr("&Close capture"));
    importReport.setText(tr("&Import report"));
    addToReport.setText(tr("Add &page to report"));
    addToReport.setToolTip(tr("Adds a picture of the page to the report"));
    deliverables.setText(tr("Write deliverab&les…"));
    deliverables.setToolTip(tr("Writes the same files as the profiler's own analysis of raw data"));
    quit.setText(tr("&Quit"));

    m_edit.setTitle(tr("&Edit"));
    undo.setText(tr("&Undo"));
    redo.setText(tr("&Redo"));
    copy.setText(tr("&Copy") + u'\t' + QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText));
    find.setText(tr("&Find…"));
    exportation.setTitle(tr("&Export"));

    m_view.setTitle(tr("&View"));
    m_theme.setTitle(tr("&Theme"));
    themeSystem.setText(tr("&System"));
    themeLight.setText(tr("&Light"));
    themeDark.setText(tr("&Dark"));
    m_language.setTitle(tr("&Language"));
    // A language is named in itself, so that whoever is lost finds the way back.
    languageEnglish.setText(u"&English"_s);
    languageChinese.setText(u"简体中文(&C)"_s);
    panels.setTitle(tr("&Panels"));
    resetLayout.setText(tr("&Reset layout"));
    commands.setText(tr("&Commands…"));
    fullScreen.setText(tr("&Full screen"));

    m_go.setTitle(tr("&Go"));
    undoSelection.setText(tr("&Previous selection"));
    redoSelection.setText(tr("&Next selection"));
    copyLink.setText(tr("&Copy link"));
    copyLink.setToolTip(
        tr("A link to the selected slice, the marked time or the capture, for anyone who has the capture"));
    followLink.setText(tr("Follow a &link…"));
    for (const auto& [view, action] : views) action->setText(viewTitle(view));

    m_help.setTitle(tr("&Help"));
    keys.setText(tr("Timeline shortcut&s"));
    manual.setText(tr("&Manual: this page"));
    firstWalk.setText(tr("&First walk"));
    firstWalk.setToolTip(tr("Leads through the window in five steps, over the demo"));
    tutorial.setText(tr("&Tutorial"));
    whatOpens.setText(tr("&Supported files and required data"));
    about.setText(tr("&About Altiscope"));
    aboutQt.setText(tr("About &Qt"));

    m_commandButton->setText(tr("Commands"));
    m_commandButton->setToolTip(tr("Find commands, pages, ranks and slices by their names (%1)")
                                    .arg(commands.shortcut().toString(QKeySequence::NativeText)));
    m_themeButton->setText(tr("Theme"));
    m_themeButton->setToolTip(tr("Light, dark, or as the desktop"));
    m_languageButton->setText(tr("Language"));
    m_languageButton->setToolTip(tr("Language of the window"));
}

}  // namespace altiscope
