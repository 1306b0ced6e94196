#pragma once

#include "core/analysis/snapshot/memory_shortage.h"
#include "core/session/job_runner.h"
#include "views/snapshot/data/loaded_snapshot.h"
#include "views/snapshot/data/snapshot_selection.h"

#include <QWidget>

#include <memory>
#include <optional>

class QComboBox;
class QTextBrowser;

namespace altiscope {

class Session;

/// Why there was no memory, as HTML: what was requested, what the pool had then, who had how much, and what would have
/// been enough as far as the pool proves it.
QString shortageHtml(const LoadedSnapshot& snapshot, const MemoryShortage& shortage);

/// The same of a failed request, of the peak, or of the selected event. GUI thread.
class ShortagePanel : public QWidget {
    Q_OBJECT
public:
    ShortagePanel(Session& session, SnapshotSelection& selection, QWidget* parent = nullptr);

    void setSnapshot(std::shared_ptr<const LoadedSnapshot> snapshot);
    bool idle() const { return !m_slot.busy(); }
    const std::optional<MemoryShortage>& shown() const { return m_shown; }

signals:
    /// The blocks of a call stack are to be listed.
    void stackRequested(std::uint32_t stack);

protected:
    void changeEvent(QEvent* event) override;

private:
    void fillMoments();
    void request();
    void show();

    SnapshotSelection& m_selection;
    std::shared_ptr<const LoadedSnapshot> m_snapshot;
    JobSlot m_slot;
    std::optional<MemoryShortage> m_shown;
    QComboBox* m_moments;
    QTextBrowser* m_text;
};

}  // namespace altiscope
