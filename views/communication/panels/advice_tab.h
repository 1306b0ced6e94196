#pragma once

#include "core/analysis/communication/transfer_advice.h"
#include "core/session/job_runner.h"
#include "views/common/support/view_memory.h"
#include "views/communication/data/communication_times.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <vector>

class QLabel;

namespace altiscope {

class Session;
class TablePanel;

/// Advice on the transfers of each rank: alignment, small packets, lost packets, contention; a row for each
/// with its values, and below the table what it means, or what could not be judged. A row leads to its worst
/// collective. GUI thread; looked for on a worker while the tab is in sight.
class AdviceTab : public QWidget {
    Q_OBJECT
public:
    AdviceTab(Session& session, const ViewMemory& memory, QWidget* parent = nullptr);

    /// Null: nothing.
    void show(std::shared_ptr<const CommunicationTimes> times);
    bool idle() const;
    TablePanel& table() { return *m_table; }
    const std::vector<TransferAdvice>& advice() const { return m_advices.found; }
    /// Text below the table.
    QString detail() const;

signals:
    /// @param row, item  Of CommunicationTimes::set.
    void collectiveWanted(std::size_t row, std::uint32_t item);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void read();
    void take();
    void showCurrent();

    std::shared_ptr<const CommunicationTimes> m_times;
    TransferAdvices m_advices;  ///< By row of the table.
    bool m_isStale = false, m_isKnown = false;
    JobSlot m_slot;
    TablePanel* m_table;
    QLabel* m_detail;
};

}  // namespace altiscope
