// Imports the input as a profiler database, as the product does, in one piece and in many, and asks for arguments and
// rows of tables.
#include "core/base/threads/parallel.h"
#include "core/import/import_capture.h"
#include "core/store/rows/row_table.h"
#include "tests/fuzz/input_folder.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <tuple>

using namespace altiscope;

namespace {

using Outcome = std::tuple<std::string, std::size_t, std::size_t, std::size_t>;

/// Looks at every cell.
std::size_t countCells(const RowTables& rows) {
    std::size_t present = 0;
    for (const RowTable& table : rows.tables()) {
        for (std::size_t column = 0; column < table.columnCount(); ++column) {
            const bool isText =
                column < rowColumns(table.kind()).size() && rowColumns(table.kind())[column].cell == RowCell::Text;
            for (std::size_t row = 0; row < table.size(); ++row) {
                const auto value = table.integer(column, row);
                if (value) present += isText ? rows.text(*table.text(column, row)).size() + 1 : 1;
            }
        }
    }
    return present;
}

Outcome import(const std::filesystem::path& path, std::size_t chunkBytes) {
    static WorkerArena arena(1);  // waking another thread takes longer than these small imports
    Outcome outcome;
    arena.run([&] {
        ProgressSlot progress;
        reader::ImportOptions options;
        options.chunkBytes = chunkBytes;
        const auto result = reader::importCapture(path, options, progress, {});
        if (!result.ok()) {
            std::get<0>(outcome) = result.error().code;
            return;
        }
        // A cluster's database may name no rank.
        if (result.value()->ranks.empty()) return;
        const RankEntry& rank = result.value()->ranks.at(0);
        const std::size_t cells = rank.rows ? countCells(*rank.rows) : 0;
        if (!rank.trace) return;
        outcome = {std::to_string(cells), rank.trace->sliceCount(), rank.trace->columns().sampleTime.size(),
                   rank.trace->flowCount()};
        for (std::uint32_t slice = 0; slice < rank.trace->sliceCount() && slice < 16; ++slice)
            static_cast<void>(rank.arguments->arguments(rank.trace->pos({slice})));
    });
    return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::filesystem::path path = fuzz::inputFolder() / "input.db";
    fuzz::writeInput(path, data, size);
    // A damaged tree may be read differently in parts; that both end is what counts there.
    import(path, std::size_t{1} << 20);
    import(path, 1 + size / 97);
    return 0;
}
