#pragma once

#include "views/common/support/translated.h"
#include "views/common/support/view_memory.h"
#include "views/memory/data/memory_lines.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QToolButton;

namespace altiscope {

struct CaptureStore;

/// The settings of the memory page: rank, which curves, from 0 or not, linked with the timeline or not. All but the
/// rank are remembered. GUI thread.
class MemoryBar : public Translated<QWidget> {
    Q_OBJECT
public:
    explicit MemoryBar(const ViewMemory& memory, QWidget* parent = nullptr);

    /// The chosen one stays if it is among them, else the first one is taken.
    void setRanks(const CaptureStore& store, const std::vector<RankIndex>& ranks);
    /// None can be chosen; which one was is known for the next setRanks().
    void clearRanks();
    void forgetRank() { m_rank.reset(); }
    /// The next setRanks() takes that one, if it is among them.
    void chooseRank(RankIndex rank) { m_rank = rank; }
    std::optional<RankIndex> rank() const { return m_rank; }
    MemoryGrouping grouping() const;
    bool fromZero() const;
    bool isLinked() const;
    /// Says that only a part of the time is shown, with the way to all of it; empty: all is shown.
    void setPart(const QString& part);

signals:
    void rankChosen();
    void groupingChosen();
    void fromZeroToggled(bool fromZero);
    void allRequested();

private:
    void retranslate() override;

    ViewMemory m_memory;
    std::optional<RankIndex> m_rank;
    QComboBox *m_ranks, *m_group;
    QCheckBox *m_fromZero, *m_linked;
    QLabel *m_rankLabel, *m_groupLabel, *m_part;
    QToolButton* m_all;
    QString m_partText;
};

}  // namespace altiscope
