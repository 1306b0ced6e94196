#pragma once

#include <QFont>

#include <functional>

class QWidget;

namespace altiscope {

/// Gives a widget a font that is made of the program's, now and whenever the user chooses another text size.
/// Takes the place of an earlier call for the widget. GUI thread.
/// @param make  By the program's font: scaledFont() or monospaceFont(), say.
void followTextSize(QWidget& widget, std::function<QFont(const QFont& body)> make);
QFont boldFont(const QFont& body);
/// `factor` times the size of other texts.
void followTextSize(QWidget& widget, double factor);

}  // namespace altiscope
