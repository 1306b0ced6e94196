#include "views/common/theme/control_style.h"

#include "views/common/theme/scroll_bar_look.h"
#include "views/common/theme/theme.h"

#include <QAbstractScrollArea>
#include <QPainter>
#include <QPlainTextEdit>
#include <QStyleOptionComplex>
#include <QStyleOptionViewItem>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// As Fusion rounds its own.
constexpr qreal kRadius = 2;

void frame(const QStyleOption& option, QPainter& painter) {
    const Theme& theme = themeOf(option.palette);
    if (!theme.dark || option.state & QStyle::State_HasFocus) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(option.state & QStyle::State_Enabled ? theme.muted : theme.hairLine);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
    painter.restore();
}

/// The frame of texts and lists with several lines; those that can be written into look like fields.
void areaFrame(const QStyleOption& option, QPainter& painter, const QWidget& area) {
    const Theme& theme = themeOf(option.palette);
    if (!theme.dark) return;
    const auto* editor = qobject_cast<const QPlainTextEdit*>(&area);
    const bool isField = editor != nullptr && !editor->isReadOnly();
    painter.save();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(!isField ? theme.hairLine : area.hasFocus() ? theme.accent : theme.muted);
    painter.drawRect(option.rect.adjusted(0, 0, -1, -1));
    painter.restore();
}

}  // namespace

ControlStyle::ControlStyle() : QProxyStyle(u"Fusion"_s) {}

void ControlStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                 const QWidget* widget) const {
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element == PE_FrameLineEdit || element == PE_IndicatorCheckBox) frame(*option, *painter);
    const bool isArea = element == PE_Frame && qobject_cast<const QAbstractScrollArea*>(widget) != nullptr;
    if (isArea) areaFrame(*option, *painter, *widget);
}

void ControlStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
    const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option);
    const bool isQuiet = element == CE_ItemViewItem && item != nullptr && !item->icon.isNull() &&
                         (item->state & State_Selected) && !(item->state & State_Active);
    if (!isQuiet) return QProxyStyle::drawControl(element, option, painter, widget);
    QStyleOptionViewItem shown(*item);
    const QPixmap picture = item->icon.pixmap(item->decorationSize, painter->device()->devicePixelRatio());
    shown.icon = QIcon(picture);
    shown.icon.addPixmap(picture, QIcon::Selected);
    QProxyStyle::drawControl(element, &shown, painter, widget);
}

void ControlStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                      const QWidget* widget) const {
    if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
        bar != nullptr && control == CC_ScrollBar) {
        drawScrollBar(*bar, *painter);
        return;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    // The button of a combo box with a field covers a part of the field's frame.
    const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
    if (control == CC_SpinBox || (combo != nullptr && combo->editable && combo->frame)) frame(*option, *painter);
}

QRect ControlStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                                   const QWidget* widget) const {
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (bar != nullptr && control == CC_ScrollBar) return scrollBarPart(*bar, part);
    return QProxyStyle::subControlRect(control, option, part, widget);
}

int ControlStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                            QStyleHintReturn* more) const {
    if (hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;
    return QProxyStyle::styleHint(hint, option, widget, more);
}

}  // namespace altiscope
