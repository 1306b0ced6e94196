#include "app/gui/main_window.h"

#include "app/gui/bottom_panel.h"
#include "app/gui/demo_tour.h"
#include "app/gui/edit_menu.h"
#include "app/gui/host_opening.h"
#include "app/gui/lower_dock.h"
#include "app/gui/palette_search.h"
#include "app/gui/settings_window.h"
#include "app/gui/tab_stops.h"
#include "app/gui/window_actions.h"
#include "app/gui/window_pages.h"
#include "app/gui/workspace_controller.h"
#include "core/session/cache_view.h"
#include "core/session/demo_capture.h"
#include "core/session/find/slice_by_id.h"
#include "core/session/marks.h"
#include "core/session/raw_analysis_job.h"
#include "core/session/reading/input_kinds.h"
#include "core/session/workspace/capture_link.h"
#include "core/session/workspace_file.h"
#include "views/capture/hosts/remote_dialog.h"
#include "views/common/pages/message_page.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/support/landing_view.h"
#include "views/common/theme/focus_ring.h"
#include "views/common/widgets/command_palette.h"
#include "views/common/widgets/job_bar.h"
#include "views/common/widgets/recent_list.h"
#include "views/findings/evidence_bar.h"
#include "views/help/manual.h"
#include "views/help/manual_window.h"
#include "views/overview/changed_files_bar.h"
#include "views/overview/context_bar.h"
#include "views/overview/dialogs/deliverables_dialog.h"
#include "views/overview/facts/capture_texts.h"
#include "views/overview/facts/report_model.h"
#include "views/overview/start_page.h"
#include "views/overview/status_facts.h"
#include "views/overview/tree/capture_tree.h"
#include "views/overview/tree/captures_panel.h"
#include "views/sql/sql_page.h"
#include "views/timeline/page/timeline_page.h"
#include "views/workspace/link_opener.h"
#include "views/workspace/notice_bar.h"
#include "views/workspace/workspace_keeper.h"

#include <QApplication>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QScreen>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <set>
#include <string_view>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr QSize kFreshSize{1440, 900};
/// Names of missing data and their switches fit.
constexpr int kTreeWidth = 320;
constexpr int kLayoutVersion = WorkspaceController::kLayoutVersion;
constexpr int kMessageMs = 6000;

}  // namespace

MainWindow::MainWindow(const WindowServices& services)
    // Fonts and colours count before there is a widget that would follow them.
    : QMainWindow((SettingsWindow::apply(services), nullptr)), m_services(services),
      m_actions(std::make_unique<WindowActions>(*menuBar())), m_reportModel(new ReportModel(services.session, this)),
      m_hosts(new HostOpening(services, *this)), m_sliceSearch(services.session.jobs()) {
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    setUpCentre();
    setUpDocks();
    setUpStatusBar();
    setUpWorkspace();
    m_tour = new DemoTour(services, *m_pages, *this);
    connect(m_tour, &DemoTour::captureWanted, m_tree, &CaptureTree::setCurrentCapture);
    m_settings = new SettingsWindow(services, *m_actions, *m_pages, *this);
    connect(m_settings, &SettingsWindow::themeChosen, this, &MainWindow::chooseTheme);
    connect(m_settings, &SettingsWindow::languageChosen, this, &MainWindow::chooseLanguage);
    connectActions();
    connect(m_hosts, &HostOpening::fetched, this, &MainWindow::openHere);
    connect(&services.session, &Session::captureOpened, this, &MainWindow::refreshState);
    connect(&services.session, &Session::captureChanged, this, [this](CaptureId capture) {
        refreshState();
        takeOutcome(capture);
    });
    connect(&services.session, &Session::captureClosed, this, [this](CaptureId capture) {
        m_services.selection.forget(capture);
        m_shownErrors.erase(capture);
        m_toRemember.erase(capture);
        m_places.erase(capture);
        refreshState();
    });
    connect(&services.selection, &Selection::changed, this, [this] {
        followCapture();
        followPage();
        m_bottomDock->followSelection();
        refreshState();
    });
    m_actions->setRecent(services.settings.recent());
    m_start->setRecent(services.settings.recent());
    retranslate();
    showView(ViewId::Overview);
    restoreLayout();
    refreshState();
    m_workspace->keeper().offerRecovery();
}

