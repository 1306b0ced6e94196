#include "views/common/tables/data_table.h"

#include "core/session/session.h"
#include "views/common/support/cell_text.h"
#include "views/common/theme/theme.h"

#include <QApplication>
#include <QDataStream>
#include <QEvent>
#include <QHeaderView>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <limits>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// Version of what saveColumns() writes.
constexpr quint32 kColumnsVersion = 4;
/// Rows that tell how wide a column has to be.
constexpr std::size_t kSampledRows = 64;
constexpr int kWidestChars = 48, kSpareChars = 8;
/// Min width of a column with sentences.
constexpr int kMinWideChars = 40;
/// More rows take longer to compare than a frame lasts.
constexpr std::size_t kMaxComparedRows = std::size_t{1} << 20;

/// Headings are names of columns in filters too.
std::vector<ColumnAlias> aliasesOf(const std::vector<ColumnHeading>& headings) {
    std::vector<ColumnAlias> aliases;
    for (std::size_t i = 0; i < headings.size(); ++i) aliases.push_back({headings[i].title.toStdString(), i});
    return aliases;
}

QList<QByteArray> namesOf(const TableSource* source) {
    QList<QByteArray> names;
    if (source == nullptr) return names;
    for (const TableColumn& column : source->columns()) names << QByteArray::fromStdString(column.name);
    return names;
}

}  // namespace

DataTable::DataTable(Session& session, QWidget* parent)
    : QAbstractScrollArea(parent), m_session(session), m_loader(new TableLoader(session.jobs(), this)),
      m_headings(new HeadingModel(this)), m_header(new QHeaderView(Qt::Horizontal, this)),
      m_frozenHeader(new QHeaderView(Qt::Horizontal, this)) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setAutoFillBackground(true);
    setUpHeaders();
    connect(m_loader, &TableLoader::rowsChanged, this, &DataTable::takeRows);
    connect(m_loader, &TableLoader::queryChanged, this, [this] {
        m_headings->setSort(m_loader->sort());
        emit columnsChanged();
    });
}

DataTable::~DataTable() {
    // Headers report their geometry while the base class takes them down.
    for (QHeaderView* header : {m_header, m_frozenHeader}) header->disconnect(this);
}

void DataTable::setUpHeaders() {
    m_frozenHeader->setObjectName(u"frozen"_s);
    for (QHeaderView* header : {m_header, m_frozenHeader}) {
        header->setModel(m_headings);
        header->setSectionsMovable(header == m_header);
        header->setSectionsClickable(true);
        header->setHighlightSections(false);
        header->setFocusPolicy(Qt::NoFocus);
        header->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(header, &QHeaderView::sectionClicked, this, &DataTable::chooseHeading);
        connect(header, &QWidget::customContextMenuRequested, this,
                [this, header](const QPoint& at) { showHeadingMenu(at, header); });
    }
    connect(m_frozenHeader, &QHeaderView::sectionResized, this, [this](int column, int, int width) {
        if (width > 0 && m_header->sectionSize(column) != width) m_header->resizeSection(column, width);
    });
    const auto changed = [this] {
        layoutHeaders();
        updateScrollBars();
        emit columnsChanged();
    };
    connect(m_header, &QHeaderView::sectionResized, this, [this](int column, int before, int width) {
        // Hidden columns have none.
        if (!m_isSizing && before > 0 && width > 0) m_chosen.insert(column);
    });
    connect(m_header, &QHeaderView::sectionResized, this, changed);
    connect(m_header, &QHeaderView::sectionResized, this, [this](int column) {
        if (m_wide && static_cast<std::size_t>(column) != *m_wide) fitWideColumn();
    });
    connect(m_header, &QHeaderView::sectionMoved, this, changed);
    connect(m_header, &QHeaderView::geometriesChanged, this, [this] { layoutHeaders(); });
}

void DataTable::setSource(std::shared_ptr<const TableSource> source, std::vector<ColumnHeading> headings) {
    const auto before = m_headings->columnCount();
    m_loader->setAliases(aliasesOf(headings));
    m_headings->set(source, std::move(headings));
    if (m_headings->columnCount() != before) {
        m_hasWidths = false;
        m_chosen.clear();
    }
    m_sized = false;
    m_selection.clear();
    m_known.reset();
    m_current = m_anchor = 0;
    m_currentColumn =
        std::min<std::size_t>(m_currentColumn, static_cast<std::size_t>(std::max(0, m_headings->columnCount() - 1)));
    m_loader->setSource(std::move(source));
    if (!m_hasWidths) sizeColumns();  // by the headings, should there never be a row
    layoutHeaders();
}

