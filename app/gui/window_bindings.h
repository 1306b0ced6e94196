#pragma once

#include "views/common/widgets/key_bindings.h"

#include <QStringList>

#include <vector>

class QWidget;

namespace altiscope {

class UserSettings;
class WindowActions;

/// Keys of the commands of the menus, remembered where they are not those of a fresh installation: "open_file=Ctrl+K".
/// GUI thread.
class WindowBindings : public KeyBindings {
    Q_OBJECT
public:
    /// Gives the commands the keys that are remembered. All must outlive it.
    /// @param page  Keys of the page that come before those of the window while it has the focus.
    WindowBindings(WindowActions& actions, UserSettings& settings, QWidget& window, const KeyBindings& page,
                   QObject* parent = nullptr);

    std::vector<KeyBinding> bindings() const override;
    QString give(std::size_t binding, QKeyCombination key) override;
    void reset(std::size_t binding) override;
    void resetAll() override;

private:
    void restore(const QStringList& saved);
    void keep();
    void take(std::size_t binding, const QKeySequence& key);

    WindowActions& m_actions;
    UserSettings& m_settings;
    QWidget& m_window;
    const KeyBindings& m_page;
};

}  // namespace altiscope
