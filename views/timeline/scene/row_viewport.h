#pragma once

#include "views/timeline/rows/timeline_model.h"

#include <QObject>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace altiscope {

/// The part of the rows that stands on the canvas: how far they are scrolled, and where their heights are. Pinned rows
/// stand in a part of their own above the others, at most half of the canvas, which is scrolled by itself. Logical
/// pixels. GUI thread.
class RowViewport : public QObject {
    Q_OBJECT
public:
    /// The model must outlive it.
    explicit RowViewport(const TimelineModel& model, QObject* parent = nullptr) : QObject(parent), m_model(model) {}

    /// Of the canvas.
    void setHeight(int height);
    int height() const { return m_height; }

    /// Of the rows that are not pinned above the upper edge of their part; limited to what there is.
    std::int64_t scrollTop() const { return m_scrollTop; }
    void setScrollTop(std::int64_t top);
    std::int64_t maxScrollTop() const;
    /// Height of the part with the pinned rows.
    int pinnedView() const;
    std::int64_t pinnedTop() const { return m_pinnedTop; }
    void setPinnedTop(std::int64_t top);
    /// Scrolls the part that this y of the canvas lies in.
    void scrollBy(std::int64_t pixels, int y);

    /// Height in the rows (see TimelineRow::top) that stands at this y of the canvas.
    std::int64_t heightAt(int y) const {
        return y < pinnedView() ? y + m_pinnedTop : y - pinnedView() + m_model.layout().pinnedHeight + m_scrollTop;
    }
    /// Where a height of a row, or one below it, stands on the canvas; perhaps outside of it or of the row's part.
    std::int64_t yOf(const TimelineRow& row, std::int64_t height) const {
        return row.pinned ? height - m_pinnedTop : height - m_model.layout().pinnedHeight + pinnedView() - m_scrollTop;
    }
    /// The part of the canvas, [top, bottom), in which a row can be seen.
    std::pair<int, int> partOf(const TimelineRow& row) const {
        return row.pinned ? std::pair(0, pinnedView()) : std::pair(pinnedView(), m_height);
    }
    /// Places of the rows in sight on a canvas of this height: those that are pinned first.
    std::vector<std::size_t> rowsInSight(int height) const;
    /// Scrolls so that a part of a row is in sight; into the middle if it is not.
    void bringIntoSight(const TimelineRow& row, std::int64_t top, int height);

    /// The first row in sight that is not pinned, and how much of it is above.
    struct TopRow {
        RowKey key;
        std::int64_t offset = 0;
    };
    std::optional<TopRow> topRow() const;
    /// After rows have changed: puts that one back to where it was, if it is still there, and stays within what there
    /// is.
    void followRows(const std::optional<TopRow>& top);

signals:
    void scrolled();

private:
    const TimelineModel& m_model;
    std::int64_t m_scrollTop = 0, m_pinnedTop = 0;
    int m_height = 0;
};

}  // namespace altiscope
