#pragma once

#include "core/session/job_runner.h"
#include "views/common/support/translated.h"
#include "views/snapshot/data/loaded_snapshot.h"
#include "views/snapshot/data/snapshot_selection.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QLabel;
class QLineEdit;

namespace altiscope {

class Session;
class FrameCanvas;

/// Who has the memory, by call stack: at the selected event, at the peak, what is kept, or what was allocated at all.
/// GUI thread; sums are made on workers.
class StackPanel : public Translated<QWidget> {
    Q_OBJECT
public:
    enum class When : int { Selected, Peak, Kept, Churn };

    StackPanel(Session& session, SnapshotSelection& selection, QWidget* parent = nullptr);

    void setSnapshot(std::shared_ptr<const LoadedSnapshot> snapshot);
    void setWhen(When when);
    bool idle() const { return !m_slot.busy(); }
    FrameCanvas& canvas() { return *m_canvas; }

signals:
    void frameRequested(const QString& frame);

private:
    When when() const;
    void request();
    void retranslate() override;
    void showSums();

    SnapshotSelection& m_selection;
    std::shared_ptr<const LoadedSnapshot> m_snapshot;
    JobSlot m_slot;
    QComboBox* m_when;
    QLineEdit* m_search;
    QLabel* m_sum;
    FrameCanvas* m_canvas;
};

}  // namespace altiscope
