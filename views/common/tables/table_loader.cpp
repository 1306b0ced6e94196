#include "views/common/tables/table_loader.h"

#include "core/tables/filters/row_filter.h"

#include <algorithm>
#include <utility>

namespace altiscope {

TableLoader::TableLoader(JobRunner& jobs, QObject* parent)
    : QObject(parent), m_rows(std::make_shared<TableRows>()), m_slot(jobs) {}

void TableLoader::setSource(std::shared_ptr<const TableSource> source) {
    const auto same = [](const TableColumn& a, const TableColumn& b) { return a.name == b.name && a.type == b.type; };
    const bool sameColumns = m_source && source &&
                             std::equal(m_source->columns().begin(), m_source->columns().end(),
                                        source->columns().begin(), source->columns().end(), same);
    m_source = std::move(source);
    m_follow.reset();
    if (!sameColumns) m_sort.clear();
    m_root.reset();
    // Places of the old rows mean nothing in the new source.
    m_rows = std::make_shared<TableRows>();
    emit sourceChanged();
    setFilter(m_filter);
}

void TableLoader::updateSource(std::shared_ptr<const TableSource> source) {
    m_source = std::move(source);
    emit sourceChanged();
    setFilter(m_filter);
}

void TableLoader::setFilter(const QString& text) {
    m_filter = text;
    m_problem.reset();
    if (m_source) {
        ParsedFilter parsed = parseFilter(text.toStdString(), m_source->columns(), m_aliases);
        m_problem = std::move(parsed.problem);
        if (!m_problem) m_root = std::move(parsed.root);
    }
    emit queryChanged();
    request();
}

void TableLoader::setSort(std::vector<SortKey> sort) {
    m_sort = std::move(sort);
    emit queryChanged();
    request();
}

void TableLoader::request() {
    if (!m_source) {
        m_slot.cancel();
        m_rows = std::make_shared<TableRows>();
        emit rowsChanged();
        return;
    }
    TableQuery query{.filter = {}, .sort = m_sort, .follow = m_follow};
    m_slot.startInParts<std::shared_ptr<const TableRows>>(
        [source = m_source, root = m_root, query](const CancelToken& token,
                                                  const auto& publish) mutable -> std::shared_ptr<const TableRows> {
            if (root) query.filter = std::make_shared<RowFilter>(source, *root);
            auto rows = orderRows(
                *source, query, [&](TableRows part) { publish(std::make_shared<const TableRows>(std::move(part))); },
                token);
            return std::make_shared<const TableRows>(rows ? *std::move(rows) : TableRows{});
        },
        [this](std::shared_ptr<const TableRows> rows) {
            m_rows = std::move(rows);
            emit rowsChanged();
        });
}

}  // namespace altiscope
