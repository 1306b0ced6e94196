#pragma once

#include "app/gui/user_settings.h"
#include "core/session/selection.h"
#include "core/session/session.h"
#include "views/common/gui_options.h"
#include "views/common/language_controller.h"
#include "views/common/theme_controller.h"

#include <QMainWindow>

#include <map>
#include <memory>
#include <optional>
#include <set>

class QLabel;
class QStackedWidget;
class QTabWidget;
class QTimer;

namespace altiscope {

class CaptureTree;
class ContextBar;
class FindingSettings;
class FindingsFeed;
class FindingsPage;
struct ViewMemory;
class DemoCapture;
class DetailsPanel;
class KernelPanel;
class LayerPanel;
class Marks;
class MarksPanel;
class CommunicationPage;
class MemoryPage;
class OperatorsPage;
class MessagePage;
class OverviewPage;
class ReportModel;
class ReportView;
class StatusFacts;
class TimelinePage;
class WindowActions;

/// What the window works with; all of it outlives the window.
struct WindowServices {
    Session& session;
    Selection& selection;
    ThemeController& theme;
    LanguageController& language;
    UserSettings& settings;
    DemoCapture& demo;
    Marks& marks;
};

/// The one window: menus, capture tree, pages, bottom panel, status bar. Puts the parts together and decides nothing else.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(const WindowServices& services);
    ~MainWindow() override;

    /// Opens paths; those that could be opened are remembered as recent.
    void open(const QStringList& paths);
    void showView(ViewId view);
    void showRange(TimeRange range);
    /// Selects a slice as soon as a capture that is read completely has it, and then shows it on a page.
    void selectWhenRead(SliceId slice, std::optional<ViewId> thenShow = {});

    /// Nothing runs and everything that is shown is exact.
    bool idle() const;

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void setUpPages();
    ViewMemory viewMemory();
    void setUpDocks();
    void setUpStatusBar();
    void connectActions();
    void restoreLayout();
    void retranslate();

    void chooseFolder();
    void chooseFile();
    QString besideRecent() const;  ///< The folder that holds the last opened capture; empty if none is known.
    void showReport(std::uint32_t capture);
    void showMessage(const QString& text);
    void showAbout();
    void showCommands();
    void resetLayout();
    void refreshState();
    /// Once an import has ended: remembers its path, or tells its error.
    void takeOutcome(std::uint32_t capture);
    void showFailure();
    void findPendingSlice();
    ViewId currentView() const;
    void followPage();
    void linkWindows();
    void followBottomPanel();
    std::uint32_t currentCapture() const;

    WindowServices m_services;
    std::unique_ptr<WindowActions> m_actions;
    ReportModel* m_reportModel;
    FindingsFeed* m_findingsFeed;
    FindingSettings* m_findingSettings;
    CaptureTree* m_tree = nullptr;
    QStackedWidget* m_centre = nullptr;
    MessagePage* m_start = nullptr;
    MessagePage* m_failure = nullptr;
    QTabWidget* m_tabs = nullptr;
    std::map<ViewId, QWidget*> m_pages;
    OverviewPage* m_overview = nullptr;
    FindingsPage* m_findings = nullptr;
    MemoryPage* m_memory = nullptr;
    CommunicationPage* m_communication = nullptr;
    OperatorsPage* m_operators = nullptr;
    ContextBar* m_context = nullptr;
    TimelinePage* m_timeline = nullptr;
    QDockWidget* m_treeDock = nullptr;
    QDockWidget* m_bottomDock = nullptr;
    QTabWidget* m_bottom = nullptr;
    DetailsPanel* m_details = nullptr;
    LayerPanel* m_layers = nullptr;
    KernelPanel* m_kernels = nullptr;
    MarksPanel* m_marks = nullptr;
    ReportView* m_report = nullptr;
    QLabel* m_message = nullptr;
    QTimer* m_messageTimer = nullptr;
    QByteArray m_freshLayout;
    std::set<std::uint32_t> m_toRemember;  // opened by the user, not read yet
    std::set<std::uint32_t> m_toldErrors;
    std::optional<SliceId> m_pendingSlice;
    std::optional<ViewId> m_pendingView;
    bool m_bottomFollows = false;  // the lower panel is being shown or hidden for the page, not by the user
    JobSlot m_sliceSearch;
};

}  // namespace altiscope
