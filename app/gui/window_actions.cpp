#include "app/gui/window_actions.h"

#include "views/common/theme/icons.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QToolButton>

#include <algorithm>
#include <optional>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

using C = WindowCommand;
using M = WindowMenu;

/// The key of a command: one that the platform has for it, a combination, or none.
struct CommandKey {
    constexpr CommandKey() = default;
    constexpr CommandKey(QKeySequence::StandardKey key) : standard(key) {}
    constexpr CommandKey(QKeyCombination key) : combination(key) {}
    constexpr CommandKey(Qt::Key key) : combination(key) {}
    QKeySequence sequence() const {
        if (standard != QKeySequence::UnknownKey) return standard;
        return combination.key() == Qt::Key_unknown ? QKeySequence() : QKeySequence(combination);
    }

    QKeySequence::StandardKey standard = QKeySequence::UnknownKey;
    QKeyCombination combination = Qt::Key_unknown;
};
constexpr CommandKey kNoKey;

enum class CommandStyle : unsigned char { Plain, StartsGroup, Checkable };

struct CommandRow {
    WindowCommand command;
    WindowMenu menu;
    const char* text;
    QStringView icon = {};
    CommandKey key = kNoKey;
    const char* tip = nullptr;
    QStringView synonyms = {};  ///< Other names for it, in both languages.
    CommandStyle style = CommandStyle::Plain;
};

struct MenuRow {
    WindowMenu menu;
    const char* title;
    /// In the menu of this command, above it; else in the bar, but for Export, the last of Edit.
    std::optional<WindowCommand> before = {};
};

