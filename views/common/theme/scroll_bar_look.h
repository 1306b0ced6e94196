#pragma once

#include <QRect>
#include <QStyle>

class QPainter;
class QStyleOptionSlider;

namespace altiscope {

/// Where a part of a scroll bar is, in the coordinates of `bar.rect`. A bar has no arrows: the handle runs along the
/// whole of it, its length is the share in sight (`pageStep` of the whole), but never too short to be taken.
QRect scrollBarPart(const QStyleOptionSlider& bar, QStyle::SubControl part);

/// The handle, darker than its ground on light pages and lighter on dark ones, stronger under the mouse. GUI thread.
void drawScrollBar(const QStyleOptionSlider& bar, QPainter& painter);

}  // namespace altiscope
