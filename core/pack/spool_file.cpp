#include "core/pack/spool_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

namespace altiscope::pack {

namespace {

/// A slow disk must not keep a cancelled program for long.
constexpr std::size_t kSpooledAtOnce = std::size_t{4} << 20;

}  // namespace

SpoolFile::SpoolFile(const std::filesystem::path& folder) {
    const std::string place = folder.empty() ? std::string(".") : folder.string();
    m_descriptor = ::open(place.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    if (m_descriptor < 0) {
        // Some file systems have only files with names.
        std::string name = place + "/.altipack.XXXXXX";
        m_descriptor = ::mkostemp(name.data(), O_CLOEXEC);
        if (m_descriptor >= 0) ::unlink(name.c_str());
    }
    if (m_descriptor < 0) failed();
}

SpoolFile::~SpoolFile() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

bool SpoolFile::failed() {
    if (m_problem.empty()) m_problem = std::strerror(errno);
    return false;
}

bool SpoolFile::write(std::string_view bytes) {
    if (!m_problem.empty()) return false;
    while (!bytes.empty()) {
        const ssize_t written =
            ::pwrite(m_descriptor, bytes.data(), std::min(bytes.size(), kSpooledAtOnce), static_cast<off_t>(m_size));
        if (written > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(written));
            m_size += static_cast<std::uint64_t>(written);
        } else if (written == 0 || errno != EINTR) {
            if (written == 0) errno = EIO;
            return failed();
        }
    }
    return true;
}

bool SpoolFile::read(std::uint64_t offset, std::span<char> out) {
    while (!out.empty()) {
        const ssize_t got =
            ::pread(m_descriptor, out.data(), std::min(out.size(), kSpooledAtOnce), static_cast<off_t>(offset));
        if (got > 0) {
            out = out.subspan(static_cast<std::size_t>(got));
            offset += static_cast<std::uint64_t>(got);
        } else if (got == 0 || errno != EINTR) {
            if (got == 0) errno = EIO;
            return failed();
        }
    }
    return true;
}

}  // namespace altiscope::pack
