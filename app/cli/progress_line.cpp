#include "app/cli/progress_line.h"

#include "core/base/text/printable_text.h"

#include <chrono>
#include <cstdio>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace altiscope::cli {

ProgressLine::ProgressLine(const ProgressSlot& slot, const CommandContext& context, Text text) {
    if (context.options.quiet || ::isatty(STDERR_FILENO) != 1) return;
    const auto show = [this, &slot, text = std::move(text)] {
        while (!m_over.load()) {
            std::fprintf(stderr, "\r\033[K%s", text(slot.sample()).c_str());
            std::fflush(stderr);
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
        std::fprintf(stderr, "\r\033[K");
    };
    try {
        m_thread = std::thread(show);
    } catch (const std::system_error&) {  // no thread is left for it: work goes on without
    }
}

ProgressLine::~ProgressLine() {
    m_over = true;
    if (m_thread.joinable()) m_thread.join();
}

std::string percentText(const ProgressValue& value) {
    const double percent =
        value.total == 0 ? 0 : 100.0 * static_cast<double>(value.done) / static_cast<double>(value.total);
    char number[32];
    std::snprintf(number, sizeof number, "%5.1f %%", percent);
    return value.file.empty() ? number : std::string(number) + "  " + printableText(value.file);
}

std::string megabytesText(std::uint64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f MB", static_cast<double>(bytes) / 1e6);
    return text;
}

}  // namespace altiscope::cli
