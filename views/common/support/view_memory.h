#pragma once

#include <QString>
#include <QVariant>

#include <functional>

namespace altiscope {

/// Values that views remember from one run to the next, by names such as "table/steps". The owner of the settings fills
/// it in; empty functions remember nothing.
struct ViewMemory {
    std::function<QVariant(const QString& name)> load;
    std::function<void(const QString& name, const QVariant& value)> save;

    QVariant value(const QString& name) const { return load ? load(name) : QVariant(); }
    void setValue(const QString& name, const QVariant& value) const {
        if (save) save(name, value);
    }
};

}  // namespace altiscope
