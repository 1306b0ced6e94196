#include "views/overview/overview_page.h"

#include "core/session/marks.h"
#include "core/session/operator_durations.h"
#include "views/common/data_words.h"
#include "views/common/formatters.h"
#include "views/common/plot_view.h"
#include "views/common/table_panel.h"
#include "views/overview/capture_facts.h"
#include "views/overview/overview_facts.h"
#include "views/overview/overview_tables.h"
#include "views/overview/rank_model.h"
#include "views/overview/report_view.h"
#include "views/overview/step_marks.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

enum class PlotKind : int { ByRank, ByStep, Variation, Heat, Boxes, Steps, Kernels };

/// More ranks than these are shown as a heat map as well.
constexpr std::size_t kManyRanks = 2;
/// Fewer steps have no spread worth a box, fewer values none worth a histogram.
constexpr std::size_t kFewestSteps = 4, kFewestTimes = 8;
constexpr int kTypeChars = 28;

TimeNs originOf(const OpenCapture* capture) { return capture == nullptr ? TimeNs{} : capture->times.origin().value_or(TimeNs{}); }

}  // namespace

struct OverviewPage::Shown {
    OverviewNumbers numbers;
    bool isWhole = false;  ///< With what we compute ourselves.
    StepSheet sheet;
    std::shared_ptr<const ColumnTable> steps, operators, peaks;
    std::vector<std::size_t> stepPlaces, peakPlaces;  // of the rows in numbers
    StackedBars byRank, byStep;
    EnvelopeLine variation;
    HeatMap heat;
    BoxPlot boxes;
    Histogram stepTimes;
};

std::shared_ptr<const OverviewPage::Shown> OverviewPage::shownOf(OverviewNumbers numbers, const ContextFilter& context, bool isWhole) {
    auto shown = std::make_shared<Shown>();
    shown->numbers = std::move(numbers);
    shown->isWhole = isWhole;
    shown->sheet = stepSheet(shown->numbers, context, Origin::Recorded);
    shown->steps = stepTable(shown->numbers, context);
    shown->stepPlaces = heldSteps(shown->numbers, context);
    shown->peakPlaces = heldPeaks(shown->numbers, context);
    shown->operators = consumerTable(shown->numbers);
    shown->peaks = peakTable(shown->numbers, context);
    shown->byRank = barsByRank(shown->sheet);
    shown->byStep = barsByStep(shown->sheet);
    shown->variation = variationOverSteps(shown->sheet);
    shown->heat = heatOfRanksAndSteps(shown->sheet);
    shown->boxes = boxesByRank(shown->sheet);
    shown->stepTimes = histogramOfSteps(shown->sheet);
    return shown;
}

