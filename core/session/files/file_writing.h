#pragma once

#include "core/base/files/pending_file.h"
#include "core/base/values/cancel.h"

#include <QByteArray>
#include <QString>

namespace altiscope {

/// Writes a file at once: complete, or not at all; then a file that was there stays as it was. See PendingFile. Any
/// thread.
/// @return Empty if it was written, else the system's reason, "No space left on device".
QString writeWholeFile(const QString& file, const QByteArray& content, PendingFile::Access access,
                       const CancelToken* cancel = nullptr);

}  // namespace altiscope
