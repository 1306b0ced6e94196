#include "app/gui/edit_menu.h"

#include "app/gui/bottom_panel.h"
#include "app/gui/window_actions.h"
#include "app/gui/window_pages.h"
#include "core/session/selection.h"
#include "views/common/plots/picture_file.h"
#include "views/common/tables/data_table.h"
#include "views/common/tables/filter_bar.h"
#include "views/timeline/page/timeline_page.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenuBar>
#include <QPainter>
#include <QPlainTextEdit>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

FilterBar* searchOf(QWidget* part) {
    for (FilterBar* bar : part->findChildren<FilterBar*>()) {
        if (bar->isVisible()) return bar;
    }
    return nullptr;
}

}  // namespace

EditMenu::EditMenu(const WindowServices& services, WindowActions& actions, WindowPages& pages, BottomPanel& bottom,
                   QWidget& window)
    : QObject(&window), m_services(services), m_actions(actions), m_pages(pages), m_bottom(bottom), m_window(window) {
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        const bool isMenu = qobject_cast<QMenuBar*>(now) != nullptr || qobject_cast<QMenu*>(now) != nullptr;
        if (now != nullptr && !isMenu && now->window() == &m_window) m_focus = now;
    });
    connect(&actions.menu(WindowMenu::Export), &QMenu::aboutToShow, this, &EditMenu::fillExport);
}

/// The part of the window that has the focus: what is below the pages, or the page.
QWidget* EditMenu::concerned() const {
    if (m_focus != nullptr && m_bottom.isAncestorOf(m_focus) && m_bottom.isVisible()) return m_bottom.currentWidget();
    return m_pages.currentWidget();
}

void EditMenu::undo(bool again) {
    if (auto* line = qobject_cast<QLineEdit*>(m_focus)) return again ? line->redo() : line->undo();
    if (auto* text = qobject_cast<QPlainTextEdit*>(m_focus)) return again ? text->redo() : text->undo();
    if (m_pages.currentView() == ViewId::Timeline && m_pages.isVisible()) return m_pages.timeline().undoView(again);
    if (again) m_services.selection.redo();
    else m_services.selection.undo();
}

/// As its key does, so that each part copies what it copies anyway.
void EditMenu::copy() {
    QWidget* to = m_focus != nullptr && m_focus->isVisible() ? m_focus.data() : m_pages.currentWidget();
    QKeyEvent press(QEvent::KeyPress, Qt::Key_C, Qt::ControlModifier, u"\x03"_s);
    QApplication::sendEvent(to, &press);
    if (!press.isAccepted() && m_pages.currentView() == ViewId::Timeline) m_pages.timeline().copySelection();
    else if (!press.isAccepted()) emit statusMessage(tr("Nothing is selected that could be copied."));
}

void EditMenu::find() {
    if (!m_pages.isVisible()) return emit commandsWanted();
    QWidget* part = concerned();
    if (part == &m_pages.timeline()) return m_pages.timeline().openFind();
    FilterBar* bar = nullptr;
    // The table that has the focus, then whatever table the page shows first.
    for (QWidget* around = m_focus; around != nullptr && around != part && bar == nullptr;
         around = around->parentWidget()) {
        if (part->isAncestorOf(around)) bar = searchOf(around);
    }
    if (bar == nullptr) bar = searchOf(part);
    if (bar == nullptr) return emit commandsWanted();
    bar->line()->setFocus(Qt::ShortcutFocusReason);
    bar->line()->selectAll();
}

void EditMenu::fillExport() {
    QMenu& menu = m_actions.menu(WindowMenu::Export);
    menu.clear();
    if (m_pages.isVisible()) {
        if (m_pages.currentView() == ViewId::Timeline) {
            for (QAction* action : m_pages.timeline().exportActions()) menu.addAction(action);
        }
        for (QWidget* part : {m_pages.currentWidget(), m_bottom.currentWidget()}) {
            for (DataTable* table : part->findChildren<DataTable*>()) {
                if (!table->isVisible() || table->loader().rows()->count == 0) continue;
                const QString name = table->accessibleName();
                menu.addAction(name.isEmpty()
                                   ? tr("Save the table as CSV or JSON…")
                                   : tr("Save “%1” as CSV or JSON…").arg(QString(name).replace(u'&', u"&&"_s)),
                               table, &DataTable::exportRows)
                    ->setProperty("english", u"Save the table as CSV or JSON…"_s);
            }
        }
        QAction* picture = menu.addAction(tr("Save a picture of the page…"), this, [this] {
            QWidget* page = m_pages.currentWidget();
            savePictureAs(&m_window, [this, page](const QString& file) {
                return writePicture(m_services.session, file, page->size(), [page](QPainter& painter) {
                    page->render(&painter, {}, {}, QWidget::DrawChildren | QWidget::DrawWindowBackground);
                });
            });
        });
        picture->setProperty("english", u"Save a picture of the page…"_s);
        menu.addSeparator();
        menu.addAction(&m_actions[WindowCommand::AddToReport]);
    }
    if (menu.isEmpty()) menu.addAction(tr("Nothing is open"))->setEnabled(false);
}

}  // namespace altiscope
