#include "views/sql/language/sql_vocabulary.h"

#include "views/common/support/formatters.h"
#include "views/sql/language/sql_text.h"
#include "views/sql/language/sql_tokens.h"

#include <QCoreApplication>
#include <QSet>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

struct SqlHints {
    Q_DECLARE_TR_FUNCTIONS(altiscope::SqlHints)
};

constexpr auto kAnyCase = Qt::CaseInsensitive;

bool isOneOf(const QString& word, std::initializer_list<QStringView> list) {
    return std::any_of(list.begin(), list.end(), [&](QStringView one) { return word.compare(one, kAnyCase) == 0; });
}

QString plainWord(const QString& text, const SqlToken& token) {
    const bool isQuoted = token.kind == SqlTokenKind::QuotedName && token.end - token.begin >= 2;
    return isQuoted ? text.sliced(token.begin + 1, token.end - token.begin - 2)
                    : text.sliced(token.begin, token.end - token.begin);
}

bool isName(const SqlToken& token) {
    return token.kind == SqlTokenKind::Word || token.kind == SqlTokenKind::QuotedName;
}

/// Leaves words and signs alone.
void dropUnspoken(std::vector<SqlToken>& tokens) {
    std::erase_if(tokens, [](const SqlToken& token) {
        return token.kind == SqlTokenKind::Blank || token.kind == SqlTokenKind::Comment;
    });
}

/// Whether a completion can stand right after a token of the kind, or instead of it.
bool canFollow(SqlTokenKind kind) {
    return kind == SqlTokenKind::Word || kind == SqlTokenKind::Blank || kind == SqlTokenKind::Sign;
}

}  // namespace

/// Tables that a text names, and by which other names it calls them.
struct SqlVocabulary::Scope {
    QStringList tables;
    QHash<QString, QString> aliases;  ///< Also the tables' own names.
};

SqlVocabulary::SqlVocabulary() : m_words(sqlWords()) {
    for (const SqlWord& word : m_words) {
        const QString key = toQString(word.word).toLower();
        if (word.kind == SqlWord::Kind::Table) m_tables.insert(key, &word);
        if (word.kind == SqlWord::Kind::Function) m_functions.insert(key, &word);
        if (word.kind == SqlWord::Kind::Keyword) m_keywords.insert(key, &word);
    }
}

SqlVocabulary::Scope SqlVocabulary::scopeOf(const QString& text) const {
    Scope scope;
    std::vector<SqlToken> tokens = sqlTokens(text).tokens;
    dropUnspoken(tokens);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!isName(tokens[i])) continue;
        const QString name = plainWord(text, tokens[i]).toLower();
        if (table(name) == nullptr) continue;
        if (i > 0 && text[tokens[i - 1].begin] == u'.') continue;
        // A column may be called as a table is: "rank" and "step" are tables only where one may stand.
        const QString before = i > 0 ? plainWord(text, tokens[i - 1]) : QString();
        const bool isAfterFrom = isOneOf(before, {u"from", u"join"});
        if (!isAfterFrom && before != u","_s) continue;
        if (!scope.tables.contains(name)) scope.tables << name;
        scope.aliases.insert(name, name);
        std::size_t next = i + 1;
        if (next < tokens.size() && isOneOf(plainWord(text, tokens[next]), {u"as"})) ++next;
        if (next < tokens.size() && isName(tokens[next]) && !isKeyword(plainWord(text, tokens[next])))
            scope.aliases.insert(plainWord(text, tokens[next]).toLower(), name);
    }
    return scope;
}

void SqlVocabulary::addColumns(const QString& table, const QString& typed, std::vector<const SqlWord*>& words) const {
    for (const SqlWord& word : m_words) {
        if (word.kind != SqlWord::Kind::Column || (!table.isEmpty() && toQString(word.table) != table)) continue;
        const bool isKnown = std::any_of(words.begin(), words.end(), [&](const SqlWord* other) {
            return other->kind == SqlWord::Kind::Column && other->word == word.word;
        });
        if (!isKnown && toQString(word.word).startsWith(typed, kAnyCase)) words.push_back(&word);
    }
}

