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
    return static_cast<int>(std::min<std::int64_t>(m_model.layout().pinnedHeight, m_height / 2));
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

std::vector<std::size_t> RowViewport::rowsInSight(int height) const {
    const RowLayout& layout = m_model.layout();
    std::vector<std::size_t> rows;
    const auto add = [&](std::size_t first, std::size_t behind) {
        for (; first < behind; ++first) rows.push_back(first);
    };
    const int pinned = pinnedView();
    if (pinned > 0)
        add(layout.rowAt(m_pinnedTop), std::min(layout.rowAt(m_pinnedTop + pinned - 1) + 1, layout.pinnedRows));
    if (layout.rows.size() == layout.pinnedRows) return rows;
    const std::int64_t top = layout.pinnedHeight + m_scrollTop;
    add(std::max(layout.rowAt(top), layout.pinnedRows), layout.rowAt(top + std::max(height - pinned, 0)) + 1);
    return rows;
}

void RowViewport::bringIntoSight(const TimelineRow& row, std::int64_t top, int height) {
    const auto [first, behind] = partOf(row);
    const std::int64_t y = yOf(row, top);
    if (y >= first && y + height <= behind) return;
    const std::int64_t to = top - (behind - first) / 2 + height;
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
