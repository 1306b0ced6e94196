#pragma once

#include "views/common/support/view_memory.h"

#include <QHash>
#include <QString>

#include <optional>
#include <vector>

namespace altiscope {

/// A query with a name.
struct StoredQuery {
    QString title, about;  ///< `about`: what it shows; of the user's own empty.
    QString sql;
    QHash<QString, QString> values;  ///< Proposed values of its parameters, by their names with the sign.
};

/// The queries of the program, in the language of the moment, as resources/queries holds them: each file begins with
/// comments "-- title: ...", "-- title[zh_CN]: ...", "-- about: ...", "-- about[zh_CN]: ..." and "-- :name = value",
/// which are not part of the statement that is shown. By file name.
std::vector<StoredQuery> shippedQueries();

/// The same of one text; nullopt if it has no title or no statement.
std::optional<StoredQuery> queryOfText(const QString& text, const QString& language);

/// The queries of the user, by title. Kept from one run of the program to the next. GUI thread.
class OwnQueries {
public:
    static constexpr std::size_t kMaxQueries = 200;
    static constexpr qsizetype kMaxLetters = 20'000, kMaxTitleLetters = 200;

    explicit OwnQueries(const ViewMemory& memory);

    const std::vector<StoredQuery>& queries() const { return m_queries; }
    /// Replaces one of the same title. @return False if there are too many, or it is too long or nameless.
    bool save(const QString& title, const QString& sql);
    /// @return False if the new title is empty, too long, or another's.
    bool rename(const QString& title, const QString& newTitle);
    void remove(const QString& title);
    bool contains(const QString& title) const { return find(title) != m_queries.end(); }

private:
    using Place = std::vector<StoredQuery>::const_iterator;
    Place find(const QString& title) const;
    void keep();

    ViewMemory m_memory;
    std::vector<StoredQuery> m_queries;
};

}  // namespace altiscope
