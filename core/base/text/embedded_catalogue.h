#pragma once

#include <string_view>

namespace altiscope {

/// The bytes of resources/i18n/catalogue.ini as they were when the program was built (packaging/cmake/EmbedText.cmake).
/// Valid for the life of the program; any thread; O(1).
std::string_view embeddedCatalogue();

}  // namespace altiscope
