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

const ListedFile* fileOf(const ListedFolder& folder, std::string_view begin, std::int64_t rank, std::string_view end) {
    return folder.file(std::string(begin) + std::to_string(rank) + std::string(end));
}

}  // namespace

HostInfoFolder::HostInfoFolder(const ListedFolder& folder) : m_folder(&folder) {
    for (const ListedFile& file : folder.files) {
        if (const auto rank = rankInHostInfoName(file.name)) m_records.try_emplace(*rank, &file);
    }
}

std::vector<std::int64_t> HostInfoFolder::ranks() const {
    std::vector<std::int64_t> ranks;
    for (const auto& [rank, file] : m_records) ranks.push_back(rank);
    return ranks;
}

const ListedFile* HostInfoFolder::records(std::int64_t rank) const {
    const auto found = m_records.find(rank);
    return found == m_records.end() ? nullptr : found->second;
}

std::optional<std::int64_t> HostInfoFolder::numberOf(const RankInfo& rank) const {
    if (rank.rankId) return rank.rankId;
    return m_records.size() == 1 ? std::optional(m_records.begin()->first) : std::nullopt;
}

void addHostInfoTimeline(RankManifest& rank, const HostInfoFolder& hostInfo, Diagnostics& diagnostics) {
    const ListedFolder& folder = hostInfo.folder();
    const auto number = hostInfo.numberOf(rank.info);
    if (!number) return;
    const ListedFile* made = fileOf(folder, "timeline_", *number, ".json");
    const ListedFile* records = hostInfo.records(*number);
    if (made == nullptr && records == nullptr) return;
    SourceFile source = made != nullptr ? traceFile(folder, *made) : fileIn(folder, *records, SourceFormat::HostInfo);
    if (rank.traces.empty()) return rank.traces.push_back(std::move(source));
    rank.info.alternatives.push_back(source.name);
    diagnostics.add("source_not_taken", Severity::Info, source.name, {}, {{"taken", rank.traces.front().name}});
}

void addHostInfoTables(RankManifest& rank, const HostInfoFolder& hostInfo) {
    const ListedFolder& folder = hostInfo.folder();
    const auto number = hostInfo.numberOf(rank.info);
    if (!number) return;
    bool hasDataset = std::any_of(rank.tables.begin(), rank.tables.end(),
                                  [](const TableFile& table) { return table.format == "dataset"; });
    if (const ListedFile* made = fileOf(folder, "dataset_", *number, ".csv"); made != nullptr && !hasDataset) {
        rank.tables.push_back({fileIn(folder, *made, SourceFormat::Other), "dataset"});
        hasDataset = true;
    }
    if (const ListedFile* records = hostInfo.records(*number))
        rank.tables.push_back(
            {fileIn(folder, *records, SourceFormat::Other), hasDataset ? "host_memory" : "host_info"});
    else if (const ListedFile* memory = fileOf(folder, "host_memory_", *number, ".csv"))
        rank.tables.push_back({fileIn(folder, *memory, SourceFormat::Other), "host_memory"});
}

}  // namespace altiscope::reader
