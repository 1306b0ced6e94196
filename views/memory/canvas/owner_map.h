#pragma once

#include "views/memory/data/tree_map.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// Owners of memory as a tree map: each box is as large as its bytes. A click, Enter or the wheel goes into a box,
/// Backspace back to what it is a part of, Escape to the whole. GUI thread; the map of a size is made once.
class OwnerMap : public QWidget {
    Q_OBJECT
public:
    explicit OwnerMap(QWidget* parent = nullptr);

    /// Text that is shown while no tree is there.
    void setNothing(const QString& text);
    /// The node that was gone into stays, if the new tree has it. Null: nothing is shown.
    void setTree(std::shared_ptr<const OwnerTree> tree);
    const std::shared_ptr<const OwnerTree>& tree() const { return m_tree; }
    /// The node that fills the map.
    std::uint32_t root() const { return m_root; }
    void setRoot(std::uint32_t root);
    /// The box that keys go on from; nullopt: there is none.
    std::optional<std::uint32_t> current() const;
    const std::vector<MapBox>& boxes() const { return m_boxes; }

    /// The innermost box at a place.
    std::optional<std::size_t> boxAt(const QPointF& at) const;
    QString tipOf(const MapBox& box) const;
    /// "weight", "not given out", or the name of the whole.
    QString titleOf(std::uint32_t node) const;
    /// With all owners above it: "PTA › model › weight".
    QString pathOf(std::uint32_t node) const;

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

signals:
    void rootChanged();
    /// The allocations of this name are wanted.
    void holderRequested(const QString& name);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    MapStyle style() const;
    void arrange();
    bool goInto(std::size_t box);
    bool goOut();
    void step(int key);
    void choose(std::optional<std::size_t> box);
    void paintBox(QPainter& painter, const MapBox& box) const;
    void paintTitle(QPainter& painter, const MapBox& box, const QRect& place) const;
    std::vector<std::string> rootPath() const;

    std::shared_ptr<const OwnerTree> m_tree;
    QString m_nothing;
    std::uint32_t m_root = 0;
    std::vector<MapBox> m_boxes;
    std::optional<std::size_t> m_current, m_hovered;  // in m_boxes
    int m_turned = 0;                                 // of the wheel, since the last step
};

}  // namespace altiscope
