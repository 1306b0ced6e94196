#include "views/report/report_page.h"

#include "core/trace/rank.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/support/rank_texts.h"
#include "views/common/support/save_dialog.h"
#include "views/common/support/view_list.h"
#include "views/report/layout/report_layout.h"
#include "views/report/panels/page_preview.h"
#include "views/report/panels/picture_list.h"
#include "views/report/panels/report_form.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>
#include <QUrl>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

const QString kFormatKey = u"report/format"_s;
/// After so long without a key the pages are laid out.
constexpr int kGatherMs = 200;

/// The ranks of a capture that a context holds, as a report takes them: numbers; empty where these are all.
std::vector<std::int64_t> ranksOf(const CaptureStore& store, const ContextFilter& context) {
    std::vector<std::int64_t> ranks;
    for (const RankEntry& rank : store.ranks)
        if (rank.info.rankId && context.holds(rank.info)) ranks.push_back(*rank.info.rankId);
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

}  // namespace

ReportPage::ReportPage(Session& session, Selection& selection, const ViewMemory& memory, QWidget* parent)
    : FramedPage(session, selection, parent), m_session(session), m_memory(memory), m_layout(session.jobs()),
      m_bar(makeBar()), m_body(new QWidget(m_frame)) {
    setUp();
    retranslate();
    follow();
}

ReportPage::~ReportPage() { stop(); }

QWidget* ReportPage::makeBar() {
    auto* bar = new QWidget(m_frame);
    m_formatName = new QLabel(bar);
    m_format = new QComboBox(bar);
    m_write = new QPushButton(bar);
    m_state = new QLabel(bar);
    m_open = new QToolButton(bar);
    m_folder = new QToolButton(bar);
    m_formatName->setBuddy(m_format);
    for (const ReportFormat format : {ReportFormat::Html, ReportFormat::Pdf, ReportFormat::Json})
        m_format->addItem(reportEnding(format).toUpper(), reportEnding(format));
    m_format->setCurrentIndex(std::max(0, m_format->findData(m_memory.value(kFormatKey))));
    m_state->setTextFormat(Qt::PlainText);
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* row = barLayout<QHBoxLayout>(bar);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_formatName, m_format, m_write}) row->addWidget(widget);
    row->addWidget(m_state, 1);
    row->addWidget(m_open);
    row->addWidget(m_folder);
    return bar;
}

void ReportPage::setUp() {
    m_form = new ReportForm(m_memory, m_body);
    m_preview = new PagePreview(m_session.jobs(), m_body);
    auto* scroll = new QScrollArea(m_body);
    scroll->setWidget(m_form);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_form->setBackgroundRole(QPalette::Base);
    scroll->viewport()->setBackgroundRole(QPalette::Base);
    auto* split = new QSplitter(Qt::Horizontal, m_body);
    split->addWidget(scroll);
    split->addWidget(m_preview);
    split->setChildrenCollapsible(false);
    split->setSizes({300, 700});
    split->setStretchFactor(0, 0);
    split->setStretchFactor(1, 1);
    auto* column = new QHBoxLayout(m_body);
    column->setContentsMargins({});
    column->addWidget(split);
    m_frame->setParts(m_bar, m_body);
    m_frame->setFocusProxy(m_preview);
    m_gather.setSingleShot(true);
    m_gather.setInterval(kGatherMs);
    connect(&m_gather, &QTimer::timeout, this, &ReportPage::layout);
    connect(m_form, &ReportForm::changed, &m_gather, qOverload<>(&QTimer::start));
    connect(m_form, &ReportForm::baseChanged, this, &ReportPage::make);
    connect(m_format, &QComboBox::currentIndexChanged, this,
            [this] { m_memory.setValue(kFormatKey, m_format->currentData()); });
    connect(m_write, &QPushButton::clicked, this, &ReportPage::saveAs);
    const auto open = [](const QString& path) { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); };
    connect(m_open, &QToolButton::clicked, this, [this, open] { open(m_file); });
    connect(m_folder, &QToolButton::clicked, this, [this, open] { open(QFileInfo(m_file).absolutePath()); });
}

// --- what is shown ------------------------------------------------------------------------------------------------

bool ReportPage::idle() const {
    return !isVisible() || (m_job == 0 && !m_layout.busy() && !m_gather.isActive() && m_preview->idle());
}

/// Lookups of the queries are kept with a state of a capture.
ReportCapture ReportPage::captureOf(const OpenCapture& open) {
    ReportCapture& kept = m_captures[open.id];
    if (kept.store != open.store) kept = reportCapture(open.path, open.store);
    return kept;
}

