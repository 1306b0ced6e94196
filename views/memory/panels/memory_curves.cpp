#include "views/memory/panels/memory_curves.h"

#include "views/memory/canvas/curve_legend.h"
#include "views/memory/data/memory_base.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <utility>

namespace altiscope {

MemoryCurves::MemoryCurves(Session& session, CurveWindow& window, QWidget* parent)
    : Translated(parent),
      m_curves(new CurveCanvas(session, window, CurveCanvas::Values::Bytes, CurveCanvas::Axis::Time, this)),
      m_shares(new CurveCanvas(session, window, CurveCanvas::Values::Share, CurveCanvas::Axis::None, this)),
      m_sharesTitle(new QLabel(this)), m_baseNote(new QLabel(this)), m_legend(new CurveLegend(this)) {
    auto* plots = new QVBoxLayout;
    plots->setSpacing(0);
    m_baseNote->setContentsMargins(8, 0, 8, 0);
    m_baseNote->setTextFormat(Qt::PlainText);
    m_baseNote->hide();
    plots->addWidget(m_baseNote);
    plots->addWidget(m_curves, 3);
    m_sharesTitle->setContentsMargins(8, 0, 8, 0);
    plots->addWidget(m_sharesTitle);
    plots->addWidget(m_shares, 1);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->addLayout(plots, 1);
    row->addWidget(m_legend);
    setFocusProxy(m_curves);
    connect(m_legend, &CurveLegend::shownChanged, this, [this](int line, bool shown) {
        m_curves->setShown(static_cast<std::size_t>(line), shown);
        emit shownChanged();
    });
    for (CurveCanvas* canvas : {m_curves, m_shares}) {
        connect(canvas, &CurveCanvas::momentChosen, this, &MemoryCurves::momentChosen);
        connect(canvas, &CurveCanvas::rangeMarked, this, &MemoryCurves::marked);
        connect(canvas, &CurveCanvas::markedCleared, this, [this] { emit marked(std::nullopt); });
        connect(canvas, &CurveCanvas::menuOpens, this, &MemoryCurves::menuOpens);
    }
    retranslate();
}

void MemoryCurves::setLines(const MemorySeriesSet& set, MemoryGrouping grouping, const MemoryBase* base) {
    std::vector<CurveLine> lines = memoryLines(set, grouping);
    if (base != nullptr) lines = withBase(std::move(lines), memoryLines(base->set, grouping), base->shift);
    m_baseNote->setText(base == nullptr ? QString() : altiscope::baseNote(*base));
    m_baseNote->setVisible(base != nullptr);
    m_legend->setLines(lines);
    m_curves->setLines(lines);
    const std::vector<CurveLine> shares = fragmentationLines(set, grouping);
    m_shares->setLines(shares);
    m_hasShares = !shares.empty();
    showShares();
}

/// In a low window the curves need the height.
void MemoryCurves::showShares() {
    constexpr int kLowLines = 13;
    const bool isShown = m_hasShares && height() >= kLowLines * fontMetrics().height();
    m_shares->setVisible(isShown);
    m_sharesTitle->setVisible(isShown);
}

void MemoryCurves::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    showShares();
}

QString MemoryCurves::baseNote() const { return m_baseNote->text(); }

void MemoryCurves::setOverlay(CurveOverlay overlay, std::vector<CurvePoint> peaks) {
    m_shares->setOverlay(overlay);
    overlay.points = std::move(peaks);
    m_curves->setOverlay(std::move(overlay));
}

void MemoryCurves::retranslate() {
    m_sharesTitle->setText(tr("Unused share of what is reserved: (reserved - allocated) / reserved"));
    m_curves->setAccessibleName(tr("Memory over time"));
    m_shares->setAccessibleName(tr("Unused share over time"));
    m_legend->setAccessibleName(tr("Curves"));
}

}  // namespace altiscope
