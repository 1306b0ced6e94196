#include "views/snapshot/stack_canvas.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

std::string lowered(std::string_view text) {
    std::string copy(text);
    for (char& letter : copy) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    return copy;
}

}  // namespace

StackCanvas::StackCanvas(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

int StackCanvas::rowHeight() const { return fontMetrics().height() + 4; }

QSize StackCanvas::minimumSizeHint() const {
    const int depth = m_tree == nullptr ? 0 : static_cast<int>(m_tree->depth);
    return {200, (depth + 2) * rowHeight()};
}

void StackCanvas::setTree(std::shared_ptr<const LoadedSnapshot> snapshot, std::shared_ptr<const StackTree> tree) {
    // The same frame at another moment stays in sight.
    const bool isSame = m_snapshot == snapshot && m_tree != nullptr && m_root < m_tree->nodes.size();
    const std::uint32_t frame = isSame ? m_tree->nodes[m_root].frame : 0;
    m_snapshot = std::move(snapshot);
    m_tree = std::move(tree);
    m_root = m_current = 0;
    if (m_tree != nullptr && frame != 0) {
        for (std::uint32_t i = 0; i < m_tree->nodes.size(); ++i) {
            if (m_tree->nodes[i].frame == frame) m_root = m_current = i;
        }
    }
    setSearch(QString::fromStdString(m_search));
    setMinimumHeight(minimumSizeHint().height());
    updateGeometry();
}

std::string_view StackCanvas::textOf(std::uint32_t node) const {
    return m_snapshot->frames->frames()[m_tree->nodes[node].frame].text;
}

QString StackCanvas::titleOf(std::uint32_t node) const { return node == 0 ? tr("All") : shortFrame(textOf(node)); }

void StackCanvas::setSearch(const QString& text) {
    m_search = lowered(text.trimmed().toStdString());
    m_hits.assign(m_tree == nullptr ? 0 : m_tree->nodes.size(), false);
    for (std::uint32_t i = 1; !m_search.empty() && i < m_hits.size(); ++i)
        m_hits[i] = lowered(textOf(i)).find(m_search) != std::string::npos;
    update();
}

QString StackCanvas::searchResult() const {
    if (m_search.empty() || m_tree == nullptr) return {};
    std::int64_t bytes = 0;
    int count = 0;
    std::uint32_t end = 0;
    for (std::uint32_t i = 1; i < m_hits.size(); ++i) {
        if (!m_hits[i]) continue;
        ++count;
        // A hit below another one is part of it.
        if (i < end) continue;
        bytes += m_tree->nodes[i].bytes;
        end = m_tree->nodes[i].end;
    }
    return tr("%n frame(s), %1", nullptr, count).arg(bytesText(bytes));
}

void StackCanvas::setRoot(std::uint32_t node) {
    m_root = m_current = node;
    update();
}

/// Frames above the root are at full width; what is not below it has no width.
QRectF StackCanvas::boxOf(std::uint32_t node) const {
    const StackNode& root = m_tree->nodes[m_root];
    const StackNode& of = m_tree->nodes[node];
    const double top = static_cast<double>(of.depth) * rowHeight();
    if (node <= m_root) {
        const bool isAbove = m_root < of.end;
        return {0, top, isAbove ? static_cast<double>(width()) : 0.0, static_cast<double>(rowHeight())};
    }
    if (node >= root.end || root.bytes <= 0) return {};
    const double scale = width() / static_cast<double>(root.bytes);
    return {static_cast<double>(of.offset - root.offset) * scale, top, static_cast<double>(of.bytes) * scale,
            static_cast<double>(rowHeight())};
}

void StackCanvas::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (m_tree == nullptr || m_snapshot == nullptr) return;
    if (m_tree->nodes.front().blocks == 0) {
        painter.setPen(theme.muted);
        painter.drawText(rect(), Qt::AlignCenter, tr("No block is there."));
        return;
    }
    painter.setFont(scaledFont(font(), 0.9));
    const QFontMetrics metrics(painter.font());
    const int height = rowHeight();
    for (std::uint32_t i = 0; i < m_tree->nodes.size();) {
        const QRectF box = boxOf(i);
        const StackNode& node = m_tree->nodes[i];
        // What is below something too narrow is narrower still.
        if (box.width() < 0.5) {
            i = node.end > i && i > m_root ? node.end : i + 1;
            continue;
        }
        const QRectF inner = box.adjusted(0, 0, -1, -1);
        QColor fill = i == 0 ? theme.sunken : theme.hueOf(textOf(i));
        const bool isDimmed = !m_search.empty() && !m_hits[i];
        if (isDimmed) fill.setAlpha(70);
        painter.fillRect(inner, fill);
        if (!m_search.empty() && m_hits[i]) {
            painter.setPen(QPen(theme.accent, 2));
            painter.drawRect(inner.adjusted(1, 1, -1, -1));
        }
        if (i == m_current && hasFocus()) {
            painter.setPen(QPen(theme.text, 2));
            painter.drawRect(inner.adjusted(1, 1, -1, -1));
        }
        if (inner.width() > height) {
            painter.setPen(i == 0 || isDimmed ? theme.text : theme.label);
            const QString text = titleOf(i) + u"  "_s + bytesText(node.bytes);
            painter.drawText(inner.adjusted(4, 0, -2, 0), Qt::AlignVCenter | Qt::AlignLeft,
                             metrics.elidedText(text, Qt::ElideRight, static_cast<int>(inner.width()) - 6));
        }
        ++i;
    }
}

