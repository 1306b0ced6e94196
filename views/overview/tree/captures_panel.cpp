#include "views/overview/tree/captures_panel.h"

#include "core/session/session.h"
#include "views/common/support/bare_layout.h"
#include "views/common/theme/icons.h"
#include "views/overview/tree/capture_tree.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace altiscope {

using namespace Qt::StringLiterals;

// Keys of Search in captures:
// - `Esc`: Clear the text
// - `Down`: Go to the tree
CapturesPanel::CapturesPanel(Session& session, QWidget* parent)
    : Translated(parent), m_tree(new CaptureTree(session, this)), m_search(new QLineEdit(this)),
      m_nothing(new QLabel(this)) {
    auto* column = bareLayout<QVBoxLayout>(this);
    auto* row = barLayout<QVBoxLayout>(nullptr, 4);
    row->addWidget(m_search);
    row->addWidget(m_nothing);
    column->addLayout(row);
    column->addWidget(m_tree, 1);
    m_search->setClearButtonEnabled(true);
    m_search->addAction(themedIcon(u"search"_s), QLineEdit::LeadingPosition);
    m_search->setMaxLength(kMaxCaptureName);
    m_search->installEventFilter(this);
    m_nothing->setWordWrap(true);
    connect(m_search, &QLineEdit::textChanged, m_tree, &CaptureTree::setFilter);
    connect(m_tree, &CaptureTree::filtered, this, &CapturesPanel::showState);
    setFocusProxy(m_tree);
    retranslate();
}

bool CapturesPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Escape && !m_search->text().isEmpty()) {
            m_search->clear();
            return true;
        }
        if (key == Qt::Key_Down) {
            m_tree->setFocus(Qt::TabFocusReason);
            return true;
        }
    }
    return Translated::eventFilter(watched, event);
}

void CapturesPanel::showState() {
    m_nothing->setText(tr("No capture, rank or host has this text."));
    m_nothing->setVisible(!m_tree->filter().isEmpty() && m_tree->shownCaptures() == 0);
}

void CapturesPanel::retranslate() {
    m_search->setPlaceholderText(tr("Search captures"));
    m_search->setAccessibleName(tr("Search captures"));
    m_search->setToolTip(tr("Name, path or host of captures and ranks"));
    showState();
}

}  // namespace altiscope
