#pragma once

#include "core/base/values/cancel.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace altiscope::cli {

/// Buffered standard output that notices when writing fails, and waits for a slow reader no longer than the program is
/// wanted. SIGPIPE must be ignored, see main.cpp. One thread.
class Output {
public:
    enum class State {
        Good,
        ReaderGone,  ///< The pipe's other end was closed: nobody wants more. Not a failure.
        Failed,      ///< The system refused (disk full, ...); see reason().
        Cancelled,   ///< While the reader took nothing.
    };

    Output(int descriptor, CancelToken cancel);
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    /// On a terminal with escapes for what it would obey; otherwise as it is.
    /// @param text  Whole characters of UTF-8.
    /// @return False once nothing more can be written; then the caller stops.
    bool write(std::string_view text);
    bool flush();

    State state() const { return m_state; }
    /// The system's text for a failure, e.g. "No space left on device".
    const std::string& reason() const { return m_reason; }

private:
    static constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

    int m_descriptor;
    CancelToken m_cancel;
    std::size_t m_atOnce;  ///< Bytes that are written without a look whether to stop.
    bool m_isTerminal = false;
    std::string m_buffer;
    State m_state = State::Good;
    std::string m_reason;
};

}  // namespace altiscope::cli