void DataTable::updateSource(std::shared_ptr<const TableSource> source, std::vector<ColumnHeading> headings) {
    const auto& before = m_loader->source();
    if (!before || !source || before->rowCount() != source->rowCount() ||
        before->columns().size() != source->columns().size())
        return setSource(std::move(source), std::move(headings));
    m_loader->setAliases(aliasesOf(headings));
    m_headings->set(source, std::move(headings));
    m_loader->follow(currentRow());
    m_loader->updateSource(std::move(source));
}

void DataTable::setHeadings(std::vector<ColumnHeading> headings) {
    m_loader->setAliases(aliasesOf(headings));
    m_headings->setWords(std::move(headings));
    sizeColumns();
    viewport()->update();
}

void DataTable::setWideColumn(std::size_t column) {
    m_wide = column;
    fitWideColumn();
}

void DataTable::takeRows() {
    const TableRows& rows = *m_loader->rows();
    const auto known = std::exchange(m_known, m_loader->rows());
    const bool samePlaces =
        known && known->count == rows.count && rows.rows.size() <= kMaxComparedRows && known->rows == rows.rows;
    // Else a selection of places would be one of other rows.
    if (!samePlaces) m_selection.clear();
    if (samePlaces) {
        updateScrollBars();
        return emit currentChanged();
    }
    if (rows.place) {
        m_current = m_anchor = *rows.place;
        m_selection.set(m_current, m_current + 1);
    } else if (rows.complete) {
        m_current = m_anchor = 0;
    }
    if (!m_sized && rows.count > 0) sizeColumns();
    fitWideColumn();
    updateScrollBars();
    if (rows.place) ensureVisible();
    viewport()->update();
    emit currentChanged();
}

std::optional<std::uint32_t> DataTable::currentRow() const {
    if (m_selection.ranges().empty() || m_current >= m_loader->rows()->count) return std::nullopt;
    return m_loader->rows()->row(m_current);
}

void DataTable::setCurrent(std::size_t place, std::size_t column) {
    m_currentColumn = column;
    moveCurrent(place, false);
}

TablePart DataTable::shownPart() const {
    TablePart part{
        .source = m_loader->source(), .rows = m_loader->rows(), .columns = {}, .places = m_selection.ranges()};
    for (int visual = 0; visual < m_header->count(); ++visual) {
        const int column = m_header->logicalIndex(visual);
        if (!m_header->isSectionHidden(column)) part.columns.push_back(static_cast<std::size_t>(column));
    }
    return part;
}

// --- columns ------------------------------------------------------------------------------------------------------

void DataTable::chooseHeading(int column) {
    const auto which = static_cast<std::size_t>(column);
    const TableColumn& about = m_loader->source()->columns()[which];
    const bool largestFirst = isRightAligned(about) || !about.order.empty();
    std::vector<SortKey> sort = m_loader->sort();
    const auto found =
        std::find_if(sort.begin(), sort.end(), [which](const SortKey& key) { return key.column == which; });
    std::optional<SortKey> key = SortKey{which, largestFirst};
    // The third click takes the order back.
    if (found != sort.end())
        key = found->descending == largestFirst ? std::optional(SortKey{which, !largestFirst}) : std::nullopt;
    if ((QApplication::keyboardModifiers() & Qt::ShiftModifier) == 0) {
        sort.clear();
        if (key) sort.push_back(*key);
    } else if (found == sort.end()) {
        sort.push_back(*key);
    } else if (key) {
        *found = *key;
    } else {
        sort.erase(found);
    }
    m_loader->follow(currentRow());
    m_loader->setSort(std::move(sort));
}

void DataTable::setFrozenColumns(int count) {
    m_frozen = std::clamp(count, 0, m_header->count());
    layoutHeaders();
    updateScrollBars();
    emit columnsChanged();
}

void DataTable::setColumnHidden(std::size_t column, bool hidden) {
    const bool appears = !hidden && isColumnHidden(column);
    m_header->setSectionHidden(static_cast<int>(column), hidden);
    // While it was hidden it was sized without its heading, and by what it held then.
    if (appears) sizeColumn(static_cast<int>(column));
    leaveHiddenColumn();
    layoutHeaders();
    updateScrollBars();
    emit columnsChanged();
}

/// The current cell is one that can be seen, if any can.
void DataTable::leaveHiddenColumn() {
    for (int visual = 0; visual < m_header->count() && isColumnHidden(m_currentColumn); ++visual)
        m_currentColumn = static_cast<std::size_t>(m_header->logicalIndex(visual));
}

bool DataTable::isColumnHidden(std::size_t column) const { return m_header->isSectionHidden(static_cast<int>(column)); }

