#pragma once

#include "core/analysis/snapshot/block_uses.h"
#include "views/snapshot/data/loaded_snapshot.h"
#include "views/snapshot/data/snapshot_selection.h"

#include <QString>
#include <QTextBrowser>

#include <memory>
#include <optional>

namespace altiscope {

/// Description of a block, as HTML: its sizes, what allocated and released it with both call stacks, its neighbours in
/// the segment, and the uses of its address before and after it. Links are "block:N" and "event:N".
/// @param pool  A state in which it is there, for its neighbours; may be null.
/// @param uses  Its uses, if the history has any.
QString blockDetailsHtml(const LoadedSnapshot& snapshot, BlockNumber block, const PoolState* pool,
                         const std::optional<BlockUses>& uses = {});
/// Description of an entry of the history, as HTML.
QString eventDetailsHtml(const LoadedSnapshot& snapshot, EventNumber at);

/// Details of what is selected: the block, else the event. GUI thread.
class BlockDetails : public QTextBrowser {
    Q_OBJECT
public:
    BlockDetails(SnapshotSelection& selection, QWidget* parent = nullptr);

    void setSnapshot(std::shared_ptr<const LoadedSnapshot> snapshot);
    /// The state at the selected event.
    void setPool(std::shared_ptr<const PoolState> pool);
    /// Uses of the selected block.
    void setUses(const std::optional<BlockUses>& uses);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    SnapshotSelection& m_selection;
    std::shared_ptr<const LoadedSnapshot> m_snapshot;
    std::shared_ptr<const PoolState> m_pool;
    std::optional<BlockUses> m_uses;
};

/// Follows a link of the HTML above.
void followSnapshotLink(const QString& link, const LoadedSnapshot& snapshot, SnapshotSelection& selection);

}  // namespace altiscope
