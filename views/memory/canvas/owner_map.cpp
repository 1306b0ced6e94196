#include "views/memory/canvas/owner_map.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kMapLabel = 0.9;
constexpr int kMapMargin = 4;

QString mapBytes(std::int64_t bytes) {
    return formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, bytes)));
}

/// Chinese letters come from another font and are higher than its own.
int mapLine(const QFontMetrics& metrics) {
    return std::max(metrics.height(), metrics.boundingRect(u"\u5185\u5b58"_s).height() + 2);
}

double shareOf(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace

OwnerMap::OwnerMap(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QSize OwnerMap::minimumSizeHint() const { return {fontMetrics().averageCharWidth() * 20, fontMetrics().height() * 5}; }

QSize OwnerMap::sizeHint() const { return minimumSizeHint() * 2; }

MapStyle OwnerMap::style() const {
    const QFontMetrics metrics(scaledFont(font(), kMapLabel));
    return {.heading = mapLine(metrics) + 3.0,
            .minSide = metrics.height() * 0.7,
            .minInner = metrics.averageCharWidth() * 10.0};
}

std::vector<std::string> OwnerMap::rootPath() const {
    std::vector<std::string> path;
    if (m_tree == nullptr) return path;
    for (const std::string_view label : m_tree->path(m_root)) path.emplace_back(label);
    return path;
}

void OwnerMap::setNothing(const QString& text) {
    m_nothing = text;
    update();
}

void OwnerMap::setTree(std::shared_ptr<const OwnerTree> tree) {
    const std::vector<std::string> path = rootPath();
    m_tree = std::move(tree);
    m_root = m_tree == nullptr ? 0 : m_tree->find(path);
    arrange();
    emit rootChanged();
}

void OwnerMap::setRoot(std::uint32_t root) {
    if (m_tree == nullptr || root >= m_tree->nodes.size() || root == m_root) return;
    // The way back begins where it came from.
    const std::uint32_t from = m_root;
    m_root = root;
    arrange();
    for (std::size_t i = 0; i < m_boxes.size(); ++i) {
        const MapBox& box = m_boxes[i];
        if (box.level == 0 && !box.isOthers() && box.node <= from && from < m_tree->nodes[box.node].end) choose(i);
    }
    emit rootChanged();
}

void OwnerMap::arrange() {
    m_boxes.clear();
    m_hovered.reset();
    m_current.reset();
    if (m_tree != nullptr) m_boxes = treeMap(*m_tree, m_root, QRectF(rect()).adjusted(1, 1, -1, -1), style());
    if (!m_boxes.empty()) choose(0);
    update();
}

std::optional<std::uint32_t> OwnerMap::current() const {
    return m_current ? std::optional(m_boxes[*m_current].node) : std::nullopt;
}

void OwnerMap::choose(std::optional<std::size_t> box) {
    m_current = box;
    setAccessibleDescription(box ? tipOf(m_boxes[*box]) : QString());
    update();
}

// --- texts --------------------------------------------------------------------------------------------------------

QString OwnerMap::titleOf(std::uint32_t node) const {
    const OwnerNode& owner = m_tree->nodes[node];
    if (node == 0) return tr("All memory");
    if (owner.isUnused) return tr("not given out");
    if (owner.label.empty()) return tr("no label");
    return toQString(owner.label);
}

QString OwnerMap::pathOf(std::uint32_t node) const {
    if (node == 0) return titleOf(0);
    QStringList titles;
    for (; node != 0; node = m_tree->nodes[node].parent) titles.prepend(titleOf(node));
    return titles.join(u" › "_s);
}

QString OwnerMap::tipOf(const MapBox& box) const {
    const OwnerNode& node = m_tree->nodes[box.node];
    const OwnerNode& parent = m_tree->nodes[node.parent];
    const QString above = pathOf(node.parent);
    QStringList lines;
    if (box.isOthers())
        lines << withCount(tr("%n smaller owner(s) within %1", nullptr, pluralCount(box.together)), box.together)
                     .arg(above);
    else lines << pathOf(box.node);
    lines << u"%1 (%2)"_s.arg(mapBytes(box.bytes),
                              formatExactBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, box.bytes))));
    lines << tr("%1 of all memory").arg(formatPercent(shareOf(box.bytes, m_tree->nodes.front().bytes)));
    if (node.parent != 0) lines << tr("%1 of %2").arg(formatPercent(shareOf(box.bytes, parent.bytes)), above);
    if (node.isUnused && !box.isOthers()) lines << tr("Reserved by the pool, in use by nobody.");
    else if (!box.isOthers()) lines << withCount(tr("%n allocation(s)", nullptr, pluralCount(node.count)), node.count);
    return lines.join(u'\n');
}

