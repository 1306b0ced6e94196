#include "app/cli/output.h"

#include <cerrno>
#include <cstring>

#include <unistd.h>

namespace altiscope::cli {

bool Output::write(std::string_view text) {
    if (m_state != State::Good) return false;
    m_buffer += text;
    return m_buffer.size() < kBufferBytes || flush();
}

bool Output::flush() {
    std::string_view left = m_buffer;
    while (m_state == State::Good && !left.empty()) {
        const ssize_t written = ::write(m_descriptor, left.data(), left.size());
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
