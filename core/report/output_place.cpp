#include "core/report/output_place.h"

#include <algorithm>

namespace altiscope {

bool liesInCapture(const std::filesystem::path& capture, const std::filesystem::path& file) {
    std::error_code error;
    const auto evidence = std::filesystem::weakly_canonical(capture, error);
    if (error) return false;
    const auto target = std::filesystem::weakly_canonical(std::filesystem::absolute(file), error);
    if (error) return false;
    const auto differs = std::mismatch(evidence.begin(), evidence.end(), target.begin(), target.end());
    return differs.first == evidence.end();
}

}  // namespace altiscope
