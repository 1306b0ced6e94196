#pragma once

#include <QFrame>
#include <QString>

#include <cstddef>

class QLabel;
class QPushButton;

namespace altiscope {

/// Where a bubble of this size stands beside an area of a window: below, above, right or left of it, where there is
/// room; else inside, in its lower right corner. Always within the window.
QRect bubblePlace(QSize bubble, const QRect& area, const QRect& window);

/// Text of a stop of a tour, with the ways on, back and out. Enter goes on, Left and Right step. GUI thread.
class TourBubble : public QFrame {
    Q_OBJECT
public:
    explicit TourBubble(QWidget* parent);

    void say(const QString& title, const QString& text, std::size_t at, std::size_t all);
    /// The keyboard is on the way on.
    void takeFocus();

signals:
    void wentOn();
    void wentBack();
    void skipped();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLabel* m_title;
    QLabel* m_text;
    QLabel* m_count;
    QPushButton* m_skip;
    QPushButton* m_back;
    QPushButton* m_next;
};

/// A frame around what a stop points at; the mouse goes through it.
class TourFrame : public QWidget {
public:
    explicit TourFrame(QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace altiscope