// --- painting -----------------------------------------------------------------------------------------------------

void OwnerMap::paintBox(QPainter& painter, const MapBox& box) const {
    const Theme& theme = themeOf(palette());
    const OwnerNode& node = m_tree->nodes[box.node];
    // Borders on whole pixels: those of neighbours meet.
    const QRect place = QRectF(box.box).toAlignedRect().intersected(rect());
    const QRect inner = place.adjusted(0, 0, -1, -1);
    if (inner.isEmpty()) return;
    const bool isPlain = box.isOthers() || node.isUnused;
    if (box.hasHeading) painter.fillRect(inner, theme.raised);
    else if (isPlain) painter.fillRect(inner, theme.sunken);
    else painter.fillRect(inner, theme.hueOf(node.label.empty() ? node.holder : node.label));
    if (node.isUnused && !box.isOthers()) painter.fillRect(inner, QBrush(theme.free, Qt::BDiagPattern));
    paintTitle(painter, box, inner.adjusted(kMapMargin, 2, -kMapMargin, -1));
}

/// Title and bytes in one line, or below each other where there is room.
void OwnerMap::paintTitle(QPainter& painter, const MapBox& box, const QRect& place) const {
    const Theme& theme = themeOf(palette());
    const QFontMetrics metrics(painter.font());
    const QString title = box.isOthers() ? tr("other (%1)").arg(formatCount(box.together)) : titleOf(box.node);
    const QString bytes = mapBytes(box.bytes), both = title + u"  "_s + bytes;
    const int line = mapLine(metrics), room = place.width();
    if (place.height() < line || room < metrics.averageCharWidth() * 3) return;
    const bool isPlain = box.isOthers() || m_tree->nodes[box.node].isUnused;
    const auto draw = [&](const QString& text, int top) {
        const QString shown = metrics.elidedText(text, Qt::ElideRight, room);
        const QRect at(place.left(), top, metrics.horizontalAdvance(shown), line);
        if (isPlain) painter.fillRect(at, theme.sunken);  // hatching leaves no letter readable
        painter.drawText(at, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine | Qt::TextDontClip, shown);
    };
    painter.setPen(box.hasHeading || isPlain ? theme.text : theme.label);
    if (metrics.horizontalAdvance(both) <= room || box.hasHeading) return draw(both, place.top());
    draw(title, place.top());
    if (place.height() >= 2 * line && metrics.horizontalAdvance(bytes) <= room) draw(bytes, place.top() + line);
}

void OwnerMap::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (m_boxes.empty()) {
        painter.setPen(theme.muted);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                         m_tree == nullptr ? m_nothing : tr("No allocation is alive at this time."));
        return;
    }
    painter.setFont(scaledFont(font(), kMapLabel));
    for (const MapBox& box : m_boxes) paintBox(painter, box);
    // Outlines lie over neighbours and over what is within.
    painter.setBrush(Qt::NoBrush);
    if (m_hovered) {
        painter.setPen(QPen(theme.text, 1));
        painter.drawRect(QRectF(m_boxes[*m_hovered].box).toAlignedRect().adjusted(0, 0, -2, -2));
    }
    if (!m_current || !hasFocus()) return;
    painter.setPen(QPen(theme.accent, 2));
    painter.drawRect(QRectF(m_boxes[*m_current].box).toAlignedRect().intersected(rect()).adjusted(1, 1, -2, -2));
}

void OwnerMap::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void OwnerMap::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange) arrange();
    update();
}

void OwnerMap::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void OwnerMap::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

// --- moving -------------------------------------------------------------------------------------------------------

std::optional<std::size_t> OwnerMap::boxAt(const QPointF& at) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < m_boxes.size(); ++i) {
        if (m_boxes[i].box.contains(at) && (!found || m_boxes[i].level > m_boxes[*found].level)) found = i;
    }
    return found;
}

/// A box without parts has nothing to go into.
bool OwnerMap::goInto(std::size_t box) {
    const MapBox& chosen = m_boxes[box];
    if (chosen.isOthers() || m_tree->nodes[chosen.node].end == chosen.node + 1) return false;
    setRoot(chosen.node);
    return true;
}

bool OwnerMap::goOut() {
    if (m_tree == nullptr || m_root == 0) return false;
    setRoot(m_tree->nodes[m_root].parent);
    return true;
}

