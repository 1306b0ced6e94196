#include "views/timeline/canvas/timeline_canvas.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"
#include "views/timeline/rows/row_titles.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace altiscope {

namespace {

constexpr int kKeyLanes = 3;
/// Pixels that stay free below a selected slice that was about to be hidden.
constexpr int kBelowSelected = 8;

/// A group that is collapsed to a preview, at a place where it has nothing; before there is a picture nobody knows.
bool canExpand(const CanvasHit& hit, const TimelineRow& row) {
    return hit.trace != nullptr && pictureKindOf(row) == PictureKind::Preview && row.expandable;
}

}  // namespace

TimelineCanvas::TimelineCanvas(TimelineScene& scene, TimelineSelection& selection, QWidget* parent)
    : GestureCanvas(parent), m_scene(scene), m_selection(selection), m_loader(scene), m_layout(scene, m_loader),
      m_flows(scene), m_peers(scene, selection) {
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(80, 40);
    connect(&m_loader, &PictureLoader::pictureChanged, this, &TimelineCanvas::updateOverlay);
    connect(&m_loader, &PictureLoader::becameExact, this, &TimelineCanvas::becameIdle);
    connect(&m_flows, &FlowLayer::changed, this, qOverload<>(&QWidget::update));
    connect(&m_flows, &FlowLayer::becameIdle, this, &TimelineCanvas::becameIdle);
    connect(&m_peers, &PeerLoader::changed, this, &TimelineCanvas::updateOverlay);
    connect(&m_peers, &PeerLoader::becameIdle, this, &TimelineCanvas::becameIdle);
    connect(&selection, &TimelineSelection::changed, this, &TimelineCanvas::updateChosen);
    connect(&scene, &TimelineScene::windowChanged, this, &TimelineCanvas::updateOverlay);
    connect(&scene, &TimelineScene::rowsChanged, this, &TimelineCanvas::dropHover);
    connect(&scene, &TimelineScene::rowsChanged, this, &TimelineCanvas::updateChosen);
    connect(&scene, &TimelineScene::progressChanged, this, &TimelineCanvas::updateOverlay);
    connect(&scene, &TimelineScene::marksChanged, this, &TimelineCanvas::updateOverlay);
    connect(&scene, &TimelineScene::timesChanged, this, &TimelineCanvas::updateOverlay);
    // The slice under the pointer has moved away (as it has when rows change).
    connect(&scene, &TimelineScene::windowChanged, this, &TimelineCanvas::dropHover);
    connect(&scene, &TimelineScene::scrolled, this, &TimelineCanvas::dropHover);
    connect(&scene, &TimelineScene::scrolled, this, &TimelineCanvas::updateOverlay);
    applyLook();
}

QFont TimelineCanvas::overlayFont() const { return scaledFont(font(), 0.9); }

void TimelineCanvas::applyLook() {
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr("Tracks over time. Press the question mark for all shortcuts."));
    m_loader.setPalette(makeLanePalette(themeOf(palette())));
    m_loader.setCanvas(size(), devicePixelRatioF(), overlayFont());
    m_flows.setCanvas(size(), devicePixelRatioF(), themeOf(palette()));
    updateOverlay();
}

void TimelineCanvas::changeEvent(QEvent* event) {
    GestureCanvas::changeEvent(event);
    switch (event->type()) {
    case QEvent::PaletteChange:
    case QEvent::FontChange:
    case QEvent::LanguageChange: applyLook(); break;
    default: break;
    }
}

