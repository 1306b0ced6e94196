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

QString writePicture(const Session& session, const QString& file, QSize size, const std::function<void(QPainter&)>& paint) {
    if (const auto refused = session.refusedToWrite(file)) return toQString(errorText(*refused, catalogueLanguage()));
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
        QPainter painter(&svg);
        if (!painter.isActive()) return failure();
        paint(painter);
        painter.end();
    } else {
        QPixmap picture(size * kPixelsOfPoint);
        picture.setDevicePixelRatio(kPixelsOfPoint);
        QPainter painter(&picture);
        paint(painter);
        painter.end();
        if (!picture.save(&out, "PNG")) return failure();
    }
    return out.commit() ? QString() : failure();
}

void askAndWritePicture(QWidget* parent, const std::function<QString(const QString& file)>& write) {
    const QString file = askWhereToSave(parent, PictureFile::tr("Save the picture"), parent->accessibleName(), u"PNG (*.png);;SVG (*.svg)"_s);
    if (file.isEmpty()) return;
    if (const QString problem = write(file); !problem.isEmpty()) QMessageBox::warning(parent, PictureFile::tr("Not saved"), problem);
}

}  // namespace altiscope
