#pragma once

#include "views/snapshot/loaded_snapshot.h"

#include <QWidget>

#include <memory>
#include <string>
#include <vector>

namespace altiscope {

/// Frames of call stacks as an icicle: the outermost on top, each as wide as the bytes of its blocks. A click or Enter
/// shows a frame at full width, Backspace or Escape goes back, the arrows go from frame to frame. Frames that hold the
/// searched text stand out. GUI thread; paints what is in sight.
class StackCanvas : public QWidget {
    Q_OBJECT
public:
    explicit StackCanvas(QWidget* parent = nullptr);

    /// Null: nothing is shown. The frame at full width stays if it is there.
    void setTree(std::shared_ptr<const LoadedSnapshot> snapshot, std::shared_ptr<const StackTree> tree);
    void setSearch(const QString& text);
    const std::shared_ptr<const StackTree>& tree() const { return m_tree; }
    /// How many frames hold the searched text, and the bytes of them.
    QString searchResult() const;
    std::uint32_t root() const { return m_root; }
    void setRoot(std::uint32_t node);
    /// nullopt: there is none.
    std::optional<std::uint32_t> nodeAt(const QPoint& at) const;
    QString tipAt(const QPoint& at) const;
    QSize minimumSizeHint() const override;

signals:
    /// The blocks of a frame are to be listed.
    void frameRequested(const QString& frame);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    int rowHeight() const;
    QRectF boxOf(std::uint32_t node) const;
    std::string_view textOf(std::uint32_t node) const;
    QString titleOf(std::uint32_t node) const;
    void moveCurrent(int key);

    std::shared_ptr<const LoadedSnapshot> m_snapshot;
    std::shared_ptr<const StackTree> m_tree;
    std::uint32_t m_root = 0, m_current = 0;
    std::string m_search;
    std::vector<bool> m_hits;  ///< By node.
};

}  // namespace altiscope
