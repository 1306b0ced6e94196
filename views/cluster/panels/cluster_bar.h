#pragma once

#include "views/cluster/data/cluster_source.h"
#include "views/cluster/panels/rank_picture.h"
#include "views/common/support/view_memory.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace altiscope {

/// What colours the ranks, which dimensions are folded, and whose groups are framed. Remembered. GUI thread.
class ClusterBar : public QWidget {
    Q_OBJECT
public:
    explicit ClusterBar(const ViewMemory& memory, QWidget* parent = nullptr);

    /// What was chosen stays as far as there is such a choice. Null: no choices.
    void setChoices(std::shared_ptr<const ClusterSource> source, bool hasBase);
    RankPictureChoice choice() const;
    void setMetric(RankMetric metric);
    bool showsDifference() const;
    /// Sizes of the job that were typed; nullopt: what it states holds.
    const std::optional<ParallelSizes>& typedSizes() const { return m_typed; }
    /// Another capture is another job.
    void forgetSizes();
    /// Sizes that were typed for fewer ranks than the capture has by now hold no more, and why is said.
    /// @param minRanks  See minRanks() of the capture.
    void checkSizes(std::int64_t minRanks);
    QLineEdit& sizes() { return *m_sizes; }

signals:
    void changed();
    void sizesTyped();

protected:
    void changeEvent(QEvent* event) override;

private:
    void fill();
    void fillFolds();
    int firstMetric() const;
    void keep(const QComboBox& box, const QString& name);
    void retranslate();
    void readSizes();
    void showProblem(const QString& problem);

    ViewMemory m_memory;
    std::shared_ptr<const ClusterSource> m_source;
    bool m_hasBase = false;
    std::optional<ParallelSizes> m_typed;
    QLabel *m_metricLabel, *m_framesLabel, *m_sizesLabel, *m_problem;
    QLineEdit* m_sizes;
    QComboBox *m_metric, *m_difference, *m_foldBy, *m_frames;
    QToolButton* m_folds;
};

}  // namespace altiscope
