#include "views/cluster/cluster_page.h"

#include "views/cluster/canvas/rank_canvas.h"
#include "views/cluster/data/cluster_tables.h"
#include "views/cluster/panels/cluster_bar.h"
#include "views/cluster/panels/delay_panel.h"
#include "views/cluster/panels/pipeline_panel.h"
#include "views/cluster/panels/rank_picture.h"
#include "views/common/plots/plot_view.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"

#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

ClusterPage::ClusterPage(Session& session, Selection& selection, FindingsLoader& loader, const ViewMemory& memory,
                         QWidget* parent)
    : FramedPage(session, selection, parent), m_loader(loader), m_slot(session.jobs()), m_head(new QLabel(m_frame)),
      m_bar(new ClusterBar(memory, m_frame)), m_canvas(new RankCanvas(session, m_frame)),
      m_tabs(new QTabWidget(m_frame)), m_ranks(new TablePanel(session, memory, u"cluster_ranks"_s, m_tabs)),
      m_dimensions(new TablePanel(session, memory, u"cluster_dimensions"_s, m_tabs)),
      m_delays(new DelayPanel(session, memory, m_tabs)), m_pipeline(new PipelinePanel(session, m_tabs)),
      m_spread(new PlotView(session, m_tabs)) {
    setUp();
    retranslate();
    follow();
}

ClusterPage::~ClusterPage() = default;

void ClusterPage::setUp() {
    auto* content = new QSplitter(Qt::Vertical, m_frame);
    auto* upper = new QWidget(content);
    auto* column = new QVBoxLayout(upper);
    column->setContentsMargins({});
    column->setSpacing(0);
    m_head->setObjectName(u"cluster_sentence"_s);
    m_head->setContentsMargins(8, 8, 8, 4);
    m_head->setWordWrap(true);
    m_head->setTextFormat(Qt::RichText);
    m_head->setTextInteractionFlags(Qt::TextBrowserInteraction);
    column->addWidget(m_bar);
    column->addWidget(m_canvas, 1);
    m_tabs->setDocumentMode(true);
    for (QWidget* tab :
         {static_cast<QWidget*>(m_ranks), static_cast<QWidget*>(m_dimensions), static_cast<QWidget*>(m_delays),
          static_cast<QWidget*>(m_pipeline), static_cast<QWidget*>(m_spread)})
        m_tabs->addTab(tab, QString());
    content->addWidget(upper);
    content->addWidget(m_tabs);
    content->setChildrenCollapsible(false);
    content->setSizes({620, 380});
    content->setStretchFactor(0, 3);
    content->setStretchFactor(1, 2);
    m_ranks->filterBar().setExample(u"robust_z > 3.5 or came_last > 10"_s);
    m_dimensions->filterBar().setExample(u"group_z > 3.5"_s);
    m_frame->setParts(m_head, content);
    m_frame->setFocusProxy(m_canvas);
    connect(m_head, &QLabel::linkActivated, this, &ClusterPage::followLink);
    connect(m_bar, &ClusterBar::changed, this, &ClusterPage::showRanks);
    connect(m_bar, &ClusterBar::sizesTyped, this, [this] { refresh(isVisible()); });
    connect(&m_loader, &FindingsLoader::changed, this, &ClusterPage::showSentence);
    connect(m_canvas, &RankCanvas::cellChosen, this, &ClusterPage::takeChosen);
    connect(m_canvas, &RankCanvas::cellOpened, this, &ClusterPage::openCell);
    connect(m_canvas, &RankCanvas::menuOpens, this, [this](QMenu* menu) {
        if (m_canvas->chosen()) fillMenu(*menu, rankOfCell(*m_canvas->chosen()));
    });
    connect(&m_ranks->table(), &DataTable::currentChanged, this, [this] {
        const auto row = m_ranks->table().currentRow();
        if (row && *row < m_rows.size() && m_ranks->table().selection().count() > 0) chooseRank(m_rows[*row]);
    });
    connect(&m_ranks->table(), &DataTable::activated, this, [this](std::uint32_t row) {
        if (row < m_rows.size()) openRank(m_rows[row]);
    });
    m_ranks->table().setRowMenu([this](QMenu& menu, std::uint32_t row) {
        if (row < m_rows.size()) fillMenu(menu, m_rows[row]);
    });
    connect(m_tabs, &QTabWidget::currentChanged, this, &ClusterPage::showSpread);
    connect(m_pipeline, &PipelinePanel::placeRequested, this, &ClusterPage::placeRequested);
}

bool ClusterPage::idle() const {
    return !isVisible() || (!m_slot.busy() && !m_loader.busy() && !m_ranks->table().loader().busy() &&
                            !m_dimensions->table().loader().busy() && !m_delays->groups().table().loader().busy());
}

