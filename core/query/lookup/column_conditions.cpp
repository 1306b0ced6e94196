#include "core/query/lookup/column_conditions.h"

#include "core/query/functions/sqlite_values.h"
#include "core/query/functions/text_patterns.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace altiscope {

namespace {

constexpr std::int64_t kLowestInteger = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighestInteger = std::numeric_limits<std::int64_t>::max();
constexpr double kTwoTo63 = 9223372036854775808.0;

void keepByInteger(IntegerSet& set, ConditionOp op, std::int64_t value) {
    switch (op) {
    case ConditionOp::Equal: set.keepRange(value, value); return;
    case ConditionOp::Less: value == kLowestInteger ? set.keepNone() : set.keepRange(kLowestInteger, value - 1); return;
    case ConditionOp::LessEqual: set.keepRange(kLowestInteger, value); return;
    case ConditionOp::Greater:
        value == kHighestInteger ? set.keepNone() : set.keepRange(value + 1, kHighestInteger);
        return;
    case ConditionOp::GreaterEqual: set.keepRange(value, kHighestInteger); return;
    case ConditionOp::In:
    case ConditionOp::Like:
    case ConditionOp::Glob:
    case ConditionOp::Regexp: return;
    }
}

void keepByReal(IntegerSet& set, ConditionOp op, double value) {
    const bool below = op == ConditionOp::Less || op == ConditionOp::LessEqual;
    if (value >= kTwoTo63) return below ? set.keepIntegers() : set.keepNone();
    if (value < -kTwoTo63) return below || op == ConditionOp::Equal ? set.keepNone() : set.keepIntegers();
    const double floor = std::floor(value);
    if (floor == value) return keepByInteger(set, op, static_cast<std::int64_t>(value));
    // Between two integers: "x < 1.5" is "x <= 1", "x > 1.5" is "x > 1".
    if (op == ConditionOp::Equal) return set.keepNone();
    keepByInteger(set, below ? ConditionOp::LessEqual : ConditionOp::Greater, static_cast<std::int64_t>(floor));
}

/// The values of an IN list. Those that no integer equals are left out.
std::vector<std::int64_t> integersOf(sqlite3_value* list) {
    std::vector<std::int64_t> integers;
    sqlite3_value* item = nullptr;
    for (int rc = sqlite3_vtab_in_first(list, &item); rc == SQLITE_OK && item != nullptr;
         rc = sqlite3_vtab_in_next(list, &item)) {
        IntegerSet one;
        keepMatching(one, ConditionOp::Equal, item);
        if (!one.empty()) integers.push_back(one.low());
    }
    return integers;
}

/// The texts of an IN list; nullopt if one of its values is no text, so that other rules of comparison would hold.
std::optional<std::vector<std::string>> textsOf(sqlite3_value* list) {
    std::vector<std::string> texts;
    sqlite3_value* item = nullptr;
    for (int rc = sqlite3_vtab_in_first(list, &item); rc == SQLITE_OK && item != nullptr;
         rc = sqlite3_vtab_in_next(list, &item)) {
        const int type = sqlite3_value_type(item);
        if (type == SQLITE_NULL) continue;
        if (type != SQLITE_TEXT) return std::nullopt;
        texts.emplace_back(valueText(item));
    }
    std::sort(texts.begin(), texts.end());
    return texts;
}

}  // namespace

void keepMatching(IntegerSet& set, ConditionOp op, sqlite3_value* value) {
    if (op == ConditionOp::In) return set.keepList(integersOf(value));
    switch (sqlite3_value_numeric_type(value)) {
    case SQLITE_INTEGER: return keepByInteger(set, op, sqlite3_value_int64(value));
    case SQLITE_FLOAT: return keepByReal(set, op, sqlite3_value_double(value));
    case SQLITE_NULL: return set.keepNone();
    default:  // a text or blob, greater than every number
        op == ConditionOp::Less || op == ConditionOp::LessEqual ? set.keepIntegers() : set.keepNone();
    }
}

void TextFilter::add(ConditionOp op, sqlite3_value* value) {
    if (op == ConditionOp::In) {
        if (auto texts = textsOf(value)) m_patterns.push_back({op, std::move(*texts)});
        return;
    }
    const int type = sqlite3_value_type(value);
    if (type == SQLITE_NULL) m_none = true;
    // Comparing a text column with a number may turn either side into the other's type: left to SQLite.
    if (type != SQLITE_TEXT) return;
    m_patterns.push_back({op, {std::string(valueText(value))}});
    if (op == ConditionOp::Regexp) m_patterns.back().expression = std::make_shared<RegularExpression>(valueText(value));
}

