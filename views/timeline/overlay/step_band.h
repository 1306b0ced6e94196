#pragma once

#include "views/common/plots/view_window.h"
#include "views/timeline/rows/shown_steps.h"

#include <QRectF>
#include <QWidget>

#include <optional>
#include <vector>

class QPainter;

namespace altiscope {

class TimelineScene;
class TimelineSelection;
struct Theme;

/// Paints the steps of a rank side by side into an area whose left edge and width are those of the scale: each with its
/// number where there is room, a chosen one stronger; whose they are at the left. O(steps).
/// @param rank  Its name; empty: none is said.
void paintSteps(QPainter& painter, const QRectF& area, const TimelineSelection& selection, const QString& rank,
                const PixelScale& scale, const Theme& theme);

/// Text on a step beside the pointer: whose it is, number, start, duration, and what clicks do.
QString stepToolTip(const ShownStep& step, const QString& rank, TimeNs origin);

/// The steps of the selected or topmost rank, above the ruler. A click limits all pages to a step (or shows all again),
/// a double click zooms to it, too. Hidden while there are no steps. GUI thread.
class StepBand : public QWidget {
    Q_OBJECT
public:
    /// Both must outlive the widget.
    StepBand(TimelineScene& scene, TimelineSelection& selection, QWidget* parent = nullptr);

    QSize sizeHint() const override;

signals:
    void wheelTurned(QWheelEvent* event, int x);
    /// It has appeared or is gone.
    void shownChanged();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void follow();
    std::optional<ShownStep> stepAtX(int x) const;

    TimelineScene& m_scene;
    TimelineSelection& m_selection;
    bool m_pressed = false;
};

}  // namespace altiscope
