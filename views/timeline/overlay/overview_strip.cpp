#include "views/timeline/overlay/overview_strip.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"
#include "views/timeline/overlay/canvas_overlay.h"
#include "views/timeline/overlay/step_band.h"
#include "views/timeline/picture/lane_painter.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace altiscope {

namespace {

constexpr int kGripPx = 4;
constexpr int kSliceBar = 3;
/// How far marks of what was found reach down.
constexpr int kHitBar = 6;
/// Min height of each rank (device pixels): communication, computing, free, and a line between ranks.
constexpr int kMinRankHeight = 4;

}  // namespace

OverviewStrip::OverviewStrip(TimelineScene& scene, TimelineSelection& selection, QWidget* parent)
    : QWidget(parent), m_scene(scene), m_selection(selection), m_slot(scene.jobs()) {
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &OverviewStrip::request);
    connect(&scene, &TimelineScene::rowsChanged, this, [this] {
        m_timer.start(0);
        m_dirty = true;  // steps may have come
        setFixedHeight(sizeHint().height());
        update();
    });
    connect(&scene, &TimelineScene::windowChanged, this, qOverload<>(&QWidget::update));
    for (const auto signal : {&TimelineScene::timesChanged, &TimelineScene::scrolled})
        connect(&scene, signal, this, qOverload<>(&QWidget::update));
    connect(&selection, &TimelineSelection::changed, this, qOverload<>(&QWidget::update));
    applyLook();
}

QSize OverviewStrip::sizeHint() const {
    return {200, static_cast<int>(std::ceil(QFontMetricsF(font()).height() * 2.6)) + stepHeight()};
}

int OverviewStrip::stepHeight() const {
    return m_selection.steps().empty() ? 0 : static_cast<int>(std::ceil(QFontMetricsF(font()).height()));
}

std::optional<ShownStep> OverviewStrip::stepAtPoint(QPoint at) const {
    if (m_scene.window().empty() || at.y() < 0 || at.y() >= stepHeight()) return std::nullopt;
    return stepAt(m_selection.steps(), scale().timeAt(at.x()));
}

bool OverviewStrip::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto step = stepAtPoint(help->pos())) {
            QToolTip::showText(help->globalPos(), stepToolTip(*step, m_selection.stepRankName(), m_scene.origin()),
                               this);
            return true;
        }
    }
    return QWidget::event(event);
}

void OverviewStrip::applyLook() {
    setAccessibleName(tr("Overview of the whole run"));
    setToolTip(
        tr("The whole run. Drag the frame to move it, its edges to resize it; drag elsewhere to look at a part."));
    m_dirty = true;
    updateGeometry();
    update();
}

void OverviewStrip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::PaletteChange)
        applyLook();
}

void OverviewStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_requested = {};
    m_timer.start(0);
}

PixelScale OverviewStrip::scale() const { return PixelScale(m_scene.window().home(), std::max(width(), 1)); }

void OverviewStrip::request() {
    const TimelineModel& model = m_scene.model();
    std::vector<TrackNode> all;
    std::vector<RowRequest> rows;
    std::vector<StepRank> ranks;
    std::vector<std::pair<std::shared_ptr<const SliceColours>, DurationNs>> traces;
    for (std::uint32_t source = 0; source < model.sources().size(); ++source) {
        const auto& ranks = model.sources()[source].store->ranks;
        for (RankIndex rank; rank.value < ranks.size(); ++rank.value) {
            const TrackNode row{.kind = TimelineRowKind::Rank, .source = source, .rank = rank};
            if (model.context().holds(ranks[rank.value].info) && m_scene.coloursOf(row) != nullptr) all.push_back(row);
        }
    }
    // Where there are more than have pixels, some from all over stand for them.
    const auto most = static_cast<std::size_t>(
        std::max(static_cast<int>((height() - stepHeight()) * devicePixelRatioF()) / kMinRankHeight, 1));
    const std::size_t shown = std::min(all.size(), most);
    for (std::size_t i = 0; i < shown; ++i) {
        const TrackNode& row = all[i * all.size() / shown];
        const auto colours = m_scene.coloursOf(row);
        traces.emplace_back(colours, model.sources().shiftOf(row.source, row.rank));
        ranks.push_back({row.source, row.rank});
        rows.push_back({.key = model.sources().keyOf(row),
                        .kind = PictureKind::Preview,
                        .colours = colours,
                        .shift = model.sources().shiftOf(row.source, row.rank),
                        .trackCount = static_cast<std::uint32_t>(colours->trace()->tracks().size()),
                        .moved = model.sources().movedIn(row)});
    }
    m_ranks = std::move(ranks);
    const TimeRange window = m_scene.window().home();
    const auto widthPx = static_cast<std::uint32_t>(std::lround(width() * devicePixelRatioF()));
    if (window == m_requested && traces == m_requestedTraces) {
        emit becameIdle();
        return;
    }
    m_requested = window;
    m_requestedTraces = traces;
    if (rows.empty() || window.empty() || widthPx == 0) {
        m_slot.cancel();
        m_result = {};
        m_dirty = true;
        update();
        emit becameIdle();
        return;
    }
    m_slot.start([request = PictureRequest{window, widthPx, std::move(rows)}](
                     const CancelToken& cancel) { return queryPicture(request, cancel); },
                 [this](PictureResult result) {
                     m_result = std::move(result);
                     m_dirty = true;
                     update();
                     emit becameIdle();
                 });
}

