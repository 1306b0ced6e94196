#include "core/base/text/ascii.h"
#include "core/base/text/regular_expression.h"
#include "core/base/text/word_distance.h"
#include "core/base/values/decimal.h"
#include "core/base/values/parse.h"
#include "core/base/values/units.h"
#include "core/tables/filters/filter_expression.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <utility>

namespace altiscope {

namespace {

__extension__ using Wide = __int128;

/// "and" as well as "AND", but no other mixture: those may be names.
bool isWord(const FilterWord& word, std::string_view lower) {
    if (word.kind != FilterWord::Kind::Name || word.text.size() != lower.size()) return false;
    const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };
    return word.text == lower ||
           std::equal(lower.begin(), lower.end(), word.text.begin(), [&](char l, char t) { return upper(l) == t; });
}

std::optional<FilterOperator> operatorOf(std::string_view sign) {
    if (sign == "=" || sign == "==") return FilterOperator::Equal;
    if (sign == "!=") return FilterOperator::NotEqual;
    if (sign == "<") return FilterOperator::Less;
    if (sign == "<=") return FilterOperator::LessEqual;
    if (sign == ">") return FilterOperator::Greater;
    if (sign == ">=") return FilterOperator::GreaterEqual;
    if (sign == "~") return FilterOperator::Matches;
    if (sign == "!~") return FilterOperator::MatchesNot;
    return std::nullopt;
}

/// The largest integer that is not above the number, and whether it is below. False: no number, or beyond 2^62.
bool setExact(FilterValue& value, std::string_view text, std::int64_t factor) {
    const bool negative = text.starts_with('-');
    const std::string_view digits = negative ? text.substr(1) : text;
    const PlainDecimal plain = plainDecimal(digits.data(), digits.data() + digits.size());
    constexpr Wide kMax = Wide{1} << 62;
    if (plain.end != digits.data() + digits.size()) {
        const auto real = parseReal(text);
        if (!real || std::abs(*real * static_cast<double>(factor)) >= static_cast<double>(kMax)) return false;
        const double scaled = *real * static_cast<double>(factor);
        value.integer = static_cast<std::int64_t>(std::floor(scaled));
        value.between = std::floor(scaled) != scaled;
        return true;
    }
    Wide whole = Wide{plain.digits} * factor;
    Wide divisor = 1;
    for (int i = 0; i < plain.fraction; ++i) divisor *= 10;
    value.between = whole % divisor != 0;
    whole /= divisor;
    if (negative) whole = -whole - (value.between ? 1 : 0);
    if (whole > kMax || whole < -kMax) return false;
    value.integer = static_cast<std::int64_t>(whole);
    return true;
}

class Parser {
public:
    Parser(std::string_view text, std::span<const TableColumn> columns, std::span<const ColumnAlias> aliases)
        : m_text(text), m_words(filterWords(text)), m_columns(columns), m_aliases(aliases) {}

    ParsedFilter parse() {
        ParsedFilter parsed;
        if (m_words.empty()) return parsed;
        parsed.root = disjunction(0);
        if (!m_problem && m_at < m_words.size()) fail("filter.expected_operator", m_words[m_at]);
        parsed.problem = std::move(m_problem);
        if (parsed.problem) parsed.root.reset();
        return parsed;
    }

private:
    using Kind = FilterWord::Kind;

    bool atEnd() const { return m_at >= m_words.size(); }
    bool takeWord(std::string_view lower) {
        if (atEnd() || !isWord(m_words[m_at], lower)) return false;
        ++m_at;
        return true;
    }
    bool take(Kind kind) {
        if (atEnd() || m_words[m_at].kind != kind) return false;
        ++m_at;
        return true;
    }

    void failAt(std::string_view code, std::size_t begin, std::size_t end, MessageParameters parameters = {}) {
        if (!m_problem) m_problem = {std::string(code), std::move(parameters), begin, end};
    }
    void fail(std::string_view code, const FilterWord& word, MessageParameters parameters = {}) {
        parameters.emplace_back("word", word.text);
        failAt(code, word.begin, word.end, std::move(parameters));
    }
    /// Something is missing here: points at the next word, or after the last one.
    void failHere(std::string_view code, MessageParameters parameters = {}) {
        if (!atEnd()) return fail(code, m_words[m_at], std::move(parameters));
        parameters.emplace_back("word", "");
        failAt(code, m_text.size(), m_text.size(), std::move(parameters));
    }

