#include "core/base/files/real_place.h"

#include <system_error>

namespace altiscope {

std::filesystem::path realPlace(const std::filesystem::path& path) {
    static constexpr int kLinks = 40;  // as the kernel
    std::error_code error;
    std::filesystem::path at = std::filesystem::absolute(path, error);
    for (int i = 0; i < kLinks && std::filesystem::is_symlink(at, error); ++i) {
        const std::filesystem::path target = std::filesystem::read_symlink(at, error);
        if (error) break;
        at = target.is_absolute() ? target : at.parent_path() / target;
    }
    std::filesystem::path real = std::filesystem::weakly_canonical(at, error);
    return error ? at.lexically_normal() : real;
}

}  // namespace altiscope
