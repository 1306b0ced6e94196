#include "views/communication/communication_page.h"

#include "views/common/page.h"
#include "views/communication/advice_tab.h"
#include "views/communication/communication_gaps.h"
#include "views/communication/finding_tab.h"
#include "views/communication/matrix_view.h"
#include "views/communication/settings_bar.h"
#include "views/communication/time_view.h"

#include <QEvent>
#include <QLabel>
#include <QStackedLayout>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>

#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

CommunicationPage::CommunicationPage(Session& session, Selection& selection, FindingsFeed& feed, const FindingSettings& findings, const ViewMemory& memory, QWidget* parent)
    : CapturePage(parent), m_session(session), m_selection(selection), m_feed(feed), m_slot(session.jobs()), m_bar(new SettingsBar(memory, this)), m_gaps(new QLabel(this)),
      m_stack(new QStackedLayout), m_body(new QWidget(this)), m_nothing(new MessagePage(this)), m_views(new QStackedWidget(m_body)), m_matrix(new MatrixView(session, memory, m_views)),
      m_times(new TimeView(session, memory, m_views)), m_advice(new AdviceTab(session, memory, &m_times->tabs())), m_matrixFindings(new FindingTab(session, feed, findings, memory, &m_matrix->tabs())),
      m_timeFindings(new FindingTab(session, feed, findings, memory, &m_times->tabs())) {
    setUp();
    retranslate();
    refresh();
}

CommunicationPage::~CommunicationPage() = default;

void CommunicationPage::setUp() {
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_views->addWidget(m_matrix);
    m_views->addWidget(m_times);
    m_matrix->tabs().addTab(m_matrixFindings, QString());
    m_times->tabs().addTab(m_advice, QString());
    m_times->tabs().addTab(m_timeFindings, QString());
    m_views->setCurrentIndex(m_bar->mode() == SettingsBar::Mode::Time ? 1 : 0);
    auto* body = new QVBoxLayout(m_body);
    body->setContentsMargins({});
    body->setSpacing(0);
    m_gaps->setContentsMargins(8, 0, 8, 4);
    m_gaps->setWordWrap(true);
    m_gaps->setTextInteractionFlags(Qt::TextSelectableByMouse);
    body->addWidget(m_bar);
    body->addWidget(m_gaps);
    body->addWidget(m_views, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->addLayout(m_stack, 1);
    m_stack->addWidget(m_body);
    m_stack->addWidget(m_nothing);
    setFocusProxy(m_views);
    for (const auto signal : {&Session::captureOpened, &Session::captureChanged, &Session::captureClosed}) connect(&m_session, signal, this, &CommunicationPage::refresh);
    connect(&m_selection, &Selection::changed, this, [this, context = ContextFilter()]() mutable {
        if (std::exchange(context, m_selection.current().context) != context) refresh();
    });
    connect(m_bar, &SettingsBar::changed, this, &CommunicationPage::showParts);
    connect(m_bar, &SettingsBar::modeChanged, this, &CommunicationPage::showMode);
    connect(m_times, &TimeView::sliceRequested, this, &CommunicationPage::sliceRequested);
    connect(m_times, &TimeView::placeRequested, this, &CommunicationPage::placeRequested);
    connect(m_times, &TimeView::shownChanged, this, &CommunicationPage::showGaps);
    connect(m_times, &TimeView::shownChanged, this, [this] { m_advice->show(m_times->shown()); });
    connect(m_advice, &AdviceTab::collectiveWanted, this, [this](std::size_t row, std::uint32_t item) { m_times->choose({row, item}); });
    connect(m_times, &TimeView::collectiveNotFound, this, [this](const QString& name) { emit statusMessage(tr("%1 is not among the collectives that are shown here.").arg(name)); });
    connect(m_times, &TimeView::statusMessage, this, &CommunicationPage::statusMessage);
    connectFindings(*m_matrixFindings);
    connectFindings(*m_timeFindings);
    connect(m_matrix, &MatrixView::sliceRequested, this, &CommunicationPage::sliceRequested);
    connect(m_matrix, &MatrixView::placeRequested, this, &CommunicationPage::placeRequested);
}

const OpenCapture* CommunicationPage::capture() const {
    if (const OpenCapture* wanted = m_session.capture(m_wanted); wanted != nullptr) return wanted;
    return m_session.captures().empty() ? nullptr : &m_session.captures().back();
}

ContextFilter CommunicationPage::context() const {
    const OpenCapture* open = capture();
    return m_selection.current().context.forCapture(open == nullptr ? 0 : open->id);
}

bool CommunicationPage::idle() const { return !isVisible() || (!m_slot.busy() && m_matrix->idle() && m_times->idle() && m_advice->idle() && m_matrixFindings->idle() && m_timeFindings->idle()); }

void CommunicationPage::showCapture(std::uint32_t capture) {
    if (std::exchange(m_wanted, capture) != capture) refresh();
}

void CommunicationPage::showCollective(std::uint32_t rank, const QString& name, TimeNs begin) {
    m_bar->showAll();
    m_bar->setMode(SettingsBar::Mode::Time);
    if (m_isStale || m_slot.busy()) m_wantedCollective = WantedCollective{rank, name, begin};
    else m_times->chooseCollective(rank, name, begin);
}

void CommunicationPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isStale) refresh();
}

