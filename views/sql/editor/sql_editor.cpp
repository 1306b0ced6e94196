#include "views/sql/editor/sql_editor.h"

#include "views/common/support/formatters.h"
#include "views/common/support/text_font.h"
#include "views/common/theme/theme.h"
#include "views/sql/editor/sql_highlighter.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QToolTip>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// So many letters of a word bring the completion up by itself.
constexpr qsizetype kLettersBeforeCompletion = 2;
constexpr int kCompletionsInSight = 12;
constexpr int kMeaningRole = Qt::UserRole + 1;

}  // namespace

SqlEditor::SqlEditor(const SqlVocabulary& vocabulary, QWidget* parent)
    : QPlainTextEdit(parent), m_vocabulary(vocabulary), m_highlighter(new SqlHighlighter(document(), vocabulary)),
      m_completer(new QCompleter(this)), m_found(new QStandardItemModel(this)) {
    setFrameShape(QFrame::NoFrame);
    followTextSize(*this, monospaceFont);
    setTabStopDistance(fontMetrics().horizontalAdvance(u' ') * 4);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(true);
    document()->setDocumentMargin(6);
    m_highlighter->setTheme(themeOf(palette()));
    setUpCompleter();
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, &SqlEditor::showHint);
    // Comes with new colours too.
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        if (m_error && toPlainText() != m_wrongText) clearError();
    });
}

void SqlEditor::setUpCompleter() {
    m_completer->setModel(m_found);
    m_completer->setWidget(this);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->setMaxVisibleItems(kCompletionsInSight);
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this, &SqlEditor::takeCompletion);
    connect(m_completer, qOverload<const QModelIndex&>(&QCompleter::highlighted), this,
            [this](const QModelIndex& index) { emit hintChanged(index.data(kMeaningRole).toString()); });
}

TextSpan SqlEditor::statementSpan() const {
    const QTextCursor cursor = textCursor();
    if (cursor.hasSelection()) {
        const TextSpan chosen{cursor.selectionStart(), cursor.selectionEnd()};
        const TextSpan statement = statementAt(textOf(chosen), chosen.end - chosen.begin);
        // The last one of several selected statements; blanks around it do not count.
        return {chosen.begin + statement.begin, chosen.begin + statement.end};
    }
    return statementAt(toPlainText(), cursor.position());
}

QString SqlEditor::textOf(TextSpan span) const {
    return span.empty() ? QString() : toPlainText().sliced(span.begin, span.end - span.begin);
}

// --- what is wrong ----------------------------------------------------------------------------------------------

void SqlEditor::markError(TextSpan span, Cursor moves) {
    m_error = span;
    m_wrongText = toPlainText();
    if (moves == Cursor::Moves) {
        QTextCursor cursor = textCursor();
        cursor.setPosition(static_cast<int>(span.begin));
        setTextCursor(cursor);
        ensureCursorVisible();
    }
    paintError();
}

void SqlEditor::clearError() {
    if (!m_error) return;
    m_error.reset();
    paintError();
}

void SqlEditor::paintError() {
    QList<QTextEdit::ExtraSelection> marks;
    if (m_error) {
        QTextEdit::ExtraSelection& mark = marks.emplace_back();
        mark.cursor = QTextCursor(document());
        mark.cursor.setPosition(static_cast<int>(m_error->begin));
        mark.cursor.setPosition(static_cast<int>(m_error->end), QTextCursor::KeepAnchor);
        mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        mark.format.setUnderlineColor(themeOf(palette()).error);
        mark.format.setForeground(themeOf(palette()).error);
    }
    setExtraSelections(marks);
}

// --- completion and hints ---------------------------------------------------------------------------------------

void SqlEditor::complete(bool isRequested) {
    const QString text = toPlainText();
    const qsizetype cursor = textCursor().position();
    const auto found = m_vocabulary.completionsAt(text, cursor);
    const QString typed = text.sliced(found.begin, cursor - found.begin);
    const bool isAfterDot = found.begin > 0 && text[found.begin - 1] == u'.';
    const bool isDone =
        found.words.size() == 1 && toQString(found.words.front()->word).compare(typed, Qt::CaseInsensitive) == 0;
    if (found.words.empty() || isDone || (!isRequested && !isAfterDot && typed.size() < kLettersBeforeCompletion))
        return m_completer->popup()->hide();
    m_completionBegin = found.begin;
    m_found->clear();
    for (const SqlWord* word : found.words) {
        const bool isCall = word->kind == SqlWord::Kind::Function;
        auto* item = new QStandardItem(toQString(word->word) + (isCall ? u"("_s : QString()));
        const QString hint = wordHint(*word);
        item->setToolTip(hint);
        item->setData(hint, kMeaningRole);
        m_found->appendRow(item);
    }
    QAbstractItemView* list = m_completer->popup();
    list->setFont(font());
    QTextCursor start = textCursor();
    start.setPosition(static_cast<int>(found.begin));
    QRect at = cursorRect(start);
    at.setWidth(list->sizeHintForColumn(0) + list->verticalScrollBar()->sizeHint().width() +
                fontMetrics().averageCharWidth() * 2);
    m_completer->complete(at);
    list->setCurrentIndex(m_completer->completionModel()->index(0, 0));
}

