#pragma once

#include "views/common/view_memory.h"

#include <QWidget>

#include <memory>

namespace altiscope {

class Session;
class TimelineScene;
class TimelineSelection;

/// The way of each task of the framework's queue from Python to the device, with its times: of the capture that is looked at, within the
/// context and the marked range. A row leads to its slices. Asks nothing while it is hidden. GUI thread.
class DispatchPanel : public QWidget {
    Q_OBJECT
public:
    DispatchPanel(Session& session, TimelineScene& scene, TimelineSelection& selection, const ViewMemory& memory, QWidget* parent = nullptr);
    ~DispatchPanel() override;

    bool idle() const;

signals:
    void becameIdle();

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

}  // namespace altiscope
