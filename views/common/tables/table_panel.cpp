#include "views/common/tables/table_panel.h"

#include "core/session/session.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// Lines of text below which a panel is low.
constexpr int kLowLines = 14;

}  // namespace

TablePanel::TablePanel(Session& session, const ViewMemory& memory, const QString& name, QWidget* parent)
    : QWidget(parent), m_memory(memory), m_name(u"table/"_s + name), m_layout(new QGridLayout(this)),
      m_filter(new FilterBar(session.jobs(), this)), m_table(new DataTable(session, this)), m_status(new QLabel(this)) {
    setObjectName(name);  // a workspace knows tables by it
    m_layout->setContentsMargins({});
    m_layout->setSpacing(0);
    m_layout->addWidget(m_filter, 0, 0);
    m_layout->addWidget(m_table, 1, 0, 1, 2);
    m_layout->setColumnStretch(0, 1);
    m_layout->setRowStretch(1, 1);
    m_status->setContentsMargins(8, 2, 8, 2);
    m_status->setMinimumWidth(1);  // or a long text would keep the window wide
    placeStatus();
    setFocusProxy(m_table);
    // Scroll bars would request more rows than a small panel has room for.
    m_table->setMinimumHeight(fontMetrics().height() * 4);
    connect(m_filter, &FilterBar::filterChanged, &m_table->loader(), &TableLoader::setFilter);
    connect(m_filter, &FilterBar::left, m_table, [this] { m_table->setFocus(); });
    connect(m_table, &DataTable::conditionChosen, m_filter, &FilterBar::addChip);
    connect(&m_table->loader(), &TableLoader::queryChanged, this,
            [this] { m_filter->showProblem(m_table->loader().problem()); });
    connect(&m_table->loader(), &TableLoader::rowsChanged, this, &TablePanel::refresh);
    connect(m_table, &DataTable::currentChanged, this, &TablePanel::refresh);
    connect(m_table, &DataTable::exportFailed, this, [this](const QString& reason) {
        m_status->setText(tr("Not saved: %1").arg(reason));
        m_status->setToolTip(m_status->text());
    });
    connect(m_table, &DataTable::columnsChanged, this, [this] {
        if (m_restored) m_memory.setValue(m_name, m_table->saveColumns());
    });
}

void TablePanel::setSource(std::shared_ptr<const TableSource> source, std::vector<ColumnHeading> headings) {
    m_filter->setSource(source);
    const auto& before = m_table->loader().source();
    // Headers forget what is hidden, and their order, with their columns; nothing of that is to be remembered.
    const bool keepsColumns = source && before && source->columns().size() == before->columns().size();
    if (!keepsColumns) m_restored = false;
    const bool first = !m_restored && source;
    m_table->setSource(std::move(source), std::move(headings));
    if (!first) return;
    for (const std::size_t column : m_hiddenAtFirst) m_table->setColumnHidden(column, true);
    m_table->restoreColumns(m_memory.value(m_name).toByteArray());
    m_restored = true;
    applySort();
}

QJsonArray TablePanel::sortState() const {
    if (m_wantedSort) return *m_wantedSort;
    QJsonArray state;
    const auto& source = m_table->loader().source();
    if (!source) return state;
    for (const SortKey& key : m_table->loader().sort()) {
        const auto columns = source->columns();
        if (key.column < columns.size()) state.append(QJsonArray{toQString(columns[key.column].name), key.descending});
    }
    return state;
}

void TablePanel::restoreSort(const QJsonArray& state) {
    m_wantedSort = state;
    if (m_table->loader().source()) applySort();
}

void TablePanel::applySort() {
    if (!m_wantedSort) return;
    const auto columns = m_table->loader().source()->columns();
    std::vector<SortKey> sort;
    const QJsonArray wanted = *std::exchange(m_wantedSort, std::nullopt);
    for (const auto& said : wanted) {
        const std::string name = said.toArray().at(0).toString().toStdString();
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const bool isKnown =
                std::any_of(sort.begin(), sort.end(), [i](const SortKey& key) { return key.column == i; });
            if (columns[i].name == name && !isKnown) sort.push_back({i, said.toArray().at(1).toBool()});
        }
    }
    m_table->loader().setSort(std::move(sort));
}

void TablePanel::updateSource(std::shared_ptr<const TableSource> source, std::vector<ColumnHeading> headings) {
    if (!m_restored) return setSource(std::move(source), std::move(headings));
    m_filter->setSource(source);
    m_table->updateSource(std::move(source), std::move(headings));
}

void TablePanel::setScope(const QString& scope) {
    m_scope = scope;
    refresh();
}

QString TablePanel::statusText() const {
    const TableRows& rows = *m_table->loader().rows();
    QStringList parts;
    if (!m_scope.isEmpty()) parts << m_scope;
    if (!rows.complete) {
        parts << tr("the first %1 rows; the others follow").arg(formatCount(rows.count));
    } else if (rows.count == rows.total) {
        parts << (rows.total == 1 ? tr("1 row") : tr("%1 rows").arg(formatCount(rows.total)));
    } else {
        parts << tr("%1 of %2 rows").arg(formatCount(rows.count), formatCount(rows.total));
    }
    if (m_table->selection().count() > 1) parts << tr("%1 selected").arg(formatCount(m_table->selection().count()));
    if (rows.tooCostly) parts << tr("matching this pattern takes too long for some texts, which do not match");
    return parts.join(u" · "_s);
}

void TablePanel::refresh() {
    QPalette quiet = m_status->palette();
    quiet.setColor(QPalette::WindowText, themeOf(palette()).muted);
    m_status->setPalette(quiet);
    m_status->setText(m_table->loader().source() ? statusText() : QString());
    m_status->setToolTip(m_status->text());
}

/// Below the rows; in a low panel beside the filter, whose height it would take from them.
void TablePanel::placeStatus() {
    const bool isLow = height() < kLowLines * fontMetrics().height();
    if (m_isLow == isLow) return;
    m_isLow = isLow;
    m_layout->addWidget(m_status, isLow ? 0 : 2, isLow ? 1 : 0, 1, isLow ? 1 : 2);
}

QSize TablePanel::minimumSizeHint() const {
    return {m_layout->minimumSize().width(), m_filter->minimumSizeHint().height() + m_table->minimumHeight()};
}

void TablePanel::resizeEvent(QResizeEvent* event) {
    placeStatus();
    QWidget::resizeEvent(event);
}

void TablePanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refresh();
    QWidget::changeEvent(event);
}

}  // namespace altiscope
