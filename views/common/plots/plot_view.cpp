#include "views/common/plots/plot_view.h"

#include "core/session/session.h"
#include "views/common/plots/picture_file.h"
#include "views/common/support/formatters.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QRubberBand>
#include <QToolTip>
#include <QVBoxLayout>

#include "views/common/plots/plot_library.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

PlotView::PlotView(Session& session, QWidget* parent)
    : GestureCanvas(parent), m_session(session), m_plot(new QCustomPlot(this)),
      m_dragBox(new QRubberBand(QRubberBand::Rectangle, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 4, 4, 4);
    column->addWidget(m_plot);
    setUp();
}

PlotView::~PlotView() = default;

void PlotView::setUp() {
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->installEventFilter(this);
    // The legend stands below the plot, where it hides nothing.
    m_plot->setAutoAddPlottableToLegend(true);
    auto* row = new QCPLayoutGrid;
    m_plot->plotLayout()->addElement(1, 0, row);
    row->addElement(0, 0, m_plot->legend);
    row->setMargins({});
    m_plot->plotLayout()->setRowStretchFactor(1, 0.001);
    m_plot->legend->setFillOrder(QCPLegend::foColumnsFirst);
    // Else the legend's lines would give way in a low window, one onto the other.
    m_plot->axisRect()->setMinimumSize(50, fontMetrics().height());
}

void PlotView::show(StackedBars bars) {
    m_content = std::move(bars);
    showNew();
}

void PlotView::show(EnvelopeLine line) {
    m_content = std::move(line);
    showNew();
}

void PlotView::show(NumberLines lines) {
    m_content = std::move(lines);
    showNew();
}

void PlotView::show(HeatMap map) {
    m_content = std::move(map);
    showNew();
}

void PlotView::show(Histogram histogram) {
    m_content = std::move(histogram);
    showNew();
}

void PlotView::show(BoxPlot boxes) {
    m_content = std::move(boxes);
    showNew();
}

void PlotView::setRanges(std::vector<PlotRange> ranges) {
    if (m_ranges == ranges) return;
    m_ranges = std::move(ranges);
    rebuild();
}

void PlotView::showNothing(const QString& reason) {
    m_content = std::monostate();
    m_nothing = reason;
    rebuild();
}

std::size_t PlotView::pointCount() const {
    if (const auto* bars = std::get_if<StackedBars>(&m_content)) return static_cast<std::size_t>(bars->labels.size());
    if (const auto* line = std::get_if<EnvelopeLine>(&m_content)) return static_cast<std::size_t>(line->labels.size());
    if (const auto* lines = std::get_if<NumberLines>(&m_content)) return lines->places.size();
    if (const auto* map = std::get_if<HeatMap>(&m_content)) return static_cast<std::size_t>(map->columns.size());
    if (const auto* histogram = std::get_if<Histogram>(&m_content)) return histogram->counts.size();
    if (const auto* boxes = std::get_if<BoxPlot>(&m_content)) return boxes->boxes.size();
    return 0;
}

/// Ends of the bottom axis when all is shown.
std::pair<double, double> PlotView::wholeAxis() const {
    const auto* lines = std::get_if<NumberLines>(&m_content);
    if (lines == nullptr) return {-0.5, std::max(1.0, static_cast<double>(pointCount())) - 0.5};
    if (lines->places.empty()) return {0, 1};
    const double low = lines->places.front(), high = lines->places.back();
    const double margin = high > low ? (high - low) * 0.01 : 0.5;
    return {low - margin, high + margin};
}

void PlotView::showNew() {
    m_history.clear();
    showAxis(wholeAxis());
}

void PlotView::showAxis(const Ends& ends) {
    m_plot->xAxis->setRange(ends.first, ends.second);
    rebuild();
}

