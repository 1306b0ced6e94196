#pragma once

#include "core/session/job_runner.h"
#include "core/session/sql/sql_table.h"
#include "views/common/plots/plot_data.h"

#include <QWidget>

#include <cstddef>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

class QComboBox;
class QLabel;
class QMenu;
class QToolButton;

namespace altiscope {

class PlotView;
class Session;

/// Part of a result that is drawn, and how.
struct PlotChoice {
    enum class Kind : std::uint8_t { Bars, Lines, Histogram };
    Kind kind = Kind::Bars;
    std::optional<std::size_t> across;  ///< Column along the bottom; nullopt: rows in their order.
    std::vector<std::size_t> values;    ///< Columns of numbers; of bars and a histogram the first.
    bool operator==(const PlotChoice&) const = default;
};

/// Columns of numbers, those of a quantity first: numbers of ranks and ids come last.
std::vector<std::size_t> numberColumns(const TableSource& table);
/// Kind of plot that fits a result: lines over a time, bars of few rows with names, else a histogram. nullopt: nothing
/// can be drawn.
std::optional<PlotChoice> usualChoice(const TableSource& table);

using ResultPicture = std::variant<std::monostate, StackedBars, NumberLines, Histogram>;
/// Every row counts, whatever a filter shows; rows without a value are omitted.
/// @return std::monostate if there is no value, or if cancelled.
/// @note  Any thread. O(rows · log).
ResultPicture resultPicture(const std::shared_ptr<const SqlTable>& table, const PlotChoice& choice,
                            const CancelToken& cancel);

/// A result as a plot: bars, lines or a histogram of its columns of numbers. GUI thread; made on a worker.
class ResultPlot : public QWidget {
    Q_OBJECT
public:
    /// The session must outlive it.
    explicit ResultPlot(Session& session, QWidget* parent = nullptr);

    /// Null: nothing. The choice stays while the columns do.
    void setTable(std::shared_ptr<const SqlTable> table);
    const std::optional<PlotChoice>& choice() const { return m_choice; }
    void choose(PlotChoice choice);
    PlotView& plot() { return *m_plot; }
    const ResultPicture& shown() const { return m_shown; }
    bool idle() const { return !m_slot.busy(); }

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void fillBoxes();
    void fillValues();
    void draw();
    void retranslate();

    std::shared_ptr<const SqlTable> m_table;
    std::optional<PlotChoice> m_choice;
    ResultPicture m_shown;
    bool m_isStale = false;
    JobSlot m_slot;
    QLabel *m_kindLabel, *m_acrossLabel;
    QComboBox *m_kind, *m_across;
    QToolButton *m_values, *m_copy, *m_save;
    QMenu* m_valueMenu;
    PlotView* m_plot;
};

}  // namespace altiscope
