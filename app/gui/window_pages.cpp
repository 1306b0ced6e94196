#include "app/gui/window_pages.h"

#include "app/gui/evidence_controller.h"
#include "app/gui/user_settings.h"
#include "core/session/findings_loader.h"
#include "core/session/selection.h"
#include "core/session/session.h"
#include "views/capture/capture_page.h"
#include "views/cluster/cluster_page.h"
#include "views/common/support/finding_settings.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"
#include "views/communication/communication_page.h"
#include "views/compare/compare_page.h"
#include "views/findings/evidence_bar.h"
#include "views/findings/findings_page.h"
#include "views/memory/memory_page.h"
#include "views/operators/operators_page.h"
#include "views/overview/facts/capture_texts.h"
#include "views/overview/page/overview_page.h"
#include "views/report/report_page.h"
#include "views/snapshot/snapshot_page.h"
#include "views/sql/sql_page.h"
#include "views/timeline/page/timeline_page.h"
#include "views/workspace/table_states.h"

#include <QCoreApplication>
#include <QEvent>
#include <QMenu>
#include <QStyle>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// Property of the tabs where there is little room, and by how much each is narrower then.
constexpr const char* kTight = "tight";
constexpr int kTightSaves = 2 * (kTabPadding - kTightTabPadding);

/// Follows the shown capture, before the pages do.
FindingsLoader* findingsLoader(const WindowServices& services, QObject* parent) {
    auto* loader = new FindingsLoader(services.session, parent);
    QObject::connect(&services.selection, &Selection::shownCaptureChanged, loader, &FindingsLoader::showCapture);
    return loader;
}

}  // namespace

WindowPages::WindowPages(const WindowServices& services, ReportModel& report, QWidget* parent)
    : QTabWidget(parent), m_services(services), m_loader(findingsLoader(services, this)),
      m_findingSettings(new FindingSettings(services.settings.viewMemory(), this)),
      m_timeline(
          new TimelinePage(services.session, services.selection, services.marks, this, services.settings.viewMemory())),
      m_evidence(new EvidenceController(services, *m_loader, *m_timeline, this)),
      m_overview(new OverviewPage(services.session, services.selection, *m_loader, *m_findingSettings, report,
                                  services.marks, services.settings.viewMemory(), this)),
      m_memory(
          new MemoryPage(services.session, services.selection, services.marks, services.settings.viewMemory(), this)),
      m_sql(new SqlPage(services.session, services.selection, services.settings.viewMemory(), this)),
      m_capture(new CapturePage(services.session, services.settings.viewMemory(), services.captureFolder, this)),
      m_report(new ReportPage(services.session, services.selection, services.settings.viewMemory(), this)),
      m_compare(new ComparePage(services.session, services.selection, services.settings.viewMemory(), this)),
      m_all(new QToolButton(this)) {
    const auto takeThresholds = [this] { m_loader->setThresholds(m_findingSettings->thresholds()); };
    takeThresholds();
    connect(m_findingSettings, &FindingSettings::thresholdsChanged, this, takeThresholds);
    setUpTabs();
    connectPages();
    connect(this, &QTabWidget::currentChanged, this, &WindowPages::linkWindows);
    connect(this, &QTabWidget::currentChanged, this, &QWidget::updateGeometry);
}

void WindowPages::setUpTabs() {
    setDocumentMode(true);
    tabBar()->setUsesScrollButtons(true);
    tabBar()->setExpanding(false);
    tabBar()->setElideMode(Qt::ElideNone);
    const ViewMemory memory = m_services.settings.viewMemory();
    Session& session = m_services.session;
    Selection& selection = m_services.selection;
    m_pages = {
        {ViewId::Overview, m_overview},
        {ViewId::Timeline, m_timeline},
        {ViewId::Findings, new FindingsPage(session, selection, *m_loader, *m_findingSettings, memory, this)},
        {ViewId::Memory, m_memory},
        {ViewId::Snapshot, new SnapshotPage(session, selection, memory, this)},
        {ViewId::Communication, new CommunicationPage(session, selection, *m_loader, *m_findingSettings, memory, this)},
        {ViewId::Cluster, new ClusterPage(session, selection, *m_loader, memory, this)},
        {ViewId::Operators, new OperatorsPage(session, selection, memory, this)},
        {ViewId::Report, m_report},
        {ViewId::Sql, m_sql},
        {ViewId::Compare, m_compare},
        {ViewId::Capture, m_capture}};
    for (const ViewId view : allViews()) addTab(m_pages.at(view), QString());
    m_all->setIcon(themedIcon(u"more"_s));
    m_all->setAutoRaise(true);
    m_all->setFocusPolicy(Qt::TabFocus);
    m_all->setPopupMode(QToolButton::InstantPopup);
    m_all->setMenu(new QMenu(m_all));
    connect(m_all->menu(), &QMenu::aboutToShow, this, &WindowPages::listPages);
    m_all->hide();
}

