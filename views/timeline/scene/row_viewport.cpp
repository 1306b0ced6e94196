#include "views/timeline/scene/row_viewport.h"

#include <algorithm>

namespace altiscope {

void RowViewport::setHeight(int height) {
    m_height = height;
    followRows(std::nullopt);
}

std::int64_t RowViewport::maxScrollTop() const {
    const RowLayout& layout = m_model.layout();
    return std::max<std::int64_t>(layout.height() - layout.pinnedHeight - (m_height - pinnedView()), 0);
}

int RowViewport::pinnedView() const {
    const RowLayout& layout = m_model.layout();
    // Evidence of four ranks is read as a whole on a small screen; of more, whole rows.
    if (layout.pinnedHeight <= std::int64_t{m_height} * 2 / 3) return static_cast<int>(layout.pinnedHeight);
    std::int64_t whole = 0;
    for (std::size_t row = 0; row < layout.pinnedRows; ++row) {
        const std::int64_t bottom = layout.rows[row].top + layout.rows[row].height;
        if (bottom > m_height / 2) break;
        whole = bottom;
    }
    return static_cast<int>(whole > 0 ? whole : m_height / 2);
}

void RowViewport::setPinnedTop(std::int64_t top) {
    const std::int64_t next = std::clamp<std::int64_t>(top, 0, m_model.layout().pinnedHeight - pinnedView());
    if (std::exchange(m_pinnedTop, next) != next) emit scrolled();
}

void RowViewport::setScrollTop(std::int64_t top) {
    const std::int64_t next = std::clamp<std::int64_t>(top, 0, maxScrollTop());
    if (std::exchange(m_scrollTop, next) != next) emit scrolled();
}

void RowViewport::scrollBy(std::int64_t pixels, int y) {
    if (y < pinnedView() && m_model.layout().pinnedHeight > pinnedView()) setPinnedTop(m_pinnedTop + pixels);
    else setScrollTop(m_scrollTop + pixels);
}

const std::vector<RowViewport::StuckRow>& RowViewport::stuckRows() const {
    const std::uint64_t revision = m_model.layout().revision;
    if (m_stuck.revision != revision || m_stuck.scrollTop != m_scrollTop || m_stuck.height != m_height) {
        m_stuck.revision = revision;
        m_stuck.scrollTop = m_scrollTop;
        m_stuck.height = m_height;
        findStuckRows();
    }
    return m_stuck.rows;
}

void RowViewport::findStuckRows() const {
    const RowLayout& layout = m_model.layout();
    m_stuck.rows.clear();
    m_stuck.bottom = pinnedView();
    if (m_scrollTop <= 0 || layout.rows.size() <= layout.pinnedRows) return;
    const std::int64_t base = layout.pinnedHeight + m_scrollTop;
    const int most = (m_height - pinnedView()) / 3;
    int used = 0;
    std::vector<std::size_t> groups;
    for (;;) {
        // What stands right below those that are stuck already says which further group it lies in.
        groups.clear();
        for (std::size_t row = layout.rowAt(base + used); row != TimelineRow::kNoRow; row = layout.rows[row].around) {
            if (layout.rows[row].kind < TimelineRowKind::Thread && layout.rows[row].expanded) groups.push_back(row);
        }
        if (groups.size() <= m_stuck.rows.size()) return;
        const std::size_t next = groups[groups.size() - 1 - m_stuck.rows.size()];
        const TimelineRow& group = layout.rows[next];
        const bool isWithin = m_stuck.rows.empty() || group.around == m_stuck.rows.back().row;
        if (!isWithin || group.pinned || group.top >= base + used || used + group.height > most) return;
        const auto left = static_cast<int>(std::min<std::int64_t>(group.end - base - group.height, used));
        m_stuck.rows.push_back({next, pinnedView() + left, group.height});
        m_stuck.bottom = std::max(m_stuck.bottom, pinnedView() + left + group.height);
        if (left < used) return;
        used += group.height;
    }
}

int RowViewport::contentTop() const {
    stuckRows();
    return m_stuck.bottom;
}

const RowViewport::StuckRow* RowViewport::stuckOf(const TimelineRow& row) const {
    for (const StuckRow& stuck : stuckRows()) {
        if (!row.pinned && m_model.rows()[stuck.row].top == row.top) return &stuck;
    }
    return nullptr;
}

bool RowViewport::isStuck(std::size_t row) const {
    const auto& rows = stuckRows();
    return std::any_of(rows.begin(), rows.end(), [row](const StuckRow& stuck) { return stuck.row == row; });
}

std::int64_t RowViewport::heightAt(int y) const {
    if (y < pinnedView()) return y + m_pinnedTop;
    for (const StuckRow& stuck : stuckRows()) {
        if (y >= stuck.y && y < stuck.y + stuck.height) return m_model.rows()[stuck.row].top + y - stuck.y;
    }
    return y - pinnedView() + m_model.layout().pinnedHeight + m_scrollTop;
}

std::int64_t RowViewport::yOf(const TimelineRow& row, std::int64_t height) const {
    if (row.pinned) return height - m_pinnedTop;
    if (row.kind < TimelineRowKind::Thread) {
        if (const StuckRow* stuck = stuckOf(row)) return stuck->y + height - row.top;
    }
    return naturalY(height);
}

std::pair<int, int> RowViewport::partOf(const TimelineRow& row) const {
    const StuckRow* stuck = row.kind < TimelineRowKind::Thread ? stuckOf(row) : nullptr;
    return stuck != nullptr ? std::pair(std::max(stuck->y, pinnedView()), stuck->y + stuck->height) : scrolledPart(row);
}

std::vector<std::size_t> RowViewport::rowsInSight(int height) const {
    const RowLayout& layout = m_model.layout();
    std::vector<std::size_t> rows;
    const auto add = [&](std::size_t first, std::size_t after) {
        for (; first < after; ++first) rows.push_back(first);
    };
    const int pinned = pinnedView();
    if (pinned > 0)
        add(layout.rowAt(m_pinnedTop), std::min(layout.rowAt(m_pinnedTop + pinned - 1) + 1, layout.pinnedRows));
    if (layout.rows.size() == layout.pinnedRows) return rows;
    const std::int64_t top = layout.pinnedHeight + m_scrollTop;
    add(std::max(layout.rowAt(top), layout.pinnedRows), layout.rowAt(top + std::max(height - pinned, 0)) + 1);
    const auto& stuck = stuckRows();
    if (stuck.empty()) return rows;
    std::erase_if(rows, [this](std::size_t row) { return isStuck(row); });
    for (auto row = stuck.rbegin(); row != stuck.rend(); ++row) rows.push_back(row->row);
    return rows;
}

void RowViewport::bringIntoSight(const TimelineRow& row, std::int64_t top, int height) {
    const auto [first, after] = partOf(row);
    const std::int64_t y = yOf(row, top);
    if (y >= first && y + height <= after) return;
    // Groups around it will stand above it.
    const std::int64_t to = top - (after - first) / 2 + height;
    if (row.pinned) setPinnedTop(to);
    else setScrollTop(to - m_model.layout().pinnedHeight);
}

std::optional<RowViewport::TopRow> RowViewport::topRow() const {
    const RowLayout& layout = m_model.layout();
    if (layout.rows.size() <= layout.pinnedRows) return std::nullopt;
    const std::int64_t at = layout.pinnedHeight + m_scrollTop;
    const TimelineRow& row = layout.rows[layout.rowAt(at)];
    return TopRow{m_model.sources().keyOf(row), at - row.top};
}

void RowViewport::followRows(const std::optional<TopRow>& top) {
    const RowLayout& layout = m_model.layout();
    for (std::size_t i = layout.pinnedRows; top && i < layout.rows.size(); ++i) {
        const TimelineRow& row = layout.rows[i];
        if (m_model.sources().keyOf(row) != top->key) continue;
        m_scrollTop = row.top - layout.pinnedHeight + top->offset;
        break;
    }
    setPinnedTop(m_pinnedTop);
    setScrollTop(m_scrollTop);
}

}  // namespace altiscope
