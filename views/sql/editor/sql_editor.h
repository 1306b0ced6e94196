#pragma once

#include "views/sql/language/sql_text.h"
#include "views/sql/language/sql_vocabulary.h"

#include <QPlainTextEdit>

#include <optional>

class QCompleter;
class QStandardItemModel;

namespace altiscope {

class SqlHighlighter;

/// Where statements are written: colours, completion, hints, and the mark of what is wrong. Ctrl+Space completes; Tab
/// takes the completion, Escape closes it. GUI thread.
class SqlEditor : public QPlainTextEdit {
    Q_OBJECT
public:
    /// The vocabulary must outlive it.
    explicit SqlEditor(const SqlVocabulary& vocabulary, QWidget* parent = nullptr);

    /// The selected text, or else the statement at the cursor.
    TextSpan statementSpan() const;
    QString textOf(TextSpan span) const;
    enum class Cursor { Moves, Stays };
    /// Underlines what is wrong in the colour of errors until the text changes.
    /// @param moves  Whether the cursor goes there, and it comes into sight.
    void markError(TextSpan span, Cursor moves);
    void clearError();
    const std::optional<TextSpan>& error() const { return m_error; }
    /// Puts words where the cursor is.
    void insertWords(const QString& words);
    QCompleter* completer() { return m_completer; }

signals:
    /// Meaning of the word at the cursor, or in the completion; empty: unknown.
    void hintChanged(const QString& hint);
    void runRequested();
    /// The statement that ran before (-1) or after (1).
    void historyRequested(int direction);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    /// Not while Tab takes a completion.
    bool focusNextPrevChild(bool next) override;

private:
    void setUpCompleter();
    void complete(bool isRequested);
    bool closeList(int key);
    void takeCompletion(const QString& word);
    void showHint();
    void paintError();

    const SqlVocabulary& m_vocabulary;
    SqlHighlighter* m_highlighter;
    QCompleter* m_completer;
    QStandardItemModel* m_found;
    qsizetype m_completionBegin = 0;
    std::optional<TextSpan> m_error;
    QString m_wrongText;  ///< All of the text that the error is of.
};

}  // namespace altiscope
