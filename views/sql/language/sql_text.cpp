#include "views/sql/language/sql_text.h"

#include "views/sql/language/sql_tokens.h"

#include <algorithm>
#include <vector>

namespace altiscope {

namespace {

/// Statements of a text with the place after their semicolon.
struct Statement {
    TextSpan span;
    qsizetype semicolonEnd = 0;
};

std::vector<Statement> statementsOf(const QString& text) {
    std::vector<Statement> found;
    TextSpan span{-1, -1};
    bool hasWords = false;
    const auto close = [&](qsizetype end) {
        if (hasWords) found.push_back({span, end});
        span = {-1, -1};
        hasWords = false;
    };
    for (const SqlToken& token : sqlTokens(text).tokens) {
        if (token.kind == SqlTokenKind::Sign && text[token.begin] == u';') {
            close(token.end);
            continue;
        }
        if (token.kind == SqlTokenKind::Blank) continue;
        if (span.begin < 0) span.begin = token.begin;
        span.end = token.end;
        hasWords = hasWords || token.kind != SqlTokenKind::Comment;
    }
    close(text.size());
    return found;
}

}  // namespace

TextSpan statementAt(const QString& text, qsizetype cursor) {
    const std::vector<Statement> statements = statementsOf(text);
    if (statements.empty()) return {};
    // Right after a semicolon the cursor still is at the statement that it ends.
    const auto found = std::find_if(statements.begin(), statements.end(),
                                    [cursor](const Statement& statement) { return cursor <= statement.semicolonEnd; });
    return found == statements.end() ? statements.back().span : found->span;
}

QStringList parametersOf(const QString& statement) {
    QStringList names;
    for (const SqlToken& token : sqlTokens(statement).tokens) {
        if (token.kind != SqlTokenKind::Parameter || statement[token.begin] == u'?') continue;
        const QString name = statement.sliced(token.begin, token.end - token.begin);
        if (!names.contains(name)) names << name;
    }
    return names;
}

TextSpan wordAt(const QString& text, qsizetype at) {
    for (const SqlToken& token : sqlTokens(text).tokens) {
        const bool isWord = token.kind == SqlTokenKind::Word || token.kind == SqlTokenKind::QuotedName ||
                            token.kind == SqlTokenKind::Parameter;
        if (isWord && token.begin <= at && at <= token.end) return {token.begin, token.end};
    }
    return {};
}

std::pair<int, int> lineAndColumnOf(const QString& text, qsizetype at) {
    const QStringView before = QStringView(text).first(std::min(at, text.size()));
    const qsizetype lineStart = before.lastIndexOf(u'\n') + 1;
    return {static_cast<int>(before.count(u'\n')) + 1, static_cast<int>(before.size() - lineStart) + 1};
}

qsizetype placeOfByte(const QString& text, qsizetype byte) {
    const QByteArray utf8 = text.toUtf8();
    return QString::fromUtf8(utf8.first(std::min(byte, utf8.size()))).size();
}

}  // namespace altiscope
