#pragma once

#include "core/base/values/ids.h"
#include "views/common/support/view_memory.h"

#include <QWidget>

#include <memory>
#include <string>

namespace altiscope {

class Session;
class TimelineScene;
class TimelineSelection;

/// Statistics of the chosen tracks and the marked range: sums in words, tables by name, track and rank, the slices
/// themselves, and how long they are. Computed on workers when somebody looks at it; the newest request wins. GUI
/// thread.
class SelectionPanel : public QWidget {
    Q_OBJECT
public:
    /// All must outlive the panel.
    SelectionPanel(Session& session, TimelineScene& scene, TimelineSelection& selection, const ViewMemory& memory,
                   QWidget* parent = nullptr);
    ~SelectionPanel() override;

    /// Lists all slices of a capture that have this name, in all tracks and at all times, until something else is
    /// selected.
    void listLike(CaptureId capture, const std::string& name);

    /// No request is under way.
    bool idle() const;

signals:
    void becameIdle();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

}  // namespace altiscope
