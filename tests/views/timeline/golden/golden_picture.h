#pragma once

#include <QColor>
#include <QDir>
#include <QImage>

#include <algorithm>
#include <cstdlib>

namespace altiscope::test {

/// Levels of a channel by which two blenders may round differently. Nobody sees them.
inline constexpr int kRounding = 2;

struct PictureDifference {
    qsizetype pixels = 0;  ///< That differ; all of them if the sizes do.
    QPoint first;          ///< From top to bottom.
    QImage shown;          ///< The second picture, pale, with red where it differs.
};

inline PictureDifference differenceOfPictures(const QImage& wanted, const QImage& found) {
    PictureDifference difference;
    difference.shown = found.convertToFormat(QImage::Format_RGB32);
    if (wanted.size() != found.size()) {
        difference.pixels = qsizetype{found.width()} * found.height();
        return difference;
    }
    for (int y = 0; y < found.height(); ++y) {
        for (int x = 0; x < found.width(); ++x) {
            const QRgb a = wanted.pixel(x, y), b = found.pixel(x, y);
            const int most =
                std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))});
            const auto pale = [](int level) { return 255 - (255 - level) / 4; };
            difference.shown.setPixel(
                x, y, most > kRounding ? qRgb(255, 0, 0) : qRgb(pale(qRed(b)), pale(qGreen(b)), pale(qBlue(b))));
            if (most <= kRounding) continue;
            if (difference.pixels++ == 0) difference.first = {x, y};
        }
    }
    return difference;
}

/// The golden pictures lie beside their test. With ALTI_NEW_GOLDEN set, new ones are written there.
inline QString goldenFile(const QString& name) {
    return QDir(qEnvironmentVariable("ALTI_SOURCE_DIR"))
        .filePath(QStringLiteral("tests/views/timeline/golden/") + name + QStringLiteral(".png"));
}

}  // namespace altiscope::test
