#include "app/gui/user_settings.h"

#include <QSettings>
#include <QStandardPaths>

namespace altiscope {

using namespace Qt::StringLiterals;

UserSettings::UserSettings(const QString& file)
    : m_file(file.isEmpty() ? nullptr : std::make_unique<QSettings>(file, QSettings::IniFormat)) {}

UserSettings::~UserSettings() = default;

namespace {

QString configFile(const QString& name) {
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/altiscope/"_s + name;
}

}  // namespace

QString UserSettings::defaultFile() { return configFile(u"altiscope.ini"_s); }

QString UserSettings::correctionsFile() { return configFile(u"corrections.json"_s); }
QString UserSettings::marksFile() { return configFile(u"marks.json"_s); }

QVariant UserSettings::value(const char* key) const {
    const QString name = QString::fromLatin1(key);
    return m_file ? m_file->value(name) : m_memory.value(name);
}

void UserSettings::setValue(const char* key, const QVariant& value) {
    const QString name = QString::fromLatin1(key);
    if (m_file) {
        m_file->setValue(name, value);
    } else {
        m_memory.insert(name, value);
    }
}

}  // namespace altiscope
