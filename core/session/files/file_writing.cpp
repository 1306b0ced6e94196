#include "core/session/files/file_writing.h"

#include <QFile>

namespace altiscope {

QString writeWholeFile(const QString& file, const QByteArray& content, PendingFile::Access access,
                       const CancelToken* cancel) {
    PendingFile out(QFile::encodeName(file).toStdString(), access, cancel);
    const bool isWritten =
        out.opened() && out.write({content.constData(), static_cast<std::size_t>(content.size())}) && out.keep();
    return isWritten ? QString() : QString::fromStdString(out.problem());
}

}  // namespace altiscope
