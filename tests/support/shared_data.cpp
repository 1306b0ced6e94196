#include "tests/support/shared_data.h"

#include <cstdlib>

namespace altiscope::test {

std::optional<std::filesystem::path> sharedData(const std::string& relative) {
    const char* root = std::getenv("ALTI_SHARED_DATA");
    if (root == nullptr) return std::nullopt;
    std::filesystem::path path = std::filesystem::path(root) / relative;
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return std::nullopt;
    return std::filesystem::canonical(path);
}

}  // namespace altiscope::test
