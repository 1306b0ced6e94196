#include "views/overview/page/overview_page.h"

#include "core/session/marks.h"
#include "core/session/reading/capture_results.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"
#include "views/overview/facts/capture_texts.h"
#include "views/overview/facts/overview_facts.h"
#include "views/overview/page/overview_tables.h"
#include "views/overview/page/rank_model.h"
#include "views/overview/page/report_view.h"
#include "views/overview/page/step_plot_panel.h"
#include "views/overview/page/titled_part.h"

#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

TimeNs originOf(const OpenCapture* capture) {
    return capture == nullptr ? TimeNs{} : capture->times.origin().value_or(TimeNs{});
}

}  // namespace

OverviewPage::OverviewPage(Session& session, Selection& selection, FindingsLoader& findings,
                           FindingSettings& findingSettings, ReportModel& report, Marks& marks,
                           const ViewMemory& memory, QWidget* parent)
    : DataPage(parent), m_selection(selection), m_loader(findings), m_settings(findingSettings),
      m_capture(session, selection, this), m_numbersSlot(session.jobs()), m_shown(std::make_shared<OverviewShown>()),
      m_facts(new QLabel(this)), m_plot(new StepPlotPanel(session, selection, marks, m_capture, this)),
      m_findingsPart(new QWidget(this)), m_findingsTitle(new QLabel(this)),
      m_findings(new FindingsList(findingSettings, this)), m_tables(new QTabWidget(this)),
      m_steps(new TablePanel(session, memory, u"steps"_s, this)),
      m_operators(new TablePanel(session, memory, u"operators"_s, this)),
      m_memoryPeaks(new TablePanel(session, memory, u"peaks"_s, this)), m_rankModel(new RankModel(session, this)),
      m_ranks(new TablePanel(session, memory, u"ranks"_s, this)),
      m_metadata(new TablePanel(session, memory, u"settings"_s, this)),
      m_report(new ReportView(report, session, memory, ReportView::Columns::Short, this)) {
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    auto* column = bareLayout<QVBoxLayout>(this);
    m_facts->setContentsMargins(8, 8, 8, 4);
    m_facts->setWordWrap(true);
    m_facts->setTextInteractionFlags(Qt::TextBrowserInteraction);
    column->addWidget(m_facts);
    auto* whole = new QSplitter(Qt::Vertical, this);
    auto* upper = new QSplitter(Qt::Horizontal, whole);
    layOutTitled(*m_findingsPart, *m_findingsTitle, nullptr, *m_findings);
    upper->addWidget(m_plot);
    upper->addWidget(m_findingsPart);
    upper->setSizes({600, 400});
    upper->setStretchFactor(0, 3);
    upper->setStretchFactor(1, 2);
    setUpTables();
    whole->addWidget(upper);
    whole->addWidget(m_tables);
    whole->setSizes({600, 400});
    whole->setStretchFactor(0, 3);
    whole->setStretchFactor(1, 2);
    column->addWidget(whole, 1);

    connect(&m_capture, &ShownCapture::changed, this, &OverviewPage::refresh);
    connect(&m_capture, &ShownCapture::contextChanged, this, &OverviewPage::refresh);
    connect(m_facts, &QLabel::linkActivated, this, &OverviewPage::followFact);
    connect(m_findings, &FindingsList::mutedShownChanged, this, &OverviewPage::showFindingsTitle);
    connect(&m_settings, &FindingSettings::mutedChanged, this, &OverviewPage::showFindingsTitle);
    connect(&m_settings, &FindingSettings::thresholdsChanged, this, &OverviewPage::showFindingsTitle);
    connect(&m_loader, &FindingsLoader::changed, this, [this] {
        // The pack says more than has been read of it so far.
        if (m_loader.results() != m_results) refresh();
        showFindings();
    });
    connect(m_findings, &FindingsList::evidenceRequested, this, &OverviewPage::showEvidence);
    retranslate();
    refresh();
}

OverviewPage::~OverviewPage() = default;

