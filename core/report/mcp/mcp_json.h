#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace altiscope {

using McpObject = nlohmann::ordered_json;

/// One line; bytes that are no UTF-8 are replaced.
inline std::string mcpText(const nlohmann::ordered_json& json) {
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace altiscope
