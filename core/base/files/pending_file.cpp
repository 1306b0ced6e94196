#include "core/base/files/pending_file.h"

#include "core/base/files/real_place.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace altiscope {

namespace {

/// How long nobody looks whether to stop.
constexpr int kWaitMs = 50;

/// Where the system shows an open file as a link, by which one without a name gets one.
std::string linkOf(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

}  // namespace

PendingFile::PendingFile(const std::filesystem::path& path, Access access, const CancelToken* cancel)
    : m_cancel(cancel), m_path(path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
        openStream(S_ISFIFO(status.st_mode));
    } else {
        std::error_code error;
        // Through a link the file that it points to is replaced, not the link.
        if (std::filesystem::is_symlink(path, error)) m_path = realPlace(path);
        const int mode = access == Access::Owner ? 0600 : 0666;
        openUnnamed(mode);
        if (m_descriptor < 0) {
            makePending([&] {
                m_descriptor = ::open(m_pending.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
                return m_descriptor >= 0;
            });
        }
    }
    if (m_descriptor < 0) failed();
}

void PendingFile::openStream(bool isPipe) {
    m_isStream = true;
    // A pipe that nobody reads refuses, and is tried again.
    while (goesOn()) {
        m_descriptor = ::open(m_path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        if (m_descriptor >= 0 || m_cancel == nullptr || !(errno == EINTR || (isPipe && errno == ENXIO))) return;
        ::poll(nullptr, 0, kWaitMs);
    }
    errno = ECANCELED;
}

void PendingFile::openUnnamed(int mode) {
    const std::string folder = m_path.has_parent_path() ? m_path.parent_path().string() : std::string(".");
    m_descriptor = ::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
    // Where /proc is not there it would never get a name.
    if (m_descriptor >= 0 && ::access(linkOf(m_descriptor).c_str(), F_OK) != 0)
        ::close(std::exchange(m_descriptor, -1));
}

template <class Make>
bool PendingFile::makePending(Make make) {
    static constexpr int kTries = 100;
    std::random_device random;
    for (int i = 0; i < kTries; ++i) {
        m_pending = m_path.string() + ".tmp." + std::to_string(::getpid()) + "." + std::to_string(random());
        if (make()) return true;
        if (errno != EEXIST) break;
    }
    m_pending.clear();
    return false;
}

PendingFile::~PendingFile() {
    if (!m_pending.empty()) ::unlink(m_pending.c_str());
    if (m_descriptor >= 0) ::close(m_descriptor);
}

bool PendingFile::failed() {
    if (m_problem.empty()) m_problem = std::strerror(errno);
    return false;
}

bool PendingFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        if (!goesOn()) {
            errno = ECANCELED;
            return failed();
        }
        // A slow disk must not keep a cancelled program for long.
        static constexpr std::size_t kMaxBytes = std::size_t{4} << 20;
        const ssize_t written = ::write(m_descriptor, bytes.data(), std::min(bytes.size(), kMaxBytes));
        if (written > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(written));
        } else if (written < 0 && errno == EAGAIN && m_isStream && m_cancel != nullptr) {
            pollfd wanted{m_descriptor, POLLOUT, 0};
            ::poll(&wanted, 1, kWaitMs);
        } else if (written == 0 || errno != EINTR) {
            if (written == 0) errno = EIO;
            return failed();
        }
    }
    return true;
}

bool PendingFile::rename() {
    if (::rename(m_pending.c_str(), m_path.c_str()) != 0) return failed();
    m_pending.clear();
    return true;
}

bool PendingFile::keep() {
    if (!m_problem.empty() || m_descriptor < 0) return false;
    if (m_isStream) return true;
    // A network's file system may report a full disk only when a descriptor is closed.
    const int second = ::fcntl(m_descriptor, F_DUPFD_CLOEXEC, 0);
    if (second >= 0 && ::close(second) != 0) return failed();
    if (!m_pending.empty()) return rename();
    const auto linkTo = [this](const std::string& name) {
        return ::linkat(AT_FDCWD, linkOf(m_descriptor).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    };
    if (linkTo(m_path.string())) return true;
    // A link never replaces a file.
    if (errno != EEXIST || !makePending([&] { return linkTo(m_pending); })) return failed();
    return rename();
}

}  // namespace altiscope
