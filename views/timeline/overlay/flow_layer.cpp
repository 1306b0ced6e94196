#include "views/timeline/overlay/flow_layer.h"

#include "core/base/threads/parallel.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"
#include "views/timeline/overlay/canvas_overlay.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

namespace {

constexpr double kHeadLength = 6, kHeadHalfWidth = 2.5;
/// The pointer is on a line from this near.
constexpr double kLineReach = 3;
/// As far as lines are drawn beyond the canvas.
constexpr double kFarAway = 4000;

double bendOf(const FlowLayer::Line& line) {
    return std::clamp(std::abs(line.to.x() - line.from.x()) / 2, 12.0, 160.0);
}

/// A line that stands for many is a little thicker.
double widthOf(std::uint64_t count) { return std::min(1.0 + 0.35 * std::log10(static_cast<double>(count)), 3.0); }

struct FlowInk {
    QSize size;
    double ratio = 1;
    std::vector<QColor> colours;  ///< By category.
};

QImage paintLines(const FlowLayer::Picture& picture, const FlowInk& ink) {
    QImage image((QSizeF(ink.size) * ink.ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ink.ratio);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const FlowLayer::Line& line : picture.lines) {
        QColor colour = ink.colours[line.category];
        colour.setAlpha(picture.lines.size() > 300 ? 150 : 210);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colour, widthOf(line.count)));
        QPainterPath path(line.from);
        path.cubicTo(line.from + QPointF(bendOf(line), 0), line.to - QPointF(bendOf(line), 0), line.to);
        painter.drawPath(path);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        const QPointF back = line.to - QPointF(kHeadLength, 0);
        painter.drawPolygon(QPolygonF{line.to, back - QPointF(0, kHeadHalfWidth), back + QPointF(0, kHeadHalfWidth)});
    }
    return image;
}

/// Whether a point is on a line.
bool isOn(const FlowLayer::Line& line, QPointF point) {
    const double bend = bendOf(line), x0 = line.from.x(), x1 = x0 + bend, x3 = line.to.x(), x2 = x3 - bend;
    const auto isWithin = [](double value, double a, double b) {
        return value >= std::min(a, b) - kLineReach && value <= std::max(a, b) + kLineReach;
    };
    if (!isWithin(point.y(), line.from.y(), line.to.y()) || !isWithin(point.x(), std::min(x0, x2), std::max(x1, x3)))
        return false;
    constexpr int kSteps = 48;
    QPointF before = line.from;
    for (int i = 1; i <= kSteps; ++i) {
        const double t = static_cast<double>(i) / kSteps, s = 1 - t;
        const QPointF next(s * s * s * x0 + 3 * s * s * t * x1 + 3 * s * t * t * x2 + t * t * t * x3,
                           line.from.y() + (line.to.y() - line.from.y()) * t * t * (3 - 2 * t));
        const QPointF along = next - before, off = point - before;
        const double length = QPointF::dotProduct(along, along);
        const double part = length > 0 ? std::clamp(QPointF::dotProduct(off, along) / length, 0.0, 1.0) : 0.0;
        const QPointF apart = off - along * part;
        if (QPointF::dotProduct(apart, apart) <= kLineReach * kLineReach) return true;
        before = next;
    }
    return false;
}

}  // namespace

FlowLayer::FlowLayer(TimelineScene& scene, QObject* parent)
    : QObject(parent), m_scene(scene), m_indexSlot(scene.jobs()), m_slot(scene.jobs()) {
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &FlowLayer::request);
    for (const auto signal : {&TimelineScene::windowChanged, &TimelineScene::rowsChanged, &TimelineScene::scrolled})
        connect(&scene, signal, this, &FlowLayer::schedule);
    connect(&scene, &TimelineScene::rowsChanged, this, &FlowLayer::makeIndexes);
}

void FlowLayer::setCanvas(QSize size, double devicePixelRatio, const Theme& theme) {
    m_size = size;
    m_ratio = devicePixelRatio;
    m_theme = &theme;
    schedule();
}

void FlowLayer::setChosen(std::set<std::string> categories) {
    if (m_chosen == categories) return;
    m_chosen = std::move(categories);
    m_wanted |= !m_chosen.empty();
    makeIndexes();
    schedule();
    emit chosenChanged();
}

void FlowLayer::setMarked(std::optional<TimeRange> range) {
    if (std::exchange(m_marked, range) != range && m_onlyMarked) schedule();
}

void FlowLayer::setOnlyMarked(bool on) {
    if (std::exchange(m_onlyMarked, on) == on) return;
    schedule();
    emit chosenChanged();
}

std::map<std::string, FlowLayer::Count> FlowLayer::counts() {
    m_wanted = true;
    makeIndexes();
    std::map<std::string, Count> counts;
    for (const auto& [trace, index] : m_indexes) {
        if (index == nullptr) continue;
        for (const FlowCategory& category : index->categories()) {
            Count& count = counts[std::string(index->trace().text(category.name))];
            count.flows += category.flows;
            count.loose += category.loose;
        }
    }
    return counts;
}

