#include "core/tables/filters/filter_completion.h"

#include "core/base/text/ascii.h"
#include "core/tables/filters/filter_expression.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace altiscope {

namespace {

enum class Expected { Operand, Comparison, Value, List, ListValue, ListNext, Join };

struct FilterPlace {
    Expected expected = Expected::Operand;
    std::optional<std::size_t> column;

    bool expectsValue() const { return expected == Expected::Value || expected == Expected::ListValue; }
};

/// "1 ·": what stands beside the number is to come.
bool isLabelBegin(const FilterWord& word) { return word.kind == FilterWord::Kind::Number && word.unit == kLabelDot; }

/// Whether a word can be a part of a label: "2024_05-1" is one value, and so is "1 · run_2".
bool isLabelPart(const FilterWord& word) {
    return word.kind != FilterWord::Kind::Close && word.kind != FilterWord::Kind::Comma &&
           word.kind != FilterWord::Kind::Operator;
}

void followOperand(const FilterWord& word, std::span<const TableColumn> columns, FilterPlace& place) {
    if (word.kind == FilterWord::Kind::Text) place.expected = Expected::Join;
    if (word.kind != FilterWord::Kind::Name || word.text == "not" || word.text == "NOT") return;
    place.column.reset();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].name == word.text) place.column = i;
    }
    // A bare word is looked for everywhere.
    place.expected = place.column ? Expected::Comparison : Expected::Join;
}

void follow(const FilterWord& word, std::span<const TableColumn> columns, FilterPlace& place) {
    using Kind = FilterWord::Kind;
    switch (place.expected) {
    case Expected::Operand: followOperand(word, columns, place); break;
    case Expected::Comparison: place.expected = word.kind == Kind::Name ? Expected::List : Expected::Value; break;
    case Expected::List: place.expected = Expected::ListValue; break;
    case Expected::ListValue: place.expected = Expected::ListNext; break;
    case Expected::ListNext: place.expected = word.kind == Kind::Close ? Expected::Join : Expected::ListValue; break;
    case Expected::Value: place.expected = Expected::Join; break;
    case Expected::Join:
        if (word.kind == Kind::Operator) place.expected = Expected::Value;  // of a column that is not there
        else if (word.kind != Kind::Close) place.expected = Expected::Operand;
        break;
    }
}

/// Follows the words as the parser would, without judging them.
FilterPlace placeAfter(std::span<const FilterWord> words, std::span<const TableColumn> columns) {
    FilterPlace place;
    std::size_t end = 0;
    for (const FilterWord& word : words) {
        const bool labelled = place.column && columns[*place.column].hasBeside;
        const bool goesOn = labelled && word.begin == end && end > 0 && isLabelPart(word);
        end = word.end;
        if (goesOn && (place.expected == Expected::Join || place.expected == Expected::ListNext)) continue;
        if (labelled && isLabelBegin(word) && place.expectsValue()) continue;
        follow(word, columns, place);
    }
    return place;
}

/// 0: begins with the stem; 1: holds it; 2: neither. Case does not matter.
int distance(std::string_view word, std::string_view stem) {
    const auto equal = [](char a, char b) { return asciiLower(a) == asciiLower(b); };
    const auto at = std::search(word.begin(), word.end(), stem.begin(), stem.end(), equal);
    return stem.empty() || at == word.begin() ? 0 : at != word.end() ? 1 : 2;
}

