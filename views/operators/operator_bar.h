#pragma once

#include "views/common/support/translated.h"
#include "views/common/support/view_memory.h"
#include "views/operators/operator_numbers.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QSpinBox;

namespace altiscope {

/// The settings of the operators page: rank, grouping, what parts groups further, how many are drawn, and whether the
/// marked time alone counts. All but the rank are remembered. GUI thread.
class OperatorBar : public Translated<QWidget> {
    Q_OBJECT
public:
    OperatorBar(const ViewMemory& memory, QWidget* parent = nullptr);

    /// Those of the capture among `ranks`; the chosen one stays if it is among them.
    void setRanks(const CaptureStore& store, const std::vector<RankIndex>& ranks);
    void setMarked(bool isMarked);

    std::optional<RankIndex> rank() const;  ///< nullopt: all.
    void forgetRank();
    OperatorGrouping grouping() const;
    /// As if chosen, but not remembered.
    void setGrouping(KernelGrouping grouping);
    /// Restores what is remembered, without a signal.
    void restoreGrouping();
    std::size_t most() const;  ///< 0: all.
    bool onlyMarked() const;

signals:
    void scopeChanged();
    void groupingChanged();
    void mostChanged();

private:
    void retranslate() override;

    ViewMemory m_memory;
    QLabel *m_rankLabel, *m_groupLabel, *m_splitLabel, *m_mostLabel;
    QComboBox *m_ranks, *m_group, *m_split;
    QSpinBox* m_most;
    QCheckBox* m_onlyMarked;
};

/// "By type": how a grouping reads in the bar.
QString groupingTitle(KernelGrouping grouping);

}  // namespace altiscope