void TimelineCanvas::resizeEvent(QResizeEvent* event) {
    GestureCanvas::resizeEvent(event);
    // A panel that comes up below must not hide what has been selected by the same click.
    const bool shrinks = event->oldSize().height() > height() && m_overlay.selected &&
                         m_overlay.selected->bottom() <= event->oldSize().height() && m_overlay.selected->top() >= 0;
    const double below = shrinks ? m_overlay.selected->bottom() - height() : 0;
    m_layout.setSize(size());
    m_scene.viewport().setHeight(height());
    if (below > 0)
        m_scene.viewport().setScrollTop(m_scene.viewport().scrollTop() + std::llround(below) + kBelowSelected);
    m_loader.setCanvas(size(), devicePixelRatioF(), overlayFont());
    m_flows.setCanvas(size(), devicePixelRatioF(), themeOf(palette()));
    dropHover();
    if (event->oldSize().height() != height()) emit heightChanged();
    if (event->oldSize().width() != width() && m_overlay.pointer) {
        // A panel beside has grown or shrunk: what is at the pointer is not known before it moves.
        m_overlay.pointer.reset();
        emit pointerMoved(std::nullopt);
    }
    updateOverlay();
}

void TimelineCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = themeOf(palette());
    const QImage& image = m_loader.image();
    const TimeRange shown = m_loader.imageWindow();
    if (image.isNull() || !m_layout.ready() || shown.empty()) {
        painter.fillRect(rect(), theme.background);
        return;
    }
    if (shown == m_scene.window().range()) {
        painter.drawImage(QPointF(0, 0), image);
    } else {
        // The picture of an earlier window stands in, scaled, until the one that is under way arrives.
        painter.fillRect(rect(), theme.background);
        const PixelScale scale = m_layout.scale();
        const double left = scale.x(shown.begin), right = scale.x(shown.end);
        const double perPixel = (right - left) / width();
        const double from = std::max(left, 0.0), to = std::min(right, static_cast<double>(width()));
        if (from < to && perPixel > 0) {
            const double ratio = devicePixelRatioF();
            painter.drawImage(
                QRectF(from, 0, to - from, height()), image,
                QRectF((from - left) / perPixel * ratio, 0, (to - from) / perPixel * ratio, image.height()));
        }
    }
    painter.setFont(overlayFont());
    m_flows.paint(painter);
    paintOverlay(painter, m_overlay, m_layout, theme);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void TimelineCanvas::updateOverlay() {
    m_overlay.selected.reset();
    m_overlay.flows.clear();
    m_overlay.flowsCut = false;
    m_overlay.peers = {};
    m_overlay.banner.clear();
    m_overlay.outside = veilsOf(m_scene);
    m_overlay.marks = m_scene.marks();
    m_overlay.arrows = m_layout.ready() ? edgeArrows(m_scene, m_loader, width()) : std::vector<EdgeArrow>();
    m_overlay.hits.clear();
    for (const HitMark& hit : m_hits) {
        const TimelineModel& model = m_scene.model();
        const bool isShown = m_layout.ready() && hit.source < model.sources().size();
        const auto at = isShown ? model.placeOf(hit.source, hit.rank, hit.track) : std::nullopt;
        if (!at) continue;
        const TimelineRow& row = model.rows()[at->row];
        // In a merged row slices of one depth lie on several lanes: the row is marked as a whole.
        const auto lane =
            row.merged != nullptr
                ? std::optional(QRectF(0, static_cast<double>(m_scene.viewport().yOf(row, row.top)), 0, row.height))
                : m_layout.rectOf(hit.source, hit.rank,
                                  {.slice = {}, .track = hit.track, .depth = hit.depth, .range = hit.ranges.front()});
        if (lane) m_overlay.hits.push_back({*lane, hit.ranges});
    }
    m_overlay.gaps = m_layout.ready() ? gapMarks(m_layout, m_scene, m_gaps) : std::vector<GapMark>();
    m_overlay.range = m_draggedRange ? m_draggedRange : m_selection.markedRange();
    m_flows.setMarked(m_selection.markedRange());
    m_overlay.tracks = chosenArea();
    const auto& slice = m_selection.slice();
    const auto source = slice ? m_scene.model().sources().sourceOf(slice->capture) : std::nullopt;
    if (source && m_layout.ready()) {
        m_overlay.selected = m_layout.rectOf(*source, slice->key.rank, slice->place);
        if (m_overlay.selected && m_overlay.selected->height() <= 0) m_overlay.selected.reset();
        m_overlay.flows = flowCurves(m_layout, m_scene.model().sources(), *source, *slice);
        m_overlay.flowsCut = slice->flows.size() > kMaxCurves;
        if (const PeerResult* peers = m_peers.result()) m_overlay.peers = peerLines(m_layout, m_scene, *source, *peers);
    }
    m_overlay.base.reset();
    const auto baseSource = m_base ? m_scene.model().sources().sourceOf(m_base->capture) : std::nullopt;
    // Until it is found in a store that has replaced another, its place there is not known.
    if (baseSource && m_layout.ready() && m_scene.holds(*m_base->trace))
        m_overlay.base = m_layout.rectOf(*baseSource, m_base->key.rank, m_base->place);
    if (m_overlay.base && m_overlay.base->height() <= 0) m_overlay.base.reset();
    if (m_scene.model().rows().empty()) m_overlay.banner = tr("No rank is within the filter of all pages");
    for (const auto& [capture, progress] : m_scene.progress()) {
        if (!m_scene.model().sources().sourceOf(capture)) continue;
        m_overlay.banner = tr("Still loading, %1: the picture is not complete yet").arg(formatPercent(progress));
    }
    for (const TimelineSource& shown : m_scene.model().sources()) {
        if (shown.store->sealed || m_scene.progress().contains(shown.capture)) continue;
        m_overlay.banner = tr("Reading was stopped: the picture is not complete");
    }
    update();
}