/// A column that is only a little wider than its texts stays as it is: with each result all would move otherwise.
void DataTable::sizeColumn(int column) {
    const int em = fontMetrics().horizontalAdvance(u'm');
    const int text =
        std::min(contentWidth(static_cast<std::size_t>(column)), fontMetrics().averageCharWidth() * kWidestChars);
    const int width = std::max(m_header->sectionSizeHint(column) + em, text), now = m_header->sectionSize(column);
    const bool fits = m_hasWidths && now >= width && now <= width + fontMetrics().averageCharWidth() * kSpareChars;
    if (!fits && !m_chosen.contains(column)) resizeColumn(column, width);
}

void DataTable::sizeColumns() {
    m_sized = m_loader->rows()->count > 0;
    for (int column = 0; column < m_header->count(); ++column) sizeColumn(column);
    m_hasWidths = m_header->count() > 0;
    fitWideColumn();
}

void DataTable::resizeColumn(int column, int width) {
    m_isSizing = true;
    m_header->resizeSection(column, width);
    m_isSizing = false;
}

/// Width of its content in the rows that are sampled.
int DataTable::contentWidth(std::size_t column) const {
    const int em = fontMetrics().horizontalAdvance(u'm');
    int width = 0;
    for (std::size_t place = 0; place < std::min(kSampledRows, m_loader->rows()->count); ++place) {
        const std::uint32_t row = m_loader->rows()->row(place);
        const bool hasIcon = m_cellIcon && !m_cellIcon(row, column).isNull();
        width = std::max(width, fontMetrics().horizontalAdvance(onOneLine(shownText(row, column))) + em + em / 2 +
                                    (hasIcon ? fontMetrics().height() + em : 0));
    }
    return width;
}

void DataTable::fitWideColumn() {
    if (!m_wide || *m_wide >= static_cast<std::size_t>(m_header->count())) return;
    const int column = static_cast<int>(*m_wide), others = m_header->length() - m_header->sectionSize(column);
    const int min = fontMetrics().averageCharWidth() * kMinWideChars, room = viewport()->width() - others;
    if (!m_header->isSectionHidden(column) && !m_chosen.contains(column))
        resizeColumn(column, std::max(min, std::min(room, contentWidth(*m_wide))));
}

QByteArray DataTable::saveColumns() const {
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << kColumnsVersion << namesOf(m_loader->source().get()) << m_header->saveState() << qint32(m_frozen)
           << quint32(m_loader->sort().size());
    for (const SortKey& key : m_loader->sort()) stream << quint32(key.column) << key.descending;
    stream << quint32(m_chosen.size());
    for (const int column : m_chosen) stream << qint32(column);
    return bytes;
}

void DataTable::restoreColumns(const QByteArray& saved) {
    QDataStream stream(saved);
    quint32 version = 0, keys = 0;
    stream >> version;
    // A saved state counts columns: without their names it may be of other ones.
    if (stream.status() != QDataStream::Ok || version != kColumnsVersion) return;
    QList<QByteArray> names;
    QByteArray state;
    qint32 frozen = 0;
    stream >> names >> state >> frozen >> keys;
    const int columns = m_header->count();
    if (stream.status() != QDataStream::Ok || names != namesOf(m_loader->source().get()) || keys > quint32(columns))
        return;
    std::vector<SortKey> sort;
    for (quint32 i = 0; i < keys; ++i) {
        quint32 column = 0;
        bool descending = false;
        stream >> column >> descending;
        if (column < quint32(columns)) sort.push_back({column, descending});
    }
    std::set<int> chosen;
    quint32 choices = 0;
    stream >> choices;
    for (quint32 i = 0; i < std::min(choices, quint32(columns)); ++i) {
        qint32 column = 0;
        stream >> column;
        chosen.insert(column);
    }
    // A state of another number of columns is refused by the header.
    if (stream.status() != QDataStream::Ok || !m_header->restoreState(state)) return;
    m_chosen = std::move(chosen);
    m_hasWidths = false;
    leaveHiddenColumn();
    sizeColumns();
    setFrozenColumns(frozen);
    m_loader->setSort(std::move(sort));
}

// --- geometry -----------------------------------------------------------------------------------------------------

int DataTable::rowHeight() const { return static_cast<int>(fontMetrics().height() * 1.35); }

std::size_t DataTable::rowsInSight() const {
    return static_cast<std::size_t>(std::max(1, viewport()->height() / rowHeight()));
}

int DataTable::frozenWidth() const {
    int width = 0;
    for (int visual = 0; visual < std::min(m_frozen, m_header->count()); ++visual)
        width += m_header->sectionSize(m_header->logicalIndex(visual));
    return width;
}

int DataTable::columnLeft(int column) const {
    const int position = m_header->sectionPosition(column);
    return m_header->visualIndex(column) < m_frozen ? position : position - m_header->offset();
}