OverviewPage::OverviewPage(Session& session, Selection& selection, FindingsFeed& findings, FindingSettings& findingSettings, ReportModel& report, Marks& marks,
                           const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_session(session), m_selection(selection), m_feed(findings), m_settings(findingSettings), m_marks(marks), m_numbersSlot(session.jobs()), m_durationsSlot(session.jobs()), m_facts(new QLabel(this)),
      m_plotKind(new QComboBox(this)), m_plot(new PlotView(session, this)), m_plotTitle(new QLabel(this)), m_findingsTitle(new QLabel(this)),
      m_findings(new FindingsList(findingSettings, this)), m_tables(new QTabWidget(this)), m_steps(new TablePanel(session, memory, u"steps"_s, this)),
      m_operators(new TablePanel(session, memory, u"operators"_s, this)), m_memoryPeaks(new TablePanel(session, memory, u"peaks"_s, this)),
      m_rankModel(new RankModel(session, this)), m_ranks(new TablePanel(session, memory, u"ranks"_s, this)),
      m_metadata(new TablePanel(session, memory, u"settings"_s, this)),
      m_report(new ReportView(report, session, memory, ReportView::Columns::Short, this)) {
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(0);
    m_facts->setContentsMargins(8, 8, 8, 4);
    m_facts->setWordWrap(true);
    m_facts->setTextInteractionFlags(Qt::TextBrowserInteraction);
    column->addWidget(m_facts);
    auto* whole = new QSplitter(Qt::Vertical, this);
    auto* upper = new QSplitter(Qt::Horizontal, whole);
    setUpUpper(upper);
    setUpTables();
    whole->addWidget(upper);
    whole->addWidget(m_tables);
    whole->setSizes({600, 400});
    whole->setStretchFactor(0, 3);
    whole->setStretchFactor(1, 2);
    column->addWidget(whole, 1);

    for (const auto signal : {&Session::captureOpened, &Session::captureChanged, &Session::captureClosed}) connect(&session, signal, this, &OverviewPage::refresh);
    connect(&selection, &Selection::changed, this, [this, context = ContextFilter()]() mutable {
        if (std::exchange(context, m_selection.current().context) != context) refresh();
    });
    connect(&selection, &Selection::changed, this, &OverviewPage::showMarks);
    connect(&marks, &Marks::changed, this, &OverviewPage::showMarks);
    connect(m_plotKind, &QComboBox::activated, this, [this] {
        m_chosenPlot = m_plotKind->currentData().toInt();
        showPlot();
    });
    connect(m_plot, &PlotView::clicked, this, &OverviewPage::clickPlot);
    connect(m_facts, &QLabel::linkActivated, this, &OverviewPage::followFact);
    connect(m_findings, &FindingsList::mutedShownChanged, this, &OverviewPage::showFindingsTitle);
    connect(&m_settings, &FindingSettings::mutedChanged, this, &OverviewPage::showFindingsTitle);
    connect(&m_settings, &FindingSettings::thresholdsChanged, this, &OverviewPage::showFindingsTitle);
    connect(&m_feed, &FindingsFeed::changed, this, &OverviewPage::showFindings);
    connect(m_findings, &FindingsList::evidenceRequested, this, &OverviewPage::showEvidence);
    m_shown = std::make_shared<Shown>();
    retranslate();
    refresh();
}

OverviewPage::~OverviewPage() = default;

void OverviewPage::setUpUpper(QWidget* upper) {
    const auto part = [this, upper](QLabel* title, QWidget* beside, QWidget* content) {
        auto* widget = new QWidget(upper);
        auto* column = new QVBoxLayout(widget);
        column->setContentsMargins({});
        column->setSpacing(0);
        auto* row = new QHBoxLayout;
        row->setContentsMargins(8, 4, 8, 4);
        title->setFont(scaledFont(font(), 1.2));
        title->setBuddy(content);
        row->addWidget(title, 1);
        if (beside != nullptr) row->addWidget(beside);
        column->addLayout(row);
        column->addWidget(content, 1);
        return widget;
    };
    auto* splitter = static_cast<QSplitter*>(upper);
    splitter->addWidget(part(m_plotTitle, m_plotKind, m_plot));
    splitter->addWidget(part(m_findingsTitle, nullptr, m_findings));
    splitter->setSizes({600, 400});
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
}

void OverviewPage::setUpTables() {
    m_tables->setDocumentMode(true);
    const auto rankColumn = [](RankModel::Column column) { return static_cast<std::size_t>(column); };
    m_ranks->table().setWideColumn(rankColumn(RankModel::Column::Missing));
    m_ranks->table().setCellIcon([this, rankColumn](std::uint32_t row, std::size_t column) { return column == rankColumn(RankModel::Column::State) ? m_rankModel->icon(row) : QIcon(); });
    m_ranks->table().setCellTip([this](std::uint32_t row, std::size_t column) { return m_rankModel->tip(row, static_cast<RankModel::Column>(column)); });
    m_metadata->table().setWideColumn(1);
    m_operators->table().setWideColumn(0);
    const std::pair<TablePanel*, QString> examples[] = {{m_steps, u"free > 10ms and rank_id = 0"_s}, {m_operators, u"share > 5% and name ~ \"matmul\""_s},
                                                        {m_memoryPeaks, u"reserved > 8GiB"_s}, {m_ranks, u"state != \"ok\""_s}, {m_metadata, u"key ~ \"schedule\""_s}};
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
        m_operator = {m_shown->numbers.top[row].name, m_shown->numbers.top[row].core};
        m_chosenPlot = static_cast<int>(PlotKind::Kernels);
        readDurations();
    };
    connect(&m_operators->table(), &DataTable::activated, this, showKernels);
    m_operators->table().setRowMenu([this, showKernels](QMenu& menu, std::uint32_t row) {
        menu.addAction(tr("Show how long its &kernels take"), this, [showKernels, row] { showKernels(row); });
    });
    for (QWidget* page : {static_cast<QWidget*>(m_steps), static_cast<QWidget*>(m_operators), static_cast<QWidget*>(m_memoryPeaks), static_cast<QWidget*>(m_ranks),
                          static_cast<QWidget*>(m_metadata), static_cast<QWidget*>(m_report)})
        m_tables->addTab(page, QString());
    connect(m_rankModel, &RankModel::changed, this, &OverviewPage::showRanks);
    connect(&m_ranks->table(), &DataTable::currentChanged, this, &OverviewPage::showMetadata);
    showRanks(false);
}

