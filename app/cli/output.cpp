#include "app/cli/output.h"

#include "core/base/text/printable_text.h"
#include "core/base/text/text.h"
#include "core/base/values/digits.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <utility>

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace altiscope::cli {

namespace {

void appendCodeUnit(std::string& text, std::uint32_t unit) {
    text += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) text += hexDigit(unit >> static_cast<unsigned>(shift));
}

/// With escapes of JSON for what a terminal obeys, ends of lines and tabs apart: a table for programs shows what a
/// capture's names are, and JSON means the same as before.
std::string forTerminal(std::string_view text) {
    const std::string repaired = isValidUtf8(text) ? std::string(text) : repairedUtf8(text);
    std::string shown;
    for (std::string_view rest = repaired; !rest.empty();) {
        const std::string_view before = rest;
        const std::uint32_t c = takeUtf8Char(rest);
        const std::string_view character = before.substr(0, before.size() - rest.size());
        const bool isLayout = c == '\n' || c == '\t' || (c == '\r' && rest.starts_with('\n'));
        const bool isPlain = isLayout || (c >= ' ' && c <= '~') || printableText(character) == character;
        if (isPlain) {
            shown += character;
        } else if (c <= 0xffff) {
            appendCodeUnit(shown, c);
        } else {
            appendCodeUnit(shown, 0xd800 + ((c - 0x10000) >> 10U));
            appendCodeUnit(shown, 0xdc00 + (c & 0x3ffU));
        }
    }
    return shown;
}

}  // namespace

Output::Output(int descriptor, CancelToken cancel) : m_descriptor(descriptor), m_cancel(std::move(cancel)) {
    struct stat status {};
    const bool isFile = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    // A pipe that is ready takes at least so much without waiting. The descriptor is shared with other programs, so it
    // cannot be made not to wait.
    m_atOnce = isFile ? kBufferBytes : PIPE_BUF;
    m_isTerminal = ::isatty(descriptor) == 1;
}

bool Output::write(std::string_view text) {
    if (m_state != State::Good) return false;
    if (m_isTerminal) m_buffer += forTerminal(text);
    else m_buffer += text;
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