    FilterNode joined(FilterNode::Kind kind, std::string_view word, std::size_t depth) {
        FilterNode node{.kind = kind, .children = {}, .values = {}};
        do {
            node.children.push_back(kind == FilterNode::Kind::Or ? joined(FilterNode::Kind::And, "and", depth)
                                                                 : negation(depth));
        } while (!m_problem && takeWord(word));
        if (node.children.size() == 1) return std::move(node.children.front());
        return node;
    }
    FilterNode disjunction(std::size_t depth) { return joined(FilterNode::Kind::Or, "or", depth); }

    FilterNode negation(std::size_t depth) {
        if (depth >= kDeepestFilter) {
            failHere("filter.too_deep");
            return {};
        }
        if (takeWord("not")) {
            FilterNode node{.kind = FilterNode::Kind::Not, .children = {}, .values = {}};
            node.children.push_back(negation(depth + 1));
            return node;
        }
        const std::size_t open = m_at;
        if (take(Kind::Open)) {
            FilterNode inner = disjunction(depth + 1);
            if (!m_problem && !take(Kind::Close)) fail("filter.open_parenthesis", m_words[open]);
            return inner;
        }
        return comparison();
    }

    /// Whether the words from `at` on compare what stands before them.
    bool comparesAt(std::size_t at) const {
        if (at >= m_words.size()) return false;
        if (m_words[at].kind == Kind::Operator) return true;
        return isWord(m_words[at], "in") && at + 1 < m_words.size() && m_words[at + 1].kind == Kind::Open;
    }

    /// The column that is called here by its name, or by its heading if it is compared; its words are taken.
    std::optional<std::size_t> column() {
        const FilterWord& first = m_words[m_at];
        if (first.kind == Kind::Name) {
            for (std::size_t i = 0; i < m_columns.size(); ++i) {
                if (m_columns[i].name != first.text) continue;
                ++m_at;
                return i;
            }
        }
        for (const ColumnAlias& alias : m_aliases) {
            const std::size_t begin = first.kind == Kind::Text ? first.begin + 1 : first.begin;
            if (alias.text.empty() || !equalsIgnoringCase(m_text.substr(begin, alias.text.size()), alias.text))
                continue;
            const std::size_t end = begin + alias.text.size() + (first.kind == Kind::Text ? 1 : 0);
            std::size_t after = m_at;
            while (after < m_words.size() && m_words[after].begin < end) ++after;
            if (m_words[after - 1].end != end || !comparesAt(after)) continue;
            m_at = after;
            return alias.column;
        }
        return std::nullopt;
    }

    /// Text that is looked for everywhere. @pre Such a word stands here.
    FilterNode anyText() {
        const FilterWord& word = m_words[m_at++];
        FilterNode node{.kind = FilterNode::Kind::AnyText, .children = {}, .values = {}};
        node.values.push_back({.kind = FilterValue::Kind::Text,
                               .integer = 0,
                               .real = 0,
                               .text = word.kind == Kind::Text ? word.text : std::string(written(word)),
                               .between = false});
        return node;
    }

    bool isAnyText() const {
        if (atEnd() || comparesAt(m_at + 1)) return false;
        const FilterWord& word = m_words[m_at];
        if (word.kind == Kind::Text || word.kind == Kind::Number) return true;
        if (word.kind != Kind::Name || isWord(word, "and") || isWord(word, "or") || isWord(word, "not")) return false;
        return std::none_of(m_columns.begin(), m_columns.end(), [&](const auto& c) { return c.name == word.text; });
    }

    /// Words that are no column: texts to look for everywhere, else a problem.
    FilterNode anyTexts() {
        FilterNode node{.kind = FilterNode::Kind::And, .children = {}, .values = {}};
        while (isAnyText()) node.children.push_back(anyText());
        if (node.children.size() == 1) return FilterNode(std::move(node.children.front()));
        if (node.children.empty()) failForColumn();
        return node;
    }

    void failForColumn() {
        const FilterWord& word = m_words[m_at];
        if (!comparesAt(m_at + 1) || word.kind == Kind::Operator) return failHere("filter.expected_column");
        if (const auto near = nearest(word.text))
            return fail("filter.unknown_column_near", word, {{"near", std::string(*near)}});
        fail("filter.unknown_column", word);
    }

