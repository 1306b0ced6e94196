#pragma once

#include "views/common/widgets/key_bindings.h"
#include "views/timeline/scene/timeline_scene.h"

namespace altiscope {

/// Keys of the timeline, which the scene keeps, and gestures of the mouse. GUI thread.
class TimelineBindings : public KeyBindings {
    Q_OBJECT
public:
    /// The scene must outlive it.
    explicit TimelineBindings(TimelineScene& scene, QObject* parent = nullptr);

    std::vector<KeyBinding> bindings() const override;
    QString give(std::size_t binding, QKeyCombination key) override;
    void reset(std::size_t binding) override;
    void resetAll() override;

private:
    TimelineScene& m_scene;
};

}  // namespace altiscope
