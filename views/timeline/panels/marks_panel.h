#pragma once

#include "core/session/marks.h"

#include <QTableWidget>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace altiscope {

class Selection;

/// All marks of the open captures as a list: names and notes are edited in place, Enter or a double click on a time
/// leads there, Delete removes, the menu colours and copies. GUI thread.
class MarksPanel : public QTableWidget {
    Q_OBJECT
public:
    /// All must outlive the panel.
    MarksPanel(Session& session, const Selection& selection, Marks& marks, QWidget* parent = nullptr);

    /// Has the name of a mark edited.
    /// @param place  In Marks::of(capture).
    void editName(CaptureId capture, std::size_t place);
    /// The menu of a mark.
    void openMenu(CaptureId capture, std::size_t place, QPoint globalPos);

signals:
    /// The panel is to be shown.
    void wanted();
    /// The timeline is to show a range of a capture, on its traces' clock.
    void rangeRequested(CaptureId capture, altiscope::TimeRange range);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    enum Column : int { Name, Begin, Length, Note, ColumnCount };
    struct Row {
        CaptureId capture;
        Mark mark;
        TimeNs origin;  ///< Time that its time counts from.
        bool operator==(const Row&) const = default;
    };

    void refresh();
    void take(QTableWidgetItem* item);
    void show(CaptureId capture, const Mark& mark);
    void showCell(int row, int column);
    void showRow(int row);
    std::optional<Row> rowOf(CaptureId capture, std::size_t place) const;
    void editRow(const Row& row);
    void openMenu(const Row& row, QPoint globalPos);
    void confirmClear(CaptureId capture);
    void copyRows() const;
    void retranslate();

    Session& m_session;
    const Selection& m_selection;
    Marks& m_marks;
    std::vector<Row> m_rows;
};

}  // namespace altiscope