void TimelineCanvas::setHits(std::vector<HitMark> hits) {
    m_hits = std::move(hits);
    updateOverlay();
}

void TimelineCanvas::setGaps(MarkedGaps gaps) {
    m_gaps = std::move(gaps);
    updateOverlay();
}

void TimelineCanvas::setBase(const std::optional<SelectedSlice>& base) {
    m_base = base;
    updateOverlay();
}

void TimelineCanvas::dropHover() {
    m_overlay.hovered.reset();
    m_overlay.hover = {};
}

void TimelineCanvas::hoverAt(const QPoint& at, const QPoint& /*global*/) {
    const QFont font = overlayFont();
    const QRegion before = hoverRegion(m_overlay, m_layout, font);
    dropHover();
    m_overlay.pointer = at;
    const auto hit = m_layout.hitAt(at);
    if (hit) {
        m_overlay.hover = hoverText(*hit, m_scene.origin());
        const TimelineRow& row = m_scene.model().rows()[hit->row];
        // Places in a picture of an older store are not those of the rows.
        if (hit->slice && hit->trace.get() == m_scene.model().sources().traceOf(row)) {
            m_overlay.hovered = m_layout.rectOf(row.source, row.rank, *hit->slice);
        }
        if (m_overlay.hover.heading.isEmpty() && canExpand(*hit, row)) {
            m_overlay.hover.heading = rowTitle(m_scene.model().sources(), row);
            m_overlay.hover.lines = {tr("Click: expand")};
        }
    }
    if (const auto arrow = arrowAt(m_overlay.arrows, at)) {
        m_overlay.hover.heading = arrow->forward ? tr("Later slices") : tr("Earlier slices");
        m_overlay.hover.lines = {tr("No slice of this track is visible. Click: go to the nearest slice.")};
    }
    if (const QStringList flows = m_flows.textAt(at); !flows.isEmpty()) {
        if (m_overlay.hover.heading.isEmpty()) m_overlay.hover.heading = tr("Flows");
        m_overlay.hover.lines += flows;
    }
    update(before + hoverRegion(m_overlay, m_layout, font));
}

void TimelineCanvas::setPointerX(std::optional<int> x) {
    const QRegion before = hoverRegion(m_overlay, m_layout, overlayFont());
    dropHover();
    m_overlay.pointer = x ? std::optional(QPoint(*x, -1)) : std::nullopt;
    update(before + hoverRegion(m_overlay, m_layout, overlayFont()));
}

TimeRange TimelineCanvas::rangeBetween(int fromX, int toX) const {
    const PixelScale scale = m_layout.scale();
    const TimeRange window = m_scene.window().range();
    const auto at = [&](int x) { return std::clamp(scale.timeAt(x), window.begin, window.end); };
    return {at(std::min(fromX, toX)), at(std::max(fromX, toX))};
}

