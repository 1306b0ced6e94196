#pragma once

#include <QProxyStyle>

namespace altiscope {

/// Fusion, whose fields can be seen on dark grounds too: it makes their frames darker than the window, which a dark page hides.
/// GUI thread.
class FieldStyle : public QProxyStyle {
    Q_OBJECT
public:
    FieldStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const override;
};

}  // namespace altiscope
