#include "views/overview/report_view.h"

#include "views/common/page.h"
#include "views/common/table_view.h"
#include "views/overview/report_model.h"

#include <QEvent>
#include <QHeaderView>
#include <QStackedLayout>
#include <QStyledItemDelegate>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// Below this a sentence becomes a column of words.
constexpr int kLeastMessageChars = 40;

/// Cells begin at the top, beside the first line of a long message; paths stay on one line, without their middle.
class ReportDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->decorationAlignment = Qt::AlignTop | Qt::AlignHCenter;
        if (index.column() != ReportModel::FileColumn) return;
        option->features.setFlag(QStyleOptionViewItem::WrapText, false);
        option->textElideMode = Qt::ElideMiddle;
    }
};

}  // namespace

ReportView::ReportView(ReportModel& model, Columns columns, QWidget* parent)
    : QWidget(parent), m_model(model), m_columns(columns), m_table(new TableView(this)),
      m_nothing(new MessagePage(this)), m_stack(new QStackedLayout(this)) {
    m_table->setSource(&model);
    m_table->setWordWrap(true);
    m_table->setItemDelegate(new ReportDelegate(m_table));
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    QHeaderView* header = m_table->horizontalHeader();
    for (const int column :
         {ReportModel::SeverityColumn, ReportModel::CountColumn, ReportModel::CodeColumn, ReportModel::CaptureColumn}) {
        header->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    }
    header->setStretchLastSection(false);
    header->resizeSection(ReportModel::FileColumn, fontMetrics().averageCharWidth() * 32);
    header->resizeSection(ReportModel::PlaceColumn, fontMetrics().averageCharWidth() * 20);
    m_stack->addWidget(m_nothing);
    m_stack->addWidget(m_table);
    connect(header, &QHeaderView::sectionResized, this, [this](int section) {
        if (section != ReportModel::MessageColumn) fitMessages();
    });
    connect(&model, &QAbstractItemModel::modelReset, this, &ReportView::refresh);
    connect(&model, &QAbstractItemModel::dataChanged, this, &ReportView::refresh);
    refresh();
}

void ReportView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitMessages();
}

/// Messages take what the other columns leave, but never less than can be read: then the table scrolls sideways.
void ReportView::fitMessages() {
    QHeaderView* header = m_table->horizontalHeader();
    int others = 0;
    for (int column = 0; column < ReportModel::ColumnCount; ++column) {
        if (column != ReportModel::MessageColumn && !header->isSectionHidden(column)) others += header->sectionSize(column);
    }
    const int least = fontMetrics().averageCharWidth() * kLeastMessageChars;
    header->resizeSection(ReportModel::MessageColumn, std::max(least, m_table->viewport()->width() - others));
}

void ReportView::showCapture(std::uint32_t capture) {
    const int row = m_model.firstRowOf(capture);
    if (row >= 0) m_table->showSourceRow(row);
    m_table->setFocus();
}

void ReportView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    QWidget::changeEvent(event);
}

void ReportView::refresh() {
    m_nothing->setMessage({.title = tr("Nothing to report"),
                           .reason = tr("Everything that was read so far could be used as it is. What is repaired, "
                                        "left out or lost is listed here with its file and place."),
                           .remedy = {},
                           .icon = u"ok"_s});
    m_table->setAccessibleName(tr("Import report"));
    m_table->setColumnHidden(ReportModel::CaptureColumn, !m_model.severalCaptures());
    m_table->setColumnHidden(ReportModel::PlaceColumn, m_columns == Columns::Short || !m_model.anyPlace());
    m_table->setColumnHidden(ReportModel::CodeColumn, m_columns == Columns::Short);
    m_stack->setCurrentWidget(m_model.rowCount() == 0 ? static_cast<QWidget*>(m_nothing) : m_table);
    fitMessages();
}

}  // namespace altiscope
