#include "views/sql/editor/sql_highlighter.h"

#include "views/common/theme/theme.h"
#include "views/sql/language/sql_tokens.h"
#include "views/sql/language/sql_vocabulary.h"

#include <algorithm>

namespace altiscope {

SqlHighlighter::SqlHighlighter(QTextDocument* document, const SqlVocabulary& vocabulary)
    : QSyntaxHighlighter(document), m_vocabulary(vocabulary) {}

void SqlHighlighter::setTheme(const Theme& theme) {
    m_keyword.setForeground(theme.accent);
    m_keyword.setFontWeight(QFont::DemiBold);
    m_table.setForeground(theme.ok);
    m_table.setFontWeight(QFont::DemiBold);
    m_function.setForeground(theme.accent);
    m_text.setForeground(theme.warning);
    m_number.setForeground(theme.ok);
    m_comment.setForeground(theme.muted);
    m_comment.setFontItalic(true);
    m_parameter.setForeground(theme.text);
    m_parameter.setFontUnderline(true);
    rehighlight();
}

void SqlHighlighter::highlightBlock(const QString& text) {
    const SqlTokens tokens = sqlTokens(text, static_cast<SqlOpen>(std::max(0, previousBlockState())));
    setCurrentBlockState(static_cast<int>(tokens.open));
    const auto paint = [this](const SqlToken& token, const QTextCharFormat& format) {
        setFormat(static_cast<int>(token.begin), static_cast<int>(token.end - token.begin), format);
    };
    for (const SqlToken& token : tokens.tokens) {
        switch (token.kind) {
        case SqlTokenKind::Comment: paint(token, m_comment); break;
        case SqlTokenKind::Text: paint(token, m_text); break;
        case SqlTokenKind::Number: paint(token, m_number); break;
        case SqlTokenKind::Parameter: paint(token, m_parameter); break;
        case SqlTokenKind::Word: {
            const QString word = text.sliced(token.begin, token.end - token.begin);
            const bool isCall = token.end < text.size() && text[token.end] == u'(';
            if (isCall && m_vocabulary.function(word) != nullptr) paint(token, m_function);
            else if (m_vocabulary.isKeyword(word)) paint(token, m_keyword);
            else if (m_vocabulary.table(word) != nullptr) paint(token, m_table);
            break;
        }
        case SqlTokenKind::Blank:
        case SqlTokenKind::QuotedName:
        case SqlTokenKind::Sign: break;
        }
    }
}

}  // namespace altiscope
