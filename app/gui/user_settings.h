#pragma once

#include "views/common/support/view_memory.h"

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QVariant>

#include <cstdint>
#include <memory>

class QSettings;

namespace altiscope {

/// Settings that the window remembers from one run to the next: a file of the user, or nothing but memory where a run
/// must neither depend on former ones nor leave a trace. Nobody knows who wrote the file: lists are cut to kMaxListed
/// entries, and longer texts than kMaxBytes are as if they were not there. GUI thread.
class UserSettings {
public:
    static constexpr qsizetype kMaxListed = 10'000, kMaxBytes = qsizetype{1} << 20;
    static constexpr std::uint64_t kMaxFileBytes = std::uint64_t{8} << 20;

    /// @param file  Path of an INI file; empty, no ordinary file, or lying in a capture: kept in memory only. A file
    ///              above kMaxFileBytes is moved beside, to FILE.unread, and a new one begun.
    explicit UserSettings(const QString& file);
    ~UserSettings();

    /// $XDG_CONFIG_HOME/altiscope/altiscope.ini
    static QString defaultFile();

    /// Beside it: what the user has corrected in captures.
    static QString correctionsFile();
    /// And what they have marked.
    static QString marksFile();
    /// $XDG_DATA_HOME/altiscope/recovery: what was open, see WorkspaceRecovery.
    static QString recoveryFolder();

    /// At most kMaxRecent.
    QStringList recent() const;
    void setRecent(const QStringList& paths) { setValue(kRecent, paths); }
    QString theme() const { return value(kTheme).toString(); }
    void setTheme(const QString& name) { setValue(kTheme, name); }
    QString language() const { return value(kLanguage).toString(); }
    void setLanguage(const QString& name) { setValue(kLanguage, name); }
    /// In percent, see ThemeController::setTextSize(); 100 if nothing, or no number, is remembered.
    int textSize() const;
    void setTextSize(int percent) { setValue(kTextSize, percent); }
    /// Empty: the standard one.
    QString cacheFolder() const { return value(kCacheFolder).toString(); }
    void setCacheFolder(const QString& folder) { setValue(kCacheFolder, folder); }
    /// Bytes; 0: as in a fresh installation. Likewise of memory that captures may take unasked.
    quint64 cacheLimit() const { return value(kCacheLimit).toULongLong(); }
    void setCacheLimit(quint64 bytes) { setValue(kCacheLimit, bytes); }
    quint64 memoryLimit() const { return value(kMemoryLimit).toULongLong(); }
    void setMemoryLimit(quint64 bytes) { setValue(kMemoryLimit, bytes); }
    /// Keys of the menus' commands, see WindowBindings.
    QStringList keys() const { return value(kKeys).toStringList(); }
    void setKeys(const QStringList& lines) { setValue(kKeys, lines); }
    QByteArray geometry() const { return value(kGeometry).toByteArray(); }
    void setGeometry(const QByteArray& geometry) { setValue(kGeometry, geometry); }
    QByteArray layout() const { return value(kLayout).toByteArray(); }
    void setLayout(const QByteArray& layout) { setValue(kLayout, layout); }
    /// A value that a view remembers under a name of its own.
    QVariant viewValue(const QString& name) const { return value(viewKey(name).constData()); }
    void setViewValue(const QString& name, const QVariant& value) { setValue(viewKey(name).constData(), value); }
    /// The same for a view; must not outlive this.
    ViewMemory viewMemory() {
        return {[this](const QString& name) { return viewValue(name); },
                [this](const QString& name, const QVariant& value) { setViewValue(name, value); }};
    }

private:
    static QByteArray viewKey(const QString& name) { return "view/" + name.toLatin1(); }

    static constexpr const char* kRecent = "recent";
    static constexpr const char* kTheme = "theme";
    static constexpr const char* kLanguage = "language";
    static constexpr const char* kTextSize = "text_size";
    static constexpr const char* kCacheFolder = "cache/folder";
    static constexpr const char* kCacheLimit = "cache/limit";
    static constexpr const char* kMemoryLimit = "memory/limit";
    static constexpr const char* kKeys = "window/keys";
    static constexpr const char* kGeometry = "window/geometry";
    static constexpr const char* kLayout = "window/layout";

    QVariant value(const char* key) const;
    void setValue(const char* key, const QVariant& value);

    std::unique_ptr<QSettings> m_file;
    QVariantMap m_memory;
};

}  // namespace altiscope
