#pragma once

#include <QPixmap>
#include <QPoint>
#include <QRect>
#include <QString>
#include <QWidget>

class QMenu;
class QMouseEvent;
class QPainter;

namespace altiscope {

class Session;

/// Base of canvases with a plot: the picture is kept until it is out of date, an overlay is painted over it each
/// time, the plot is outlined while it has the focus, and their menus end with the same actions. GUI thread.
class PlotCanvas : public QWidget {
    Q_OBJECT
public:
    /// Where data are drawn.
    virtual QRect plotRect() const = 0;
    /// As PNG or SVG, by the ending of the name. @return Why there is none; empty if it was written.
    QString savePicture(const QString& file);

protected:
    /// The session knows where nothing may be written; it must outlive the canvas.
    explicit PlotCanvas(Session& session, QWidget* parent = nullptr);

    /// All that does not change with the pointer and what is selected; the background as well.
    virtual void paintPicture(QPainter& painter) = 0;
    virtual void paintOverlay(QPainter& painter) = 0;
    /// The part that is outlined while it has the focus.
    virtual QRect focusRect() const { return plotRect(); }
    /// Size, font, colours or language are others: what was reckoned of them is out of date.
    virtual void layOut() { drop(); }
    /// The commands "Show all" and "Back to the previous view" of the menu.
    virtual void showAll() = 0;
    virtual void showPrevious() = 0;

    /// The picture is out of date.
    void drop();
    void followPointer(const QMouseEvent& event);
    /// Where the pointer was last; it may have left the plot.
    const QPoint& pointer() const { return m_pointer; }
    bool isPointerOverPlot() const { return m_isPointerOverPlot; }
    QPoint pointerOrCentre() const { return m_isPointerOverPlot ? m_pointer : plotRect().center(); }
    void addPictureActions(QMenu& menu);

    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    Session& m_session;
    QPixmap m_picture;  // null: to be painted
    QPoint m_pointer;
    bool m_isPointerOverPlot = false;
};

}  // namespace altiscope
