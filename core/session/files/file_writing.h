#pragma once

#include "core/base/cancel.h"
#include "core/base/pending_file.h"

#include <QByteArray>
#include <QString>

namespace altiscope {

/// Writes a file at once: complete, or not at all; then a file that was there stays as it was. See PendingFile. Any
/// thread.
/// @return Empty if it was written, else the system's reason, "No space left on device".
QString writeWholeFile(const QString& file, const QByteArray& content, PendingFile::Access access,
                       const CancelToken* cancel = nullptr);

}  // namespace altiscope
