// Cancels imports of a capture at random moments, from the first look at the folder to the seal, and prints one JSON
// object:
// how long the slowest and the median one took to stop.
// Usage: bench_cancel CAPTURE [TIMES]
#include "core/base/parallel.h"
#include "core/import/import_capture.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <thread>
#include <vector>

using namespace altiscope;
using Clock = std::chrono::steady_clock;

namespace {

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Seconds from the cancel to the end of the import; nullopt if it had ended before.
std::optional<double> cancelAfter(const char* path, double seconds) {
    WorkerArena arena;
    ProgressSlot progress;
    const CancelToken cancel;
    std::atomic<bool> ended{false};
    std::thread import([&] {
        arena.run([&] { static_cast<void>(reader::importCapture(path, {}, progress, cancel)); });
        ended = true;
    });
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    const bool isLate = ended.load();
    const auto start = Clock::now();
    cancel.requestCancel();
    import.join();
    return isLate ? std::nullopt : std::optional(secondsSince(start));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_cancel CAPTURE [TIMES]\n");
        return 2;
    }
    const int times = argc > 2 ? std::atoi(argv[2]) : 200;
    const auto start = Clock::now();
    cancelAfter(argv[1], 1e-6);
    {
        WorkerArena arena;
        ProgressSlot progress;
        arena.run([&] { static_cast<void>(reader::importCapture(argv[1], {}, progress, {})); });
    }
    std::mt19937 random(1);
    std::uniform_real_distribution<double> moment(0, secondsSince(start));
    std::vector<double> stops;
    while (static_cast<int>(stops.size()) < times) {
        if (const auto stop = cancelAfter(argv[1], moment(random))) stops.push_back(*stop);
    }
    std::sort(stops.begin(), stops.end());
    std::printf("{\"cancels\": %zu, \"slowest_ms\": %.1f, \"median_ms\": %.1f}\n", stops.size(), stops.back() * 1e3,
                stops[stops.size() / 2] * 1e3);
    return 0;
}
