#pragma once

#include "core/analysis/kernels/overall_metrics.h"
#include "core/session/session.h"
#include "core/tables/scope/rank_windows.h"
#include "views/common/support/view_memory.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace altiscope {

class TablePanel;

/// Where the time of the devices went, as a tree: computing by what it was for, exposed communication by group in
/// waits and transit, and free time; beside it the kernels, collectives or gaps of a line, which lead to the timeline.
/// Computed on workers while somebody looks. GUI thread.
class OverallPanel : public QWidget {
    Q_OBJECT
public:
    /// So many of a line's kernels are listed at most, the longest ones.
    static constexpr std::size_t kMaxListed = 100'000;

    OverallPanel(Session& session, const ViewMemory& memory, QWidget* parent = nullptr);

    /// nullopt: nothing is shown.
    void setScope(std::optional<Scope> scope);
    bool idle() const;

    const std::optional<OverallMetrics>& metrics() const { return m_metrics; }
    QTreeWidget& lines() { return *m_lines; }
    TablePanel& instances() { return *m_instances; }
    /// Lists what a line consists of.
    void chooseLine(std::size_t line);
    QString sentence() const;

signals:
    void sliceRequested(altiscope::SliceId slice);
    void placeRequested(RankIndex rank, altiscope::TimeRange range);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void setUp();
    void request();
    void take(std::optional<OverallMetrics> metrics);
    void showLines();
    void goTo(std::uint32_t row);
    void copyLines() const;
    void retranslate();

    JobSlot m_slot, m_listSlot;
    std::optional<Scope> m_scope;
    bool m_isStale = false;
    std::optional<OverallMetrics> m_metrics;
    std::optional<std::size_t> m_line;
    OverallInstances m_listed;
    QLabel* m_sentence;
    QTreeWidget* m_lines;
    TablePanel* m_instances;
};

/// How a line reads: "Flash attention", "Backward", "Group dp0", "Wait".
QString overallTitle(const OverallLine& line);
/// Result of the job in it.
QString overallFormula(const OverallLine& line);

}  // namespace altiscope
