#pragma once

#include "core/query/lookup/column_conditions.h"

#include <sqlite3.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace altiscope {

/// Which comparisons of a column a table can look up.
enum class Lookup : std::uint8_t {
    None,
    Id,      ///< Integer column: = and IN.
    Time,    ///< Integer column: = and ranges.
    Text,    ///< Text column: =, IN, LIKE, GLOB by bytes.
    Source,  ///< Text that stays in the source: LIKE and GLOB with a known pattern.
};

/// A condition that the table takes over.
struct AcceptedCondition {
    int number = 0;  ///< Among SQLite's constraints.
    int column = 0;
    ConditionOp op = ConditionOp::Equal;
    bool constant = false;  ///< The right-hand side is known now, and stands in `matching` (integer) or `text`.
    IntegerSet matching;
    TextFilter text;
    bool onText = false;
    bool onSource = false;
    bool exact = false;  ///< The table follows SQLite's rules to the letter, so that SQLite need not look again.
};

/// A column that rows are to be ordered by.
struct OrderTerm {
    int column = 0;
    bool descending = false;
};

/// Use of the order of rows by the caller.
enum class OrderUse : std::uint8_t {
    Sorted,    ///< ORDER BY.
    Grouped,   ///< GROUP BY: equal rows must be neighbours.
    Distinct,  ///< DISTINCT: all but the first of equal rows may be left out.
};

/// One request of SQLite's planner to a virtual table, and the reply to it. Wraps sqlite3_index_info.
class IndexRequest {
public:
    /// Takes over all conditions that `lookups` (by column; -1, the rowid, is `rowidLookup`) allows.
    /// @param cancel  For TextFilter.
    IndexRequest(sqlite3_index_info& info, std::span<const Lookup> lookups, Lookup rowidLookup,
                 const CancelToken& cancel);

    const std::vector<AcceptedCondition>& accepted() const { return m_accepted; }
    bool accepts(int column) const;
    /// Leaves conditions on the source to SQLite, which looks at each row that the others let through.
    void leaveSource() {
        std::erase_if(m_accepted, [](const AcceptedCondition& condition) { return condition.onSource; });
    }
    /// Leaves all other conditions to SQLite.
    void keepOnly(const AcceptedCondition& condition);
    /// The wanted order, without columns that a condition keeps constant. Empty: any order will do.
    const std::vector<OrderTerm>& order() const { return m_order; }
    bool wantsOrder() const { return !m_order.empty(); }
    OrderUse orderUse() const { return m_orderUse; }
    /// True if no column but this one is read or compared.
    bool usesOnly(int column) const;

    /// Completes the reply.
    /// @param mode  Number that xFilter gets back, the table's own code for how to go through its rows.
    /// @param rows  Estimated number of rows.
    /// @param cost  Estimated cost in units of one row.
    void promise(int mode, double rows, double cost);
    void promiseOrder() { m_info.orderByConsumed = 1; }
    void promiseUnique() { m_info.idxFlags |= SQLITE_INDEX_SCAN_UNIQUE; }

private:
    void accept(int number, int column, ConditionOp op, Lookup lookup);

    sqlite3_index_info& m_info;
    const CancelToken& m_cancel;
    std::vector<AcceptedCondition> m_accepted;
    std::vector<OrderTerm> m_order;
    OrderUse m_orderUse = OrderUse::Sorted;
};

}  // namespace altiscope
