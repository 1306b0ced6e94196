#include "views/overview/report_view.h"

#include "views/common/page.h"
#include "views/common/table_view.h"
#include "views/overview/report_model.h"

#include <QEvent>
#include <QHeaderView>
#include <QStackedLayout>

namespace altiscope {

using namespace Qt::StringLiterals;

ReportView::ReportView(ReportModel& model, Columns columns, QWidget* parent)
    : QWidget(parent), m_model(model), m_table(new TableView(this)), m_nothing(new MessagePage(this)),
      m_stack(new QStackedLayout(this)) {
    m_table->setSource(&model);
    m_table->setWordWrap(true);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    QHeaderView* header = m_table->horizontalHeader();
    for (const int column :
         {ReportModel::SeverityColumn, ReportModel::CountColumn, ReportModel::CodeColumn, ReportModel::CaptureColumn}) {
        header->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    }
    header->setSectionResizeMode(ReportModel::FileColumn, QHeaderView::Interactive);
    header->setSectionResizeMode(ReportModel::PlaceColumn, QHeaderView::Interactive);
    header->setSectionResizeMode(ReportModel::MessageColumn, QHeaderView::Stretch);
    header->setStretchLastSection(false);
    header->resizeSection(ReportModel::FileColumn, fontMetrics().averageCharWidth() * 32);
    header->resizeSection(ReportModel::PlaceColumn, fontMetrics().averageCharWidth() * 20);
    m_table->setColumnHidden(ReportModel::PlaceColumn, columns == Columns::Short);
    m_table->setColumnHidden(ReportModel::CodeColumn, columns == Columns::Short);
    m_stack->addWidget(m_nothing);
    m_stack->addWidget(m_table);
    connect(&model, &QAbstractItemModel::modelReset, this, &ReportView::refresh);
    refresh();
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
    m_stack->setCurrentWidget(m_model.rowCount() == 0 ? static_cast<QWidget*>(m_nothing) : m_table);
}

}  // namespace altiscope