// --- what is shown ------------------------------------------------------------------------------------------------

const OpenCapture* OverviewPage::capture() const {
    if (const OpenCapture* wanted = m_session.capture(m_wanted); wanted != nullptr) return wanted;
    return m_session.captures().empty() ? nullptr : &m_session.captures().back();
}

/// What the context says of the capture that is shown.
ContextFilter OverviewPage::contextOfPage() const {
    const OpenCapture* open = capture();
    return m_selection.current().context.forCapture(open == nullptr ? 0 : open->id);
}

void OverviewPage::showCapture(std::uint32_t capture) {
    if (std::exchange(m_wanted, capture) == capture) return;
    m_operator.reset();
    refresh();
}

void OverviewPage::refresh() {
    showFacts();
    const OpenCapture* open = capture();
    if (open == nullptr || open->store == nullptr) {
        m_numbersSlot.cancel();
        take(std::make_shared<Shown>());
        return;
    }
    // Nothing is computed from a state that the next one replaces at once.
    const bool isRead = open->job == 0;
    const bool isShown = m_shown->isWhole && m_shown->numbers.capture == open->store;
    m_numbersSlot.startInParts<std::shared_ptr<const Shown>>(
        [analysis = m_feed.analysisOf(open->store), store = open->store, context = m_selection.current().context.forCapture(open->id), isRead, isShown](
            const CancelToken& cancel, const auto& publish) -> std::shared_ptr<const Shown> {
            auto numbers = recordedOverview(store, context, cancel);
            if (!numbers) return nullptr;
            if (!isRead) return shownOf(*std::move(numbers), context, false);
            if (!isShown) publish(shownOf(*numbers, context, false));
            if (!addComputed(*numbers, *analysis, cancel)) return nullptr;
            return shownOf(*std::move(numbers), context, true);
        },
        [this](const std::shared_ptr<const Shown>& shown) {
            if (shown) take(shown);
        });
}

void OverviewPage::take(std::shared_ptr<const Shown> shown) {
    m_shown = std::move(shown);
    const bool any = m_shown->steps != nullptr;
    m_steps->setSource(m_shown->steps, any ? stepHeadings() : std::vector<ColumnHeading>{});
    m_operators->setSource(m_shown->operators, any ? consumerHeadings() : std::vector<ColumnHeading>{});
    m_memoryPeaks->setSource(m_shown->peaks, any ? peakHeadings() : std::vector<ColumnHeading>{});
    const QString scope = contextText(contextOfPage(), originOf(capture()));
    m_steps->setScope(scope);
    m_memoryPeaks->setScope(scope);
    // The operators' sums know no steps.
    m_operators->setScope(scope.isEmpty() ? QString() : tr("all ranks and steps"));
    showPlot();
    showFacts();
    showFindings();
    if (m_operator) readDurations();
}

void OverviewPage::readDurations() {
    if (m_shown->numbers.capture == nullptr) {
        m_operator.reset();
        return m_durationsSlot.cancel();
    }
    m_durationsSlot.start(
        [capture = m_shown->numbers.capture, context = contextOfPage(), wanted = *m_operator](const CancelToken& cancel) {
            const auto durations = operatorDurations(*capture, context, wanted.type, wanted.core, cancel);
            return histogramOfKernels(toQString(wanted.type), durations.value_or(std::vector<std::int64_t>()));
        },
        [this](Histogram histogram) {
            m_durations = std::move(histogram);
            showPlot();
        });
}

/// On plots whose bottom axis follows time.
void OverviewPage::showMarks() {
    const auto kind = static_cast<PlotKind>(m_plotKind->currentData().toInt());
    const bool isOverTime = kind == PlotKind::ByStep || kind == PlotKind::Variation || kind == PlotKind::Heat;
    const OpenCapture* open = capture();
    if (!isOverTime || open == nullptr || m_shown->sheet.times.empty()) return m_plot->setRanges({});
    const SelectionState& state = m_selection.current();
    const auto marked = state.capture == open->id ? state.range : std::nullopt;
    m_plot->setRanges(rangesOnSteps(m_shown->sheet, m_marks.of(open->id), marked, originOf(open)));
}