    FilterNode comparison() {
        FilterNode node{.kind = FilterNode::Kind::Compare, .children = {}, .values = {}};
        if (atEnd()) {
            failHere("filter.expected_column");
            return node;
        }
        const std::size_t first = m_at;
        const auto called = column();
        if (!called) return anyTexts();
        const std::string name(m_text.substr(m_words[first].begin, m_words[m_at - 1].end - m_words[first].begin));
        node.column = *called;
        if (takeWord("in")) list(node);
        else if (atEnd() || m_words[m_at].kind != Kind::Operator)
            failHere("filter.expected_comparison", {{"column", name}});
        else comparedValue(node, name);
        return node;
    }

    /// The operator that stands here and what is right of it. @param name  The column as it is written.
    void comparedValue(FilterNode& node, const std::string& name) {
        const auto column = m_columns.begin() + static_cast<std::ptrdiff_t>(node.column);
        const FilterWord& sign = m_words[m_at++];
        node.compare = *operatorOf(sign.text);
        const bool pattern = node.compare == FilterOperator::Matches || node.compare == FilterOperator::MatchesNot;
        const bool equality = node.compare == FilterOperator::Equal || node.compare == FilterOperator::NotEqual;
        const bool asShown = column->hasBeside && (pattern || equality);
        if (pattern && column->type != CellType::Text && !asShown) fail("filter.not_text", sign, {{"column", name}});
        node.values.push_back(!asShown ? value(*column) : pattern ? shownPattern(*column) : shownValue(*column));
        if (m_problem) return;
        const FilterValue& right = node.values.back();
        const FilterWord& last = m_words[m_at - 1];
        if (right.kind == FilterValue::Kind::None && !equality) fail("filter.none_has_no_order", last);
        if (!pattern) return;
        if (const RegularExpression expression(right.text); !expression.problem().empty())
            fail("filter.bad_pattern", last, {{"reason", expression.problem()}});
    }

    /// The name or heading that a wrong name was probably meant to be.
    std::optional<std::string_view> nearest(std::string_view name) const {
        std::optional<std::string_view> best;
        std::size_t min = changesToMean(name);
        const auto look = [&](std::string_view known) {
            const std::size_t far = changesBetween(name, known, min);
            if (far >= min) return;
            min = far;
            best = known;
        };
        for (const TableColumn& one : m_columns) look(one.name);
        for (const ColumnAlias& one : m_aliases) look(one.text);
        return best;
    }

    void list(FilterNode& node) {
        const std::size_t open = m_at;
        if (!take(Kind::Open)) return failHere("filter.expected_list");
        const TableColumn& column = m_columns[node.column];
        do {
            node.values.push_back(column.hasBeside ? shownValue(column) : value(column));
        } while (!m_problem && take(Kind::Comma));
        if (!m_problem && !take(Kind::Close)) fail("filter.open_parenthesis", m_words[open]);
    }

    bool isValue(std::size_t at) const {
        return at < m_words.size() &&
               (m_words[at].kind == Kind::Name || m_words[at].kind == Kind::Text || m_words[at].kind == Kind::Number);
    }

    std::string_view written(const FilterWord& word) const { return m_text.substr(word.begin, word.end - word.begin); }

    static FilterValue textValue(std::string_view text) {
        FilterValue value;
        value.kind = FilterValue::Kind::Text;
        value.text = text;
        return value;
    }

    /// A word of a label as it is written: "2024_05-1" is several numbers as words go. @pre isValue(m_at)
    std::string labelPart() {
        const FilterWord& first = m_words[m_at++];
        if (first.kind == Kind::Text) return first.text;
        std::size_t end = first.end;
        while (!atEnd() && m_words[m_at].begin == end &&
               (m_words[m_at].kind == Kind::Name || m_words[m_at].kind == Kind::Number ||
                m_words[m_at].kind == Kind::Wrong))
            end = m_words[m_at++].end;
        return std::string(m_text.substr(first.begin, end - first.begin));
    }

    /// Cell of a column with labels, as it is shown: "1 · run_2". As words go, the dot is a unit.
    std::optional<std::string> numberedLabel() {
        const FilterWord& word = m_words[m_at];
        if (word.kind != Kind::Number || word.unit != kLabelDot || !isValue(m_at + 1)) return std::nullopt;
        ++m_at;
        return word.text + " · " + labelPart();
    }

    FilterValue shownPattern(const TableColumn& column) {
        if (!isValue(m_at) || isWord(m_words[m_at], "none")) return value(column);
        if (const auto label = numberedLabel()) return textValue(*label);
        return textValue(labelPart());
    }

