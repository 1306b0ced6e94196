#include "views/communication/canvas/collective_canvas.h"

#include "views/common/support/formatters.h"

#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

// Keys and mouse of CollectiveCanvas.

namespace {

constexpr int kRowsOfNotch = 3;

}  // namespace

void CollectiveCanvas::changeTime(const WindowChange& change) {
    change(m_window);
    drop();
}

bool CollectiveCanvas::scroll(QWheelEvent& event) {
    const double notches = event.angleDelta().y() / kCanvasNotch;
    m_scroll->setValue(m_scroll->value() - static_cast<int>(std::lround(notches * kRowsOfNotch)));
    return true;
}

// Keys of Communication, Time:
// - `Ctrl+Left`, `Ctrl+Right`: Select the collective before or after
// - `Up`, `Down`, `PgUp`, `PgDown`: Scroll
// - `Enter`: Go to the selected collective in the timeline
// - `R`: Align all ranks by the end of the selected collective
// - `L`: Align all ranks by its start
// - `Shift+0`: Show the ranks by their own clocks
bool CollectiveCanvas::handleKey(const QKeyEvent& event) {
    const bool control = (event.modifiers() & Qt::ControlModifier) != 0;
    if (m_window.empty()) return false;
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (!control) break;
        selectBeside(event.key() == Qt::Key_Left ? -1 : 1);
        return true;
    case Qt::Key_Up: m_scroll->setValue(m_scroll->value() - 1); return true;
    case Qt::Key_Down: m_scroll->setValue(m_scroll->value() + 1); return true;
    case Qt::Key_PageUp: m_scroll->setValue(m_scroll->value() - m_scroll->pageStep()); return true;
    case Qt::Key_PageDown: m_scroll->setValue(m_scroll->value() + m_scroll->pageStep()); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!m_selected) break;
        emit opened(*m_selected);
        return true;
    case Qt::Key_R:
    case Qt::Key_L:
        if (!m_selected || control) break;
        emit alignmentWanted(event.key() == Qt::Key_R ? CollectiveChart::Edge::End : CollectiveChart::Edge::Begin);
        return true;
    // Signs that Shift+0 types where the keyboard is English or Chinese, and where it is German.
    case Qt::Key_ParenRight:
    case Qt::Key_Equal:
    case Qt::Key_0:
        if ((event.modifiers() & Qt::ShiftModifier) == 0) break;
        emit alignmentUnwanted();
        return true;
    default: break;
    }
    return PlotCanvas::handleKey(event);
}

void CollectiveCanvas::clickAt(const QPoint& at) {
    if (plotRect().contains(at)) choose(placeAt(at));
}

void CollectiveCanvas::openAt(const QPoint& at) {
    if (const auto place = placeAt(at)) emit opened(*place);
    else showAll();
}

void CollectiveCanvas::choose(std::optional<Place> place) {
    m_peers.clear();
    m_selected = place;
    update();
    emit selectedChanged();
}

/// The one that begins before or after the selected one on its rank.
void CollectiveCanvas::selectBeside(int by) {
    if (m_chart == nullptr || m_labels.empty()) return;
    const std::size_t row = m_selected ? m_selected->row : firstRow();
    const auto& items = m_chart->set().ranks[row].items;
    // By begin, those of equal begins by their number: so each has one before and one after it.
    using Order = std::pair<std::int64_t, std::uint32_t>;
    const auto orderOf = [&](std::uint32_t item) { return Order(items[item].begin->value, item); };
    std::optional<Order> own;
    if (m_selected && items[m_selected->item].begin) own = orderOf(m_selected->item);
    std::optional<std::uint32_t> best;
    for (std::uint32_t i = 0; i < items.size(); ++i) {
        if (!items[i].begin || (own && (by > 0 ? orderOf(i) <= *own : orderOf(i) >= *own))) continue;
        if (!best || (by > 0 ? orderOf(i) < orderOf(*best) : orderOf(i) > orderOf(*best))) best = i;
    }
    if (!best) return;
    select(Place{row, *best});
    emit selectedChanged();
}

