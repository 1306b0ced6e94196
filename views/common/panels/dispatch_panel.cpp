#include "views/common/panels/dispatch_panel.h"

#include "views/common/support/bare_layout.h"
#include "views/common/tables/table_panel.h"

#include <QCheckBox>
#include <QEvent>
#include <QVBoxLayout>

namespace altiscope {

using namespace Qt::StringLiterals;

DispatchPanel::DispatchPanel(Session& session, Selection& selection, const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_onlyMarked(new QCheckBox(this)),
      m_list(new DispatchList(session, selection, memory, u"dispatch"_s, this)),
      m_scope(new PanelScope(session, selection, *m_onlyMarked, *this)) {
    m_list->addBeside(m_onlyMarked);
    auto* column = bareLayout<QVBoxLayout>(this);
    column->addWidget(m_list, 1);
    setFocusProxy(m_list);
    connect(m_scope, &PanelScope::changed, this, &DispatchPanel::request);
    connect(m_list, &DispatchList::sliceOpened, this, &DispatchPanel::sliceOpened);
    retranslate();
}

bool DispatchPanel::idle() const { return !isVisible() || !(m_scope->pending() || !m_list->idle()); }

void DispatchPanel::request() {
    m_list->request(dispatchQuery(m_scope->scope()));
    m_list->table().setScope(m_scope->text());
}

void DispatchPanel::retranslate() { m_onlyMarked->setText(tr("Only the &marked time")); }

void DispatchPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::LanguageChange) return;
    retranslate();
    m_list->table().setScope(m_scope->text());
}

}  // namespace altiscope
