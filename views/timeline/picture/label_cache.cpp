#include "views/timeline/picture/label_cache.h"

#include "core/base/text/text.h"
#include "views/common/support/formatters.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace altiscope {

void LabelCache::setFont(const QFont& font, double devicePixelRatio) {
    if (font == m_font && devicePixelRatio == m_ratio) return;
    m_font = font;
    // Coverage has one value a pixel, so colour fringes cannot be kept.
    m_font.setStyleStrategy(QFont::NoSubpixelAntialias);
    m_ratio = devicePixelRatio;
    m_height = static_cast<int>(std::ceil(QFontMetricsF(m_font).height() * m_ratio));
    clear();
}

void LabelCache::beginFrame() {
    if (m_bytes <= kMaxCacheBytes) return;
    clear();
}

void LabelCache::clear() {
    m_images.clear();
    m_bytes = 0;
    m_ellipsis = nullptr;
}

const LabelImage* LabelCache::find(std::string_view text) const {
    const auto known = m_images.find(text.substr(0, utf8Prefix(text, kMaxBytes)));
    return known == m_images.end() ? nullptr : &known->second;
}

const LabelImage& LabelCache::ellipsis() {
    if (m_ellipsis == nullptr) m_ellipsis = &image("\u2026");
    return *m_ellipsis;
}

const LabelImage& LabelCache::image(std::string_view text) {
    if (const LabelImage* known = find(text)) return *known;
    text = text.substr(0, utf8Prefix(text, kMaxBytes));
    LabelImage image = draw(text);
    m_bytes += image.coverage.size() + image.stops.size() * sizeof(std::uint16_t) + text.size();
    return m_images.emplace(std::string(text), std::move(image)).first->second;
}

LabelImage LabelCache::draw(std::string_view text) {
    QString shown = toQString(text);
    for (QChar& c : shown) {
        if (!c.isPrint()) c = u' ';
    }
    QTextLayout layout(shown, m_font);
    layout.setCacheEnabled(true);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    layout.endLayout();

    LabelImage image;
    image.height = m_height;
    if (!line.isValid()) return image;
    image.width = static_cast<int>(std::ceil(line.naturalTextWidth() * m_ratio)) + 1;
    for (int i = layout.nextCursorPosition(0); i > 0 && i <= shown.size();) {
        image.stops.push_back(
            static_cast<std::uint16_t>(std::clamp<long>(std::lround(line.cursorToX(i) * m_ratio), 0, image.width)));
        const int next = layout.nextCursorPosition(i);
        if (next <= i) break;
        i = next;
    }
    // Right-to-left text has falling positions; the cut is then a rough one.
    std::sort(image.stops.begin(), image.stops.end());

    if (m_scratch.width() < image.width || m_scratch.height() < image.height) {
        m_scratch = QImage(std::max(image.width, 1024), image.height, QImage::Format_RGB32);
    }
    for (int y = 0; y < image.height; ++y)
        std::fill_n(reinterpret_cast<QRgb*>(m_scratch.scanLine(y)), image.width, qRgb(0, 0, 0));
    m_scratch.setDevicePixelRatio(m_ratio);
    {
        QPainter painter(&m_scratch);
        painter.setPen(Qt::white);
        layout.draw(&painter, QPointF(0, 0));
    }
    image.coverage.resize(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
    auto out = image.coverage.begin();
    for (int y = 0; y < image.height; ++y) {
        const QRgb* in = reinterpret_cast<const QRgb*>(m_scratch.constScanLine(y));
        for (int x = 0; x < image.width; ++x) *out++ = static_cast<std::uint8_t>(qGreen(in[x]));
    }
    return image;
}

}  // namespace altiscope