class Candidates {
public:
    explicit Candidates(std::string_view stem) : m_stem(stem) {}
    void add(std::string_view known, std::string word) {
        const int far = distance(known, m_stem);
        if (far < 2) m_found.emplace_back(far, std::move(word));
    }
    std::vector<std::string> best() {
        std::stable_sort(m_found.begin(), m_found.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<std::string> words;
        for (auto& [far, word] : m_found) {
            if (words.size() < kMaxCompletions) words.push_back(std::move(word));
        }
        return words;
    }

private:
    std::string_view m_stem;
    std::vector<std::pair<int, std::string>> m_found;
};

void addValues(Candidates& candidates, const TableSource& source, std::size_t column, const CancelToken& cancel) {
    constexpr std::size_t kRows = std::size_t{1} << 17;
    constexpr std::size_t kMaxTexts = 10'000;
    const std::size_t rows = std::min(kRows, source.rowCount());
    if (source.columns()[column].hasBeside) {
        std::map<std::string, std::string> labels;  // and how they are written
        std::string_view last;
        std::optional<std::int64_t> lastCell;
        for (std::size_t row = 0; row < rows && !cancel.cancelled(); ++row) {
            const std::string_view beside = source.beside(column, row);
            const std::int64_t cell = source.cell(column, row);
            if (lastCell == cell && beside.data() == last.data()) continue;
            last = beside;
            lastCell = cell;
            if (!beside.empty()) labels.try_emplace(source.label(column, row), rowLiteral(source, column, row));
        }
        for (const auto& [label, literal] : labels) candidates.add(label, literal);
    }
    if (source.columns()[column].type != CellType::Text) return candidates.add("none", "none");
    std::array<std::int64_t, 4096> cells;
    std::set<std::int64_t> seen;  // in the order of the texts
    for (std::size_t first = 0; first < rows && seen.size() < kMaxTexts && !cancel.cancelled(); first += cells.size()) {
        const std::span<std::int64_t> part(cells.data(), std::min(cells.size(), rows - first));
        source.read(column, first, part);
        seen.insert(part.begin(), part.end());
    }
    for (const std::int64_t cell : seen) {
        if (cell != kAbsentCell) candidates.add(source.text(column, cell), filterLiteral(source, column, cell));
    }
    if (seen.contains(kAbsentCell)) candidates.add("none", "none");
}

/// Whether nothing can be missing of the last word: "1ms", since a word that followed at once would make it "1msand".
bool isComplete(const FilterWord& last, std::string_view text) {
    if (last.kind == FilterWord::Kind::Text) return last.end - last.begin > 1 && text[last.end - 1] == text[last.begin];
    return last.kind == FilterWord::Kind::Number || last.kind == FilterWord::Kind::Close;
}

/// Whether the last word is what the completion continues.
bool isStem(const FilterWord& last) {
    return last.kind == FilterWord::Kind::Name || last.kind == FilterWord::Kind::Wrong ||
           last.kind == FilterWord::Kind::Text;
}

void addWords(Candidates& candidates, std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words) candidates.add(word, std::string(word));
}

void addOperators(Candidates& candidates, const TableColumn& column) {
    if (column.type == CellType::Text) addWords(candidates, {"=", "~", "!=", "!~", "in"});
    else if (column.hasBeside) addWords(candidates, {"=", "~", "!=", "!~", "in", ">", "<", ">=", "<="});
    else addWords(candidates, {">", "<", ">=", "<=", "=", "!=", "in"});
}

void addExpected(Candidates& candidates, const FilterPlace& place, const TableSource& source,
                 const CancelToken& cancel) {
    switch (place.expected) {
    case Expected::Operand:
        for (const TableColumn& column : source.columns()) candidates.add(column.name, column.name);
        addWords(candidates, {"not"});
        break;
    case Expected::Comparison:
        if (place.column) addOperators(candidates, source.columns()[*place.column]);
        break;
    case Expected::List: addWords(candidates, {"("}); break;
    case Expected::Value:
    case Expected::ListValue:
        if (place.column) addValues(candidates, source, *place.column, cancel);
        break;
    case Expected::ListNext: addWords(candidates, {",", ")"}); break;
    case Expected::Join: addWords(candidates, {"and", "or"}); break;
    }
}

}  // namespace

FilterCompletion completeFilter(std::string_view text, std::size_t cursor, const TableSource& source,
                                const CancelToken& cancel) {
    cursor = std::min(cursor, text.size());
    std::vector<FilterWord> words = filterWords(text.substr(0, cursor));
    FilterCompletion completion{.begin = cursor, .end = cursor, .words = {}};
    std::string stem;
    if (!words.empty() && words.back().end == cursor) {
        const FilterWord& last = words.back();
        if (isComplete(last, text)) return completion;
        if (isStem(last)) {
            stem = last.text;
            completion.begin = last.begin;
            words.pop_back();
        }
    }
    const FilterPlace place = placeAfter(words, source.columns());
    if (!words.empty() && isLabelBegin(words.back()) && place.column && source.columns()[*place.column].hasBeside &&
        place.expectsValue()) {
        completion.begin = words.back().begin;
        stem = words.back().text + " · " + stem;
    }
    Candidates candidates(stem);
    addExpected(candidates, place, source, cancel);
    completion.words = candidates.best();
    return completion;
}

}  // namespace altiscope
