#pragma once

#include <QString>

class QWidget;

namespace altiscope {

/// `file` with the ending of `filter` ("SVG (*.svg)") if it has none of its own.
QString withEndingOf(const QString& file, const QString& filter);

/// Name that is proposed for something called `about`: without what file systems or shells would stumble over.
QString fileNameFor(const QString& about);

/// Asks where to save something called `about`; `filters` are those of QFileDialog. Proposes a name in a folder that
/// exists, and puts the ending of the chosen filter to a name without one. Empty if the user thought better of it. GUI
/// thread; runs a dialog.
QString chooseSaveFile(QWidget* parent, const QString& title, const QString& about, const QString& filters);

}  // namespace altiscope
