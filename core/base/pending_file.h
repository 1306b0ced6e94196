#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace altiscope {

/// A new file under a temporary name ("NAME.tmp.<process>.<random>", in the same folder) that takes its real name, and the
/// place of a file that has it, when it is complete, and vanishes otherwise. A pipe or device is written to as it is. One
/// thread.
class PendingFile {
public:
    enum class Access {
        Owner,   ///< Only its owner may read it.
        Shared,  ///< As the user's mask lets new files be.
    };

    PendingFile(const std::filesystem::path& path, Access access);
    ~PendingFile();
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;

    /// False if it could not be made, see problem().
    bool opened() const { return m_descriptor >= 0; }
    /// @return False once something could not be written; see problem().
    bool write(std::string_view bytes);
    /// Gives it its name. No write may follow. Not synced: a power cut soon after may still lose content.
    bool keep();

    /// The system's text for what failed, e.g. "No space left on device".
    const std::string& problem() const { return m_problem; }

private:
    bool failed();

    std::filesystem::path m_path;
    std::string m_pending;
    std::string m_problem;
    int m_descriptor = -1;
    bool m_temporary = true;  ///< Still under a name that goes with it.
};

}  // namespace altiscope