std::pair<std::size_t, std::size_t> PlotView::inSight() const {
    const QCPRange range = m_plot->xAxis->range();
    const auto count = static_cast<double>(pointCount());
    if (const auto* lines = std::get_if<NumberLines>(&m_content)) {
        // With one beside each end: lines go on to there.
        const auto& places = lines->places;
        const auto from = std::lower_bound(places.begin(), places.end(), range.lower);
        const auto to = std::upper_bound(from, places.end(), range.upper);
        return {static_cast<std::size_t>(from - places.begin()) - (from == places.begin() ? 0 : 1),
                static_cast<std::size_t>(to - places.begin()) + (to == places.end() ? 0 : 1)};
    }
    const double first = std::clamp(std::floor(range.lower + 0.5), 0.0, count),
                 last = std::clamp(std::ceil(range.upper + 0.5), first, count);
    return {static_cast<std::size_t>(first), static_cast<std::size_t>(last)};
}

void PlotView::layOut() {
    // The library lays out when it paints; what is built before would go by the size that was painted last.
    if (!m_plot->size().isEmpty()) m_plot->setViewport(m_plot->rect());
    for (const auto phase : {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
        m_plot->plotLayout()->update(phase);
}

void PlotView::rebuild() {
    // How much fits depends on the room for labels and legend, which depends on what is drawn.
    constexpr int kMaxPasses = 3;
    layOut();
    for (int pass = 0; pass < kMaxPasses; ++pass) {
        const QSize room = m_plot->axisRect()->size();
        buildContent();
        layOut();
        if (m_plot->axisRect()->size() == room) break;
    }
    m_isStale = true;
    // A hidden plot has no size to be painted at.
    if (m_plot->isVisible()) m_plot->update();
}

void PlotView::buildContent() {
    m_plot->clearPlottables();
    m_plot->clearItems();
    for (int i = m_plot->plotLayout()->elementCount() - 1; i >= 0; --i) {
        if (auto* scale = qobject_cast<QCPColorScale*>(m_plot->plotLayout()->elementAt(i)))
            m_plot->plotLayout()->remove(scale);
    }
    m_plot->plotLayout()->simplify();
    m_folds.clear();
    applyStyle();
    if (const auto* bars = std::get_if<StackedBars>(&m_content)) buildBars(*bars);
    if (const auto* line = std::get_if<EnvelopeLine>(&m_content)) buildLine(*line);
    if (const auto* lines = std::get_if<NumberLines>(&m_content)) buildNumbers(*lines);
    if (const auto* map = std::get_if<HeatMap>(&m_content)) buildHeat(*map);
    if (const auto* histogram = std::get_if<Histogram>(&m_content)) buildHistogram(*histogram);
    if (const auto* boxes = std::get_if<BoxPlot>(&m_content)) buildBoxes(*boxes);
    const bool empty = std::holds_alternative<std::monostate>(m_content);
    if (!empty) buildRanges();
    constexpr int kLowLines = 12;
    if (m_plot->height() < kLowLines * fontMetrics().height()) m_plot->xAxis->setLabel({});
    // Not the rectangle: what is drawn in a hidden one is hidden too.
    for (QCPAxis* axis : m_plot->axisRect()->axes()) {
        if (axis == m_plot->xAxis || axis == m_plot->yAxis) axis->setVisible(!empty);
    }
    if (empty) {
        auto* text = new QCPItemText(m_plot);
        text->position->setType(QCPItemPosition::ptViewportRatio);
        text->position->setCoords(0.5, 0.5);
        text->setText(m_nothing);
        text->setTextAlignment(Qt::AlignCenter);
        text->setColor(themeOf(palette()).muted);
        text->setFont(font());
        text->setClipToAxisRect(false);
    }
}

void PlotView::applyStyle() {
    const Theme& theme = themeOf(palette());
    m_plot->setBackground(QBrush(theme.background));
    const QFont small = scaledFont(font(), 0.9);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setBasePen(QPen(theme.hairLine));
        axis->setTickPen(QPen(theme.hairLine));
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLength(0, 4);
        axis->setTickLabelColor(theme.muted);
        axis->setLabelColor(theme.muted);
        axis->setTickLabelFont(small);
        axis->setLabelFont(small);
        axis->grid()->setPen(QPen(theme.hairLine, 0));
        axis->grid()->setZeroLinePen(QPen(theme.hairLine, 0));
    }
    m_plot->xAxis->grid()->setVisible(false);
    m_plot->legend->setVisible(false);
    m_plot->legend->setBrush(theme.background);
    m_plot->legend->setBorderPen(Qt::NoPen);
    m_plot->legend->setTextColor(theme.text);
    m_plot->legend->setFont(small);
}

// --- what the user does -------------------------------------------------------------------------------------------

QRect PlotView::plotRect() const { return m_plot->axisRect()->rect().translated(m_plot->pos()); }

PlotView::Ends PlotView::shownAxis() const { return {m_plot->xAxis->range().lower, m_plot->xAxis->range().upper}; }

void PlotView::zoomAt(const QPointF& at, double factor, HistoryMark mark) {
    m_history.remember(shownAxis(), mark);
    const QCPRange range = m_plot->xAxis->range();
    const auto [low, high] = wholeAxis();
    const bool isByNumber = std::holds_alternative<NumberLines>(m_content);
    constexpr double kDeepest = 1e-6;
    const double all = high - low, centre = m_plot->xAxis->pixelToCoord(at.x() - m_plot->x());
    const double size = std::clamp(range.size() * factor, isByNumber ? all * kDeepest : std::min(4.0, all), all);
    const double lower = centre - (centre - range.lower) * size / range.size();
    showAxis({lower, lower + size});
}

void PlotView::panBy(double across, double /*down*/, HistoryMark mark) {
    m_history.remember(shownAxis(), mark);
    const auto [low, high] = shownAxis();
    const double by = (high - low) * across;
    showAxis({low + by, high + by});
}

PlotView::PanTo PlotView::beginPan() {
    return [this, before = shownAxis()](const QPoint& moved, HistoryMark mark) {
        m_history.remember(shownAxis(), mark);
        const double by = (before.second - before.first) * moved.x() / std::max(1, plotRect().width());
        showAxis({before.first - by, before.second - by});
    };
}

void PlotView::showAll() {
    m_history.remember(shownAxis(), HistoryMark::NewStep);
    showAxis(wholeAxis());
}

void PlotView::showPrevious() { showAxis(m_history.previous(shownAxis())); }

void PlotView::showNext() { showAxis(m_history.next(shownAxis())); }

void PlotView::dragChanged() {
    m_dragBox->setGeometry(dragBox());
    m_dragBox->setVisible(dragKind() == Drag::Box);
}

bool PlotView::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_plot) return GestureCanvas::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::Resize:
        // The library would paint at once, into nothing.
        if (m_plot->size().isEmpty()) return true;
        [[fallthrough]];
    // At once: the first frame must not show what fitted before.
    case QEvent::Show: rebuild(); break;
    case QEvent::Paint:
        if (std::exchange(m_isStale, false)) m_plot->replot(QCustomPlot::rpQueuedRefresh);
        break;
    default: break;
    }
    return false;
}

