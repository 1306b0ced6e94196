#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>

namespace altiscope {

/// A file of the cache in memory; unmapped when the last column that looks into it is gone. Only for local file
/// systems, and nobody else writes the user's cache: a mapped file that is cut by somebody else ends the program, by
/// SIGBUS, of which programs make a sentence.
class MappedFile {
public:
    /// @return Null for what cannot be opened, is empty, or is no regular file: a pipe of that name must not hang.
    /// Links are not followed.
    static std::shared_ptr<const MappedFile> open(const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::string_view bytes() const { return {static_cast<const char*>(m_data), m_size}; }

private:
    MappedFile(void* data, std::size_t size) : m_data(data), m_size(size) {}
    void* m_data;
    std::size_t m_size;
};

}  // namespace altiscope