void OverviewPage::setUpTables() {
    m_tables->setDocumentMode(true);
    const auto rankColumn = [](RankModel::Column column) { return static_cast<std::size_t>(column); };
    m_ranks->table().setWideColumn(rankColumn(RankModel::Column::Missing));
    m_ranks->table().setCellIcon([this, rankColumn](std::uint32_t row, std::size_t column) {
        return column == rankColumn(RankModel::Column::State) ? m_rankModel->icon(row) : QIcon();
    });
    m_ranks->table().setCellTip([this](std::uint32_t row, std::size_t column) {
        return m_rankModel->tip(row, static_cast<RankModel::Column>(column));
    });
    m_steps->hideAtFirst(computedPartColumns());
    m_steps->table().setCellIcon([this](std::uint32_t row, std::size_t column) {
        const bool isMarked = m_shown->steps != nullptr && m_shown->steps->columns()[column].name == "difference" &&
                              row < m_shown->stepRows.size() && m_shown->stepRows[row].isDifferent(m_shown->numbers);
        return isMarked ? themedIcon(u"warning"_s, IconTone::Warning) : QIcon();
    });
    m_metadata->table().setWideColumn(1);
    m_operators->table().setWideColumn(0);
    const std::pair<TablePanel*, QString> examples[] = {{m_steps, u"free > 10ms and rank_id = 0"_s},
                                                        {m_operators, u"share > 5% and name ~ \"matmul\""_s},
                                                        {m_memoryPeaks, u"reserved > 8GiB"_s},
                                                        {m_ranks, u"state != \"ok\""_s},
                                                        {m_metadata, u"key ~ \"schedule\""_s}};
    for (const auto& [panel, filter] : examples) panel->filterBar().setExample(filter);
    const auto leadsToTimeline = [this](TablePanel& panel, void (OverviewPage::*showRow)(std::uint32_t)) {
        connect(&panel.table(), &DataTable::activated, this, showRow);
        panel.table().setRowMenu([this, showRow](QMenu& menu, std::uint32_t row) {
            menu.addAction(tr("Show in the &timeline"), this, [this, showRow, row] { (this->*showRow)(row); });
        });
    };
    leadsToTimeline(*m_steps, &OverviewPage::showStep);
    leadsToTimeline(*m_memoryPeaks, &OverviewPage::showPeak);
    const auto showKernels = [this](std::uint32_t row) {
        if (row >= m_shown->numbers.top.size()) return;
        m_plot->showKernels(m_shown->numbers.top[row].name, m_shown->numbers.top[row].core);
    };
    connect(&m_operators->table(), &DataTable::activated, this, showKernels);
    m_operators->table().setRowMenu([this, showKernels](QMenu& menu, std::uint32_t row) {
        menu.addAction(tr("Show how long its &kernels take"), this, [showKernels, row] { showKernels(row); });
    });
    for (QWidget* page :
         std::initializer_list<QWidget*>{m_steps, m_operators, m_memoryPeaks, m_ranks, m_metadata, m_report})
        m_tables->addTab(page, QString());
    connect(m_rankModel, &RankModel::changed, this, &OverviewPage::showRanks);
    connect(&m_ranks->table(), &DataTable::currentChanged, this, &OverviewPage::showMetadata);
    showRanks(false);
}

// --- what is shown ------------------------------------------------------------------------------------------------

bool OverviewPage::idle() const { return !m_numbersSlot.busy() && m_plot->idle(); }

QWidget* OverviewPage::stepPlot() const { return m_plot; }

