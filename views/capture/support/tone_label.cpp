#include "views/capture/support/tone_label.h"

#include "views/common/theme/theme.h"

#include <QApplication>
#include <QEvent>

namespace altiscope {

ToneLabel::ToneLabel(IconTone tone, QWidget* parent) : QLabel(parent), m_tone(tone) {
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    applyTone();
}

void ToneLabel::setTone(IconTone tone) {
    m_tone = tone;
    applyTone();
}

void ToneLabel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::ApplicationPaletteChange) applyTone();
    QLabel::changeEvent(event);
}

void ToneLabel::applyTone() {
    const Theme& theme = themeOf(QApplication::palette());
    QColor colour = theme.text;
    if (m_tone == IconTone::Muted) colour = theme.muted;
    if (m_tone == IconTone::Accent) colour = theme.accent;
    if (m_tone == IconTone::Ok) colour = theme.ok;
    if (m_tone == IconTone::Warning) colour = theme.warning;
    if (m_tone == IconTone::Error) colour = theme.error;
    QPalette own;
    for (const auto role : {QPalette::WindowText, QPalette::Text}) own.setColor(role, colour);
    setPalette(own);
}

}  // namespace altiscope