/// To the nearest box in a direction, of those that have nothing drawn within.
void OwnerMap::step(int key) {
    if (!m_current) return;
    const QPointF from = m_boxes[*m_current].box.center();
    const bool isAcross = key == Qt::Key_Left || key == Qt::Key_Right;
    const double sign = key == Qt::Key_Left || key == Qt::Key_Up ? -1 : 1;
    std::optional<std::size_t> nearest;
    double best = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < m_boxes.size(); ++i) {
        if (i == *m_current || m_boxes[i].hasHeading) continue;
        const QPointF to = m_boxes[i].box.center() - from;
        const double along = sign * (isAcross ? to.x() : to.y()), aside = std::abs(isAcross ? to.y() : to.x());
        // Boxes that lie more aside than in the direction are for the other keys.
        if (along <= 0.5 || aside > 2 * along) continue;
        const double distance = along + 2 * aside;
        if (distance >= best) continue;
        best = distance;
        nearest = i;
    }
    if (nearest) choose(nearest);
}

// Keys of The map of owners:
// - `Up`, `Down`, `Left`, `Right`: Choose the box beside
// - `Enter`: Go into the chosen box, or list its allocations
// - `Backspace`: Back to what it is a part of
// - `Esc`, `Home`: Show all memory
void OwnerMap::keyPressEvent(QKeyEvent* event) {
    const bool isBare = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (m_tree == nullptr || !isBare) return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!m_current || goInto(*m_current)) return;
        if (const OwnerNode& node = m_tree->nodes[m_boxes[*m_current].node];
            !node.holder.empty() && !m_boxes[*m_current].isOthers())
            emit holderRequested(toQString(node.holder));
        return;
    case Qt::Key_Backspace:
        if (goOut()) return;
        break;
    case Qt::Key_Escape:
    case Qt::Key_Home:
        if (m_root == 0) break;
        return setRoot(0);
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right: return step(event->key());
    default: break;
    }
    QWidget::keyPressEvent(event);
}

void OwnerMap::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return QWidget::mouseReleaseEvent(event);
    const auto box = boxAt(event->position());
    if (!box) return;
    choose(box);
    goInto(*box);
}

void OwnerMap::mouseMoveEvent(QMouseEvent* event) {
    const auto box = boxAt(event->position());
    if (std::exchange(m_hovered, box) != box) update();
    if (box) QToolTip::showText(event->globalPosition().toPoint(), tipOf(m_boxes[*box]), this);
    else QToolTip::hideText();
}

void OwnerMap::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    m_hovered.reset();
    update();
}

/// A notch forward goes into what is under the pointer, one back out of it.
void OwnerMap::wheelEvent(QWheelEvent* event) {
    constexpr int kNotch = 120;
    m_turned += event->angleDelta().y();
    if (std::abs(m_turned) < kNotch) return;
    const bool isForward = std::exchange(m_turned, 0) > 0;
    if (m_tree == nullptr) return;
    if (!isForward) {
        goOut();
        return;
    }
    for (std::size_t i = 0; i < m_boxes.size(); ++i) {
        if (m_boxes[i].level == 0 && m_boxes[i].box.contains(event->position())) {
            goInto(i);
            return;
        }
    }
}

bool OwnerMap::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || m_tree == nullptr) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto box = boxAt(help->pos())) QToolTip::showText(help->globalPos(), tipOf(m_boxes[*box]), this);
    return true;
}

void OwnerMap::contextMenuEvent(QContextMenuEvent* event) {
    if (m_tree == nullptr) return;
    const auto box = event->reason() == QContextMenuEvent::Mouse ? boxAt(event->pos()) : m_current;
    QMenu menu(this);
    // While the menu is open another tree may come, of which the node is none.
    const auto tree = m_tree;
    if (box && !m_boxes[*box].isOthers()) {
        const std::uint32_t node = m_boxes[*box].node;
        const OwnerNode& owner = tree->nodes[node];
        if (!owner.holder.empty())
            menu.addAction(tr("List its &allocations"), this,
                           [this, tree, node] { emit holderRequested(toQString(tree->nodes[node].holder)); });
        if (owner.end > node + 1)
            menu.addAction(tr("&Show it alone"), this, [this, tree, node] {
                if (m_tree == tree) setRoot(node);
            });
    }
    QAction* out = menu.addAction(tr("&Back to what it is a part of"), this, [this] { goOut(); });
    out->setShortcut(Qt::Key_Backspace);
    out->setEnabled(m_root != 0);
    QAction* all = menu.addAction(tr("Show all &memory"), this, [this] { setRoot(0); });
    all->setShortcut(Qt::Key_Escape);
    all->setEnabled(m_root != 0);
    menu.exec(event->globalPos());
}

}  // namespace altiscope
