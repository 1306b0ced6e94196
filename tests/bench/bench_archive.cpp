// Opens a .tar.zst of a trace, beside its parts: reading all members and keeping nothing, and importing the trace
// itself. Each time in a fresh cache; then once more from the cache, with and without arguments. Prints one JSON
// object. Usage: bench_archive TRACE.json WORK_FOLDER [ROUNDS]
#include "core/base/threads/parallel.h"
#include "core/import/archive/archive_reader.h"
#include "core/import/import_capture.h"
#include "core/store/cache/store_cache.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include <archive.h>
#include <archive_entry.h>

using namespace altiscope;
namespace fs = std::filesystem;

namespace {

double secondsOf(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

[[noreturn]] void fail(const char* what) {
    std::fprintf(stderr, "%s\n", what);
    std::exit(1);
}

void pack(const fs::path& trace, const fs::path& target) {
    archive* out = archive_write_new();
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, trace.filename().c_str());
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(fs::file_size(trace)));
    if (archive_write_set_format_pax_restricted(out) != ARCHIVE_OK ||
        archive_write_add_filter_zstd(out) != ARCHIVE_OK ||
        archive_write_open_filename(out, target.c_str()) != ARCHIVE_OK ||
        archive_write_header(out, entry) != ARCHIVE_OK)
        fail("the trace could not be packed");
    const auto file = ReadOnlyFile::open(trace);
    std::vector<char> buffer(std::size_t{1} << 20);
    for (std::uint64_t at = 0; at < file.value().size();) {
        const std::size_t got = file.value().read(at, buffer).value();
        if (archive_write_data(out, buffer.data(), got) < 0) fail("the trace could not be packed");
        at += got;
    }
    archive_entry_free(entry);
    archive_write_free(out);
}

void readMembers(const fs::path& archive) {
    const auto file = ReadOnlyFile::open(archive);
    auto reader = reader::ArchiveReader::open(file.value(), {});
    if (!reader.ok() || !reader.value().next().ok()) fail("the archive could not be read");
    while (reader.value().read().value()) {}
}

std::shared_ptr<const CaptureStore> import(const fs::path& path, const StoreCache& cache) {
    static WorkerArena arena;
    reader::ImportOptions options;
    options.cache = &cache;
    ProgressSlot progress;
    std::shared_ptr<const CaptureStore> capture;
    arena.run([&] {
        const auto result = reader::importCapture(path, options, progress, {});
        if (result.ok()) capture = result.value();
    });
    if (!capture || !capture->ranks.at(0).trace) fail("import failed");
    return capture;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) fail("usage: bench_archive TRACE.json WORK_FOLDER [ROUNDS]");
    const fs::path trace = argv[1], work = argv[2], archive = work / (trace.stem().string() + ".tar.zst"),
                   cacheFolder = work / "bench-archive-cache";
    const int rounds = argc > 3 ? std::max(std::atoi(argv[3]), 1) : 5;
    fs::create_directories(work);
    if (!fs::exists(archive)) pack(trace, archive);
    std::vector<double> members, plain, packed, ratios, again, arguments;
    for (int i = 0; i < rounds; ++i) {
        fs::remove_all(cacheFolder);
        const StoreCache plainCache(cacheFolder / "plain"), packedCache(cacheFolder / "packed");
        members.push_back(secondsOf([&] { readMembers(archive); }));
        plain.push_back(secondsOf([&] { import(trace, plainCache); }));
        packed.push_back(secondsOf([&] { import(archive, packedCache); }));
        ratios.push_back(packed.back() / (members.back() + plain.back()));
        std::shared_ptr<const CaptureStore> capture;
        again.push_back(secondsOf([&] { capture = import(archive, packedCache); }));
        const RankEntry& rank = capture->ranks[0];
        arguments.push_back(secondsOf([&] {
            if (!rank.arguments->arguments(rank.trace->pos({static_cast<std::uint32_t>(rank.trace->sliceCount() / 2)}))
                     .ok())
                fail("no arguments");
        }));
    }
    fs::remove_all(cacheFolder);
    std::printf("{\"archive_mb\": %.1f, \"members_s\": %.3f, \"import_s\": %.3f, \"archive_s\": %.3f, \"ratio\": %.3f, "
                "\"second_opening_s\": %.4f, "
                "\"arguments_s\": %.4f}\n",
                static_cast<double>(fs::file_size(archive)) / 1e6, median(members), median(plain), median(packed),
                median(ratios), median(again), median(arguments));
    return 0;
}
