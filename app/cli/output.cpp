#include "app/cli/output.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <utility>

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace altiscope::cli {

Output::Output(int descriptor, CancelToken cancel) : m_descriptor(descriptor), m_cancel(std::move(cancel)) {
    struct stat status {};
    const bool isFile = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    // A pipe that is ready takes at least so much without waiting. The descriptor is shared with other programs, so it
    // cannot be made not to wait.
    m_atOnce = isFile ? kBufferBytes : PIPE_BUF;
}

bool Output::write(std::string_view text) {
    if (m_state != State::Good) return false;
    m_buffer += text;
    return m_buffer.size() < kBufferBytes || flush();
}

bool Output::flush() {
    std::string_view left = m_buffer;
    while (m_state == State::Good && !left.empty()) {
        static constexpr int kWaitMs = 50;
        pollfd wanted{m_descriptor, POLLOUT, 0};
        // Also when a signal has ended the wait.
        if (::poll(&wanted, 1, kWaitMs) <= 0) {
            if (m_cancel.cancelled()) m_state = State::Cancelled;
            continue;
        }
        const ssize_t written = ::write(m_descriptor, left.data(), std::min(left.size(), m_atOnce));
        if (written >= 0) {
            left.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EPIPE) {
            m_state = State::ReaderGone;
        } else if (errno != EINTR) {
            m_state = State::Failed;
            m_reason = std::strerror(errno);
        }
    }
    m_buffer.clear();
    return m_state == State::Good;
}

}  // namespace altiscope::cli
