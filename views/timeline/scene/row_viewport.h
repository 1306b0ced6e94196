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
/// stand in a part of their own above the others, at most half of the canvas, which is scrolled by itself. Groups that
/// what is in sight lies in (its rank, its process) stay at the upper edge below them, and are pushed off by the next.
/// Logical pixels. GUI thread.
class RowViewport : public QObject {
    Q_OBJECT
public:
    /// The model must outlive it.
    explicit RowViewport(const TimelineModel& model, QObject* parent = nullptr) : QObject(parent), m_model(model) {}

    /// Height of the canvas.
    void setHeight(int height);
    int height() const { return m_height; }

    /// Height of the rows, not pinned, above the upper edge of their part; limited to what there is.
    std::int64_t scrollTop() const { return m_scrollTop; }
    void setScrollTop(std::int64_t top);
    std::int64_t maxScrollTop() const;
    /// Height of the part with the pinned rows.
    int pinnedView() const;
    std::int64_t pinnedTop() const { return m_pinnedTop; }
    void setPinnedTop(std::int64_t top);
    /// Scrolls the part that this y of the canvas lies in.
    void scrollBy(std::int64_t pixels, int y);

    /// A group whose own position is scrolled away and that is kept in sight.
    struct StuckRow {
        std::size_t row = 0;
        int y = 0;  ///< Its upper edge on the canvas.
        int height = 0;
    };
    /// Outermost first; one that is pushed off lies partly below those before it. They take at most a third of the
    /// canvas. O(levels * log rows) after a change, else O(1).
    const std::vector<StuckRow>& stuckRows() const;
    /// y below pinned and stuck rows: where rows that are scrolled come into sight.
    int contentTop() const;

    /// Height in the rows (see TimelineRow::top) that stands at this y of the canvas.
    std::int64_t heightAt(int y) const;
    /// Where a height of a row, or one below it, stands on the canvas; perhaps outside of it or of the row's part.
    std::int64_t yOf(const TimelineRow& row, std::int64_t height) const;
    /// The part of the canvas, [top, bottom), in which a row can be seen.
    std::pair<int, int> partOf(const TimelineRow& row) const;
    /// The part that its siblings are scrolled in.
    std::pair<int, int> scrolledPart(const TimelineRow& row) const {
        return row.pinned ? std::pair(0, pinnedView()) : std::pair(contentTop(), m_height);
    }
    /// Numbers of the rows in sight on a canvas of this height: those that are pinned first, stuck ones last, the
    /// innermost before those around it.
    std::vector<std::size_t> rowsInSight(int height) const;
    bool isStuck(std::size_t row) const;
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
    std::int64_t naturalY(std::int64_t height) const {
        return height - m_model.layout().pinnedHeight + pinnedView() - m_scrollTop;
    }
    const StuckRow* stuckOf(const TimelineRow& row) const;
    void findStuckRows() const;

    const TimelineModel& m_model;
    std::int64_t m_scrollTop = 0, m_pinnedTop = 0;
    int m_height = 0;

    struct Stuck {
        std::vector<StuckRow> rows;
        int bottom = 0;
        // State that they were found for.
        std::uint64_t revision = 0;
        std::int64_t scrollTop = -1;
        int height = -1;
    };
    mutable Stuck m_stuck;
};

}  // namespace altiscope