// --- what is shown ------------------------------------------------------------------------------------------------

void ClusterPage::refresh(bool isInSight) {
    const OpenCapture* open = m_capture.open();
    const CaptureId id = open == nullptr ? kNoCapture : open->id;
    if (open == nullptr || open->store == nullptr || id != m_shownCapture) {
        m_slot.cancel();
        take({});
    }
    if (id != m_shownCapture) m_bar->forgetSizes();
    m_shownCapture = id;
    if (!isInSight) return;
    if (m_capture.whole() == nullptr) {
        m_slot.cancel();
        return showReason();
    }
    const auto base = m_capture.base();
    // What does not depend on the filter is kept from before.
    const auto known = [this](const std::shared_ptr<const CaptureStore>& store,
                              const std::optional<ParallelSizes>& typed) -> std::shared_ptr<const ClusterJob> {
        for (const auto& source : {m_source, m_baseSource})
            if (source != nullptr && source->capture() == store && source->job->typed == typed) return source->job;
        return nullptr;
    };
    const auto make = [](const std::shared_ptr<const CaptureStore>& store, const CaptureAnalysis& analysis,
                         std::shared_ptr<const ClusterJob> job, const ContextFilter& context,
                         const std::optional<ParallelSizes>& typed,
                         const CancelToken& cancel) -> std::shared_ptr<const ClusterSource> {
        if (job == nullptr) job = clusterJob(store, analysis, typed, cancel);
        return job == nullptr ? nullptr : clusterSource(std::move(job), context, cancel);
    };
    m_bar->checkSizes(minRanks(*open->store));
    const std::optional<ParallelSizes> typed = m_bar->typedSizes();
    m_slot.start(
        [store = open->store, typed, job = known(open->store, typed), analysis = m_loader.analysisOf(open->store),
         context = m_capture.context(), base, ofBase = base ? m_loader.analysisOf(base->store) : nullptr,
         baseJob = base ? known(base->store, std::nullopt) : nullptr, make](const CancelToken& cancel) {
            Sources sources{.shown = make(store, *analysis, job, context, typed, cancel), .base = {}};
            if (base && sources.shown != nullptr)
                sources.base = make(base->store, *ofBase, base->store == store ? sources.shown->job : baseJob,
                                    base->context, std::nullopt, cancel);
            return sources;
        },
        [this](Sources sources) {
            if (sources.shown != nullptr) take(std::move(sources));
        });
    showReason();
}

void ClusterPage::take(Sources sources) {
    m_source = std::move(sources.shown);
    m_baseSource = std::move(sources.base);
    m_bar->setChoices(m_source, m_baseSource != nullptr);
    m_delays->setSource(m_source);
    m_pipeline->setSource(m_source);
    showGaps();
    showReason();
    showSentence();
    showRanks();
}

void ClusterPage::showSentence() {
    m_sentence = m_source == nullptr ? ClusterSentence() : clusterSentence(*m_source, *m_loader.found());
    m_head->setText(m_sentence.text);
    m_head->setHidden(m_sentence.text.isEmpty());
}

void ClusterPage::showRanks() {
    if (m_source == nullptr) {
        m_rows.clear();
        m_canvas->setPicture(nullptr);
        m_ranks->setSource(nullptr, {});
        m_dimensions->setSource(nullptr, {});
        return showSpread();
    }
    const RankPictureChoice choice = m_bar->choice();
    m_canvas->setPicture(rankPicture(m_source, m_bar->showsDifference() ? m_baseSource : nullptr, choice));
    m_rows = rowsOfRanks(*m_source);
    m_ranks->setSource(rankTable(*m_source, m_baseSource.get(), choice.metric),
                       rankHeadings(*m_source, m_baseSource.get(), choice.metric));
    m_dimensions->setSource(
        dimensionTable(*m_source, choice.metric,
                       dimensionSpreads(m_source->places(), m_source->values(choice.metric), choice.fold)),
        dimensionHeadings(choice.metric, choice.fold));
    m_dimensions->setScope(metricTitle(choice.metric));
    m_ranks->setScope(m_source->context.empty() ? QString() : tr("within the filter of all pages"));
    showSpread();
}

void ClusterPage::showSpread() {
    if (m_tabs->currentWidget() != m_spread) return;
    const RankPictureChoice choice = m_bar->choice();
    if (m_source == nullptr) return m_spread->showNothing(QString());
    if (!isTime(choice.metric)) return m_spread->showNothing(tr("Only times are shown here: choose another colour."));
    m_spread->show(spreadBoxes(*m_source, choice.metric,
                               choice.frames.empty() ? nullptr : m_source->places().grouping(choice.frames)));
}

