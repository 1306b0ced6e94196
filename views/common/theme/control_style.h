#pragma once

#include <QProxyStyle>

namespace altiscope {

/// Fusion, but for what cannot be made out in it: frames of fields and lists on dark grounds (it makes them darker than
/// the window), handles of scroll bars on light ones (they look like the ground; see scroll_bar_look.h), and icons of
/// selected rows where keys do not go (it gives them the ink of the accent's ground), and icons on buttons of dialogs
/// (black on dark grounds, and not of our set: there are none). GUI thread.
class ControlStyle : public QProxyStyle {
    Q_OBJECT
public:
    ControlStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* more) const override;
};

}  // namespace altiscope