std::uint32_t TimelineCanvas::sourceAt(int y) const {
    const TimelineModel& model = m_scene.model();
    return model.rows().empty()
               ? 0
               : model.rows()[model.layout().rowAt(m_scene.viewport().heightAt(std::max(y, 0)))].source;
}

void TimelineCanvas::dragRange(int fromX, int toX, bool finished) {
    if (!m_layout.ready() || m_scene.model().sources().empty()) return;
    const TimeRange range = rangeBetween(fromX, toX);
    if (!finished) {
        m_draggedRange = range;
    } else {
        m_draggedRange.reset();
        if (!range.empty()) {
            m_selection.markRange(range, sourceAt(pressedAt().y()));
            emit rangeDragged();
        }
    }
    updateOverlay();
}

/// The tracks and the time from where the drag began to here.
void TimelineCanvas::markTracks(bool finished) {
    if (!m_layout.ready() || m_scene.model().rows().empty()) return;
    const QPoint from = pressedAt(), at = pointer();
    const std::uint32_t source = sourceAt(from.y());
    const int top = std::max(std::min(from.y(), at.y()), 0), bottom = std::min(std::max(from.y(), at.y()), height());
    // Between the pinned rows, those that are stuck, and the others lie those that are out of sight.
    const int border = m_scene.viewport().pinnedView(), content = m_scene.viewport().contentTop();
    TrackChoice tracks{.capture = m_scene.model().sources()[source].capture, .parts = {}};
    std::optional<RowSpan> span;
    for (const auto& [first, last] :
         {std::pair(top, std::min(bottom, border - 1)), std::pair(std::max(top, content), bottom)}) {
        if (first > last) continue;
        const std::int64_t upper = m_scene.viewport().heightAt(first), lower = m_scene.viewport().heightAt(last) + 1;
        // Which tracks there are is worth looking up once, not with each move.
        if (finished) append(tracks, tracksBetween(m_scene.model(), source, upper, lower));
        else span = joined(span, spanBetween(m_scene.model(), source, upper, lower, m_selection.onlyDepths()));
    }
    const TimeRange range = rangeBetween(from.x(), at.x());
    if (!finished) {
        m_draggedRange = range;
        m_draggedSpan = span;
    } else if (!range.empty()) {
        m_selection.markBox(range, source, std::move(tracks));
        emit rangeDragged();
    }
    updateOverlay();
}

void TimelineCanvas::dropDrag() {
    m_draggedRange.reset();
    m_draggedSpan.reset();
    m_overlay.box.reset();
    updateOverlay();
}

/// The span of all chosen tracks, which may be many: not computed with each move of the window.
void TimelineCanvas::updateChosen() {
    const TrackChoice* tracks = m_selection.tracks();
    m_chosenSpan = tracks == nullptr ? std::nullopt : spanOf(m_scene.model(), *tracks, m_selection.onlyDepths());
    updateOverlay();
}

/// Where the chosen tracks are; with a range, within it.
std::optional<QRectF> TimelineCanvas::chosenArea() const {
    const auto& height = m_draggedRange ? m_draggedSpan : m_chosenSpan;
    if (!height || !m_layout.ready()) return std::nullopt;
    const TimelineModel& model = m_scene.model();
    const auto yOf = [&](std::int64_t at) {
        return static_cast<double>(m_scene.viewport().yOf(model.rows()[model.layout().rowAt(at)], at));
    };
    const double top = yOf(height->first), bottom = yOf(height->second - 1) + 1;
    if (!m_overlay.range) return QRectF(0, top, width() - 1, bottom - top);
    const double left = m_layout.xOf(m_overlay.range->begin), right = m_layout.xOf(m_overlay.range->end);
    return QRectF(left, top, right - left, bottom - top);
}

