#include "views/overview/overview_page.h"

#include "views/common/formatters.h"
#include "views/common/table_view.h"
#include "views/overview/rank_model.h"
#include "views/overview/report_view.h"

#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>

namespace altiscope {

namespace {

/// A titled part of the page.
QWidget* titled(QLabel* title, QWidget* content, QWidget* parent) {
    auto* part = new QWidget(parent);
    part->setBackgroundRole(QPalette::Base);
    part->setAutoFillBackground(true);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    title->setContentsMargins(8, 8, 8, 4);
    title->setFont(scaledFont(parent->font(), 1.2));
    title->setBuddy(content);
    column->addWidget(title);
    column->addWidget(content, 1);
    return part;
}

}  // namespace

OverviewPage::OverviewPage(Session& session, ReportModel& report, QWidget* parent)
    : QWidget(parent), m_rankModel(new RankModel(session, this)), m_ranks(new TableView(this)),
      m_metadata(new QTableWidget(this)), m_report(new ReportView(report, ReportView::Columns::Short, this)),
      m_ranksTitle(new QLabel(this)), m_metadataTitle(new QLabel(this)), m_reportTitle(new QLabel(this)) {
    m_ranks->setSource(m_rankModel);
    m_ranks->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);

    m_metadata->setColumnCount(2);
    m_metadata->setFrameShape(QFrame::NoFrame);
    m_metadata->setShowGrid(false);
    m_metadata->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_metadata->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_metadata->setTabKeyNavigation(false);
    m_metadata->verticalHeader()->hide();
    m_metadata->verticalHeader()->setDefaultSectionSize(m_ranks->verticalHeader()->defaultSectionSize());
    m_metadata->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_metadata->horizontalHeader()->setHighlightSections(false);
    m_metadata->horizontalHeader()->setStretchLastSection(true);

    auto* lower = new QSplitter(Qt::Horizontal, this);
    lower->addWidget(titled(m_reportTitle, m_report, this));
    lower->addWidget(titled(m_metadataTitle, m_metadata, this));
    lower->setStretchFactor(0, 3);
    lower->setStretchFactor(1, 2);
    auto* whole = new QSplitter(Qt::Vertical, this);
    whole->addWidget(titled(m_ranksTitle, m_ranks, this));
    whole->addWidget(lower);
    whole->setStretchFactor(0, 2);
    whole->setStretchFactor(1, 3);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(whole);

    connect(m_rankModel, &QAbstractItemModel::modelReset, this,
            [this] { m_ranks->setColumnHidden(RankModel::CaptureColumn, !m_rankModel->severalCaptures()); });
    connect(m_ranks, &TableView::currentSourceRowChanged, this, &OverviewPage::showMetadata);
    connect(m_rankModel, &QAbstractItemModel::modelReset, this, &OverviewPage::showMetadata);
    connect(m_rankModel, &QAbstractItemModel::dataChanged, this, &OverviewPage::showMetadata);
    retranslate();
    showMetadata();
}

void OverviewPage::showMetadata() {
    // Without a choice the first rank stands for all: most settings are the same.
    const auto& metadata = m_rankModel->metadata(std::max(0, m_ranks->currentSourceRow()));
    m_metadata->setRowCount(static_cast<int>(metadata.size()));
    for (int row = 0; row < m_metadata->rowCount(); ++row) {
        const auto& [key, value] = metadata[static_cast<std::size_t>(row)];
        auto* name = new QTableWidgetItem(toQString(key));
        auto* text = new QTableWidgetItem(toQString(value));
        text->setToolTip(text->text());
        m_metadata->setItem(row, 0, name);
        m_metadata->setItem(row, 1, text);
    }
    m_metadata->resizeColumnToContents(0);
}

void OverviewPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void OverviewPage::retranslate() {
    m_ranksTitle->setText(tr("&Ranks"));
    m_metadataTitle->setText(tr("&Settings of the recording"));
    m_reportTitle->setText(tr("&Import report"));
    m_ranks->setAccessibleName(tr("Ranks"));
    m_metadata->setAccessibleName(tr("Settings of the recording"));
    m_metadata->setHorizontalHeaderLabels({tr("Key"), tr("Value")});
    m_rankModel->retranslate();
}

}  // namespace altiscope