MainWindow::~MainWindow() {
    // The pages of its dialog are about parts of all others.
    delete std::exchange(m_settings, nullptr);
    // They still say what goes with the window when nothing can listen any more.
    m_pages->disconnect(this);
}

// --- parts --------------------------------------------------------------------------------------------------------

void MainWindow::setUpCentre() {
    m_centre = new QStackedWidget(this);
    m_start = new StartPage(m_centre);
    for (const C command : {C::OpenFolder, C::OpenFile, C::OpenDemo, C::Record})
        m_start->message().addActionButton(&action(command));
    connect(m_start, &StartPage::chosen, this, [this](const QString& path) { open({path}); });
    m_failure = new MessagePage(m_centre);
    m_failure->addActionButton(&action(C::Reload));
    m_failure->addActionButton(&action(C::OpenFolder));
    m_failure->addActionButton(&action(C::CloseCapture));

    m_pages = new WindowPages(m_services, *m_reportModel, m_centre);
    connect(m_pages, &QTabWidget::currentChanged, this, [this] {
        m_services.selection.setPage({});
        if (m_bottomDock != nullptr) m_bottomDock->followPage();
        refreshState();
    });
    connect(m_pages, &WindowPages::sliceRequested, this,
            [this](SliceId slice) { selectWhenRead(slice, ViewId::Timeline); });
    connect(m_pages, &WindowPages::statusMessage, this, &MainWindow::showMessage);
    connect(m_pages, &WindowPages::openRequested, this, [this](const QStringList& paths) {
        open(paths);
        showView(ViewId::Overview);
    });
    // Out of sight they would keep height from the panel below the pages.
    for (QWidget* widget : std::initializer_list<QWidget*>{m_start, m_failure})
        widget->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_start, m_failure, m_pages}) {
        m_centre->addWidget(widget);
    }
    auto* centre = new QWidget(this);
    auto* column = bareLayout<QVBoxLayout>(centre);
    m_notices = new NoticeBar(centre);
    column->addWidget(m_notices);
    column->addWidget(new ChangedFilesBar(m_services.session, centre));
    m_context = new ContextBar(m_services.session, m_services.selection, centre);
    connect(m_context, &ContextBar::left, this, [this] {
        (m_centre->currentWidget() == m_pages ? m_pages->currentWidget() : m_centre->currentWidget())->setFocus();
    });
    column->addWidget(m_context);
    column->addWidget(&m_pages->evidenceBar());
    column->addWidget(m_centre, 1);
    setCentralWidget(centre);
    new FocusRing(this);
}

void MainWindow::setUpDocks() {
    auto* captures = new CapturesPanel(m_services.session, this);
    m_tree = &captures->tree();
    const auto focusPage = [this] { m_pages->currentWidget()->setFocus(); };
    m_treeDock = new WindowDock(this, focusPage);
    m_treeDock->setObjectName(u"captures"_s);
    m_treeDock->setWidget(captures);
    addDockWidget(Qt::LeftDockWidgetArea, m_treeDock);
    connect(m_tree, &CaptureTree::currentCaptureChanged, this, &MainWindow::refreshState);
    connect(m_pages, &WindowPages::captureWanted, m_tree, &CaptureTree::setCurrentCapture);
    connect(m_tree, &CaptureTree::reportRequested, this, &MainWindow::showReport);
    connect(m_tree, &CaptureTree::deliverablesRequested, this, &MainWindow::writeDeliverables);

    m_bottom = new BottomPanel(m_services, m_pages->timeline(), *m_reportModel, this);
    m_bottomDock = new LowerDock(*this, m_services.settings, *m_pages, m_services.selection, focusPage);
    m_bottomDock->setWidget(m_bottom);
    addDockWidget(Qt::BottomDockWidgetArea, m_bottomDock);
    connect(m_bottom, &BottomPanel::wanted, m_bottomDock, [this] { m_bottomDock->present(); });
    connect(m_bottom, &BottomPanel::timelineRequested, this, [this] { showView(ViewId::Timeline); });
    connect(m_bottom, &BottomPanel::rangeRequested, this, [this](CaptureId capture, TimeRange range) {
        if (!m_pages->timeline().shows(capture)) m_tree->setCurrentCapture(capture);
        m_pages->timeline().showCaptureRange(capture, range);
        showView(ViewId::Timeline);
    });
    // The tree keeps the full height: ranks are many, details few.
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);

    m_edit = new EditMenu(m_services, *m_actions, *m_pages, *m_bottom, *this);
    connect(m_edit, &EditMenu::statusMessage, this, &MainWindow::showMessage);
    connect(m_edit, &EditMenu::commandsWanted, this, &MainWindow::showCommands);
    m_actions->menu(WindowMenu::Panels).addActions({m_treeDock->toggleViewAction(), m_bottomDock->toggleViewAction()});
}

