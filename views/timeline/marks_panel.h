#pragma once

#include "core/session/marks.h"

#include <QTableWidget>

#include <cstdint>
#include <utility>
#include <vector>

namespace altiscope {

/// All marks of the open captures as a list: names and notes are edited in place, Enter or a double click on a time leads there,
/// Delete removes, the menu colours and copies. GUI thread.
class MarksPanel : public QTableWidget {
    Q_OBJECT
public:
    /// All must outlive the panel.
    MarksPanel(Session& session, Marks& marks, QWidget* parent = nullptr);

signals:
    /// The timeline is to show a range of a capture, on its traces' clock.
    void rangeRequested(std::uint32_t capture, altiscope::TimeRange range);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    enum Column : int { Name, Begin, Length, Note, ColumnCount };
    using Place = std::pair<std::uint32_t, std::size_t>;  ///< Capture, and place in its marks.

    void refresh();
    void take(QTableWidgetItem* item);
    void show(int row);
    void remove(int row);
    void copyRows() const;
    void retranslate();
    const Mark& markOf(int row) const { return m_marks.of(m_places[static_cast<std::size_t>(row)].first)[m_places[static_cast<std::size_t>(row)].second]; }

    Session& m_session;
    Marks& m_marks;
    std::vector<Place> m_places;  ///< Of the rows.
};

} // namespace altiscope
