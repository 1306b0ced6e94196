#include "views/common/theme/scroll_bar_look.h"

#include "views/common/theme/theme.h"

#include <QPainter>
#include <QStyleOptionSlider>

#include <algorithm>

namespace altiscope {

namespace {

constexpr int kShortest = 28;
constexpr qreal kHandleMargin = 3;
constexpr float kAtRest = 0.55F;

}  // namespace

QRect scrollBarPart(const QStyleOptionSlider& bar, QStyle::SubControl part) {
    const bool flat = bar.orientation == Qt::Horizontal;
    const int length = flat ? bar.rect.width() : bar.rect.height();
    const qint64 range = qint64{bar.maximum} - bar.minimum;
    const qint64 shown = range + bar.pageStep > 0 ? qint64{bar.pageStep} * length / (range + bar.pageStep) : length;
    const int handle = range <= 0 ? length : std::clamp(int(shown), std::min(kShortest, length), length);
    const int begin =
        QStyle::sliderPositionFromValue(bar.minimum, bar.maximum, bar.sliderPosition, length - handle, bar.upsideDown);

    const auto along = [&](int from, int size) {
        const QRect place = flat ? QRect(bar.rect.x() + from, bar.rect.y(), size, bar.rect.height())
                                 : QRect(bar.rect.x(), bar.rect.y() + from, bar.rect.width(), size);
        return QStyle::visualRect(flat ? bar.direction : Qt::LeftToRight, bar.rect, place);
    };
    switch (part) {
    case QStyle::SC_ScrollBarSlider: return along(begin, handle);
    case QStyle::SC_ScrollBarSubPage: return along(0, begin);
    case QStyle::SC_ScrollBarAddPage: return along(begin + handle, length - begin - handle);
    case QStyle::SC_ScrollBarGroove: return bar.rect;
    default: return {};
    }
}

void drawScrollBar(const QStyleOptionSlider& bar, QPainter& painter) {
    const Theme& theme = themeOf(bar.palette);
    painter.fillRect(bar.rect, theme.sunken);
    if (bar.maximum <= bar.minimum) return;

    const bool strong = bar.state & (QStyle::State_Sunken | QStyle::State_MouseOver) &&
                        bar.activeSubControls & QStyle::SC_ScrollBarSlider;
    QColor handle = theme.muted;
    if (!strong) handle.setAlphaF(kAtRest);
    const QRectF place = QRectF(scrollBarPart(bar, QStyle::SC_ScrollBarSlider))
                             .adjusted(kHandleMargin, kHandleMargin, -kHandleMargin, -kHandleMargin);
    const qreal radius = qMin(place.width(), place.height()) / 2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(handle);
    painter.drawRoundedRect(place, radius, radius);
    painter.restore();
}

}  // namespace altiscope
