#include "views/operators/operators_page.h"

#include "views/common/panels/layer_panel.h"
#include "views/common/plots/plot_view.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/support/panel_scope.h"
#include "views/common/tables/dispatch_list.h"
#include "views/common/tables/table_panel.h"
#include "views/operators/call_site_panel.h"
#include "views/operators/duration_boxes.h"
#include "views/operators/flame_panel.h"
#include "views/operators/kernel_list.h"
#include "views/operators/operator_bar.h"
#include "views/operators/operator_gaps.h"
#include "views/operators/operator_tables.h"
#include "views/operators/overall_panel.h"
#include "views/operators/share_bars.h"
#include "views/operators/share_pie.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

OperatorsPage::OperatorsPage(Session& session, Selection& selection, const ViewMemory& memory, QWidget* parent)
    : FramedPage(session, selection, parent), m_selection(selection), m_slot(session.jobs()),
      m_spreadSlot(session.jobs()), m_bar(new OperatorBar(memory, m_frame)), m_body(new QWidget(m_frame)),
      m_sums(new QLabel(m_body)), m_statistics(new TablePanel(session, memory, u"operator_groups"_s, m_body)),
      m_pictures(new QTabWidget(m_body)), m_bars(new ShareBars(m_pictures)), m_pies(new QWidget(m_pictures)),
      m_groupPie(new SharePie(m_pies)), m_corePie(new SharePie(m_pies)), m_spread(new PlotView(session, m_pictures)),
      m_tabs(new QTabWidget(m_body)), m_kernels(new KernelList(session, memory, m_tabs)),
      m_callSites(new CallSitePanel(session, memory, m_tabs)),
      m_dispatch(new DispatchList(session, selection, memory, u"operator_dispatch"_s, m_tabs)),
      m_flame(new FlamePanel(session, memory, m_tabs)), m_overall(new OverallPanel(session, memory, m_tabs)),
      m_aiCpu(new TablePanel(session, memory, u"ai_cpu_groups"_s, m_tabs)),
      m_layers(new LayerPanel(session, selection, memory, m_tabs)) {
    setUp();
    connectParts();
    retranslate();
    follow();
}

OperatorsPage::~OperatorsPage() = default;

void OperatorsPage::setUp() {
    auto* pies = new QHBoxLayout(m_pies);
    pies->setContentsMargins({});
    pies->addWidget(m_groupPie, 1);
    pies->addWidget(m_corePie, 1);
    for (QWidget* picture : std::initializer_list<QWidget*>{m_bars, m_pies, m_spread})
        m_pictures->addTab(picture, QString());
    for (QWidget* tab :
         std::initializer_list<QWidget*>{m_kernels, m_callSites, m_dispatch, m_flame, m_overall, m_aiCpu, m_layers})
        m_tabs->addTab(tab, QString());
    m_tabs->setTabVisible(m_tabs->indexOf(m_aiCpu), false);
    for (QTabWidget* tabs : {m_pictures, m_tabs}) tabs->setDocumentMode(true);
    auto* upper = new QSplitter(Qt::Horizontal, m_body);
    m_upper = upper;
    upper->addWidget(m_statistics);
    upper->addWidget(m_pictures);
    upper->setSizes({600, 400});
    auto* whole = new QSplitter(Qt::Vertical, m_body);
    whole->addWidget(upper);
    whole->addWidget(m_tabs);
    whole->setSizes({500, 500});
    for (QSplitter* splitter : {upper, whole}) splitter->setChildrenCollapsible(false);
    auto* bodyColumn = bareLayout<QVBoxLayout>(m_body);
    m_sums->setContentsMargins(8, 0, 8, 4);
    m_sums->setWordWrap(true);
    m_sums->setTextInteractionFlags(Qt::TextSelectableByMouse);
    bodyColumn->addWidget(m_sums);
    bodyColumn->addWidget(whole, 1);
    m_frame->setParts(m_bar, m_body);
    m_frame->setFocusProxy(m_statistics);
    m_statistics->filterBar().setExample(u"share > 1% and type ~ \"matmul\""_s);
    m_aiCpu->filterBar().setExample(u"total > 1ms"_s);
    std::vector<std::size_t> hidden{static_cast<std::size_t>(GroupColumn::Step),
                                    static_cast<std::size_t>(GroupColumn::Rank)};
    for (const GroupColumn column : kBaseColumns) hidden.push_back(static_cast<std::size_t>(column));
    m_aiCpu->hideAtFirst(std::move(hidden));
}

