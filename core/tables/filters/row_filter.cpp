#include "core/tables/filters/row_filter.h"

#include "core/base/text/regular_expression.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

namespace altiscope {

namespace {

/// Small letters stand for both cases, unless the pattern has a capital. "\D" is none.
bool hasCapital(std::string_view pattern) {
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '\\') {
            ++i;
        } else if (pattern[i] >= 'A' && pattern[i] <= 'Z') {
            return true;
        }
    }
    return false;
}

std::unique_ptr<RegularExpression> expressionOf(std::string_view pattern, bool literally) {
    std::string whole = hasCapital(pattern) ? "" : "(?i)";
    if (!literally) return std::make_unique<RegularExpression>(whole + std::string(pattern));
    for (const char c : pattern) {
        if (static_cast<unsigned char>(c) < 0x80 &&
            std::string_view("\\^$.[]|()?*+{}#-").find(c) != std::string_view::npos)
            whole += '\\';
        whole += c;
    }
    return std::make_unique<RegularExpression>(whole);
}

/// Integers [low, high]; empty if low > high.
struct IntegerSpan {
    std::int64_t low = 1, high = 0;
};

constexpr std::int64_t kLowest = kAbsentCell + 1;
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

IntegerSpan spanOf(FilterOperator compare, const FilterValue& value) {
    const std::int64_t v = value.integer;
    switch (compare) {
    case FilterOperator::Equal:
    case FilterOperator::NotEqual: return value.between ? IntegerSpan{} : IntegerSpan{v, v};
    case FilterOperator::Less: return {kLowest, value.between ? v : v - 1};
    case FilterOperator::LessEqual: return {kLowest, v};
    case FilterOperator::Greater: return {v + 1, kHighest};
    case FilterOperator::GreaterEqual: return {value.between ? v + 1 : v, kHighest};
    case FilterOperator::Matches:
    case FilterOperator::MatchesNot: break;
    }
    return {};
}

/// The same for numbers of texts, which are in the texts' order.
IntegerSpan spanOfText(const TableSource& source, std::size_t column, FilterOperator compare, std::string_view text) {
    std::int64_t low = 0, high = static_cast<std::int64_t>(source.textCount(column));
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (source.text(column, middle) < text) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const bool there = low < static_cast<std::int64_t>(source.textCount(column)) && source.text(column, low) == text;
    switch (compare) {
    case FilterOperator::Equal:
    case FilterOperator::NotEqual: return there ? IntegerSpan{low, low} : IntegerSpan{};
    case FilterOperator::Less: return {kLowest, low - 1};
    case FilterOperator::LessEqual: return {kLowest, there ? low : low - 1};
    case FilterOperator::Greater: return {there ? low + 1 : low, kHighest};
    case FilterOperator::GreaterEqual: return {low, kHighest};
    case FilterOperator::Matches:
    case FilterOperator::MatchesNot: break;
    }
    return {};
}

bool compareReal(FilterOperator compare, double cell, double value) {
    switch (compare) {
    case FilterOperator::Equal: return cell == value;
    case FilterOperator::NotEqual: return cell != value;
    case FilterOperator::Less: return cell < value;
    case FilterOperator::LessEqual: return cell <= value;
    case FilterOperator::Greater: return cell > value;
    case FilterOperator::GreaterEqual: return cell >= value;
    case FilterOperator::Matches:
    case FilterOperator::MatchesNot: break;
    }
    return false;
}

constexpr std::uint8_t kUnknown = 0, kNoMatch = 1, kMatch = 2;

}  // namespace

struct RowFilter::Test {
    enum class Kind : std::uint8_t { And, Or, Not, Integers, Reals, Texts, Absent };

    /// State of each text of a column; each is looked at once, by whoever needs it first.
    struct Memory {
        std::size_t column = 0;
        std::vector<std::atomic<std::uint8_t>> known;
    };

    Kind kind = Kind::And;
    std::vector<std::unique_ptr<Test>> children;
    std::size_t column = 0;
    FilterOperator compare = FilterOperator::Equal;
    bool opposite = false;  ///< Cells that are there and fail pass instead.
    std::vector<IntegerSpan> spans;
    std::vector<double> reals;
    std::unique_ptr<RegularExpression> expression;
    mutable std::vector<Memory> memories;
    std::vector<std::string> labels;    ///< For Integers: cells that are shown so, or beside which it stands, pass too.
    std::vector<std::size_t> labelled;  ///< For Texts: columns of numbers whose labels are looked at.
    bool numbersToo = false;            ///< For Texts: in labelled columns also numbers beside which nothing stands.
};

