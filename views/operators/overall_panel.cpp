#include "views/operators/overall_panel.h"

#include "core/tables/sources/column_table.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/row_copy.h"
#include "views/common/tables/table_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

enum OverallColumn : int { kCategory, kTime, kShare, kCount, kAverage, kMin, kMax, kOverallColumns };
enum class InstanceColumn : std::size_t { Name, Rank, Start, Duration, Part };

/// Parts of the ranks of a scope that are summed up: steps by their kernels, times by their clocks.
std::vector<OverallRank> overallRanks(const Scope& scope) {
    std::vector<OverallRank> ranks;
    for (RankIndex i; i.value < scope.store->ranks.size(); ++i.value) {
        if (!scope.context.holds(scope.store->ranks[i.value].info) || (scope.rank && *scope.rank != i)) continue;
        OverallRank& rank = ranks.emplace_back();
        rank.rank = i;
        rank.steps = scope.context.steps;
        std::optional<TimeRange> range = scope.context.onClockOf(i).range;
        if (scope.marked) {
            const TimeRange marked = scope.marked->on(i);
            range = range ? TimeRange{std::max(range->begin, marked.begin), std::min(range->end, marked.end)} : marked;
        }
        if (!range) continue;
        rank.times.emplace();
        if (range->begin < range->end) rank.times->push_back(*range);
    }
    return ranks;
}

std::shared_ptr<const ColumnTable> instanceTable(const CaptureStore& store, const OverallInstances& instances,
                                                 std::int64_t origin) {
    ColumnTableBuilder builder({textColumn("name"), integerColumn("rank_id"),
                                integerColumn("ts", CellUnit::Time, origin), integerColumn("dur", CellUnit::Duration),
                                integerColumn("part", CellUnit::Duration)});
    const auto at = [](InstanceColumn column) { return static_cast<std::size_t>(column); };
    for (const OverallInstance& instance : instances.list) {
        builder.addRow();
        if (!instance.name.empty()) builder.setText(at(InstanceColumn::Name), instance.name);
        builder.setRank(at(InstanceColumn::Rank), store.ranks[instance.slice.rank.value].info);
        builder.setInteger(at(InstanceColumn::Start), instance.range.begin.value);
        builder.setInteger(at(InstanceColumn::Duration), instance.range.length().value);
        builder.setInteger(at(InstanceColumn::Part), instance.time);
    }
    return builder.finish();
}

std::vector<ColumnHeading> instanceHeadings() {
    return {{OverallPanel::tr("Name"), OverallPanel::tr("Empty: a gap."), {}, Qt::ElideMiddle},
            {OverallPanel::tr("Rank"), {}},
            {OverallPanel::tr("Start"), OverallPanel::tr("On the trace's own clock, since the start of the run.")},
            {OverallPanel::tr("Duration"), {}},
            {OverallPanel::tr("Counted"), OverallPanel::tr("What of it counts in the chosen line.")}};
}

}  // namespace

