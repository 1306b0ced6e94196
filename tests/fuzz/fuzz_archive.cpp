// Opens the input as an archive, as the product does; bombs only as far as it takes to see that they are refused.
#include "core/base/threads/parallel.h"
#include "core/import/archive/archive_expansion.h"
#include "core/import/import_capture.h"
#include "tests/fuzz/input_folder.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>

using namespace altiscope;

namespace {

/// Whether the product would expand it without its limits; nothing may stand beside the folder afterwards.
bool expandsQuickly(const std::filesystem::path& archive) {
    const std::filesystem::path around = fuzz::inputFolder() / "around", folder = around / "folder";
    std::filesystem::create_directories(folder);
    bool isQuick = false;
    if (const auto file = ReadOnlyFile::open(archive); file.ok()) {
        ProgressSlot progress;
        const auto expanded = reader::expandArchive(file.value(), folder, {"."},
                                                    {.bytes = std::uint64_t{4} << 20, .members = 100}, progress, {});
        isQuick = expanded.ok() && !expanded.value().diagnostics.anyLost();
    }
    for (const auto& entry : std::filesystem::directory_iterator(around)) {
        if (entry.path() != folder) std::abort();
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_symlink() || (!entry.is_directory() && !entry.is_regular_file())) std::abort();
    }
    std::filesystem::remove_all(around);
    return isQuick;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static WorkerArena arena(1);  // waking another thread takes longer than these small imports
    // By its name an input without any mark is tried too.
    const std::filesystem::path path = fuzz::inputFolder() / "input.tar";
    fuzz::writeInput(path, data, size);
    if (!expandsQuickly(path)) return 0;
    ::setenv("TMPDIR", fuzz::inputFolder().c_str(), 1);
    arena.run([&] {
        ProgressSlot progress;
        static_cast<void>(reader::importCapture(path, {}, progress, {}));
    });
    return 0;
}
