#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace altiscope::capture {

using Integers = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

/// A JSON object that is handed on as it is.
struct JsonObject {
    std::string text;  ///< In one line.
    friend bool operator==(const JsonObject&, const JsonObject&) = default;
};

/// Value of a field of a capture method. monostate is null ("not set", or what the tool takes for "none").
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, Integers, Texts, JsonObject>;

/// The value as JSON, in one line.
std::string jsonText(const Value& value);
/// The value as YAML in flow style. Texts that YAML would take for something else are quoted.
std::string yamlText(const Value& value);
/// The value as a Python literal.
std::string pythonText(const Value& value);
/// The value for messages and options: texts without quotes, lists separated by `separator`.
std::string plainText(const Value& value, std::string_view separator = ",");

/// The value that a JSON text holds; nullopt for mixed lists, deep nesting and what is no JSON. Empty
/// lists are Texts.
std::optional<Value> valueOfJson(std::string_view json);
/// The value that a YAML scalar or flow list holds, as YAML 1.1 reads it (yes, on, ~); nullopt for mappings and
/// nested lists.
std::optional<Value> valueOfYaml(std::string_view yaml);

/// Equal in meaning: an empty list is empty whatever its elements would be, 1 is 1.0.
bool sameValue(const Value& a, const Value& b);

}  // namespace altiscope::capture
