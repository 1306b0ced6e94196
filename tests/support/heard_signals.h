#pragma once

#include <QMetaMethod>
#include <QObject>
#include <QStringList>

namespace altiscope::test {

/// Signals of an object that nobody listens to, by name. @param from  The class with whose signals it begins: those of
/// its base classes are not looked at.
inline QStringList unheardSignals(const QObject& object, const QMetaObject& from) {
    struct Opened : QObject {
        using QObject::isSignalConnected;
    };
    constexpr auto kIsConnected = &Opened::isSignalConnected;
    QStringList unheard;
    for (int i = from.methodOffset(); i < object.metaObject()->methodCount(); ++i) {
        const QMetaMethod method = object.metaObject()->method(i);
        if (method.methodType() == QMetaMethod::Signal && !(object.*kIsConnected)(method))
            unheard << QString::fromLatin1(method.name());
    }
    return unheard;
}

}  // namespace altiscope::test
