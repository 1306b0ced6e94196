#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace altiscope::pack {

/// A file without a name for what is ready before its place in a pack is known; it vanishes with this. One thread at a
/// time.
class SpoolFile {
public:
    /// @param folder  Where the pack will lie, so that there is room for both or for none.
    explicit SpoolFile(const std::filesystem::path& folder);
    ~SpoolFile();
    SpoolFile(const SpoolFile&) = delete;
    SpoolFile& operator=(const SpoolFile&) = delete;

    bool opened() const { return m_descriptor >= 0; }
    std::uint64_t size() const { return m_size; }
    /// Appends bytes. @return False once something could not be written; see problem().
    bool write(std::string_view bytes);
    /// Fills `out` with bytes that were written. @return False if the system refuses; see problem().
    bool read(std::uint64_t offset, std::span<char> out);
    /// The system's text for what failed.
    const std::string& problem() const { return m_problem; }

private:
    bool failed();

    int m_descriptor = -1;
    std::uint64_t m_size = 0;
    std::string m_problem;
};

}  // namespace altiscope::pack
