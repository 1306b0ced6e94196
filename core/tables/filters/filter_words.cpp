#include "core/tables/filters/filter_expression.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>

#include "core/base/text/text.h"
#include "core/base/values/digits.h"

namespace altiscope {

namespace {

/// Bytes of characters beyond ASCII are letters: names of operators may have them.
bool isWordByte(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || std::isalnum(byte) != 0 || c == '_' || c == '.' || c == ':' || c == '@' || c == '/';
}

FilterWord quotedWord(std::string_view text, std::size_t begin) {
    FilterWord word{.kind = FilterWord::Kind::Text, .begin = begin, .end = text.size(), .text = {}, .unit = {}};
    for (std::size_t at = begin + 1; at < text.size(); ++at) {
        if (text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == text[begin] || text[at + 1] == '\\')) {
            // Other backslashes belong to regular expressions.
            word.text += text[++at];
        } else if (text[at] == text[begin]) {
            word.end = at + 1;
            return word;
        } else {
            word.text += text[at];
        }
    }
    return word;
}

/// End of the digits, the point and the exponent that begin there.
std::size_t numberEnd(std::string_view text, std::size_t at) {
    if (text[at] == '-' || text[at] == '+') ++at;
    while (at < text.size() && (isDigit(text[at]) || text[at] == '.' || text[at] == '_')) ++at;
    if (at + 1 >= text.size() || (text[at] != 'e' && text[at] != 'E')) return at;
    std::size_t digits = text[at + 1] == '-' || text[at + 1] == '+' ? at + 2 : at + 1;
    if (digits >= text.size() || !isDigit(text[digits])) return at;
    while (digits < text.size() && isDigit(text[digits])) ++digits;
    return digits;
}

FilterWord numberWord(std::string_view text, std::size_t begin) {
    const std::size_t at = numberEnd(text, begin);
    FilterWord word{.kind = FilterWord::Kind::Number, .begin = begin, .end = at, .text = {}, .unit = {}};
    std::copy_if(text.begin() + static_cast<std::ptrdiff_t>(begin), text.begin() + static_cast<std::ptrdiff_t>(at),
                 std::back_inserter(word.text), [](char c) { return c != '_' && c != '+'; });
    if (at < text.size() && text[at] == '%') {
        word.unit = "%";
        word.end = at + 1;
        return word;
    }
    // "100 us" is as good as "100us", but the words of the language are no units.
    std::size_t unit = at;
    while (unit < text.size() && text[unit] == ' ') ++unit;
    std::size_t end = unit;
    while (end < text.size() && (isWordByte(text[end]))) ++end;
    const std::string_view name = text.substr(unit, end - unit);
    if (name.empty() || name == "and" || name == "or" || name == "AND" || name == "OR") return word;
    word.unit = name;
    word.end = end;
    return word;
}

std::string quotedText(std::string_view text) {
    std::string literal = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') literal += '\\';
        literal += c;
    }
    return literal + '"';
}

}  // namespace

std::vector<FilterWord> filterWords(std::string_view text) {
    static constexpr std::array<std::string_view, 10> kOperators{"==", "!=", "<=", ">=", "!~", "=", "<", ">", "~", "!"};
    std::vector<FilterWord> words;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            ++at;
            continue;
        }
        FilterWord word{.kind = FilterWord::Kind::Wrong, .begin = at, .end = at + 1, .text = {}, .unit = {}};
        const bool signedNumber =
            (c == '-' || c == '+') && at + 1 < text.size() && (isDigit(text[at + 1]) || text[at + 1] == '.');
        if (c == '"' || c == '\'') {
            word = quotedWord(text, at);
        } else if (isDigit(c) || signedNumber || (c == '.' && at + 1 < text.size() && isDigit(text[at + 1]))) {
            word = numberWord(text, at);
        } else if (c == '(' || c == ')' || c == ',') {
            word.kind = c == '('   ? FilterWord::Kind::Open
                        : c == ')' ? FilterWord::Kind::Close
                                   : FilterWord::Kind::Comma;
        } else if (isWordByte(c)) {
            word.kind = FilterWord::Kind::Name;
            while (word.end < text.size() && (isWordByte(text[word.end]) || text[word.end] == '-')) ++word.end;
        } else {
            for (const std::string_view sign : kOperators) {
                if (text.substr(at, sign.size()) != sign || sign == "!") continue;
                word.kind = FilterWord::Kind::Operator;
                word.end = at + sign.size();
                break;
            }
        }
        if (word.text.empty() && word.kind != FilterWord::Kind::Text) word.text = text.substr(at, word.end - at);
        at = word.end;
        words.push_back(std::move(word));
    }
    return words;
}

std::string filterLiteral(const TableSource& source, std::size_t column, std::int64_t cell) {
    if (cell == kAbsentCell) return "none";
    switch (source.columns()[column].type) {
    case CellType::Integer: return std::to_string(cell);
    case CellType::Real: return shortestNumber(std::bit_cast<double>(cell));
    case CellType::Text: break;
    }
    return quotedText(source.text(column, cell));
}

std::string rowLiteral(const TableSource& source, std::size_t column, std::size_t row) {
    const std::string label = source.label(column, row);
    return label.empty() ? filterLiteral(source, column, source.cell(column, row)) : quotedText(label);
}

}  // namespace altiscope