std::optional<std::uint32_t> StackCanvas::nodeAt(const QPoint& at) const {
    if (m_tree == nullptr) return std::nullopt;
    const auto depth = static_cast<std::uint32_t>(at.y() / rowHeight());
    for (std::uint32_t i = 0; i < m_tree->nodes.size(); ++i) {
        if (m_tree->nodes[i].depth == depth && boxOf(i).contains(at)) return i;
    }
    return std::nullopt;
}

QString StackCanvas::tipAt(const QPoint& at) const {
    const auto number = nodeAt(at);
    if (!number) return {};
    const StackNode& node = m_tree->nodes[*number];
    const std::int64_t all = std::max<std::int64_t>(1, m_tree->nodes.front().bytes);
    return (*number == 0 ? tr("All") : toQString(textOf(*number))) + u'\n' + exactBytesText(node.bytes) + u", "_s +
           formatPercent(static_cast<double>(node.bytes) / static_cast<double>(all)) + u'\n' +
           tr("%n block(s)", nullptr, static_cast<int>(std::min<std::uint64_t>(node.blocks, 1'000'000'000)));
}

void StackCanvas::mouseMoveEvent(QMouseEvent* event) {
    QToolTip::showText(event->globalPosition().toPoint(), tipAt(event->pos()), this);
}

void StackCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (const auto node = nodeAt(event->pos())) setRoot(*node);
}

void StackCanvas::moveCurrent(int key) {
    const auto& nodes = m_tree->nodes;
    const StackNode& current = nodes[m_current];
    if (key == Qt::Key_Up && m_current > 0) m_current = current.parent;
    if (key == Qt::Key_Down && m_current + 1 < current.end) m_current = m_current + 1;
    if (key == Qt::Key_Right && m_current > 0 && current.end < nodes[current.parent].end) m_current = current.end;
    if (key == Qt::Key_Left && m_current > 0) {
        // The child that ends where this one begins.
        for (std::uint32_t i = current.parent + 1; i < m_current; i = nodes[i].end) {
            if (nodes[i].end != m_current) continue;
            m_current = i;
            break;
        }
    }
    update();
}

void StackCanvas::keyPressEvent(QKeyEvent* event) {
    if (m_tree == nullptr) return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter: return setRoot(m_current);
    case Qt::Key_Backspace:
    case Qt::Key_Escape:
        if (m_root == 0) break;
        return setRoot(m_tree->nodes[m_root].parent);
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right: return moveCurrent(event->key());
    default: break;
    }
    QWidget::keyPressEvent(event);
}

void StackCanvas::contextMenuEvent(QContextMenuEvent* event) {
    if (m_tree == nullptr) return;
    const auto at = event->reason() == QContextMenuEvent::Mouse ? nodeAt(event->pos()) : std::optional(m_current);
    QMenu menu(this);
    if (at && *at != 0) {
        const QString frame = toQString(textOf(*at));
        menu.addAction(tr("&List the blocks of this frame"), this, [this, frame] { emit frameRequested(frame); });
        menu.addAction(tr("&Copy the frame"), this, [frame] { QApplication::clipboard()->setText(frame); });
        menu.addAction(tr("Show at full &width"), this, [this, node = *at] { setRoot(node); });
    }
    menu.addAction(tr("Show all"), this, [this] { setRoot(0); });
    menu.exec(event->globalPos());
}

void StackCanvas::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    update();
}

void StackCanvas::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void StackCanvas::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

}  // namespace altiscope
