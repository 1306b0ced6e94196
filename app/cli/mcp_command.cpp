#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/open_capture.h"
#include "app/cli/output.h"
#include "core/report/mcp/mcp_server.h"

#include <array>
#include <cerrno>
#include <optional>

#include <poll.h>
#include <unistd.h>

namespace altiscope::cli {

namespace {

/// Lines of standard input, as they come.
class InputLines {
public:
    explicit InputLines(const CancelToken& cancel) : m_cancel(cancel) {}

    /// The next line without its end; nullopt at the end of the input, or once the program is to stop. Of a line that
    /// is longer than a message may be, its front.
    std::optional<std::string> next() {
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

private:
    bool readMore() {
        static constexpr int kWaitMs = 50;
        std::array<char, 65536> bytes{};
        while (!m_cancel.cancelled()) {
            pollfd wanted{STDIN_FILENO, POLLIN, 0};
            if (::poll(&wanted, 1, kWaitMs) <= 0) continue;
            const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) return false;
            const std::string_view read(bytes.data(), static_cast<std::size_t>(count));
            // What is too long is refused as a whole; its rest need not be kept.
            const std::size_t end = read.find('\n');
            if (m_pending.size() <= McpServer::kMaxMessage) m_pending += read;
            else if (end != std::string_view::npos) m_pending += read.substr(end);
            return true;
        }
        return false;
    }

    const CancelToken& m_cancel;
    std::string m_pending;
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
    const CommandWords words = readWords(arguments);
    if (!words.problem.empty()) return reportWrongUsage("mcp", words.problem);
    if (words.words.empty()) return reportWrongUsage("mcp", "A capture is missing.");
    WorkerArena arena(context.options.jobs);
    McpServer server(
        words.words, [&](const std::string& path) { return openCapture(path, context, arena); }, ALTI_VERSION,
        context.cancel);
    InputLines lines(context.cancel);
    while (const auto line = lines.next()) {
        if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
        std::optional<std::string> answer;
        arena.run([&] { answer = server.answer(*line); });
        if (answer && (!context.out.write(*answer + "\n") || !context.out.flush())) break;
    }
    return context.cancel.cancelled() ? kCancelled : kOk;
}

}  // namespace altiscope::cli
