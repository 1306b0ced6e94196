#include "views/memory/panels/static_panel.h"

#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"
#include "views/memory/canvas/curve_canvas.h"
#include "views/memory/data/memory_tables.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

StaticPanel::StaticPanel(Session& session, const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_graphs(new QComboBox(this)), m_facts(new QLabel(this)),
      m_canvas(new CurveCanvas(session, m_window, CurveCanvas::Values::Bytes, CurveCanvas::Axis::Nodes, this)),
      m_table(new TablePanel(session, memory, u"static_memory"_s, this)) {
    auto* column = bareLayout<QVBoxLayout>(this);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 0);
    bar->setSpacing(8);
    bar->addWidget(m_graphs);
    bar->addWidget(m_facts, 1);
    column->addLayout(bar);
    auto* both = new QSplitter(Qt::Horizontal, this);
    both->addWidget(m_canvas);
    both->addWidget(m_table);
    both->setSizes({450, 550});
    both->setChildrenCollapsible(false);
    column->addWidget(both, 1);
    m_table->filterBar().setExample(u"size > 1MiB and node_end = none"_s);
    m_table->table().setWideColumn(static_cast<std::size_t>(StaticColumn::Name));
    connect(m_graphs, &QComboBox::activated, this, &StaticPanel::show);
    connect(&m_table->table(), &DataTable::currentChanged, this, &StaticPanel::markRow);
    retranslate();
}

void StaticPanel::setMemory(std::shared_ptr<const RankMemory> memory) {
    m_memory = std::move(memory);
    retranslate();
    show();
}

const StaticGraph* StaticPanel::graph() const {
    const int index = m_graphs->currentIndex();
    if (m_memory == nullptr || index < 0 || static_cast<std::size_t>(index) >= m_memory->graphs.size()) return nullptr;
    return &m_memory->graphs[static_cast<std::size_t>(index)];
}

QString StaticPanel::facts() const {
    const StaticGraph* shown = graph();
    if (shown == nullptr) return {};
    const MemoryExtremes used = shown->curve->whole(MemoryQuantity::Allocated);
    const auto bytes = [](std::int64_t value) {
        return formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, value)));
    };
    QString text =
        withCount(tr("%n operator(s), at most %1 in use at a node.", nullptr, pluralCount(shown->rows.size())),
                  shown->rows.size())
            .arg(bytes(used.max));
    if (shown->total) text += u' ' + tr("The file says %1 in total.").arg(bytes(*shown->total));
    return text;
}

void StaticPanel::show() {
    const StaticGraph* shown = graph();
    m_facts->setText(facts());
    if (shown == nullptr) {
        m_canvas->setLines({});
        m_window.reset();
        m_table->setSource(nullptr, {});
        return;
    }
    const TimeRange nodes{{0}, {shown->lastNode + 1}};
    m_window.setExtent(nodes, nodes, nodes, {});
    m_canvas->setLines(
        {{.name = tr("in use"), .series = shown->curve, .quantity = MemoryQuantity::Allocated, .hue = 0}});
    m_table->setSource(staticTable(*m_memory->entry().rows, *shown), staticHeadings());
}

/// Where the chosen row's memory lies on the axis.
void StaticPanel::markRow() {
    CurveOverlay overlay;
    const auto row = m_table->table().currentRow();
    const auto source = m_table->table().loader().source();
    if (row && source != nullptr && *row < source->rowCount() && graph() != nullptr) {
        const auto cell = [&](StaticColumn column) {
            const std::int64_t value = source->cell(static_cast<std::size_t>(column), *row);
            return value == kAbsentCell ? std::nullopt : std::optional(TimeNs{value});
        };
        // The last node is one of those that need it.
        overlay.marked = TimeRange{cell(StaticColumn::First).value_or(TimeNs{0}),
                                   cell(StaticColumn::Last).value_or(TimeNs{graph()->lastNode}) + DurationNs{1}};
        if (overlay.marked->end < overlay.marked->begin) overlay.marked.reset();
    }
    m_canvas->setOverlay(std::move(overlay));
}

void StaticPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        show();
    }
    QWidget::changeEvent(event);
}

void StaticPanel::retranslate() {
    const int before = std::max(0, m_graphs->currentIndex());
    m_graphs->clear();
    if (m_memory != nullptr) {
        for (const StaticGraph& graph : m_memory->graphs)
            m_graphs->addItem(graph.name.empty() ? tr("Graph without a name")
                                                 : tr("Graph %1").arg(toQString(graph.name)));
    }
    m_graphs->setCurrentIndex(std::min(before, m_graphs->count() - 1));
    m_graphs->setAccessibleName(tr("Graph"));
    m_canvas->setAccessibleName(tr("Static memory by node"));
    m_table->table().setAccessibleName(tr("Static memory"));
}

}  // namespace altiscope
