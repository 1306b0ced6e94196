#pragma once

#include "views/timeline/rows/track_choice.h"
#include "views/timeline/scene/timeline_scene.h"

#include <QStringList>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

class QMenu;

namespace altiscope {

/// The names of the rows, left of the canvas, with arrows that expand and collapse and a sign that pins; they are
/// dragged among their siblings, their lower edges to another height. Ctrl and Shift choose several. With the focus: Up
/// and Down walk through the rows (with Shift they choose), Right and Left (or Enter) expand and collapse, P pins,
/// Alt+Up and Alt+Down move, Alt+Plus and Alt+Minus size, U undoes; other keys are the canvas's. GUI thread.
class TrackHeader : public QWidget {
    Q_OBJECT
public:
    explicit TrackHeader(TimelineScene& scene, QWidget* parent = nullptr);

    /// A menu that stands in the menu of each row; outlives the widget.
    void setLayoutsMenu(QMenu* menu) { m_layoutsMenu = menu; }

    QSize sizeHint() const override;

    /// The row that keys concern from now on, tinted as one that was chosen, with the focus.
    void chooseRow(const RowKey& row);

signals:
    /// All pages are to show this rank only.
    void rankRequested(std::int64_t rankId);
    /// Ranks are to be moved by hand.
    void clocksRequested();
    /// A rank, or the tracks of a process, is to be moved.
    void shiftRequested(const altiscope::RowKey& row);
    void wheelTurned(QWheelEvent* event);
    /// A key that means nothing here; it goes on to the window unless the receiver accepts it.
    void keyPassed(QKeyEvent* event);
    /// The tracks of a row are what statistics are to be about.
    void tracksChosen(const altiscope::TrackChoice& tracks);
    /// All slices of a row's tracks are to be listed.
    void listRequested(const altiscope::TrackChoice& tracks, const QString& title);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyLook();
    void paintRow(QPainter& painter, const TimelineRow& row, const RowKey& key);
    void paintTarget(QPainter& painter);
    void paintSeries(QPainter& painter, const TimelineRow& row, const QRect& line);
    void paintLaneNames(QPainter& painter, const TimelineRow& row, const RowKey& key, const QRect& text);
    QString noteOf(const TimelineRow& row) const;
    QString toolTipOf(const TimelineRow& row) const;
    std::optional<std::size_t> rowAt(int y) const;
    std::optional<std::size_t> currentRow() const;
    void passOn(QKeyEvent* event);
    void toggle(std::size_t row);
    void hide(const std::vector<RowKey>& rows);
    std::vector<RowKey> keysToHide(const TimelineRow& row) const;
    void fillRowMenu(QMenu& menu, const TimelineRow& row);
    void walk(std::ptrdiff_t by);
    bool takeArranging(const QKeyEvent& event);
    void choose(std::size_t row, Qt::KeyboardModifiers modifiers);
    std::optional<std::size_t> edgeAt(QPoint at) const;
    bool isOnPin(QPoint at, const TimelineRow& row) const;
    QRect lineOf(const TimelineRow& row) const;
    void beginMove();
    void moveTo(QPoint at);

    TimelineScene& m_scene;
    std::optional<RowKey> m_current;  // the row that keys concern
    std::vector<RowKey> m_chosen;     // several rows, for the menu; those that are gone do not matter
    std::optional<RowKey> m_hovered;
    std::unordered_map<RowKey, QStringList, RowKeyHash> m_laneNames;  // of collapsed groups in sight
    QMenu* m_layoutsMenu = nullptr;

    enum class Drag : unsigned char { None, Pressed, Move, Size };
    struct Span {
        std::int64_t top = 0, bottom = 0;
    };  // heights in the rows
    Drag m_drag = Drag::None;
    QPoint m_pressedAt;
    RowKey m_dragged;
    HistoryMark m_sizeMark = HistoryMark::NewStep;
    std::vector<Span> m_siblings;  // while a row is moved: where its siblings stand, with what is below them
    std::size_t m_from = 0, m_to = 0;
};

}  // namespace altiscope
