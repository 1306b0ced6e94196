#include "views/common/theme/focus_ring.h"

#include "views/common/theme/theme.h"

#include <QApplication>
#include <QFocusEvent>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QTabBar>

namespace altiscope {

namespace {

class RingFrame : public QWidget {
public:
    explicit RingFrame(QWidget* window) : QWidget(window) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
    }

protected:
    void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), themeOf(palette()).accent); }
};

}  // namespace

FocusRing::FocusRing(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

FocusRing::~FocusRing() { delete m_frame; }

QRect FocusRing::framedPart(const QWidget& widget) {
    const auto* tabs = qobject_cast<const QTabBar*>(&widget);
    QRect part = tabs != nullptr && tabs->currentIndex() >= 0 ? tabs->tabRect(tabs->currentIndex()) : widget.rect();
    const QWidget* at = &widget;
    for (part &= at->rect(); !at->isWindow(); at = at->parentWidget()) {
        part.translate(at->pos());
        part &= at->parentWidget()->rect();
    }
    return part;
}

/// Cheap: it sees each event of the application.
bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::FocusIn: {
        auto* widget = qobject_cast<QWidget*>(watched);
        if (widget == nullptr || widget != QApplication::focusWidget()) break;
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        if (reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason)
            m_byKeys = true;
        if (reason == Qt::MouseFocusReason) m_byKeys = false;
        if (m_byKeys) lead(widget);
        else leave();
        break;
    }
    case QEvent::FocusOut:
        if (watched == m_target) leave();
        break;
    case QEvent::MouseButtonPress:
        if (m_byKeys) {
            m_byKeys = false;
            leave();
        }
        break;
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::LayoutRequest:
        if (m_target != nullptr && watched != m_frame && watched->isWidgetType() &&
            (watched == m_target || static_cast<QWidget*>(watched)->isAncestorOf(m_target)))
            place();
        break;
    case QEvent::KeyRelease:
        // The arrows choose another tab.
        if (m_target != nullptr && qobject_cast<QTabBar*>(m_target) != nullptr) place();
        break;
    default: break;
    }
    return QObject::eventFilter(watched, event);
}

void FocusRing::lead(QWidget* widget) {
    // Menus mark what is chosen by themselves.
    if (qobject_cast<QMenu*>(widget) != nullptr || qobject_cast<QMenuBar*>(widget) != nullptr ||
        widget->window()->windowType() == Qt::Popup)
        return leave();
    m_target = widget;
    if (m_frame != nullptr && m_frame->parentWidget() != widget->window()) delete m_frame;
    if (m_frame == nullptr) m_frame = new RingFrame(widget->window());
    place();
}

void FocusRing::leave() {
    m_target = nullptr;
    if (m_frame != nullptr) m_frame->hide();
}

/// Beside the widget where there is room, else over its edge.
void FocusRing::place() {
    if (m_target == nullptr || m_frame == nullptr) return;
    const QRect part = framedPart(*m_target);
    if (part.isEmpty() || !m_target->isVisible()) return m_frame->hide();
    const QRect around = part.adjusted(-kFocusRing, -kFocusRing, kFocusRing, kFocusRing) & m_target->window()->rect();
    const QRect inner = around.adjusted(kFocusRing, kFocusRing, -kFocusRing, -kFocusRing);
    m_frame->setGeometry(around);
    m_frame->setMask(QRegion(QRect(QPoint(), around.size())) - QRegion(inner.translated(-around.topLeft())));
    m_frame->show();
    m_frame->raise();
}

}  // namespace altiscope
