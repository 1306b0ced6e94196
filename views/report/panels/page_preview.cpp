#include "views/report/panels/page_preview.h"

#include "views/common/theme/theme.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

constexpr int kSheetGap = 12;
/// Wider ones would be larger than their letters need.
constexpr int kMaxWidth = 900;
/// Pages are kept that lie so near.
constexpr std::size_t kKeptAround = 3;

QImage drawnPage(const ReportPages& pages, std::size_t page, QSize pixels, double ratio) {
    QImage image(pixels, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.scale(pixels.width() / kPageSize.width(), pixels.height() / kPageSize.height());
    pages.paint(painter, page);
    painter.end();
    image.setDevicePixelRatio(ratio);
    return image;
}

}  // namespace

PagePreview::PagePreview(JobRunner& jobs, QWidget* parent) : QAbstractScrollArea(parent), m_slot(jobs) {
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
}

void PagePreview::setPages(std::shared_ptr<const ReportPages> pages) {
    m_slot.cancel();
    m_pages = std::move(pages);
    m_drawn.clear();
    layoutSheets();
}

QSize PagePreview::sheetSize() const {
    const int width = std::clamp(viewport()->width() - 2 * kSheetGap, 100, kMaxWidth);
    return {width, static_cast<int>(width * kPageSize.height() / kPageSize.width())};
}

int PagePreview::topOf(std::size_t page) const {
    return kSheetGap + static_cast<int>(page) * (sheetSize().height() + kSheetGap) - verticalScrollBar()->value();
}

std::pair<std::size_t, std::size_t> PagePreview::inSight() const {
    if (m_pages == nullptr) return {0, 0};
    const int step = sheetSize().height() + kSheetGap, top = verticalScrollBar()->value();
    const std::size_t count = m_pages->pages.size();
    return {std::min(count, static_cast<std::size_t>(std::max(0, (top - kSheetGap) / step))),
            std::min(count, static_cast<std::size_t>((top + viewport()->height()) / step + 1))};
}

void PagePreview::layoutSheets() {
    const int step = sheetSize().height() + kSheetGap;
    const int pages = m_pages == nullptr ? 0 : static_cast<int>(m_pages->pages.size());
    verticalScrollBar()->setRange(0, std::max(0, kSheetGap + pages * step - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(fontMetrics().height() * 3);
    viewport()->update();
    draw();
}

void PagePreview::draw() {
    const auto [first, last] = inSight();
    std::erase_if(m_drawn, [first = first, last = last](const auto& entry) {
        return entry.first + kKeptAround < first || entry.first > last + kKeptAround;
    });
    std::vector<std::size_t> wanted;
    for (std::size_t page = first; page < last; ++page)
        if (!m_drawn.contains(page)) wanted.push_back(page);
    if (wanted.empty()) return m_slot.cancel();
    const double ratio = devicePixelRatioF();
    using Drawn = std::map<std::size_t, QImage>;
    m_slot.start(
        [pages = m_pages, wanted, pixels = sheetSize() * ratio, ratio](const CancelToken& cancel) {
            Drawn drawn;
            for (const std::size_t page : wanted)
                if (!cancel.cancelled()) drawn[page] = drawnPage(*pages, page, pixels, ratio);
            return drawn;
        },
        [this](Drawn drawn) {
            m_drawn.merge(drawn);
            viewport()->update();
        });
}

void PagePreview::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    const Theme& theme = themeOf(palette());
    painter.fillRect(viewport()->rect(), theme.sunken);
    if (m_pages == nullptr) return;
    const QSize size = sheetSize();
    const int left = (viewport()->width() - size.width()) / 2;
    const auto [first, last] = inSight();
    for (std::size_t page = first; page < last; ++page) {
        const QRect sheet({left, topOf(page)}, size);
        const auto drawn = m_drawn.find(page);
        if (drawn == m_drawn.end()) painter.fillRect(sheet, Qt::white);
        else painter.drawImage(sheet, drawn->second);
        painter.setPen(theme.hairLine);
        painter.drawRect(sheet.adjusted(-1, -1, 0, 0));
    }
}

void PagePreview::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    m_drawn.clear();
    layoutSheets();
}

void PagePreview::scrollContentsBy(int, int) {
    viewport()->update();
    draw();
}

// Keys of Report, preview:
// - `Home`, `End`: Scroll to the first or the last page
void PagePreview::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Home) return verticalScrollBar()->setValue(0);
    if (event->key() == Qt::Key_End) return verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    QAbstractScrollArea::keyPressEvent(event);
}

void PagePreview::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) viewport()->update();
    QAbstractScrollArea::changeEvent(event);
}

}  // namespace altiscope
