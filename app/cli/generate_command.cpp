#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/base/catalogue.h"
#include "core/base/parallel.h"
#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/generate/generate_capture.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <optional>
#include <thread>

#include <unistd.h>

namespace altiscope::cli {

namespace {

double megabytes(std::uint64_t bytes) { return static_cast<double>(bytes) / 1e6; }

/// Shows on a line of the terminal how much was written until it is destroyed, then wipes the line.
class WrittenLine {
public:
    WrittenLine(const ProgressSlot& slot, bool shown) {
        if (!shown) return;
        m_thread = std::thread([this, &slot] {
            while (!m_over.load()) {
                std::fprintf(stderr, "\r\033[K%.1f MB", megabytes(slot.sample().done));
                std::fflush(stderr);
                std::this_thread::sleep_for(std::chrono::milliseconds(100));
            }
            std::fprintf(stderr, "\r\033[K");
        });
    }
    ~WrittenLine() {
        m_over = true;
        if (m_thread.joinable()) m_thread.join();
    }
    WrittenLine(const WrittenLine&) = delete;
    WrittenLine& operator=(const WrittenLine&) = delete;

private:
    std::atomic<bool> m_over{false};
    std::thread m_thread;
};

std::string summaryJson(const std::string& path, const generate::GenerateSummary& summary) {
    return "{\"path\":" + jsonQuoted(path) + ",\"ranks\":" + std::to_string(summary.ranks) +
           ",\"steps\":" + std::to_string(summary.steps) + ",\"layers\":" + std::to_string(summary.layers) +
           ",\"bytes\":" + std::to_string(summary.bytes) + "}\n";
}

std::string summaryText(const std::string& path, const generate::GenerateSummary& summary) {
    char size[32];
    std::snprintf(size, sizeof size, "%.1f MB", megabytes(summary.bytes));
    return path + ": ranks " + std::to_string(summary.ranks) + ", steps " + std::to_string(summary.steps) +
           ", layers " + std::to_string(summary.layers) + ", " + size + "\n";
}

}  // namespace

std::string_view generateHelp() {
    return "usage: altiscope-cli generate OUT [--format text] [--ranks N] [--steps N] [--layers N] [--size BYTES] "
           "[--seed N]\n"
           "\n"
           "Makes a synthetic capture of a transformer in training: OUT/rankR_ascend_pt/... for every rank, and\n"
           "OUT/truth.json with what was written. OUT must not exist, or be an empty folder. The same options give "
           "the\n"
           "same bytes.\n"
           "  --format text   text export of torch_npu (the only format so far)\n"
           "  --ranks N       ranks of the run (2)\n"
           "  --steps N       profiled steps (2)\n"
           "  --layers N      layers of the model (4)\n"
           "  --size BYTES    bytes of one rank, approximately; also 500k, 20M, 1G. Chooses what --steps and --layers\n"
           "                  leave open\n"
           "  --seed N        another run of the same kind (1)\n";
}

int runGenerate(std::span<const std::string> arguments, CommandContext& context) {
    const auto options = generate::parseGenerateOptions(arguments);
    if (!options.ok()) return reportWrongUsage("generate", errorText(options.error(), "en"));

    WorkerArena arena(context.options.jobs);
    ProgressSlot progress;
    std::optional<Result<generate::GenerateSummary>> made;
    {
        const WrittenLine line(progress, !context.options.quiet && ::isatty(STDERR_FILENO) == 1);
        arena.run([&] { made = generate::generateCapture(options.value(), progress, context.cancel); });
    }
    if (made->cancelled()) return kCancelled;
    if (made->failed() && generate::isWrongUsage(made->error())) {
        return reportWrongUsage("generate", errorText(made->error(), "en"));
    }
    if (made->failed()) return reportError(made->error());
    const std::string path = options.value().output.string();
    context.out.write(context.options.json ? summaryJson(path, made->value()) : summaryText(path, made->value()));
    return kOk;
}

}  // namespace altiscope::cli
