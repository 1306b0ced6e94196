#include "views/sql/saved/query_store.h"

#include "views/common/support/formatters.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

const QString kQueriesKey = u"sql/queries"_s;

}  // namespace

std::optional<StoredQuery> queryOfText(const QString& text, const QString& language) {
    static const QRegularExpression fact(u"^-- (title|about)(?:\\[(\\w+)\\])?: (.*)$"_s);
    static const QRegularExpression value(u"^-- ([:@$]\\w+) = (.*)$"_s);
    StoredQuery query;
    QStringList rest = text.split(u'\n');
    while (!rest.isEmpty() && rest.front().startsWith("--"_L1)) {
        const QString line = rest.takeFirst();
        if (const auto found = fact.match(line); found.hasMatch()) {
            QString& target = found.captured(1) == "title"_L1 ? query.title : query.about;
            const QString its = found.captured(2);
            if (its == language || (its.isEmpty() && target.isEmpty())) target = found.captured(3).trimmed();
        } else if (const auto proposed = value.match(line); proposed.hasMatch()) {
            query.values.insert(proposed.captured(1), proposed.captured(2).trimmed());
        }
    }
    query.sql = rest.join(u'\n').trimmed();
    if (query.title.isEmpty() || query.sql.isEmpty()) return std::nullopt;
    return query;
}

std::vector<StoredQuery> shippedQueries() {
    std::vector<StoredQuery> queries;
    const QDir folder(u":/queries"_s);
    const QString language = toQString(catalogueLanguage());
    for (const QString& name : folder.entryList({u"*.sql"_s}, QDir::Files, QDir::Name)) {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::ReadOnly)) continue;
        if (const auto query = queryOfText(QString::fromUtf8(file.readAll()), language)) queries.push_back(*query);
    }
    return queries;
}

OwnQueries::OwnQueries(const ViewMemory& memory) : m_memory(memory) {
    const QStringList kept = memory.value(kQueriesKey).toStringList();
    for (qsizetype i = 0; i + 1 < kept.size() && m_queries.size() < kMaxQueries; i += 2) {
        if (kept[i].isEmpty() || kept[i].size() > kMaxTitleLetters || kept[i + 1].size() > kMaxLetters) continue;
        if (!contains(kept[i])) m_queries.push_back({kept[i], {}, kept[i + 1], {}});
    }
}

OwnQueries::Place OwnQueries::find(const QString& title) const {
    return std::find_if(m_queries.begin(), m_queries.end(),
                        [&](const StoredQuery& query) { return query.title == title; });
}

void OwnQueries::keep() {
    std::sort(m_queries.begin(), m_queries.end(), [](const StoredQuery& a, const StoredQuery& b) {
        return QString::localeAwareCompare(a.title, b.title) < 0;
    });
    QStringList kept;
    for (const StoredQuery& query : m_queries) kept << query.title << query.sql;
    m_memory.setValue(kQueriesKey, kept);
}

bool OwnQueries::save(const QString& title, const QString& sql) {
    const QString plain = title.simplified();
    if (plain.isEmpty() || plain.size() > kMaxTitleLetters || sql.trimmed().isEmpty() || sql.size() > kMaxLetters)
        return false;
    if (const auto known = find(plain); known != m_queries.end()) m_queries.erase(known);
    if (m_queries.size() >= kMaxQueries) return false;
    m_queries.push_back({plain, {}, sql, {}});
    keep();
    return true;
}

bool OwnQueries::rename(const QString& title, const QString& newTitle) {
    const QString plain = newTitle.simplified();
    const auto known = find(title);
    if (known == m_queries.end() || plain.isEmpty() || plain.size() > kMaxTitleLetters) return false;
    if (plain == title) return true;
    if (contains(plain)) return false;
    m_queries[static_cast<std::size_t>(known - m_queries.cbegin())].title = plain;
    keep();
    return true;
}

void OwnQueries::remove(const QString& title) {
    const auto known = find(title);
    if (known == m_queries.end()) return;
    m_queries.erase(known);
    keep();
}

}  // namespace altiscope