void MainWindow::setUpStatusBar() {
    m_message = new QLabel(this);
    m_messageTimer = new QTimer(this);
    m_messageTimer->setSingleShot(true);
    m_messageTimer->setInterval(kMessageMs);
    connect(m_messageTimer, &QTimer::timeout, m_message, &QLabel::clear);
    connect(&m_services.marks, &Marks::notKept, this,
            [this](const QString& file) { showMessage(tr("Marks are not kept: %1 cannot be written.").arg(file)); });
    connect(&m_pages->timeline(), &TimelinePage::linkFollowed, this,
            [this](const QString& text) { m_workspace->links().follow(text); });
    auto* facts = new StatusFacts(m_services.session, *m_reportModel, this);
    connect(facts, &StatusFacts::reportRequested, this, [this] { showReport(kNoCapture); });
    statusBar()->addWidget(new JobBar(m_services.session.jobs(), this));
    statusBar()->addWidget(m_message, 1);
    statusBar()->addPermanentWidget(facts);
}

void MainWindow::setUpWorkspace() {
    m_workspace = new WorkspaceController(m_services, *m_pages, *m_bottom, *m_tree, *this, *m_notices,
                                          [this] { return isStill(); });
    connect(m_workspace, &WorkspaceController::statusMessage, this, &MainWindow::showMessage);
    connect(m_workspace, &WorkspaceController::captureWanted, m_tree, &CaptureTree::setCurrentCapture);
    // With the height that the workspace says, and without a word about what the user wants of other captures.
    connect(m_workspace, &WorkspaceController::docksWanted, this,
            [this](const QByteArray& state) { m_bottomDock->layOut([&] { restoreState(state, kLayoutVersion); }); });
    connect(&m_workspace->keeper(), &WorkspaceKeeper::changed, this, &MainWindow::showTitle);
    connect(&m_workspace->keeper(), &WorkspaceKeeper::used, this, &MainWindow::remember);
    connect(&m_workspace->links(), &LinkOpener::openRequested, this, [this](const QString& path) { open({path}); });
}

// --- what the user requests ---------------------------------------------------------------------------------------

void MainWindow::open(const QStringList& paths) {
    for (const QString& path : paths) {
        if (looksLikeLink(path)) {
            m_workspace->links().follow(path);
        } else if (isWorkspaceName(path)) {
            m_workspace->keeper().open(path);
        } else if (namesCaptureOnHost(path)) {
            m_hosts->open(path);
        } else {
            openHere(path);
        }
    }
}

void MainWindow::openHere(const QString& path, const QString& place) {
    const CaptureId capture = m_services.session.open(path);
    if (!place.isEmpty()) m_places[capture] = place;
    m_toRemember.insert(capture);
    m_tree->setCurrentCapture(capture);
    takeOutcome(capture);
}

void MainWindow::remember(const QString& path) {
    m_services.settings.setRecent(withRecent(m_services.settings.recent(), path));
    m_actions->setRecent(m_services.settings.recent());
    m_start->setRecent(m_services.settings.recent());
}

void MainWindow::takeOutcome(CaptureId id) {
    const OpenCapture* capture = m_services.session.capture(id);
    if (capture == nullptr) return;
    if (capture->job != 0 || !capture->error) m_shownErrors.erase(id);
    if (capture->job != 0) return;
    if (!capture->error) {
        if (m_toRemember.erase(id) == 0) return;
        const auto place = m_places.find(id);
        remember(place == m_places.end() ? capture->path : place->second);
        land(*capture);
        return;
    }
    // While nothing else is open, a page of its own tells it.
    if (!m_shownErrors.insert(id).second || m_centre->currentWidget() == m_failure) return;
    showMessage(tr("%1 could not be opened").arg(captureName(*capture)));
    showReport(id);
}