void OperatorsPage::connectParts() {
    connect(&m_selection, &Selection::changed, this, &OperatorsPage::follow);
    connect(&m_selection, &Selection::shiftsChanged, this, &OperatorsPage::follow);
    connect(m_bar, &OperatorBar::scopeChanged, this, &OperatorsPage::requestGroups);
    connect(m_bar, &OperatorBar::groupingChanged, this, &OperatorsPage::requestGroups);
    connect(m_bar, &OperatorBar::mostChanged, this, [this] {
        showShares();
        showSpread();
    });
    DataTable& table = m_statistics->table();
    connect(&table, &DataTable::currentChanged, this, [this, &table] {
        // Not when rows get new places by themselves.
        const auto row = table.currentRow();
        if (row && table.hasFocus()) chooseGroup(*row);
    });
    connect(&table, &DataTable::activated, this, [this](std::uint32_t row) {
        if (isOnlyInBase(row)) return emit statusMessage(tr("Only the base has these kernels."));
        openGroup(row, *m_tabs, *m_kernels);
    });
    table.setRowMenu([this](QMenu& menu, std::uint32_t row) {
        if (isOnlyInBase(row)) return menu.addAction(tr("Only in the base"))->setEnabled(false);
        menu.addAction(tr("&Kernels of this group"), this, [this, row] { openGroup(row, *m_tabs, *m_kernels); });
        menu.addAction(tr("Where they were &called from"), this,
                       [this, row] { openGroup(row, *m_tabs, *m_callSites); });
        menu.addAction(tr("La&unch chains"), this, [this, row] { openGroup(row, *m_tabs, *m_dispatch); });
        menu.addAction(tr("Distribution of the &durations"), this,
                       [this, row] { openGroup(row, *m_pictures, *m_spread); });
        menu.addAction(tr("&All groups"), this, [this] { chooseGroup(std::nullopt); })->setEnabled(m_group.has_value());
    });
    connect(m_bars, &ShareBars::chosen, this, &OperatorsPage::chooseKey);
    connect(m_groupPie, &SharePie::chosen, this, &OperatorsPage::chooseKey);
    connect(m_corePie, &SharePie::chosen, this, &OperatorsPage::chooseCore);
    connect(m_pictures, &QTabWidget::currentChanged, this, &OperatorsPage::showSpread);
    connect(m_kernels, &KernelList::allRequested, this, [this] { chooseGroup(std::nullopt); });
    connect(m_kernels, &KernelList::sliceRequested, this, &OperatorsPage::showSlice);
    connect(m_kernels, &KernelList::placeRequested, this, &OperatorsPage::placeRequested);
    connect(m_callSites, &CallSitePanel::sliceRequested, this, &OperatorsPage::showSlice);
    connect(m_kernels, &KernelList::dispatchRequested, this, [this](SliceRef kernel) {
        if (!holds(kernel)) return;
        m_kernel = kernel;
        showDispatch();
        m_tabs->setCurrentWidget(m_dispatch);
    });
    connect(m_dispatch, &DispatchList::allRequested, this, [this] { chooseGroup(std::nullopt); });
    connect(m_dispatch, &DispatchList::sliceOpened, this, &OperatorsPage::timelineRequested);
    connect(m_layers, &LayerPanel::sliceOpened, this, &OperatorsPage::timelineRequested);
    connect(m_flame, &FlamePanel::callRequested, this, &OperatorsPage::sliceRequested);
    connect(m_overall, &OverallPanel::sliceRequested, this, &OperatorsPage::sliceRequested);
    connect(m_overall, &OverallPanel::placeRequested, this, &OperatorsPage::placeRequested);
}

// --- what is shown ------------------------------------------------------------------------------------------------

std::optional<Scope> OperatorsPage::scope() const {
    const OpenCapture* open = m_capture.whole();
    if (open == nullptr) return std::nullopt;
    Scope scope = scopeOf(*open, m_selection, m_bar->onlyMarked());
    scope.rank = m_bar->rank();
    return scope;
}