void SqlVocabulary::addWords(SqlWord::Kind kind, const QString& typed, std::vector<const SqlWord*>& words) const {
    for (const SqlWord& word : m_words) {
        // A column and a table may have one name.
        const bool isKnown =
            std::any_of(words.begin(), words.end(), [&](const SqlWord* other) { return other->word == word.word; });
        if (word.kind == kind && !isKnown && toQString(word.word).startsWith(typed, kAnyCase)) words.push_back(&word);
    }
}

SqlVocabulary::Completions SqlVocabulary::completionsAt(const QString& text, qsizetype cursor) const {
    Completions found{cursor, {}};
    const TextSpan whole = statementAt(text, cursor);
    const QString statement = whole.empty() ? text : text.sliced(whole.begin, whole.end - whole.begin);
    SqlTokens read = sqlTokens(QStringView(text).first(cursor));
    std::vector<SqlToken>& before = read.tokens;
    if (before.empty() || read.open != SqlOpen::Nothing || !canFollow(before.back().kind)) return found;
    QString typed;
    if (const SqlToken last = before.back(); last.kind == SqlTokenKind::Word) {
        found.begin = last.begin;
        typed = text.sliced(last.begin, cursor - last.begin);
        before.pop_back();
    }
    dropUnspoken(before);
    const auto wordBefore = [&](std::size_t back) {
        return before.size() < back ? QString() : plainWord(text, before[before.size() - back]);
    };
    const Scope scope = scopeOf(statement);
    if (wordBefore(1) == u"."_s) {
        const QString table = scope.aliases.value(wordBefore(2).toLower(), wordBefore(2).toLower());
        if (m_tables.contains(table)) addColumns(table, typed, found.words);
        return found;
    }
    if (isOneOf(wordBefore(1), {u"from", u"join"})) {
        addWords(SqlWord::Kind::Table, typed, found.words);
        return found;
    }
    for (const QString& table : scope.tables) addColumns(table, typed, found.words);
    if (scope.tables.isEmpty()) addColumns({}, typed, found.words);
    for (const auto kind : {SqlWord::Kind::Function, SqlWord::Kind::Keyword, SqlWord::Kind::Table})
        addWords(kind, typed, found.words);
    return found;
}

const SqlWord* SqlVocabulary::wordAt(const QString& text, qsizetype at) const {
    const TextSpan span = altiscope::wordAt(text, at);
    if (span.empty()) return nullptr;
    const TextSpan whole = statementAt(text, at);
    const Scope scope = scopeOf(whole.empty() ? text : text.sliced(whole.begin, whole.end - whole.begin));
    QString word = text.sliced(span.begin, span.end - span.begin);
    if (word.size() >= 2 && (word.front() == u'"' || word.front() == u'[' || word.front() == u'`'))
        word = word.sliced(1, word.size() - 2);
    const bool isCall = span.end < text.size() && text[span.end] == u'(';
    if (isCall) return function(word);
    const QString before = text.first(span.begin).trimmed().section(u' ', -1).section(u'\n', -1);
    if (table(word) != nullptr && (scope.tables.contains(word.toLower())) && isOneOf(before, {u"from", u"join"}))
        return table(word);
    for (const SqlWord& known : m_words) {
        if (known.kind == SqlWord::Kind::Column && toQString(known.word).compare(word, kAnyCase) == 0 &&
            scope.tables.contains(toQString(known.table)))
            return &known;
    }
    if (table(word) != nullptr) return table(word);
    return function(word);
}

QString wordHint(const SqlWord& word) {
    const QString meaning = toQString(word.meaning);
    switch (word.kind) {
    case SqlWord::Kind::Table: return SqlHints::tr("Table %1: %2", "name, meaning").arg(toQString(word.word), meaning);
    case SqlWord::Kind::Column: {
        QStringList facts{toQString(word.table) + u'.' + toQString(word.word), toQString(word.type)};
        if (!word.unit.empty()) facts << toQString(word.unit);
        return facts.join(u" · "_s) + u'\n' + meaning;
    }
    case SqlWord::Kind::Function:
        return meaning.isEmpty() ? SqlHints::tr("%1: function of SQLite").arg(toQString(word.call))
                                 : toQString(word.call) + u'\n' + meaning;
    case SqlWord::Kind::Keyword: return toQString(word.word);
    }
    return {};
}

}  // namespace altiscope
