#pragma once

#include "app/gui/gui_options.h"
#include "app/gui/user_settings.h"
#include "app/gui/window_actions.h"
#include "app/gui/window_services.h"
#include "core/base/values/error.h"
#include "core/base/values/ids.h"
#include "core/session/selection.h"
#include "core/session/session.h"
#include "views/common/theme/language_controller.h"
#include "views/common/theme/theme_controller.h"

#include <QMainWindow>
#include <QStringList>

#include <map>
#include <memory>
#include <optional>
#include <set>

class QAction;
class QLabel;
class QStackedWidget;
class QTimer;

namespace altiscope {

class BottomPanel;
class CaptureTree;
class ContextBar;
class DemoTour;
class EditMenu;
class HostOpening;
class LowerDock;
class ManualWindow;
class MessagePage;
class NoticeBar;
class ReportModel;
class SettingsWindow;
class StartPage;
class WindowDock;
class WindowPages;
class WorkspaceController;

/// The one window: menus, capture tree, pages, bottom panel, status bar. Puts the parts together and decides nothing
/// else.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(const WindowServices& services);
    ~MainWindow() override;

    /// Opens paths of captures and workspaces, also of captures on hosts (HOST:PATH), and follows links; the last
    /// capture becomes the current one. What could be opened is remembered as recent.
    void open(const QStringList& paths);
    void showView(ViewId view);
    /// The same, also if a workspace that is being opened has another one.
    void keepView(ViewId view);
    void showRange(TimeRange range);
    /// Selects a slice as soon as a capture that is read completely has it, and then shows it on a page.
    void selectWhenRead(SliceId slice, std::optional<ViewId> thenShow = {});

    /// Nothing runs and everything that is shown is exact.
    bool idle() const;
    /// Why a workspace was not opened or written, the last time; nullopt: it was.
    std::optional<Error> problem() const;
    /// The program has to end now: what is not saved is kept for the next run.
    void leaveForNextStart();

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    using C = WindowCommand;

    void setUpCentre();
    void setUpDocks();
    void setUpStatusBar();
    void connectActions();
    QAction& action(WindowCommand command);
    /// Executes a command of a menu, its key or the palette.
    void perform(WindowCommand command);
    void chooseTheme(ThemeChoice choice);
    void chooseLanguage(const QString& language);
    void checkChoices();
    void setUpWorkspace();
    void restoreLayout();
    void retranslate();

    void chooseFolder();
    void chooseFile();
    /// @param place  Name on its host, where it was fetched.
    void openHere(const QString& path, const QString& place = {});
    void remember(const QString& path);
    void showTitle();
    bool isStill() const;          ///< Nothing runs for what is shown.
    QString besideRecent() const;  ///< The folder that holds the last opened capture; empty if none is known.
    void showReport(CaptureId capture);
    void writeDeliverables(CaptureId capture);
    void showMessage(const QString& text);
    void showManual(const QString& page);
    void showAbout();
    void showCommands();
    void resetLayout();
    void refreshState();
    /// Once an import has ended: remembers its path, or reports its error.
    void takeOutcome(CaptureId capture);
    void land(const OpenCapture& capture);
    void showFailure();
    void findPendingSlice();
    void followCapture();
    void followPage();
    CaptureId currentCapture() const;

    WindowServices m_services;
    std::unique_ptr<WindowActions> m_actions;
    ReportModel* m_reportModel;
    HostOpening* m_hosts;
    CaptureTree* m_tree = nullptr;
    QStackedWidget* m_centre = nullptr;
    StartPage* m_start = nullptr;
    MessagePage* m_failure = nullptr;
    WindowPages* m_pages = nullptr;
    ContextBar* m_context = nullptr;
    WindowDock* m_treeDock = nullptr;
    LowerDock* m_bottomDock = nullptr;
    BottomPanel* m_bottom = nullptr;
    EditMenu* m_edit = nullptr;
    SettingsWindow* m_settings = nullptr;
    NoticeBar* m_notices = nullptr;
    WorkspaceController* m_workspace = nullptr;
    DemoTour* m_tour = nullptr;
    ManualWindow* m_manual = nullptr;  // made when first wanted
    QLabel* m_message = nullptr;
    QTimer* m_messageTimer = nullptr;
    QByteArray m_freshLayout;
    std::set<CaptureId> m_toRemember;       // opened by the user, not read yet
    std::map<CaptureId, QString> m_places;  // names of what was fetched from hosts
    std::set<CaptureId> m_shownErrors;
    CaptureId m_selectedIn;  // of what was selected last
    std::optional<SliceId> m_pendingSlice;
    std::optional<ViewId> m_pendingView;
    bool m_isViewKept = false;  // a page was asked for before anything was read
    JobSlot m_sliceSearch;
};

}  // namespace altiscope
