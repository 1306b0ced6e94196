#include "views/communication/communication_page.h"

#include "views/communication/data/communication_gaps.h"
#include "views/communication/panels/advice_tab.h"
#include "views/communication/panels/finding_tab.h"
#include "views/communication/panels/matrix_view.h"
#include "views/communication/panels/settings_bar.h"
#include "views/communication/panels/time_view.h"

#include <QStackedWidget>
#include <QTabWidget>

#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

CommunicationPage::CommunicationPage(Session& session, Selection& selection, FindingsLoader& loader,
                                     const FindingSettings& findings, const ViewMemory& memory, QWidget* parent)
    : FramedPage(session, selection, parent), m_loader(loader), m_slot(session.jobs()),
      m_bar(new SettingsBar(memory, m_frame)), m_views(new QStackedWidget(m_frame)),
      m_matrix(new MatrixView(session, memory, m_views)), m_times(new TimeView(session, memory, m_views)),
      m_advice(new AdviceTab(session, memory, &m_times->tabs())),
      m_matrixFindings(new FindingTab(session, loader, findings, memory, &m_matrix->tabs())),
      m_timeFindings(new FindingTab(session, loader, findings, memory, &m_times->tabs())) {
    setUp();
    retranslate();
    follow();
}

CommunicationPage::~CommunicationPage() = default;

void CommunicationPage::setUp() {
    m_views->addWidget(m_matrix);
    m_views->addWidget(m_times);
    m_matrix->tabs().addTab(m_matrixFindings, QString());
    m_times->tabs().addTab(m_advice, QString());
    m_times->tabs().addTab(m_timeFindings, QString());
    m_views->setCurrentIndex(m_bar->mode() == SettingsBar::Mode::Time ? 1 : 0);
    m_frame->setParts(m_bar, m_views);
    connect(m_bar, &SettingsBar::changed, this, &CommunicationPage::showParts);
    connect(m_bar, &SettingsBar::modeChanged, this, &CommunicationPage::showMode);
    connect(m_times, &TimeView::sliceRequested, this, &CommunicationPage::sliceRequested);
    connect(m_times, &TimeView::placeRequested, this, &CommunicationPage::placeRequested);
    connect(m_times, &TimeView::shownChanged, this, &CommunicationPage::showGaps);
    connect(m_times, &TimeView::shownChanged, this, [this] { m_advice->show(m_times->shown()); });
    connect(m_advice, &AdviceTab::collectiveWanted, this, [this](std::size_t row, std::uint32_t item) {
        m_times->choose({row, item});
    });
    connect(m_times, &TimeView::collectiveNotFound, this, [this](const QString& name) {
        emit statusMessage(tr("%1 is not among the collectives shown here.").arg(name));
    });
    connect(m_times, &TimeView::statusMessage, this, &CommunicationPage::statusMessage);
    connectFindings(*m_matrixFindings);
    connectFindings(*m_timeFindings);
    connect(m_matrix, &MatrixView::sliceRequested, this, &CommunicationPage::sliceRequested);
    connect(m_matrix, &MatrixView::placeRequested, this, &CommunicationPage::placeRequested);
}

bool CommunicationPage::idle() const {
    return !isVisible() || (!m_slot.busy() && m_matrix->idle() && m_times->idle() && m_advice->idle() &&
                            m_matrixFindings->idle() && m_timeFindings->idle());
}

bool CommunicationPage::showRows(CaptureId, const FindingEvidence::Rows& rows) { return rows.table == "link"; }

void CommunicationPage::showCollective(RankIndex rank, const QString& name, TimeNs begin) {
    m_bar->showAll();
    m_bar->setMode(SettingsBar::Mode::Time);
    if (m_frame->isStale() || m_slot.busy()) m_wantedCollective = WantedCollective{rank, name, begin};
    else m_times->chooseCollective(rank, name, begin);
}

void CommunicationPage::refresh(bool isInSight) {
    const OpenCapture* open = m_capture.open();
    const CaptureId id = open == nullptr ? kNoCapture : open->id;
    if (open == nullptr || open->store == nullptr || id != m_shownCapture) {
        m_slot.cancel();
        take({});
    }
    m_shownCapture = id;
    if (!isInSight) return;
    if (m_capture.whole() == nullptr) {
        m_slot.cancel();
        return showReason();
    }
    const auto base = m_capture.base();
    m_slot.start(
        [store = open->store, analysis = m_loader.analysisOf(open->store), context = m_capture.context(), base,
         ofBase = base ? m_loader.analysisOf(base->store) : nullptr](const CancelToken& cancel) {
            Sources sources{.shown = communicationSource(store, analysis, context, cancel), .base = {}, .of = base};
            if (base && sources.shown != nullptr)
                sources.base = communicationSource(base->store, ofBase, base->context, cancel);
            return sources;
        },
        [this](Sources sources) {
            if (sources.shown != nullptr) take(std::move(sources));
        });
    showReason();
}

