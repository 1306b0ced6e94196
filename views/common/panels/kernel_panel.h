#pragma once

#include "views/common/support/view_memory.h"

#include <QWidget>

#include <cstdint>
#include <memory>

namespace altiscope {

class Selection;
class Session;

/// Every kernel of a capture with every column that was recorded, as the SQL table `kernel` has them; within the ranks,
/// steps and times of the context, and the marked range. A row selects its slice and has views bring it into sight;
/// a kernel's slice that is selected elsewhere becomes the current row. Read on workers while somebody looks. GUI
/// thread.
class KernelPanel : public QWidget {
    Q_OBJECT
public:
    /// All must outlive the panel.
    KernelPanel(Session& session, Selection& selection, const ViewMemory& memory, QWidget* parent = nullptr);
    ~KernelPanel() override;

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
