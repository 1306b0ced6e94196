#include "views/common/plots/frame_canvas.h"

#include "views/common/plots/colour_ramp.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"

#include <QEvent>
#include <QPaintEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace altiscope {

namespace {

/// The narrowest frame that is drawn.
constexpr double kMinFrameWidth = 0.5;
constexpr double kMinOutlined = 6;

/// The nodes of the same path in another tree, as far as it is there.
std::uint32_t samePath(const FrameSource& from, std::uint32_t node, const FrameSource& to) {
    std::vector<std::uint32_t> path;
    for (; node != 0; node = from.tree().nodes[node].parent) path.push_back(node);
    std::uint32_t at = 0;
    for (auto step = path.rbegin(); step != path.rend(); ++step) {
        const auto& nodes = to.tree().nodes;
        std::uint32_t child = at + 1;
        while (child < nodes[at].end && to.text(child) != from.text(*step)) child = nodes[child].end;
        if (child >= nodes[at].end) break;
        at = child;
    }
    return at;
}

}  // namespace

std::string searchedText(std::string_view text) {
    std::string copy(text);
    for (char& letter : copy) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    return copy;
}

FrameCanvas::FrameCanvas(QWidget* parent) : GestureCanvas(parent) { setAttribute(Qt::WA_OpaquePaintEvent); }

int FrameCanvas::rowHeight() const { return fontMetrics().height() + 4; }

bool FrameCanvas::isEmpty() const { return m_source == nullptr || nodes().front().weight <= 0; }

QSize FrameCanvas::minimumSizeHint() const {
    const int depth = m_source == nullptr ? 0 : static_cast<int>(m_source->tree().depth);
    return {200, (depth + 2) * rowHeight()};
}

void FrameCanvas::setSource(std::shared_ptr<const FrameSource> source) {
    const std::uint32_t root =
        m_source != nullptr && source != nullptr ? samePath(*m_source, m_root, *source) : std::uint32_t{0};
    m_source = std::move(source);
    m_root = m_current = root;
    if (m_source != nullptr) {
        const FrameNode& node = nodes()[root];
        const double all = std::max(1.0, static_cast<double>(nodes().front().weight));
        setView(static_cast<double>(node.offset) / all, static_cast<double>(node.weight) / all);
    }
    setSearch(QString::fromStdString(m_search));
    setMinimumHeight(minimumSizeHint().height());
    updateGeometry();
}

void FrameCanvas::setRootPlace(Root place) {
    m_rootPlace = place;
    update();
}

void FrameCanvas::setNothing(const QString& reason) {
    m_nothing = reason;
    update();
}

void FrameCanvas::setSearch(const QString& text) {
    m_search = searchedText(text.trimmed().toStdString());
    m_hits.clear();
    if (!m_search.empty() && m_source != nullptr) {
        std::unordered_map<const char*, bool> known;
        m_hits.resize(nodes().size());
        for (std::uint32_t i = 1; i < m_hits.size(); ++i) {
            const std::string_view frame = m_source->text(i);
            const auto [at, isNew] = known.try_emplace(frame.data(), false);
            if (isNew) at->second = searchedText(frame).find(m_search) != std::string::npos;
            m_hits[i] = at->second;
        }
    }
    update();
}

std::optional<FrameCanvas::Found> FrameCanvas::found() const {
    if (m_hits.empty()) return std::nullopt;
    Found found;
    std::uint32_t end = 0;
    for (std::uint32_t i = 1; i < m_hits.size(); ++i) {
        if (!m_hits[i]) continue;
        ++found.frames;
        // A hit below another one is part of it.
        if (i < end) continue;
        found.weight += nodes()[i].weight;
        end = nodes()[i].end;
    }
    return found;
}

void FrameCanvas::showNextHit() {
    for (std::size_t step = 1; step <= m_hits.size(); ++step) {
        const std::size_t at = (m_current + step) % m_hits.size();
        if (!m_hits[at]) continue;
        m_current = static_cast<std::uint32_t>(at);
        return showCurrent();
    }
}

// --- what is in sight ---------------------------------------------------------------------------------------------

void FrameCanvas::setView(double from, double span) {
    // No frame is narrower than what a double tells apart.
    m_span = std::clamp(span, 1e-12, 1.0);
    m_from = std::clamp(from, 0.0, 1.0 - m_span);
    update();
}

void FrameCanvas::setRoot(std::uint32_t node) {
    m_root = m_current = node;
    if (!isEmpty()) {
        const auto all = static_cast<double>(nodes().front().weight);
        setView(static_cast<double>(nodes()[node].offset) / all, static_cast<double>(nodes()[node].weight) / all);
    }
}

void FrameCanvas::zoomBy(double factor, double at) {
    const double fixed = m_from + at * m_span, span = std::clamp(m_span / factor, 1e-12, 1.0);
    setView(fixed - at * span, span);
}

void FrameCanvas::panBy(double part) { setView(m_from + part * m_span, m_span); }

