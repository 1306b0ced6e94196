#pragma once

#include <QKeyCombination>
#include <QObject>
#include <QString>

#include <cstddef>
#include <vector>

namespace altiscope {

/// One thing that keys, or the mouse, do.
struct KeyBinding {
    QString keys;    ///< As the platform writes them; empty: none.
    QString effect;  ///< In the present language.
    bool isFixed = false;
    bool isChanged = false;  ///< Its keys are not those of a fresh installation.
};

/// Keys of one part of the program, to be shown and changed by KeyEditor. Who owns them keeps them. GUI thread.
class KeyBindings : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// In the order in which they are shown; only their members change.
    virtual std::vector<KeyBinding> bindings() const = 0;
    /// Gives a binding this key in place of all that it had. @return Consequences in words: who lost the key, or why it
    /// cannot be given; empty: none.
    virtual QString give(std::size_t binding, QKeyCombination key) = 0;
    /// Back to the keys of a fresh installation, also where another binding has got them.
    virtual void reset(std::size_t binding) = 0;
    virtual void resetAll() = 0;

signals:
    void changed();
};

}  // namespace altiscope