RowFilter::RowFilter(std::shared_ptr<const TableSource> source, const FilterNode& root)
    : m_source(std::move(source)), m_root(prepared(root)) {}

RowFilter::~RowFilter() = default;

std::unique_ptr<RowFilter::Test> RowFilter::prepared(const FilterNode& node) {
    auto test = std::make_unique<Test>();
    switch (node.kind) {
    case FilterNode::Kind::And: test->kind = Test::Kind::And; break;
    case FilterNode::Kind::Or: test->kind = Test::Kind::Or; break;
    case FilterNode::Kind::Not: test->kind = Test::Kind::Not; break;
    case FilterNode::Kind::Compare: prepareComparison(node, *test); return test;
    case FilterNode::Kind::AnyText:
        test->kind = Test::Kind::Texts;
        test->expression = expressionOf(node.values.front().text, true);
        for (std::size_t column = 0; column < m_source->columns().size(); ++column) {
            if (m_source->columns()[column].type == CellType::Text)
                test->memories.push_back({column, std::vector<std::atomic<std::uint8_t>>(m_source->textCount(column))});
            else if (m_source->columns()[column].hasBeside) test->labelled.push_back(column);
        }
        return test;
    }
    for (const FilterNode& child : node.children) test->children.push_back(prepared(child));
    return test;
}

void RowFilter::prepareComparison(const FilterNode& node, Test& test) {
    test.column = node.column;
    test.compare = node.compare;
    test.opposite = node.compare == FilterOperator::NotEqual || node.compare == FilterOperator::MatchesNot;
    const CellType type = m_source->columns()[node.column].type;
    if (node.compare == FilterOperator::Matches || node.compare == FilterOperator::MatchesNot) {
        test.kind = Test::Kind::Texts;
        test.expression = expressionOf(node.values.front().text, false);
        if (type != CellType::Text) {
            test.labelled.push_back(node.column);
            test.numbersToo = true;
            return;
        }
        test.memories.push_back(
            {node.column, std::vector<std::atomic<std::uint8_t>>(m_source->textCount(node.column))});
        return;
    }
    if (node.values.size() == 1 && node.values.front().kind == FilterValue::Kind::None) {
        test.kind = Test::Kind::Absent;
        test.spans.push_back({kAbsentCell, kAbsentCell});
        return;
    }
    test.kind = type == CellType::Real ? Test::Kind::Reals : Test::Kind::Integers;
    for (const FilterValue& value : node.values) {
        switch (value.kind) {
        case FilterValue::Kind::None: test.spans.push_back({kAbsentCell, kAbsentCell}); break;
        case FilterValue::Kind::Integer:
            test.spans.push_back(spanOf(node.compare, value));
            if (!value.text.empty()) test.labels.push_back(value.text);
            break;
        case FilterValue::Kind::Real: test.reals.push_back(value.real); break;
        case FilterValue::Kind::Text:
            if (type != CellType::Text) {
                test.labels.push_back(value.text);
                // "1" in quotes is rank 1 all the same.
                if (const auto number = wholeNumber(value.text)) test.spans.push_back({*number, *number});
                break;
            }
            test.spans.push_back(spanOfText(*m_source, node.column, node.compare, value.text));
            break;
        }
    }
}

void RowFilter::match(std::size_t first, std::span<std::uint8_t> mask) const { run(*m_root, first, mask); }

void RowFilter::run(const Test& test, std::size_t first, std::span<std::uint8_t> mask) const {
    std::array<std::uint8_t, kBlock> buffer;
    const std::span<std::uint8_t> other(buffer.data(), mask.size());
    const auto any = [](std::span<const std::uint8_t> m, std::uint8_t what) {
        return std::find(m.begin(), m.end(), what) != m.end();
    };
    if (test.kind == Test::Kind::And || test.kind == Test::Kind::Or || test.kind == Test::Kind::Not) {
        run(*test.children.front(), first, mask);
        if (test.kind == Test::Kind::Not) {
            for (std::uint8_t& m : mask) m ^= 1;
            return;
        }
        const bool isAnd = test.kind == Test::Kind::And;
        for (std::size_t child = 1; child < test.children.size(); ++child) {
            if (!any(mask, isAnd ? 1 : 0)) return;
            run(*test.children[child], first, other);
            for (std::size_t i = 0; i < mask.size(); ++i) {
                mask[i] = isAnd ? static_cast<std::uint8_t>(mask[i] & other[i])
                                : static_cast<std::uint8_t>(mask[i] | other[i]);
            }
        }
        return;
    }
    if (test.kind == Test::Kind::Texts) {
        std::fill(mask.begin(), mask.end(), std::uint8_t{0});
        for (std::size_t which = 0; which < test.memories.size(); ++which) runText(test, which, first, mask);
        for (const std::size_t column : test.labelled) {
            runLabels(column, first, mask, [&](const std::string& label, std::string_view, std::int64_t cell) {
                if (!label.empty()) return matches(test, label) != test.opposite;
                return test.numbersToo && cell != kAbsentCell && matches(test, std::to_string(cell)) != test.opposite;
            });
        }
        return;
    }
    runCells(test, first, mask);
}