OverallPanel::OverallPanel(Session& session, const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_slot(session.jobs()), m_listSlot(session.jobs()), m_sentence(new QLabel(this)),
      m_lines(new QTreeWidget), m_instances(new TablePanel(session, memory, u"overall_instances"_s)) {
    setUp();
    retranslate();
}

void OverallPanel::setUp() {
    auto* column = bareLayout<QVBoxLayout>(this);
    m_sentence->setContentsMargins(8, 4, 8, 4);
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_sentence);
    auto* halves = new QSplitter(Qt::Horizontal, this);
    halves->addWidget(m_lines);
    halves->addWidget(m_instances);
    halves->setSizes({600, 500});
    m_instances->hide();
    halves->setChildrenCollapsible(false);
    column->addWidget(halves, 1);
    m_lines->setColumnCount(kOverallColumns);
    m_lines->setFrameShape(QFrame::NoFrame);
    m_lines->setUniformRowHeights(true);
    m_lines->setAllColumnsShowFocus(true);
    m_lines->setContextMenuPolicy(Qt::CustomContextMenu);
    copyRowsByKey(*m_lines);
    m_lines->header()->setStretchLastSection(false);
    m_instances->filterBar().setExample(u"dur > 100us and name ~ \"MatMul\""_s);
    m_instances->table().setWideColumn(static_cast<std::size_t>(InstanceColumn::Name));
    setFocusProxy(m_lines);
    connect(m_lines, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (item != nullptr) chooseLine(item->data(0, Qt::UserRole).toUInt());
    });
    connect(m_lines, &QTreeWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        QMenu menu(this);
        menu.addAction(tr("&Copy the metrics"), this, &OverallPanel::copyLines);
        menu.exec(m_lines->viewport()->mapToGlobal(at));
    });
    connect(&m_instances->table(), &DataTable::activated, this, &OverallPanel::goTo);
    m_instances->table().setRowMenu([this](QMenu& menu, std::uint32_t row) {
        menu.addAction(tr("Show in the &timeline"), this, [this, row] { goTo(row); });
    });
}

void OverallPanel::setScope(std::optional<Scope> scope) {
    if (scope == m_scope) return;
    m_scope = std::move(scope);
    m_slot.cancel();
    // Its slices are none of the new store's.
    if (!m_scope || (m_metrics && m_metrics->capture != m_scope->store)) take(std::nullopt);
    request();
}

bool OverallPanel::idle() const {
    return !isVisible() || !(m_slot.busy() || m_listSlot.busy() || m_instances->table().loader().busy());
}

void OverallPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isStale) request();
}

void OverallPanel::request() {
    m_isStale = m_scope.has_value() && !isVisible();
    if (!m_scope || !isVisible()) return;
    m_slot.start([scope = *m_scope](
                     const CancelToken& cancel) { return overallMetrics(scope.store, overallRanks(scope), cancel); },
                 [this](std::optional<OverallMetrics> metrics) { take(std::move(metrics)); });
}

void OverallPanel::take(std::optional<OverallMetrics> metrics) {
    m_listSlot.cancel();
    m_metrics = std::move(metrics);
    m_line.reset();
    m_listed = {};
    m_instances->setSource(nullptr, {});
    m_instances->hide();
    showLines();
    retranslate();
}

void OverallPanel::showLines() {
    const QSignalBlocker blocked(m_lines);
    m_lines->clear();
    if (!m_metrics) return;
    std::vector<QTreeWidgetItem*> items;
    const auto& lines = m_metrics->lines;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const OverallLine& line = lines[i];
        auto* item =
            i == 0 ? new QTreeWidgetItem(m_lines) : new QTreeWidgetItem(items[static_cast<std::size_t>(line.parent)]);
        items.push_back(item);
        item->setData(0, Qt::UserRole, static_cast<uint>(i));
        item->setText(kCategory, overallTitle(line));
        item->setText(kTime, formatDuration({line.time}));
        if (lines[0].time > 0)
            item->setText(kShare, formatPercent(static_cast<double>(line.time) / static_cast<double>(lines[0].time)));
        if (line.count > 0) {
            item->setText(kCount, formatCount(line.count));
            item->setText(kAverage, formatDuration({line.sum / static_cast<std::int64_t>(line.count)}));
            item->setText(kMin, formatDuration({line.min}));
            item->setText(kMax, formatDuration({line.max}));
        }
        for (int column = 0; column < kOverallColumns; ++column) {
            item->setToolTip(column, overallFormula(line));
            if (column != kCategory) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        }
        item->setToolTip(kTime, formatExactNs({line.time}) + u'\n' + overallFormula(line));
    }
    m_lines->expandAll();
    if (m_line) m_lines->setCurrentItem(items[*m_line]);
    for (int column = 0; column < kOverallColumns; ++column) m_lines->resizeColumnToContents(column);
}