void CommunicationPage::refresh() {
    m_isStale = !isVisible();
    const OpenCapture* open = capture();
    const std::uint32_t id = open == nullptr ? 0 : open->id;
    if (open == nullptr || open->store == nullptr || id != m_shownCapture) {
        m_slot.cancel();
        take(nullptr);
    }
    m_shownCapture = id;
    if (m_isStale) return;
    if (open == nullptr || open->store == nullptr || open->job != 0) {
        m_slot.cancel();
        return showReason();
    }
    m_slot.start([store = open->store, analysis = m_feed.analysisOf(open->store), context = context()](
                     const CancelToken& cancel) { return communicationSource(store, analysis, context, cancel); },
                 [this](std::shared_ptr<const CommunicationSource> source) {
                     if (source) take(std::move(source));
                 });
    showReason();
}

void CommunicationPage::take(std::shared_ptr<const CommunicationSource> source) {
    m_source = std::move(source);
    if (m_source != nullptr) m_bar->setChoices(m_source->choices);
    showGaps();
    showReason();
    showParts();
    if (const auto wanted = std::exchange(m_wantedCollective, std::nullopt); wanted && m_source != nullptr) m_times->chooseCollective(wanted->rank, wanted->name, wanted->begin);
}

void CommunicationPage::showParts() {
    m_matrixIsStale = m_timesAreStale = true;
    showMode();
}

/// Of the two views only the one in sight is kept up to date.
void CommunicationPage::showMode() {
    const OpenCapture* open = capture();
    const bool isTime = m_bar->mode() == SettingsBar::Mode::Time;
    m_views->setCurrentIndex(isTime ? 1 : 0);
    showGaps();
    const auto source = open == nullptr ? nullptr : m_source;
    std::vector<std::int64_t> steps = source == nullptr ? std::vector<std::int64_t>() : source->context.steps;
    if (const auto step = m_bar->step()) steps = {*step};
    const TimeNs origin = open == nullptr ? TimeNs{} : open->times.origin().value_or(TimeNs{});
    const LinkCalls calls = m_bar->calls();
    if (isTime || source == nullptr) {
        if (std::exchange(m_timesAreStale, false)) m_times->show(source, {steps, m_bar->groups(), calls.type, calls.name, source == nullptr ? std::nullopt : source->context.range}, origin);
    }
    if (!isTime || source == nullptr) {
        const std::vector<std::uint32_t> ranks = source == nullptr ? std::vector<std::uint32_t>() : source->ranks;
        if (std::exchange(m_matrixIsStale, false)) m_matrix->show(source, {ranks, steps, m_bar->groups(), calls, source == nullptr ? std::vector<std::shared_ptr<const RowTables>>() : source->computedLinks}, origin);
    }
}

void CommunicationPage::connectFindings(FindingTab& tab) {
    connect(&tab, &FindingTab::placeRequested, this, &CommunicationPage::placeRequested);
    connect(&tab, &FindingTab::linkRequested, this, [this](std::int64_t source, std::int64_t target) {
        m_bar->showAll();
        m_bar->setMode(SettingsBar::Mode::Matrix);
        m_matrix->chooseLink(source, target);
    });
    connect(&tab, &FindingTab::rankRequested, this, [this](std::uint32_t rank) {
        m_bar->showAll();
        m_bar->setMode(SettingsBar::Mode::Time);
        m_times->chooseRank(rank);
    });
}

QString CommunicationPage::gaps() const { return m_gaps->text(); }

void CommunicationPage::showGaps() {
    const bool isThere = m_source != nullptr && (m_source->hasLinks || m_source->hasCollectives);
    QStringList gaps = isThere ? communicationGaps(*m_source) : QStringList();
    if (isThere && m_bar->mode() == SettingsBar::Mode::Time) gaps << m_times->clockGap();
    gaps.removeAll(QString());
    m_gaps->setText(gaps.join(u'\n'));
    m_gaps->setVisible(!m_gaps->text().isEmpty());
}

/// Why there is nothing, if there is nothing.
void CommunicationPage::showReason() {
    const OpenCapture* open = capture();
    PageMessage message{.kind = PageMessage::Kind::Empty,
                        .title = tr("Communication"),
                        .reason = tr("How much and how fast ranks send to each other, and when collectives ran, moved data and waited."),
                        .remedy = {},
                        .icon = u"view_communication"_s};
    const bool isThere = m_source != nullptr && (m_source->hasLinks || m_source->hasCollectives);
    if (open != nullptr && open->job != 0) {
        message.reason = tr("The capture is being read. Communication is shown once all of it is known.");
    } else if (m_source != nullptr && !isThere) {
        message.title = tr("No communication data");
        message.reason = m_source->ranks.size() == m_source->capture->ranks.size() ? tr("No rank of this capture has any.") : tr("None of the ranks that all pages are to show has any.");
        message.remedy = communicationGaps(*m_source).join(u'\n');
    }
    m_nothing->setMessage(message);
    const bool appears = isThere && m_stack->currentWidget() != m_body;
    m_stack->setCurrentWidget(isThere ? m_body : static_cast<QWidget*>(m_nothing));
    if (appears && isVisible()) m_views->currentWidget()->setFocus();
}

void CommunicationPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        showGaps();
        showReason();
    }
    QWidget::changeEvent(event);
}

void CommunicationPage::retranslate() {
    m_matrix->tabs().setTabText(m_matrix->tabs().indexOf(m_matrixFindings), tr("Findings"));
    m_times->tabs().setTabText(m_times->tabs().indexOf(m_advice), tr("Advice"));
    m_times->tabs().setTabText(m_times->tabs().indexOf(m_timeFindings), tr("Findings"));
}

}  // namespace altiscope