/// A snapshot, dump or table that is opened alone shows the page that has its data, unless a page was chosen meanwhile.
void MainWindow::land(const OpenCapture& capture) {
    const bool isChosen = m_isViewKept || m_pages->currentView() != ViewId::Overview;
    if (isChosen || capture.store == nullptr || m_services.session.captures().size() != 1) return;
    std::set<std::string_view> present;
    for (const RankEntry& rank : capture.store->ranks)
        present.insert(rank.info.present.begin(), rank.info.present.end());
    if (const auto view = landingView({present.begin(), present.end()})) showView(*view);
}

void MainWindow::chooseFolder() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Open a capture folder"), besideRecent());
    if (!folder.isEmpty()) open({folder});
}

void MainWindow::chooseFile() {
    QStringList patterns{u"*.altiscope"_s};
    for (const std::string& ending : inputEndings()) patterns << u"*."_s + toQString(ending);
    const QString filters = tr("Traces, archives and workspaces (%1);;All files (*)").arg(patterns.join(u' '));
    open(QFileDialog::getOpenFileNames(this, tr("Open trace files"), besideRecent(), filters));
}

QString MainWindow::besideRecent() const {
    const QStringList recent = m_services.settings.recent();
    const auto here =
        std::find_if(recent.begin(), recent.end(), [](const QString& path) { return !namesCaptureOnHost(path); });
    return here == recent.end() ? QString() : QFileInfo(*here).absolutePath();
}

void MainWindow::showView(ViewId view) { m_pages->showView(view); }

void MainWindow::keepView(ViewId view) {
    // Else the next one, which the user opens, would lose its page.
    if (!m_workspace->keeper().idle()) m_workspace->keepPage();
    m_isViewKept = true;
    showView(view);
}

void MainWindow::showRange(TimeRange range) { m_pages->timeline().showRange(range); }

void MainWindow::selectWhenRead(SliceId slice, std::optional<ViewId> thenShow) {
    m_pendingSlice = slice;
    m_pendingView = thenShow;
    findPendingSlice();
}

void MainWindow::findPendingSlice() {
    if (!m_pendingSlice) return;
    for (const OpenCapture& capture : m_services.session.captures()) {
        // Provisional stores may not hold it yet.
        if (capture.job != 0) return;
    }
    struct Found {
        CaptureId capture;
        SliceKey slice;
    };
    m_sliceSearch.start(
        [captures = m_services.session.captures(),
         slice = *m_pendingSlice](const CancelToken&) -> std::optional<Found> {
            for (const OpenCapture& capture : captures) {
                if (capture.store == nullptr) continue;
                if (const auto key = findSliceInAnyRank(*capture.store, slice)) return Found{capture.id, *key};
            }
            return std::nullopt;
        },
        [this](const std::optional<Found>& found) {
            m_pendingSlice.reset();
            if (!found) return showMessage(tr("No slice of the open captures has the requested id."));
            m_services.selection.selectSlice(found->capture, found->slice);
            if (m_pendingView) showView(*m_pendingView);
            m_services.selection.reveal(found->capture, found->slice);
        });
}

void MainWindow::showReport(CaptureId capture) {
    m_bottom->showReport(capture);
    m_bottomDock->raise();
}

void MainWindow::writeDeliverables(CaptureId capture) {
    writeDeliverablesAs(m_services.session, capture, this, [this](const QString& text) { showMessage(text); });
}

void MainWindow::showMessage(const QString& text) {
    m_message->setText(text);
    m_messageTimer->start();
}

void MainWindow::showManual(const QString& page) {
    if (m_manual == nullptr) m_manual = new ManualWindow(m_services.settings.viewMemory(), this);
    m_manual->showPage(page);
}

void MainWindow::showAbout() {
    QMessageBox::about(this, tr("About Altiscope"),
                       tr("Altiscope %1\n\nViewer and analyser for Ascend NPU profiles.\nFree software under the GNU "
                          "General Public License, version 3 or later.")
                           .arg(QCoreApplication::applicationVersion()));
}

