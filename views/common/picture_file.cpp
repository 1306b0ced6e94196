#include "views/common/picture_file.h"

#include "core/base/catalogue.h"
#include "core/session/session.h"
#include "views/common/formatters.h"
#include "views/common/save_question.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPainter>
#include <QPixmap>
#include <QSaveFile>
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
    if (const auto refused = session.refusedToWrite(file)) return toQString(errorText(*refused, catalogueLanguage()));
    // Looks whether the system lets it, and says why not.
    QSaveFile out(file);
    const auto failure = [&] {
        const Error error{"export.not_written", file.toStdString(), {}, {{"reason", out.errorString().toStdString()}}};
        return toQString(errorText(error, catalogueLanguage()));
    };
    if (!out.open(QIODevice::WriteOnly)) return failure();
    if (file.endsWith(u".svg"_s, Qt::CaseInsensitive)) {
        QSvgGenerator svg;
        svg.setOutputDevice(&out);
        svg.setSize(size);
        svg.setViewBox(QRect(QPoint(), size));
        if (!source.toPage(svg)) return failure();
    } else if (!source.toPixels(kPixelsOfPoint).save(&out, "PNG")) {
        return failure();
    }
    return out.commit() ? QString() : failure();
}

QString writePicture(const Session& session, const QString& file, QSize size, const std::function<void(QPainter&)>& paint) {
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

void askAndWritePicture(QWidget* parent, const std::function<QString(const QString& file)>& write) {
    const QString file = askWhereToSave(parent, PictureFile::tr("Save the picture"), parent->accessibleName(), u"PNG (*.png);;SVG (*.svg)"_s);
    if (file.isEmpty()) return;
    if (const QString problem = write(file); !problem.isEmpty()) QMessageBox::warning(parent, PictureFile::tr("Not saved"), problem);
}

}  // namespace altiscope
