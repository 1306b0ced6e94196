#include "views/common/theme/icons.h"

#include "views/common/theme/theme.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QSvgRenderer>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

QColor colourOf(IconTone tone, const Theme& theme) {
    switch (tone) {
    case IconTone::Text: return theme.text;
    case IconTone::Muted: return theme.muted;
    case IconTone::Accent: return theme.accent;
    case IconTone::Ok: return theme.ok;
    case IconTone::Warning: return theme.warning;
    case IconTone::Error: return theme.error;
    }
    return theme.text;
}

/// Asks the palette whenever it draws; a plain QPixmap icon would keep the colours of the theme it was made in.
class ThemedIconEngine : public QIconEngine {
public:
    ThemedIconEngine(QByteArray svg, IconTone tone) : m_svg(std::move(svg)), m_tone(tone) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const QPalette palette = QGuiApplication::palette();
        QColor colour = colourOf(m_tone, themeOf(palette));
        if (mode == QIcon::Disabled) colour = palette.color(QPalette::Disabled, QPalette::Text);
        if (mode == QIcon::Selected) colour = palette.color(QPalette::Active, QPalette::HighlightedText);
        QByteArray svg = m_svg;
        // Qt's SVG renderer knows no currentColor.
        svg.replace("currentColor", colour.name().toLatin1());
        QSvgRenderer(svg).render(painter, rect);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap picture(size);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        paint(&painter, picture.rect(), mode, state);
        return picture;
    }

    QIconEngine* clone() const override { return new ThemedIconEngine(*this); }
    bool isNull() override { return m_svg.isEmpty(); }

private:
    QByteArray m_svg;
    IconTone m_tone;
};

}  // namespace

QIcon themedIcon(const QString& name, IconTone tone) {
    QFile file(u":/icons/"_s + name + u".svg"_s);
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QIcon(new ThemedIconEngine(file.readAll(), tone));
}

}  // namespace altiscope
