#include "core/import/mindspore/host_info_files.h"

#include "core/import/files/timeline_files.h"
#include "core/import/mindspore/host_info.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace altiscope::reader {

namespace {

SourceFile fileIn(const ListedFolder& folder, const ListedFile& file, SourceFormat format) {
    return {folder.path / file.name, folder.relativeTo(file.name), format, file.size, 0, {}};
}

/// Which of the folder's ranks a rank is.
std::optional<std::int64_t> numberIn(const RankManifest& rank, const ListedFolder& folder) {
    if (rank.info.rankId) return rank.info.rankId;
    const auto ranks = hostInfoRanks(folder);
    return ranks.size() == 1 ? std::optional(ranks.front()) : std::nullopt;
}

const ListedFile* fileOf(const ListedFolder& folder, std::string_view begin, std::int64_t rank, std::string_view end) {
    return folder.file(std::string(begin) + std::to_string(rank) + std::string(end));
}

/// The records of a rank; their names may say more than its number.
const ListedFile* recordsOf(const ListedFolder& folder, std::int64_t rank) {
    const auto found = std::find_if(folder.files.begin(), folder.files.end(),
                                    [rank](const ListedFile& file) { return rankInHostInfoName(file.name) == rank; });
    return found == folder.files.end() ? nullptr : &*found;
}

}  // namespace

std::vector<std::int64_t> hostInfoRanks(const ListedFolder& folder) {
    std::vector<std::int64_t> ranks;
    for (const ListedFile& file : folder.files) {
        if (const auto rank = rankInHostInfoName(file.name)) ranks.push_back(*rank);
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

void addHostInfoTimeline(RankManifest& rank, const ListedFolder& folder, Diagnostics& diagnostics) {
    const auto number = numberIn(rank, folder);
    if (!number) return;
    const ListedFile* made = fileOf(folder, "timeline_", *number, ".json");
    const ListedFile* records = recordsOf(folder, *number);
    if (made == nullptr && records == nullptr) return;
    SourceFile source = made != nullptr ? traceFile(folder, *made) : fileIn(folder, *records, SourceFormat::HostInfo);
    if (rank.traces.empty()) return rank.traces.push_back(std::move(source));
    rank.info.alternatives.push_back(source.name);
    diagnostics.add("source_not_taken", Severity::Info, source.name, {}, {{"taken", rank.traces.front().name}});
}

void addHostInfoTables(RankManifest& rank, const ListedFolder& folder) {
    const auto number = numberIn(rank, folder);
    if (!number) return;
    bool hasDataset = std::any_of(rank.tables.begin(), rank.tables.end(),
                                  [](const TableFile& table) { return table.format == "dataset"; });
    if (const ListedFile* made = fileOf(folder, "dataset_", *number, ".csv"); made != nullptr && !hasDataset) {
        rank.tables.push_back({fileIn(folder, *made, SourceFormat::Other), "dataset"});
        hasDataset = true;
    }
    if (const ListedFile* records = recordsOf(folder, *number))
        rank.tables.push_back(
            {fileIn(folder, *records, SourceFormat::Other), hasDataset ? "host_memory" : "host_info"});
    else if (const ListedFile* memory = fileOf(folder, "host_memory_", *number, ".csv"))
        rank.tables.push_back({fileIn(folder, *memory, SourceFormat::Other), "host_memory"});
}

}  // namespace altiscope::reader