struct WindowRows {
    Q_DECLARE_TR_FUNCTIONS(altiscope::WindowActions)

public:
    static constexpr auto commands() {
        return std::to_array<CommandRow>({
            {C::OpenFolder, M::File, QT_TR_NOOP("&Open folder…"), u"open_folder", QKeySequence::Open, nullptr,
             u"load import profile directory 加载 导入 目录"},
            {C::OpenFile, M::File, QT_TR_NOOP("Open &file…"), u"open_file", Qt::CTRL | Qt::SHIFT | Qt::Key_O, nullptr,
             u"load import trace json db zip 加载 导入"},
            {C::OpenRemote, M::File, QT_TR_NOOP("Open on a &host…"), u"open_folder", kNoKey,
             QT_TR_NOOP("Opens a capture on another machine by your own ssh: a pack of it is fetched"),
             u"ssh remote server cluster 远程 服务器 集群"},
            {C::OpenDemo, M::File, QT_TR_NOOP("Open &demo"), u"demo", kNoKey,
             QT_TR_NOOP("Makes a small synthetic capture and opens it")},
            {C::Record, M::File, QT_TR_NOOP("Record a &job…"), u"view_capture", Qt::CTRL | Qt::Key_R,
             QT_TR_NOOP("Starts a recording, here or over SSH, and opens its result")},
            {C::OpenWorkspace, M::File, QT_TR_NOOP("Open &workspace…"), u"open_file", Qt::CTRL | Qt::ALT | Qt::Key_O,
             nullptr, u"", CommandStyle::StartsGroup},
            {C::SaveWorkspace, M::File, QT_TR_NOOP("&Save workspace"), u"save", QKeySequence::Save,
             QT_TR_NOOP("Saves what is open and how it is viewed to a file that others can open")},
            {C::SaveWorkspaceAs, M::File, QT_TR_NOOP("Save workspace &as…"), u"", Qt::CTRL | Qt::SHIFT | Qt::Key_S},
            {C::Reload, M::File, QT_TR_NOOP("R&ead again"), u"reload", Qt::Key_F5, nullptr,
             u"reload refresh 刷新 重新加载", CommandStyle::StartsGroup},
            {C::CloseCapture, M::File, QT_TR_NOOP("&Close capture"), u"close", Qt::CTRL | Qt::Key_W},
            {C::ImportReport, M::File, QT_TR_NOOP("&Import report"), u"report", Qt::CTRL | Qt::Key_I},
            {C::Deliverables, M::File, QT_TR_NOOP("Write deliverab&les…"), u"", kNoKey,
             QT_TR_NOOP("Writes the same files as the profiler's own analysis of raw data")},
            {C::AddToReport, M::File, QT_TR_NOOP("Add &page to report"), u"view_report",
             Qt::CTRL | Qt::SHIFT | Qt::Key_R, QT_TR_NOOP("Adds a picture of the page to the report")},
            {C::Quit, M::File, QT_TR_NOOP("&Quit"), u"", Qt::CTRL | Qt::Key_Q, nullptr, u"", CommandStyle::StartsGroup},
            {C::ClearRecent, M::Recent, QT_TR_NOOP("&Clear this list")},
            {C::Undo, M::Edit, QT_TR_NOOP("&Undo"), u"undo", QKeySequence::Undo},
            {C::Redo, M::Edit, QT_TR_NOOP("&Redo"), u"redo", QKeySequence::Redo},
            // Without a key of its own: it would take it from every table. Menus show it all the same.
            {C::Copy, M::Edit, QT_TR_NOOP("&Copy"), u"copy", kNoKey, nullptr, u"", CommandStyle::StartsGroup},
            {C::Find, M::Edit, QT_TR_NOOP("&Find…"), u"search", QKeySequence::Find, nullptr,
             u"search slices filter 搜索 查找 过滤"},
            {C::Settings, M::Edit, QT_TR_NOOP("Se&ttings…"), u"settings", Qt::CTRL | Qt::Key_Comma,
             QT_TR_NOOP("Text size, cache, memory, keys, thresholds, colours"),
             u"preferences options font size shortcuts 设置 选项 首选项 字号 快捷键", CommandStyle::StartsGroup},
            {C::ThemeSystem, M::Theme, QT_TR_NOOP("&System"), u"", kNoKey, nullptr, u"", CommandStyle::Checkable},
            {C::ThemeLight, M::Theme, QT_TR_NOOP("&Light"), u"", kNoKey, nullptr, u"day white mode 白色",
             CommandStyle::Checkable},
            {C::ThemeDark, M::Theme, QT_TR_NOOP("&Dark"), u"", kNoKey, nullptr, u"night black mode 夜间 黑色",
             CommandStyle::Checkable},
            // Each language is named in itself, so that it is found from any other one.
            {C::LanguageEnglish, M::Language, "&English", u"", kNoKey, nullptr, u"英文 英语", CommandStyle::Checkable},
            {C::LanguageChinese, M::Language, "简体中文(&C)", u"", kNoKey, nullptr, u"Chinese 中文 汉语",
             CommandStyle::Checkable},
            {C::ResetLayout, M::View, QT_TR_NOOP("&Reset layout"), u"", kNoKey, nullptr,
             u"docks panels default 面板 默认"},
            {C::Commands, M::View, QT_TR_NOOP("&Commands…"), u"search", Qt::CTRL | Qt::SHIFT | Qt::Key_P, nullptr, u"",
             CommandStyle::StartsGroup},
            {C::FullScreen, M::View, QT_TR_NOOP("&Full screen"), u"", Qt::Key_F11, nullptr, u"",
             CommandStyle::Checkable},
            {C::UndoSelection, M::Go, QT_TR_NOOP("&Previous selection"), u"undo", Qt::ALT | Qt::Key_Left},
            {C::RedoSelection, M::Go, QT_TR_NOOP("&Next selection"), u"redo", Qt::ALT | Qt::Key_Right},
            {C::CopyLink, M::Go, QT_TR_NOOP("&Copy link"), u"copy", Qt::CTRL | Qt::SHIFT | Qt::Key_C,
             QT_TR_NOOP("A link to the selected slice, the marked time or the capture, for anyone who has the capture"),
             u"", CommandStyle::StartsGroup},
            {C::FollowLink, M::Go, QT_TR_NOOP("Follow a &link…"), u"", Qt::CTRL | Qt::SHIFT | Qt::Key_G},
            {C::Manual, M::Help, QT_TR_NOOP("&Manual: this page"), u"report", QKeySequence::HelpContents},
            {C::GuidedTour, M::Help, QT_TR_NOOP("&Guided tour"), u"", kNoKey,
             QT_TR_NOOP("Leads through the window in five steps, over the demo"),
             u"tour introduction guide onboarding 导览 入门 向导"},
            {C::Tutorial, M::Help, QT_TR_NOOP("&Tutorial")},
            {C::Keys, M::Help, QT_TR_NOOP("Timeline shortcut&s"), u"keys", Qt::Key_Question, nullptr,
             u"keyboard keys help hotkeys 快捷键 键盘"},
            {C::WhatOpens, M::Help, QT_TR_NOOP("&Supported files and required data")},
            {C::About, M::Help, QT_TR_NOOP("&About Altiscope")},
            {C::AboutQt, M::Help, QT_TR_NOOP("About &Qt")},
        });
    }

