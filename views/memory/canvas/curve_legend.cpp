#include "views/memory/canvas/curve_legend.h"

#include "views/common/theme/mark_colour.h"
#include "views/common/theme/theme.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace altiscope {

namespace {

constexpr int kMaxChars = 44;

}  // namespace

CurveLegend::CurveLegend(QWidget* parent) : QListWidget(parent) {
    setFrameShape(QFrame::NoFrame);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTextElideMode(Qt::ElideMiddle);
    setUniformItemSizes(true);
    connect(this, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
        if (!m_filling) emit shownChanged(row(item), item->checkState() == Qt::Checked);
    });
}

void CurveLegend::setLines(const std::vector<CurveLine>& lines) {
    m_filling = true;
    clear();
    m_hues.clear();
    m_dashed.clear();
    for (const CurveLine& line : lines) {
        auto* item = new QListWidgetItem(line.name, this);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(line.shown ? Qt::Checked : Qt::Unchecked);
        item->setToolTip(line.name);
        m_hues.push_back(line.hue);
        m_dashed.push_back(line.isBase);
    }
    colour();
    m_filling = false;
    // As wide as its names, as far as these leave room for the curves.
    const int most = fontMetrics().averageCharWidth() * kMaxChars;
    setFixedWidth(
        std::clamp(sizeHintForColumn(0) + 2 * frameWidth() + fontMetrics().averageCharWidth(), most / 2, most));
}

void CurveLegend::colour() {
    m_filling = true;
    const Theme& theme = themeOf(palette());
    const int size = fontMetrics().height();
    setIconSize({size, size});
    for (int i = 0; i < count(); ++i) {
        QPixmap sample(QSize(size, size) * devicePixelRatioF());
        sample.setDevicePixelRatio(devicePixelRatioF());
        sample.fill(Qt::transparent);
        QPainter painter(&sample);
        const auto line = static_cast<std::size_t>(i);
        const double part = m_dashed[line] ? size / 5.0 : size;
        for (double left = 0; left < size; left += 2 * part)
            painter.fillRect(QRectF(left, size / 2.0 - 1.5, part, 3), markColour(m_hues[line], theme));
        item(i)->setIcon(QIcon(sample));
    }
    m_filling = false;
}

void CurveLegend::changeEvent(QEvent* event) {
    QListWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) colour();
}

}  // namespace altiscope
