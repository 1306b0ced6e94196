#include "views/timeline/canvas/track_header.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/theme.h"
#include "views/timeline/canvas/track_menu.h"
#include "views/timeline/rows/key_lanes.h"
#include "views/timeline/rows/merged_tracks.h"
#include "views/timeline/rows/row_titles.h"
#include "views/timeline/times/shift_text.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr int kIndent = 12, kArrow = 14, kEdge = 6, kNoteGap = 8, kPin = 16, kMark = 12;

void paintArrow(QPainter& painter, QPointF centre, bool expanded, const QColor& colour) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, 1.5));
    painter.setBrush(Qt::NoBrush);
    const double a = 3.5, b = 2;
    if (expanded) {
        painter.drawPolyline(QPolygonF{centre + QPointF(-a, -b), centre + QPointF(0, b), centre + QPointF(a, -b)});
    } else {
        painter.drawPolyline(QPolygonF{centre + QPointF(-b, -a), centre + QPointF(b, 0), centre + QPointF(-b, a)});
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// The sign of a rank that is drawn elsewhere than recorded: an arrow to both sides.
void paintMoved(QPainter& painter, const QRectF& area, const QColor& colour) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, 1.6));
    painter.setBrush(Qt::NoBrush);
    const double y = area.center().y(), left = area.left() + 1, right = area.right() - 1, head = 3;
    painter.drawLine(QPointF(left, y), QPointF(right, y));
    painter.drawPolyline(QPolygonF{QPointF(left + head, y - head), QPointF(left, y), QPointF(left + head, y + head)});
    painter.drawPolyline(
        QPolygonF{QPointF(right - head, y - head), QPointF(right, y), QPointF(right - head, y + head)});
    painter.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace

TrackHeader::TrackHeader(TimelineScene& scene, QWidget* parent) : QWidget(parent), m_scene(scene) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumWidth(60);
    setMouseTracking(true);
    for (const auto signal : {&TimelineScene::rowsChanged, &TimelineScene::scrolled, &TimelineScene::progressChanged}) {
        connect(&scene, signal, this, qOverload<>(&QWidget::update));
    }
    connect(&scene, &TimelineScene::rowsChanged, this, [this] { m_laneNames.clear(); });
    // While a capture is read, a row in the user's hand has new siblings, or is gone.
    connect(&scene, &TimelineScene::rowsChanged, this, [this] {
        if (m_drag == Drag::Move) beginMove();
    });
    applyLook();
}

void TrackHeader::chooseRow(const RowKey& row) {
    m_current = row;
    m_chosen = {row};
    setFocus();
    update();
}

QSize TrackHeader::sizeHint() const { return {static_cast<int>(QFontMetricsF(font()).averageCharWidth() * 34), 200}; }

void TrackHeader::applyLook() {
    setAccessibleName(tr("Tracks"));
    updateGeometry();
    update();
}

void TrackHeader::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::PaletteChange)
        applyLook();
}

void TrackHeader::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = themeOf(palette());
    painter.fillRect(rect(), theme.background);
    const TimelineModel& model = m_scene.model();
    const int border = m_scene.viewport().pinnedView();
    for (const std::size_t i : m_scene.viewport().rowsInSight(height())) {
        const TimelineRow& row = model.rows()[i];
        const bool isStuck = m_scene.viewport().isStuck(i);
        const int top = row.pinned ? 0 : isStuck ? border : m_scene.viewport().contentTop();
        painter.setClipRect(QRect(0, top, width(), (row.pinned ? border : height()) - top));
        paintRow(painter, row, model.sources().keyOf(row));
    }
    painter.setClipping(false);
    if (border > 0) painter.fillRect(0, border - 2, width(), 2, theme.muted);
    if (m_drag == Drag::Move) paintTarget(painter);
}

