#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace altiscope {

/// Modules of CANN that reserve memory, by number. Source: core/import/database/FORMAT.md, ENUM_MODULE.
std::span<const std::pair<std::uint32_t, std::string_view>> moduleNames();

/// Empty: nobody has named it.
std::string_view moduleName(std::uint32_t module);

}  // namespace altiscope