// --- where it leads -----------------------------------------------------------------------------------------------

void ClusterPage::followLink(const QString& link) {
    bool isNumber = false;
    const std::size_t index = link.toUInt(&isNumber);
    if (!isNumber || index >= m_sentence.links.size()) return;
    const ClusterLink& to = m_sentence.links[index];
    if (to.finding) emit evidenceRequested(*to.finding, 0);
    else emit sliceRequested(to.slice);
}

/// Of several ranks of a cell the one with the highest value.
std::uint32_t ClusterPage::rankOfCell(std::size_t cell) const {
    const std::vector<std::uint32_t>& ranks = m_canvas->picture()->grid.cells()[cell].ranks;
    const std::vector<double> values = m_source->values(m_bar->choice().metric);
    return *std::max_element(ranks.begin(), ranks.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::isnan(values[b]) ? false : std::isnan(values[a]) || values[a] < values[b];
    });
}

void ClusterPage::chooseRank(std::uint32_t rank) {
    if (m_canvas->picture() != nullptr) m_canvas->choose(m_canvas->picture()->grid.cellOf(rank));
}

void ClusterPage::takeChosen(std::size_t cell) {
    const std::uint32_t rank = rankOfCell(cell);
    const TableRows& rows = *m_ranks->table().loader().rows();
    for (std::size_t place = 0; place < rows.count; ++place) {
        if (rows.row(place) < m_rows.size() && m_rows[rows.row(place)] == rank)
            return m_ranks->table().setCurrent(place, 0);
    }
}

void ClusterPage::openCell(std::size_t cell) { openRank(rankOfCell(cell)); }

void ClusterPage::openRank(std::uint32_t rank) {
    const PlacedRank& placed = m_source->places().ranks[rank];
    if (!placed.rank)
        return emit statusMessage(tr("%1 is not in this capture.").arg(placedRankTitle(*m_source, placed)));
    const RankEntry& entry = m_source->capture()->ranks[placed.rank->value];
    if (entry.trace != nullptr) {
        const auto times = timesOf(m_source->context.onClockOf(*placed.rank), entry);
        const TimeRange range =
            times && !times->empty() ? TimeRange{times->front().begin, times->back().end} : entry.trace->homeRange();
        return emit placeRequested(*placed.rank, range);
    }
    if (placed.number) emit overviewRequested(*placed.number);
}

void ClusterPage::fillMenu(QMenu& menu, std::uint32_t rank) {
    const PlacedRank& placed = m_source->places().ranks[rank];
    if (!placed.rank) return;
    const bool hasTimeline = m_source->capture()->ranks[placed.rank->value].trace != nullptr;
    menu.addAction(tr("Show in the &timeline"), this, [this, rank] { openRank(rank); })->setEnabled(hasTimeline);
    if (placed.number)
        menu.addAction(tr("Show on the &overview, limited to this rank"), this,
                       [this, number = *placed.number] { emit overviewRequested(number); });
}

// --- texts --------------------------------------------------------------------------------------------------------

bool ClusterPage::isContentShown() const {
    if (m_source == nullptr) return false;
    for (std::size_t m = 0; m < kRankMetrics; ++m) {
        if (m_source->has(static_cast<RankMetric>(m))) return true;
    }
    return false;
}

QStringList ClusterPage::shownGaps() const { return isContentShown() ? clusterGaps(*m_source) : QStringList(); }

std::optional<QStringList> ClusterPage::missing() const {
    return m_source == nullptr || isContentShown() ? std::nullopt : std::optional(clusterMissing(*m_source));
}

PageTexts ClusterPage::texts() const {
    return {.title = tr("Cluster"),
            .about = tr("What a step of the job could win and by what, and which rank differs from the others."),
            .reading = tr("The capture is being read. Its ranks are compared when reading is complete."),
            .nothing = tr("Nothing to compare ranks by"),
            .icon = u"view_cluster"_s};
}

void ClusterPage::retranslate() {
    m_tabs->setTabText(0, tr("Ranks"));
    m_tabs->setTabText(1, tr("Dimensions"));
    m_tabs->setTabText(2, tr("Delays"));
    m_tabs->setTabText(3, tr("Pipeline"));
    m_tabs->setTabText(4, tr("Spread"));
    m_delays->retranslate();
    m_pipeline->retranslate();
    m_head->setAccessibleName(tr("What could be won back"));
    m_canvas->setAccessibleName(tr("Grid of ranks"));
    m_ranks->table().setAccessibleName(tr("Ranks"));
    m_dimensions->table().setAccessibleName(tr("Dimensions"));
    showSentence();
    if (m_source != nullptr) showRanks();
}

}  // namespace altiscope