/// Flows of the traces that are wholly read; others change ten times a second.
void FlowLayer::makeIndexes() {
    if (!m_wanted || m_indexSlot.busy()) return;
    std::vector<std::shared_ptr<const TraceStore>> missing;
    FlowIndexes present;
    for (const TimelineSource& source : m_scene.model().sources()) {
        for (const RankEntry& rank : source.store->ranks) {
            if (rank.trace == nullptr || rank.trace->provisional()) continue;
            const auto known = m_indexes.find(rank.trace.get());
            if (known != m_indexes.end()) present.insert(*known);
            else missing.push_back(rank.trace);
        }
    }
    m_indexes = std::move(present);
    if (missing.empty()) return;
    m_indexSlot.start(
        [missing](const CancelToken& token) {
            std::vector<std::shared_ptr<const FlowIndex>> made(missing.size());
            parallelFor(missing.size(), [&](std::size_t i) { made[i] = FlowIndex::make(missing[i], token); });
            return made;
        },
        [this, missing](std::vector<std::shared_ptr<const FlowIndex>> made) {
            for (std::size_t i = 0; i < missing.size(); ++i) m_indexes[missing[i].get()] = std::move(made[i]);
            schedule();
            emit countsChanged();
            makeIndexes();  // more may have been read meanwhile
            if (idle()) emit becameIdle();
        });
}

bool FlowLayer::isFresh() const {
    return m_picture.window == m_scene.window().range() && m_picture.scrollTop == m_scene.viewport().scrollTop() &&
           m_picture.pinnedTop == m_scene.viewport().pinnedTop();
}

void FlowLayer::schedule() {
    if (m_chosen.empty() && m_picture.lines.empty()) return;
    if (!m_timer.isActive()) m_timer.start(0);
}

void FlowLayer::request() {
    if (m_slot.busy()) {
        m_pending = true;
        return;
    }
    m_pending = false;
    if (m_size.isEmpty() || m_scene.window().empty() || m_theme == nullptr) return;
    FlowsInSight flows =
        flowsInSight(m_scene, m_indexes, m_chosen, std::max(1, static_cast<int>(std::lround(m_size.width() * m_ratio))),
                     m_onlyMarked ? m_marked : std::nullopt);
    Picture picture{.image = {},
                    .window = m_scene.window().range(),
                    .scrollTop = m_scene.viewport().scrollTop(),
                    .pinnedTop = m_scene.viewport().pinnedTop(),
                    .categories = std::move(flows.categories),
                    .lines = {}};
    FlowInk ink{m_size, m_ratio, {}};
    for (const std::string& category : picture.categories) ink.colours.push_back(flowColour(category, *m_theme));
    m_slot.start(
        [request = std::move(flows.request), picture = std::move(picture),
         ink = std::move(ink)](const CancelToken& token) mutable {
            const FlowBundles found = bundleFlows(request, token);
            picture.cancelled = found.cancelled;
            picture.cellPx = found.cellPx;
            const auto x = [&](double device) {
                return std::clamp(device / ink.ratio, -kFarAway, ink.size.width() + kFarAway);
            };
            for (const FlowBundle& bundle : found.bundles)
                picture.lines.push_back({QPointF(x(bundle.fromX), bundle.from), QPointF(x(bundle.toX), bundle.to),
                                         bundle.category, bundle.count});
            // Lines that stand for many are above those that stand for few.
            std::stable_sort(picture.lines.begin(), picture.lines.end(),
                             [](const Line& a, const Line& b) { return a.count < b.count; });
            if (!picture.lines.empty()) picture.image = paintLines(picture, ink);
            return std::move(picture);
        },
        [this](Picture painted) {
            m_picture = std::move(painted);
            if (m_pending) request();
            emit changed();
            if (idle()) emit becameIdle();
        });
}

void FlowLayer::paint(QPainter& painter) const {
    if (m_picture.image.isNull() || m_chosen.empty() || m_scene.window().empty()) return;
    const double dy = static_cast<double>(m_picture.scrollTop - m_scene.viewport().scrollTop());
    if (isFresh()) return painter.drawImage(QPointF(0, 0), m_picture.image);
    // Lines of an earlier window stand in, scaled, as the picture below does.
    const TimeRange now = m_scene.window().range(), then = m_picture.window;
    const double perNs = m_size.width() / static_cast<double>(now.length().value);
    const double left = static_cast<double>((then.begin - now.begin).value) * perNs,
                 width = static_cast<double>(then.length().value) * perNs;
    const double from = std::max(left, 0.0), to = std::min(left + width, static_cast<double>(m_size.width()));
    if (from >= to) return;
    const double scale = m_picture.image.width() / width;
    painter.drawImage(QRectF(from, dy, to - from, m_size.height()), m_picture.image,
                      QRectF((from - left) * scale, 0, (to - from) * scale, m_picture.image.height()));
}

QStringList FlowLayer::textAt(QPoint point) const {
    if (m_chosen.empty() || !isFresh()) return {};
    std::map<std::uint32_t, std::uint64_t> counts;
    for (const Line& line : m_picture.lines) {
        if (isOn(line, QPointF(point))) counts[line.category] += line.count;
    }
    QStringList texts;
    for (const auto& [category, count] : counts) {
        const QString name = toQString(m_picture.categories[category]);
        texts << (count == 1 ? tr("Flow: %1").arg(name) : tr("%1 flows: %2").arg(formatCount(count), name));
    }
    return texts;
}

}  // namespace altiscope
