#pragma once

#include "views/common/plots/gesture_canvas.h"

#include <QPixmap>
#include <QString>

#include <optional>

class QMenu;
class QPainter;

namespace altiscope {

class Session;

/// Base of canvases with a plot: the picture is kept until it is out of date, an overlay and the box of a drag are
/// painted over it each time, the plot is outlined while it has the focus, the pointer gets a tooltip, and their menus
/// end with the same actions. GUI thread.
class PlotCanvas : public GestureCanvas {
    Q_OBJECT
public:
    QRect plotRect() const override = 0;
    /// Text of the tooltip; not const, since what it says may be computed first.
    virtual QString tipAt(const QPoint& at) = 0;
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
    /// Adds what the menu has before its common actions. @param at  nullopt: the menu was opened by a key.
    virtual void fillMenu(QMenu& menu, std::optional<QPoint> at) = 0;

    /// The picture is out of date.
    void drop();

    void hoverAt(const QPoint& at, const QPoint& global) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    Session& m_session;
    QPixmap m_picture;  // null: to be painted
};

}  // namespace altiscope
