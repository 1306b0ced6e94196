#include "app/gui/bottom_panel.h"

#include "app/gui/user_settings.h"
#include "core/session/selection.h"
#include "views/common/panels/dispatch_panel.h"
#include "views/common/panels/kernel_panel.h"
#include "views/common/panels/layer_panel.h"
#include "views/overview/page/report_view.h"
#include "views/timeline/page/timeline_page.h"
#include "views/timeline/panels/details_panel.h"
#include "views/timeline/panels/marks_panel.h"
#include "views/timeline/panels/slice_text.h"

#include <QApplication>
#include <QTabBar>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace altiscope {

BottomPanel::BottomPanel(const WindowServices& services, TimelinePage& timeline, ReportModel& report, QWidget* parent)
    : QTabWidget(parent), m_timeline(timeline), m_details(new DetailsPanel(services.session, services.selection, this)),
      m_dispatch(new DispatchPanel(services.session, services.selection, services.settings.viewMemory(), this)),
      m_layers(new LayerPanel(services.session, services.selection, services.settings.viewMemory(), this)),
      m_kernels(new KernelPanel(services.session, services.selection, services.settings.viewMemory(), this)),
      m_marks(new MarksPanel(services.session, services.selection, services.marks, this)),
      m_report(
          new ReportView(report, services.session, services.settings.viewMemory(), ReportView::Columns::All, this)) {
    setDocumentMode(true);
    for (QWidget* tab : std::initializer_list<QWidget*>{m_details, m_timeline.selectionPanel(), m_timeline.findList(),
                                                        m_dispatch, m_timeline.peerList(), m_timeline.trackList(),
                                                        m_layers, m_kernels, m_marks, m_report})
        addTab(tab, QString());
    connect(m_dispatch, &DispatchPanel::sliceOpened, this, &BottomPanel::timelineRequested);
    connect(m_layers, &LayerPanel::sliceOpened, this, &BottomPanel::timelineRequested);
    connect(m_kernels, &KernelPanel::sliceOpened, this, &BottomPanel::timelineRequested);
    connect(m_marks, &MarksPanel::rangeRequested, this, &BottomPanel::rangeRequested);
    connect(m_marks, &MarksPanel::wanted, this, [this] { bring(m_marks); });
    connect(&services.selection, &Selection::changed, this,
            [this, &selection = services.selection, last = services.selection.current().slice]() mutable {
                const SelectionState& state = selection.current();
                QWidget* sums = m_timeline.selectionPanel();
                const bool isOther = std::exchange(last, state.slice) != state.slice;
                // If only a time is marked, as of a step, its sums are worth more than its ends.
                if (state.range && !state.slice && currentWidget() == m_details) setCurrentWidget(sums);
                // A slice to which another page has led: unless it is one of those that are gone through here.
                const bool isGoneThrough = sums->isAncestorOf(QApplication::focusWidget());
                if (state.slice && isOther && currentWidget() == sums && !isGoneThrough) setCurrentWidget(m_details);
            });
    connectTimeline();
}

void BottomPanel::connectTimeline() {
    m_details->setShownAt(
        [this](CaptureId capture, RankIndex rank, TrackId track) { return m_timeline.shownAt(capture, rank, track); });
    connect(&m_timeline, &TimelinePage::shiftsChanged, m_details, &DetailsPanel::showTimes);
    connect(&m_timeline, &TimelinePage::markEditWanted, m_marks, &MarksPanel::editName);
    connect(&m_timeline, &TimelinePage::markMenuWanted, m_marks,
            qOverload<CaptureId, std::size_t, QPoint>(&MarksPanel::openMenu));
    connect(&m_timeline, &TimelinePage::reportRequested, this, &BottomPanel::showReport);
    connect(&m_timeline, &TimelinePage::peerListWanted, this, [this] { bring(m_timeline.peerList()); });
    connect(&m_timeline, &TimelinePage::findListWanted, this, [this] { bring(m_timeline.findList()); });
    connect(&m_timeline, &TimelinePage::trackListWanted, this, [this] { bring(m_timeline.trackList()); });
    connect(&m_timeline, &TimelinePage::selectionPanelWanted, this, [this](bool insists) {
        if (insists) emit wanted();
        setCurrentWidget(m_timeline.selectionPanel());
    });
    connect(&m_timeline, &TimelinePage::detailsWanted, this, [this] {
        if (currentWidget() == m_timeline.selectionPanel()) setCurrentWidget(m_details);
    });
}

void BottomPanel::bring(QWidget* tab) {
    emit wanted();
    setCurrentWidget(tab);
}

void BottomPanel::showReport(CaptureId capture) {
    bring(m_report);
    m_report->showCapture(capture);
}

QSize BottomPanel::minimumSizeHint() const {
    static constexpr int kMinLines = 2;
    const int height = tabBar()->minimumSizeHint().height() + kMinLines * fontMetrics().height();
    return {QTabWidget::minimumSizeHint().width(), std::min(QTabWidget::minimumSizeHint().height(), height)};
}

bool BottomPanel::idle() const {
    return m_details->idle() && m_dispatch->idle() && m_layers->idle() && m_kernels->idle();
}

void BottomPanel::retranslate() {
    const std::pair<QWidget*, QString> titles[] = {{m_details, tr("Details")},
                                                   {m_timeline.selectionPanel(), tr("Selection")},
                                                   {m_timeline.findList(), tr("Search results")},
                                                   {m_dispatch, tr("Launch chain")},
                                                   {m_timeline.peerList(), tr("Same collective on other ranks")},
                                                   {m_timeline.trackList(), tr("Track")},
                                                   {m_layers, tr("Layers")},
                                                   {m_kernels, tr("Kernels")},
                                                   {m_marks, tr("Marks")},
                                                   {m_report, tr("Import report")}};
    for (const auto& [tab, title] : titles) setTabText(indexOf(tab), title);
}

}  // namespace altiscope