void MainWindow::showCommands() {
    m_edit->fillExport();  // which is else filled when it opens
    std::vector<Command> commands = commandsOf(*menuBar());
    const QString page = viewTitle(ViewId::Timeline);
    for (QAction* action : m_pages->timeline().commands())
        commands.push_back({page + u" › "_s + withoutAccessKey(action->text()), action, {}});
    if (m_pages->currentView() == ViewId::Sql) {
        for (QAction* action : m_pages->sql().commands()) {
            if (action->isEnabled())
                commands.push_back({viewTitle(ViewId::Sql) + u" › "_s + withoutAccessKey(action->text()), action, {}});
        }
    }
    auto* palette = new CommandPalette(std::move(commands), this);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    new PaletteSearch(m_services, *m_pages, *palette);
    connect(palette, &CommandPalette::linkEntered, this,
            [this](const QString& text) { m_workspace->links().follow(text); });
    palette->open();
}

CaptureId MainWindow::currentCapture() const {
    if (const CaptureId current = m_tree->currentCapture(); current != kNoCapture) return current;
    const auto& captures = m_services.session.captures();
    return captures.empty() ? kNoCapture : captures.back().id;
}

/// Something of another capture that is selected, or a step back to it, makes that one the current one, unless it is on
/// the axis of the one that is.
void MainWindow::followCapture() {
    const CaptureId selected = m_services.selection.current().capture;
    if (std::exchange(m_selectedIn, selected) == selected || selected == kNoCapture) return;
    if (selected != m_services.selection.shownCapture() && !m_pages->timeline().shows(selected))
        m_tree->setCurrentCapture(selected);
}

/// A step back in what is selected leads to the page on which it was.
void MainWindow::followPage() {
    const auto view = viewFromName(QString::fromStdString(m_services.selection.current().page));
    if (view && *view != m_pages->currentView()) showView(*view);
}

// --- state --------------------------------------------------------------------------------------------------------

bool MainWindow::isStill() const {
    return m_services.session.jobs().idle() && m_pages->idle() && m_bottom->idle() && !m_sliceSearch.busy();
}

bool MainWindow::idle() const { return isStill() && m_workspace->idle(); }

std::optional<Error> MainWindow::problem() const { return m_workspace->keeper().problem(); }

void MainWindow::leaveForNextStart() { m_workspace->keeper().leaveForNextStart(); }

void MainWindow::refreshState() {
    const auto& captures = m_services.session.captures();
    const bool allFailed = std::all_of(captures.begin(), captures.end(), [](const OpenCapture& capture) {
        return capture.error.has_value() && capture.store == nullptr;
    });
    const ViewId view = m_pages->currentView();
    const PageTraits traits = traitsOf(view);
    QWidget* centre = traits.needsNoCapture ? m_pages
                      : captures.empty()    ? static_cast<QWidget*>(m_start)
                      : allFailed           ? static_cast<QWidget*>(m_failure)
                                            : m_pages;
    if (m_centre->currentWidget() != centre) {
        m_centre->setCurrentWidget(centre);
        // Keys go to the page that has come up, not to what was beside the old one.
        (centre == m_pages ? m_pages->currentWidget() : centre)->setFocus();
    }
    if (centre == m_failure) showFailure();
    // Also after a capture was closed, with which the selection was forgotten.
    if (m_services.selection.current().page.empty()) m_services.selection.setPage(viewName(view).toStdString());

    m_context->setPageFollows(traits.followsContext);
    m_context->setPageChooses(traits.choosesRanks, traits.choosesSteps);
    for (const auto& [of, page] : m_actions->views()) page->setChecked(of == view);
    for (const C command : {C::Reload, C::CloseCapture, C::ImportReport}) {
        action(command).setEnabled(!captures.empty());
    }
    action(C::AddToReport).setEnabled(centre == m_pages && !captures.empty() && traits.goesIntoReport);
    action(C::UndoSelection).setEnabled(m_services.selection.canUndo());
    action(C::RedoSelection).setEnabled(m_services.selection.canRedo());

    const OpenCapture* capture = m_services.session.capture(currentCapture());
    action(C::Deliverables)
        .setEnabled(capture != nullptr && capture->store != nullptr && holdsRawData(*capture->store));
    m_services.selection.showCapture(capture == nullptr ? kNoCapture : capture->id);
    action(C::SaveWorkspace).setEnabled(!captures.empty());
    action(C::SaveWorkspaceAs).setEnabled(!captures.empty());
    action(C::CopyLink).setEnabled(capture != nullptr && capture->store != nullptr);
    showTitle();
    findPendingSlice();
}

