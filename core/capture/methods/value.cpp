#include "core/capture/methods/value.h"

#include "core/base/text/json_text.h"
#include "core/base/text/text.h"
#include "core/base/values/parse.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

namespace altiscope::capture {

namespace {

template <class List, class Element>
std::string listText(const List& list, std::string_view separator, Element element) {
    std::string text;
    for (const auto& item : list) {
        if (!text.empty()) text += separator;
        text += element(item);
    }
    return text;
}

/// How one language of configurations spells values.
struct Spelling {
    std::string_view null, yes, no;
    std::string (*quoted)(std::string_view);
};

std::string spelled(const Value& value, const Spelling& words) {
    if (const auto* flag = std::get_if<bool>(&value)) return std::string(*flag ? words.yes : words.no);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
    if (const auto* real = std::get_if<double>(&value)) return shortestNumber(*real);
    if (const auto* text = std::get_if<std::string>(&value)) return words.quoted(*text);
    if (const auto* list = std::get_if<Integers>(&value)) {
        return "[" + listText(*list, ", ", [](std::int64_t item) { return std::to_string(item); }) + "]";
    }
    if (const auto* list = std::get_if<Texts>(&value)) return "[" + listText(*list, ", ", words.quoted) + "]";
    if (const auto* object = std::get_if<JsonObject>(&value)) return object->text;
    return std::string(words.null);
}

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::optional<double> realNumber(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// A plain YAML scalar, that is one without quotes.
Value plainScalar(std::string_view text) {
    if (isOneOf(text, {"", "~", "null", "Null", "NULL"})) return {};
    if (isOneOf(text, {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"})) return true;
    if (isOneOf(text, {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"})) return false;
    if (const auto whole = wholeNumber(text)) return *whole;
    if (text.find_first_of("0123456789") != std::string_view::npos) {
        if (const auto real = realNumber(text)) return *real;
    }
    return std::string(text);
}

std::string yamlQuoted(std::string_view text) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_./-").find(c) != std::string_view::npos;
    };
    const bool safe = !text.empty() && text[0] != '-' && std::all_of(text.begin(), text.end(), plain) &&
                      std::holds_alternative<std::string>(plainScalar(text));
    return safe ? std::string(text) : jsonQuoted(text);
}

/// A quoted YAML scalar without its quotes; nullopt if it has none around it.
std::optional<std::string> unquoted(std::string_view text) {
    if (text.size() < 2 || text.front() != text.back()) return std::nullopt;
    if (text.front() == '"') {
        const auto parsed = parseJson(text);
        if (parsed.is_string()) return parsed.get<std::string>();
        return std::nullopt;
    }
    if (text.front() != '\'') return std::nullopt;
    std::string plain;
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
        if (text[i] == '\'') ++i;  // '' stands for one
        plain += text[i];
    }
    return plain;
}

std::optional<Value> valueOfItems(std::span<const Value> items) {
    Integers integers;
    Texts texts;
    for (const Value& item : items) {
        if (const auto* whole = std::get_if<std::int64_t>(&item)) integers.push_back(*whole);
        else if (const auto* text = std::get_if<std::string>(&item)) texts.push_back(*text);
        else return std::nullopt;
    }
    if (!integers.empty() && !texts.empty()) return std::nullopt;
    return integers.empty() ? Value(std::move(texts)) : Value(std::move(integers));
}

// Far beyond any setting; what reads and writes the value recurses, which the library's parser does not.
constexpr int kMaxNesting = 64;

/// Recurses so deep at most.
bool isDeeper(const nlohmann::json& node, int depth) {
    if (!node.is_structured()) return false;
    return depth == 0 ||
           std::any_of(node.begin(), node.end(), [&](const auto& item) { return isDeeper(item, depth - 1); });
}

std::optional<Value> valueOfNode(const nlohmann::json& node) {
    if (node.is_null()) return Value();
    if (node.is_boolean()) return Value(node.get<bool>());
    if (node.is_number_unsigned() && node.get<std::uint64_t>() > INT64_MAX) return Value(node.get<double>());
    if (node.is_number_integer()) return Value(node.get<std::int64_t>());
    if (node.is_number()) return Value(node.get<double>());
    if (node.is_string()) return Value(node.get<std::string>());
    if (node.is_object()) return Value(JsonObject{dumpJson(node)});
    if (!node.is_array()) return std::nullopt;
    std::vector<Value> items;
    for (const auto& item : node) {
        const auto value = valueOfNode(item);
        if (!value) return std::nullopt;
        items.push_back(*value);
    }
    return valueOfItems(items);
}

}  // namespace

std::string jsonText(const Value& value) { return spelled(value, {"null", "true", "false", jsonQuoted}); }

std::string yamlText(const Value& value) { return spelled(value, {"null", "true", "false", yamlQuoted}); }

// A JSON string is a Python literal too: both know \uXXXX and the short escapes.
std::string pythonText(const Value& value) { return spelled(value, {"None", "True", "False", jsonQuoted}); }

std::string plainText(const Value& value, std::string_view separator) {
    if (const auto* list = std::get_if<Integers>(&value)) {
        return listText(*list, separator, [](std::int64_t item) { return std::to_string(item); });
    }
    const auto same = [](std::string_view text) { return std::string(text); };
    if (const auto* list = std::get_if<Texts>(&value)) return listText(*list, separator, same);
    return spelled(value, {"null", "true", "false", +same});
}

std::optional<Value> valueOfJson(std::string_view json) {
    const auto node = parseJson(json);
    return node.is_discarded() || isDeeper(node, kMaxNesting) ? std::nullopt : valueOfNode(node);
}

std::optional<Value> valueOfYaml(std::string_view yaml) {
    const std::string_view text = trimmed(yaml);
    if (auto inner = unquoted(text)) return Value(std::move(*inner));
    if (text.starts_with('{') || text.starts_with('"') || text.starts_with('\'')) return std::nullopt;
    if (!text.starts_with('[')) return plainScalar(text);
    if (!text.ends_with(']')) return std::nullopt;
    std::vector<Value> items;
    for (std::string_view rest = trimmed(text.substr(1, text.size() - 2)); !rest.empty();) {
        std::size_t end = 0;
        const char quote = rest[0] == '"' || rest[0] == '\'' ? rest[0] : '\0';
        if (quote != '\0') end = rest.find(quote, 1);
        if (end == std::string_view::npos) return std::nullopt;
        end = std::min(rest.find(',', end), rest.size());
        const std::string_view item = trimmed(rest.substr(0, end));
        if (item.find_first_of("[]{}") != std::string_view::npos) return std::nullopt;
        if (auto inner = unquoted(item)) items.emplace_back(std::move(*inner));
        else items.push_back(plainScalar(item));
        rest = trimmed(rest.substr(std::min(end + 1, rest.size())));
    }
    return valueOfItems(items);
}

bool sameValue(const Value& a, const Value& b) {
    const auto isEmptyList = [](const Value& value) {
        const auto* integers = std::get_if<Integers>(&value);
        const auto* texts = std::get_if<Texts>(&value);
        return (integers != nullptr && integers->empty()) || (texts != nullptr && texts->empty());
    };
    if (isEmptyList(a) && isEmptyList(b)) return true;
    const auto number = [](const Value& value) -> std::optional<double> {
        if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
        if (const auto* real = std::get_if<double>(&value)) return *real;
        return std::nullopt;
    };
    if (a.index() != b.index()) return number(a) && number(a) == number(b);
    return a == b;
}

}  // namespace altiscope::capture
