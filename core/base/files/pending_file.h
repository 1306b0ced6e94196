#pragma once

#include "core/base/values/cancel.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace altiscope {

/// A new file that takes its name, and the place of a file that has it, when it is complete, and vanishes otherwise.
/// Until then it has no name where the file system can do that, so that nothing is left however the program ends, and
/// else a temporary one ("NAME.tmp.<process>.<random>", in the same folder). A pipe or device is written to as it is.
/// One thread.
class PendingFile {
public:
    enum class Access {
        Owner,   ///< Only its owner may read it.
        Shared,  ///< As the user's mask lets new files be.
    };

    /// @param cancel  Ends the wait for a pipe's reader, and for a device, within 50 ms; also every write after it.
    ///                Null: nothing is waited for, and a pipe that takes nothing at the moment is a failure. Must
    ///                outlive this.
    PendingFile(const std::filesystem::path& path, Access access, const CancelToken* cancel = nullptr);
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
    bool goesOn() const { return m_cancel == nullptr || !m_cancel->cancelled(); }
    void openStream(bool isPipe);
    void openUnnamed(int mode);
    /// A temporary name that nobody has; `make` makes a file of that name, or fails with EEXIST.
    template <class Make>
    bool makePending(Make make);
    bool rename();

    const CancelToken* m_cancel;
    std::filesystem::path m_path;
    std::string m_pending;  ///< Empty: has no name.
    std::string m_problem;
    int m_descriptor = -1;
    bool m_isStream = false;  ///< A pipe or device.
};

}  // namespace altiscope
