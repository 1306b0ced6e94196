#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>

#include <cstddef>
#include <functional>
#include <vector>

class QShortcut;
class QWidget;

namespace altiscope {

class TourBubble;
class TourFrame;

/// One stop of a tour of the window.
struct TourStop {
    std::function<QString()> title, text;  ///< In the language of the moment.
    std::function<void()> prepare{};       ///< Brings what is pointed at into sight; may be empty.
    std::function<QWidget*()> target{};    ///< Widget that is pointed at; null or hidden: the bubble stands alone.
};

/// Leads through a window: a bubble beside one part after the other, which is framed. Everything else stays usable
/// meanwhile; Escape, wherever the focus is, and the button Skip leave it. GUI thread.
class GuidedTour : public QObject {
    Q_OBJECT
public:
    /// The window must outlive it.
    explicit GuidedTour(QWidget& window);
    ~GuidedTour() override;

    /// Instead of a tour that is under way. @pre not empty
    void start(std::vector<TourStop> stops);
    void leave();
    bool active() const { return !m_stops.empty(); }
    std::size_t stop() const { return m_at; }

signals:
    void ended();  ///< At its end, or left.

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void go(std::size_t stop);
    void say();
    void place();
    void follow(QWidget* target);

    QWidget& m_window;
    std::vector<TourStop> m_stops;
    std::size_t m_at = 0;
    TourBubble* m_bubble;
    TourFrame* m_frame;
    QShortcut* m_escape;
    QPointer<QWidget> m_target;
    QTimer m_placing;  // once for all moves of a turn of the event loop
};

}  // namespace altiscope
