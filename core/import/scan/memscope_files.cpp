#include "core/import/scan/memscope_files.h"

#include "core/base/values/parse.h"
#include "core/import/memscope/memscope_reader.h"
#include "core/import/memscope/python_trace.h"
#include "core/import/scan/source_sniffing.h"
#include "core/store/rows/row_kinds.h"

#include <optional>
#include <string_view>
#include <utility>

namespace altiscope::reader {

namespace {

std::optional<std::int64_t> deviceAround(const std::filesystem::path& file) {
    constexpr std::string_view kDevice = "device_";
    constexpr int kLevels = 3;
    std::filesystem::path at = file.parent_path();
    for (int level = 0; level < kLevels && at.has_relative_path(); ++level, at = at.parent_path()) {
        const std::string name = at.filename().string();
        if (!name.starts_with(kDevice)) continue;
        const auto number = wholeNumber(std::string_view(name).substr(kDevice.size()));
        if (number && *number >= 0 && *number <= kMaxDevice) return number;
    }
    return std::nullopt;
}

}  // namespace

RankManifest memscopeRank(const std::filesystem::path& path, const std::string& name, std::uint64_t size,
                          const SourceChoice& choice, Diagnostics& diagnostics) {
    RankManifest rank;
    rank.info.framework = Framework::Torch;
    // A database bears its mark, whatever it is called.
    const bool isCsv = name.ends_with(".csv") && fileTypeOf(path) != FileType::Database;
    rank.info.source = isCsv ? SourceKind::Text : SourceKind::Db;
    rank.info.path = name;
    rank.info.deviceId = deviceAround(path);
    rank.info.present = {"memory", "snapshot"};
    if (isCsv) {
        rank.tables.push_back({{path, name, SourceFormat::Other, size, 0, {}}, kMemscopeFormat});
        return rank;
    }
    rank.tables.push_back({databaseFile(path, name, size, choice, diagnostics), kMemscopeFormat});
    if (holdsPythonTrace(rank.tables.front().source.path)) {
        SourceFile calls = rank.tables.front().source;
        calls.format = SourceFormat::PythonTrace;
        rank.traces.push_back(std::move(calls));
        rank.info.present.emplace_back("timeline");
    }
    return rank;
}

RankManifest pythonTraceRank(const std::filesystem::path& path, const std::string& name, std::uint64_t size) {
    RankManifest rank;
    rank.info.framework = Framework::Torch;
    rank.info.source = SourceKind::Text;
    rank.info.path = name;
    rank.info.deviceId = deviceAround(path);
    rank.info.present = {"timeline"};
    rank.traces.push_back({path, name, SourceFormat::PythonTrace, size, 0, {}});
    return rank;
}

void addMemscopeDumps(const FolderListing& listing, const SourceChoice& choice, std::vector<RankManifest>& ranks,
                      Diagnostics& diagnostics, const CancelToken& cancel) {
    for (const ListedFolder& folder : listing.folders) {
        const std::size_t first = ranks.size();
        for (const ListedFile& file : folder.files) {
            if (cancel.cancelled()) return;
            if (!isMemscopeName(file.name)) continue;
            ranks.push_back(
                memscopeRank(folder.path / file.name, folder.relativeTo(file.name), file.size, choice, diagnostics));
        }
        for (const ListedFile& file : folder.files) {
            if (cancel.cancelled()) return;
            if (!isPythonTraceName(file.name)) continue;
            RankManifest calls = pythonTraceRank(folder.path / file.name, folder.relativeTo(file.name), file.size);
            // Beside one dump they are of its process; which of several it is, nothing says.
            if (ranks.size() == first + 1 && ranks[first].info.source == SourceKind::Text) {
                ranks[first].traces.push_back(std::move(calls.traces.front()));
                if (ranks[first].traces.size() == 1) ranks[first].info.present.emplace_back("timeline");
            } else {
                ranks.push_back(std::move(calls));
            }
        }
    }
}

}  // namespace altiscope::reader
