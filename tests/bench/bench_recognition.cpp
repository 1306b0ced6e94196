// Makes a folder with so many rank folders (two folders and ten files each), looks through it as an opening does, and
// prints one JSON object: how many files and folders there were, how many ranks were found, and how long it took.
// Usage: bench_recognition SCRATCH_FOLDER [RANKS]
#include "core/base/threads/parallel.h"
#include "core/import/scan/folder_scanner.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using namespace altiscope;

namespace {

constexpr const char* kOutputFiles[] = {"trace_view.json",    "kernel_details.csv", "operator_details.csv",
                                        "op_statistic.csv",   "api_statistic.csv",  "memory_record.csv",
                                        "communication.json", "step_trace_time.csv"};

void writeText(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }

void makeRanks(const std::filesystem::path& root, int ranks) {
    for (int rank = 0; rank < ranks; ++rank) {
        const std::string number = std::to_string(rank);
        const auto folder = root / ("node_" + number + "_20260101120000123_ascend_pt");
        std::filesystem::create_directories(folder / "ASCEND_PROFILER_OUTPUT");
        writeText(folder / ("profiler_info_" + number + ".json"),
                  R"({"config":{"common_config":{"with_stack":false}},"rank_id":")" + number + "\"}");
        writeText(folder / "profiler_metadata.json", R"({"distributed_args":{"rank":)" + number + "}}");
        for (const char* name : kOutputFiles) writeText(folder / "ASCEND_PROFILER_OUTPUT" / name, "Name\n");
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_recognition SCRATCH_FOLDER [RANKS]\n");
        return 2;
    }
    const int ranks = argc > 2 ? std::atoi(argv[2]) : 10000;
    const std::filesystem::path root = std::filesystem::path(argv[1]) / "recognition";
    makeRanks(root, ranks);
    std::size_t found = 0;
    double seconds = 0;
    WorkerArena arena;
    arena.run([&] {
        const auto start = std::chrono::steady_clock::now();
        const auto manifest = reader::scanCapture(root, {}, {});
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (manifest.ok()) found = manifest.value().ranks.size();
    });
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
    std::printf("{\"folders\": %d, \"files\": %d, \"ranks\": %zu, \"seconds\": %.3f}\n", 2 * ranks, 10 * ranks, found,
                seconds);
    return found == static_cast<std::size_t>(ranks) ? 0 : 1;
}