    static constexpr auto menus() {
        return std::to_array<MenuRow>({
            {M::File, QT_TR_NOOP("&File")},
            {M::Recent, QT_TR_NOOP("Open &recent"), C::OpenDemo},
            {M::Edit, QT_TR_NOOP("&Edit")},
            {M::Export, QT_TR_NOOP("&Export")},
            {M::View, QT_TR_NOOP("&View")},
            {M::Theme, QT_TR_NOOP("&Theme"), C::ResetLayout},
            {M::Language, QT_TR_NOOP("&Language"), C::ResetLayout},
            {M::Panels, QT_TR_NOOP("&Panels"), C::ResetLayout},
            {M::Go, QT_TR_NOOP("&Go")},
            {M::Help, QT_TR_NOOP("&Help")},
        });
    }
};

constexpr auto kCommands = WindowRows::commands();
constexpr auto kMenus = WindowRows::menus();

/// Each row where its command stands in the enumeration, which ends with AboutQt; likewise menus, with Help.
constexpr bool areInOrder() {
    for (std::size_t i = 0; i < kCommands.size(); ++i)
        if (kCommands[i].command != WindowCommand(i)) return false;
    for (std::size_t i = 0; i < kMenus.size(); ++i)
        if (kMenus[i].menu != WindowMenu(i)) return false;
    return kCommands.size() == static_cast<std::size_t>(C::AboutQt) + 1 &&
           kMenus.size() == static_cast<std::size_t>(M::Help) + 1;
}
static_assert(areInOrder(), "a command or menu has no row, or stands elsewhere in the enumeration");

}  // namespace

WindowActions::WindowActions(QMenuBar& menuBar)
    : m_themes(this), m_languages(this), m_pages(this), m_commandButton(new QToolButton),
      m_themeButton(new QToolButton), m_languageButton(new QToolButton) {
    setUpActions();
    setUpMenus(menuBar);
    setUpKeys();
    retranslate();
}

void WindowActions::setUpActions() {
    for (const CommandRow& row : kCommands) {
        QAction& action = (*this)[row.command];
        if (!row.icon.isEmpty()) action.setIcon(themedIcon(row.icon.toString()));
        action.setShortcut(row.key.sequence());
        if (!row.synonyms.isEmpty()) action.setProperty("synonyms", row.synonyms.toString());
        action.setCheckable(row.style == CommandStyle::Checkable);
        if (row.menu == M::Theme) m_themes.addAction(&action);
        if (row.menu == M::Language) m_languages.addAction(&action);
        connect(&action, &QAction::triggered, this, [this, command = row.command] { emit triggered(command); });
    }
    (*this)[C::Quit].setMenuRole(QAction::QuitRole);
    int digit = Qt::Key_1;
    for (const ViewId view : allViews()) {
        auto* action = new QAction(themedIcon(viewIcon(view)), {}, this);
        if (digit <= Qt::Key_9) action->setShortcut(Qt::CTRL | static_cast<Qt::Key>(digit++));
        action->setCheckable(true);
        action->setProperty("synonyms", viewSynonyms(view));
        m_pages.addAction(action);
        m_views[view] = action;
        connect(action, &QAction::triggered, this, [this, view] { emit viewChosen(view); });
    }
}

