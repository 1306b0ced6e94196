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
};

/// "1 ·": what stands beside the number is to come.
bool isLabelBegin(const FilterWord& word) { return word.kind == FilterWord::Kind::Number && word.unit == kLabelDot; }

/// Follows the words as the parser would, without judging them.
FilterPlace placeAfter(std::span<const FilterWord> words, std::span<const TableColumn> columns) {
    using Kind = FilterWord::Kind;
    FilterPlace place;
    std::size_t end = 0;
    for (const FilterWord& word : words) {
        const bool labelled = place.column && columns[*place.column].hasBeside;
        // "2024_05-1" is one value, and so is "1 · run_2".
        const bool goesOn = labelled && word.begin == end && end > 0 && word.kind != Kind::Close &&
                            word.kind != Kind::Comma && word.kind != Kind::Operator;
        end = word.end;
        if (goesOn && (place.expected == Expected::Join || place.expected == Expected::ListNext)) continue;
        if (labelled && isLabelBegin(word) &&
            (place.expected == Expected::Value || place.expected == Expected::ListValue))
            continue;
        switch (place.expected) {
        case Expected::Operand:
            if (word.kind == Kind::Text) place.expected = Expected::Join;
            if (word.kind != Kind::Name || word.text == "not" || word.text == "NOT") break;
            place.column.reset();
            for (std::size_t i = 0; i < columns.size(); ++i) {
                if (columns[i].name == word.text) place.column = i;
            }
            // A bare word is looked for everywhere.
            place.expected = place.column ? Expected::Comparison : Expected::Join;
            break;
        case Expected::Comparison: place.expected = word.kind == Kind::Name ? Expected::List : Expected::Value; break;
        case Expected::List: place.expected = Expected::ListValue; break;
        case Expected::ListValue: place.expected = Expected::ListNext; break;
        case Expected::ListNext:
            place.expected = word.kind == Kind::Close ? Expected::Join : Expected::ListValue;
            break;
        case Expected::Value: place.expected = Expected::Join; break;
        case Expected::Join:
            if (word.kind == Kind::Operator) place.expected = Expected::Value;  // of a column that is not there
            else if (word.kind != Kind::Close) place.expected = Expected::Operand;
            break;
        }
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

}  // namespace

FilterCompletion completeFilter(std::string_view text, std::size_t cursor, const TableSource& source,
                                const CancelToken& cancel) {
    cursor = std::min(cursor, text.size());
    std::vector<FilterWord> words = filterWords(text.substr(0, cursor));
    FilterCompletion completion{.begin = cursor, .end = cursor, .words = {}};
    std::string stem;
    if (!words.empty() && words.back().end == cursor) {
        const FilterWord& last = words.back();
        const bool closed =
            last.kind == FilterWord::Kind::Text && last.end - last.begin > 1 && text[last.end - 1] == text[last.begin];
        // Nothing is missing of "1ms", and a word that followed at once would make it "1msand".
        if (closed || last.kind == FilterWord::Kind::Number || last.kind == FilterWord::Kind::Close) return completion;
        if (last.kind == FilterWord::Kind::Name || last.kind == FilterWord::Kind::Wrong ||
            (last.kind == FilterWord::Kind::Text && !closed)) {
            stem = last.text;
            completion.begin = last.begin;
            words.pop_back();
        }
    }
    const FilterPlace place = placeAfter(words, source.columns());
    if (!words.empty() && isLabelBegin(words.back()) && place.column && source.columns()[*place.column].hasBeside &&
        (place.expected == Expected::Value || place.expected == Expected::ListValue)) {
        completion.begin = words.back().begin;
        stem = words.back().text + " · " + stem;
    }
    Candidates candidates(stem);
    const auto addAll = [&candidates](std::initializer_list<std::string_view> list) {
        for (const std::string_view word : list) candidates.add(word, std::string(word));
    };
    switch (place.expected) {
    case Expected::Operand:
        for (const TableColumn& column : source.columns()) candidates.add(column.name, column.name);
        addAll({"not"});
        break;
    case Expected::Comparison:
        if (!place.column) break;
        if (source.columns()[*place.column].type == CellType::Text) {
            addAll({"=", "~", "!=", "!~", "in"});
        } else if (source.columns()[*place.column].hasBeside) {
            addAll({"=", "~", "!=", "!~", "in", ">", "<", ">=", "<="});
        } else {
            addAll({">", "<", ">=", "<=", "=", "!=", "in"});
        }
        break;
    case Expected::List: addAll({"("}); break;
    case Expected::Value:
    case Expected::ListValue:
        if (place.column) addValues(candidates, source, *place.column, cancel);
        break;
    case Expected::ListNext: addAll({",", ")"}); break;
    case Expected::Join: addAll({"and", "or"}); break;
    }
    completion.words = candidates.best();
    return completion;
}

}  // namespace altiscope
