#pragma once

#include <QObject>
#include <QPointer>
#include <QRect>

class QWidget;

namespace altiscope {

/// Width of the frame in logical pixels.
inline constexpr int kFocusRing = 2;

/// Shows where keys go: a frame in the accent colour around the widget with the focus, in whichever window, from when
/// keys have led there until the mouse is pressed. One for the application, on its GUI thread; of a list of tabs the
/// chosen tab is framed, of what is scrolled the part in sight.
class FocusRing : public QObject {
    Q_OBJECT
public:
    explicit FocusRing(QObject* parent = nullptr);
    ~FocusRing() override;

    /// The widget that draws it, a child of the window with the focus; null or hidden: keys have not led anywhere.
    const QWidget* frame() const { return m_frame; }
    /// The part of a widget that is framed, in its window: what of it is in sight. Empty: nothing is.
    static QRect framedPart(const QWidget& widget);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void lead(QWidget* widget);
    void leave();
    void place();

    QPointer<QWidget> m_frame;
    QPointer<QWidget> m_target;
    bool m_byKeys = false;
};

}  // namespace altiscope
