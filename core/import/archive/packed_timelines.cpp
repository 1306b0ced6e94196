#include "core/import/archive/packed_timelines.h"

#include "core/import/archive/archive_capture.h"
#include "core/import/files/file_names.h"

#include <algorithm>
#include <utility>

namespace altiscope::reader {

namespace {

bool isPacked(const SourceFile& file) {
    return file.format == SourceFormat::TraceJson && isPackedJson(file.path.filename().string());
}
bool isPackedTable(const TableFile& table) { return isPackedJson(table.source.path.filename().string()); }

/// The same about the file by its name in the capture.
void addAs(const std::string& name, const Diagnostics& about, Diagnostics& problems) {
    for (const Diagnostic& one : about.entries())
        problems.add(one.code, one.severity, name, one.places.empty() ? Place{} : one.places.front(), one.parameters,
                     one.count);
}

}  // namespace

std::optional<RankManifest> withUnpackedTimelines(const RankManifest& rank, const StoreCache* cache,
                                                  const std::filesystem::path& temporary, Diagnostics& problems,
                                                  ProgressSlot& progress, const CancelToken& cancel) {
    if (std::none_of(rank.traces.begin(), rank.traces.end(), isPacked) &&
        std::none_of(rank.tables.begin(), rank.tables.end(), isPackedTable))
        return std::nullopt;
    RankManifest plain = rank;
    // False: nothing comes of it.
    const auto unpack = [&](SourceFile& file) {
        progress.setFile(file.name);
        auto unpacked = unpackFile(file.path, cache, temporary, progress, cancel);
        if (unpacked.cancelled()) return false;
        if (unpacked.failed()) {
            const Error& error = unpacked.error();
            problems.add(error.code, Severity::Lost, file.name, {}, error.parameters);
            return false;
        }
        addAs(file.name, unpacked.value().diagnostics, problems);
        file.copied = std::exchange(file.path, std::move(unpacked.value().path));
        file.copy = std::move(unpacked.value().keeper);
        // Read after the packed bytes, which are counted already.
        progress.addTotal(unpacked.value().size);
        progress.addDone(file.size);
        plain.info.traceBytes += unpacked.value().size - file.size;
        file.size = unpacked.value().size;
        return true;
    };
    plain.traces.clear();
    for (SourceFile file : rank.traces) {
        if (cancel.cancelled()) return plain;
        if (!isPacked(file) || unpack(file)) plain.traces.push_back(std::move(file));
    }
    plain.tables.clear();
    for (TableFile table : rank.tables) {
        if (cancel.cancelled()) return plain;
        if (!isPackedTable(table) || unpack(table.source)) plain.tables.push_back(std::move(table));
    }
    return plain;
}

}  // namespace altiscope::reader