QString PlotView::tipAt(const QPoint& at) const {
    const double x = std::floor(m_plot->xAxis->pixelToCoord(at.x()) + 0.5);
    QString tip;
    const auto* numbers = std::get_if<NumberLines>(&m_content);
    if (numbers != nullptr && m_plot->axisRect()->rect().contains(at))
        tip = numbersTip(*numbers, m_plot->xAxis->pixelToCoord(at.x()));
    else if (m_plot->axisRect()->rect().contains(at) && x >= 0 && x < static_cast<double>(pointCount())) {
        const auto place = static_cast<std::size_t>(x);
        if (const auto* map = std::get_if<HeatMap>(&m_content)) {
            const double y = std::floor(m_plot->yAxis->pixelToCoord(at.y()) + 0.5);
            if (map->tip && y >= 0 && y < static_cast<double>(map->rows.size()))
                tip = map->tip(static_cast<std::size_t>(y), place);
        }
        const auto fold = std::find_if(m_folds.begin(), m_folds.end(),
                                       [place](const auto& f) { return place >= f.first && place < f.second; });
        if (fold != m_folds.end()) {
            const std::size_t last = std::min(fold->second, pointCount());
            if (const auto* bars = std::get_if<StackedBars>(&m_content); bars != nullptr && bars->tip)
                tip = bars->tip(fold->first, last);
            if (const auto* line = std::get_if<EnvelopeLine>(&m_content); line != nullptr && line->tip)
                tip = line->tip(fold->first, last);
            if (const auto* histogram = std::get_if<Histogram>(&m_content); histogram != nullptr && histogram->tip)
                tip = histogram->tip(fold->first, last);
            if (const auto* boxes = std::get_if<BoxPlot>(&m_content); boxes != nullptr && boxes->tip)
                tip = boxes->tip(boxes->shownOf(fold->first, last), fold->first, last);
        }
    }
    if (m_plot->axisRect()->rect().contains(at)) {
        constexpr double kReachPx = 3;
        const double place = m_plot->xAxis->pixelToCoord(at.x()),
                     reach = std::abs(m_plot->xAxis->pixelToCoord(at.x() + kReachPx) - place);
        if (const QString ranges = rangesAt(place, reach); !ranges.isEmpty())
            tip += (tip.isEmpty() ? QString() : u"\n\n"_s) + ranges;
    }
    return tip;
}

