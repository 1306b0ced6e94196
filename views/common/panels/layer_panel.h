#pragma once

#include "views/common/support/view_memory.h"

#include <QWidget>

#include <cstdint>
#include <memory>

namespace altiscope {

class Selection;
class Session;

/// Sums by name of a layer (Python, CANN, streams of the NPU, collectives, ...), and memory copies by
/// stream and direction; beside them the slices of the chosen row. Within the ranks, steps and times of the context,
/// and the marked range. A slice's row selects it and has views bring it into sight; a slice that is selected
/// elsewhere is found in the tables. Computed on workers while somebody looks; the newest request wins. GUI thread.
class LayerPanel : public QWidget {
    Q_OBJECT
public:
    /// All must outlive the panel.
    LayerPanel(Session& session, Selection& selection, const ViewMemory& memory, QWidget* parent = nullptr);
    ~LayerPanel() override;

    bool idle() const;

signals:
    /// A row was opened: what it stands for is selected and wants to be seen.
    void sliceOpened();

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

}  // namespace altiscope
