#include "views/timeline/page/timeline_bindings.h"

#include <algorithm>

namespace altiscope {

namespace {

QString textOf(QKeyCombination key) { return QKeySequence(key).toString(QKeySequence::NativeText); }

}  // namespace

TimelineBindings::TimelineBindings(TimelineScene& scene, QObject* parent) : KeyBindings(parent), m_scene(scene) {
    connect(&scene, &TimelineScene::keysChanged, this, &KeyBindings::changed);
}

std::vector<KeyBinding> TimelineBindings::bindings() const {
    std::vector<KeyBinding> all;
    for (const TimelineAction action : allTimelineActions()) {
        const std::vector<TimelineKey> own = keysOfAction(m_scene.keys(), action);
        QStringList texts;
        for (const TimelineKey& key : own) texts << textOf(QKeyCombination(key.modifiers, key.key));
        all.push_back({.keys = texts.join(QStringLiteral(", ")),
                       .effect = describeAction(action),
                       .isChanged = own != keysOfAction(defaultTimelineKeys(), action)});
    }
    for (const TimelineGesture& gesture : timelineGestures())
        all.push_back({.keys = gesture.gesture, .effect = gesture.effect, .isFixed = true});
    return all;
}

QString TimelineBindings::give(std::size_t binding, QKeyCombination key) {
    const TimelineAction action = allTimelineActions().at(binding);
    QString consequence;
    for (const TimelineKey& other : m_scene.keys()) {
        if (other.action != action && QKeyCombination(other.modifiers, other.key) == key)
            consequence = tr("%1 no longer does: %2").arg(textOf(key), describeAction(other.action));
    }
    m_scene.setKeys(withKey(m_scene.keys(), action, key.key(), key.keyboardModifiers()));
    return consequence;
}

void TimelineBindings::reset(std::size_t binding) {
    m_scene.setKeys(withDefaultKeys(m_scene.keys(), allTimelineActions().at(binding)));
}

void TimelineBindings::resetAll() { m_scene.setKeys(defaultTimelineKeys()); }

}  // namespace altiscope
