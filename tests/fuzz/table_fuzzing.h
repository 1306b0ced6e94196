#pragma once

#include "core/base/threads/parallel.h"
#include "core/import/import_capture.h"
#include "core/store/rows/row_table.h"
#include "tests/fuzz/input_folder.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace altiscope::fuzz {

inline void addCells(const RowTables& rows, std::vector<std::string>& outcome) {
    for (const RowTable& table : rows.tables()) {
        outcome.emplace_back(rowKindName(table.kind()));
        for (std::size_t c = 0; c < table.columnCount(); ++c) {
            const bool isReal =
                c >= rowColumns(table.kind()).size() || rowColumns(table.kind())[c].cell == RowCell::Real;
            const bool isText = !isReal && rowColumns(table.kind())[c].cell == RowCell::Text;
            for (std::size_t row = 0; row < table.size(); ++row) {
                if (isReal) outcome.push_back(std::to_string(table.real(c, row).value_or(-1)));
                else if (const auto value = table.integer(c, row); !value) outcome.emplace_back("-");
                else outcome.push_back(isText ? std::string(rows.text(*table.text(c, row))) : std::to_string(*value));
            }
        }
    }
}

/// All cells and problems of an import.
inline std::vector<std::string> tableOutcome(const std::filesystem::path& folder, std::size_t chunkBytes) {
    static WorkerArena arena(1);  // waking another thread takes longer than these small imports
    std::vector<std::string> outcome;
    arena.run([&] {
        ProgressSlot progress;
        reader::ImportOptions options;
        options.chunkBytes = chunkBytes;
        const auto result = reader::importCapture(folder, options, progress, {});
        if (!result.ok()) return outcome.push_back(result.error().code);
        for (const Diagnostic& one : result.value()->diagnostics.entries()) {
            outcome.push_back(one.code + std::to_string(one.count));
            for (const Place& place : one.places) outcome.push_back(place.text());
        }
        for (const RankEntry& rank : result.value()->ranks) {
            outcome.push_back("rank " + std::to_string(rank.info.rankId.value_or(-1)));
            if (rank.rows != nullptr) addCells(*rank.rows, outcome);
            if (rank.trace != nullptr) outcome.push_back("slices " + std::to_string(rank.trace->sliceCount()));
        }
        if (result.value()->rows != nullptr) addCells(*result.value()->rows, outcome);
    });
    return outcome;
}

/// @param output  The folder in which such a file lies.
inline void importTableFile(const char* name, const std::uint8_t* data, std::size_t size,
                            const char* output = "ASCEND_PROFILER_OUTPUT") {
    const std::filesystem::path& folder = inputFolder();
    std::filesystem::create_directory(folder / output);
    writeInput(folder / output / name, data, size);
    const auto whole = tableOutcome(folder, std::size_t{1} << 20);
    // At most some hundred pieces, so that large inputs stay quick.
    if (tableOutcome(folder, 1 + size / 97) != whole) std::abort();
}

}  // namespace altiscope::fuzz
