#pragma once

#include <QIcon>
#include <QString>

namespace altiscope {

/// Which colour of the theme an icon is drawn in.
enum class IconTone : unsigned char { Text, Muted, Accent, Ok, Warning, Error };

/// An outline icon of resources/icons by its name without ending, e.g. u"rank". Drawn from SVG at the size and scale
/// that is requested, in the colours of the application's palette at that moment: it follows a change of the theme by
/// itself. An unknown name gives an empty picture. GUI thread.
QIcon themedIcon(const QString& name, IconTone tone = IconTone::Text);

}  // namespace altiscope
