#pragma once

#include "core/session/sql/sql_words.h"

#include <QHash>
#include <QString>

#include <vector>

namespace altiscope {

/// The words of statements: what they are, what they mean, and which may follow. Constant; GUI thread for texts.
class SqlVocabulary {
public:
    SqlVocabulary();

    struct Completions {
        qsizetype begin = 0;  ///< Start of the part of the word that is typed so far.
        std::vector<const SqlWord*> words;
    };
    /// Words that may stand at a cursor: after FROM and JOIN tables, after "table." or "alias." its columns, else the
    /// columns of the tables that the text names (without any of all), functions, keywords. Nothing in texts and
    /// comments.
    Completions completionsAt(const QString& text, qsizetype cursor) const;
    /// The word at a place: a column of a table that the text names, else a table, function or keyword. Null: unknown.
    const SqlWord* wordAt(const QString& text, qsizetype at) const;

    const std::vector<SqlWord>& words() const { return m_words; }
    /// The entry of a word in any case, without quotes; null: none of that kind.
    const SqlWord* table(const QString& word) const { return m_tables.value(word.toLower()); }
    const SqlWord* function(const QString& word) const { return m_functions.value(word.toLower()); }
    bool isKeyword(const QString& word) const { return m_keywords.contains(word.toLower()); }

private:
    struct Scope;
    Scope scopeOf(const QString& text) const;
    void addColumns(const QString& table, const QString& typed, std::vector<const SqlWord*>& words) const;
    void addWords(SqlWord::Kind kind, const QString& typed, std::vector<const SqlWord*>& words) const;

    std::vector<SqlWord> m_words;
    QHash<QString, const SqlWord*> m_tables, m_functions, m_keywords;
};

/// Kind and meaning of a word, on one or two lines; translated but for the meaning, which is that of the schema.
QString wordHint(const SqlWord& word);

}  // namespace altiscope
