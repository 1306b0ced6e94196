#pragma once

#include "app/gui/window_services.h"
#include "views/common/theme/theme_controller.h"

#include <QObject>
#include <QPointer>
#include <QString>

namespace altiscope {

class KeyBindings;
class SettingsDialog;
class WindowActions;
class WindowBindings;
class WindowPages;

/// The dialog of settings with pages of all rooms, and what is remembered of settings that nothing else keeps. GUI
/// thread.
class SettingsWindow : public QObject {
    Q_OBJECT
public:
    /// Gives the commands their keys. All must outlive it.
    SettingsWindow(const WindowServices& services, WindowActions& actions, WindowPages& pages, QWidget& window);

    ~SettingsWindow() override;

    /// Texts, cache and memory are from now on as former runs chose them.
    static void apply(const WindowServices& services);

    /// Shows the dialog, or brings it to the front.
    void open();
    /// Texts of commands are in another language.
    void retranslate();

signals:
    void themeChosen(altiscope::ThemeChoice choice);
    void languageChosen(const QString& language);

private:
    void make();

    const WindowServices m_services;
    WindowActions& m_actions;
    WindowPages& m_pages;
    QWidget& m_window;
    KeyBindings* m_timelineKeys;
    WindowBindings* m_windowKeys;
    QPointer<SettingsDialog> m_dialog;
};

}  // namespace altiscope