std::optional<ReportSource> ReportPage::source() {
    const OpenCapture* open = m_capture.whole();
    if (open == nullptr) return std::nullopt;
    const ContextFilter context = m_capture.context();
    const auto& ranks = open->store->ranks;
    if (std::none_of(ranks.begin(), ranks.end(), [&](const RankEntry& rank) { return context.holds(rank.info); }))
        return std::nullopt;
    ReportSource source{captureOf(*open), {}, {}, std::string(catalogueLanguage()), reportProgram().toStdString()};
    if (m_capture.choosesRanks()) source.scope.ranks = ranksOf(*open->store, context);
    source.scope.steps = context.steps;
    const OpenCapture* base = m_session.capture(m_form->base());
    if (base != nullptr && base->store != nullptr && base->job == 0) source.base = captureOf(*base);
    return source;
}

void ReportPage::fillBases() {
    std::vector<std::pair<CaptureId, QString>> bases;
    for (const OpenCapture& capture : m_session.captures())
        if (capture.id != m_capture.id() && capture.store != nullptr && capture.job == 0)
            bases.emplace_back(capture.id, capture.title);
    m_form->setBases(bases);
}

void ReportPage::clear() {
    stop();
    m_layout.cancel();
    m_requested.reset();
    m_made.reset();
    m_chosen.reset();
    m_preview->setPages(nullptr);
}

void ReportPage::refresh(bool isInSight) {
    const auto isNewest = [this](const std::shared_ptr<const CaptureStore>& store) {
        const auto& captures = m_session.captures();
        return std::any_of(captures.begin(), captures.end(),
                           [&store](const OpenCapture& capture) { return capture.store == store; });
    };
    std::erase_if(m_captures, [&isNewest](const auto& entry) { return !isNewest(entry.second.store); });
    const OpenCapture* open = m_capture.open();
    const bool isOther = m_requested && (open == nullptr || m_requested->capture.path != open->path.toStdString());
    // The old report stays in sight until there is a newer one, and is of no other use in memory.
    const bool isOld =
        m_requested && !isInSight &&
        (!isNewest(m_requested->capture.store) || (m_requested->base && !isNewest(m_requested->base->store)));
    if (isOther || isOld) clear();
    if (!isInSight) return;
    fillBases();
    make();
}

void ReportPage::make() {
    const auto wanted = source();
    if (!wanted && m_capture.whole() != nullptr) clear();
    if (wanted && wanted != m_requested) {
        m_requested = wanted;
        m_problem.clear();
        start(*wanted);
    }
    const QString scope = wanted ? toQString(scopeText(wanted->scope, catalogueLanguage())) : QString();
    m_form->setScope(scope.isEmpty() ? tr("All of the capture. The bar above chooses ranks, NPUs and steps.") : scope);
    showGaps();
    showReason();
    showState();
}

/// As a job that can be seen and cancelled: a large capture takes a while.
void ReportPage::start(const ReportSource& source) {
    m_session.jobs().cancel(m_job);
    const std::uint64_t run = ++m_run;
    m_job = m_session.jobs().start(
        tr("Report: %1").arg(QFileInfo(toQString(source.capture.path)).fileName()),
        [source](ProgressSlot& progress, const CancelToken& cancel) {
            progress.setPhase(ProgressPhase::Querying);
            return std::make_shared<const Result<MadeReport>>(makeWholeReport(source, cancel));
        },
        [page = QPointer(this), run, path = source.capture.path](const std::shared_ptr<const void>& made) {
            if (page == nullptr || run != page->m_run) return;
            page->m_job = 0;
            if (made == nullptr) return page->take(reportOutOfMemory(toQString(path)));
            page->take(*static_cast<const Result<MadeReport>*>(made.get()));
        });
}

void ReportPage::stop() {
    m_session.jobs().cancel(std::exchange(m_job, 0));
    ++m_run;
}

void ReportPage::take(Result<MadeReport> made) {
    if (made.cancelled()) {
        m_problem = tr("Cancelled.");
        showGaps();
        showReason();
        return showState();
    }
    if (made.failed()) {
        m_problem = errorSentence(made.error());
        m_made.reset();
        m_chosen = nullptr;
        m_preview->setPages(nullptr);
    } else {
        m_made = std::move(made).value();
        if (m_made->problem) m_problem = errorSentence(*m_made->problem);
        m_form->setOwnTitle(toQString(m_made->report->title));
        layout();
    }
    showGaps();
    showReason();
    showState();
}

