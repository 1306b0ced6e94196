#pragma once

#include "core/base/columns/string_pool.h"
#include "core/base/text/regular_expression.h"
#include "core/base/values/cancel.h"
#include "core/query/functions/integer_set.h"
#include "core/query/functions/source_search.h"

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

/// Comparisons that tables can look up. Their letters stand in the plan that SQLite carries from xBestIndex to xFilter.
enum class ConditionOp : char {
    Equal = '=',
    In = 'i',
    Less = '<',
    LessEqual = 'l',
    Greater = '>',
    GreaterEqual = 'g',
    Like = '%',
    Glob = '*',
    Regexp = '~',
};

/// Cuts `set` down to the integers x for which `x op value` is true, by SQLite's rules for an INTEGER column: reals
/// compare exactly, texts that look like numbers count as numbers, other texts and blobs are greater than every number,
/// and NULL satisfies nothing.
void keepMatching(IntegerSet& set, ConditionOp op, sqlite3_value* value);

/// Conditions on a text column: texts must satisfy all of them. May let through more than it should (SQLite checks
/// again), never less.
class TextFilter {
public:
    TextFilter() = default;
    /// @param cancel  Looked at while patterns are compared with long texts, or with many: nothing matches once it
    ///                asks. Must outlive the filter.
    explicit TextFilter(const CancelToken& cancel) : m_cancel(&cancel) {}

    void add(ConditionOp op, sqlite3_value* value);

    bool all() const { return m_patterns.empty() && !m_none; }
    bool empty() const { return m_none; }
    bool matches(std::string_view text) const;
    /// Ids of the texts of a pool that match, ascending. O(pool) for patterns, O(log pool) for a given text.
    std::vector<StringId> matchingIds(const StringPool& pool) const;

private:
    struct Pattern {
        ConditionOp op = ConditionOp::Equal;
        std::vector<std::string> texts;                         ///< One, or those of an IN list; sorted.
        std::shared_ptr<const RegularExpression> expression{};  ///< The expression of Regexp.
    };
    bool matches(const Pattern& pattern, std::string_view text) const;

    const CancelToken* m_cancel = nullptr;  ///< Null for filters without patterns.
    std::vector<Pattern> m_patterns;
    bool m_none = false;
};

/// Conditions that SQLite asks a cursor to look up, by column of the table. Column -1 is the rowid.
class Conditions {
public:
    /// @param plan    Three letters per argument: 'A' + column, a ConditionOp, and 'i' for an integer column, 't' for a
    ///                text column or 's' for a text that stays in the source; made by IndexRequest.
    /// @param values  The right-hand sides, in the same order.
    /// @param cancel  For TextFilter.
    Conditions(const char* plan, std::span<sqlite3_value* const> values, const CancelToken& cancel);

    /// The integers that a column may have; all integers without a condition.
    IntegerSet integers(int column) const;
    /// The conditions on a text column; for tables in which only one is looked up, those on it.
    const TextFilter& text(int column) const;
    const TextFilter& text() const;
    /// The conditions on the text that stays in the source.
    const SourceFilter& source() const { return m_source; }
    /// True if no row can satisfy them.
    bool impossible() const;

private:
    std::vector<std::pair<int, IntegerSet>> m_integers;
    std::vector<std::pair<int, TextFilter>> m_texts;
    SourceFilter m_source;
};

}  // namespace altiscope