    /// A number, or a label. A number may be a label as well: folders are called "20240501".
    FilterValue shownValue(const TableColumn& column) {
        if (!isValue(m_at) || isWord(m_words[m_at], "none")) return value(column);
        if (const auto label = numberedLabel()) return textValue(*label);
        const std::size_t first = m_at;
        std::string label = labelPart();
        const bool isOneWord = m_at == first + 1, hasBlank = label.find(' ') != std::string::npos;
        if (m_words[first].kind != Kind::Number) return textValue(label);
        if (isOneWord) {
            auto problem = std::exchange(m_problem, std::nullopt);
            m_at = first;
            FilterValue number = value(column);
            const bool isNumber = !m_problem;
            if (isNumber || hasBlank) {
                number.text = std::move(label);
                if (problem) m_problem = std::move(problem);
                return number;
            }
            m_problem = std::move(problem);
        }
        return textValue(label);
    }

    FilterValue value(const TableColumn& column) {
        if (!isValue(m_at)) {
            failHere("filter.expected_value", {{"column", column.name}});
            return {};
        }
        const FilterWord& word = m_words[m_at++];
        FilterValue value;
        if (isWord(word, "none")) return value;
        // A number stands for its digits: names such as "5" are texts all the same.
        if (column.type == CellType::Text) return textValue(word.kind == Kind::Number ? written(word) : word.text);
        if (word.kind != Kind::Number) {
            fail("filter.expected_number", word, {{"column", column.name}});
            return value;
        }
        setNumber(value, word, column);
        return value;
    }

    /// "0x12c0", as addresses are written: as words go it is 0 with a unit.
    static std::optional<std::int64_t> hexadecimal(const FilterWord& word) {
        const std::string_view unit = word.unit;
        const bool isOneWord = word.end - word.begin == 1 + unit.size();
        if (word.text != "0" || !isOneWord || !(unit.starts_with('x') || unit.starts_with('X'))) return std::nullopt;
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(unit.data() + 1, unit.data() + unit.size(), number, 16);
        if (error != std::errc() || end != unit.data() + unit.size()) return std::nullopt;
        return number;
    }

    void setNumber(FilterValue& value, const FilterWord& word, const TableColumn& column) {
        const bool isTime = column.unit == CellUnit::Duration || column.unit == CellUnit::Time;
        const bool isSize = column.unit == CellUnit::Bytes || column.unit == CellUnit::Rate;
        const auto hex = hexadecimal(word);
        if (hex && column.type == CellType::Integer && !isTime) {
            value.kind = FilterValue::Kind::Integer;
            value.integer = *hex;
            return;
        }
        std::int64_t factor = 1;
        double percent = 1;
        if (word.unit == "%" && column.unit == CellUnit::Share) {
            percent = 100;
        } else if (!word.unit.empty()) {
            std::string_view unit = word.unit;
            // 18.4 GB/s
            if (column.unit == CellUnit::Rate && unit.ends_with("/s")) unit.remove_suffix(2);
            const auto known = amountUnit(unit);
            if (!known || (known->kind == AmountUnit::Kind::Time ? !isTime : !isSize)) {
                fail("filter.wrong_unit", word, {{"unit", word.unit}, {"column", column.name}});
                return;
            }
            factor = known->size;
        }
        if (column.type == CellType::Real) {
            const auto real = parseReal(word.text);
            if (!real) return fail("filter.expected_number", word, {{"column", column.name}});
            value.kind = FilterValue::Kind::Real;
            value.real = *real * static_cast<double>(factor) / percent;
            return;
        }
        value.kind = FilterValue::Kind::Integer;
        if (!setExact(value, word.text, factor)) return fail("filter.expected_number", word, {{"column", column.name}});
        if (column.unit == CellUnit::Time && !word.unit.empty()) value.integer += column.origin;
    }

    std::string_view m_text;
    std::vector<FilterWord> m_words;
    std::span<const TableColumn> m_columns;
    std::span<const ColumnAlias> m_aliases;
    std::size_t m_at = 0;
    std::optional<FilterProblem> m_problem;
};

}  // namespace

ParsedFilter parseFilter(std::string_view text, std::span<const TableColumn> columns,
                         std::span<const ColumnAlias> aliases) {
    if (text.size() > kMaxFilterLength) {
        return {.root = {},
                .problem = FilterProblem{
                    .code = "filter.too_long", .parameters = {}, .begin = kMaxFilterLength, .end = text.size()}};
    }
    return Parser(text, columns, aliases).parse();
}

}  // namespace altiscope
