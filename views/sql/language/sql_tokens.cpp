#include "views/sql/language/sql_tokens.h"

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

bool isWordStart(QChar c) { return c.isLetter() || c == u'_' || c.unicode() > 0x7f; }
bool isWordPart(QChar c) { return isWordStart(c) || c.isDigit() || c == u'$'; }
bool isNumberStart(QChar c, QChar next) { return c.isDigit() || (c == u'.' && next.isDigit()); }
bool isParameterStart(QChar c, QChar next) { return (c == u':' || c == u'@' || c == u'$') && isWordPart(next); }

/// After what closes a text or a name in quotes; the end of the text if nothing does. A doubled quote goes on.
qsizetype afterQuote(QStringView text, qsizetype from, QChar quote, bool& closed) {
    for (qsizetype at = from; at < text.size(); ++at) {
        if (text[at] != quote) continue;
        if (quote != u']' && at + 1 < text.size() && text[at + 1] == quote) {
            ++at;
            continue;
        }
        closed = true;
        return at + 1;
    }
    closed = false;
    return text.size();
}

qsizetype afterComment(QStringView text, qsizetype from, bool& closed) {
    const qsizetype end = text.indexOf(u"*/", from);
    closed = end >= 0;
    return closed ? end + 2 : text.size();
}

template <class Holds>
qsizetype afterAll(QStringView text, qsizetype from, Holds holds) {
    while (from < text.size() && holds(text[from])) ++from;
    return from;
}

qsizetype afterNumber(QStringView text, qsizetype at) {
    if (text[at] == u'0' && at + 1 < text.size() && (text[at + 1] == u'x' || text[at + 1] == u'X'))
        return afterAll(text, at + 2, isWordPart);
    at = afterAll(text, at, [](QChar c) { return c.isDigit() || c == u'.'; });
    if (at < text.size() && (text[at] == u'e' || text[at] == u'E')) {
        const bool hasSign = at + 1 < text.size() && (text[at + 1] == u'-' || text[at + 1] == u'+');
        at = afterAll(text, at + (hasSign ? 2 : 1), [](QChar c) { return c.isDigit(); });
    }
    return at;
}

struct Quote {
    QChar opens, closes;
    SqlTokenKind kind;
    SqlOpen open;
};
constexpr Quote kQuotes[] = {{u'\'', u'\'', SqlTokenKind::Text, SqlOpen::Text},
                             {u'"', u'"', SqlTokenKind::QuotedName, SqlOpen::QuotedName},
                             {u'[', u']', SqlTokenKind::QuotedName, SqlOpen::Bracket},
                             {u'`', u'`', SqlTokenKind::QuotedName, SqlOpen::Backtick}};

class SqlScanner {
public:
    explicit SqlScanner(QStringView text) : m_text(text) {}

    /// @param open  What the text before it left open.
    SqlTokens tokens(SqlOpen open) {
        if (open == SqlOpen::Comment) addComment(0);
        for (const Quote& quote : kQuotes) {
            if (open == quote.open) addQuoted(quote, 0);
        }
        while (m_at < m_text.size()) addNext();
        return std::move(m_result);
    }

private:
    void add(SqlTokenKind kind, qsizetype end) {
        if (end > m_at) m_result.tokens.push_back({kind, m_at, end});
        m_at = end;
    }
    void addQuoted(const Quote& quote, qsizetype from) {
        bool closed = false;
        add(quote.kind, afterQuote(m_text, from, quote.closes, closed));
        if (!closed) m_result.open = quote.open;
    }
    void addComment(qsizetype from) {
        bool closed = false;
        add(SqlTokenKind::Comment, afterComment(m_text, from, closed));
        if (!closed) m_result.open = SqlOpen::Comment;
    }

    void addNext() {
        const QChar c = m_text[m_at], next = m_at + 1 < m_text.size() ? m_text[m_at + 1] : QChar();
        const auto* quote =
            std::find_if(std::begin(kQuotes), std::end(kQuotes), [c](const Quote& q) { return q.opens == c; });
        if (c.isSpace()) {
            add(SqlTokenKind::Blank, afterAll(m_text, m_at, [](QChar blank) { return blank.isSpace(); }));
        } else if (c == u'-' && next == u'-') {
            add(SqlTokenKind::Comment, afterAll(m_text, m_at, [](QChar letter) { return letter != u'\n'; }));
        } else if (c == u'/' && next == u'*') {
            addComment(m_at + 2);
        } else if (quote != std::end(kQuotes)) {
            addQuoted(*quote, m_at + 1);
        } else if ((c == u'x' || c == u'X') && next == u'\'') {
            addQuoted(kQuotes[0], m_at + 2);
        } else if (isNumberStart(c, next)) {
            add(SqlTokenKind::Number, afterNumber(m_text, m_at));
        } else if (isParameterStart(c, next)) {
            add(SqlTokenKind::Parameter, afterAll(m_text, m_at + 1, isWordPart));
        } else if (c == u'?') {
            add(SqlTokenKind::Parameter, afterAll(m_text, m_at + 1, [](QChar digit) { return digit.isDigit(); }));
        } else if (isWordStart(c)) {
            add(SqlTokenKind::Word, afterAll(m_text, m_at, isWordPart));
        } else {
            add(SqlTokenKind::Sign, m_at + 1);
        }
    }

    QStringView m_text;
    SqlTokens m_result;
    qsizetype m_at = 0;
};

}  // namespace

SqlTokens sqlTokens(QStringView text, SqlOpen open) { return SqlScanner(text).tokens(open); }

}  // namespace altiscope
