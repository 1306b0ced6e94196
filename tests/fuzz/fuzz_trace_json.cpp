// Imports the input as a trace file, as the product does, in one piece and in many: both must say the same.
#include "core/base/threads/parallel.h"
#include "core/import/import_capture.h"
#include "tests/fuzz/input_folder.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

using namespace altiscope;

namespace {

using Outcome = std::tuple<std::string, std::size_t, std::size_t, std::size_t, std::size_t, std::vector<std::uint64_t>>;

Outcome import(const std::filesystem::path& path, std::size_t chunkBytes) {
    static WorkerArena arena(1);  // waking another thread takes longer than these small imports
    Outcome outcome;
    arena.run([&] {
        ProgressSlot progress;
        reader::ImportOptions options;
        options.chunkBytes = chunkBytes;
        const auto result = reader::importCapture(path, options, progress, {});
        if (!result.ok()) {
            std::get<0>(outcome) = result.error().code + result.error().place;
            return;
        }
        const RankEntry& rank = result.value()->ranks.at(0);
        const TraceColumns& columns = rank.trace->columns();
        outcome = {
            "", columns.begin.size(), columns.sampleTime.size(), columns.instantTime.size(), columns.flowPos.size(),
            {}};
        auto& numbers = std::get<5>(outcome);
        numbers.push_back(static_cast<std::uint64_t>(result.value()->state));
        numbers.push_back(rank.trace->texts().bytes().size());
        for (const SourcePos pos : columns.pos) numbers.push_back(pos.packed);
        for (const std::int64_t time : columns.begin) numbers.push_back(static_cast<std::uint64_t>(time));
        for (const Diagnostic& one : result.value()->diagnostics.entries()) {
            numbers.push_back(one.count);
            for (const Place& place : one.places) numbers.push_back(place.value);
        }
        for (std::uint32_t slice = 0; slice < columns.begin.size() && slice < 16; ++slice) {
            if (rank.arguments->arguments(rank.trace->pos({slice})).failed()) std::abort();
        }
    });
    return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::filesystem::path path = fuzz::inputFolder() / "trace.json";
    fuzz::writeInput(path, data, size);
    const Outcome whole = import(path, std::size_t{1} << 20);
    // At most some hundred pieces, so that large inputs stay quick.
    if (import(path, 1 + size / 97) != whole) std::abort();
    return 0;
}
