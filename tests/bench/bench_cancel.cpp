// Cancels work at random moments and prints one JSON object: how long the slowest, one in a hundred and the median one
// took to stop. The work is the import of a capture, from the first look at the folder to the seal and the cache entry,
// or statements over huge values.
// Usage: bench_cancel CAPTURE [TIMES [CACHE]]    CACHE: a folder of the benchmark's own, emptied before each import
//        bench_cancel --statements [TIMES]
#include "core/base/parallel.h"
#include "core/import/import_capture.h"
#include "core/query/database.h"
#include "core/query/statement_limits.h"
#include "core/store/cache/store_cache.h"
#include "core/store/capture_store.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace altiscope;
using Clock = std::chrono::steady_clock;

namespace {

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Seconds from the cancel to the end of the work; nullopt if it had ended before.
std::optional<double> cancelAfter(double seconds, const std::function<void(const CancelToken&)>& work) {
    const CancelToken cancel;
    std::atomic<bool> ended{false};
    std::thread worker([&] {
        WorkerArena arena;
        arena.run([&] { work(cancel); });
        ended = true;
    });
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    const bool isLate = ended.load();
    const auto start = Clock::now();
    cancel.requestCancel();
    worker.join();
    return isLate ? std::nullopt : std::optional(secondsSince(start));
}

void print(std::vector<double> stops) {
    std::sort(stops.begin(), stops.end());
    const auto milliseconds = [&stops](std::size_t percent) {
        return stops[std::min(stops.size() - 1, stops.size() * percent / 100)] * 1e3;
    };
    std::printf("{\"cancels\": %zu, \"slowest_ms\": %.1f, \"p99_ms\": %.1f, \"median_ms\": %.1f}\n", stops.size(),
                milliseconds(100), milliseconds(99), milliseconds(50));
}

void cancelImports(const std::filesystem::path& capture, std::size_t times, const std::filesystem::path& cacheFolder) {
    const auto import = [&](const CancelToken& cancel) {
        std::optional<StoreCache> cache;
        reader::ImportOptions options;
        if (!cacheFolder.empty()) options.cache = &cache.emplace(cacheFolder);
        ProgressSlot progress;
        static_cast<void>(reader::importCapture(capture, options, progress, cancel));
    };
    const auto empty = [&cacheFolder] {
        std::error_code error;
        if (!cacheFolder.empty()) std::filesystem::remove_all(cacheFolder, error);
    };
    double whole = 0;
    for (int warm = 0; warm < 2; ++warm) {
        empty();
        const auto start = Clock::now();
        WorkerArena().run([&] { import({}); });
        whole = secondsSince(start);
    }
    std::mt19937 random(1);
    std::uniform_real_distribution<double> moment(0, whole);
    std::vector<double> stops;
    while (stops.size() < times) {
        empty();
        if (const auto stop = cancelAfter(moment(random), import)) stops.push_back(*stop);
    }
    empty();
    print(std::move(stops));
}

class NoRows : public RowSink {
public:
    bool begin(std::span<const std::string>) override { return true; }
    bool row(std::span<const Value>) override { return true; }
};

/// SQL for a text of so many a.
std::string longText(std::size_t bytes) {
    return "replace('" + std::string(1000, 'b') + "', 'b', '" + std::string(bytes / 1000, 'a') + "')";
}

/// Statements that go on for ever, with a function of values as long as it may be given.
std::vector<std::string> endlessStatements() {
    const auto endless = [](std::size_t bytes, const std::string& expression) {
        return "WITH RECURSIVE v(x) AS MATERIALIZED (SELECT " + longText(bytes) +
               "), n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT count(" + expression + ") FROM n, v";
    };
    constexpr std::size_t kMost = StatementLimits::kMostBytes - 1000, kHalf = kMost / 2;
    return {endless(kHalf, "instr(x, substr(x, 1, length(x) / 2) || i)"),
            endless(kMost, "replace(x, 'aaaaaaaab', i)"),
            endless(kHalf, "x LIKE '%' || replace(printf('%.*c', 8000, 'z'), 'z', 'a%_%') || 'b' || i"),
            endless(kHalf, "x GLOB replace(printf('%.*c', 8000, 'z'), 'z', '*a?') || '[b-c]' || i"),
            endless(kHalf, "trim(x, 'bcdefghijklmnopqrstuvwxyza' || i)"),
            endless(kMost, "x REGEXP 'a[^b]*+[cd]' || i"),
            endless(kMost / 5, "upper(x || i)"),
            endless(kHalf, "quote(x || i)"),
            endless(kMost, "length(x || i)"),
            endless(kHalf, "printf('%*d%s', i, i, x)"),
            "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT i % 7, group_concat(" +
                longText(100'000) + ") OVER (ORDER BY i ROWS 50 PRECEDING) FROM n"};
}

void cancelStatements(std::size_t times) {
    const std::vector<std::string> statements = endlessStatements();
    const QueryDatabase database(std::make_shared<CaptureStore>());
    std::mt19937 random(1);
    std::uniform_real_distribution<double> moment(0, 0.5);
    std::vector<double> stops;
    for (std::size_t i = 0; i < times; ++i) {
        const auto stop = cancelAfter(moment(random), [&](const CancelToken& cancel) {
            NoRows sink;
            const auto done = database.run(statements[i % statements.size()], sink, cancel);
            if (!done.failed()) return;
            std::fprintf(stderr, "statement %zu: %s\n", i % statements.size(), done.error().code.c_str());
            std::exit(1);
        });
        if (stop) stops.push_back(*stop);
    }
    print(std::move(stops));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_cancel CAPTURE|--statements [TIMES [CACHE]]\n");
        return 2;
    }
    const std::size_t times = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 200;
    if (std::strcmp(argv[1], "--statements") == 0) cancelStatements(times);
    else cancelImports(argv[1], times, argc > 3 ? argv[3] : "");
    return 0;
}
