#include "app/cli/open_capture.h"

#include "core/query/capture_summary.h"
#include "core/session/cache_folder.h"
#include "core/session/capture_loader.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <optional>
#include <thread>

#include <unistd.h>

namespace altiscope::cli {

namespace {

/// Shows progress on a line of the terminal until it is destroyed, then wipes the line.
class ProgressLine {
public:
    ProgressLine(const ProgressSlot& slot, bool shown) {
        if (!shown) return;
        m_thread = std::thread([this, &slot] {
            while (!m_over.load()) {
                const ProgressValue value = slot.sample();
                const double percent =
                    value.total == 0 ? 0 : 100.0 * static_cast<double>(value.done) / static_cast<double>(value.total);
                std::fprintf(stderr, "\r\033[K%5.1f %%  %s", percent, value.file.c_str());
                std::fflush(stderr);
                std::this_thread::sleep_for(std::chrono::milliseconds(100));
            }
            std::fprintf(stderr, "\r\033[K");
        });
    }
    ~ProgressLine() {
        m_over = true;
        if (m_thread.joinable()) m_thread.join();
    }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

private:
    std::atomic<bool> m_over{false};
    std::thread m_thread;
};

}  // namespace

Result<std::shared_ptr<const CaptureStore>> openCapture(const std::string& path, CommandContext& context,
                                                        WorkerArena& arena) {
    LoadOptions options;
    if (!context.options.noCache) options.cacheFolder = cacheFolder(context.options.cacheDir);
    ProgressSlot progress;
    const ProgressLine line(progress, !context.options.quiet && ::isatty(STDERR_FILENO) == 1);
    std::optional<Result<std::shared_ptr<const CaptureStore>>> loaded;
    arena.run([&] { loaded = loadCapture(path, options, progress, context.cancel); });
    return std::move(*loaded);
}

void printDiagnostics(const CaptureStore& capture, const CommandContext& context) {
    if (!context.options.diagnostics) return;
    for (const Diagnostic& entry : diagnosticsOf(capture)) printMessage(diagnosticText(entry));
}

int statusOf(const CaptureStore& capture, const CommandContext& context) {
    if (isUnreadable(capture)) return kFailed;
    return context.options.strict && holdsPartialData(capture) ? kPartialData : kOk;
}

}  // namespace altiscope::cli
