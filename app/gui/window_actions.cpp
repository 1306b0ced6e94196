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
    guidedTour.setProperty("synonyms", u"tour introduction guide onboarding 导览 入门 向导"_s);
    keys.setProperty("synonyms", u"keyboard keys help hotkeys 快捷键 键盘"_s);
    languageChinese.setProperty("synonyms", u"Chinese 中文 汉语"_s);
    languageEnglish.setProperty("synonyms", u"英文 英语"_s);
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
    m_edit.addMenu(&exportMenu);

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

    m_help.addActions({&manual, &guidedTour, &tutorial, &keys, &whatOpens, &about, &aboutQt});
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
    // The palette finds them by their English names too: those are what one has read in a manual or heard from others.
    const auto name = [](QAction& action, const char* text) {
        action.setText(tr(text));
        action.setProperty("english", QString::fromUtf8(text));
    };
    name(*m_file.menuAction(), QT_TR_NOOP("&File"));
    name(openFolder, QT_TR_NOOP("&Open folder…"));
    name(openFile, QT_TR_NOOP("Open &file…"));
    name(*m_recent.menuAction(), QT_TR_NOOP("Open &recent"));
    name(openWorkspace, QT_TR_NOOP("Open &workspace…"));
    name(saveWorkspace, QT_TR_NOOP("&Save workspace"));
    saveWorkspace.setToolTip(tr("Saves what is open and how it is viewed to a file that others can open"));
    name(saveWorkspaceAs, QT_TR_NOOP("Save workspace &as…"));
    name(openDemo, QT_TR_NOOP("Open &demo"));
    openDemo.setToolTip(tr("Makes a small synthetic capture and opens it"));
    name(record, QT_TR_NOOP("Record a &job…"));
    record.setToolTip(tr("Starts a recording, here or over SSH, and opens its result"));
    name(clearRecent, QT_TR_NOOP("&Clear this list"));
    name(reload, QT_TR_NOOP("R&ead again"));
    name(closeCapture, QT_TR_NOOP("&Close capture"));
    name(importReport, QT_TR_NOOP("&Import report"));
    name(addToReport, QT_TR_NOOP("Add &page to report"));
    addToReport.setToolTip(tr("Adds a picture of the page to the report"));
    name(deliverables, QT_TR_NOOP("Write deliverab&les…"));
    deliverables.setToolTip(tr("Writes the same files as the profiler's own analysis of raw data"));
    name(quit, QT_TR_NOOP("&Quit"));

    name(*m_edit.menuAction(), QT_TR_NOOP("&Edit"));
    name(undo, QT_TR_NOOP("&Undo"));
    name(redo, QT_TR_NOOP("&Redo"));
    copy.setText(tr("&Copy") + u'\t' + QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText));
    copy.setProperty("english", u"Copy"_s);
    name(find, QT_TR_NOOP("&Find…"));
    name(*exportMenu.menuAction(), QT_TR_NOOP("&Export"));

    name(*m_view.menuAction(), QT_TR_NOOP("&View"));
    name(*m_theme.menuAction(), QT_TR_NOOP("&Theme"));
    name(themeSystem, QT_TR_NOOP("&System"));
    name(themeLight, QT_TR_NOOP("&Light"));
    name(themeDark, QT_TR_NOOP("&Dark"));
    name(*m_language.menuAction(), QT_TR_NOOP("&Language"));
    // Each language is named in itself, so that it is found from any other one.
    languageEnglish.setText(u"&English"_s);
    languageChinese.setText(u"简体中文(&C)"_s);
    name(*panels.menuAction(), QT_TR_NOOP("&Panels"));
    name(resetLayout, QT_TR_NOOP("&Reset layout"));
    name(commands, QT_TR_NOOP("&Commands…"));
    name(fullScreen, QT_TR_NOOP("&Full screen"));

    name(*m_go.menuAction(), QT_TR_NOOP("&Go"));
    name(undoSelection, QT_TR_NOOP("&Previous selection"));
    name(redoSelection, QT_TR_NOOP("&Next selection"));
    name(copyLink, QT_TR_NOOP("&Copy link"));
    copyLink.setToolTip(
        tr("A link to the selected slice, the marked time or the capture, for anyone who has the capture"));
    name(followLink, QT_TR_NOOP("Follow a &link…"));
    for (const auto& [view, action] : views) {
        action->setText(viewTitle(view));
        action->setProperty("english", viewName(view));
    }

    name(*m_help.menuAction(), QT_TR_NOOP("&Help"));
    name(keys, QT_TR_NOOP("Timeline shortcut&s"));
    name(manual, QT_TR_NOOP("&Manual: this page"));
    name(guidedTour, QT_TR_NOOP("&Guided tour"));
    guidedTour.setToolTip(tr("Leads through the window in five steps, over the demo"));
    name(tutorial, QT_TR_NOOP("&Tutorial"));
    name(whatOpens, QT_TR_NOOP("&Supported files and required data"));
    name(about, QT_TR_NOOP("&About Altiscope"));
    name(aboutQt, QT_TR_NOOP("About &Qt"));

    m_commandButton->setText(tr("Commands"));
    m_commandButton->setToolTip(tr("Find commands, pages, ranks and slices by their names (%1)")
                                    .arg(commands.shortcut().toString(QKeySequence::NativeText)));
    m_themeButton->setText(tr("Theme"));
    m_themeButton->setToolTip(tr("Light, dark, or as the desktop"));
    m_languageButton->setText(tr("Language"));
    m_languageButton->setToolTip(tr("Language of the window"));
}

}  // namespace altiscope