/// Where the dragged row would go.
void TrackHeader::paintTarget(QPainter& painter) {
    const TimelineModel& model = m_scene.model();
    const Span target = m_siblings[m_to];
    const std::int64_t at = m_to > m_from ? target.bottom : target.top;
    const int y = static_cast<int>(m_scene.viewport().yOf(model.rows()[model.layout().rowAt(target.top)], at));
    painter.fillRect(0, std::clamp(y - 1, 0, height() - 2), width(), 3, themeOf(palette()).accent);
}

/// The line that holds a row's name: it stays in sight while a tall track is scrolled through.
QRect TrackHeader::lineOf(const TimelineRow& row) const {
    const RowMetrics& metrics = m_scene.model().metrics();
    const int top = static_cast<int>(m_scene.viewport().yOf(row, row.top));
    const int line = row.kind < TimelineRowKind::Thread ? metrics.group : metrics.lane + metrics.gap;
    return {0, std::clamp(m_scene.viewport().partOf(row).first, top, std::max(top, top + row.height - line)), width(),
            std::min(line, row.height)};
}

void TrackHeader::paintRow(QPainter& painter, const TimelineRow& row, const RowKey& key) {
    const Theme& theme = themeOf(palette());
    const TimelineModel& model = m_scene.model();
    const int top = static_cast<int>(m_scene.viewport().yOf(row, row.top));
    const QRect area(0, top, width(), row.height);
    const bool chosen = std::find(m_chosen.begin(), m_chosen.end(), key) != m_chosen.end();
    painter.fillRect(area, row.kind < TimelineRowKind::Thread ? theme.raised : theme.background);
    if (chosen || (m_drag == Drag::Move && key == m_dragged)) {
        QColor tint = theme.accent;
        tint.setAlphaF(0.2F);
        painter.fillRect(area, tint);
    }
    painter.setPen(theme.hairLine);
    painter.drawLine(0, area.bottom(), width(), area.bottom());
    if (hasFocus() && m_current == key) {
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(area.adjusted(0, 0, -1, -2));
    }

    const int left = kEdge + row.level * kIndent;
    const QRect nameLine = lineOf(row);
    const int line = nameLine.height();
    const bool hasPin = row.kind >= TimelineRowKind::Process &&
                        ((row.pinned && row.level == 0) || m_hovered == key || (hasFocus() && m_current == key));
    const QRect text(left + kArrow, nameLine.top(), width() - left - kArrow - kEdge - (hasPin ? kPin + kEdge : 0),
                     line);
    if (hasPin) {
        const bool isPinned = row.pinned && row.level == 0;
        themedIcon(u"pin"_s, isPinned ? IconTone::Accent : IconTone::Muted)
            .paint(&painter, QRect(width() - kEdge - kPin, nameLine.center().y() - kPin / 2, kPin, kPin));
    }
    if (row.expandable)
        paintArrow(painter, QPointF(left + kArrow / 2.0 - 1, text.center().y() + 0.5), row.expanded, theme.muted);

    if (row.kind == TimelineRowKind::Counter && row.expanded) return paintSeries(painter, row, text);

    QFont font = this->font();
    font.setBold(row.kind <= TimelineRowKind::Rank);
    const QFontMetrics metrics(font);
    const QString note = noteOf(row);
    const int noteWidth = note.isEmpty() ? 0 : QFontMetrics(this->font()).horizontalAdvance(note);
    const QString origin = rowOrigin(model.sources(), row);
    const QString full = origin.isEmpty() ? rowTitle(model.sources(), row)
                                          : origin + QStringLiteral(" / ") + rowTitle(model.sources(), row);
    const auto& shifts = model.sources()[row.source].rankShifts;
    const bool isMoved =
        shifts != nullptr && ((row.kind == TimelineRowKind::Rank && shifts->of(row.rank).value != 0) ||
                              (row.kind >= TimelineRowKind::Rank &&
                               model.sources().shiftOf(row) != model.sources().shiftOf(row.source, row.rank)));
    // The note gives way to the name.
    const bool fits = noteWidth > 0 && metrics.horizontalAdvance(full) + kNoteGap + noteWidth <=
                                           text.width() - (isMoved ? 2 * kMark : 0);
    const QString title = metrics.elidedText(full, Qt::ElideMiddle, text.width() - (isMoved ? 2 * kMark : 0));
    painter.setFont(font);
    painter.setPen(theme.text);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, title);
    if (row.kind < TimelineRowKind::Thread && row.lanes > 1) paintLaneNames(painter, row, key, text);
    if (isMoved)
        paintMoved(painter,
                   QRectF(text.left() + metrics.horizontalAdvance(title) + kMark / 2.0,
                          text.center().y() - kMark / 2.0 + 0.5, kMark, kMark),
                   theme.accent);
    if (fits || (noteWidth > 0 && row.kind == TimelineRowKind::Counter && row.height >= 2 * line)) {
        painter.setFont(this->font());
        painter.setPen(theme.muted);
        painter.drawText(fits ? text : text.translated(0, line - model.metrics().gap),
                         Qt::AlignRight | Qt::AlignVCenter, note);
    }
}

