#pragma once

#include <cstddef>
#include <cstdint>
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
    MappedFile(void* data, std::size_t size);
    void* m_data;
    std::size_t m_size;
};

/// Bytes of memory that this process should stay below as long as mapped files can give some back; 0: no limit, as at
/// the start. Any thread.
void setResidentLimit(std::uint64_t bytes);
/// Gives back the memory of all mapped files if the process has more than its limit: what is looked at next is read
/// from the file again, which the system often still has. To be called after something that may have read much.
/// Any thread. Reads a small file of /proc; above the limit O(mapped files).
/// @return Whether memory was given back.
bool keepBelowResidentLimit();

}  // namespace altiscope
