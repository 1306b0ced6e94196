#include "views/help/guided_tour.h"

#include "views/help/tour_bubble.h"

#include <QEvent>
#include <QShortcut>
#include <QWidget>

#include <utility>

namespace altiscope {

GuidedTour::GuidedTour(QWidget& window)
    : QObject(&window), m_window(window), m_bubble(new TourBubble(&window)), m_frame(new TourFrame(&window)),
      m_escape(new QShortcut(Qt::Key_Escape, &window)) {
    m_placing.setSingleShot(true);
    m_placing.setInterval(0);
    m_escape->setEnabled(false);
    connect(&m_placing, &QTimer::timeout, this, &GuidedTour::place);
    connect(m_escape, &QShortcut::activated, this, &GuidedTour::leave);
    connect(m_bubble, &TourBubble::skipped, this, &GuidedTour::leave);
    connect(m_bubble, &TourBubble::wentOn, this, [this] {
        if (m_at + 1 < m_stops.size()) go(m_at + 1);
        else leave();
    });
    connect(m_bubble, &TourBubble::wentBack, this, [this] {
        if (m_at > 0) go(m_at - 1);
    });
    m_window.installEventFilter(this);
}

GuidedTour::~GuidedTour() = default;

void GuidedTour::start(std::vector<TourStop> stops) {
    m_stops = std::move(stops);
    m_escape->setEnabled(true);
    go(0);
}

void GuidedTour::leave() {
    if (!active()) return;
    m_stops.clear();
    m_escape->setEnabled(false);
    follow(nullptr);
    m_placing.stop();
    m_bubble->hide();
    m_frame->hide();
    emit ended();
}

void GuidedTour::go(std::size_t stop) {
    m_at = stop;
    // A copy: a page that comes up may end the tour, which drops its stops.
    if (const auto prepare = m_stops[stop].prepare) prepare();
    if (!active()) return;
    say();
    follow(m_stops[m_at].target ? m_stops[m_at].target() : nullptr);
    m_bubble->show();
    place();
    m_bubble->takeFocus();
}

void GuidedTour::say() { m_bubble->say(m_stops[m_at].title(), m_stops[m_at].text(), m_at, m_stops.size()); }

/// Also of those around it: what is inside of a page that is moved is not moved itself.
void GuidedTour::follow(QWidget* target) {
    for (QWidget* old = m_target; old != nullptr && old != &m_window; old = old->parentWidget())
        old->removeEventFilter(this);
    m_target = target;
    for (QWidget* now = target; now != nullptr && now != &m_window; now = now->parentWidget())
        now->installEventFilter(this);
}

void GuidedTour::place() {
    if (!active()) return;
    const bool isSeen = m_target != nullptr && m_target->isVisible();
    const QRect area =
        isSeen ? QRect(m_target->mapTo(&m_window, QPoint(0, 0)), m_target->size()) & m_window.rect() : QRect();
    m_frame->setVisible(isSeen);
    m_frame->setGeometry(area);
    m_frame->raise();
    m_bubble->setGeometry(bubblePlace(m_bubble->sizeHint(), area, m_window.rect()));
    m_bubble->raise();
}

bool GuidedTour::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Resize:
    case QEvent::Move:
    case QEvent::Show:
    case QEvent::Hide:
        if (active()) m_placing.start();
        break;
    case QEvent::LanguageChange:
        // After the window has its own words.
        if (active() && watched == &m_window) {
            say();
            m_placing.start();
        }
        break;
    default: break;
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace altiscope