/// Lanes of a collapsed group are called by their tracks; that of the group stands in the place of the first one.
void TrackHeader::paintLaneNames(QPainter& painter, const TimelineRow& row, const RowKey& key, const QRect& text) {
    const TimelineModel& model = m_scene.model();
    const auto colours = m_scene.coloursOf(row);
    if (colours == nullptr) return;
    const TraceStore& trace = *colours->trace();
    auto known = m_laneNames.find(key);
    if (known == m_laneNames.end()) {
        QStringList names;
        for (const KeyLane& lane : keyLanes(colours->weights(), tracksIn(row), row.lanes))
            names << toQString(trace.track(lane.track).name);
        known = m_laneNames.emplace(key, std::move(names)).first;
    }
    const QFont small = scaledFont(font(), 0.9);
    const QFontMetrics metrics(small);
    const int top = static_cast<int>(m_scene.viewport().yOf(row, row.top)) + model.metrics().gap / 2;
    painter.save();
    painter.setFont(small);
    painter.setPen(themeOf(palette()).muted);
    for (qsizetype i = 1; i < known->second.size(); ++i) {
        const QRect line(text.left(), top + static_cast<int>(i) * row.lane, width() - text.left() - kEdge, row.lane);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(known->second[i], Qt::ElideMiddle, line.width()));
    }
    painter.restore();
}

/// Each lane is called by its series; the track's name shares the first one.
void TrackHeader::paintSeries(QPainter& painter, const TimelineRow& row, const QRect& line) {
    const Theme& theme = themeOf(palette());
    const TimelineModel& model = m_scene.model();
    const QFontMetrics metrics(font());
    const TraceStore& trace = *model.sources().traceOf(row);
    const TrackExtent& extent = trace.extent({row.firstTrack});
    const int lane = row.lane;
    const int top = static_cast<int>(m_scene.viewport().yOf(row, row.top)) + model.metrics().gap / 2;
    painter.setFont(font());
    painter.setPen(theme.text);
    const QString title = metrics.elidedText(rowTitle(model.sources(), row), Qt::ElideMiddle, line.width() / 2);
    painter.drawText(QRect(line.left(), top, line.width(), lane), Qt::AlignLeft | Qt::AlignVCenter, title);
    painter.setPen(theme.muted);
    // Only those in sight: there may be thousands of series.
    const auto first = static_cast<std::uint32_t>(std::max(0, -top / lane));
    for (std::uint32_t i = first; i < extent.seriesCount; ++i) {
        const QRect area(line.left(), top + static_cast<int>(i) * lane, line.width(), lane);
        if (area.top() > height()) break;
        const int room = i > 0 ? line.width() : line.width() - metrics.horizontalAdvance(title) - kNoteGap;
        const QString name = toQString(trace.text(trace.series()[extent.firstSeries + i].name));
        painter.drawText(area, Qt::AlignRight | Qt::AlignVCenter, metrics.elidedText(name, Qt::ElideMiddle, room));
    }
}