bool OperatorsPage::idle() const {
    if (!isVisible()) return true;
    const auto busy = [](const TablePanel* table) { return table->table().loader().busy(); };
    return !m_slot.busy() && !m_spreadSlot.busy() && m_kernels->idle() && m_callSites->idle() && m_dispatch->idle() &&
           m_flame->idle() && m_overall->idle() && m_layers->idle() && !busy(m_statistics) && !busy(m_aiCpu);
}

void OperatorsPage::refresh(bool isInSight) {
    const OpenCapture* open = m_capture.open();
    const bool isGone =
        open == nullptr || open->store == nullptr || (m_shown != nullptr && m_shown->scope.capture != open->id);
    if (isGone) {
        m_slot.cancel();
        m_requested.reset();
        setPanelScope(std::nullopt, std::nullopt);
        take(nullptr);
    }
    if (!isInSight) return;
    if (open != nullptr && open->store != nullptr) {
        if (std::exchange(m_barCapture, open->id) != open->id) {
            m_bar->forgetRank();
            m_bar->restoreGrouping();
        }
        m_bar->setRanks(*open->store, ranksWithKernels(*open->store, m_capture.context()));
    }
    const SelectionState& state = m_selection.current();
    m_bar->setMarked(state.range.has_value() && state.capture == shownCapture());
    requestGroups();
}

/// Those that have sums of their own within the same scope.
void OperatorsPage::setPanelScope(std::optional<Scope> scope, std::optional<Scope> base) {
    m_overall->setScope(scope);
    m_flame->setScope(std::move(scope), std::move(base));
}

void OperatorsPage::requestGroups() {
    const auto wanted = scope();
    const bool hasKernels = wanted && !ranksWithKernels(*wanted->store, wanted->context).empty();
    setCallsOnly(wanted && !hasKernels && hasHostCalls(*wanted->store, wanted->context));
    if (!hasKernels) {
        m_slot.cancel();
        m_requested.reset();
        setPanelScope(std::nullopt, std::nullopt);
        if (m_isCallsOnly) m_flame->setScope(wanted, std::nullopt);
        take(nullptr);
        showGaps();
        return showReason();
    }
    OperatorRequest request{.scope = *wanted, .grouping = m_bar->grouping()};
    if (const auto base = m_capture.base()) request.base = baseScope(*base, *wanted);
    if (m_requested == request) return;
    m_requested = request;
    setPanelScope(request.scope, request.base);
    using Numbers = std::shared_ptr<const OperatorNumbers>;
    m_slot.startInParts<Numbers>(
        [request = std::move(request), known = m_shown](const CancelToken& cancel, const auto& publish) -> Numbers {
            return operatorNumbers(request, known, publish, cancel);
        },
        [this](Numbers numbers) {
            if (numbers != nullptr && !regroup(*numbers)) take(std::move(numbers));
        });
    showReason();
}

void OperatorsPage::setCallsOnly(bool isSo) {
    if (std::exchange(m_isCallsOnly, isSo) == isSo) return;
    if (isSo) m_tabWithKernels = m_tabs->currentWidget();
    for (QWidget* part : std::initializer_list<QWidget*>{m_bar, m_sums, m_upper}) part->setHidden(isSo);
    for (int tab = 0; tab < m_tabs->count(); ++tab) {
        QWidget* panel = m_tabs->widget(tab);
        // That of the AI CPU comes with its operators.
        if (panel != m_flame && (isSo || panel != m_aiCpu)) m_tabs->setTabVisible(tab, !isSo);
    }
    if (!isSo && m_tabWithKernels != m_aiCpu) m_tabs->setCurrentWidget(m_tabWithKernels);
    m_frame->setFocusProxy(isSo ? static_cast<QWidget*>(m_flame) : m_statistics);
}

/// A capture that states no types opens by operator, as all its kernels would be one group otherwise.
bool OperatorsPage::regroup(const OperatorNumbers& numbers) {
    if (std::exchange(m_fitted, numbers.scope.capture) == numbers.scope.capture) return false;
    if (numbers.groups->grouping != KernelGrouping::Type || numbers.index->selected().empty() ||
        hasTypes(*numbers.index))
        return false;
    m_bar->setGrouping(KernelGrouping::Name);
    return true;
}