void RowFilter::runCells(const Test& test, std::size_t first, std::span<std::uint8_t> mask) const {
    std::array<std::int64_t, kBlock> cells;
    m_source->read(test.column, first, {cells.data(), mask.size()});
    std::fill(mask.begin(), mask.end(), std::uint8_t{0});
    for (const IntegerSpan& span : test.spans) {
        if (span.low > span.high) continue;
        const auto low = static_cast<std::uint64_t>(span.low), width = static_cast<std::uint64_t>(span.high) - low;
        for (std::size_t i = 0; i < mask.size(); ++i) {
            const bool within = static_cast<std::uint64_t>(cells[i]) - low <= width;
            mask[i] = static_cast<std::uint8_t>(mask[i] | static_cast<std::uint8_t>(within));
        }
    }
    const FilterOperator compare = test.opposite ? FilterOperator::Equal : test.compare;
    for (const double value : test.reals) {
        for (std::size_t i = 0; i < mask.size(); ++i) {
            if (cells[i] != kAbsentCell && compareReal(compare, std::bit_cast<double>(cells[i]), value)) mask[i] = 1;
        }
    }
    if (!test.labels.empty()) {
        runLabels(test.column, first, mask, [&](const std::string& label, std::string_view beside, std::int64_t) {
            return !beside.empty() && std::any_of(test.labels.begin(), test.labels.end(), [&](const std::string& text) {
                return text == label || text == beside;
            });
        });
    }
    if (!test.opposite) return;
    const bool absentToo = test.kind == Test::Kind::Absent, hasBeside = m_source->columns()[test.column].hasBeside;
    // A folder without a number is a rank, too.
    const auto isThere = [&](std::size_t i) {
        return absentToo || cells[i] != kAbsentCell || (hasBeside && !m_source->beside(test.column, first + i).empty());
    };
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = mask[i] == 0 && isThere(i) ? 1 : 0;
}

bool RowFilter::matches(const Test& test, std::string_view text) const {
    const auto found = test.expression->search(text);
    if (found == RegularExpression::Match::TooCostly) m_tooCostly.store(true, std::memory_order_relaxed);
    return found == RegularExpression::Match::Yes;
}

/// Rows mostly stand by rank: of those that follow each other with one label the first is looked at.
template <class Passes>
void RowFilter::runLabels(std::size_t column, std::size_t first, std::span<std::uint8_t> mask, Passes passes) const {
    std::array<std::int64_t, kBlock> cells;
    m_source->read(column, first, {cells.data(), mask.size()});
    std::string_view last;
    std::optional<std::int64_t> lastCell;
    bool passed = false;
    for (std::size_t i = 0; i < mask.size(); ++i) {
        if (mask[i] != 0) continue;
        const std::string_view beside = m_source->beside(column, first + i);
        if (lastCell != cells[i] || beside.data() != last.data())
            passed = passes(m_source->label(column, first + i), beside, cells[i]);
        last = beside;
        lastCell = cells[i];
        if (passed) mask[i] = 1;
    }
}

void RowFilter::runText(const Test& test, std::size_t which, std::size_t first, std::span<std::uint8_t> mask) const {
    Test::Memory& memory = test.memories[which];
    std::array<std::int64_t, kBlock> cells;
    m_source->read(memory.column, first, {cells.data(), mask.size()});
    for (std::size_t i = 0; i < mask.size(); ++i) {
        if (cells[i] == kAbsentCell || mask[i] != 0) continue;
        std::atomic<std::uint8_t>& known = memory.known[static_cast<std::size_t>(cells[i])];
        std::uint8_t state = known.load(std::memory_order_relaxed);
        if (state == kUnknown) {
            state = matches(test, m_source->text(memory.column, cells[i])) ? kMatch : kNoMatch;
            known.store(state, std::memory_order_relaxed);
        }
        mask[i] = (state == kMatch) != test.opposite ? 1 : 0;
    }
}

}  // namespace altiscope