void DataTable::layoutHeaders() {
    const int height = std::max(m_header->sizeHint().height(), rowHeight());
    setViewportMargins(0, height, 0, 0);
    const QRect area = viewport()->geometry();
    m_header->setGeometry(area.left(), area.top() - height, area.width(), height);
    m_frozenHeader->setVisible(m_frozen > 0);
    if (m_frozen == 0) return;
    const QSignalBlocker blocker(m_frozenHeader);
    for (int column = 0; column < m_header->count(); ++column) {
        const bool frozen = m_header->visualIndex(column) < m_frozen && !m_header->isSectionHidden(column);
        m_frozenHeader->setSectionHidden(column, !frozen);
        if (frozen) m_frozenHeader->resizeSection(column, m_header->sectionSize(column));
        const int at = m_frozenHeader->visualIndex(column);
        if (at != m_header->visualIndex(column)) m_frozenHeader->moveSection(at, m_header->visualIndex(column));
    }
    m_frozenHeader->setGeometry(area.left(), area.top() - height, std::min(frozenWidth(), area.width()), height);
    m_frozenHeader->raise();
}

void DataTable::updateScrollBars() {
    const auto count =
        static_cast<int>(std::min<std::size_t>(m_loader->rows()->count, std::numeric_limits<int>::max()));
    const auto sight = static_cast<int>(rowsInSight());
    verticalScrollBar()->setRange(0, std::max(0, count - sight));
    verticalScrollBar()->setPageStep(sight);
    horizontalScrollBar()->setRange(0, std::max(0, m_header->length() - viewport()->width()));
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setSingleStep(fontMetrics().averageCharWidth() * 4);
    m_header->setOffset(horizontalScrollBar()->value());
    viewport()->update();
}

DataTable::Hit DataTable::hitAt(const QPoint& at) const {
    Hit hit;
    const auto place = static_cast<std::size_t>(verticalScrollBar()->value() + at.y() / rowHeight());
    if (at.y() >= 0 && place < m_loader->rows()->count) hit.place = place;
    const int x = at.x() < frozenWidth() ? at.x() - m_header->offset() : at.x();
    if (const int column = m_header->logicalIndexAt(x); column >= 0) hit.column = static_cast<std::size_t>(column);
    return hit;
}

QRect DataTable::cellRect(std::size_t place, std::size_t column) const {
    const auto first = static_cast<std::size_t>(verticalScrollBar()->value());
    if (place < first || place > first + rowsInSight() || place >= m_loader->rows()->count) return {};
    const int which = static_cast<int>(column);
    return {columnLeft(which), static_cast<int>(place - first) * rowHeight(), m_header->sectionSize(which),
            rowHeight()};
}

void DataTable::ensureVisible() {
    const auto sight = static_cast<int>(rowsInSight());
    const auto current = static_cast<int>(m_current);
    QScrollBar& bar = *verticalScrollBar();
    if (current < bar.value()) bar.setValue(current);
    if (current >= bar.value() + sight) bar.setValue(current - sight + 1);
    if (m_headings->columnCount() == 0) return;
    const int column = static_cast<int>(m_currentColumn);
    if (m_header->visualIndex(column) < m_frozen) return;
    const int left = m_header->sectionPosition(column), right = left + m_header->sectionSize(column);
    QScrollBar& side = *horizontalScrollBar();
    if (left - side.value() < frozenWidth()) side.setValue(left - frozenWidth());
    if (right - side.value() > viewport()->width()) side.setValue(right - viewport()->width());
}

// --- events -------------------------------------------------------------------------------------------------------

void DataTable::resizeEvent(QResizeEvent*) {
    layoutHeaders();
    fitWideColumn();
    updateScrollBars();
}

void DataTable::scrollContentsBy(int, int) {
    m_header->setOffset(horizontalScrollBar()->value());
    viewport()->update();
}

void DataTable::focusInEvent(QFocusEvent*) { viewport()->update(); }
void DataTable::focusOutEvent(QFocusEvent*) { viewport()->update(); }

void DataTable::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) {
        m_sized = m_hasWidths = false;
        layoutHeaders();
        updateScrollBars();
    }
    QAbstractScrollArea::changeEvent(event);
}

bool DataTable::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const Hit hit = hitAt(help->pos());
    QString text;
    if (hit.place && hit.column) {
        const std::uint32_t row = m_loader->rows()->row(*hit.place);
        if (m_cellTip) text = m_cellTip(row, *hit.column);
        if (text.isEmpty())
            text =
                withBeside(exactCellText(*m_loader->source(), *hit.column, m_loader->source()->cell(*hit.column, row)),
                           m_loader->source()->beside(*hit.column, row));
    }
    QToolTip::showText(help->globalPos(), text, viewport());
    return true;
}

}  // namespace altiscope
