#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace altiscope::cli {

/// Buffered standard output that notices when writing fails. SIGPIPE must be ignored, see main.cpp. One thread.
class Output {
public:
    enum class State {
        Good,
        ReaderGone,  ///< The pipe's other end was closed: nobody wants more. Not a failure.
        Failed,      ///< The system refused (disk full, ...); see reason().
    };

    explicit Output(int descriptor) : m_descriptor(descriptor) {}
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    /// @return False once nothing more can be written; then the caller stops.
    bool write(std::string_view text);
    bool flush();

    State state() const { return m_state; }
    /// The system's text for a failure, e.g. "No space left on device".
    const std::string& reason() const { return m_reason; }

private:
    static constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

    int m_descriptor;
    std::string m_buffer;
    State m_state = State::Good;
    std::string m_reason;
};

}  // namespace altiscope::cli
