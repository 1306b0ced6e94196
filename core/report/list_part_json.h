#pragma once

#include "core/query/results/row_part.h"

#include <nlohmann/json.hpp>

namespace altiscope {

/// {"total","offset","next_offset"}: what a list that is written in part is a part of; next_offset is null where
/// nothing follows.
inline nlohmann::ordered_json listPartJson(ListPart part, std::size_t total) {
    const std::size_t end = boundsOf(part, total).second;
    nlohmann::ordered_json json{{"total", total}, {"offset", part.offset}, {"next_offset", nullptr}};
    if (end < total) json["next_offset"] = end;
    return json;
}

}  // namespace altiscope