QString TrackHeader::noteOf(const TimelineRow& row) const {
    const TimelineModel& model = m_scene.model();
    if (row.kind == TimelineRowKind::Counter) {
        const TraceStore& trace = *model.sources().traceOf(row);
        const TrackExtent& extent = trace.extent({row.firstTrack});
        double most = trace.series()[extent.firstSeries].maximum;
        for (std::uint32_t i = 1; i < extent.seriesCount; ++i)
            most = std::max(most, trace.series()[extent.firstSeries + i].maximum);
        return tr("max %1").arg(formatNumber(most));
    }
    const TimelineSource& source = model.sources()[row.source];
    const auto progress = m_scene.progress().find(source.capture);
    const TraceStore* trace = model.sources().traceOf(row);
    const bool whole = trace != nullptr ? !trace->provisional() : source.store->sealed;
    if (row.kind == TimelineRowKind::Rank && !whole) {
        return progress == m_scene.progress().end() ? tr("not complete")
                                                    : tr("loading, %1").arg(formatPercent(progress->second));
    }
    return rowNote(model.sources(), row);
}

QString TrackHeader::toolTipOf(const TimelineRow& row) const {
    const TimelineModel& model = m_scene.model();
    QStringList lines{rowTitle(model.sources(), row)};
    if (const QString origin = rowOrigin(model.sources(), row); !origin.isEmpty()) lines << origin;
    const QString note = noteOf(row);
    if (!note.isEmpty()) lines << note;
    const TraceStore* trace = model.sources().traceOf(row);
    if (row.kind == TimelineRowKind::Capture) {
        const TimelineSource& source = model.sources()[row.source];
        lines << toQString(source.store->path);
        if (source.shift.value != 0) {
            lines << tr("Its times do not overlap with those of the first capture, so it is drawn %1 %2, for a common "
                        "start.")
                         .arg(formatExactNs({std::abs(source.shift.value)}),
                              source.shift.value < 0 ? tr("earlier") : tr("later"));
        }
    } else if (row.kind == TimelineRowKind::Rank) {
        lines << toQString(model.sources().rankOf(row)->info.path);
        if (const QString moved = shiftText(model.sources()[row.source].rankShifts.get(), row.rank); !moved.isEmpty())
            lines << moved;
    } else if (row.kind >= TimelineRowKind::Process && trace != nullptr && !row.memory) {
        if (const QString moved =
                trackShiftText(model.sources()[row.source].rankShifts.get(), row.rank, {row.firstTrack});
            !moved.isEmpty() && !isQuerySource(model.sources()[row.source].capture))
            lines << moved;
    }
    if (row.kind >= TimelineRowKind::Thread && trace != nullptr) {
        const Track& track = trace->track({row.firstTrack});
        const TrackExtent& extent = trace->extent({row.firstTrack});
        lines << toQString(track.process);
        if (row.merged != nullptr) {
            constexpr std::size_t kMaxNamed = 12;
            const auto& tracks = row.merged->tracks();
            QStringList names;
            for (std::size_t i = 0; i < std::min(tracks.size(), kMaxNamed); ++i)
                names << toQString(trace->track(tracks[i]).name);
            if (tracks.size() > kMaxNamed) names << u"\u2026"_s;
            lines << tr("Merged for this view from: %1").arg(names.join(u", "_s));
            return lines.join(u'\n');
        }
        if (extent.sliceCount > 0)
            lines << tr("%1 slices, %2 deep").arg(formatCount(extent.sliceCount), formatCount(extent.runCount));
        if (extent.seriesCount > 0) lines << tr("%1 series").arg(formatCount(extent.seriesCount));
        if (track.origin == Origin::Computed) lines << tr("Computed from recorded events");
    }
    return lines.join(u'\n');
}

