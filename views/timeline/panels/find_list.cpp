#include "views/timeline/panels/find_list.h"

#include "views/common/tables/table_panel.h"
#include "views/timeline/panels/selection_tables.h"
#include "views/timeline/scene/find_controller.h"

#include <QEvent>
#include <QVBoxLayout>

namespace altiscope {

FindList::FindList(FindController& search, Session& session, const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_search(search),
      m_table(new TablePanel(session, memory, QStringLiteral("found_slices"), this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->addWidget(m_table);
    setFocusProxy(m_table);
    connect(&search, &FindController::changed, this, [this] {
        TableLoader& rows = m_table->table().loader();
        if (rows.source() == m_search.result().rows) return;
        m_table->setSource(m_search.result().rows,
                           m_search.result().rows ? sliceHeadings() : std::vector<ColumnHeading>());
        sortByBegin(rows);
    });
    connect(&m_table->table(), &DataTable::activated, this, [this](std::uint32_t row) { m_search.goTo(row); });
    connect(&m_table->table(), &DataTable::currentChanged, this, [this] {
        // Not when rows get new places by themselves.
        const auto row = m_table->table().currentRow();
        if (row && m_table->table().hasFocus()) m_search.goTo(*row);
    });
}

void FindList::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange && m_table->table().loader().source())
        m_table->table().setHeadings(sliceHeadings());
}

}  // namespace altiscope