void MainWindow::showTitle() {
    const OpenCapture* capture = m_services.session.capture(currentCapture());
    setWindowTitle(m_workspace->titleOf(capture == nullptr ? QString() : captureName(*capture)));
}

void MainWindow::showFailure() {
    const OpenCapture* capture = m_services.session.capture(currentCapture());
    if (capture == nullptr || !capture->error) return;
    m_failure->setMessage({.kind = PageMessage::Kind::Error,
                           .title = tr("%1 could not be opened").arg(captureName(*capture)),
                           .reason = summaryOf(*capture).explanation,
                           .remedy = capture->path,
                           .icon = {}});
}

void MainWindow::restoreLayout() {
    resize(kFreshSize);
    resizeDocks({m_treeDock}, {kTreeWidth}, Qt::Horizontal);
    resizeDocks({m_bottomDock}, {kFreshSize.height() / 4}, Qt::Vertical);
    m_freshLayout = saveState(kLayoutVersion);
    restoreGeometry(m_services.settings.geometry());
    restoreState(m_services.settings.layout(), kLayoutVersion);
    m_bottomDock->followPage();
}

void MainWindow::resetLayout() {
    restoreState(m_freshLayout, kLayoutVersion);
    m_treeDock->show();
    m_bottomDock->forget();
    m_bottomDock->followPage();
}

void MainWindow::retranslate() {
    m_actions->retranslate();
    m_settings->retranslate();
    m_reportModel->retranslate();
    m_pages->retranslate();
    m_bottom->retranslate();
    const auto name = [](QDockWidget& dock, const char* text) {
        dock.setWindowTitle(tr(text));
        dock.toggleViewAction()->setProperty("english", QString::fromUtf8(text));
    };
    name(*m_treeDock, QT_TR_NOOP("Captures"));
    name(*m_bottomDock, QT_TR_NOOP("Details and report"));
    m_start->message().setMessage(
        {.kind = PageMessage::Kind::Empty,
         .title = tr("Open a capture"),
         .reason = tr("A folder as the profiler wrote it, one trace file, or an archive. Or drop it here."),
         .remedy = tr("Opened read-only: nothing in or beside it changes."),
         .icon = u"capture"_s});
    refreshState();
}

// --- events -------------------------------------------------------------------------------------------------------

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    // The training may have gone on while another program was in use.
    if (event->type() == QEvent::ActivationChange && isActiveWindow()) m_services.session.checkFiles();
    if (event->type() == QEvent::WindowStateChange) action(C::FullScreen).setChecked(isFullScreen());
    QMainWindow::changeEvent(event);
}

bool MainWindow::focusNextPrevChild(bool next) {
    QWidget* const stop = next ? nextTabStop(*this) : nullptr;
    if (stop == nullptr) return QMainWindow::focusNextPrevChild(next);
    stop->setFocus(Qt::TabFocusReason);
    return true;
}

bool MainWindow::event(QEvent* event) {
    if (event->type() != LinkRequest::kind()) return QMainWindow::event(event);
    LinkPlace place = static_cast<LinkRequest*>(event)->place();
    if (place.capture == kNoCapture) place.capture = m_services.selection.shownCapture();
    m_workspace->links().copy(place);
    return true;
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_workspace->keeper().mayLeave()) return event->ignore();
    m_workspace->keeper().forgetRecovery();
    m_bottomDock->keepHeight();
    m_services.settings.setGeometry(saveGeometry());
    m_services.settings.setLayout(saveState(kLayoutVersion));
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    const bool hasFile = std::any_of(urls.begin(), urls.end(), [](const QUrl& url) { return url.isLocalFile(); });
    if (hasFile || !HostOpening::placeIn(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile()) paths << url.toLocalFile();
    }
    if (const QString place = HostOpening::placeIn(*event->mimeData()); paths.isEmpty() && !place.isEmpty())
        paths << place;
    event->acceptProposedAction();
    open(paths);
}

}  // namespace altiscope
