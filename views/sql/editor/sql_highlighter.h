#pragma once

#include <QSyntaxHighlighter>

namespace altiscope {

class SqlVocabulary;
struct Theme;

/// Colours of the words of statements. GUI thread.
class SqlHighlighter : public QSyntaxHighlighter {
    Q_OBJECT
public:
    /// The vocabulary must outlive it.
    SqlHighlighter(QTextDocument* document, const SqlVocabulary& vocabulary);

    /// Colours everything anew.
    void setTheme(const Theme& theme);

protected:
    void highlightBlock(const QString& text) override;

private:
    const SqlVocabulary& m_vocabulary;
    QTextCharFormat m_keyword, m_table, m_function, m_text, m_number, m_comment, m_parameter;
};

}  // namespace altiscope