void OverviewPage::showPlot() {
    const StepSheet& sheet = m_shown->sheet;
    const bool many = sheet.ranks.size() > kManyRanks && sheet.steps.size() > 1;
    // Kinds that have nothing to show are not offered.
    std::vector<std::pair<PlotKind, QString>> kinds;
    if (sheet.ranks.size() > 1) kinds.emplace_back(PlotKind::ByRank, tr("By rank"));
    kinds.emplace_back(PlotKind::ByStep, tr("By step"));
    if (sheet.steps.size() > 1) kinds.emplace_back(PlotKind::Variation, tr("Variation over steps"));
    if (many) kinds.emplace_back(PlotKind::Heat, tr("Ranks and steps"));
    if (sheet.ranks.size() > 1 && sheet.steps.size() >= kFewestSteps) kinds.emplace_back(PlotKind::Boxes, tr("Spread by rank"));
    if (sheet.times.size() >= kFewestTimes) kinds.emplace_back(PlotKind::Steps, tr("How times of steps spread"));
    if (m_operator) {
        const QString type = fontMetrics().elidedText(toQString(m_operator->type), Qt::ElideMiddle, fontMetrics().averageCharWidth() * kTypeChars);
        kinds.emplace_back(PlotKind::Kernels, tr("Kernels of %1").arg(type));
    }
    const QSignalBlocker blocker(m_plotKind);
    m_plotKind->clear();
    for (const auto& [kind, title] : kinds) m_plotKind->addItem(title, static_cast<int>(kind));
    m_plotKind->setCurrentIndex(std::max(0, m_plotKind->findData(m_chosenPlot)));
    m_plotKind->setVisible(kinds.size() > 1);
    const auto kind = static_cast<PlotKind>(m_plotKind->currentData().toInt());
    m_plotTitle->setText(kind == PlotKind::Kernels ? tr("&Time of kernels") : tr("&Time of the steps"));
    showMarks();
    m_plot->setAccessibleName(m_plotTitle->text().remove(u'&'));
    if (kind == PlotKind::Kernels)
        return m_durations.counts.empty() ? m_plot->showNothing(tr("No single kernels of this type are recorded within what all pages are to show.")) : m_plot->show(m_durations);
    if (sheet.times.empty()) {
        m_plotKind->setVisible(m_operator.has_value());
        return m_plot->showNothing(m_selection.current().context.empty() ? tr("No times of steps are recorded or computed.") : tr("Nothing lies within what all pages are to show."));
    }
    switch (kind) {
    case PlotKind::ByRank: return m_plot->show(m_shown->byRank);
    case PlotKind::ByStep: return m_plot->show(m_shown->byStep);
    case PlotKind::Variation: return m_plot->show(m_shown->variation);
    case PlotKind::Heat: return m_plot->show(m_shown->heat);
    case PlotKind::Boxes: return m_plot->show(m_shown->boxes);
    case PlotKind::Steps: return m_plot->show(m_shown->stepTimes);
    case PlotKind::Kernels: return;
    }
}

/// A bar leads to its rank or step: all pages then show that one.
void OverviewPage::clickPlot(std::size_t place, std::size_t row) {
    const StepSheet& sheet = m_shown->sheet;
    const auto kind = static_cast<PlotKind>(m_plotKind->currentData().toInt());
    ContextFilter context = m_selection.current().context;
    const auto chooseRank = [&](std::size_t rank) {
        if (rank < sheet.ranks.size() && sheet.capture->ranks[sheet.ranks[rank]].info.rankId) context.ranks = {*sheet.capture->ranks[sheet.ranks[rank]].info.rankId};
    };
    const auto chooseStep = [&](std::size_t step) {
        if (step < sheet.steps.size() && sheet.steps[step]) context.steps = {*sheet.steps[step]};
    };
    if (kind == PlotKind::ByRank || kind == PlotKind::Boxes) chooseRank(place);
    if (kind == PlotKind::Heat) chooseRank(row);
    if (kind == PlotKind::ByStep || kind == PlotKind::Variation || kind == PlotKind::Heat) chooseStep(place);
    m_selection.setContext(std::move(context));
}

void OverviewPage::showFacts() {
    const OpenCapture* open = capture();
    m_facts->setVisible(open != nullptr && open->store != nullptr);
    if (!m_facts->isHidden()) m_facts->setText(factsLine(*open, m_shown ? m_shown->numbers.mostReserved : std::nullopt));
}

