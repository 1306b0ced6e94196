#include "core/base/files/own_program.h"

#include <string_view>
#include <system_error>

namespace altiscope {

std::filesystem::path ownProgram() {
    std::error_code error;
    const auto executable = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? std::filesystem::path() : programOf(executable);
}

std::filesystem::path programOf(const std::filesystem::path& executable) {
    static constexpr std::string_view kName = "altiscope-cli", kLoader = "ld-";
    if (!executable.filename().string().starts_with(kLoader)) return executable;
    const auto libraries = executable.parent_path();
    const auto starter = libraries.parent_path() / kName;
    std::error_code error;
    const bool isOurs =
        std::filesystem::is_regular_file(libraries / kName, error) && std::filesystem::is_regular_file(starter, error);
    return isOurs ? starter : executable;
}

}  // namespace altiscope
