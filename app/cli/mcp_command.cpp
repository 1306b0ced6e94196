#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/open_capture.h"
#include "app/cli/output.h"
#include "core/report/mcp/mcp_server.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include <poll.h>
#include <unistd.h>

namespace altiscope::cli {

namespace {

/// Lines of standard input, as they come. A thread reads them, so that a message may cancel what is being worked on. Of
/// a line that is longer than a message may be, its front.
class InputLines {
public:
    /// More wait in the pipe.
    static constexpr std::size_t kMaxWaiting = 100;

    InputLines(const CancelToken& cancel, McpServer& server)
        : m_cancel(cancel), m_server(server), m_reader([this] { readAll(); }) {}
    ~InputLines() {
        m_isOver = true;
        m_change.notify_all();
        m_reader.join();
    }

    /// nullopt at the end of the input, or once the program is to stop.
    std::optional<std::string> next() {
        std::unique_lock lock(m_mutex);
        m_change.wait(lock, [this] { return !m_lines.empty() || m_isAtEnd; });
        if (m_lines.empty() || m_cancel.cancelled()) return std::nullopt;
        std::string line = std::move(m_lines.front());
        m_lines.pop_front();
        m_change.notify_all();
        return line;
    }

private:
    void readAll() {
        while (auto line = nextLine()) {
            if (m_server.takeCancellation(*line)) continue;
            std::unique_lock lock(m_mutex);
            while (m_lines.size() >= kMaxWaiting && !m_isOver && !m_cancel.cancelled())
                m_change.wait_for(lock, std::chrono::milliseconds(kWaitMs));
            m_lines.push_back(std::move(*line));
            m_change.notify_all();
        }
        if (m_cancel.cancelled()) m_server.stop();
        const std::lock_guard lock(m_mutex);
        m_isAtEnd = true;
        m_change.notify_all();
    }

    /// The next line without its end; nullopt at the end of the input, or once the program is to stop. Of a line that
    /// is longer than a message may be, its front.
    std::optional<std::string> nextLine() {
        for (;;) {
            const std::size_t end = m_pending.find('\n');
            if (end != std::string::npos) {
                std::string line = m_pending.substr(0, end);
                m_pending.erase(0, end + 1);
                return line;
            }
            if (!readMore()) return std::nullopt;
        }
    }

    bool readMore() {
        std::array<char, 65536> bytes{};
        while (!m_cancel.cancelled() && !m_isOver) {
            pollfd wanted{STDIN_FILENO, POLLIN, 0};
            if (::poll(&wanted, 1, kWaitMs) <= 0) continue;
            const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) return false;
            const std::string_view read(bytes.data(), static_cast<std::size_t>(count));
            // A line that is too long is refused as a whole; its rest need not be kept.
            const std::size_t end = read.find('\n');
            if (m_pending.size() <= McpServer::kMaxMessage) m_pending += read;
            else if (end != std::string_view::npos) m_pending += read.substr(end);
            return true;
        }
        return false;
    }

    static constexpr int kWaitMs = 50;

    const CancelToken& m_cancel;
    McpServer& m_server;
    std::string m_pending;
    std::mutex m_mutex;
    std::condition_variable m_change;
    std::deque<std::string> m_lines;
    bool m_isAtEnd = false;
    std::atomic<bool> m_isOver = false;
    std::thread m_reader;  // last: it uses all of these
};

}  // namespace

std::string_view mcpHelp() {
    return "usage: altiscope-cli mcp CAPTURE...\n"
           "\n"
           "Speaks the Model Context Protocol on standard input and output, so that an assistant can look into "
           "captures: it lists\n"
           "and describes them, runs read-only SQL, and reads findings, slices, sections of the report and "
           "comparisons. Nothing is\n"
           "written. Each answer has at most 100 kB and says how to go on.\n";
}

int runMcp(std::span<const std::string> arguments, CommandContext& context) {
    const CommandArguments words = readArguments(arguments);
    if (!words.problem.empty()) return reportWrongUsage("mcp", words.problem);
    if (words.words.empty()) return reportWrongUsage("mcp", "A capture is missing.");
    WorkerArena arena(context.options.jobs);
    McpServer server(
        words.words, [&](const std::string& path) { return openCapture(path, context, arena); }, ALTI_VERSION,
        context.cancel);
    InputLines lines(context.cancel, server);
    while (const auto line = lines.next()) {
        if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
        std::optional<std::string> answer;
        arena.run([&] { answer = server.answer(*line); });
        if (answer && (!context.out.write(*answer + "\n") || !context.out.flush())) break;
    }
    return context.cancel.cancelled() ? kCancelled : kOk;
}

}  // namespace altiscope::cli