void OverviewPage::followFact(const QString& link) {
    const std::pair<QString, QWidget*> pages[] = {{u"ranks"_s, m_ranks}, {u"steps"_s, m_steps}, {u"memory"_s, m_memoryPeaks}, {u"settings"_s, m_metadata}, {u"report"_s, m_report}};
    for (const auto& [name, page] : pages) {
        if (name != link) continue;
        m_tables->setCurrentWidget(page);
        page->setFocus();
    }
}

void OverviewPage::showFindings() {
    const OpenCapture* open = capture();
    m_found = m_feed.found()->findings;
    std::erase_if(m_found, [this](const Finding& finding) {
        return finding.rule == "missing_data" || !contextHolds(contextOfPage(), *m_feed.found()->capture, finding);
    });
    m_findings->setItems(open != nullptr && open->store != nullptr ? findingItems(*open->store, m_found) : std::vector<FindingItem>());
    m_findings->parentWidget()->setVisible(!m_findings->items().empty());
    showFindingsTitle();
}

void OverviewPage::showFindingsTitle() {
    const std::size_t muted = m_findings->mutedShown() ? 0 : m_findings->mutedCount();
    QStringList notes;
    if (muted > 0) notes << tr("%1 hidden").arg(muted);
    if (const int changed = m_settings.changedThresholds(); changed > 0) notes << tr("%n threshold(s) changed", nullptr, changed);
    m_findingsTitle->setText(notes.isEmpty() ? tr("&Findings") : tr("&Findings (%1)").arg(notes.join(tr(", ", "between parts of a list"))));
}

/// The slices that a finding rests on are best, then the time, then the numbers.
void OverviewPage::showEvidence(std::size_t item) {
    if (item >= m_found.size()) return;
    const FindingEvidence& evidence = m_found[item].evidence;
    if (!evidence.slices.empty()) return emit sliceRequested(evidence.slices.front().slice.id);
    if (!evidence.ranges.empty()) return emit placeRequested(evidence.ranges.front().rank, evidence.ranges.front().range);
    if (!evidence.rows.empty()) showTable(toQString(evidence.rows.front().table));
}

void OverviewPage::showTable(const QString& name) {
    const bool isMemory = name == "memory_sample"_L1 || name == "allocation"_L1;
    m_tables->setCurrentWidget(isMemory ? m_memoryPeaks : name == "op_stat"_L1 ? m_operators : m_steps);
    m_tables->currentWidget()->setFocus();
}

/// On the host's clock; a step whose time nobody recorded leads to the whole rank.
void OverviewPage::showStep(std::uint32_t row) {
    if (row >= m_shown->stepPlaces.size()) return;
    const StepTime& time = m_shown->numbers.steps[m_shown->stepPlaces[row]];
    const RankEntry& rank = m_shown->numbers.capture->ranks[time.rank];
    for (const Step& step : rank.steps) {
        if (step.range && time.step == step.number) return emit placeRequested(time.rank, *step.range);
    }
    if (rank.trace != nullptr) emit placeRequested(time.rank, rank.trace->homeRange());
}

void OverviewPage::showPeak(std::uint32_t row) {
    if (row >= m_shown->peakPlaces.size()) return;
    const MemoryPeak& peak = m_shown->numbers.peaks[m_shown->peakPlaces[row]];
    const RankEntry& rank = m_shown->numbers.capture->ranks[peak.rank];
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
    if (m_metadata->table().feed().source() && metadata == m_shownMetadata) return;
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
    return {{tr("Key"), u"SQL: SELECT key, value FROM metadata"_s}, {tr("Value"), u"SQL: SELECT key, value FROM metadata"_s}};
}

void OverviewPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        refresh();
    }
    QWidget::changeEvent(event);
}

void OverviewPage::retranslate() {
    const std::pair<QWidget*, QString> tabs[] = {{m_steps, tr("Steps")}, {m_operators, tr("Operators")}, {m_memoryPeaks, tr("Peak memory")}, {m_ranks, tr("Ranks")},
                                                 {m_metadata, tr("Settings of the recording")}, {m_report, tr("Import report")}};
    for (const auto& [page, title] : tabs) {
        m_tables->setTabText(m_tables->indexOf(page), title);
        page->setAccessibleName(title);
    }
    m_plotKind->setAccessibleName(tr("What the plot shows"));
    m_findings->setAccessibleName(tr("Findings"));
    m_ranks->table().setHeadings(RankModel::headings());
    m_metadata->table().setHeadings(metadataHeadings());
}

}  // namespace altiscope
