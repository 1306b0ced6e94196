#pragma once

#include "core/session/job_runner.h"
#include "core/tables/filters/filter_expression.h"
#include "core/tables/order/table_order.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// The non-widget half of a table: a source, the query that the user chose, and the newest result, which
/// workers make. The latest request wins; until its result is there the old rows stay. GUI thread.
class TableLoader : public QObject {
    Q_OBJECT
public:
    explicit TableLoader(JobRunner& jobs, QObject* parent = nullptr);

    /// Null: no rows. The filter and the order stay as far as the columns allow.
    void setSource(std::shared_ptr<const TableSource> source);
    /// Newer values of the same rows: the old result stays until there is a new one.
    /// @pre The columns and the number of rows are those of source().
    void updateSource(std::shared_ptr<const TableSource> source);
    const std::shared_ptr<const TableSource>& source() const { return m_source; }

    /// Other names of the columns; of the next source or of this one.
    void setAliases(std::vector<ColumnAlias> aliases) { m_aliases = std::move(aliases); }
    /// A filter that is wrong changes nothing but problem().
    void setFilter(const QString& text);
    const QString& filter() const { return m_filter; }
    const std::optional<FilterProblem>& problem() const { return m_problem; }

    void setSort(std::vector<SortKey> sort);
    const std::vector<SortKey>& sort() const { return m_sort; }
    /// A row of the source whose position the next results should state.
    void follow(std::optional<std::uint32_t> row) { m_follow = row; }

    /// Never null. `complete` is false while only the first rows are known.
    const std::shared_ptr<const TableRows>& rows() const { return m_rows; }
    bool busy() const { return m_slot.busy(); }

signals:
    void sourceChanged();
    void queryChanged();  ///< Filter, its problem, or order.
    void rowsChanged();

private:
    void request();

    std::shared_ptr<const TableSource> m_source;
    std::shared_ptr<const TableRows> m_rows;
    std::vector<ColumnAlias> m_aliases;
    QString m_filter;
    std::optional<FilterProblem> m_problem;
    std::optional<FilterNode> m_root;
    std::vector<SortKey> m_sort;
    std::optional<std::uint32_t> m_follow;
    JobSlot m_slot;
};

}  // namespace altiscope
