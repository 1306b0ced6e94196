#pragma once

#include "core/analysis/snapshot/device_snapshot.h"

#include <QObject>

#include <optional>

namespace altiscope {

/// Selection in a snapshot: the same in all parts of the page. GUI thread.
class SnapshotSelection : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    BlockNumber block() const { return m_block; }
    EventNumber eventNumber() const { return m_event; }
    /// Entries that were marked with the mouse.
    const std::optional<EventRange>& marked() const { return m_marked; }

    void setBlock(BlockNumber block) {
        if (m_block == block) return;
        m_block = block;
        emit blockChanged();
    }
    void setEvent(EventNumber event) {
        if (m_event == event) return;
        m_event = event;
        emit eventChanged();
    }
    void setMarked(std::optional<EventRange> marked) {
        if (m_marked == marked) return;
        m_marked = marked;
        emit markedChanged();
    }
    /// For another snapshot: just an event is selected.
    void reset(EventNumber event) {
        m_block = kNoBlock;
        m_event = event;
        m_marked.reset();
        emit blockChanged();
        emit eventChanged();
        emit markedChanged();
    }

signals:
    void blockChanged();
    void eventChanged();
    void markedChanged();

private:
    BlockNumber m_block = kNoBlock;
    EventNumber m_event = kBeforeHistory;
    std::optional<EventRange> m_marked;
};

}  // namespace altiscope
