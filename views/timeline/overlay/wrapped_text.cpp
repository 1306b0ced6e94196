#include "views/timeline/overlay/wrapped_text.h"

#include <QTextDocument>
#include <QTextOption>
#include <QWheelEvent>

#include <cmath>

namespace altiscope {

WrappedText::WrappedText(QWidget* parent) : QTextBrowser(parent) {
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setOpenLinks(false);
    setUndoRedoEnabled(false);
    setTabChangesFocus(true);
    setFocusPolicy(Qt::ClickFocus);
    document()->setDocumentMargin(0);
    // On whatever lies below, like a label.
    viewport()->setAutoFillBackground(false);
    fit();
}

void WrappedText::setText(const QString& text) {
    setPlainText(text);
    fit();
}

void WrappedText::setLink(const QString& text) {
    setFocusPolicy(Qt::StrongFocus);
    setHtml(QStringLiteral("<a href=\"#\">%1</a>").arg(text.toHtmlEscaped()));
    fit();
}

QSize WrappedText::sizeHint() const { return {fontMetrics().averageCharWidth() * 20, height()}; }

QSize WrappedText::minimumSizeHint() const { return {fontMetrics().averageCharWidth() * 4, height()}; }

void WrappedText::resizeEvent(QResizeEvent* event) {
    QTextBrowser::resizeEvent(event);
    fit();
}

void WrappedText::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::FontChange) fit();
}

void WrappedText::wheelEvent(QWheelEvent* event) {
    // Nothing to scroll here: it belongs to whatever holds the text.
    event->ignore();
}

void WrappedText::fit() {
    document()->setTextWidth(viewport()->width());
    setFixedHeight(static_cast<int>(std::ceil(document()->size().height())));
}

}  // namespace altiscope
