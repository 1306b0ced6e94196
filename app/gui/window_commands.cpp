// The commands of the menus: what each does.
#include "app/gui/main_window.h"

#include "app/gui/demo_tour.h"
#include "app/gui/edit_menu.h"
#include "app/gui/host_opening.h"
#include "app/gui/settings_window.h"
#include "app/gui/window_actions.h"
#include "app/gui/window_pages.h"
#include "app/gui/workspace_controller.h"
#include "core/session/demo_capture.h"
#include "core/session/session.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/theme_controller.h"
#include "views/help/manual.h"
#include "views/overview/start_page.h"
#include "views/timeline/page/timeline_page.h"
#include "views/workspace/workspace_keeper.h"

#include <QApplication>
#include <QStackedWidget>

namespace altiscope {

using namespace Qt::StringLiterals;

void MainWindow::connectActions() {
    WindowActions& a = *m_actions;
    connect(&a, &WindowActions::triggered, this, &MainWindow::perform);
    connect(&a, &WindowActions::viewChosen, this, &MainWindow::showView);
    connect(&a, &WindowActions::recentChosen, this, [this](const QString& path) { open({path}); });
    connect(&m_services.demo, &DemoCapture::failed, this,
            [this](const Error& error) { showMessage(errorSentence(error)); });
    action(C::OpenDemo).setEnabled(m_services.demo.possible());
    action(C::GuidedTour).setEnabled(m_services.demo.possible());
    checkChoices();
}

/// Menus check what is chosen, wherever it was.
void MainWindow::checkChoices() {
    const ThemeChoice theme = m_services.theme.choice();
    action(theme == ThemeChoice::System  ? C::ThemeSystem
           : theme == ThemeChoice::Light ? C::ThemeLight
                                         : C::ThemeDark)
        .setChecked(true);
    action(m_services.language.language() == u"en"_s ? C::LanguageEnglish : C::LanguageChinese).setChecked(true);
}

QAction& MainWindow::action(WindowCommand command) { return (*m_actions)[command]; }

void MainWindow::perform(WindowCommand command) {
    switch (command) {
    case C::OpenFolder: return chooseFolder();
    case C::OpenFile: return chooseFile();
    case C::OpenRemote: return m_hosts->open({});
    case C::OpenDemo: return m_services.demo.open();
    case C::Record: return showView(ViewId::Capture);
    case C::OpenWorkspace: return m_workspace->chooseWorkspace(besideRecent());
    case C::SaveWorkspace: m_workspace->keeper().save(); return;
    case C::SaveWorkspaceAs: m_workspace->keeper().saveAs(); return;
    case C::Reload: return m_services.session.reload(currentCapture());
    case C::CloseCapture: return m_services.session.close(currentCapture());
    case C::ImportReport: return showReport(kNoCapture);
    case C::Deliverables: return writeDeliverables(currentCapture());
    case C::AddToReport: return showMessage(m_pages->addToReport());
    case C::Quit: close(); return;
    case C::ClearRecent:
        m_services.settings.setRecent({});
        m_actions->setRecent({});
        return m_start->setRecent({});
    case C::Undo: return m_edit->undo(false);
    case C::Redo: return m_edit->undo(true);
    case C::Copy: return m_edit->copy();
    case C::Find: return m_edit->find();
    case C::Settings: return m_settings->open();
    case C::ThemeSystem: return chooseTheme(ThemeChoice::System);
    case C::ThemeLight: return chooseTheme(ThemeChoice::Light);
    case C::ThemeDark: return chooseTheme(ThemeChoice::Dark);
    case C::LanguageEnglish: return chooseLanguage(u"en"_s);
    case C::LanguageChinese: return chooseLanguage(u"zh_CN"_s);
    case C::ResetLayout: return resetLayout();
    case C::Commands: return showCommands();
    case C::FullScreen: return setWindowState(windowState() ^ Qt::WindowFullScreen);
    case C::UndoSelection: return m_services.selection.undo();
    case C::RedoSelection: return m_services.selection.redo();
    case C::CopyLink: return m_workspace->copySelectedLink();
    case C::FollowLink: return m_workspace->promptLink();
    case C::Manual:
        return showManual(m_centre->currentWidget() != m_pages ? u"start"_s : manualPageOf(m_pages->currentView()));
    case C::GuidedTour: return m_tour->begin();
    case C::Tutorial: return showManual(u"tutorial"_s);
    case C::Keys: return m_pages->timeline().showKeys();
    case C::WhatOpens: return showManual(u"supported"_s);
    case C::About: return showAbout();
    case C::AboutQt: return QApplication::aboutQt();
    }
}

void MainWindow::chooseTheme(ThemeChoice choice) {
    m_services.theme.setChoice(choice);
    m_services.settings.setTheme(themeChoiceName(choice));
    checkChoices();
}

void MainWindow::chooseLanguage(const QString& language) {
    m_services.language.setLanguage(language);
    m_services.settings.setLanguage(language);
    checkChoices();
}

}  // namespace altiscope