void TimelineCanvas::perform(TimelineAction action) {
    using A = TimelineAction;
    const double x = m_overlay.pointer ? m_overlay.pointer->x() : width() / 2.0;
    const int lane = m_scene.model().metrics().lane;
    const auto scrollBy = [this](std::int64_t by) {
        m_scene.viewport().setScrollTop(m_scene.viewport().scrollTop() + by);
    };
    switch (action) {
    case A::ZoomIn: return zoomOn(QPointF(x, 0), kCanvasKeyZoom);
    case A::ZoomOut: return zoomOn(QPointF(x, 0), 1 / kCanvasKeyZoom);
    case A::PanLeft: return panOn(-kCanvasPanShare, 0);
    case A::PanRight: return panOn(kCanvasPanShare, 0);
    case A::ScrollUp: return scrollBy(-kKeyLanes * lane);
    case A::ScrollDown: return scrollBy(kKeyLanes * lane);
    case A::PageUp: return scrollBy(lane - height());
    case A::PageDown: return scrollBy(height() - lane);
    case A::FirstRow: return m_scene.viewport().setScrollTop(0);
    case A::LastRow: return m_scene.viewport().setScrollTop(m_scene.viewport().maxScrollTop());
    case A::ZoomToSelection: return m_selection.zoomToSelection();
    case A::WholeRun: return showAll();
    case A::GoTo: emit goToRequested(); return;
    case A::UndoView: return showPrevious();
    case A::RedoView: return showNext();
    case A::RangeOfSlice: return m_selection.toggleRangeOfSlice();
    case A::AddMark: {
        const std::optional<QPoint> at = m_overlay.pointer;
        emit markRequested(at ? std::optional(rangeBetween(at->x(), at->x()).begin) : std::nullopt,
                           sourceAt(at ? at->y() : 0));
        return;
    }
    case A::FlowBack: return m_selection.step(TimelineSelection::Step::FlowBack);
    case A::FlowForward: return m_selection.step(TimelineSelection::Step::FlowForward);
    case A::PreviousSlice: return m_selection.step(TimelineSelection::Step::Previous);
    case A::NextSlice: return m_selection.step(TimelineSelection::Step::Next);
    case A::OuterSlice: return m_selection.step(TimelineSelection::Step::Outer);
    case A::InnerSlice: return m_selection.step(TimelineSelection::Step::Inner);
    case A::ClearSelection: clearOne(); return;
    case A::Find: emit findRequested(); return;
    case A::CopyDetails: emit copyRequested(); return;
    case A::NextHit: emit hitRequested(true); return;
    case A::PreviousHit: emit hitRequested(false); return;
    case A::NextStep: return m_selection.chooseNeighbourStep(true);
    case A::PreviousStep: return m_selection.chooseNeighbourStep(false);
    case A::LaterSlice: return m_selection.goBeyond(true);
    case A::EarlierSlice: return m_selection.goBeyond(false);
    case A::AlignClocks: emit clocksRequested(ClockAction::Toggle); return;
    case A::SetBaseSlice: emit clocksRequested(ClockAction::SetBase); return;
    case A::AlignStarts: emit clocksRequested(ClockAction::AlignStarts); return;
    case A::AlignEnds: emit clocksRequested(ClockAction::AlignEnds); return;
    case A::AlignAllStarts: emit clocksRequested(ClockAction::AlignAllStarts); return;
    case A::AlignAllEnds: emit clocksRequested(ClockAction::AlignAllEnds); return;
    case A::ClocksByHand: emit clocksByHandRequested(); return;
    case A::ResetClocks: emit clocksRequested(ClockAction::Reset); return;
    case A::ExpandAll: return m_scene.setAllExpanded(true);
    case A::CollapseAll: return m_scene.setAllExpanded(false);
    case A::FilterTracks: emit filterTracksRequested(); return;
    case A::ShowKeys: emit showKeysRequested(); return;
    }
}

bool TimelineCanvas::event(QEvent* event) {
    // Keys of the canvas win over shortcuts of the window (Ctrl+Z, Backspace) while it has the focus.
    if (event->type() == QEvent::ShortcutOverride && actionOf(*static_cast<QKeyEvent*>(event), m_scene.keys())) {
        event->accept();
        return true;
    }
    return GestureCanvas::event(event);
}