std::optional<CollectiveCanvas::Place> CollectiveCanvas::placeAt(const QPoint& at) const {
    const QRect plot = plotRect();
    if (m_chart == nullptr || m_window.empty() || !plot.contains(at)) return std::nullopt;
    const std::size_t row = firstRow() + static_cast<std::size_t>((at.y() - plot.top()) / rowHeight());
    if (row >= m_labels.size()) return std::nullopt;
    for (std::size_t lane = 0; lane < m_chart->laneCount(row); ++lane) {
        for (const CollectiveChart::Bar& bar : m_chart->bars(row, lane, m_window.range(), plot.width())) {
            // A bar of one pixel is hard to hit.
            const int near = bar.last - bar.first < 3 ? 1 : 0;
            if (barRect(row, lane, bar).adjusted(-near, -2, near, 2).contains(at)) return Place{row, bar.item};
        }
    }
    return std::nullopt;
}

QString CollectiveCanvas::itemTip(const Place& place, std::uint32_t count) const {
    const RankCollectives& rank = m_chart->set().ranks[place.row];
    const CollectiveItem& item = rank.items[place.item];
    const auto time = [](std::int64_t ns) { return u"%1 (%2)"_s.arg(formatDuration({ns}), formatExactNs({ns})); };
    const auto partOf = [&](std::int64_t ns) {
        const std::int64_t all = item.spent.elapsed;
        return all <= 0 ? time(ns)
                        : time(ns) + u", "_s + formatPercent(static_cast<double>(ns) / static_cast<double>(all));
    };
    QStringList lines{m_labels[place.row], toQString(rank.name(item))};
    if (!rank.group(item).empty()) lines << tr("Group: %1").arg(toQString(rank.group(item)));
    if (item.step) lines << tr("Step: %1").arg(*item.step);
    if (item.begin)
        lines << tr("Start: %1").arg(formatRelativeTime(m_chart->aligned(place.row, place.item).begin, m_origin));
    lines << tr("Elapsed: %1").arg(time(item.spent.elapsed));
    if (item.spent.transit) lines << tr("Transit: %1").arg(partOf(*item.spent.transit));
    lines << tr("Wait: %1").arg(partOf(item.spent.wait))
          << tr("Synchronization: %1").arg(partOf(item.spent.synchronization));
    if (item.spent.idle) lines << tr("Idle: %1").arg(partOf(*item.spent.idle));
    if (rank.isComputed) lines << tr("Computed from the timeline.");
    if (count > 1) lines << tr("%1 collectives share this pixel; this is the longest.").arg(formatCount(count));
    return lines.join(u'\n');
}

QString CollectiveCanvas::tipAt(const QPoint& at) {
    const auto place = placeAt(at);
    if (!place) return {};
    std::uint32_t count = 1;
    for (std::size_t lane = 0; lane < m_chart->laneCount(place->row); ++lane) {
        for (const CollectiveChart::Bar& bar : m_chart->bars(place->row, lane, m_window.range(), plotRect().width())) {
            if (bar.item == place->item) count = bar.count;
        }
    }
    return itemTip(*place, count);
}

void CollectiveCanvas::fillMenu(QMenu& menu, std::optional<QPoint> at) {
    if (const auto place = at ? placeAt(*at) : std::nullopt; place && place != m_selected) choose(place);
    if (m_selected) {
        const Place place = *m_selected;
        emit menuOpens(&menu, place);
        menu.addAction(tr("&Zoom to it"), this, [this, place, chart = m_chart] {
            // The menu may be open when another chart comes.
            if (chart != m_chart) return;
            const TimeRange own = m_chart->aligned(place.row, place.item);
            const DurationNs around{std::max<std::int64_t>(1, own.length().value / 4)};
            showRange({own.begin - around, own.end + around});
        });
    }
}

}  // namespace altiscope
