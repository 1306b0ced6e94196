#pragma once

#include <nlohmann/json.hpp>

namespace altiscope {

using McpObject = nlohmann::ordered_json;

}  // namespace altiscope