void OperatorsPage::take(std::shared_ptr<const OperatorNumbers> numbers) {
    const bool isSame = haveSameGroups(numbers.get(), m_shown.get());
    if (numbers == nullptr && m_shown == nullptr) return showReason();
    m_shown = std::move(numbers);
    if (!isSame) {
        m_group.reset();
        m_kernel.reset();
    }
    showStatistics(isSame);
    m_kernels->setScope(scopeText());
    m_kernels->setGroup(m_shown, m_group);
    m_callSites->setGroup(m_shown, m_group);
    showDispatch();
    showAiCpu();
    if (!isSame) showShares();
    showSpread();
    showSums();
    showGaps();
    showReason();
}

void OperatorsPage::showStatistics(bool isSame) {
    if (m_shown == nullptr) return m_statistics->setSource(nullptr, {});
    m_statistics->setScope(scopeText());
    // Rows that only a base has come later.
    const auto& before = m_statistics->table().loader().source();
    const bool isUpdate = isSame && before != nullptr && before->rowCount() == m_shown->table->rowCount();
    if (isUpdate) m_statistics->updateSource(m_shown->table, groupHeadings());
    else m_statistics->setSource(m_shown->table, groupHeadings());
    hideColumns(isUpdate);
    if (isSame) return;
    TableLoader& loader = m_statistics->table().loader();
    if (loader.sort().empty())
        loader.setSort({{.column = static_cast<std::size_t>(GroupColumn::Total), .descending = true}});
}

/// Columns that nothing fills.
void OperatorsPage::hideColumns(bool isSame) {
    const bool hasBase = m_requested && m_requested->base;
    if (!isSame || m_showsBase != hasBase)
        for (const GroupColumn column : kBaseColumns)
            m_statistics->table().setColumnHidden(static_cast<std::size_t>(column), !hasBase);
    m_showsBase = hasBase;
    if (isSame) return;
    const auto without = columnsWithout(*m_shown->groups);
    for (const GroupColumn column : {GroupColumn::Name, GroupColumn::Type, GroupColumn::Core, GroupColumn::Shapes,
                                     GroupColumn::Step, GroupColumn::Rank, GroupColumn::Device})
        m_statistics->table().setColumnHidden(static_cast<std::size_t>(column),
                                              std::find(without.begin(), without.end(), column) != without.end());
}

/// Rows that only the base has stand after the groups.
bool OperatorsPage::isOnlyInBase(std::uint32_t row) const {
    return m_shown != nullptr && row >= m_shown->groups->groups.size();
}

void OperatorsPage::showAiCpu() {
    // The first part of a result does not tell whether there are any, nor does a capture that is read again: a tab
    // that went and came back would not be the chosen one.
    if (m_shown == nullptr) return m_aiCpu->setSource(nullptr, {});
    if (!m_shown->groups->hasPercentiles) return;
    const bool any = m_shown->aiCpu != nullptr && !m_shown->aiCpu->groups.empty();
    m_tabs->setTabVisible(m_tabs->indexOf(m_aiCpu), any);
    m_aiCpu->setSource(any ? m_shown->aiCpuTable : nullptr, any ? groupHeadings() : std::vector<ColumnHeading>());
    m_aiCpu->setScope(scopeText());
}

/// The tasks of all groups are all tasks: also those of which no kernel is known.
void OperatorsPage::showDispatch() {
    if (m_shown == nullptr) return m_dispatch->request({});
    const Scope& scope = m_shown->scope;
    DispatchQuery query = dispatchQuery(scope);
    QString subject;
    if (m_kernel) {
        query.kernels.kernel = m_kernel;
        subject = toQString(scope.store->ranks[m_kernel->rank.value].trace->name(m_kernel->slice));
    } else if (m_group) {
        query.kernels = {.groups = m_shown->groups, .group = *m_group};
        subject = groupTitle(*m_shown->groups, *m_group);
    }
    // Kernels lie within those times; what launched them may lie before.
    if (!query.kernels.isAll()) {
        for (RankWindow& selected : query.ranks) selected.times.reset();
    }
    m_dispatch->request(query, subject);
    m_dispatch->table().setScope(scopeText());
}

