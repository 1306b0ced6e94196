// Makes raw data of any size and measures what becomes of it; prints one JSON object: seconds, MB of raw input a second,
// peak memory.
// Usage: bench_raw make FOLDER MEGABYTES [CAPTURES]   writes that many captures into the folder
//        bench_raw store FOLDER [THREADS]             to the sealed store
//        bench_raw text|db FOLDER [THREADS]           to deliverables, in a folder beside it that vanishes again
#include "core/base/threads/parallel.h"
#include "core/import/import_capture.h"
#include "core/session/reading/raw_analysis.h"
#include "tests/support/raw_run.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <sys/resource.h>

using namespace altiscope;

namespace {

std::uint64_t bytesIn(const std::filesystem::path& folder) {
    std::uint64_t bytes = 0;
    for (const auto& one : std::filesystem::recursive_directory_iterator(folder)) {
        if (one.is_regular_file()) bytes += one.file_size();
    }
    return bytes;
}

int make(const std::filesystem::path& folder, std::uint64_t megabytes, int captures) {
    // By what a kernel takes with its share of a collective, the framework's records and counters.
    static constexpr std::uint64_t kBytesOfKernel = 1660;
    for (int i = 0; i < captures; ++i) {
        test::RawRun run;
        run.kernels = std::max<std::uint64_t>(megabytes * 1'000'000 / kBytesOfKernel, 1);
        run.rank = "host_" + std::to_string(i + 1) + "_20260101000000000_ascend_pt";
        test::writeRawRun(folder, run);
    }
    std::printf("{\"mb\": %.1f}\n", static_cast<double>(bytesIn(folder)) / 1e6);
    return 0;
}

bool importAll(const std::filesystem::path& folder) {
    ProgressSlot progress;
    return reader::importCapture(folder.string(), {}, progress, {}).ok();
}

bool analyseAll(const std::filesystem::path& folder, bool isText) {
    RawAnalysisOptions options;
    options.raw = folder;
    options.out = folder.string() + "_bench_out";
    options.writesText = isText;
    options.writesDatabases = !isText;
    ProgressSlot progress;
    const auto done = analyseRaw(options, progress, {});
    std::error_code ignored;
    std::filesystem::remove_all(options.out, ignored);
    return done.ok() && std::all_of(done.value().captures.begin(), done.value().captures.end(),
                                    [](const auto& one) { return one.state == AnalysedCapture::State::Done; });
}

int measure(const std::filesystem::path& folder, unsigned threads, const std::function<bool()>& work) {
    const std::uint64_t bytes = bytesIn(folder);
    WorkerArena arena(threads);
    bool isDone = false;
    const auto start = std::chrono::steady_clock::now();
    arena.run([&] { isDone = work(); });
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("{\"done\": %s, \"seconds\": %.3f, \"mb\": %.1f, \"mb_per_s\": %.1f, \"peak_mb\": %.1f}\n",
                isDone ? "true" : "false", seconds, static_cast<double>(bytes) / 1e6,
                static_cast<double>(bytes) / 1e6 / seconds, static_cast<double>(usage.ru_maxrss) / 1024.0);
    return isDone ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view word = argc > 1 ? argv[1] : "";
    const auto number = [&](int place, int otherwise) { return argc > place ? std::atoi(argv[place]) : otherwise; };
    if (word == "make" && argc > 3) return make(argv[2], static_cast<std::uint64_t>(number(3, 1)), number(4, 1));
    if (argc > 2 && (word == "store" || word == "text" || word == "db")) {
        const std::filesystem::path folder = argv[2];
        return measure(folder, static_cast<unsigned>(number(3, 0)),
                       [&] { return word == "store" ? importAll(folder) : analyseAll(folder, word == "text"); });
    }
    std::fprintf(stderr, "usage: bench_raw make FOLDER MEGABYTES [CAPTURES] | store|text|db FOLDER [THREADS]\n");
    return 2;
}
