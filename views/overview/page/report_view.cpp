#include "views/overview/page/report_view.h"

#include "views/common/pages/message_page.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"
#include "views/overview/facts/report_model.h"

#include <QEvent>
#include <QLabel>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t at(ReportModel::Column column) { return static_cast<std::size_t>(column); }

}  // namespace

ReportView::ReportView(ReportModel& model, Session& session, const ViewMemory& memory, Columns columns, QWidget* parent)
    : Translated(parent), m_model(model),
      m_panel(new TablePanel(session, memory, columns == Columns::All ? u"report"_s : u"short_report"_s, this)),
      m_full(new QLabel(this)), m_nothing(new MessagePage(this)), m_stack(new QStackedLayout(this)) {
    auto* whole = new QWidget(this);
    auto* column = bareLayout<QVBoxLayout>(whole);
    column->addWidget(m_panel, 1);
    column->addWidget(m_full);
    m_full->setObjectName(u"full_text"_s);
    m_full->setWordWrap(true);
    m_full->setTextFormat(Qt::PlainText);
    m_full->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_full->setContentsMargins(8, 4, 8, 4);
    m_full->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
    m_panel->filterBar().setExample(u"severity = \"lost\" and file ~ \"rank_0\""_s);
    m_stack->addWidget(m_nothing);
    m_stack->addWidget(whole);
    setFocusProxy(m_panel);
    using Column = ReportModel::Column;
    if (columns == Columns::Short) m_panel->hideAtFirst({at(Column::Place), at(Column::Code)});
    DataTable& table = m_panel->table();
    table.setWideColumn(at(Column::Message));
    table.setCellIcon([this](std::uint32_t row, std::size_t which) {
        return which == at(Column::Severity) && row < m_model.rows().size()
                   ? ReportModel::icon(m_model.rows()[row].weight)
                   : QIcon();
    });
    table.setCellTip([this](std::uint32_t row, std::size_t which) {
        return which != at(Column::Count) && row < m_model.rows().size() ? ReportModel::fullText(m_model.rows()[row])
                                                                         : QString();
    });
    connect(&model, &ReportModel::changed, this, &ReportView::takeRows);
    connect(&table, &DataTable::currentChanged, this, &ReportView::showCurrent);
    connect(&table.loader(), &TableLoader::rowsChanged, this, &ReportView::showWanted);
    connect(&table.loader(), &TableLoader::rowsChanged, this, &ReportView::showCurrent);
    retranslate();
    takeRows(false);
}

void ReportView::takeRows(bool sameRows) {
    if (sameRows) {
        m_panel->updateSource(m_model.table(), ReportModel::headings());
    } else {
        m_panel->setSource(m_model.table(), ReportModel::headings());
    }
    // Columns that the user hides or shows stay so, until names of captures begin or cease to matter.
    if (const bool several = m_model.severalCaptures(); std::exchange(m_severalShown, several) != several)
        m_panel->table().setColumnHidden(at(ReportModel::Column::Capture), !several);
    m_stack->setCurrentIndex(m_model.rows().empty() ? 0 : 1);
    showCurrent();
}

void ReportView::showCapture(CaptureId capture) {
    m_wanted = capture;
    showWanted();
    m_panel->setFocus();
}

void ReportView::showWanted() {
    const auto first = m_model.firstRowOf(m_wanted);
    const TableRows& rows = *m_panel->table().loader().rows();
    for (std::size_t place = 0; first && place < rows.count; ++place) {
        if (rows.row(place) != *first) continue;
        m_wanted = kNoCapture;
        return m_panel->table().setCurrent(place, at(ReportModel::Column::Message));
    }
}

void ReportView::showCurrent() {
    auto row = m_panel->table().currentRow();
    // Without a choice the first one: most reports are short.
    const TableRows& rows = *m_panel->table().loader().rows();
    if (!row && rows.count > 0) row = rows.row(0);
    const bool any = row && *row < m_model.rows().size();
    m_full->setText(any ? ReportModel::fullText(m_model.rows()[*row]) : QString());
    m_full->setVisible(any);
}

void ReportView::retranslate() {
    m_nothing->setMessage({.title = tr("Nothing to report"),
                           .reason = tr("Everything that was read so far could be used as it is. What is repaired, "
                                        "ignored or lost is listed here with its file and place."),
                           .remedy = {},
                           .icon = u"ok"_s});
    m_panel->table().setAccessibleName(tr("Import report"));
    m_panel->table().setHeadings(ReportModel::headings());
}

}  // namespace altiscope
