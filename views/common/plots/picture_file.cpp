#include "views/common/plots/picture_file.h"

#include "core/session/files/file_writing.h"
#include "core/session/session.h"
#include "views/common/support/formatters.h"
#include "views/common/support/save_dialog.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QMessageBox>
#include <QPainter>
#include <QPixmap>
#include <QSvgGenerator>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct PictureFile {
    Q_DECLARE_TR_FUNCTIONS(altiscope::PictureFile)
};

constexpr int kPixelsOfPoint = 2;

}  // namespace

QString writePicture(const Session& session, const QString& file, QSize size, const PictureSource& source) {
    if (const auto refused = session.refusedToWrite(file)) return errorSentence(*refused);
    const auto failure = [&](const QString& reason) {
        const Error error{"export.not_written", file.toStdString(), {}, {{"reason", reason.toStdString()}}};
        return errorSentence(error);
    };
    QBuffer content;
    content.open(QIODevice::WriteOnly);
    bool isDrawn = false;
    if (file.endsWith(u".svg"_s, Qt::CaseInsensitive)) {
        QSvgGenerator svg;
        svg.setOutputDevice(&content);
        svg.setSize(size);
        svg.setViewBox(QRect(QPoint(), size));
        isDrawn = source.toPage(svg);
    } else {
        isDrawn = source.toPixels(kPixelsOfPoint).save(&content, "PNG");
    }
    if (!isDrawn) return failure(PictureFile::tr("the picture is too large"));
    const QString problem = writeWholeFile(file, content.data(), PendingFile::Access::Shared);
    return problem.isEmpty() ? QString() : failure(problem);
}

QString writePicture(const Session& session, const QString& file, QSize size,
                     const std::function<void(QPainter&)>& paint) {
    const auto toPage = [&paint](QPaintDevice& page) {
        QPainter painter(&page);
        if (painter.isActive()) paint(painter);
        return painter.end();
    };
    const auto toPixels = [&paint, size](int scale) {
        QPixmap picture(size * scale);
        picture.setDevicePixelRatio(scale);
        QPainter painter(&picture);
        paint(painter);
        return picture;
    };
    return writePicture(session, file, size, {.toPage = toPage, .toPixels = toPixels});
}

void savePictureAs(QWidget* parent, const std::function<QString(const QString& file)>& write) {
    const QString file = chooseSaveFile(parent, PictureFile::tr("Save the picture"), parent->accessibleName(),
                                        u"PNG (*.png);;SVG (*.svg)"_s);
    if (file.isEmpty()) return;
    if (const QString problem = write(file); !problem.isEmpty())
        QMessageBox::warning(parent, PictureFile::tr("Not saved"), problem);
}

}  // namespace altiscope
