#pragma once

#include "app/gui/main_window.h"
#include "core/session/demo_capture.h"
#include "core/session/marks.h"
#include "tests/support/test_main.h"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QMenuBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include <optional>

namespace altiscope::test {

/// The program as main() puts it together, without main().
struct Program {
    /// @param size  Of the window; invalid: its own.
    explicit Program(const QString& settingsFile = {}, const QString& recovery = {}, QSize size = {})
        : settings(settingsFile) {
        window.emplace(WindowServices{session, selection, theme, language, settings, demo, marks, {}, recovery});
        if (size.isValid()) window->resize(size);
        window->show();
    }
    ~Program() {
        jobs.shutdown();
        window.reset();
    }

    bool waitUntilIdle() {
        return QTest::qWaitFor([&] { return jobs.jobs().empty() && window->idle(); }, 120'000);
    }
    QTabWidget& pages() {
        for (QTabWidget* tabs : window->findChildren<QTabWidget*>()) {
            if (tabs->count() == static_cast<int>(allViews().size())) return *tabs;
        }
        qFatal("no pages");
    }
    /// The action of a menu whose text, without its access key, is this.
    QAction* action(const QString& text) {
        for (QAction* action : window->findChildren<QAction*>() + menuActions()) {
            if (QString(action->text()).remove(u'&') == text) return action;
        }
        return nullptr;
    }
    QList<QAction*> menuActions() {
        QList<QAction*> all;
        QList<QMenu*> menus;
        for (QAction* top : window->menuBar()->actions()) menus << top->menu();
        while (!menus.isEmpty()) {
            for (QAction* action : menus.takeFirst()->actions()) {
                all << action;
                if (action->menu() != nullptr) menus << action->menu();
            }
        }
        return all;
    }

    UserSettings settings;
    ThemeController theme{*qApp};
    LanguageController language;
    JobRunner jobs;
    Session session{jobs};
    Selection selection;
    QTemporaryDir demoFolder;
    Marks marks{session, {}};
    DemoCapture demo{session, demoFolder.filePath(QStringLiteral("demo")).toStdString()};
    std::optional<MainWindow> window;
};

inline bool isShown(const QWidget* widget) { return widget->isVisible() && !widget->visibleRegion().isEmpty(); }

}  // namespace altiscope::test