void OverviewPage::refresh() {
    showFacts();
    const OpenCapture* open = m_capture.open();
    if (open == nullptr || open->store == nullptr) {
        m_numbersSlot.cancel();
        take(std::make_shared<OverviewShown>());
        return;
    }
    // Nothing is computed from a state that the next one replaces at once.
    const bool isRead = open->job == 0;
    const bool isOfPack = m_loader.shown() == open->id && m_capture.context().empty();
    m_results = m_loader.results();
    const bool isShown = m_shown->isWhole && m_shown->numbers.capture == open->store;
    m_numbersSlot.startInParts<std::shared_ptr<const OverviewShown>>(
        [analysis = m_loader.analysisOf(open->store), store = open->store, context = m_capture.context(), isRead,
         isShown, base = m_capture.base(), ofBase = analysisOfBase(), results = isOfPack ? m_results : nullptr](
            const CancelToken& cancel, const auto& publish) -> std::shared_ptr<const OverviewShown> {
            std::optional<OverviewNumbers> numbers;
            if (results != nullptr) {
                numbers = results->overview;
                numbers->capture = store;
            } else {
                numbers = recordedOverview(store, context, cancel);
                if (!numbers) return nullptr;
                if (!isRead) return overviewShown(*std::move(numbers), context, false);
                if (!isShown) publish(overviewShown(*numbers, context, false));
                if (!addComputed(*numbers, *analysis, cancel)) return nullptr;
            }
            if (!base) return overviewShown(*std::move(numbers), context, true);
            auto before = recordedOverview(base->store, base->context, cancel);
            if (!before || !addComputed(*before, *ofBase, cancel)) return nullptr;
            const OverviewBase beside{*std::move(before), base->context, base->title};
            return overviewShown(*std::move(numbers), context, true, &beside);
        },
        [this](const std::shared_ptr<const OverviewShown>& shown) {
            if (shown) take(shown);
        });
}

std::shared_ptr<const CaptureAnalysis> OverviewPage::analysisOfBase() {
    const auto base = m_capture.base();
    return base ? m_loader.analysisOf(base->store) : nullptr;
}

void OverviewPage::take(std::shared_ptr<const OverviewShown> shown) {
    m_shown = std::move(shown);
    const bool any = m_shown->steps != nullptr;
    m_steps->setSource(m_shown->steps, any ? stepHeadings() : std::vector<ColumnHeading>{});
    m_operators->setSource(m_shown->operators, any ? consumerHeadings() : std::vector<ColumnHeading>{});
    m_memoryPeaks->setSource(m_shown->peaks, any ? peakHeadings() : std::vector<ColumnHeading>{});
    const QString scope = contextText(m_capture.context(), originOf(m_capture.open()));
    m_steps->setScope(scope);
    m_memoryPeaks->setScope(scope);
    // The operators' sums know no steps.
    m_operators->setScope(scope.isEmpty() ? QString() : tr("all ranks and steps"));
    m_plot->setShown(m_shown);
    showFacts();
    showFindings();
}

void OverviewPage::showFacts() {
    const OpenCapture* open = m_capture.open();
    m_facts->setVisible(open != nullptr && open->store != nullptr);
    if (!m_facts->isHidden()) m_facts->setText(withUnbrokenUnits(factsLine(*open, m_shown->numbers.mostReserved)));
}

void OverviewPage::followFact(const QString& link) {
    const std::pair<QString, QWidget*> pages[] = {{u"ranks"_s, m_ranks},
                                                  {u"steps"_s, m_steps},
                                                  {u"memory"_s, m_memoryPeaks},
                                                  {u"settings"_s, m_metadata},
                                                  {u"report"_s, m_report}};
    for (const auto& [name, page] : pages) {
        if (name != link) continue;
        m_tables->setCurrentWidget(page);
        page->setFocus();
    }
}

void OverviewPage::showFindings() {
    const OpenCapture* open = m_capture.open();
    m_found.clear();
    m_foundAt.clear();
    m_findingsOutside = 0;
    const std::vector<Finding>& all = m_loader.found()->findings;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].rule == "missing_data") continue;
        if (!contextHolds(m_capture.context(), *m_loader.found()->capture, all[i])) {
            ++m_findingsOutside;
            continue;
        }
        m_found.push_back(all[i]);
        m_foundAt.push_back(i);
    }
    m_findings->setItems(open != nullptr && open->store != nullptr ? findingItems(*open->store, m_found)
                                                                   : std::vector<FindingItem>());
    const bool had = !m_findingsPart->isHidden(), has = !m_findings->items().empty() || m_findingsOutside > 0;
    m_findingsPart->setVisible(has);
    setFocusProxy(has ? static_cast<QWidget*>(m_findings) : m_steps);
    // Hidden parts take no keys.
    if (had != has && isVisible()) setFocus();
    showFindingsTitle();
}

