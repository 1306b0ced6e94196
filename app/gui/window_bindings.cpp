#include "app/gui/window_bindings.h"

#include "app/gui/user_settings.h"
#include "app/gui/window_actions.h"
#include "views/common/widgets/command_palette.h"

#include <QAbstractButton>
#include <QAction>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

QString textOf(const QKeySequence& key) { return key.toString(QKeySequence::NativeText); }

}  // namespace

WindowBindings::WindowBindings(WindowActions& actions, UserSettings& settings, QWidget& window, const KeyBindings& page,
                               QObject* parent)
    : KeyBindings(parent), m_actions(actions), m_settings(settings), m_window(window), m_page(page) {
    restore(settings.keys());
}

std::vector<KeyBinding> WindowBindings::bindings() const {
    std::vector<KeyBinding> all;
    for (const KeyedAction& keyed : m_actions.keyed()) {
        all.push_back(
            {.keys = textOf(keyed.action->shortcut()),
             .effect = withoutAccessKey(keyed.menu->text()) + u" › "_s + withoutAccessKey(keyed.action->text()),
             .isChanged = keyed.action->shortcut() != keyed.fresh});
    }
    return all;
}

QString WindowBindings::give(std::size_t binding, QKeyCombination key) {
    const QKeySequence wanted(key);
    const std::vector<KeyedAction>& all = m_actions.keyed();
    const auto isOurs = [&all](const QAction* action) {
        return std::any_of(all.begin(), all.end(), [action](const KeyedAction& one) { return one.action == action; });
    };
    // A dock's, say: two actions with one key would do nothing, both. Those of the timeline's list of commands are on
    // no widget: their keys belong to its canvas.
    const QString stays = tr("%1 stays the key of: %2");
    for (const QAction* action : m_window.findChildren<QAction*>()) {
        if (isOurs(action) || action->associatedObjects().isEmpty()) continue;
        if (action->shortcut() == wanted && action->shortcutContext() == Qt::WindowShortcut)
            return stays.arg(textOf(wanted), withoutAccessKey(action->text()));
    }
    for (const QAbstractButton* button : m_window.findChildren<QAbstractButton*>()) {
        // Those of dialogs count in these alone.
        if (button->window() == &m_window && button->shortcut() == wanted)
            return stays.arg(textOf(wanted), withoutAccessKey(button->text()));
    }
    const std::vector<KeyBinding> before = bindings();
    QString consequence;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i == binding || all[i].action->shortcut() != wanted) continue;
        consequence = tr("%1 no longer does: %2").arg(textOf(wanted), before[i].effect);
        all[i].action->setShortcut(QKeySequence());
    }
    take(binding, wanted);
    for (const KeyBinding& other : m_page.bindings()) {
        if (other.isFixed || !other.keys.split(u", "_s).contains(textOf(wanted))) continue;
        if (!consequence.isEmpty()) consequence += u' ';
        consequence += tr("On the timeline %1 still does: %2").arg(textOf(wanted), other.effect);
    }
    return consequence;
}

void WindowBindings::reset(std::size_t binding) {
    const std::vector<KeyedAction>& all = m_actions.keyed();
    const QKeySequence fresh = all.at(binding).fresh;
    for (const KeyedAction& other : all)
        if (!fresh.isEmpty() && other.action->shortcut() == fresh) other.action->setShortcut(QKeySequence());
    take(binding, fresh);
}

void WindowBindings::resetAll() {
    restore({});
    keep();
}

void WindowBindings::take(std::size_t binding, const QKeySequence& key) {
    m_actions.keyed().at(binding).action->setShortcut(key);
    keep();
}

void WindowBindings::restore(const QStringList& saved) {
    for (const KeyedAction& keyed : m_actions.keyed()) keyed.action->setShortcut(keyed.fresh);
    for (const QString& line : saved) {
        const QString name = line.section(u'=', 0, 0);
        const QKeySequence key(line.section(u'=', 1), QKeySequence::PortableText);
        for (const KeyedAction& keyed : m_actions.keyed()) {
            // A key that two lines give is the later one's; more than one combination is no key.
            if (keyed.name == name) keyed.action->setShortcut(key.count() == 1 ? key : QKeySequence());
            else if (key.count() == 1 && keyed.action->shortcut() == key) keyed.action->setShortcut(QKeySequence());
        }
    }
    m_actions.retranslate();
    emit changed();
}

void WindowBindings::keep() {
    QStringList lines;
    for (const KeyedAction& keyed : m_actions.keyed()) {
        if (keyed.action->shortcut() != keyed.fresh)
            lines << keyed.name + u'=' + keyed.action->shortcut().toString(QKeySequence::PortableText);
    }
    m_settings.setKeys(lines);
    // Tool tips name keys.
    m_actions.retranslate();
    emit changed();
}

}  // namespace altiscope