double FrameCanvas::xOf(std::int64_t weight) const {
    const double part = static_cast<double>(weight) / static_cast<double>(nodes().front().weight);
    return (part - m_from) / m_span * width();
}

int FrameCanvas::rowTop(std::uint32_t depth) const {
    const int row = static_cast<int>(depth) * rowHeight();
    return m_rootPlace == Root::Top ? row : height() - row - rowHeight();
}

QRectF FrameCanvas::boxOf(std::uint32_t node) const {
    if (isEmpty() || node >= nodes().size()) return {};
    const FrameNode& of = nodes()[node];
    const double left = xOf(of.offset), right = xOf(of.offset + of.weight);
    if (right <= 0 || left >= width() || right - left < kMinFrameWidth) return {};
    const double from = std::max(0.0, left);
    return {from, static_cast<double>(rowTop(of.depth)), std::min<double>(width(), right) - from,
            static_cast<double>(rowHeight())};
}

std::optional<std::uint32_t> FrameCanvas::nodeAt(const QPoint& at) const {
    if (isEmpty() || !rect().contains(at)) return std::nullopt;
    const auto& all = nodes();
    std::uint32_t node = 0;
    while (true) {
        const QRectF box = boxOf(node);
        if (box.isEmpty()) return std::nullopt;
        if (at.y() >= box.top() && at.y() < box.bottom()) return node;
        // The child at that place.
        std::uint32_t child = node + 1;
        const std::uint32_t end = all[node].end;
        while (child < end) {
            const double right = xOf(all[child].offset + all[child].weight), left = xOf(all[child].offset);
            if (right - left < kMinFrameWidth || left > at.x()) return std::nullopt;
            if (at.x() < right) break;
            child = all[child].end;
        }
        if (child >= end) return std::nullopt;
        node = child;
    }
}

QString FrameCanvas::tipAt(const QPoint& at) const {
    const auto node = nodeAt(at);
    return node ? m_source->tip(*node) : QString();
}

// --- painting -----------------------------------------------------------------------------------------------------

void FrameCanvas::paintEvent(QPaintEvent* event) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(event->rect(), theme.background);
    if (isEmpty()) {
        painter.setPen(theme.muted);
        painter.drawText(rect().adjusted(24, 0, -24, 0), Qt::AlignCenter | Qt::TextWordWrap, m_nothing);
        return;
    }
    QFont small = scaledFont(font(), 0.9);
    // Rounded to whole pixels of the scale 1, texts would be measured shorter than they are drawn at 2.
    small.setHintingPreference(QFont::PreferNoHinting);
    painter.setFont(small);
    const QFontMetricsF metrics(small);
    const auto& all = nodes();
    const int height = rowHeight();
    const bool isDown = m_rootPlace == Root::Top;
    const auto lastDepth = static_cast<std::uint32_t>(
        std::max(0, isDown ? event->rect().bottom() / height : (this->height() - event->rect().top()) / height));
    for (std::uint32_t i = 0; i < all.size();) {
        const FrameNode& node = all[i];
        const double left = xOf(node.offset), right = xOf(node.offset + node.weight);
        // Behind what is too narrow, or right of what is in sight, no sibling is to be seen.
        if (right - left < kMinFrameWidth || left >= width()) {
            if (i == 0) break;
            i = all[node.parent].end;
            continue;
        }
        if (right <= 0 || node.depth > lastDepth) {
            i = node.end;
            continue;
        }
        const int top = rowTop(node.depth);
        if (top + height > event->rect().top() && top <= event->rect().bottom()) {
            const double from = std::max(0.0, left), to = std::min<double>(width(), right);
            const QRectF inner(from, top, std::max(kMinFrameWidth, to - from - 1), height - 1);
            const std::optional<QColor> own = i == 0 ? std::optional(theme.sunken) : m_source->fill(i, theme);
            QColor fill = own ? *own : theme.hueOf(m_source->text(i));
            const bool isHit = !m_hits.empty() && m_hits[i], isDimmed = !m_hits.empty() && !isHit;
            if (isDimmed) fill.setAlpha(70);
            painter.fillRect(inner, fill);
            if (isHit || (i == m_current && hasFocus())) {
                const QColor& mark = isHit ? theme.accent : theme.text;
                painter.setPen(QPen(mark, 2));
                // The lines of a narrow one would be all that is seen of it, and more.
                if (inner.width() > kMinOutlined) painter.drawRect(inner.adjusted(1, 1, -1, -1));
                else painter.fillRect(inner, mark);
            }
            if (inner.width() > 2 * height) {
                painter.setPen(i == 0 || isDimmed ? theme.text : own ? textOn(own->rgb()) : theme.label);
                painter.drawText(inner.adjusted(4, 0, -2, 0), Qt::AlignVCenter | Qt::AlignLeft,
                                 metrics.elidedText(m_source->title(i), Qt::ElideRight, inner.width() - 7));
            }
        }
        ++i;
    }
    paintDragBox(painter);
}

}  // namespace altiscope