void OverviewStrip::paintPicture() {
    m_dirty = false;
    const double ratio = devicePixelRatioF();
    const QSize device = (QSizeF(size()) * ratio).toSize();
    if (m_image.size() != device) m_image = QImage(device, QImage::Format_RGB32);
    m_image.setDevicePixelRatio(ratio);
    const LanePalette palette = makeLanePalette(themeOf(this->palette()));
    LabelCache labels;
    LanePainter painter(m_image, palette, labels);
    painter.fill(QRect(QPoint(0, 0), device), palette.background);
    const auto count = static_cast<int>(m_result.rows.size());
    const int above = static_cast<int>(std::lround(stepHeight() * ratio)), below = device.height() - above;
    const int hair = std::max(1, static_cast<int>(ratio));
    for (int i = 0; i < count; ++i) {
        const auto& picture = m_result.rows[static_cast<std::size_t>(i)].second;
        if (picture == nullptr) continue;
        const int top = above + i * below / count, bottom = above + (i + 1) * below / count - (count > 1 ? hair : 0);
        const auto strips = static_cast<int>(picture->slices.size());
        for (int s = 0; s < strips; ++s) {
            const TrackGeometry& geometry = picture->slices[static_cast<std::size_t>(s)];
            const int first = top + s * (bottom - top) / strips, last = top + (s + 1) * (bottom - top) / strips;
            if (geometry.laneCount() > 0)
                painter.paintSlices(first, std::max(last - first, 1), geometry.lane(0), palette.background);
        }
    }
}

void OverviewStrip::setHits(TimeRange range, std::vector<bool> marks) {
    m_hitRange = range;
    m_hits = std::move(marks);
    update();
}

