#include "views/help/manual_text.h"

#include "views/common/theme/theme.h"
#include "views/help/manual.h"

#include <QEvent>
#include <QImage>
#include <QScrollBar>
#include <QTextFrame>
#include <QTextTable>

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// Lines that are longer are hard to read.
constexpr int kMaxLetters = 110;

void setTableLook(QTextTable& table, const Theme& theme, int space) {
    QTextTableFormat format = table.format();
    format.setBorderCollapse(true);
    format.setBorder(1);
    format.setBorderBrush(theme.hairLine);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setCellPadding(space);
    format.setCellSpacing(0);
    format.setTopMargin(space);
    format.setBottomMargin(2 * space);
    table.setFormat(format);
    for (int column = 0; column < table.columns(); ++column) {
        QTextTableCell cell = table.cellAt(0, column);
        QTextCharFormat heading = cell.format();
        heading.setBackground(theme.sunken);
        cell.setFormat(heading);
    }
}

}  // namespace

ManualText::ManualText(QWidget* parent) : QTextBrowser(parent) {
    setFrameShape(QFrame::NoFrame);
    setOpenExternalLinks(false);
    // Pictures are as wide as the page: a bar that came with them would make them too wide for it.
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    document()->setUndoRedoEnabled(false);
}

void ManualText::showPage(const QString& page) { setSource(manualPlace(page)); }

QString ManualText::page() const { return manualPageAt(source()); }

void ManualText::doSetSource(const QUrl& name, QTextDocument::ResourceType type) {
    const QUrl place = name.isRelative() ? source().resolved(name) : name;
    // A page leads to other pages, and nowhere else.
    if (manualPageAt(place).isEmpty()) return;
    QTextBrowser::doSetSource(place, type);
    setLook();
    mark(m_words);
}

QVariant ManualText::loadResource(int type, const QUrl& name) {
    if (type == QTextDocument::ImageResource) {
        QImage picture(manualPicture(name, themeOf(palette()).dark));
        const qreal scale = devicePixelRatioF();
        const int width = static_cast<int>(std::min(m_pictureWidth * scale, picture.width() * 1.0));
        picture = picture.scaledToWidth(std::max(width, 1), Qt::SmoothTransformation);
        picture.setDevicePixelRatio(scale);
        return picture;
    }
    return manualText(manualPageAt(source().resolved(name)));
}

void ManualText::setLook() {
    const Theme& theme = themeOf(palette());
    const int space = fontMetrics().height() / 3;
    QTextFrameFormat root = document()->rootFrame()->frameFormat();
    const int margin = fontMetrics().height();
    const int text = fontMetrics().averageCharWidth() * kMaxLetters;
    root.setMargin(margin);
    root.setRightMargin(std::max(margin, viewport()->width() - text - margin));
    document()->rootFrame()->setFrameFormat(root);
    const auto frames = document()->rootFrame()->childFrames();
    for (QTextFrame* frame : frames) {
        if (auto* table = qobject_cast<QTextTable*>(frame)) setTableLook(*table, theme, space);
    }
}

void ManualText::refresh() {
    const int place = verticalScrollBar()->value();
    reload();
    verticalScrollBar()->setValue(place);
}

void ManualText::mark(const QString& words) {
    m_words = words;
    markAll();
    if (extraSelections().isEmpty()) return;
    QTextCursor first = extraSelections().front().cursor;
    first.setPosition(first.selectionStart());
    setTextCursor(first);
}

void ManualText::markAll() {
    QList<ExtraSelection> marks;
    QTextCharFormat look;
    look.setBackground(themeOf(palette()).hues[0]);
    look.setForeground(themeOf(palette()).label);
    for (const QString& word : m_words.split(u' ', Qt::SkipEmptyParts)) {
        for (QTextCursor at = document()->find(word); !at.isNull(); at = document()->find(word, at))
            marks.push_back({at, look});
    }
    std::sort(marks.begin(), marks.end(), [](const ExtraSelection& a, const ExtraSelection& b) {
        return a.cursor.selectionStart() < b.cursor.selectionStart();
    });
    setExtraSelections(marks);
}

void ManualText::findNext() {
    const auto marks = extraSelections();
    if (marks.isEmpty()) return;
    const int from = textCursor().position();
    const auto next = std::find_if(marks.begin(), marks.end(),
                                   [from](const ExtraSelection& mark) { return mark.cursor.selectionStart() > from; });
    QTextCursor cursor = (next == marks.end() ? marks.front() : *next).cursor;
    cursor.setPosition(cursor.selectionStart());
    setTextCursor(cursor);
    ensureCursorVisible();
}

void ManualText::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refresh();
}

void ManualText::resizeEvent(QResizeEvent* event) {
    QTextBrowser::resizeEvent(event);
    const int letter = fontMetrics().averageCharWidth();
    const int width = std::min(viewport()->width() - 2 * fontMetrics().height(), letter * kMaxLetters);
    if (std::exchange(m_pictureWidth, width) != width && manualText(page()).contains("!["_L1)) refresh();
    else setLook();
}

}  // namespace altiscope
