#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace altiscope {

// Text and values of nlohmann's JSON. Its reader and writer are templates of which each use costs seconds of compiling:
// they are compiled here alone.

/// The parser does not recurse; what walks a deep value may.
/// @param errorByte  Unless null: how many bytes were read until the text was clearly no JSON; 0 if that is about a
///     number beyond all bounds.
/// @return A value that is_discarded() if the text is no JSON.
nlohmann::json parseJson(std::string_view text, std::size_t* errorByte = nullptr);
/// The same with the keys of objects in the order of the text. Slow for objects with many keys.
nlohmann::ordered_json parseOrderedJson(std::string_view text, std::size_t* errorByte = nullptr);

/// Whether it is JSON: less work than to parse it.
bool isJson(std::string_view text);

/// @param indent  Of each level; negative: all in one line. Bytes of texts that are no UTF-8 are replaced.
std::string dumpJson(const nlohmann::json& value, int indent = -1);
std::string dumpJson(const nlohmann::ordered_json& value, int indent = -1);
/// A text without its quotes, as it is; any other value as dumpJson().
std::string plainJson(const nlohmann::json& value);
std::string plainJson(const nlohmann::ordered_json& value);

}  // namespace altiscope
