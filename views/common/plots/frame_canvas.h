#pragma once

#include "core/analysis/support/frame_tree.h"
#include "views/common/plots/gesture_canvas.h"

#include <QColor>
#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

class QMenu;

namespace altiscope {

struct Theme;

/// Content of a FrameCanvas: constant, called on the GUI thread. Nodes are those of the tree.
class FrameSource {
public:
    virtual ~FrameSource() = default;
    virtual const FrameTree& tree() const = 0;
    /// Text that is searched, and that gives the colour; empty for the root. Equal frames have one text in memory.
    virtual std::string_view text(std::uint32_t node) const = 0;
    /// Text in its box.
    virtual QString title(std::uint32_t node) const = 0;
    virtual QString tip(std::uint32_t node) const = 0;
    /// A colour that says more than the name does; nullopt: by name.
    virtual std::optional<QColor> fill(std::uint32_t node, const Theme& theme) const = 0;
};

/// Frames of call stacks, each as wide as its weight, below or above the frame that called it. A click or Enter shows a
/// frame at full width, Backspace or Escape goes back, the arrows go from frame to frame. Frames that hold the searched
/// text stand out. GUI thread; paints what is in sight: at most two frames a pixel in each row.
class FrameCanvas : public GestureCanvas {
    Q_OBJECT
public:
    /// Where the root is.
    enum class Root : std::uint8_t { Top, Bottom };

    explicit FrameCanvas(QWidget* parent = nullptr);

    /// Null: nothing is shown. The frame at full width stays if its path is there.
    void setSource(std::shared_ptr<const FrameSource> source);
    const std::shared_ptr<const FrameSource>& source() const { return m_source; }
    void setRootPlace(Root place);
    Root rootPlace() const { return m_rootPlace; }
    /// Instead of a picture without frames.
    void setNothing(const QString& reason);

    void setSearch(const QString& text);
    /// How many frames hold the searched text, and what they weigh: a frame within another one counts once.
    struct Found {
        std::uint64_t frames = 0;
        std::int64_t weight = 0;
    };
    std::optional<Found> found() const;
    /// Makes the next one of them, after the last one the first, the current frame.
    void showNextHit();

    /// The frame that was last shown at full width.
    std::uint32_t root() const { return m_root; }
    void setRoot(std::uint32_t node);
    std::uint32_t current() const { return m_current; }
    /// @param at  What stays in its place: 0 at the left border, 1 at the right one.
    void zoomBy(double factor, double at);
    /// By a part of what is in sight; > 0: to what is right of it.
    void panBy(double part);

    /// nullopt: there is none.
    std::optional<std::uint32_t> nodeAt(const QPoint& at) const;
    /// Where a frame is drawn; empty if it is out of sight.
    QRectF boxOf(std::uint32_t node) const;
    QString tipAt(const QPoint& at) const;
    QSize minimumSizeHint() const override;
    void showAll() override { setRoot(0); }

    /// Actions on a frame, for its menu; called when it opens.
    using FillMenu = std::function<void(QMenu&, std::uint32_t node)>;
    void setNodeMenu(FillMenu fill) { m_fillMenu = std::move(fill); }

signals:
    /// The frame that the arrows have reached; it is to be in sight.
    void currentMoved(const QRect& box);
    /// Ctrl+F was pressed here.
    void findRequested();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool isEmpty() const override;
    void zoomAt(const QPointF& at, double factor, HistoryMark mark) override;
    void panBy(double across, double down, HistoryMark mark) override;
    PanTo beginPan() override;
    bool scroll(QWheelEvent& event) override;
    bool handleKey(const QKeyEvent& event) override;
    void clickAt(const QPoint& at) override;
    void openAt(const QPoint&) override {}  // the first click has been enough
    void hoverAt(const QPoint& at, const QPoint& global) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    const std::vector<FrameNode>& nodes() const { return m_source->tree().nodes; }
    int rowHeight() const;
    int rowTop(std::uint32_t depth) const;
    double xOf(std::int64_t weight) const;
    void setView(double from, double span);
    void moveCurrent(int key);
    void showCurrent();

    std::shared_ptr<const FrameSource> m_source;
    Root m_rootPlace = Root::Top;
    QString m_nothing;
    std::uint32_t m_root = 0, m_current = 0;
    double m_from = 0,
           m_span = 1;  ///< The part in sight: where it starts and how wide it is, in shares of the root's weight.
    std::string m_search;
    std::vector<bool> m_hits;  ///< By node; empty without a search.
    FillMenu m_fillMenu;
};

/// How texts are compared in a search: small letters of ASCII.
std::string searchedText(std::string_view text);

}  // namespace altiscope
