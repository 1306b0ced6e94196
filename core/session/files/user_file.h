#pragma once

#include <QJsonObject>
#include <QString>

#include <functional>

namespace altiscope {

// A small JSON file of the user's, in the folder of settings, that several windows may read and write. Any thread.

/// The content; empty if there is no such file, its name is empty, it is no ordinary file or larger than 16 MiB, or it
/// cannot be understood.
QJsonObject readUserFile(const QString& file);

/// Reads it, changes it and writes it whole or not at all, as others may have written meanwhile. A file that cannot be
/// understood is moved beside as FILE.unread. Nothing happens if the name is empty.
/// @return False if it cannot be written, or kept, or would lie in a capture; then `change` may not have been called.
bool changeUserFile(const QString& file, const std::function<void(QJsonObject&)>& change);

}  // namespace altiscope
