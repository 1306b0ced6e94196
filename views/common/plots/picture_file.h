#pragma once

#include <QPixmap>
#include <QSize>
#include <QString>

#include <functional>

class QPaintDevice;
class QPainter;
class QWidget;

namespace altiscope {

class Session;

/// Writes what `paint` draws on a page of a size as PNG (of twice as many pixels) or SVG, by the ending of the name.
/// GUI thread.
/// @return Why there is none; empty if it was written. Nothing is written into an open capture.
QString writePicture(const Session& session, const QString& file, QSize size,
                     const std::function<void(QPainter&)>& paint);

/// How something that draws itself does so. Both are called at once, if at all.
struct PictureSource {
    std::function<bool(QPaintDevice& page)> toPage;  ///< False if that could not be drawn on.
    std::function<QPixmap(int scale)> toPixels;      ///< With so many times as many pixels.
};
QString writePicture(const Session& session, const QString& file, QSize size, const PictureSource& source);

/// Asks for a file, calls `write` with it, and reports what that says.
void savePictureAs(QWidget* parent, const std::function<QString(const QString& file)>& write);

}  // namespace altiscope