bool TimelineCanvas::clearOne() { return (m_leavesFirst && m_leavesFirst()) || m_selection.clearOne(); }

bool TimelineCanvas::handleKey(const QKeyEvent& event) {
    const auto action = actionOf(event, m_scene.keys());
    // Where nothing is left to clear the window may have something else to leave.
    if (action == TimelineAction::ClearSelection) return clearOne();
    if (action) perform(*action);
    return action.has_value();
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
    m_clickedSlice = false;
    GestureCanvas::mousePressEvent(event);
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
    GestureCanvas::mouseMoveEvent(event);
    emit pointerMoved(event->pos().x());
}

/// In time as in height.
TimelineCanvas::PanTo TimelineCanvas::beginPan() {
    const bool isPinned = pressedAt().y() < m_scene.viewport().pinnedView();
    const std::int64_t top = isPinned ? m_scene.viewport().pinnedTop() : m_scene.viewport().scrollTop();
    return [this, panTime = GestureCanvas::beginPan(), isPinned, top](const QPoint& moved, HistoryMark mark) {
        panTime(moved, mark);
        if (isPinned) m_scene.viewport().setPinnedTop(top - moved.y());
        else m_scene.viewport().setScrollTop(top - moved.y());
    };
}

void TimelineCanvas::dragChanged() {
    // The line goes with the pointer; the box describes what was there before.
    if (dragKind() == Drag::Mark || dragKind() == Drag::Box || dragKind() == Drag::Pan) setPointerX(pointer().x());
    if (dragKind() == Drag::Mark) return markTracks(false);
    if (dragKind() == Drag::Box) {
        m_overlay.box = QRect(pressedAt(), pointer()).normalized();
        return update();
    }
    if (dragKind() == Drag::Pan || (!m_draggedRange && !m_overlay.box)) return;
    dropDrag();
}

void TimelineCanvas::mark(const QRect& /*box*/) { markTracks(true); }

void TimelineCanvas::clickAt(const QPoint& at) {
    if (const auto arrow = arrowAt(m_overlay.arrows, at)) return m_selection.goBeyond(arrow->forward, arrow->row);
    const auto hit = m_layout.hitAt(at);
    if (hit && hit->slice) {
        const TimelineRow& row = m_scene.model().rows()[hit->row];
        m_selection.select(m_scene.model().sources()[row.source].capture, row.rank, hit->trace, hit->slice->slice);
        m_clickedSlice = true;
        emit sliceClicked();
    } else {
        m_selection.clear();
        if (hit && canExpand(*hit, m_scene.model().rows()[hit->row])) m_scene.setExpanded(hit->row, true);
    }
}

void TimelineCanvas::openAt(const QPoint& /*at*/) {
    // The row that the first click has expanded or reached lies under the pointer now: it is not clicked.
    if (m_clickedSlice && m_selection.slice()) m_selection.zoomToSlice();
}

bool TimelineCanvas::scroll(QWheelEvent& event) {
    m_wheelRest += event.angleDelta().y() * QApplication::wheelScrollLines() * m_scene.model().metrics().lane;
    constexpr int kNotch = static_cast<int>(kCanvasNotch);
    const int pixels = m_wheelRest / kNotch;
    m_wheelRest -= pixels * kNotch;
    m_scene.viewport().scrollBy(-pixels, static_cast<int>(event.position().y()));
    return true;
}

void TimelineCanvas::leaveEvent(QEvent* event) {
    GestureCanvas::leaveEvent(event);
    setPointerX(std::nullopt);
    emit pointerMoved(std::nullopt);
}

void TimelineCanvas::contextMenuEvent(QContextMenuEvent* event) {
    QPoint at = event->pos();
    if (event->reason() == QContextMenuEvent::Keyboard) {
        at = m_overlay.selected ? (*m_overlay.selected & QRectF(rect())).center().toPoint() : rect().center();
    }
    if (m_scene.window().empty()) return;
    const auto hit = m_layout.hitAt(at);
    if (hit && hit->slice) clickAt(at);
    emit menuRequested(hit, mapToGlobal(at));
}

}  // namespace altiscope