void SqlEditor::takeCompletion(const QString& word) {
    QTextCursor cursor = textCursor();
    cursor.setPosition(static_cast<int>(m_completionBegin), QTextCursor::KeepAnchor);
    cursor.insertText(word);
    setTextCursor(cursor);
}

void SqlEditor::insertWords(const QString& words) {
    QTextCursor cursor = textCursor();
    cursor.insertText(words);
    setTextCursor(cursor);
}

void SqlEditor::showHint() {
    const SqlWord* word = m_vocabulary.wordAt(toPlainText(), textCursor().position());
    emit hintChanged(word == nullptr ? QString() : wordHint(*word));
}

// --- events ----------------------------------------------------------------------------------------------------

/// Inserts what is chosen, or nothing, if the key ends the list of completions. @return False if it does not.
bool SqlEditor::closeList(int key) {
    const bool inserts = key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Tab;
    if (!inserts && key != Qt::Key_Escape && key != Qt::Key_Backtab) return false;
    const QModelIndex chosen = m_completer->popup()->currentIndex();
    m_completer->popup()->hide();
    if (inserts && chosen.isValid()) takeCompletion(chosen.data().toString());
    return true;
}

// Keys of SQL:
// - `Ctrl+Enter`, `F5`: Run the statement
// Keys of SQL, statements:
// - `Ctrl+Space`: Complete the word
// - `Enter`, `Tab`: Insert what is chosen in the list of completions
// - `Esc`, `Left`, `Right`: Close the list of completions
// - `Backspace`: Widen the list of completions
// - `Ctrl+Up`, `Ctrl+Down`: Statement executed before or after
void SqlEditor::keyPressEvent(QKeyEvent* event) {
    const bool isOpen = m_completer->popup()->isVisible();
    const int key = event->key();
    const bool hasControl = (event->modifiers() & Qt::ControlModifier) != 0;
    // While the list is open, keys come from it, and nobody sees those that are left.
    if (hasControl && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
        m_completer->popup()->hide();
        return emit runRequested();
    }
    if (isOpen && closeList(key)) return;
    if (hasControl && key == Qt::Key_Space) return complete(true);
    if (hasControl && (key == Qt::Key_Up || key == Qt::Key_Down))
        return emit historyRequested(key == Qt::Key_Up ? -1 : 1);
    // These are for the page.
    if (key == Qt::Key_Escape || key == Qt::Key_F5) return event->ignore();
    QPlainTextEdit::keyPressEvent(event);
    const bool isWriting = !event->text().isEmpty() && event->text().front().isPrint() && !hasControl;
    if (isWriting || (isOpen && key == Qt::Key_Backspace)) complete(false);
    else if (isOpen && (key == Qt::Key_Left || key == Qt::Key_Right)) m_completer->popup()->hide();
}

bool SqlEditor::focusNextPrevChild(bool next) {
    return !m_completer->popup()->isVisible() && QPlainTextEdit::focusNextPrevChild(next);
}

void SqlEditor::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        m_highlighter->setTheme(themeOf(palette()));
        paintError();
    }
    if (event->type() == QEvent::LanguageChange) showHint();
    if (event->type() == QEvent::FontChange) setTabStopDistance(fontMetrics().horizontalAdvance(u' ') * 4);
    QPlainTextEdit::changeEvent(event);
}

bool SqlEditor::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QPlainTextEdit::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QPoint at = viewport()->mapFromGlobal(help->globalPos());
    const SqlWord* word = m_vocabulary.wordAt(toPlainText(), cursorForPosition(at).position());
    QToolTip::showText(help->globalPos(), word == nullptr ? QString() : wordHint(*word), this);
    return true;
}

}  // namespace altiscope