void OperatorsPage::showShares() {
    if (m_shown == nullptr) {
        m_bars->setShares({});
        m_groupPie->setShares({}, {});
        m_corePie->setShares({}, {});
        return;
    }
    const KernelGroups& groups = *m_shown->groups;
    const std::vector<Share> shares = groupShares(*m_shown, m_bar->most()), cores = coreShares(*m_shown);
    m_bars->setShares(shares);
    m_groupPie->setShares(shares, groupingTitle(groups.grouping));
    m_corePie->setShares(cores, groupingTitle(KernelGrouping::Core));
    m_corePie->setVisible(!cores.empty() && groups.grouping != KernelGrouping::Core);
    const std::optional<std::uint32_t> key = m_group ? std::optional(groups.groups[*m_group].key) : std::nullopt;
    m_bars->setChosen(key);
    m_groupPie->setChosen(key);
}

void OperatorsPage::showSpread() {
    if (m_shown == nullptr || m_pictures->currentWidget() != m_spread) {
        m_spreadSlot.cancel();
        return;
    }
    const std::optional<std::uint32_t> key =
        m_group ? std::optional(m_shown->groups->groups[*m_group].key) : std::nullopt;
    m_spreadSlot.start([numbers = m_shown, key, most = m_bar->most()](
                           const CancelToken& cancel) { return durationBoxes(*numbers->groups, key, most, cancel); },
                       [this, numbers = m_shown](DurationBoxes boxes) {
                           if (boxes.boxes.empty()) return m_spread->showNothing(tr("No kernels"));
                           m_spread->show(boxPlotOf(std::move(boxes), *numbers->groups));
                       });
}

void OperatorsPage::showSums() {
    if (m_shown == nullptr) return m_sums->clear();
    const KernelGroups& groups = *m_shown->groups;
    QString text = withCount(tr("%n kernel(s), %1 in all, in %2 groups; a group's row leads to its kernels and to "
                                "where they were called from.",
                                nullptr, pluralCount(groups.all.count)),
                             groups.all.count)
                       .arg(formatDuration({groups.all.total}), formatCount(groups.groups.size()));
    if (m_shown->base != nullptr) {
        const KernelChanges& changes = m_shown->base->changes;
        const auto base = m_capture.base();
        text += u' ' + tr("Beside the base, %1: means over ranks and steps, of %2 here, of %3 there.")
                           .arg(base ? base->title : QString(),
                                tr("%n step(s)", nullptr, static_cast<int>(changes.currentSteps)),
                                tr("%n step(s)", nullptr, static_cast<int>(changes.baseSteps)));
    }
    m_sums->setText(withUnbrokenUnits(text));
}

QString OperatorsPage::scopeText() const {
    return m_shown == nullptr ? QString() : altiscope::scopeText(m_shown->scope, m_shown->index->selected().size());
}

QStringList OperatorsPage::shownGaps() const {
    const OpenCapture* open = m_capture.whole();
    return open != nullptr && (m_shown != nullptr || m_isCallsOnly)
               ? operatorGaps(*open->store, m_capture.context(), m_shown.get())
               : QStringList();
}

std::optional<QStringList> OperatorsPage::missing() const {
    const OpenCapture* open = m_capture.whole();
    return open == nullptr ? std::nullopt : std::optional(operatorGaps(*open->store, m_capture.context(), nullptr));
}

PageTexts OperatorsPage::texts() const {
    return {.title = tr("Operators"),
            .about =
                tr("Which operators cost most, how their durations are distributed, and where they were called from."),
            .reading = tr("The capture is being read. Operators are shown when reading is complete."),
            .nothing = tr("No kernels"),
            .icon = u"view_operators"_s};
}

bool OperatorsPage::isContentShown() const {
    return m_shown != nullptr || m_isCallsOnly || (m_slot.busy() && !m_capture.isBeingRead());
}

// --- choices ------------------------------------------------------------------------------------------------------