std::optional<std::size_t> TrackHeader::rowAt(int y) const {
    const TimelineModel& model = m_scene.model();
    const std::int64_t at = m_scene.viewport().heightAt(y);
    if (model.rows().empty() || at >= model.layout().height()) return std::nullopt;
    return model.layout().rowAt(at);
}

bool TrackHeader::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto row = rowAt(help->pos().y());
        if (row) {
            QToolTip::showText(help->globalPos(), toolTipOf(m_scene.model().rows()[*row]), this);
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QWidget::event(event);
}

void TrackHeader::toggle(std::size_t row) {
    const TimelineRow& which = m_scene.model().rows()[row];
    if (which.expandable) m_scene.setExpanded(row, !which.expanded);
}

/// nullopt if there is none, or it is no longer shown.
std::optional<std::size_t> TrackHeader::currentRow() const {
    const TimelineModel& model = m_scene.model();
    for (std::size_t i = 0; m_current && i < model.rows().size(); ++i) {
        if (model.sources().keyOf(model.rows()[i]) == *m_current) return i;
    }
    return std::nullopt;
}

void TrackHeader::walk(std::ptrdiff_t by) {
    const TimelineModel& model = m_scene.model();
    if (model.rows().empty()) return;
    const auto current = currentRow();
    const auto last = static_cast<std::ptrdiff_t>(model.rows().size()) - 1;
    const std::size_t row =
        current
            ? static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(*current) + by, 0, last))
            : model.layout().rowAt(m_scene.viewport().heightAt(0));
    const TimelineRow target = model.rows()[row];
    m_current = model.sources().keyOf(target);
    const auto [first, after] = m_scene.viewport().partOf(target);
    const std::int64_t y = m_scene.viewport().yOf(target, target.top);
    if (y < first) m_scene.viewport().scrollBy(y - first, first);
    else if (y + target.height > after)
        m_scene.viewport().scrollBy(std::min<std::int64_t>(y - first, y + target.height - after), first);
    update();
}

void TrackHeader::passOn(QKeyEvent* event) {
    event->ignore();
    emit keyPassed(event);
}

// Keys of Timeline, names of tracks:
// - `Up`, `Down`, `PgUp`, `PgDown`: Choose a row
// - `Left`: Collapse the row
// - `Right`: Expand the row
// - `Enter`, `Space`: Expand or collapse the row
void TrackHeader::keyPressEvent(QKeyEvent* event) {
    if (takeArranging(*event)) return;
    if (event->modifiers() & ~Qt::KeypadModifier) return passOn(event);
    switch (event->key()) {
    case Qt::Key_Up: return walk(-1);
    case Qt::Key_Down: return walk(1);
    case Qt::Key_PageUp: return walk(-20);
    case Qt::Key_PageDown: return walk(20);
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (const auto row = currentRow()) {
            const bool wantsOpen = event->key() == Qt::Key_Right, wantsShut = event->key() == Qt::Key_Left;
            const bool open = m_scene.model().rows()[*row].expanded;
            if ((wantsOpen && open) || (wantsShut && !open)) return;
            toggle(*row);
        }
        return;
    default: passOn(event);
    }
}

void TrackHeader::focusInEvent(QFocusEvent* event) {
    // By keyboard: the current row shows where the keys go.
    if (!currentRow()) walk(0);
    QWidget::focusInEvent(event);
    update();
}

void TrackHeader::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

void TrackHeader::wheelEvent(QWheelEvent* event) { emit wheelTurned(event); }

void TrackHeader::hide(const std::vector<RowKey>& rows) {
    TrackFilter filter = m_scene.model().filter();
    filter.hidden.insert(rows.begin(), rows.end());
    m_scene.setFilter(filter);
}