void CommunicationPage::take(Sources sources) {
    m_source = std::move(sources.shown);
    m_baseSource = std::move(sources.base);
    m_base = std::move(sources.of);
    if (m_source != nullptr) m_bar->setChoices(m_source->choices);
    showGaps();
    showReason();
    showParts();
    if (const auto wanted = std::exchange(m_wantedCollective, std::nullopt); wanted && m_source != nullptr)
        m_times->chooseCollective(wanted->rank, wanted->name, wanted->begin);
}

void CommunicationPage::showParts() {
    m_matrixIsStale = m_timesAreStale = true;
    showMode();
}

/// The links of the base as the bar wants those that are shown.
std::optional<LinkBase> CommunicationPage::linkBase() const {
    if (m_baseSource == nullptr || !m_base || !m_baseSource->hasLinks) return std::nullopt;
    LinkQuery query{.steps = m_baseSource->context.steps, .calls = m_bar->calls()};
    const bool hasOwnSteps = m_source != nullptr && m_baseSource->context.steps != m_source->context.steps;
    if (const auto step = m_bar->step(); step && !hasOwnSteps) query.steps = {*step};
    // Groups of another run have other names.
    if (m_base->capture == m_shownCapture) query.groups = m_bar->groups();
    query.ranks = m_baseSource->ranks;
    query.computed = m_baseSource->computedLinks;
    query.wholeRun = m_baseSource->wholeRunLinks;
    return LinkBase{m_baseSource, std::move(query), m_base->title};
}

/// Only the view in sight is kept up to date.
void CommunicationPage::showMode() {
    const OpenCapture* open = m_capture.open();
    const bool isTime = m_bar->mode() == SettingsBar::Mode::Time;
    m_views->setCurrentIndex(isTime ? 1 : 0);
    m_frame->setFocusProxy(m_views->currentWidget());
    showGaps();
    const auto source = open == nullptr ? nullptr : m_source;
    std::vector<std::int64_t> steps = source == nullptr ? std::vector<std::int64_t>() : source->context.steps;
    if (const auto step = m_bar->step()) steps = {*step};
    const auto origin = open == nullptr ? std::nullopt : open->times.origin();
    const LinkCalls calls = m_bar->calls();
    if (isTime || source == nullptr) {
        if (std::exchange(m_timesAreStale, false))
            m_times->show(source,
                          {steps, m_bar->groups(), calls.type, calls.name,
                           source == nullptr ? std::nullopt : source->context.range},
                          origin);
    }
    if (!isTime || source == nullptr) {
        LinkQuery query{.steps = steps, .groups = m_bar->groups(), .calls = calls};
        if (source != nullptr) {
            query.ranks = source->ranks;
            query.computed = source->computedLinks;
            query.wholeRun = source->wholeRunLinks;
        }
        if (std::exchange(m_matrixIsStale, false)) m_matrix->show(source, query, origin.value_or(TimeNs{}), linkBase());
    }
}

void CommunicationPage::connectFindings(FindingTab& tab) {
    connect(&tab, &FindingTab::evidenceRequested, this, &CommunicationPage::evidenceRequested);
    connect(&tab, &FindingTab::linkRequested, this, [this](std::int64_t source, std::int64_t target) {
        m_bar->showAll();
        m_bar->setMode(SettingsBar::Mode::Matrix);
        m_matrix->chooseLink(source, target);
    });
    connect(&tab, &FindingTab::rankRequested, this, [this](RankIndex rank) {
        m_bar->showAll();
        m_bar->setMode(SettingsBar::Mode::Time);
        m_times->chooseRank(rank);
    });
}

bool CommunicationPage::isContentShown() const {
    return m_source != nullptr && (m_source->hasLinks || m_source->hasCollectives);
}

QStringList CommunicationPage::shownGaps() const {
    QStringList gaps = isContentShown() ? communicationGaps(*m_source) : QStringList();
    if (isContentShown() && m_bar->mode() == SettingsBar::Mode::Time) gaps << m_times->clockGap();
    return gaps;
}

std::optional<QStringList> CommunicationPage::missing() const {
    return m_source == nullptr || isContentShown() ? std::nullopt : std::optional(communicationGaps(*m_source));
}

PageTexts CommunicationPage::texts() const {
    return {.title = tr("Communication"),
            .about =
                tr("How much and how fast ranks send to each other, and when collectives ran, moved data and waited."),
            .reading = tr("The capture is being read. Communication is shown when reading is complete."),
            .nothing = tr("No communication data"),
            .icon = u"view_communication"_s};
}

void CommunicationPage::retranslate() {
    m_matrix->tabs().setTabText(m_matrix->tabs().indexOf(m_matrixFindings), tr("Findings"));
    m_times->tabs().setTabText(m_times->tabs().indexOf(m_advice), tr("Advice"));
    m_times->tabs().setTabText(m_times->tabs().indexOf(m_timeFindings), tr("Findings"));
}

}  // namespace altiscope
