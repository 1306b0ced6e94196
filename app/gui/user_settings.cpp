#include "app/gui/user_settings.h"

#include "core/session/files/write_guard.h"
#include "views/common/theme/theme_controller.h"
#include "views/common/widgets/recent_list.h"

#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// Whether a file can be read, or made, as settings; one that is too large goes out of the way.
bool isUsable(const QString& file) {
    const QFileInfo about(file);
    if (file.isEmpty() || liesInProfilerFolder(QFile::encodeName(file).toStdString())) return false;
    if (!about.exists()) return true;
    // A pipe would be waited for, for ever.
    if (!about.isFile()) return false;
    return static_cast<std::uint64_t>(about.size()) <= UserSettings::kMaxFileBytes ||
           QFile::rename(file, file + u".unread"_s);
}

/// The part of a remembered value that is believed.
QVariant boundedValue(QVariant value) {
    if (value.metaType().id() == QMetaType::QStringList && value.toStringList().size() > UserSettings::kMaxListed)
        return value.toStringList().first(UserSettings::kMaxListed);
    if (value.metaType().id() == QMetaType::QVariantList && value.toList().size() > UserSettings::kMaxListed)
        return value.toList().first(UserSettings::kMaxListed);
    const bool isTooLong =
        (value.metaType().id() == QMetaType::QString && value.toString().size() > UserSettings::kMaxBytes) ||
        (value.metaType().id() == QMetaType::QByteArray && value.toByteArray().size() > UserSettings::kMaxBytes);
    return isTooLong ? QVariant() : value;
}

}  // namespace

UserSettings::UserSettings(const QString& file)
    : m_file(isUsable(file) ? std::make_unique<QSettings>(file, QSettings::IniFormat) : nullptr) {}

UserSettings::~UserSettings() = default;

QStringList UserSettings::recent() const {
    const QStringList list = value(kRecent).toStringList();
    return list.first(std::min<qsizetype>(list.size(), kMaxRecent));
}

int UserSettings::textSize() const {
    const int percent = value(kTextSize).toInt();
    return percent == 0 ? ThemeController::kUsualTextSize : percent;
}

namespace {

QString configFile(const QString& name) {
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/altiscope/"_s + name;
}

}  // namespace

QString UserSettings::defaultFile() { return configFile(u"altiscope.ini"_s); }

QString UserSettings::correctionsFile() { return configFile(u"corrections.json"_s); }
QString UserSettings::marksFile() { return configFile(u"marks.json"_s); }

QString UserSettings::recoveryFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + u"/altiscope/recovery"_s;
}

QVariant UserSettings::value(const char* key) const {
    const QString name = QString::fromLatin1(key);
    return boundedValue(m_file ? m_file->value(name) : m_memory.value(name));
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
