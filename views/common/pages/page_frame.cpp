#include "views/common/pages/page_frame.h"

#include "views/common/pages/shown_capture.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"

#include <QEvent>
#include <QLabel>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <utility>

namespace altiscope {

PageFrame::PageFrame(QWidget* page)
    : QWidget(page), m_page(page), m_stack(new QStackedLayout(this)), m_body(new QWidget(this)),
      m_gaps(new QLabel(m_body)), m_nothing(new MessagePage(this)) {
    page->setBackgroundRole(QPalette::Base);
    page->setAutoFillBackground(true);
    m_nothing->setAutoFillBackground(false);  // the page has done so
    m_gaps->setContentsMargins(8, 0, 8, 4);
    m_gaps->setWordWrap(true);
    m_gaps->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_gaps->hide();
    m_stack->addWidget(m_body);
    m_stack->addWidget(m_nothing);
    m_stack->setCurrentWidget(m_nothing);
    auto* whole = new QVBoxLayout(page);
    whole->setContentsMargins({});
    whole->addWidget(this);
    page->setFocusProxy(this);
    page->installEventFilter(this);
}

void PageFrame::setParts(QWidget* bar, QWidget* content) {
    auto* column = bareLayout<QVBoxLayout>(m_body);
    column->addWidget(bar);
    column->addWidget(m_gaps);
    column->addWidget(content, 1);
}

void PageFrame::setGaps(QStringList gaps) {
    gaps.removeAll(QString());
    m_gaps->setText(withUnbrokenUnits(gaps.join(u'\n')));
    m_gaps->setVisible(!gaps.isEmpty());
}

QString PageFrame::gaps() const { return m_gaps->text(); }

void PageFrame::setMessage(const PageTexts& texts, const ShownCapture& capture,
                           const std::optional<QStringList>& missing) {
    PageMessage message{.kind = PageMessage::Kind::Empty,
                        .title = texts.title,
                        .reason = texts.about,
                        .remedy = {},
                        .icon = texts.icon};
    if (capture.isBeingRead()) {
        message.reason = texts.reading;
    } else if (missing) {
        message.title = texts.nothing;
        message.reason = capture.choosesRanks() ? tr("No rank within the filter of all pages has any.")
                                                : tr("No rank of this capture has any.");
        message.remedy = missing->join(u'\n');
    }
    m_nothing->setMessage(message);
}

void PageFrame::setContentShown(bool isThere) {
    const bool appears = isThere && m_stack->currentWidget() != m_body;
    m_stack->setCurrentWidget(isThere ? m_body : static_cast<QWidget*>(m_nothing));
    // The content could not take the focus while it was hidden; without it, its keys would do nothing after opening.
    if (appears && isVisible()) setFocus();
}

bool PageFrame::noteChange() {
    m_isStale = !m_page->isVisible();
    return !m_isStale;
}

bool PageFrame::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Show && m_isStale) emit overdue();
    return QWidget::eventFilter(watched, event);
}

}  // namespace altiscope
