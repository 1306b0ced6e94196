#include "core/import/mindspore/host_info_files.h"

#include "core/base/files/file.h"
#include "core/base/values/parse.h"
#include "core/import/files/timeline_files.h"
#include "core/import/mindspore/host_info.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace altiscope::reader {

namespace {

SourceFile fileIn(const ListedFolder& folder, const ListedFile& file, SourceFormat format) {
    return {folder.path / file.name, folder.relativeTo(file.name), format, file.size, 0, {}};
}

const ListedFile* fileOf(const ListedFolder& folder, std::string_view begin, std::int64_t rank, std::string_view end) {
    return folder.file(std::string(begin) + std::to_string(rank) + std::string(end));
}

constexpr std::int64_t kUsOfYear2000 = 946'684'800'000'000;

/// The first of a file's bytes; empty if it cannot be read.
std::string beginningOf(const SourceFile& file) {
    static constexpr std::size_t kHead = std::size_t{256} << 10;
    const auto opened = ReadOnlyFile::openText(file.path);
    std::string text(kHead, '\0');
    const auto got = opened.ok() ? opened.value().read(0, std::span(text)) : opened.as<std::size_t>();
    text.resize(got.ok() ? got.value() : 0);
    return text;
}

/// The first time in the beginning of a trace, in us.
std::optional<std::int64_t> firstTimeOf(std::string_view json) {
    static constexpr std::string_view kKey = "\"ts\"";
    const std::size_t key = json.find(kKey);
    if (key == std::string_view::npos) return std::nullopt;
    std::string_view text = json.substr(key + kKey.size());
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n:\""), text.size()));
    return wholeNumber(text.substr(0, text.find_first_not_of("0123456789")));
}

/// The first time in the beginning of host records, in us: MindSpore writes it last in a line.
std::optional<std::int64_t> firstStampOf(std::string_view records) {
    while (!records.empty()) {
        const std::string_view line = trimmed(records.substr(0, records.find('\n')));
        records.remove_prefix(std::min(records.size(), records.find('\n')));
        records.remove_prefix(std::min<std::size_t>(records.size(), 1));
        // npos + 1 is 0.
        const auto stamp = wholeNumber(line.substr(line.rfind(',') + 1));
        if (stamp && *stamp > 0) return stamp;
    }
    return std::nullopt;
}

/// Whether a timeline tells the time of day.
bool hasTimeOfDay(const SourceFile& file) {
    if (file.format == SourceFormat::Database || file.format == SourceFormat::Raw) return true;
    const bool isRecords = file.format == SourceFormat::HostInfo;
    if (!isRecords && file.format != SourceFormat::TraceJson) return false;
    const std::string head = beginningOf(file);
    const auto first = isRecords ? firstStampOf(head) : firstTimeOf(head);
    return first && *first >= kUsOfYear2000;
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
    if (hasTimeOfDay(source) && std::all_of(rank.traces.begin(), rank.traces.end(), hasTimeOfDay))
        return rank.traces.push_back(std::move(source));
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
