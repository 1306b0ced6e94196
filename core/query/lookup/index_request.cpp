#include "core/query/lookup/index_request.h"

#include "core/query/functions/sqlite_values.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace altiscope {

namespace {

/// Above this, SQLite's own LIKE reports an error; it gets the chance to.
constexpr int kMaxPatternBytes = 50'000;

std::optional<ConditionOp> conditionOp(unsigned char op, Lookup lookup) {
    const bool hasPatterns = lookup == Lookup::Text || lookup == Lookup::Source;
    switch (op) {
    case SQLITE_INDEX_CONSTRAINT_EQ: return lookup == Lookup::Source ? std::nullopt : std::optional(ConditionOp::Equal);
    case SQLITE_INDEX_CONSTRAINT_LIKE: return hasPatterns ? std::optional(ConditionOp::Like) : std::nullopt;
    case SQLITE_INDEX_CONSTRAINT_GLOB: return hasPatterns ? std::optional(ConditionOp::Glob) : std::nullopt;
    case SQLITE_INDEX_CONSTRAINT_REGEXP:
        return lookup == Lookup::Text ? std::optional(ConditionOp::Regexp) : std::nullopt;
    default: break;
    }
    if (lookup != Lookup::Time) return std::nullopt;
    switch (op) {
    case SQLITE_INDEX_CONSTRAINT_LT: return ConditionOp::Less;
    case SQLITE_INDEX_CONSTRAINT_LE: return ConditionOp::LessEqual;
    case SQLITE_INDEX_CONSTRAINT_GT: return ConditionOp::Greater;
    case SQLITE_INDEX_CONSTRAINT_GE: return ConditionOp::GreaterEqual;
    default: return std::nullopt;
    }
}

/// "x IS value" is "x = value" where the value is known not to be NULL.
unsigned char operatorOf(sqlite3_index_info& info, int number) {
    const unsigned char op = info.aConstraint[number].op;
    sqlite3_value* value = nullptr;
    if (op != SQLITE_INDEX_CONSTRAINT_IS || sqlite3_vtab_rhs_value(&info, number, &value) != SQLITE_OK) return op;
    return sqlite3_value_type(value) == SQLITE_NULL ? op : SQLITE_INDEX_CONSTRAINT_EQ;
}

bool comparesBytes(sqlite3_index_info& info, int number) {
    const char* collation = sqlite3_vtab_collation(&info, number);
    return collation != nullptr && std::string_view(collation) == "BINARY";
}

}  // namespace

IndexRequest::IndexRequest(sqlite3_index_info& info, std::span<const Lookup> lookups, Lookup rowidLookup,
                           const CancelToken& cancel)
    : m_info(info), m_cancel(cancel) {
    for (int i = 0; i < info.nConstraint; ++i) {
        const auto& constraint = info.aConstraint[i];
        const int column = constraint.iColumn;
        // Columns that the adapter fills come last, and no table looks them up.
        const auto place = static_cast<std::size_t>(std::max(0, column));
        const Lookup lookup = column < 0 ? rowidLookup : place < lookups.size() ? lookups[place] : Lookup::None;
        if (!constraint.usable || lookup == Lookup::None) continue;
        if (lookup == Lookup::Text && operatorOf(info, i) == SQLITE_INDEX_CONSTRAINT_EQ && !comparesBytes(info, i))
            continue;
        if (const auto op = conditionOp(operatorOf(info, i), lookup)) accept(i, column, *op, lookup);
    }
    for (int i = 0; i < info.nOrderBy; ++i) {
        const int column = info.aOrderBy[i].iColumn;
        const bool fixed = std::any_of(m_accepted.begin(), m_accepted.end(), [column](const AcceptedCondition& c) {
            return c.column == column && c.op == ConditionOp::Equal;
        });
        if (!fixed) m_order.push_back({column, info.aOrderBy[i].desc != 0});
    }
    // 1: GROUP BY. 2: DISTINCT. 3: DISTINCT with an ORDER BY, whose order matters too.
    const int use = sqlite3_vtab_distinct(&info);
    m_orderUse = use == 1 ? OrderUse::Grouped : use == 2 ? OrderUse::Distinct : OrderUse::Sorted;
}

void IndexRequest::accept(int number, int column, ConditionOp op, Lookup lookup) {
    AcceptedCondition condition;
    condition.number = number;
    condition.column = column;
    condition.op = op;
    condition.onText = lookup == Lookup::Text;
    condition.onSource = lookup == Lookup::Source;
    condition.exact = !condition.onText && !condition.onSource;
    // A list of times is left to SQLite, which requests one after the other: each is a lookup.
    if (op == ConditionOp::Equal && lookup != Lookup::Time && sqlite3_vtab_in(&m_info, number, 1) != 0)
        condition.op = ConditionOp::In;
    sqlite3_value* value = nullptr;
    if (condition.op != ConditionOp::In && sqlite3_vtab_rhs_value(&m_info, number, &value) == SQLITE_OK) {
        condition.constant = true;
        if (condition.onText || condition.onSource)
            condition.exact = sqlite3_value_type(value) == SQLITE_TEXT &&
                              sqlite3_value_bytes(value) <= kMaxPatternBytes && op != ConditionOp::Regexp;
        if (condition.onText) {
            condition.text = TextFilter(m_cancel);
            condition.text.add(condition.op, value);
        } else if (!condition.onSource) {
            keepMatching(condition.matching, condition.op, value);
        }
    }
    // A pass over the source for each row of a join would cost more than it saves.
    if (condition.onSource && !condition.exact) return;
    m_accepted.push_back(std::move(condition));
}

void IndexRequest::keepOnly(const AcceptedCondition& condition) {
    AcceptedCondition kept = condition;
    // SQLite knows that a list comes as a whole; it must not be promised so for conditions that are left to it.
    for (const AcceptedCondition& other : m_accepted)
        if (other.number != kept.number && other.op == ConditionOp::In) sqlite3_vtab_in(&m_info, other.number, 0);
    m_accepted = {std::move(kept)};
}

bool IndexRequest::accepts(int column) const {
    return std::any_of(m_accepted.begin(), m_accepted.end(), [column](const auto& c) { return c.column == column; });
}

bool IndexRequest::usesOnly(int column) const { return m_info.colUsed == sqlite3_uint64{1} << column; }

void IndexRequest::promise(int mode, double rows, double cost) {
    std::string plan;
    for (std::size_t i = 0; i < m_accepted.size(); ++i) {
        const AcceptedCondition& condition = m_accepted[i];
        auto& usage = m_info.aConstraintUsage[condition.number];
        usage.argvIndex = static_cast<int>(i) + 1;
        usage.omit = condition.exact ? 1 : 0;
        plan += static_cast<char>('A' + condition.column);
        plan += static_cast<char>(condition.op);
        plan += condition.onSource ? 's' : condition.onText ? 't' : 'i';
    }
    m_info.idxNum = mode;
    m_info.idxStr = sqlite3_mprintf("%s", plan.c_str());
    m_info.needToFreeIdxStr = 1;
    m_info.estimatedRows = static_cast<sqlite3_int64>(std::max(rows, 1.0));
    m_info.estimatedCost = std::max(cost, 1.0);
}

}  // namespace altiscope