bool TextFilter::matches(const Pattern& pattern, std::string_view text) const {
    switch (pattern.op) {
    case ConditionOp::Equal:
    case ConditionOp::In: return std::binary_search(pattern.texts.begin(), pattern.texts.end(), text, std::less<>());
    // SQLite's own LIKE and GLOB read both sides up to the first NUL character, and so do these.
    case ConditionOp::Like:
    case ConditionOp::Glob: {
        const auto kind = pattern.op == ConditionOp::Like ? PatternKind::Like : PatternKind::Glob;
        return matchesPattern(kind, pattern.texts.front().c_str(), std::string(text).c_str(), 0, *m_cancel)
            .value_or(false);
    }
    // One that is wrong or too costly lets the row through, so that SQLite asks the function, which says so.
    case ConditionOp::Regexp:
        return !pattern.expression->problem().empty() ||
               pattern.expression->search(text, *m_cancel) != RegularExpression::Match::No;
    case ConditionOp::Less:
    case ConditionOp::LessEqual:
    case ConditionOp::Greater:
    case ConditionOp::GreaterEqual: return true;
    }
    return true;
}

bool TextFilter::matches(std::string_view text) const {
    return !m_none && std::all_of(m_patterns.begin(), m_patterns.end(),
                                  [this, text](const Pattern& pattern) { return matches(pattern, text); });
}

std::vector<StringId> TextFilter::matchingIds(const StringPool& pool) const {
    std::vector<StringId> ids;
    if (m_none) return ids;
    for (const Pattern& pattern : m_patterns) {
        if (pattern.op != ConditionOp::Equal && pattern.op != ConditionOp::In) continue;
        for (const std::string& text : pattern.texts) {
            const auto id = pool.find(text);
            if (id && matches(text)) ids.push_back(*id);
        }
        return ids;
    }
    for (std::uint32_t id = 0; id < pool.size(); ++id) {
        if ((id & 1023U) == 0 && m_cancel != nullptr && m_cancel->cancelled()) break;
        if (matches(pool.text({id}))) ids.push_back({id});
    }
    return ids;
}

Conditions::Conditions(const char* plan, std::span<sqlite3_value* const> values, const CancelToken& cancel) {
    for (sqlite3_value* value : values) {
        const int column = plan[0] - 'A';
        const auto op = static_cast<ConditionOp>(plan[1]);
        const bool onText = plan[2] == 't';
        const bool onSource = plan[2] == 's';
        plan += 3;
        if (onSource) {
            m_source.add(std::string(valueText(value)), op == ConditionOp::Like);
            continue;
        }
        if (onText) {
            auto known =
                std::find_if(m_texts.begin(), m_texts.end(), [column](const auto& c) { return c.first == column; });
            if (known == m_texts.end()) known = m_texts.emplace(m_texts.end(), column, TextFilter(cancel));
            known->second.add(op, value);
            continue;
        }
        auto found =
            std::find_if(m_integers.begin(), m_integers.end(), [column](const auto& c) { return c.first == column; });
        if (found == m_integers.end()) found = m_integers.emplace(m_integers.end(), column, IntegerSet());
        keepMatching(found->second, op, value);
    }
}

IntegerSet Conditions::integers(int column) const {
    const auto found =
        std::find_if(m_integers.begin(), m_integers.end(), [column](const auto& c) { return c.first == column; });
    return found == m_integers.end() ? IntegerSet() : found->second;
}

const TextFilter& Conditions::text(int column) const {
    static const TextFilter kAll;
    const auto found =
        std::find_if(m_texts.begin(), m_texts.end(), [column](const auto& c) { return c.first == column; });
    return found == m_texts.end() ? kAll : found->second;
}

const TextFilter& Conditions::text() const { return text(m_texts.empty() ? -1 : m_texts.front().first); }

bool Conditions::impossible() const {
    return std::any_of(m_texts.begin(), m_texts.end(), [](const auto& c) { return c.second.empty(); }) ||
           std::any_of(m_integers.begin(), m_integers.end(), [](const auto& c) { return c.second.empty(); });
}

}  // namespace altiscope