void PlotView::hoverAt(const QPoint& at, const QPoint& global) {
    QToolTip::showText(global, tipAt(at - m_plot->pos()), this);
}

void PlotView::clickAt(const QPoint& pressed) {
    const QPoint at = pressed - m_plot->pos();
    const double x = std::floor(m_plot->xAxis->pixelToCoord(at.x()) + 0.5),
                 y = std::floor(m_plot->yAxis->pixelToCoord(at.y()) + 0.5);
    if (std::holds_alternative<NumberLines>(m_content)) return;
    if (!m_plot->axisRect()->rect().contains(at) || x < 0 || x >= static_cast<double>(pointCount())) return;
    emit clicked(static_cast<std::size_t>(x), y < 0 ? 0 : static_cast<std::size_t>(y));
}

void PlotView::copyPicture() { QApplication::clipboard()->setPixmap(m_plot->toPixmap(0, 0, 2)); }

QString PlotView::savePicture(const QString& file) {
    const auto toPage = [this](QPaintDevice& page) {
        QCPPainter painter;
        if (!painter.begin(&page)) return false;
        painter.setMode(QCPPainter::pmVectorized);
        m_plot->toPainter(&painter, m_plot->width(), m_plot->height());
        return painter.end();
    };
    const auto toPixels = [this](int scale) { return m_plot->toPixmap(m_plot->width(), m_plot->height(), scale); };
    return writePicture(m_session, file, m_plot->size(), {.toPage = toPage, .toPixels = toPixels});
}

void PlotView::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(tr("Show all"), this, &PlotView::showAll)->setShortcut(Qt::CTRL | Qt::Key_0);
    menu.addAction(tr("Back to the previous view"), this, &PlotView::showPrevious)->setShortcut(Qt::Key_Backspace);
    menu.addAction(tr("Copy the picture"), this, &PlotView::copyPicture);
    menu.addAction(tr("Save the picture…"), this,
                   [this] { savePictureAs(this, [this](const QString& file) { return savePicture(file); }); });
    menu.exec(event->globalPos());
}

void PlotView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) rebuild();
    GestureCanvas::changeEvent(event);
}

}  // namespace altiscope