void ReportPage::layout() {
    if (!m_made) return;
    m_gather.stop();
    m_chosen = std::make_shared<const Report>(chosenReport(*m_made->report, m_form->choices()));
    m_layout.start([report = m_chosen,
                    fonts = reportFonts()](const CancelToken& cancel) { return layoutReport(*report, fonts, cancel); },
                   [this](std::shared_ptr<const ReportPages> pages) {
                       if (pages == nullptr) return;
                       m_preview->setPages(std::move(pages));
                       showState();
                   });
    showState();
}

// --- the file -----------------------------------------------------------------------------------------------------

QString ReportPage::addPicture(const QImage& picture, const QString& title) {
    if (!m_form->pictures().add(picture, title))
        return tr("Not added: a report takes %1 pictures.").arg(PictureList::kMaxPictures);
    if (!m_form->pictures().areAllKept())
        return tr("In the report: %1. With it the pictures are too large to be kept in a workspace.").arg(title);
    return tr("In the report: %1").arg(title);
}

QJsonObject ReportPage::state(const WorkspaceIds&) const { return m_form->state(); }

void ReportPage::restore(const QJsonObject& state, const WorkspaceIds&) { m_form->restore(state); }

void ReportPage::saveAs() {
    if (m_chosen == nullptr) return;
    QStringList filters;
    for (int i = 0; i < m_format->count(); ++i)
        filters << m_format->itemText(i) + u" (*."_s + m_format->itemData(i).toString() + u')';
    filters.move(m_format->currentIndex(), 0);
    const QString file =
        chooseSaveFile(this, tr("Write the report"), toQString(m_chosen->title), filters.join(u";;"_s));
    if (!file.isEmpty()) write(file);
}

void ReportPage::write(const QString& file) {
    if (m_chosen == nullptr || m_isWriting || m_job != 0) return;
    if (m_gather.isActive()) layout();
    if (!reportFormatOf(file)) {
        m_outcome = tr("Not written: the name of a report must end with .html, .pdf or .json.");
        return showState();
    }
    m_isWriting = true;
    m_outcome.clear();
    saveReport(m_session, m_chosen, file, [this, file](const ReportSaved& saved) { takeSaved(file, saved); });
    showState();
}

void ReportPage::takeSaved(const QString& file, const ReportSaved& saved) {
    m_isWriting = false;
    const bool isThere = saved.problem.isEmpty() && !saved.isCancelled;
    if (isThere) m_file = file;
    m_outcome = saved.isCancelled ? tr("Cancelled: nothing was written.")
                : isThere ? tr("%1: %2", "file, size").arg(file, formatBytes(static_cast<std::uint64_t>(saved.bytes)))
                          : saved.problem;
    emit statusMessage(m_outcome);
    showState();
}

QString ReportPage::outcome() const { return m_outcome; }

// --- words --------------------------------------------------------------------------------------------------------

void ReportPage::showState() {
    // While another is made, the one that is there has other ranks or steps than the form says.
    m_write->setEnabled(m_chosen != nullptr && !m_isWriting && m_job == 0);
    m_open->setVisible(!m_file.isEmpty());
    m_folder->setVisible(!m_file.isEmpty());
    m_state->setText(m_isWriting                     ? tr("Writing…")
                     : m_job != 0 || m_layout.busy() ? tr("Generating…")
                     : !m_outcome.isEmpty()          ? m_outcome
                     : m_preview->pages() == nullptr
                         ? QString()
                         : tr("%n page(s)", nullptr, static_cast<int>(m_preview->pages()->pages.size())));
}

PageTexts ReportPage::texts() const {
    return {viewTitle(ViewId::Report), viewPurpose(ViewId::Report), tr("The capture is being read."),
            tr("Nothing to report"), viewIcon(ViewId::Report)};
}

QStringList ReportPage::shownGaps() const { return {m_problem}; }

std::optional<QStringList> ReportPage::missing() const {
    return m_capture.whole() == nullptr ? std::nullopt : std::optional(QStringList());
}

bool ReportPage::isContentShown() const { return m_requested.has_value(); }

void ReportPage::retranslate() {
    m_formatName->setText(tr("For&mat"));
    m_format->setToolTip(
        tr("HTML: one page that opens anywhere. PDF: for paper. JSON: for programs. All have the same content"));
    m_write->setText(tr("&Write report…"));
    m_open->setText(tr("&Open"));
    m_open->setToolTip(tr("Opens the written file"));
    m_folder->setText(tr("Fol&der"));
    m_folder->setToolTip(tr("Shows the folder of the written file"));
    m_preview->setAccessibleName(tr("Pages of the report"));
    m_outcome.clear();
    if (m_made) follow();
    showState();
}

}  // namespace altiscope
