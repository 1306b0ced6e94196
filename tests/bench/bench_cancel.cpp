// Cancels work at random moments and prints one JSON object: how long the slowest, one in a hundred and the median one
// took to stop. The work is the import of a capture, from the first look at the folder to the seal and the cache entry,
// or statements over huge values.
// Usage: bench_cancel CAPTURE [TIMES [CACHE]]    CACHE: a folder of the benchmark's own, emptied before each import
//        bench_cancel --statements [TIMES]
#include "core/base/threads/parallel.h"
#include "core/import/import_capture.h"
#include "core/query/database.h"
#include "core/query/limits/statement_limits.h"
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
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace altiscope;
using Clock = std::chrono::steady_clock;

namespace {

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// What can be cancelled, with what it made: who has that already cancels nothing.
using Work = std::function<std::shared_ptr<const void>(const CancelToken&)>;

/// Seconds from the cancel to the end of the work; nullopt if it had ended before.
std::optional<double> cancelAfter(double seconds, const Work& work) {
    const CancelToken cancel;
    std::atomic<bool> ended{false};
    Clock::time_point end;
    std::shared_ptr<const void> made;
    std::thread worker([&] {
        {
            WorkerArena arena;
            arena.run([&] { made = work(cancel); });
        }
        // Not when the thread has ended: that gives memory back to the system, which no thread of the programs does.
        end = Clock::now();
        ended = true;
    });
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    const bool isLate = ended.load();
    const auto start = Clock::now();
    cancel.requestCancel();
    worker.join();
    return isLate ? std::nullopt : std::optional(std::chrono::duration<double>(end - start).count());
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
    const auto import = [&](const CancelToken& cancel) -> std::shared_ptr<const void> {
        std::optional<StoreCache> cache;
        reader::ImportOptions options;
        if (!cacheFolder.empty()) options.cache = &cache.emplace(cacheFolder);
        ProgressSlot progress;
        auto imported = reader::importCapture(capture, options, progress, cancel);
        return imported.ok() ? std::move(imported).value() : nullptr;
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

/// A statement that goes on for ever, with a function of a value of so many bytes.
using Endless = std::function<std::string(std::size_t bytes)>;

std::vector<Endless> endlessStatements() {
    const auto counted = [](const std::string& expression) {
        return [expression](std::size_t bytes) {
            return "WITH RECURSIVE v(x) AS MATERIALIZED (SELECT " + longText(bytes) +
                   "), n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT count(" + expression + ") FROM n, v";
        };
    };
    const auto gathered = [](std::size_t bytes) {
        return "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT i % 7, group_concat(" +
               longText(bytes / 100) + ") OVER (ORDER BY i ROWS 50 PRECEDING) FROM n";
    };
    return {counted("instr(x, substr(x, 1, length(x) / 2) || i)"),
            counted("replace(x, 'aaaaaaaab', i)"),
            counted("x LIKE '%' || replace(printf('%.*c', 8000, 'z'), 'z', 'a%_%') || 'b' || i"),
            counted("x GLOB replace(printf('%.*c', 8000, 'z'), 'z', '*a?') || '[b-c]' || i"),
            counted("trim(x, 'bcdefghijklmnopqrstuvwxyza' || i)"),
            counted("x REGEXP 'a[^b]*+[cd]' || i"),
            counted("upper(x || i)"),
            counted("quote(x || i)"),
            counted("length(x || i)"),
            counted("printf('%*d%s', i, i, x)"),
            gathered};
}

/// With a value as long as statements of its functions may have.
std::string longestAccepted(const QueryDatabase& database, const Endless& statement) {
    for (std::size_t bytes = StatementLimits::kMaxBytes; bytes > 0; bytes = bytes * 3 / 4) {
        std::optional<Error> error;
        const std::string sql = statement(bytes);
        cancelAfter(0.3, [&](const CancelToken& cancel) {
            NoRows sink;
            const auto done = database.run(sql, sink, cancel);
            if (done.failed()) error = done.error();
            return nullptr;
        });
        if (!error) return sql;
        if (error->code != "sql.value_too_long") {
            std::fprintf(stderr, "%s: %s\n", error->code.c_str(), sql.substr(sql.find("count(")).c_str());
            std::exit(1);
        }
    }
    return {};
}

void cancelStatements(std::size_t times) {
    const QueryDatabase database(std::make_shared<CaptureStore>());
    std::vector<std::string> statements;
    for (const Endless& statement : endlessStatements()) statements.push_back(longestAccepted(database, statement));
    std::mt19937 random(1);
    std::uniform_real_distribution<double> moment(0, 0.5);
    std::vector<double> stops;
    for (std::size_t i = 0; stops.size() < times; ++i) {
        const auto stop = cancelAfter(moment(random), [&](const CancelToken& cancel) {
            NoRows sink;
            static_cast<void>(database.run(statements[i % statements.size()], sink, cancel));
            return nullptr;
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