void OverviewStrip::paintEvent(QPaintEvent*) {
    if (m_dirty) paintPicture();
    QPainter painter(this);
    painter.drawImage(QPointF(0, 0), m_image);
    const Theme& theme = themeOf(palette());
    if (m_scene.window().empty()) {
        painter.fillRect(rect(), theme.background);
        return;
    }
    const PixelScale axis = scale();
    const auto x = [&](TimeNs time) { return std::clamp(axis.x(time), -10.0, width() + 10.0); };
    const TimeRange window = m_scene.window().range();
    const double left = x(window.begin), right = std::max(x(window.end), left + 2);
    // Time that is not in sight steps back.
    QColor veil = theme.background;
    veil.setAlpha(150);
    if (!m_scene.window().atHome()) {
        painter.fillRect(QRectF(0, 0, left, height()), veil);
        painter.fillRect(QRectF(right, 0, width() - right, height()), veil);
    }
    // Time of each rank outside of its own steps.
    const double above = stepHeight(), below = height() - above;
    const auto count = m_ranks.size() == m_result.rows.size() ? m_ranks.size() : std::size_t{0};
    for (std::size_t i = 0; i < count; ++i) {
        const double top = above + static_cast<double>(i) * below / static_cast<double>(count);
        for (const TimeRange& range : outsideOf(m_scene.times(m_ranks[i]), m_scene.window().home()))
            painter.fillRect(
                QRectF(x(range.begin), top, x(range.end) - x(range.begin), below / static_cast<double>(count)), veil);
    }
    const auto mark = [&](TimeRange range, QColor colour) {
        colour.setAlpha(120);
        painter.fillRect(QRectF(x(range.begin), 0, std::max(x(range.end) - x(range.begin), 2.0), height()), colour);
    };
    if (const auto range = m_selection.markedRange()) mark(*range, theme.accent);
    if (const int steps = stepHeight(); steps > 0) {
        painter.setFont(scaledFont(font(), 0.8));
        paintSteps(painter, QRectF(0, 0, width(), steps), m_selection, {}, axis, theme);
    }
    for (std::size_t part = 0; part < m_hits.size(); ++part) {
        if (!m_hits[part]) continue;
        const double length = static_cast<double>(m_hitRange.length().value) / static_cast<double>(m_hits.size());
        const TimeNs at = m_hitRange.begin + DurationNs{static_cast<std::int64_t>(static_cast<double>(part) * length)};
        painter.fillRect(QRectF(x(at), stepHeight(), 2, kHitBar), theme.error);  // below the names of steps
    }
    // A thin bar: a long slice over the whole height would hide the run.
    if (const auto slice = m_selection.sliceRange()) {
        painter.fillRect(QRectF(x(slice->begin), height() - kSliceBar - 1,
                                std::max(x(slice->end) - x(slice->begin), 2.0), kSliceBar),
                         theme.text);
    }
    painter.setPen(QPen(theme.accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(left, 0, right - left, height()).adjusted(1, 1, -1, -1));
    painter.setPen(theme.hairLine);
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

OverviewStrip::Grip OverviewStrip::gripAt(int x) const {
    const PixelScale axis = scale();
    const TimeRange window = m_scene.window().range();
    const double left = axis.x(window.begin), right = axis.x(window.end);
    if (m_scene.window().atHome()) return Grip::Span;
    // A frame that is too narrow to hold two edges and a middle is moved.
    const bool wide = right - left > 4 * kGripPx;
    if (wide && std::abs(x - left) <= kGripPx) return Grip::Begin;
    if (wide && std::abs(x - right) <= kGripPx) return Grip::End;
    if (x >= left - kGripPx && x <= right + kGripPx) return Grip::Window;
    return Grip::Span;
}

void OverviewStrip::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || m_scene.window().empty()) return;
    m_grip = gripAt(event->pos().x());
    m_pressedX = event->pos().x();
    m_pressedWindow = m_scene.window().range();
    m_moved = false;
    m_pressedStep = stepAtPoint(event->pos());
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event) {
    const int at = event->pos().x();
    if (m_scene.window().empty()) return;
    if (m_grip == Grip::None) {
        const Grip grip = gripAt(at);
        setCursor(grip == Grip::Begin || grip == Grip::End ? Qt::SizeHorCursor
                  : grip == Grip::Window                   ? Qt::OpenHandCursor
                                                           : Qt::CrossCursor);
        return;
    }
    if (!m_moved && std::abs(at - m_pressedX) < QApplication::startDragDistance()) return;
    const PixelScale axis = scale();
    const HistoryMark history = m_moved ? HistoryMark::Continue : HistoryMark::NewStep;
    m_moved = true;
    const DurationNs by = axis.timeAt(at) - axis.timeAt(m_pressedX);
    TimeRange next = m_pressedWindow;
    switch (m_grip) {
    case Grip::None: return;
    case Grip::Window: next = {next.begin + by, next.end + by}; break;
    case Grip::Begin: next.begin = std::min(next.begin + by, next.end - DurationNs{1}); break;
    case Grip::End: next.end = std::max(next.end + by, next.begin + DurationNs{1}); break;
    case Grip::Span: next = {axis.timeAt(std::min(at, m_pressedX)), axis.timeAt(std::max(at, m_pressedX))}; break;
    }
    m_scene.change([&](ViewWindow& window) { window.show(next, history); });
}

void OverviewStrip::mouseReleaseEvent(QMouseEvent* event) {
    const Grip grip = std::exchange(m_grip, Grip::None);
    if (grip != Grip::None && !m_moved && m_pressedStep) return m_selection.toggleStep(*m_pressedStep);
    if (grip != Grip::Span || m_moved || m_scene.window().empty()) return;
    const TimeNs centre = scale().timeAt(event->pos().x());
    const DurationNs length = m_scene.window().range().length();
    const TimeNs begin = centre - DurationNs{length.value / 2};
    m_scene.change([&](ViewWindow& window) { window.show({begin, begin + length}, HistoryMark::NewStep); });
}

bool OverviewStrip::cancelDrag() {
    if (std::exchange(m_grip, Grip::None) == Grip::None) return false;
    if (m_moved) m_scene.change([this](ViewWindow& window) { window.show(m_pressedWindow, HistoryMark::Continue); });
    return true;
}

void OverviewStrip::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto step = stepAtPoint(event->pos())) return m_selection.zoomToStep(*step);
    m_scene.change([](ViewWindow& window) { window.show(window.home(), HistoryMark::NewStep); });
}

}  // namespace altiscope