void OverviewPage::showFindingsTitle() {
    const std::size_t muted = m_findings->mutedShown() ? 0 : m_findings->mutedCount();
    QStringList notes;
    if (muted > 0) notes << tr("%1 hidden").arg(muted);
    if (m_findingsOutside > 0) notes << tr("%n outside of the filter", nullptr, m_findingsOutside);
    if (const int changed = m_settings.changedThresholds(); changed > 0)
        notes << tr("%n threshold(s) changed", nullptr, changed);
    m_findingsTitle->setText(
        notes.isEmpty() ? tr("Fi&ndings") : tr("Fi&ndings (%1)").arg(notes.join(tr(", ", "between parts of a list"))));
}

void OverviewPage::showEvidence(std::size_t item) {
    if (item < m_foundAt.size()) emit evidenceRequested(m_foundAt[item], 0);
}

/// On the host's clock; a step whose time nobody recorded leads to the whole rank.
void OverviewPage::showStep(std::uint32_t row) {
    if (row >= m_shown->stepRows.size()) return;
    const StepTime& time = m_shown->numbers.steps[m_shown->stepRows[row].shown()];
    const RankEntry& rank = m_shown->numbers.capture->ranks[time.rank.value];
    for (const Step& step : rank.steps) {
        if (step.range && time.step == step.number) return emit placeRequested(time.rank, *step.range);
    }
    if (rank.trace != nullptr) emit placeRequested(time.rank, rank.trace->homeRange());
}

void OverviewPage::showPeak(std::uint32_t row) {
    if (row >= m_shown->peakPlaces.size()) return;
    const MemoryPeak& peak = m_shown->numbers.peaks[m_shown->peakPlaces[row]];
    const RankEntry& rank = m_shown->numbers.capture->ranks[peak.rank.value];
    if (rank.trace == nullptr) return;
    // A hundredth of the run on either side shows what led to it.
    const DurationNs around{std::max<std::int64_t>(1, rank.trace->homeRange().length().value / 100)};
    emit placeRequested(peak.rank, {TimeNs{peak.at} - around, TimeNs{peak.at} + around});
}

void OverviewPage::showRanks(bool sameRows) {
    if (sameRows) {
        m_ranks->updateSource(m_rankModel->table(), RankModel::headings());
    } else {
        m_ranks->setSource(m_rankModel->table(), RankModel::headings());
    }
    if (const bool several = m_rankModel->severalCaptures(); std::exchange(m_severalShown, several) != several)
        m_ranks->table().setColumnHidden(static_cast<std::size_t>(RankModel::Column::Capture), !several);
    showMetadata();
}

void OverviewPage::showMetadata() {
    // Without a choice the first rank stands for all: most settings are the same.
    const auto& metadata = m_rankModel->metadata(m_ranks->table().currentRow().value_or(0));
    // Rows come anew while an import runs; what is chosen here stays.
    if (m_metadata->table().loader().source() && metadata == m_shownMetadata) return;
    m_shownMetadata = metadata;
    ColumnTableBuilder builder({{.name = "key", .type = CellType::Text}, {.name = "value", .type = CellType::Text}});
    for (const auto& [key, value] : metadata) {
        builder.addRow();
        builder.setText(0, key);
        builder.setText(1, value);
    }
    m_metadata->setSource(builder.finish(), metadataHeadings());
}

std::vector<ColumnHeading> OverviewPage::metadataHeadings() {
    return {{tr("Key"), u"SQL: SELECT key, value FROM metadata"_s},
            {tr("Value"), u"SQL: SELECT key, value FROM metadata"_s}};
}

void OverviewPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        refresh();
    }
    QWidget::changeEvent(event);
}

void OverviewPage::retranslate() {
    const std::pair<QWidget*, QString> tabs[] = {
        {m_steps, tr("Steps")}, {m_operators, tr("Operators")},         {m_memoryPeaks, tr("Peak memory")},
        {m_ranks, tr("Ranks")}, {m_metadata, tr("Recording settings")}, {m_report, tr("Import report")}};
    for (const auto& [page, title] : tabs) {
        m_tables->setTabText(m_tables->indexOf(page), title);
        page->setAccessibleName(title);
    }
    m_findings->setAccessibleName(tr("Findings"));
    m_ranks->table().setHeadings(RankModel::headings());
    m_metadata->table().setHeadings(metadataHeadings());
}

}  // namespace altiscope