/// The keys of all chosen rows, if this is one of them.
std::vector<RowKey> TrackHeader::keysToHide(const TimelineRow& row) const {
    const TimelineModel& model = m_scene.model();
    if (std::find(m_chosen.begin(), m_chosen.end(), model.sources().keyOf(row)) == m_chosen.end())
        return model.sources().keysOf(row);
    std::vector<RowKey> keys;
    for (const TimelineRow& shown : model.rows()) {
        if (shown.kind < TimelineRowKind::Process ||
            std::find(m_chosen.begin(), m_chosen.end(), model.sources().keyOf(shown)) == m_chosen.end())
            continue;
        const std::vector<RowKey> own = model.sources().keysOf(shown);
        keys.insert(keys.end(), own.begin(), own.end());
    }
    return keys;
}

/// Rows are taken by key: they may be others when an entry is chosen.
void TrackHeader::fillRowMenu(QMenu& menu, const TimelineRow& row) {
    const TimelineModel& model = m_scene.model();
    const QString title = rowTitle(model.sources(), row);
    menu.addAction(tr("&Copy name"), this, [title] { QApplication::clipboard()->setText(title); });
    if (const RankEntry* rank = model.sources().rankOf(row); rank != nullptr && rank->info.rankId)
        menu.addAction((rank->info.place.empty() ? tr("Only &rank %1 on all pages")
                                                 : tr("Only &rank %1 on all pages, all its recordings"))
                           .arg(*rank->info.rankId),
                       this, [this, id = *rank->info.rankId] { emit rankRequested(id); });
    const bool isOwn = isOpenCapture(model.sources()[row.source].capture);
    const TraceStore* trace = model.sources().traceOf(row);
    if (isOwn && trace != nullptr && !row.memory && row.kind >= TimelineRowKind::Rank)
        menu.addAction(tr("Shift in &time\u2026"), this,
                       [this, key = model.sources().keyOf(row)] { emit shiftRequested(key); });
    menu.addAction(tr("Clocks of ranks by &hand\u2026"), this, &TrackHeader::clocksRequested);
    if (row.kind < TimelineRowKind::Process) return;
    menu.addAction(tr("&Hide"), this, [this, keys = keysToHide(row)] { hide(keys); });
    const std::vector<RowKey> same = model.sources().sameOnAllRanks(row);
    if (same.size() > 1) menu.addAction(tr("Hide on &all ranks"), this, [this, same] { hide(same); });
}

void TrackHeader::contextMenuEvent(QContextMenuEvent* event) {
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const std::optional<std::size_t> row = byKey ? currentRow() : rowAt(event->pos().y());
    QMenu menu(this);
    if (row) {
        const TimelineRow& concerned = m_scene.model().rows()[*row];
        m_current = m_scene.model().sources().keyOf(concerned);
        fillRowMenu(menu, concerned);
        menu.addSeparator();
        fillArrangementMenu(menu, m_scene, concerned, m_chosen);
        menu.addSeparator();
        const TrackChoice tracks = tracksOf(m_scene.model(), m_scene.model().rows()[*row]);
        menu.addAction(tr("Add to &selection"), this, [this, tracks] { emit tracksChosen(tracks); })
            ->setEnabled(!tracks.parts.empty());
        menu.addAction(tr("&List all slices"), this,
                       [this, tracks,
                        title = rowTitleOf(m_scene.model().sources(),
                                           m_scene.model().sources().keyOf(m_scene.model().rows()[*row]))] {
                           emit listRequested(tracks, title);
                       })
            ->setEnabled(!tracks.parts.empty());
        menu.addSeparator();
    }
    menu.addAction(tr("&Expand all"), this, [this] { m_scene.setAllExpanded(true); });
    menu.addAction(tr("C&ollapse all"), this, [this] { m_scene.setAllExpanded(false); });
    menu.addSeparator();
    fillUndoMenu(menu, m_scene);
    if (m_layoutsMenu != nullptr) menu.addMenu(m_layoutsMenu);
    menu.exec(byKey && row ? mapToGlobal(lineOf(m_scene.model().rows()[*row]).center()) : event->globalPos());
}

}  // namespace altiscope
