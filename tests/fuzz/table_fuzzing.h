#pragma once

#include "core/base/parallel.h"
#include "core/import/import_capture.h"
#include "core/store/row_table.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace altiscope::fuzz {

/// Folder for the inputs; in memory where the system offers that. Removed at the end.
inline std::filesystem::path tableFolder() {
    std::error_code error;
    const bool hasMemory = std::filesystem::is_directory("/dev/shm", error);
    std::string folder = (hasMemory ? "/dev/shm" : std::filesystem::temp_directory_path().string()) + "/altiscope-fuzz-XXXXXX";
    if (::mkdtemp(folder.data()) == nullptr) std::abort();
    static const struct Remover {
        std::string folder;
        ~Remover() {
            std::error_code ignored;
            std::filesystem::remove_all(folder, ignored);
        }
    } remover{folder};
    std::filesystem::create_directory(folder + "/ASCEND_PROFILER_OUTPUT");
    return folder;
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
        const RowTables* rows = result.value()->ranks.at(0).rows.get();
        for (std::size_t t = 0; rows != nullptr && t < rows->tables().size(); ++t) {
            const RowTable& table = rows->tables()[t];
            outcome.emplace_back(rowKindName(table.kind()));
            for (std::size_t c = 0; c < table.columnCount(); ++c) {
                const bool isReal = c >= rowColumns(table.kind()).size() || rowColumns(table.kind())[c].cell == RowCell::Real;
                const bool isText = !isReal && rowColumns(table.kind())[c].cell == RowCell::Text;
                for (std::size_t row = 0; row < table.size(); ++row) {
                    if (isReal) outcome.push_back(std::to_string(table.real(c, row).value_or(-1)));
                    else if (const auto value = table.integer(c, row); !value) outcome.emplace_back("-");
                    else outcome.push_back(isText ? std::string(rows->text(*table.text(c, row))) : std::to_string(*value));
                }
            }
        }
    });
    return outcome;
}

inline void importTableFile(const char* name, const std::uint8_t* data, std::size_t size) {
    static const std::filesystem::path folder = tableFolder();
    std::FILE* file = std::fopen((folder / "ASCEND_PROFILER_OUTPUT" / name).c_str(), "wb");
    if (file == nullptr) std::abort();
    if (size > 0) std::fwrite(data, 1, size, file);  // libFuzzer has a null pointer for the empty input.
    std::fclose(file);
    const auto whole = tableOutcome(folder, std::size_t{1} << 20);
    // At most some hundred pieces, so that large inputs stay quick.
    if (tableOutcome(folder, 1 + size / 97) != whole) std::abort();
}

}  // namespace altiscope::fuzz