void WindowPages::listPages() {
    m_all->menu()->clear();
    for (int tab = 0; tab < count(); ++tab) {
        const ViewId view = allViews()[static_cast<std::size_t>(tab)];
        QAction* action = m_all->menu()->addAction(themedIcon(viewIcon(view)), viewTitle(view));
        action->setCheckable(true);
        action->setChecked(view == currentView());
        connect(action, &QAction::triggered, this, [this, view] { showView(view); });
    }
}

void WindowPages::fitTabs() {
    int needed = 0;
    for (int tab = 0; tab < count(); ++tab) needed += tabBar()->tabRect(tab).width();
    const bool wasTight = tabBar()->property(kTight).toBool();
    const int saved = kTightSaves * count(), wide = wasTight ? needed + saved : needed;
    const bool isTight = wide > width();
    if (isTight != wasTight) {
        tabBar()->setProperty(kTight, isTight);
        style()->unpolish(tabBar());
        style()->polish(tabBar());
        QEvent change(QEvent::StyleChange);  // or they keep their places
        QCoreApplication::sendEvent(tabBar(), &change);
    }
    QToolButton* corner = isTight && wide - saved > width() ? m_all : nullptr;
    if (cornerWidget() == corner) return;
    setCornerWidget(corner);
    m_all->setVisible(corner != nullptr);
}

void WindowPages::resizeEvent(QResizeEvent* event) {
    QTabWidget::resizeEvent(event);
    fitTabs();
}

void WindowPages::connectPages() {
    for (const auto& [view, page] : m_pages) {
        connect(page, &DataPage::sliceRequested, this, &WindowPages::sliceRequested);
        connect(page, &DataPage::placeRequested, this, &WindowPages::showPlace);
        connect(page, &DataPage::evidenceRequested, this, [this](std::size_t finding, std::size_t spot) {
            linkWindows();  // or the time that another page shows would replace that of the evidence
            m_evidence->show(finding, spot);
        });
        connect(page, &DataPage::timelineRequested, this, [this] { showView(ViewId::Timeline); });
        connect(page, &DataPage::statusMessage, this, &WindowPages::statusMessage);
    }
    auto* snapshot = static_cast<SnapshotPage*>(m_pages.at(ViewId::Snapshot));
    connect(snapshot, &SnapshotPage::momentChanged, m_timeline, &TimelinePage::showMoment);
    connect(m_timeline, &TimelinePage::momentOpened, this, [this] { showView(ViewId::Snapshot); });
    connect(m_compare, &ComparePage::viewRequested, this, [this](ViewId view, CaptureId capture) {
        emit captureWanted(capture);
        showView(view);
    });
    connect(m_capture, &CapturePage::openRequested, this, &WindowPages::openRequested);
    connect(m_capture, &CapturePage::comparisonRequested, this, &WindowPages::compare);
    auto* communication = static_cast<CommunicationPage*>(m_pages.at(ViewId::Communication));
    connect(m_timeline, &TimelinePage::collectiveRequested, this,
            [this, communication](CaptureId capture, RankIndex rank, const QString& name, TimeNs begin) {
                emit captureWanted(capture);
                showView(ViewId::Communication);
                communication->showCollective(rank, name, begin);
            });
    auto* cluster = static_cast<ClusterPage*>(m_dataPages.at(ViewId::Cluster));
    connect(cluster, &ClusterPage::overviewRequested, this, [this](std::int64_t rank) {
        ContextFilter context = m_services.selection.current().context;
        context.ranks = {rank};
        context.devices.clear();
        m_services.selection.setContext(std::move(context));
        showView(ViewId::Overview);
    });
    connect(m_evidence, &EvidenceController::rowsRequested, this, &WindowPages::showRows);
    connect(m_evidence, &EvidenceController::sliceRequested, this, &WindowPages::sliceRequested);
    connect(m_evidence, &EvidenceController::memoryRequested, this, [this](const MemoryPlace& place) {
        m_memory->showPlace(place);
        showView(ViewId::Memory);
    });
    connect(m_evidence, &EvidenceController::timelineRequested, this, [this] { showView(ViewId::Timeline); });
    auto* findings = static_cast<FindingsPage*>(m_pages.at(ViewId::Findings));
    connect(m_evidence, &EvidenceController::listRequested, this, [this, findings](std::size_t finding) {
        showView(ViewId::Findings);
        findings->showFinding(finding);
    });
}

