#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace altiscope::fuzz {

/// Folder of this program for its inputs; in memory where the system offers that. Removed at the end.
inline const std::filesystem::path& inputFolder() {
    static const struct Folder {
        std::filesystem::path path;

        Folder() {
            std::error_code error;
            const bool hasMemory = std::filesystem::is_directory("/dev/shm", error);
            std::string name =
                (hasMemory ? "/dev/shm" : std::filesystem::temp_directory_path().string()) + "/altiscope-fuzz-XXXXXX";
            if (::mkdtemp(name.data()) == nullptr) std::abort();
            path = name;
        }
        ~Folder() {
            std::error_code ignored;
            std::filesystem::remove_all(path, ignored);
        }
    } folder;
    return folder.path;
}

inline void writeInput(const std::filesystem::path& path, const std::uint8_t* data, std::size_t size) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) std::abort();
    if (size > 0) std::fwrite(data, 1, size, file);  // libFuzzer has a null pointer for the empty input.
    std::fclose(file);
}

}  // namespace altiscope::fuzz
