#pragma once

#include "core/analysis/kernels/call_sites.h"
#include "core/session/session.h"
#include "views/common/support/translated.h"
#include "views/common/support/view_memory.h"
#include "views/operators/operator_numbers.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>

class QLabel;

namespace altiscope {

class TablePanel;

/// Where the kernels of a group, or of all groups, were called from, the most time first. Followed on workers while
/// somebody looks. GUI thread.
class CallSitePanel : public Translated<QWidget> {
    Q_OBJECT
public:
    /// So many kernels are followed at most; some us each.
    static constexpr std::uint64_t kMaxFollowed = 50'000;

    CallSitePanel(Session& session, const ViewMemory& memory, QWidget* parent = nullptr);

    /// Null: nothing is shown. nullopt: the kernels of all groups.
    void setGroup(std::shared_ptr<const OperatorNumbers> numbers, std::optional<std::size_t> group);
    bool idle() const;
    TablePanel& table() { return *m_table; }
    const std::optional<CallSites>& sites() const { return m_sites; }
    QString sentence() const;

signals:
    void sliceRequested(altiscope::SliceRef slice);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void request();
    void take(std::optional<CallSites> sites);
    void goTo(std::uint32_t row, bool isCaller);
    void retranslate() override;

    JobSlot m_slot;
    std::shared_ptr<const OperatorNumbers> m_numbers;
    std::optional<std::size_t> m_group;
    bool m_isStale = false;
    std::optional<CallSites> m_sites;
    QLabel* m_sentence;
    TablePanel* m_table;
};

}  // namespace altiscope