void WindowPages::compare(const QString& base, const QString& current) {
    emit openRequested({base, current});
    const CaptureId first = m_services.session.open(base), second = m_services.session.open(current);
    m_compare->choose(first, second);
    showView(ViewId::Compare);
}

/// On the page that knows them best; rows of which none knows more than they say, as such.
void WindowPages::showRows(const FindingEvidence::Rows& rows) {
    for (const auto& [view, page] : m_pages)
        if (page->showRows(m_evidence->capture(), rows)) return showView(view);
    showView(ViewId::Sql);
    m_sql->showStatement(tr("Evidence"), toQString(statementOf(rows)));
}

void WindowPages::showPlace(RankIndex rank, TimeRange range) {
    linkWindows();  // or the time that another page shows would replace this one
    m_timeline->showPlace(m_services.selection.shownCapture(), rank, range);
    showView(ViewId::Timeline);
}

/// Pages with a time axis show the same time: the one that comes up follows the one that was moved.
void WindowPages::linkWindows() {
    const CaptureId capture = m_memory->shownCapture();
    if (const auto moved = m_memory->takeWindow()) m_timeline->showCaptureRange(capture, *moved);
    if (const auto shown = m_timeline->captureRange(capture)) m_memory->followTimeline(*shown, m_timeline->showsAll());
}

void WindowPages::showView(ViewId view) {
    setCurrentWidget(m_pages.at(view));
    m_pages.at(view)->setFocus();
}

EvidenceBar& WindowPages::evidenceBar() { return m_evidence->bar(); }

void WindowPages::showEvidence(std::size_t finding) { m_evidence->show(finding, 0); }

ViewId WindowPages::currentView() const {
    const auto page = std::find_if(m_pages.begin(), m_pages.end(),
                                   [this](const auto& entry) { return entry.second == currentWidget(); });
    return page == m_pages.end() ? ViewId::Overview : page->first;
}

QSize WindowPages::minimumSizeHint() const {
    const int height = tabBar()->minimumSizeHint().height() + currentWidget()->minimumSizeHint().height();
    return {QTabWidget::minimumSizeHint().width(), height};
}

QJsonObject WindowPages::state(const WorkspaceIds& captures) const {
    QJsonObject all;
    for (const auto& [view, page] : m_pages) {
        QJsonObject state = stateOfTables(*page);
        if (const auto* own = dynamic_cast<const PageState*>(page)) {
            QJsonObject ownState = own->state(captures);
            QJsonObject look = state.value(PageState::kView).toObject();
            const QJsonObject ownLook = ownState.value(PageState::kView).toObject();
            for (auto member = ownLook.begin(); member != ownLook.end(); ++member)
                look.insert(member.key(), member.value());
            for (auto member = ownState.begin(); member != ownState.end(); ++member)
                state.insert(member.key(), member.value());
            if (!look.isEmpty()) state.insert(PageState::kView, look);
        }
        if (!state.isEmpty()) all.insert(viewName(view), state);
    }
    return all;
}

void WindowPages::restore(const QJsonObject& state, const WorkspaceIds& captures) {
    for (const auto& [view, page] : m_pages) {
        const QJsonObject ofPage = state.value(viewName(view)).toObject();
        restoreTables(*page, ofPage);
        if (auto* own = dynamic_cast<PageState*>(page)) own->restore(ofPage, captures);
    }
}

QString WindowPages::addToReport() {
    const OpenCapture* capture = m_services.session.capture(m_services.selection.shownCapture());
    QString title = viewTitle(currentView());
    if (capture != nullptr) title += u" – "_s + captureName(*capture);
    return m_report->addPicture(currentWidget()->grab().toImage(), title);
}

bool WindowPages::idle() const {
    return std::all_of(m_pages.begin(), m_pages.end(), [](const auto& entry) { return entry.second->idle(); });
}

void WindowPages::retranslate() {
    for (const auto& [view, page] : m_pages) setTabText(indexOf(page), viewTitle(view));
    m_all->setToolTip(tr("All pages"));
    m_all->setAccessibleName(tr("All pages"));
    fitTabs();
}

}  // namespace altiscope