void OverallPanel::chooseLine(std::size_t line) {
    if (!m_metrics || line >= m_metrics->lines.size()) return;
    m_line = line;
    const std::int64_t origin = m_scope && m_scope->origin ? m_scope->origin->value : 0;
    using Listed = std::pair<OverallInstances, std::shared_ptr<const ColumnTable>>;
    m_listSlot.start(
        [metrics = *m_metrics, line, origin](const CancelToken& cancel) -> std::optional<Listed> {
            auto instances = overallInstances(metrics, line, kMaxListed, cancel);
            if (!instances) return std::nullopt;
            auto table = instanceTable(*metrics.capture, *instances, origin);
            return Listed{std::move(*instances), std::move(table)};
        },
        [this](std::optional<Listed> listed) {
            if (!listed) return;
            m_listed = std::move(listed->first);
            m_instances->setSource(std::move(listed->second), instanceHeadings());
            m_instances->show();
            retranslate();
        });
}

void OverallPanel::goTo(std::uint32_t row) {
    if (!m_metrics || row >= m_listed.list.size()) return;
    const OverallInstance& instance = m_listed.list[row];
    const auto& trace = m_metrics->capture->ranks[instance.slice.rank.value].trace;
    if (instance.slice.slice != kNoSlice) emit sliceRequested(trace->id(instance.slice.slice));
    else emit placeRequested(instance.slice.rank, instance.range);
}

void OverallPanel::copyLines() const {
    QStringList rows;
    for (QTreeWidgetItemIterator at(m_lines); *at != nullptr; ++at) {
        int depth = 0;
        for (const QTreeWidgetItem* item = (*at)->parent(); item != nullptr; item = item->parent()) ++depth;
        QStringList cells{QString(depth * 2, u' ') + (*at)->text(kCategory)};
        for (int column = kTime; column < kOverallColumns; ++column) cells << (*at)->text(column);
        rows << cells.join(u'\t');
    }
    QApplication::clipboard()->setText(rows.join(u'\n'));
}

QString OverallPanel::sentence() const {
    if (!m_metrics) return {};
    if (m_metrics->lines.empty())
        return tr("Neither kernels nor collectives within the filter. Activities with NPU record "
                  "them.");
    QStringList parts{tr("Sums over %n rank(s).", nullptr, static_cast<int>(m_metrics->counted))};
    if (!m_metrics->hasClasses)
        parts << tr("What computing was for is not known: neither kernel_details nor op_summary is there "
                    "(profiler_level Level1).");
    if (!m_metrics->hasWaits)
        parts << tr("Waits of collectives are not known: their tasks are recorded from profiler_level Level1 on.");
    if (m_line && m_listed.all > m_listed.list.size())
        parts << tr("Of the chosen line the longest %1 of %2 are listed.")
                     .arg(formatCount(m_listed.list.size()), formatCount(m_listed.all));
    else if (!m_line) parts << tr("A line lists what it consists of; from there it goes on to the timeline.");
    return parts.join(u' ');
}

void OverallPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::LanguageChange) return;
    showLines();
    retranslate();
}

void OverallPanel::retranslate() {
    m_lines->setHeaderLabels({tr("Category"), tr("Time"), tr("Share"), tr("Count"), tr("Avg"), tr("Min"), tr("Max")});
    for (int column = kTime; column < kOverallColumns; ++column)
        m_lines->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    m_lines->headerItem()->setToolTip(kCount,
                                      tr("Kernels, collectives or gaps; the next three are of their durations."));
    m_lines->setAccessibleName(tr("Overall metrics"));
    m_instances->table().setAccessibleName(tr("What the chosen line consists of"));
    if (m_instances->table().loader().source() != nullptr) m_instances->table().setHeadings(instanceHeadings());
    m_sentence->setText(withUnbrokenUnits(sentence()));
    m_sentence->setVisible(!m_sentence->text().isEmpty());
}

}  // namespace altiscope
