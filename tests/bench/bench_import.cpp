// Imports a capture as the programs do and prints one JSON object: seconds, peak memory, time until the first slices
// could be drawn, and the counts of what is in the sealed store.
// Usage: bench_import CAPTURE [THREADS] [--first-picture]
#include "core/base/threads/parallel.h"
#include "core/import/import_capture.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/resource.h>

using namespace altiscope;

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_import CAPTURE [THREADS] [--first-picture]\n");
        return 2;
    }
    WorkerArena arena(argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 0);
    const bool wantsFirstPicture = argc > 3 && std::strcmp(argv[3], "--first-picture") == 0;

    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [start] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    std::atomic<double> firstPicture{0};
    reader::ImportOptions options;
    if (wantsFirstPicture) {
        options.onUpdate = [&](const std::shared_ptr<const CaptureStore>& capture) {
            if (firstPicture.load() > 0) return;
            for (const RankEntry& rank : capture->ranks) {
                if (rank.trace && rank.trace->sliceCount() > 0) firstPicture = seconds();
            }
        };
    }
    ProgressSlot progress;
    std::optional<Result<std::shared_ptr<const CaptureStore>>> result;
    arena.run([&] { result = reader::importCapture(argv[1], options, progress, {}); });
    if (!result->ok()) {
        std::fprintf(stderr, "import failed: %s\n", result->failed() ? result->error().code.c_str() : "cancelled");
        return 1;
    }
    std::size_t slices = 0, samples = 0, flows = 0;
    for (const RankEntry& rank : result->value()->ranks) {
        if (!rank.trace) continue;
        slices += rank.trace->sliceCount();
        samples += rank.trace->columns().sampleTime.size();
        flows += rank.trace->flowCount();
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto secondsOf = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    std::printf(
        "{\"seconds\": %.4f, \"processor_s\": %.4f, \"peak_mb\": %.1f, \"first_picture_s\": %.4f, \"slices\": %zu, "
        "\"samples\": %zu, \"flows\": %zu}\n",
        seconds(), secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime), static_cast<double>(usage.ru_maxrss) / 1024.0,
        firstPicture.load(), slices, samples, flows);
    return 0;
}
