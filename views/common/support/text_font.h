#pragma once

#include <QFont>

#include <functional>

class QWidget;

namespace altiscope {

/// Gives a widget a font that is made of the program's, now and whenever the user chooses another text size.
/// @param make  By the program's font: scaledFont() or monospaceFont(), say.
/// GUI thread.
void followTextSize(QWidget& widget, std::function<QFont(const QFont& body)> make);
/// `factor` times the size of other texts.
void followTextSize(QWidget& widget, double factor);

}  // namespace altiscope
