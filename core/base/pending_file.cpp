#include "core/base/pending_file.h"

#include <cerrno>
#include <cstring>
#include <random>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace altiscope {

PendingFile::PendingFile(const std::filesystem::path& path, Access access) : m_path(path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        m_temporary = false;
        m_descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    } else {
        // Through a link the file that it points to is replaced, not the link.
        if (std::filesystem::is_symlink(path, error)) m_path = std::filesystem::weakly_canonical(path, error);
        static constexpr int kTries = 100;
        std::random_device random;
        for (int i = 0; i < kTries && m_descriptor < 0; ++i) {
            m_pending = m_path.string() + ".tmp." + std::to_string(::getpid()) + "." + std::to_string(random());
            m_descriptor = ::open(m_pending.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, access == Access::Owner ? 0600 : 0666);
            if (m_descriptor < 0 && errno != EEXIST) break;
        }
    }
    if (m_descriptor < 0) failed();
}

PendingFile::~PendingFile() {
    if (m_descriptor < 0) return;
    ::close(m_descriptor);
    if (m_temporary) ::unlink(m_pending.c_str());
}

bool PendingFile::failed() {
    if (m_problem.empty()) m_problem = std::strerror(errno);
    return false;
}

bool PendingFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return failed();
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

bool PendingFile::keep() {
    if (!m_problem.empty()) return false;
    if (m_temporary && ::rename(m_pending.c_str(), m_path.c_str()) != 0) return failed();
    m_temporary = false;
    return true;
}

}  // namespace altiscope