void OperatorsPage::chooseGroup(std::optional<std::size_t> group) {
    if (m_shown == nullptr || (group && *group >= m_shown->groups->groups.size())) group.reset();
    const bool hadKernel = m_kernel.has_value();
    m_kernel.reset();
    if (std::exchange(m_group, group) == group) return hadKernel ? showDispatch() : void();
    m_kernels->setGroup(m_shown, m_group);
    m_callSites->setGroup(m_shown, m_group);
    showDispatch();
    const std::optional<std::uint32_t> key =
        m_group ? std::optional(m_shown->groups->groups[*m_group].key) : std::nullopt;
    m_bars->setChosen(key);
    m_groupPie->setChosen(key);
    showSpread();
}

/// Shows more of a group, where the keys then go.
void OperatorsPage::openGroup(std::size_t group, QTabWidget& tabs, QWidget& panel) {
    chooseGroup(group);
    tabs.setCurrentWidget(&panel);
    panel.setFocus();
}

/// The first group of a key, in the table and beside it.
void OperatorsPage::chooseKey(std::uint32_t key) {
    if (m_shown == nullptr) return;
    const auto& groups = m_shown->groups->groups;
    const auto found =
        std::find_if(groups.begin(), groups.end(), [&](const KernelGroup& group) { return group.key == key; });
    if (found == groups.end()) return;
    const auto row = static_cast<std::uint32_t>(found - groups.begin());
    DataTable& table = m_statistics->table();
    const TableRows& rows = *table.loader().rows();
    for (std::size_t place = 0; place < rows.count; ++place) {
        if (rows.row(place) != row) continue;
        table.setCurrent(place, table.loader().sort().empty() ? 0 : table.loader().sort().front().column);
        break;
    }
    chooseGroup(row);
}

/// Only the groups of a core stay in the table.
void OperatorsPage::chooseCore(std::uint32_t key) {
    if (m_shown == nullptr) return;
    const QString core = toQString(m_shown->index->text(m_shown->groups->keys[key].core));
    m_statistics->filterBar().addChip(core.isEmpty() ? u"accelerator_core = none"_s
                                                     : u"accelerator_core = \"%1\""_s.arg(core));
}

/// A request of a part of the page may be about a store that was replaced meanwhile.
bool OperatorsPage::holds(SliceRef slice) const {
    if (m_shown == nullptr) return false;
    const auto& ranks = m_shown->scope.store->ranks;
    const auto trace = slice.rank.value < ranks.size() ? ranks[slice.rank.value].trace : nullptr;
    return trace != nullptr && slice.slice.value < trace->sliceCount();
}

void OperatorsPage::showSlice(SliceRef slice) {
    if (holds(slice)) emit sliceRequested(m_shown->scope.store->ranks[slice.rank.value].trace->id(slice.slice));
}

void OperatorsPage::retranslate() {
    m_pictures->setTabText(m_pictures->indexOf(m_bars), tr("Bars"));
    m_pictures->setTabText(m_pictures->indexOf(m_pies), tr("Pies"));
    m_pictures->setTabText(m_pictures->indexOf(m_spread), tr("Spread"));
    m_tabs->setTabText(m_tabs->indexOf(m_kernels), tr("Kernels"));
    m_tabs->setTabText(m_tabs->indexOf(m_callSites), tr("Called from"));
    m_tabs->setTabText(m_tabs->indexOf(m_dispatch), tr("Launch chain"));
    m_tabs->setTabText(m_tabs->indexOf(m_flame), tr("Flame graph"));
    m_tabs->setTabText(m_tabs->indexOf(m_overall), tr("Overall metrics"));
    m_tabs->setTabText(m_tabs->indexOf(m_aiCpu), tr("AI CPU"));
    m_tabs->setTabText(m_tabs->indexOf(m_layers), tr("Layers and copies"));
    m_statistics->table().setAccessibleName(tr("Operators in groups"));
    m_bars->setAccessibleName(tr("Shares of the groups"));
    m_spread->setAccessibleName(tr("Distribution of the durations"));
    m_aiCpu->table().setAccessibleName(tr("Operators on the AI CPU"));
    if (m_shown != nullptr) {
        m_statistics->table().setHeadings(groupHeadings());
        m_statistics->setScope(scopeText());
        showDispatch();
        showAiCpu();
    }
    showShares();
    showSpread();
    showSums();
}

}  // namespace altiscope
