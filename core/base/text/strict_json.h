#pragma once

#include <string>
#include <string_view>

namespace altiscope {

/// JSON that every reader takes: NaN and infinities, which Python writes bare, in quotes.
std::string strictJson(std::string_view json);

}  // namespace altiscope
