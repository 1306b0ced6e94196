#pragma once

#include "core/analysis/kernels/call_sites.h"
#include "core/session/session.h"
#include "core/tables/rows/kernel_rows.h"
#include "views/common/support/view_memory.h"
#include "views/operators/operator_numbers.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>

class QLabel;
class QToolButton;

namespace altiscope {

class TablePanel;

/// The kernels of a group, or of all groups, with every column that was recorded, and where the current one was called
/// from. Read on workers while somebody looks. GUI thread.
class KernelList : public QWidget {
    Q_OBJECT
public:
    KernelList(Session& session, const ViewMemory& memory, QWidget* parent = nullptr);

    /// Null: nothing is shown. nullopt: the kernels of all groups.
    void setGroup(std::shared_ptr<const OperatorNumbers> numbers, std::optional<std::size_t> group);
    /// How much of the capture the rows are of.
    void setScope(const QString& scope);
    bool idle() const;
    TablePanel& table() { return *m_table; }
    const std::shared_ptr<const KernelRows>& rows() const { return m_rows; }
    /// Text on the current kernel's origin.
    QString origin() const;

signals:
    /// The timeline is to show it.
    void sliceRequested(altiscope::SliceRef slice);
    void placeRequested(RankIndex rank, altiscope::TimeRange range);
    void allRequested();
    /// The task of the queue that launched it is wanted.
    void dispatchRequested(altiscope::SliceRef kernel);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct ListResult {
        std::shared_ptr<const KernelIndex> index;  ///< Which kernels all are.
        std::shared_ptr<const KernelRows> all, shown;
    };
    void requestList();
    void take(ListResult result);
    void goTo(std::uint32_t row);
    void requestOrigin();
    void retranslate();

    JobSlot m_slot, m_originSlot;
    std::shared_ptr<const OperatorNumbers> m_numbers;
    std::optional<std::size_t> m_group;
    bool m_isStale = false;
    std::shared_ptr<const KernelIndex> m_allOf;  ///< Which kernels m_all are.
    std::shared_ptr<const KernelRows> m_all, m_rows;
    std::optional<CallSite> m_site;
    QString m_scope;
    QLabel* m_title;
    QToolButton* m_everything;
    QLabel* m_origin;
    TablePanel* m_table;
};

}  // namespace altiscope