void WindowActions::setUpMenus(QMenuBar& menuBar) {
    for (const CommandRow& row : kCommands) {
        if (row.style == CommandStyle::StartsGroup) menu(row.menu).addSeparator();
        menu(row.menu).addAction(&(*this)[row.command]);
    }
    for (const MenuRow& row : kMenus) {
        if (row.menu == M::Export) continue;
        if (!row.before) menuBar.addMenu(&menu(row.menu));
        else
            menu(kCommands[static_cast<std::size_t>(*row.before)].menu)
                .insertMenu(&(*this)[*row.before], &menu(row.menu));
    }
    menu(M::Edit).addSeparator();
    menu(M::Edit).addMenu(&menu(M::Export));
    menu(M::Go).addSeparator();
    menu(M::Go).addActions(m_pages.actions());

    auto* corner = new QWidget(&menuBar);
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(0, 0, 8, 0);
    row->setSpacing(4);
    m_commandButton->setDefaultAction(&(*this)[C::Commands]);
    m_themeButton->setIcon(themedIcon(u"theme"_s));
    m_themeButton->setMenu(&menu(M::Theme));
    m_languageButton->setIcon(themedIcon(u"language"_s));
    m_languageButton->setMenu(&menu(M::Language));
    for (QToolButton* button : {m_commandButton, m_languageButton, m_themeButton}) {
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setPopupMode(QToolButton::InstantPopup);
        row->addWidget(button);
    }
    menuBar.setCornerWidget(corner);
}

void WindowActions::setUpKeys() {
    for (const CommandRow& row : kCommands) {
        if (row.command == C::Copy) continue;
        // English titles name commands: "Save workspace &as…" is "save_workspace_as".
        QString name;
        for (const QChar c : QString::fromUtf8(row.text).toLower())
            if (c.isLetterOrNumber() || c == u' ') name += c == u' ' ? u'_' : c;
        QAction& action = (*this)[row.command];
        m_keyed.push_back({name, &action, menu(row.menu).menuAction(), action.shortcut()});
    }
    for (const ViewId view : allViews())
        m_keyed.push_back(
            {u"page_"_s + viewName(view), m_views[view], menu(M::Go).menuAction(), m_views[view]->shortcut()});
}

void WindowActions::setRecent(const QStringList& paths) {
    QMenu& recent = menu(M::Recent);
    recent.clear();
    for (const QString& path : paths) {
        // Paths may hold the sign of access keys.
        QAction* action = recent.addAction(QString(path).replace(u'&', u"&&"_s));
        connect(action, &QAction::triggered, this, [this, path] { emit recentChosen(path); });
    }
    recent.addSeparator();
    recent.addAction(&(*this)[C::ClearRecent]);
    recent.setEnabled(!paths.isEmpty());
}

void WindowActions::retranslate() {
    // The palette finds them by their English names too: those are what one has read in a manual or heard from others.
    const auto name = [](QAction& action, const char* text) {
        action.setText(tr(text));
        action.setProperty("english", QString::fromUtf8(text));
    };
    for (const MenuRow& row : kMenus) name(*menu(row.menu).menuAction(), row.title);
    for (const CommandRow& row : kCommands) {
        name((*this)[row.command], row.text);
        if (row.tip != nullptr) (*this)[row.command].setToolTip(tr(row.tip));
    }
    QAction& copy = (*this)[C::Copy];
    copy.setText(copy.text() + u'\t' + QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText));
    for (const auto& [view, action] : m_views) {
        action->setText(viewTitle(view));
        action->setProperty("english", viewName(view));
    }

    m_commandButton->setText(tr("Commands"));
    m_commandButton->setToolTip(tr("Find commands, pages, ranks and slices by their names (%1)")
                                    .arg((*this)[C::Commands].shortcut().toString(QKeySequence::NativeText)));
    m_themeButton->setText(tr("Theme"));
    m_themeButton->setToolTip(tr("Light, dark, or as the desktop"));
    m_languageButton->setText(tr("Language"));
    m_languageButton->setToolTip(tr("Language of the window"));
}

}  // namespace altiscope
